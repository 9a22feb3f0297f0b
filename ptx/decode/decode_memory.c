/* ptx/decode/decode_memory.c: loads, stores, atomics. */
#include <string.h>

#include "base/array.h"
#include "ptx/decode/decode_internal.h"

struct ptx_access *decode_new_access(struct decoder *d)
{
    struct ptx_code *c = d->c;
    struct ptx_access *a;

    if (array_reserve((void **)&c->accesses, &d->access_capacity, c->access_count + 1u, sizeof *c->accesses, d->e) <
        0)
        return NULL;
    a = &c->accesses[c->access_count];
    *a = (struct ptx_access){.base = PTX_NO_ROW, .vector = 1};
    memset(a->values, 0xff, sizeof a->values); /* PTX_NO_ROW */
    d->op->access = c->access_count++;
    return a;
}

int decode_which(const struct decoder *d, const struct decode_word *words, size_t n)
{
    for (size_t k = 0; k < n; k++)
        if (ptx_has(d->i, words[k].modifier))
            return words[k].value;
    return -1;
}

#define WHICH(d, words) decode_which(d, words, sizeof(words) / sizeof *(words))

/* --- address --- */

int decode_space(struct decoder *d, uint8_t *space)
{
    static const struct decode_word spaces[] = {
        {".global", PTX_SPACE_GLOBAL},      {".shared", PTX_SPACE_SHARED},
        {".shared::cta", PTX_SPACE_SHARED}, {".shared::cluster", PTX_SPACE_SHARED}, /* address names the CTA */
        {".local", PTX_SPACE_LOCAL},        {".param", PTX_SPACE_PARAM},
        {".param::entry", PTX_SPACE_PARAM}, {".param::func", PTX_SPACE_PARAM},
        {".const", PTX_SPACE_CONST}};
    int found = WHICH(d, spaces);

    *space = found < 0 ? PTX_GENERIC : (uint8_t)found;
    return 0;
}

/* Immediates and variables get rows, too. Only parameters are addressed by an offset alone. */
static int base_row(struct decoder *d, const struct ptx_operand *base, struct ptx_access *a)
{
    struct ptx_operand bare = *base;
    uint32_t bits = 64;
    uint16_t row;
    bool negated;

    if (base->kind == PTX_OP_REG) {
        if (decode_register(d, base, &row, &bits) < 0)
            return -1;
        if (bits < 32 || bits > 64 ||
            (bits == 32 && d->m->address_bits == 64 && (a->space == PTX_GENERIC || a->space == PTX_SPACE_GLOBAL)))
            return decode_fault(d, ERR_MALFORMED, &base->place, "`%s` has %u bits, and an address has %u",
                                d->f->registers[base->index].name, bits, d->m->address_bits);
    }
    bare.offset = 0; /* the access has the offset, so all accesses to an array share one row */
    a->base_bits = (uint8_t)bits;
    return decode_source(d, &bare, bits, DECODE_INTEGERS, &a->base, &negated);
}

static int parameter(struct decoder *d, const struct ptx_operand *base, struct ptx_access *a)
{
    const struct decode_home *home = &d->homes[base->index];

    if (home->kind == DECODE_FRAME)
        a->space = PTX_SPACE_LOCAL;
    a->offset += home->at;
    if (a->offset < 0 || a->offset > (home->kind == DECODE_FRAME ? DECODE_LOCAL_MAX : (int64_t)d->f->param_bytes))
        return decode_fault(d, ERR_MALFORMED, &base->place, "this address is outside of the parameters");
    return 0;
}

int decode_address(struct decoder *d, const struct ptx_operand *o, struct ptx_access *a)
{
    const struct ptx_operand *base;

    if (o->kind != PTX_OP_ADDRESS || o->count != 1)
        return decode_fault(d, ERR_MALFORMED, &o->place, "%s%s needs an address in brackets", d->i->opcode,
                            d->i->suffix);
    base = &d->f->operands[o->index];
    a->offset = o->offset;
    if (base->kind == PTX_OP_VARIABLE) {
        const struct ptx_variable *v = &d->m->variables[base->index];

        if (a->space != PTX_GENERIC && a->space != v->space)
            return decode_fault(d, ERR_MALFORMED, &base->place, "`%s` is not in the space of %s%s", v->name,
                                d->i->opcode, d->i->suffix);
        if (a->space == PTX_GENERIC) /* a generic access to a variable uses the variable's space */
            a->space = v->space;
        if (v->space == PTX_SPACE_PARAM && d->homes[base->index].kind)
            return parameter(d, base, a);
    } else if (a->space == PTX_SPACE_PARAM && !d->f->entry) {
        a->space = PTX_SPACE_LOCAL; /* parameters of functions are in local memory */
    }
    return base_row(d, base, a);
}

