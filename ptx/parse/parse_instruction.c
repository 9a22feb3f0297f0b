/* ptx/parse/parse_instruction.c: parses one instruction: its guard, types and modifiers, operands. */
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/strbuf.h"
#include "ptx/parse/parse_internal.h"

static uint8_t vector_of(const struct token *t)
{
    static const uint8_t sizes[] = {2, 4, 8};

    for (size_t i = 0; i < sizeof sizes; i++) {
        char text[] = {'.', 'v', (char)('0' + sizes[i]), '\0'};

        if (token_is(t, text))
            return sizes[i];
    }
    return 0;
}

/* ptxas takes modifiers of arithmetic in any order; the forms have rounding, .ftz, others, .sat. */
static uint32_t place_of(const char *modifier, size_t n)
{
    static const char *const rounding[] = {".rn", ".rz", ".rm", ".rp", ".rna", ".approx", ".full"};

    for (size_t k = 0; k < sizeof rounding / sizeof *rounding; k++)
        if (strlen(rounding[k]) == n && memcmp(rounding[k], modifier, n) == 0)
            return 0;
    if (n == 4 && memcmp(modifier, ".ftz", 4) == 0)
        return 1;
    return n == 4 && memcmp(modifier, ".sat", 4) == 0 ? 3 : 2;
}

static bool has_orders(const char *opcode)
{
    static const char *const opcodes[] = {"add", "sub", "mul", "mad", "fma", "div", "rcp", "sqrt", "rsqrt", "cvt"};

    for (size_t k = 0; k < sizeof opcodes / sizeof *opcodes; k++)
        if (strcmp(opcodes[k], opcode) == 0)
            return true;
    return false;
}

static void in_order(struct strbuf *modifiers)
{
    struct strbuf sorted = STRBUF_INIT;

    for (uint32_t place = 0; place < 4; place++)
        for (size_t at = 0; at < modifiers->length;) {
            const char *m = modifiers->text + at;
            size_t n = 1 + strcspn(m + 1, ".");

            if (place_of(m, n) == place)
                strbuf_add(&sorted, m, n);
            at += n;
        }
    sorted.failed = sorted.failed || modifiers->failed;
    strbuf_release(modifiers);
    *modifiers = sorted;
}

/* Splits .global.nc.v4.u32 into types, vector, and modifiers. */
static int suffix(struct parser *p, struct ptx_inst *i)
{
    struct strbuf all = STRBUF_INIT, rest = STRBUF_INIT;
    int ret = -1;

    i->vector = 1;
    for (; p->x.token.kind == TOKEN_DOTTED; lex_next(&p->x)) {
        const struct token *t = &p->x.token;
        enum ptx_type type = ptx_type_of(t->text + 1, t->n - 1);
        uint8_t vector = vector_of(t);

        strbuf_add(&all, t->text, t->n);
        if (type != PTX_NO_TYPE && i->type_count < PTX_INST_TYPES)
            i->types[i->type_count++] = (uint8_t)type;
        else if (vector)
            i->vector = vector;
        else
            strbuf_add(&rest, t->text, t->n);
    }
    if (rest.length && has_orders(i->opcode))
        in_order(&rest);
    if (all.failed || rest.failed) {
        err_no_memory(p->e);
    } else {
        i->suffix = parse_intern(p, all.text, all.length);
        i->modifiers = i->suffix ? parse_intern(p, rest.text, rest.length) : NULL;
        ret = i->modifiers ? 0 : -1;
    }
    strbuf_release(&all);
    strbuf_release(&rest);
    return ret;
}

