/* ptx/lower/lower_atomic.c: atomics whose lanes ptxas combines.
 *
 * Source of the rules: atomics and reductions with each kind of address and operand, compiled by ptxas 13.0 for
 * sm_75, sm_86 and sm_90. */
#include "ptx/code/actions.h"
#include "ptx/lower/lowering.h"

bool lower_is_unread(const struct lowering *w, uint32_t op)
{
    struct touches t;

    lower_touches(w, op, &t);
    for (uint32_t k = 0; k < t.write_count; k++) {
        struct part p = lower_resolve(w, t.writes[k]);

        if (p.value != VALUE_NONE && w->values[p.value].uses)
            return false;
    }
    return true;
}

bool lower_is_by_one(const struct lowering *w, uint32_t op)
{
    const struct ptx_operand *last = lower_operand(w, op, w->f->insts[op].operand_count - 1u);
    int64_t number;

    return last && lower_constant(w, last, &number) && number == 1;
}

/* Returns true if all lanes have the same value of this operand: a register, a variable's address, or a constant.
 */
static bool is_uniform(const struct lowering *w, const struct ptx_operand *o)
{
    uint32_t v = lower_register_of(w, o);
    int64_t number;

    if (v != VALUE_NONE)
        return !w->divergent[v];
    return o->kind == PTX_OP_VARIABLE || lower_constant(w, o, &number);
}

static bool has_one_address(const struct lowering *w, uint32_t op)
{
    const struct ptx_inst *i = &w->f->insts[op];

    for (uint32_t k = 0; k < i->operand_count; k++) {
        const struct ptx_operand *x = lower_operand(w, op, k);

        if (x->kind == PTX_OP_ADDRESS)
            return is_uniform(w, &w->f->operands[x->index]);
    }
    return false;
}

enum ptx_aggregation lower_aggregation(const struct lowering *w, uint32_t op)
{
    const struct ptx_op *o = &w->code->ops[op];
    const struct ptx_access *a = o->access < w->code->access_count ? &w->code->accesses[o->access] : NULL;
    uint32_t bits = a ? ptx_type_bits((enum ptx_type)a->type) : 0;
    bool adds, unread;

    if (o->action != PTX_DO_ATOMIC || a->vector != 1 || a->type >= PTX_F16 || (bits != 32 && bits != 64) ||
        !has_one_address(w, op))
        return PTX_AGGREGATES_NOT;
    adds = a->what == PTX_ATOM_ADD;
    unread = lower_is_unread(w, op);
    if (adds && is_uniform(w, lower_operand(w, op, w->f->insts[op].operand_count - 1u))) {
        bool counts_itself =
            a->space == PTX_SPACE_SHARED && w->table->arch >= 80 && unread && lower_is_by_one(w, op);

        return counts_itself ? PTX_AGGREGATES_NOT : PTX_AGGREGATES_COUNTED; /* ATOMS.POPC.INC */
    }
    if (bits != 32 ||
        !(adds || (unread && (a->what == PTX_ATOM_MIN || a->what == PTX_ATOM_MAX || a->what == PTX_ATOM_AND ||
                              a->what == PTX_ATOM_OR || a->what == PTX_ATOM_XOR))))
        return PTX_AGGREGATES_NOT;
    return unread && w->table->arch >= 80 ? PTX_AGGREGATES_REDUCED : PTX_AGGREGATES_SCANNED;
}