/* --- values --- */

static uint32_t hints_of(const struct decoder *d)
{
    static const struct decode_word hints[] = {{".nc", PTX_HINT_NC},
                                               {".ca", PTX_HINT_CA},
                                               {".cg", PTX_HINT_CG},
                                               {".cs", PTX_HINT_CS},
                                               {".cv", PTX_HINT_CV},
                                               {".lu", PTX_HINT_LU},
                                               {".wb", PTX_HINT_WB},
                                               {".wt", PTX_HINT_WT},
                                               {".volatile", PTX_HINT_VOLATILE},
                                               {".mmio", PTX_HINT_VOLATILE},
                                               {".relaxed", PTX_HINT_RELAXED},
                                               {".acquire", PTX_HINT_ACQUIRE},
                                               {".release", PTX_HINT_RELEASE},
                                               {".acq_rel", PTX_HINT_ACQUIRE | PTX_HINT_RELEASE},
                                               {".cta", PTX_HINT_SCOPE_CTA},
                                               {".cluster", PTX_HINT_SCOPE_CLUSTER},
                                               {".gpu", PTX_HINT_SCOPE_GPU},
                                               {".sys", PTX_HINT_SCOPE_SYS}};
    uint32_t all = 0;

    for (size_t k = 0; k < sizeof hints / sizeof *hints; k++)
        if (ptx_has(d->i, hints[k].modifier))
            all |= (uint32_t)hints[k].value;
    return d->i->modifiers[0] ? all : 0;
}

static bool is_float(enum ptx_type t)
{
    return t == PTX_F16 || t == PTX_F32 || t == PTX_F64;
}

/* Rows of all values have the same width: the width of the first register among them. */
static int width_of_values(struct decoder *d, const struct ptx_operand *o, struct ptx_access *a)
{
    enum ptx_type type = a->type;
    uint32_t bits = ptx_row_bits(type);
    uint16_t row;

    for (uint32_t k = 0; k < decode_pieces(d, o); k++) {
        struct ptx_operand one = decode_piece(d, o, k);

        if (one.kind != PTX_OP_REG)
            continue;
        if (decode_register(d, &one, &row, &bits) < 0)
            return -1;
        if (bits < ptx_type_bits(type) || bits == 1 || (is_float(type) && bits != ptx_row_bits(type)))
            return decode_fault(d, ERR_MALFORMED, &one.place, "%s%s needs %u bits here, and `%s` has %u",
                                d->i->opcode, d->i->suffix, ptx_type_bits(type), d->f->registers[one.index].name,
                                bits);
        break;
    }
    a->value_bits = (uint8_t)bits;
    return 0;
}

static int values(struct decoder *d, const struct ptx_operand *o, struct ptx_access *a, bool write)
{
    uint32_t n = decode_pieces(d, o);
    bool negated;

    if (n != d->i->vector || n > 8)
        return decode_fault(d, ERR_MALFORMED, &o->place, "%s%s moves %u values, not %u", d->i->opcode, d->i->suffix,
                            d->i->vector, n);
    if (width_of_values(d, o, a) < 0)
        return -1;
    a->vector = (uint8_t)n;
    a->value_count = (uint16_t)n;
    for (uint32_t k = 0; k < n; k++) {
        struct ptx_operand one = decode_piece(d, o, k);
        enum decode_numbers numbers = a->type == PTX_F32 || a->type == PTX_F64 ? DECODE_FLOATS : DECODE_ANY;

        if (write ? decode_result(d, &one, a->value_bits, &a->values[k]) < 0
                  : decode_source(d, &one, a->value_bits, numbers, &a->values[k], &negated) < 0)
            return -1;
    }
    return 0;
}

