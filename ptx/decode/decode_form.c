/* ptx/decode/decode_form.c: instructions in which no lane depends on another: forms and moves. */
#include <stdio.h>
#include <string.h>

#include "ptx/decode/decode_handlers.h"
#include "ptx/decode/decode_internal.h"
#include "ptx/memory/device_memory.h"

/* --- a form and its operands --- */

/* The kinds of numbers that are allowed for an operand of the instruction's only type. */
static enum decode_numbers numbers_of(const struct ptx_inst *i, uint32_t bits)
{
    if (i->type_count != 1 || ptx_type_bits(i->types[0]) != bits)
        return DECODE_ANY;
    switch (i->types[0]) {
    case PTX_F32:
    case PTX_F64: return DECODE_FLOATS;
    case PTX_U32:
    case PTX_S32:
    case PTX_U64:
    case PTX_S64: return DECODE_INTEGERS;
    default: return DECODE_ANY;
    }
}

static int form_source(struct decoder *d, const struct ptx_operand *o, uint32_t bits, uint32_t slot)
{
    bool negated;

    if (decode_source(d, o, bits, numbers_of(d->i, bits), &d->op->args.src[slot], &negated) < 0)
        return -1;
    d->op->args.negate |= (uint8_t)(negated << slot);
    return 0;
}

static int form_immediate(struct decoder *d, uint32_t k)
{
    uint64_t value;

    if (decode_integer(d, k, &value) < 0)
        return -1;
    d->op->args.imm = (uint32_t)value;
    return 0;
}

static int form_sources(struct decoder *d, const struct ptx_form *form, uint32_t k)
{
    for (uint32_t s = 0; s < PTX_SOURCES_MAX; s++) {
        if (s == PTX_SOURCES_MAX - 1 && form->has_imm && form_immediate(d, k++) < 0)
            return -1;
        if (!form->src_bits[s])
            continue;
        if (k >= d->i->operand_count)
            return decode_fault(d, ERR_MALFORMED, &d->i->place, "%s%s needs more operands", d->i->opcode,
                                d->i->suffix);
        if (form_source(d, decode_operand(d, k++), form->src_bits[s], s) < 0)
            return -1;
    }
    return decode_count(d, k, k);
}

static void use_form(struct decoder *d, const struct ptx_form *form)
{
    d->op->action = PTX_DO_FORM;
    d->op->full = form->full;
    d->op->part = form->part;
    d->op->args.imm = form->imm;
}

int decode_one_result(struct decoder *d, const struct ptx_operand *o, uint32_t bits)
{
    if (o->pair != PTX_NONE)
        return decode_fault(d, ERR_MALFORMED, &o->place, "%s%s must have one result", d->i->opcode, d->i->suffix);
    if (o->kind == PTX_OP_SINK)
        return decode_fault(d, ERR_MALFORMED, &o->place, "%s%s: the result cannot be left out", d->i->opcode,
                            d->i->suffix);
    return decode_result(d, o, bits, &d->op->args.dst);
}

static int form_results(struct decoder *d, const struct ptx_form *form)
{
    const struct ptx_operand *o;

    if (decode_count(d, 1, 8) < 0)
        return -1;
    o = decode_operand(d, 0);
    if (!form->dst2_bits)
        return decode_one_result(d, o, form->dst_bits);
    if (decode_result(d, o, form->dst_bits, &d->op->args.dst) < 0)
        return -1;
    if (decode_pair(d, 0, form->dst2_bits, &d->op->args.dst2) < 0)
        return -1;
    if (d->op->args.dst == PTX_NO_ROW) /* _|%q: the result goes to a row that no instruction reads */
        return decode_new_row(d, form->dst_bits, &d->op->args.dst);
    return 0;
}

const struct ptx_form *decode_form_of(const struct decoder *d)
{
    char name[160];

    return ptx_form_name(d->i, name, sizeof name) ? ptx_form_find(name) : NULL;
}

static int as_form(struct decoder *d, const struct ptx_form *form)
{
    if (!form)
        return decode_unsupported(d);
    use_form(d, form);
    return form_results(d, form) < 0 ? -1 : form_sources(d, form, 1);
}

int decode_form(struct decoder *d)
{
    return as_form(d, decode_form_of(d));
}

/* --- conversions --- */

static uint32_t class_of(uint32_t bits)
{
    return bits == 16 ? 0 : bits == 32 ? 1 : 2;
}

static int scratch(struct decoder *d, uint32_t which, uint32_t bits, uint16_t *row)
{
    uint16_t *kept = &d->scratch[which][class_of(bits)];

    if (*kept == PTX_NO_ROW && decode_new_row(d, bits, kept) < 0)
        return -1;
    *row = *kept;
    return 0;
}

