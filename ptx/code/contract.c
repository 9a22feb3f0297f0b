/* ptx/code/contract.c: fuses mul and add into fma. An instruction with a rounding modifier is never fused: PTX
 * ISA 9.0, section 9.7.3 ("mul/add sequences with no rounding modifiers may be optimized to use
 * fused-multiply-add"). */
#include "ptx/code/contract.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "ptx/parse/intern.h"
#include "ptx/code/live.h"

enum { MANY = 2 };

struct contractor {
    struct ptx_module *m;
    struct ptx_function *f;
    struct ptx_flow flow;
    uint32_t *value_of; /* first value of each register */
    uint8_t *uses;      /* number of reads of each value: 0, 1 or MANY */
    uint32_t *written;  /* of each value: number of the last search that found a write to it */
    uint32_t search;
    struct err *e;
};

static const struct ptx_operand *operand(const struct contractor *c, const struct ptx_inst *i, uint32_t k)
{
    return &c->f->operands[i->operand_first + k];
}

/* --- which instructions --- */

static bool is_plain(const struct ptx_inst *i, const char *opcode, bool sat)
{
    bool known = !*i->modifiers || strcmp(i->modifiers, ".ftz") == 0 ||
                 (sat && (strcmp(i->modifiers, ".sat") == 0 || strcmp(i->modifiers, ".ftz.sat") == 0));

    if (strcmp(i->opcode, opcode) != 0 || !known || i->type_count != 1 || i->guard != PTX_NONE ||
        i->operand_count != 3)
        return false;
    switch (i->types[0]) {
    case PTX_F32:
    case PTX_F64:
    case PTX_F16:
    case PTX_F16X2:
    case PTX_BF16:
    case PTX_BF16X2: return true;
    default: return false;
    }
}

static bool is_value(const struct contractor *c, const struct ptx_operand *o)
{
    return o->kind == PTX_OP_REG && o->component == PTX_WHOLE && c->f->registers[o->index].vector == 1 &&
           !o->negated;
}

static void count_use(void *ctx, uint32_t value, bool write)
{
    struct contractor *c = ctx;

    if (!write && c->uses[value] < MANY)
        c->uses[value]++;
}

static void note_write(void *ctx, uint32_t value, bool write)
{
    struct contractor *c = ctx;

    if (write)
        c->written[value] = c->search;
}

static bool changed(const struct contractor *c, const struct ptx_operand *o)
{
    return o->kind == PTX_OP_REG && c->written[c->value_of[o->index]] == c->search;
}

/* --- rewriting --- */

static int name_it(struct contractor *c, struct ptx_inst *i, const char *opcode, const char *modifiers)
{
    char suffix[40];

    snprintf(suffix, sizeof suffix, "%s.%s", modifiers, ptx_type_name(i->types[0]));
    i->opcode = intern_add(c->m->texts, opcode, strlen(opcode), c->e);
    i->modifiers = i->opcode ? intern_add(c->m->texts, modifiers, strlen(modifiers), c->e) : NULL;
    i->suffix = i->modifiers ? intern_add(c->m->texts, suffix, strlen(suffix), c->e) : NULL;
    return i->suffix ? 0 : -1;
}

static int give_operands(struct contractor *c, struct ptx_inst *i, const struct ptx_operand *list, uint32_t count)
{
    struct ptx_operand *more = realloc(c->f->operands, (c->f->operand_count + count) * sizeof *more);

    if (!more)
        return err_no_memory(c->e);
    memcpy(more + c->f->operand_count, list, count * sizeof *list);
    c->f->operands = more;
    i->operand_first = c->f->operand_count;
    i->operand_count = count;
    c->f->operand_count += count;
    return 0;
}