/* (a, b) of a call, as a vector */
static int call_list(struct parser *p, struct ptx_operand *out)
{
    size_t first = p->scratch_count;

    *out = (struct ptx_operand){.kind = PTX_OP_VECTOR, .pair = PTX_NONE, .place = p->x.token.place};
    lex_next(&p->x);
    while (!token_is_mark(&p->x.token, ')')) {
        struct ptx_operand one;

        if ((p->scratch_count != first && parse_mark(p, ',') < 0) || parse_operand(p, &one, false) < 0 ||
            parse_push_scratch(p, &one) < 0)
            return -1;
    }
    lex_next(&p->x);
    return parse_take_scratch(p, first, &out->index, &out->count);
}

static int operands(struct parser *p, struct ptx_inst *i)
{
    bool call = strcmp(i->opcode, "call") == 0, branch = strcmp(i->opcode, "bra") == 0;
    size_t first = p->scratch_count;

    while (!token_is_mark(&p->x.token, ';')) {
        struct ptx_operand one;

        if (p->scratch_count != first && parse_mark(p, ',') < 0)
            return -1;
        if (call && token_is_mark(&p->x.token, '(') ? call_list(p, &one) < 0 : parse_operand(p, &one, branch) < 0)
            return -1;
        if (parse_push_scratch(p, &one) < 0)
            return -1;
    }
    lex_next(&p->x);
    return parse_take_scratch(p, first, &i->operand_first, &i->operand_count);
}

int parse_guard(struct parser *p, struct ptx_inst *i)
{
    const struct symbol *s;
    struct ptx_place at;
    const char *name;

    i->guard_negated = parse_try_mark(p, '!');
    at = p->x.token.place;
    name = parse_name(p, "a predicate");
    s = name ? parse_find(p, name) : NULL;
    if (!name)
        return -1;
    if (!s || s->kind != SYMBOL_REG || parse_function_now(p)->registers[s->index].type != PTX_PRED)
        return parse_fault(p, &at, "`%s` is not a predicate register", name);
    i->guard = s->index;
    return 0;
}

static int push_inst(struct parser *p, const struct ptx_inst *i)
{
    struct ptx_function *f = parse_function_now(p);

    if (array_reserve((void **)&f->insts, &p->body.inst_capacity, f->inst_count + 1u, sizeof *f->insts, p->e) < 0)
        return -1;
    f->insts[f->inst_count++] = *i;
    return 0;
}

/* Returns true if the first operand is a destination, as it is in most instructions. */
static bool writes_first(const struct ptx_inst *i)
{
    bool barrier = strcmp(i->opcode, "bar") == 0 || strcmp(i->opcode, "barrier") == 0;

    return strcmp(i->opcode, "nanosleep") != 0 && (!barrier || ptx_has(i, ".red"));
}

/* An instruction without operands at the place of another. Out of memory: a name in it is NULL. */
static struct ptx_inst added(struct parser *p, const struct ptx_inst *by, const char *opcode, enum ptx_type type)
{
    char suffix[8];

    snprintf(suffix, sizeof suffix, ".%s", ptx_type_name(type));
    return (struct ptx_inst){.opcode = parse_intern(p, opcode, strlen(opcode)),
                             .suffix = parse_intern(p, suffix, strlen(suffix)),
                             .modifiers = parse_intern(p, "", 0),
                             .types = {(uint8_t)type},
                             .type_count = 1,
                             .vector = 1,
                             .guard = PTX_NONE,
                             .place = by->place,
                             .loc_file = by->loc_file,
                             .loc_line = by->loc_line};
}

static int new_register(struct parser *p, const char *what, enum ptx_type type, uint32_t *index)
{
    char text[40];
    const char *name;

    snprintf(text, sizeof text, "%%%s_%u", what, parse_function_now(p)->register_count);
    name = parse_intern(p, text, strlen(text));
    return name ? parse_add_register(p, name, type, 1, index) : -1;
}

