/* ptx/lower/lower_address.c: finds addresses that are a register plus a constant, or that are known when the
 * program is loaded. */
#include <string.h>

#include "ptx/code/actions.h"
#include "ptx/lower/lowering.h"

/* The source of a mov whose result is this register; else the operand itself. */
static const struct ptx_operand *source_of(const struct lowering *w, const struct ptx_operand *o)
{
    uint32_t v = lower_register_of(w, o);

    while (lower_is_single(w, v) && w->values[v].defs == 1 &&
           strcmp(w->f->insts[w->values[v].def].opcode, "mov") == 0) {
        o = lower_operand(w, w->values[v].def, 1);
        v = lower_register_of(w, o);
    }
    return o;
}

bool lower_constant(const struct lowering *w, const struct ptx_operand *o, int64_t *out)
{
    o = source_of(w, o);
    if (o->kind == PTX_OP_IMMEDIATE && !o->is_float) {
        *out = (int64_t)o->bits;
        return true;
    }
    if (o->kind != PTX_OP_VARIABLE || !w->f->entry || w->code->shared_offset[o->index] == PTX_NONE)
        return false;
    *out = (int64_t)w->code->shared_offset[o->index] + o->offset;
    return true;
}

const struct ptx_machine_form *lower_form(const struct lowering *w, uint32_t op)
{
    const struct ptx_inst *i = &w->f->insts[op];
    int64_t number;

    return ptx_machine_form(i, i->operand_count > 2 &&
                                   lower_constant(w, lower_operand(w, op, i->operand_count - 1), &number));
}

static bool is_static(const struct lowering *w, const struct ptx_operand *o)
{
    uint32_t v = lower_register_of(w, o);

    return source_of(w, o)->kind == PTX_OP_VARIABLE || (v != VALUE_NONE && w->values[v].is_static);
}

/* d = a + a constant. */
static void add_constant(struct lowering *w, uint32_t d, const struct ptx_operand *a, int64_t offset)
{
    uint32_t v = lower_register_of(w, a);
    int64_t number;

    if (lower_constant(w, a, &number)) {
        w->values[d].address = (struct part){VALUE_NONE, 0, 0};
        offset += number;
    } else if (lower_is_single(w, v)) {
        w->values[d].address = w->values[v].address.words ? w->values[v].address : lower_resolve(w, v);
        offset += w->values[v].offset;
    } else {
        return;
    }
    w->values[d].is_static = is_static(w, a);
    w->values[d].offset = offset;
    w->values[d].address.words = w->values[d].words; /* also if it is a constant without a register */
}

void lower_find_addresses(struct lowering *w)
{
    for (uint32_t op = 0; op < w->code->op_count; op++) {
        const struct ptx_inst *i = &w->f->insts[op];
        const struct ptx_operand *a = lower_operand(w, op, 1), *b = lower_operand(w, op, 2);
        uint32_t d = lower_register_of(w, lower_operand(w, op, 0));
        int64_t number;

        if (!lower_is_single(w, d) || w->code->ops[op].action != PTX_DO_FORM)
            continue;
        if (strcmp(i->opcode, "mov") == 0 && a && lower_constant(w, a, &number)) {
            add_constant(w, d, a, 0);
            continue;
        }
        if (strcmp(i->opcode, "add") != 0 || i->modifiers[0] || i->types[0] >= PTX_F16 || !b || w->values[d].copied)
            continue;
        if (lower_constant(w, b, &number))
            add_constant(w, d, a, number);
        else if (lower_constant(w, a, &number))
            add_constant(w, d, b, number);
    }
}

void lower_settle_addresses(struct lowering *w)
{
    for (size_t v = 0; v < w->value_count; v++) {
        struct part *p = &w->values[v].address;
        uint8_t words = p->words;

        if (!words || p->value == VALUE_NONE)
            continue;
        if (w->values[p->value].copied)
            *p = lower_resolve(w, p->value);
        p->words = words;
    }
}

bool lower_place_of(const struct lowering *w, uint32_t op, struct lower_place *out)
{
    const struct ptx_inst *i = &w->f->insts[op];

    for (uint32_t k = 0; k < i->operand_count; k++) {
        const struct ptx_operand *x = lower_operand(w, op, k), *base;
        uint32_t v;

        if (x->kind != PTX_OP_ADDRESS)
            continue;
        base = &w->f->operands[x->index];
        *out = (struct lower_place){{VALUE_NONE, 0, 0}, x->offset};
        v = lower_register_of(w, base);
        if (v == VALUE_NONE) {
            int64_t number;

            if (!lower_constant(w, base, &number))
                return false;
            out->offset += number;
            return true;
        }
        out->base = w->values[v].address.words ? w->values[v].address : lower_resolve(w, v);
        out->offset += w->values[v].offset;
        return out->base.value != VALUE_NONE || w->values[v].address.words;
    }
    return false;
}

bool lower_is_address(const struct lowering *w, uint32_t op, uint32_t value)
{
    const struct ptx_op *o = &w->code->ops[op];
    const struct ptx_inst *i = &w->f->insts[op];

    if (o->action != PTX_DO_LOAD && o->action != PTX_DO_STORE && o->action != PTX_DO_ATOMIC)
        return false;
    for (uint32_t k = 0; k < i->operand_count; k++) {
        const struct ptx_operand *x = lower_operand(w, op, k);

        if (x->kind == PTX_OP_ADDRESS && lower_register_of(w, &w->f->operands[x->index]) == value)
            return w->values[value].address.words != 0;
    }
    return false;
}

void lower_fold_constants(struct lowering *w)
{
    for (uint32_t op = 0; op < w->code->op_count; op++) {
        const struct ptx_op *o = &w->code->ops[op];
        const struct ptx_operand *x = lower_operand(w, op, 1);
        struct touches t;
        uint32_t k;

        if (o->action != PTX_DO_LOAD || o->guarded || w->fate[op] != OP_STAYS ||
            w->code->accesses[o->access].space != PTX_SPACE_CONST || !x || x->kind != PTX_OP_ADDRESS ||
            !is_static(w, &w->f->operands[x->index]))
            continue;
        lower_touches(w, op, &t);
        for (k = 0; k < t.write_count && lower_is_single(w, t.writes[k]); k++)
            ;
        if (k < t.write_count)
            continue;
        for (k = 0; k < t.write_count; k++)
            lower_copy_of(w, op, t.writes[k], (struct part){VALUE_NONE, 0, 0});
    }
}