static struct ptx_access *begin_access(struct decoder *d, enum ptx_action action)
{
    struct ptx_access *a;

    d->op->action = (uint8_t)action;
    if (d->i->type_count != 1 || ptx_type_bits(d->i->types[0]) < 8 || d->i->types[0] == PTX_PRED) {
        decode_unsupported(d);
        return NULL;
    }
    a = decode_new_access(d);
    if (!a)
        return NULL;
    a->type = d->i->types[0];
    a->hints = hints_of(d);
    return decode_space(d, &a->space) < 0 ? NULL : a;
}

int decode_load(struct decoder *d)
{
    struct ptx_access *a;

    if (decode_count(d, 2, 3) < 0 || !(a = begin_access(d, PTX_DO_LOAD))) /* the third operand is a cache policy */
        return -1;
    return decode_address(d, decode_operand(d, 1), a) < 0 ? -1 : values(d, decode_operand(d, 0), a, true);
}

/* Decodes [address], value, [barrier]: the bytes are counted at a barrier of the destination CTA. Returns the
 * access of the data, whose `what` and values the caller sets. NULL: an error was reported. */
static struct ptx_access *begin_counted(struct decoder *d, enum ptx_async_what what)
{
    struct ptx_preset bytes = {
        .bits = 32, .special = PTX_SPECIAL_COUNT, .variable = PTX_NONE, .function = PTX_NONE};
    struct ptx_access *a;

    if (!ptx_has(d->i, ".mbarrier::complete_tx::bytes") || !ptx_has(d->i, ".shared::cluster") ||
        d->i->type_count != 1) {
        decode_unsupported(d);
        return NULL;
    }
    bytes.value[0] = (uint64_t)(ptx_type_bits(d->i->types[0]) / 8) * d->i->vector;
    if (decode_count(d, 3, 3) < 0 || !(a = decode_new_access(d)))
        return NULL;
    a->what = (uint8_t)what;
    a->type = PTX_B64;
    a->space = PTX_SPACE_SHARED;
    if (decode_address(d, decode_operand(d, 2), a) < 0 || decode_preset(d, &bytes, &d->op->args.src[1]) < 0)
        return NULL;
    a = begin_access(d, PTX_DO_ASYNC);
    d->op->access--;
    return a && decode_address(d, decode_operand(d, 0), a) == 0 ? a : NULL;
}

int decode_store(struct decoder *d)
{
    struct ptx_access *a;

    if (ptx_has(d->i, ".async"))
        return (a = begin_counted(d, PTX_ASYNC_STORE)) ? values(d, decode_operand(d, 1), a, false) : -1;
    if (decode_count(d, 2, 3) < 0 || !(a = begin_access(d, PTX_DO_STORE)))
        return -1;
    if (decode_address(d, decode_operand(d, 0), a) < 0)
        return -1;
    if (a->space == PTX_SPACE_CONST || a->space == PTX_SPACE_PARAM)
        return decode_fault(d, ERR_MALFORMED, &decode_operand(d, 0)->place, "this memory cannot be written");
    return values(d, decode_operand(d, 1), a, false);
}

/* --- atomics --- */

static int atomic_value(struct decoder *d, uint32_t k, const struct ptx_access *a, uint32_t slot)
{
    enum decode_numbers numbers = a->type == PTX_F32 || a->type == PTX_F64 ? DECODE_FLOATS : DECODE_ANY;
    bool negated;

    return decode_source(d, decode_operand(d, k), a->value_bits, numbers, &d->op->args.src[slot], &negated);
}

/* Does the manual's table list this operation for this type? */
static bool atomic_exists(int what, enum ptx_type t)
{
    uint32_t bits = ptx_type_bits(t);
    bool whole = t == PTX_U32 || t == PTX_S32 || t == PTX_U64 || t == PTX_S64;
    bool half = t == PTX_F16 || t == PTX_F16X2 || t == PTX_BF16 || t == PTX_BF16X2;
    bool raw = t == PTX_B16 || t == PTX_B32 || t == PTX_B64 || t == PTX_B128;

    switch (what) {
    case PTX_ATOM_ADD: return whole || half || t == PTX_F32 || t == PTX_F64;
    case PTX_ATOM_MIN:
    case PTX_ATOM_MAX: return whole || half;
    case PTX_ATOM_INC:
    case PTX_ATOM_DEC: return t == PTX_U32;
    case PTX_ATOM_EXCH: return (raw || whole) && bits >= 32;
    case PTX_ATOM_CAS: return raw || whole;
    default: return (raw || whole) && (bits == 32 || bits == 64);
    }
}