/* Adds a mov of a clock to a new register, which replaces the clock as operand k of the function. */
static int read_clock(struct parser *p, const struct ptx_inst *by, uint32_t k)
{
    struct ptx_operand clock = parse_function_now(p)->operands[k], to = {.kind = PTX_OP_REG, .pair = PTX_NONE};
    bool wide = clock.index == PTX_SREG_CLOCK64 || clock.index == PTX_SREG_GLOBALTIMER;
    struct ptx_inst i = added(p, by, "mov", wide ? PTX_U64 : PTX_U32);
    size_t first = p->scratch_count;

    to.place = clock.place;
    if (!i.opcode || !i.suffix || !i.modifiers || new_register(p, "clock_read", i.types[0], &to.index) < 0 ||
        parse_push_scratch(p, &to) < 0 || parse_push_scratch(p, &clock) < 0 ||
        parse_take_scratch(p, first, &i.operand_first, &i.operand_count) < 0)
        return -1;
    parse_function_now(p)->operands[k] = to;
    return push_inst(p, &i);
}

/* Processes the clocks in operand k of the function and in its nested operands. `written`: the operand is a
 * destination. Operands in brackets are always read. */
static int read_clocks(struct parser *p, const struct ptx_inst *by, uint32_t k, bool written)
{
    struct ptx_operand o = parse_function_now(p)->operands[k];

    if (ptx_is_clock(&o))
        return written ? 0 : read_clock(p, by, k);
    if (o.kind != PTX_OP_VECTOR && o.kind != PTX_OP_ADDRESS)
        return 0;
    for (uint32_t m = 0; m < o.count; m++)
        if (read_clocks(p, by, o.index + m, written && o.kind == PTX_OP_VECTOR) < 0)
            return -1;
    return 0;
}

/* Adds `add new, register, number`. The new register replaces operand k of the function, which is register +
 * number. */
static int add_number(struct parser *p, const struct ptx_inst *by, uint32_t k)
{
    struct ptx_operand sum = parse_function_now(p)->operands[k];
    struct ptx_register r = parse_function_now(p)->registers[sum.index];
    struct ptx_operand to = {.kind = PTX_OP_REG, .pair = PTX_NONE, .place = sum.place},
                       number = {.kind = PTX_OP_IMMEDIATE,
                                 .pair = PTX_NONE,
                                 .bits = (uint64_t)sum.offset,
                                 .place = sum.place};
    uint32_t bits = ptx_type_bits(r.type);
    enum ptx_type type = bits == 16 ? PTX_U16 : bits == 64 ? PTX_U64 : PTX_U32;
    struct ptx_inst i = added(p, by, "add", type);
    size_t first = p->scratch_count;

    if (r.type == PTX_PRED || r.type == PTX_F32 || r.type == PTX_F64 || bits < 16 || bits > 64)
        return parse_fault(p, &sum.place, "only an integer register can have a number added to it");
    sum.offset = 0;
    if (!i.opcode || !i.suffix || !i.modifiers || new_register(p, "sum", type, &to.index) < 0 ||
        parse_push_scratch(p, &to) < 0 || parse_push_scratch(p, &sum) < 0 || parse_push_scratch(p, &number) < 0 ||
        parse_take_scratch(p, first, &i.operand_first, &i.operand_count) < 0)
        return -1;
    parse_function_now(p)->operands[k] = to;
    return push_inst(p, &i);
}

/* %r+4 as a source: ptxas adds before the instruction. */
static int add_numbers(struct parser *p, const struct ptx_inst *by, uint32_t k, bool written)
{
    struct ptx_operand o = parse_function_now(p)->operands[k];

    if (o.kind == PTX_OP_REG && o.offset)
        return written ? parse_fault(p, &o.place, "a result is a register alone") : add_number(p, by, k);
    if (o.kind != PTX_OP_VECTOR && o.kind != PTX_OP_ADDRESS)
        return 0;
    for (uint32_t m = o.kind == PTX_OP_ADDRESS; m < o.count; m++) /* the first of an address keeps its offset */
        if (add_numbers(p, by, o.index + m, written && o.kind == PTX_OP_VECTOR) < 0)
            return -1;
    return 0;
}