static uint32_t number_of(const struct ptx_form *form)
{
    size_t n, low = 0, high;
    const struct ptx_form *const *forms = ptx_forms(&n);

    for (high = n; low < high;) {
        size_t middle = (low + high) / 2;
        int order = strcmp(form->name, forms[middle]->name);

        if (order == 0)
            return (uint32_t)middle;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return PTX_NONE;
}

static bool is_signed(enum ptx_type t)
{
    return t == PTX_S8 || t == PTX_S16 || t == PTX_S32 || t == PTX_S64;
}

/* cvt with registers wider than its types: it reads the low bits of the source, and extends the result by its
 * type. */
static int resized(struct decoder *d, const struct ptx_form *form)
{
    struct ptx_form_args *a = &d->op->args;
    uint32_t result = form->dst_bits, source = form->src_bits[0];
    struct decode_resized how = {.form = number_of(form), .is_signed = is_signed(d->i->types[0])};

    if (form->dst_bits < 16 || source < 16 || form->src_bits[1] || how.form > UINT16_MAX)
        return decode_unsupported(d);
    if (decode_operand(d, 0)->kind == PTX_OP_REG && decode_register(d, decode_operand(d, 0), &a->dst, &result) < 0)
        return -1;
    if (decode_operand(d, 1)->kind == PTX_OP_REG &&
        decode_register(d, decode_operand(d, 1), &a->src[0], &source) < 0)
        return -1;
    if (result < form->dst_bits || source < form->src_bits[0] || result > 64 || source > 64)
        return as_form(d, form); /* a register is too narrow: as_form() reports it */
    if (decode_result(d, decode_operand(d, 0), result, &a->dst) < 0 ||
        form_source(d, decode_operand(d, 1), source, 0) < 0 || scratch(d, 0, form->src_bits[0], &a->src[1]) < 0 ||
        scratch(d, 1, form->dst_bits, &a->src[2]) < 0)
        return -1;
    how.source = (uint8_t)class_of(source);
    how.narrow_source = (uint8_t)class_of(form->src_bits[0]);
    how.result = (uint8_t)class_of(result);
    how.narrow_result = (uint8_t)class_of(form->dst_bits);
    d->op->action = PTX_DO_FORM;
    d->op->full = d->op->part = decode_do_resized;
    a->imm = decode_resized_imm(how);
    return 0;
}

static bool wider(const struct decoder *d, const struct ptx_operand *o, uint32_t bits)
{
    return o->kind == PTX_OP_REG && ptx_row_bits(d->f->registers[o->index].type) > bits;
}

int decode_cvt(struct decoder *d)
{
    const struct ptx_form *form = decode_form_of(d);

    if (!form || d->i->operand_count != 2)
        return as_form(d, form);
    if (wider(d, decode_operand(d, 0), form->dst_bits) || wider(d, decode_operand(d, 1), form->src_bits[0]))
        return resized(d, form);
    return as_form(d, form);
}

/* --- moves --- */

/* mov.u32 %r, %clock: reads the clock when it is executed */
static int clock_of(struct decoder *d, const struct ptx_operand *o)
{
    bool wide = o->index == PTX_SREG_CLOCK64 || o->index == PTX_SREG_GLOBALTIMER;

    if (d->i->type_count != 1 || ptx_type_bits(d->i->types[0]) != (wide ? 64 : 32))
        return decode_fault(d, ERR_MALFORMED, &o->place, "this special register has %d bits", wide ? 64 : 32);
    if (o->negated || o->component != PTX_WHOLE)
        return decode_fault(d, ERR_MALFORMED, &o->place, "a clock cannot be negated, and it has no components");
    d->op->action = PTX_DO_SPECIAL;
    d->op->args.imm = o->index;
    return decode_result(d, decode_operand(d, 0), wide ? 64 : 32, &d->op->args.dst);
}

/* The form of a move of vectors: "pack.b64.b32", see forms.h. */
static const struct ptx_form *vector_form(const struct decoder *d, const char *what, uint32_t pieces)
{
    char name[40];
    uint32_t bits = d->i->type_count == 1 ? ptx_type_bits(d->i->types[0]) : 0;

    if (what[0] != 'p' || what[2] != 'i') /* the name of a pair form has only one width */
        snprintf(name, sizeof name, "%s.b%u.b%u", what, bits, bits / pieces);
    else
        snprintf(name, sizeof name, "%s.b%u", what, bits);
    return ptx_form_find(name);
}

static int pack(struct decoder *d, const struct ptx_operand *from)
{
    const struct ptx_form *form = vector_form(d, "pack", from->count);

    if (!form || from->count > PTX_SOURCES_MAX)
        return decode_unsupported(d);
    use_form(d, form);
    if (form_results(d, form) < 0)
        return -1;
    for (uint32_t k = 0; k < from->count; k++)
        if (form_source(d, &d->f->operands[from->index + k], form->src_bits[k], k) < 0)
            return -1;
    return 0;
}

static int unpack(struct decoder *d, const struct ptx_operand *to)
{
    const struct ptx_form *form = vector_form(d, "unpack", to->count);
    struct ptx_form_args *a = &d->op->args;
    uint16_t *const pieces[] = {&a->dst, &a->dst2, &a->src[1], &a->src[2]};

    if (!form || to->count > 4)
        return decode_unsupported(d);
    use_form(d, form);
    for (uint32_t k = 0; k < to->count; k++)
        if (decode_result(d, &d->f->operands[to->index + k], form->dst_bits, pieces[k]) < 0)
            return -1;
    return form_source(d, decode_operand(d, 1), form->src_bits[0], 0);
}

static int pair(struct decoder *d, const struct ptx_operand *to, const struct ptx_operand *from)
{
    const struct ptx_form *form = d->i->vector == 2 ? vector_form(d, "pair", 1) : NULL;
    struct ptx_form_args *a = &d->op->args;

    if (!form || to->count != 2 || from->count != 2)
        return decode_unsupported(d);
    use_form(d, form);
    if (decode_result(d, &d->f->operands[to->index], form->dst_bits, &a->dst) < 0 ||
        decode_result(d, &d->f->operands[to->index + 1], form->dst_bits, &a->dst2) < 0)
        return -1;
    for (uint32_t k = 0; k < 2; k++)
        if (form_source(d, &d->f->operands[from->index + k], form->src_bits[k], k) < 0)
            return -1;
    return 0;
}

/* mov.v4.u32 {a,b,c,d}, from %tid or from another vector of 32-bit values. args.imm contains the rows of c and
 * d. */
static int quad(struct decoder *d, const struct ptx_operand *to, const struct ptx_operand *from)
{
    struct ptx_form_args *a = &d->op->args;
    uint16_t places[4];

    if (d->i->vector != 4 || to->count != 4 || d->i->type_count != 1 || ptx_type_bits(d->i->types[0]) != 32)
        return decode_unsupported(d);
    for (uint32_t k = 0; k < 4; k++) {
        struct ptx_operand one = from->kind == PTX_OP_VECTOR ? d->f->operands[from->index + k] : *from;

        if (from->kind == PTX_OP_SPECIAL)
            one.component = (uint8_t)(PTX_X + k);
        if (decode_result(d, &d->f->operands[to->index + k], 32, &places[k]) < 0 || form_source(d, &one, 32, k) < 0)
            return -1;
    }
    a->dst = places[0];
    a->dst2 = places[1];
    a->imm = places[2] | (uint32_t)places[3] << 16;
    d->op->action = PTX_DO_FORM;
    d->op->full = d->op->part = decode_do_quad;
    return 0;
}

int decode_mov(struct decoder *d)
{
    const struct ptx_operand *to, *from;

    if (decode_count(d, 2, 2) < 0)
        return -1;
    to = decode_operand(d, 0);
    from = decode_operand(d, 1);
    if (ptx_is_clock(from))
        return clock_of(d, from);
    if (to->kind == PTX_OP_VECTOR && d->i->vector == 4 &&
        (from->kind == PTX_OP_SPECIAL || from->kind == PTX_OP_VECTOR))
        return from->kind == PTX_OP_VECTOR && from->count != 4 ? decode_unsupported(d) : quad(d, to, from);
    if (to->kind == PTX_OP_VECTOR)
        return from->kind == PTX_OP_VECTOR ? pair(d, to, from) : unpack(d, to);
    return from->kind == PTX_OP_VECTOR ? pack(d, from) : decode_form(d);
}

/* --- address spaces --- */

/* Addresses of global and constant memory are generic addresses. The other spaces have a window. */
static uint64_t window_of(uint8_t space)
{
    switch (space) {
    case PTX_SPACE_SHARED: return PTX_SHARED_BASE;
    case PTX_SPACE_LOCAL: return PTX_LOCAL_BASE;
    case PTX_SPACE_PARAM: return PTX_PARAM_BASE;
    default: return 0;
    }
}

int decode_cvta(struct decoder *d)
{
    struct ptx_preset base = {.bits = 64, .special = PTX_SPECIAL_COUNT, .variable = PTX_NONE, .function = PTX_NONE};
    const struct ptx_form *form;
    uint8_t space;

    if (decode_count(d, 2, 2) < 0 || decode_space(d, &space) < 0)
        return -1;
    if (d->i->type_count != 1 || ptx_type_bits(d->i->types[0]) != 64)
        return decode_unsupported(d);
    base.value[0] = window_of(space);
    form = ptx_form_find(!base.value[0] ? "mov.b64" : ptx_has(d->i, ".to") ? "sub.s64" : "add.s64");
    if (!form)
        return decode_unsupported(d);
    use_form(d, form);
    if (form_results(d, form) < 0 || form_source(d, decode_operand(d, 1), 64, 0) < 0)
        return -1;
    return base.value[0] ? decode_preset(d, &base, &d->op->args.src[1]) : 0;
}

int decode_isspacep(struct decoder *d)
{
    uint8_t space;

    if (decode_count(d, 2, 2) < 0 || decode_space(d, &space) < 0)
        return -1;
    d->op->action = PTX_DO_FORM;
    d->op->full = d->op->part = decode_do_isspacep;
    d->op->args.imm = space;
    if (decode_result(d, decode_operand(d, 0), 1, &d->op->args.dst) < 0)
        return -1;
    return form_source(d, decode_operand(d, 1), 64, 0);
}