/* Fuses `mul` into `add`. Operand `side` (1 or 2) of `add` is the product. */
static int fuse(struct contractor *c, struct ptx_inst *mul, struct ptx_inst *add, uint32_t side)
{
    bool ftz = ptx_has(add, ".ftz"), sat = ptx_has(add, ".sat");
    struct ptx_operand product = *operand(c, mul, 0), four[4] = {*operand(c, add, 0), *operand(c, mul, 1),
                                                                 *operand(c, mul, 2), *operand(c, add, 3 - side)};
    char modifiers[20];

    if (strcmp(add->opcode, "sub") == 0) { /* c - a * b: the mul becomes neg a; a * b - c: it becomes neg c */
        struct ptx_operand two[2] = {product, four[side == 2 ? 1 : 3]};

        if (name_it(c, mul, "neg", "") != 0 || give_operands(c, mul, two, 2) != 0)
            return -1;
        four[side == 2 ? 1 : 3] = product;
    }
    snprintf(modifiers, sizeof modifiers, ".rn%s%s", ftz ? ".ftz" : "", sat ? ".sat" : "");
    return name_it(c, add, "fma", modifiers) != 0 ? -1 : give_operands(c, add, four, 4);
}

/* Returns which operand of `add` (1 or 2) is the product of `mul`. 0: none is, or they cannot be fused. `written`
 * marks the values that change between the two instructions. */
static uint32_t side_of(const struct contractor *c, const struct ptx_inst *mul, const struct ptx_inst *add)
{
    const struct ptx_operand *product = operand(c, mul, 0);
    bool sub = is_plain(add, "sub", true);
    uint32_t side = 0;

    if ((!sub && !is_plain(add, "add", true)) || add->types[0] != mul->types[0] ||
        ptx_has(add, ".ftz") != ptx_has(mul, ".ftz"))
        return 0;
    for (uint32_t k = 1; k < 3; k++)
        if (is_value(c, operand(c, add, k)) && operand(c, add, k)->index == product->index)
            side = k;
    if (!side || changed(c, operand(c, mul, 1)) || changed(c, operand(c, mul, 2)))
        return 0;
    if (!sub)
        return side;
    /* The neg replaces the mul. So its operand must be a register that has its value already at the mul. */
    if (side == 2)
        return is_value(c, operand(c, mul, 1)) ? side : 0;
    return is_value(c, operand(c, add, 2)) && !changed(c, operand(c, add, 2)) ? side : 0;
}

static int contract_at(struct contractor *c, uint32_t at)
{
    struct ptx_inst *mul = &c->f->insts[at];
    const struct ptx_operand *product = operand(c, mul, 0);
    uint32_t value;

    if (!is_plain(mul, "mul", false) || !is_value(c, product))
        return 0;
    value = c->value_of[product->index];
    if (c->uses[value] != 1)
        return 0;
    c->search++;
    for (uint32_t k = at; k + 1 < c->f->inst_count && c->flow.block_of[k + 1] == c->flow.block_of[at]; k++) {
        struct ptx_inst *add = &c->f->insts[k + 1];
        uint32_t side = side_of(c, mul, add);

        if (side)
            return fuse(c, mul, add, side);
        ptx_touched(c->f, c->value_of, add, note_write, c);
        if (c->written[value] == c->search)
            return 0;
    }
    return 0;
}

static int number_values(struct contractor *c)
{
    uint32_t n = 0;

    c->value_of = mem_zalloc(c->f->register_count + 1u, sizeof *c->value_of, c->e);
    for (uint32_t r = 0; c->value_of && r < c->f->register_count; r++, c->value_of[r] = n)
        n += c->f->registers[r].vector;
    c->uses = mem_zalloc(n + 1u, sizeof *c->uses, c->e);
    c->written = c->uses ? mem_zalloc(n + 1u, sizeof *c->written, c->e) : NULL;
    return c->value_of && c->written ? 0 : -1;
}

int ptx_contract(struct ptx_module *m, uint32_t function, struct err *e)
{
    struct contractor c = {.m = m, .f = &m->functions[function], .e = e};
    int ret;

    if (c.f->broken || !c.f->has_body)
        return 0;
    ret = ptx_flow_build(c.f, &c.flow, e) < 0 || number_values(&c) < 0 ? -1 : 0;
    for (uint32_t k = 0; ret == 0 && k < c.f->inst_count; k++)
        ptx_touched(c.f, c.value_of, &c.f->insts[k], count_use, &c);
    for (uint32_t k = 0; ret == 0 && k < c.f->inst_count; k++)
        ret = contract_at(&c, k);
    ptx_flow_release(&c.flow);
    free(c.value_of);
    free(c.uses);
    free(c.written);
    return ret;
}