/* Replaces operand k of the function, a whole vector register that the mov moves, packs or unpacks, by the list of
 * its components. */
static int name_components(struct parser *p, const struct ptx_inst *i, uint32_t k)
{
    struct ptx_operand o = parse_function_now(p)->operands[k];
    const struct ptx_register *r = o.kind == PTX_OP_REG ? &parse_function_now(p)->registers[o.index] : NULL;
    uint8_t vector = r ? r->vector : 1;
    bool packs = r && i->type_count == 1 && ptx_type_bits(i->types[0]) == vector * ptx_type_bits(r->type);
    struct ptx_operand list = {.kind = PTX_OP_VECTOR, .pair = PTX_NONE, .place = o.place};
    size_t first = p->scratch_count;

    if (vector < 2 || vector > 4 || o.component != PTX_WHOLE || (i->vector != vector && !packs))
        return 0;
    for (uint8_t c = 0; c < vector; c++) {
        o.component = (uint8_t)(PTX_X + c);
        if (parse_push_scratch(p, &o) < 0)
            return -1;
    }
    if (parse_take_scratch(p, first, &list.index, &list.count) < 0)
        return -1;
    parse_function_now(p)->operands[k] = list;
    return 0;
}

/* Replaces operand k of the function, array[3], by an address. */
static int put_in_brackets(struct parser *p, uint32_t k)
{
    struct ptx_operand o = parse_function_now(p)->operands[k];
    struct ptx_operand address = {.kind = PTX_OP_ADDRESS, .pair = PTX_NONE, .place = o.place, .offset = o.offset};
    size_t first = p->scratch_count;

    if (o.kind != PTX_OP_VARIABLE || !o.element)
        return 0;
    if (parse_push_scratch(p, &o) < 0 || parse_take_scratch(p, first, &address.index, &address.count) < 0)
        return -1;
    parse_function_now(p)->operands[k] = address;
    return 0;
}

/* Spellings that the forms do not have. */
static int spell_out(struct parser *p, const struct ptx_inst *i)
{
    static const char *const accesses[] = {"ld", "ldu", "st", "atom", "red"};
    bool access = false, first = writes_first(i);

    for (size_t k = 0; k < sizeof accesses / sizeof *accesses; k++)
        access = access || strcmp(i->opcode, accesses[k]) == 0;
    for (uint32_t k = i->operand_first; k < i->operand_first + i->operand_count; k++)
        if ((strcmp(i->opcode, "mov") == 0 && name_components(p, i, k) < 0) ||
            (access && put_in_brackets(p, k) < 0) || add_numbers(p, i, k, k == i->operand_first && first) < 0)
            return -1;
    return 0;
}

/* A mov of one value that is a clock. */
static bool reads_clock_itself(struct parser *p, const struct ptx_inst *i)
{
    return strcmp(i->opcode, "mov") == 0 && i->operand_count == 2 &&
           parse_function_now(p)->operands[i->operand_first].kind != PTX_OP_VECTOR &&
           ptx_is_clock(&parse_function_now(p)->operands[i->operand_first + 1]);
}

/* Only mov reads a clock. Before any other instruction that reads a clock, a mov is inserted. A clock as a
 * destination stays, and decoding reports the error. */
int parse_instruction(struct parser *p, struct ptx_inst *i)
{
    i->loc_file = p->body.loc_file;
    i->loc_line = p->body.loc_line;
    i->nounroll = p->body.nounroll;
    p->body.nounroll = false;
    if (suffix(p, i) < 0 || operands(p, i) < 0 || spell_out(p, i) < 0)
        return -1;
    for (uint32_t k = 0; k < i->operand_count && !reads_clock_itself(p, i); k++)
        if (read_clocks(p, i, i->operand_first + k, k == 0 && writes_first(i)) < 0)
            return -1;
    return push_inst(p, i);
}
