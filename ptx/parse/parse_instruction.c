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
        return parse_fault(p, &at, "`%s` is no predicate register", name);
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

/* Adds a mov of a clock to a new register, which replaces the clock as operand k of the function. */
static int read_clock(struct parser *p, const struct ptx_inst *by, uint32_t k)
{
    struct ptx_operand clock = parse_function_now(p)->operands[k], to = {.kind = PTX_OP_REG, .pair = PTX_NONE};
    bool wide = clock.index == PTX_SREG_CLOCK64 || clock.index == PTX_SREG_GLOBALTIMER;
    struct ptx_inst i = {.opcode = parse_intern(p, "mov", 3),
                         .suffix = wide ? parse_intern(p, ".u64", 4) : parse_intern(p, ".u32", 4),
                         .modifiers = parse_intern(p, "", 0),
                         .types = {wide ? PTX_U64 : PTX_U32},
                         .type_count = 1,
                         .vector = 1,
                         .guard = PTX_NONE,
                         .place = by->place,
                         .loc_file = by->loc_file,
                         .loc_line = by->loc_line};
    size_t first = p->scratch_count;
    char text[40];
    const char *name;

    snprintf(text, sizeof text, "%%clock_read_%u", parse_function_now(p)->register_count);
    name = parse_intern(p, text, strlen(text));
    to.place = clock.place;
    if (!i.opcode || !i.suffix || !i.modifiers || !name ||
        parse_add_register(p, name, i.types[0], 1, &to.index) < 0 || parse_push_scratch(p, &to) < 0 ||
        parse_push_scratch(p, &clock) < 0 || parse_take_scratch(p, first, &i.operand_first, &i.operand_count) < 0)
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

/* Returns true if the first operand is a destination, as it is in most instructions. */
static bool writes_first(const struct ptx_inst *i)
{
    bool barrier = strcmp(i->opcode, "bar") == 0 || strcmp(i->opcode, "barrier") == 0;

    return strcmp(i->opcode, "nanosleep") != 0 && (!barrier || ptx_has(i, ".red"));
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
    if (suffix(p, i) < 0 || operands(p, i) < 0)
        return -1;
    for (uint32_t k = 0; k < i->operand_count && !reads_clock_itself(p, i); k++)
        if (read_clocks(p, i, i->operand_first + k, k == 0 && writes_first(i)) < 0)
            return -1;
    return push_inst(p, i);
}