/* {results}, [address], {operands}. The results are the values of a second access, directly after the first. */
static int vector_atomic(struct decoder *d, int what, uint32_t at)
{
    struct ptx_access *a, first, second;
    enum ptx_type type = d->i->type_count == 1 ? d->i->types[0] : PTX_NO_TYPE;
    bool half = type == PTX_F16 || type == PTX_F16X2 || type == PTX_BF16 || type == PTX_BF16X2;

    if ((!half && (type != PTX_F32 || what != PTX_ATOM_ADD)) ||
        (what != PTX_ATOM_ADD && what != PTX_ATOM_MIN && what != PTX_ATOM_MAX) || ptx_has(d->i, ".async") ||
        ptx_type_bits(type) * d->i->vector > 128)
        return decode_unsupported(d);
    if (decode_count(d, at + 2, at + 3) < 0 || !(a = begin_access(d, PTX_DO_ATOMIC)))
        return -1;
    a->what = (uint8_t)what;
    first = *a;
    second = *a;
    if (decode_address(d, decode_operand(d, at), &first) < 0 ||
        values(d, decode_operand(d, at + 1), &first, false) < 0 ||
        (at && values(d, decode_operand(d, 0), &second, true) < 0))
        return -1;
    if (first.value_bits != ptx_type_bits(type) || (at && second.value_bits != first.value_bits))
        return decode_fault(d, ERR_MALFORMED, &d->i->place, "%s%s needs registers of %u bits", d->i->opcode,
                            d->i->suffix, ptx_type_bits(type));
    d->c->accesses[d->op->access] = first;
    if (!(a = decode_new_access(d)))
        return -1;
    *a = second;
    d->op->access--;
    return 0;
}

int decode_atomic_kind(const struct decoder *d)
{
    static const struct decode_word kinds[] = {
        {".add", PTX_ATOM_ADD},   {".min", PTX_ATOM_MIN}, {".max", PTX_ATOM_MAX}, {".inc", PTX_ATOM_INC},
        {".dec", PTX_ATOM_DEC},   {".and", PTX_ATOM_AND}, {".or", PTX_ATOM_OR},   {".xor", PTX_ATOM_XOR},
        {".exch", PTX_ATOM_EXCH}, {".cas", PTX_ATOM_CAS}};

    return WHICH(d, kinds);
}

int decode_atomic(struct decoder *d)
{
    uint32_t at = d->i->opcode[0] == 'a' ? 1 : 0; /* atom has a result before the address */
    int what = decode_atomic_kind(d);
    uint32_t sources = what == PTX_ATOM_CAS ? 2 : 1;
    struct ptx_access *a;

    if (d->i->vector > 1 && what >= 0)
        return vector_atomic(d, what, at);
    if (what < 0 || d->i->type_count != 1 || !atomic_exists(what, d->i->types[0]))
        return decode_unsupported(d);
    if (ptx_has(d->i, ".async")) {
        if (at || !(a = begin_counted(d, PTX_ASYNC_REDUCE)))
            return at ? decode_unsupported(d) : -1;
        a->what = (uint8_t)what;
        a->value_bits = (uint8_t)ptx_row_bits(a->type);
        return atomic_value(d, 1, a, 0);
    }
    if (decode_count(d, at + 1 + sources, at + 2 + sources) < 0 || !(a = begin_access(d, PTX_DO_ATOMIC)))
        return -1;
    a->what = (uint8_t)what;
    a->value_bits = (uint8_t)ptx_row_bits(a->type);
    d->op->args.imm = ptx_has(d->i, ".noftz");
    if (at && decode_result(d, decode_operand(d, 0), a->value_bits, &d->op->args.dst) < 0)
        return -1;
    if (decode_address(d, decode_operand(d, at), a) < 0 || atomic_value(d, at + 1, a, 0) < 0)
        return -1;
    return sources == 2 ? atomic_value(d, at + 2, a, 1) : 0;
}
