/* ptx/lower/lower_branch.c: converts short branches to guards. Where lanes may take both paths of a branch, BSSY
 * and BSYNC reconverge them.
 *
 * Source of the limits: branches around 1 to 15 instructions, compiled by ptxas 13.0 for sm_75, sm_86 and sm_90.
 * ptxas converts up to 8 instructions to guarded ones, up to 10 if they include loads, and up to 14 on both
 * sides of an `else`. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "ptx/code/actions.h"
#include "ptx/lower/lowering.h"
#include "ptx/lower/machine_forms.h"

enum { GUARDED_MAX = 8, GUARDED_LOADING_MAX = 10, GUARDED_ELSE_MAX = 14, TOO_LONG = 1000 };

/* --- values that may differ between lanes --- */

static bool is_seed(const struct lowering *w, uint32_t op)
{
    const struct ptx_op *o = &w->code->ops[op];
    const struct ptx_inst *i = &w->f->insts[op];

    /* One address gives one value in all lanes, except where each lane has memory of its own. */
    if (o->action == PTX_DO_LOAD)
        return w->code->accesses[o->access].space == PTX_SPACE_LOCAL ||
               w->code->accesses[o->access].space == PTX_GENERIC;
    if (o->action != PTX_DO_FORM)
        return o->action != PTX_DO_NOTHING;
    for (uint32_t k = 0; k < i->operand_count; k++) {
        const struct ptx_operand *x = lower_operand(w, op, k);

        if (x->kind == PTX_OP_SPECIAL && x->index != PTX_SREG_CTAID && x->index != PTX_SREG_NTID &&
            x->index != PTX_SREG_NCTAID)
            return true;
    }
    return false;
}

static int find_divergent(struct lowering *w)
{
    bool more = true, *divergent;

    w->divergent = divergent = mem_zalloc(w->value_count + 1, 1, w->e);
    if (!divergent)
        return -1;

    while (more) {
        more = false;
        for (uint32_t op = 0; op < w->code->op_count; op++) {
            struct touches t;
            bool differs;

            lower_touches(w, op, &t);
            differs = t.write_count && is_seed(w, op);
            for (uint32_t k = 0; k < t.read_count && t.write_count; k++)
                differs |= divergent[t.reads[k]];
            for (uint32_t k = 0; k < t.write_count; k++) {
                more |= differs && !divergent[t.writes[k]];
                divergent[t.writes[k]] |= differs;
            }
        }
    }
    return 0;
}

/* --- short branches --- */

struct branches {
    uint32_t *entries; /* for each block: number of edges to it */
};

static uint32_t op_cost(const struct lowering *w, uint32_t op, bool *loads)
{
    const struct ptx_op *o = &w->code->ops[op];

    if (w->fate[op] != OP_STAYS)
        return 0;
    switch ((enum ptx_action)o->action) {
    case PTX_DO_FORM: return ptx_machine_form_count(lower_form(w, op), w->table->arch);
    case PTX_DO_LOAD: *loads = true; return 0;
    case PTX_DO_STORE: return 1;
    case PTX_DO_ATOMIC: return w->code->accesses[o->access].space == PTX_SPACE_GLOBAL ? 1 : TOO_LONG;
    case PTX_DO_NOTHING:
    case PTX_DO_BRANCH: return 0;
    default: return TOO_LONG;
    }
}

static uint32_t cost_of(const struct lowering *w, uint32_t first, uint32_t last, bool *loads)
{
    uint32_t cost = 0;

    for (uint32_t b = first; b <= last && cost < TOO_LONG; b++)
        for (uint32_t k = 0; k < w->flow.blocks[b].count && cost < TOO_LONG; k++)
            cost += op_cost(w, w->flow.blocks[b].first + k, loads);
    return cost;
}

/* Returns true if the blocks first to last are entered only from `from` and each other, and left only for `to`. */
static bool is_closed(const struct lowering *w, const struct branches *x, uint32_t from, uint32_t first,
                      uint32_t last, uint32_t to)
{
    uint32_t entries = 0, known = 0;

    for (uint32_t b = first; b <= last; b++) {
        const struct ptx_block *k = &w->flow.blocks[b];

        if (k->exits)
            return false;
        entries += x->entries[b];
        for (uint32_t i = 0; i < k->edge_count; i++) {
            uint32_t e = w->flow.edges[k->edge_first + i];

            if (e <= b || (e > last && e != to))
                return false;
            known += e <= last;
        }
    }
    for (uint32_t i = 0; i < w->flow.blocks[from].edge_count; i++) {
        uint32_t e = w->flow.edges[w->flow.blocks[from].edge_first + i];

        known += e >= first && e <= last;
    }
    return entries == known;
}

static uint32_t last_op(const struct lowering *w, uint32_t block)
{
    return w->flow.blocks[block].first + w->flow.blocks[block].count - 1;
}

static void drop_branches(struct lowering *w, uint32_t first, uint32_t last)
{
    for (uint32_t b = first; b <= last; b++)
        if (w->code->ops[last_op(w, b)].action == PTX_DO_BRANCH)
            w->fate[last_op(w, b)] = OP_GUARDS;
}

static bool ends_thread(const struct lowering *w, uint32_t op)
{
    return w->code->ops[op].action == PTX_DO_RETURN || w->code->ops[op].action == PTX_DO_EXIT;
}

/* Tries to convert the block's branch if it skips the next blocks or has one block on each side. ptxas makes a
 * guarded EXIT of a branch to the end; here it stays one branch. */
static void try_guards(struct lowering *w, const struct branches *x, uint32_t block)
{
    const struct ptx_op *o = &w->code->ops[last_op(w, block)];
    uint32_t to = w->flow.block_of[o->target], behind = block + 1, cost;
    bool loads = false;

    if (to <= behind || to - behind > GUARDED_LOADING_MAX || ends_thread(w, o->target))
        return;
    if (is_closed(w, x, block, behind, to - 1, to)) {
        cost = cost_of(w, behind, to - 1, &loads);
        if (cost <= (uint32_t)(loads ? GUARDED_LOADING_MAX : GUARDED_MAX))
            drop_branches(w, block, to - 1);
        return;
    }
    if (to - behind == 1 && w->code->ops[last_op(w, behind)].action == PTX_DO_BRANCH &&
        !w->code->ops[last_op(w, behind)].guarded &&
        w->flow.block_of[w->code->ops[last_op(w, behind)].target] == to + 1 &&
        is_closed(w, x, block, behind, to, to + 1) && cost_of(w, behind, to, &loads) <= GUARDED_ELSE_MAX)
        drop_branches(w, block, to);
}

/* --- a branch over a branch: one branch of the opposite predicate --- */

bool lower_inverts(const struct lowering *w, uint32_t block)
{
    const struct ptx_op *o = &w->code->ops[last_op(w, block)], *next;

    if (o->action != PTX_DO_BRANCH || !o->guarded || block + 2 >= w->flow.block_count ||
        w->flow.blocks[block + 1].count != 1 || w->flow.block_of[o->target] != block + 2)
        return false;
    next = &w->code->ops[last_op(w, block + 1)];
    return next->action == PTX_DO_BRANCH && !next->guarded && w->fate[last_op(w, block + 1)] == OP_GUARDS;
}

static void try_inversion(struct lowering *w, const struct branches *x, uint32_t block)
{
    uint32_t next = block + 1 < w->flow.block_count ? last_op(w, block + 1) : 0;

    if (!next || w->fate[next] != OP_STAYS || x->entries[block + 1] != 1)
        return;
    w->fate[next] = OP_GUARDS;
    if (!lower_inverts(w, block))
        w->fate[next] = OP_STAYS;
}

/* --- reconvergence of lanes --- */

/* The block that begins the reconvergence region (BSSY): the block of the branch, or for a loop the block before
 * the loop. */
static uint32_t counting_block(const struct lowering *w, uint32_t block)
{
    uint32_t to = w->flow.block_of[w->code->ops[last_op(w, block + lower_inverts(w, block))].target];

    return to > block ? block : to > 0 ? to - 1 : 0;
}

static void synchronise(struct lowering *w, uint32_t block)
{
    uint32_t join = w->flow.blocks[block].join, at = counting_block(w, block);

    if (join == PTX_NONE || ends_thread(w, w->flow.blocks[join].first) || w->joins[join])
        return;
    w->joins[join] = true;
    w->splits[at]++;
}

int lower_branches(struct lowering *w)
{
    uint32_t n = w->flow.block_count;
    struct branches x = {.entries = mem_zalloc(n + 1, sizeof *x.entries, w->e)};
    int ret = -1;

    w->joins = mem_zalloc(n + 1, sizeof *w->joins, w->e);
    w->splits = mem_zalloc(n + 1, sizeof *w->splits, w->e);
    if (x.entries && w->joins && w->splits && find_divergent(w) == 0) {
        for (uint32_t k = 0; k < w->flow.edge_count; k++)
            x.entries[w->flow.edges[k]]++;
        for (uint32_t b = 0; b + 1 < n; b++) {
            uint32_t op = last_op(w, b);

            if (w->code->ops[op].action != PTX_DO_BRANCH || !w->code->ops[op].guarded || w->fate[op] != OP_STAYS)
                continue;
            try_guards(w, &x, b);
            if (w->fate[op] == OP_STAYS)
                try_inversion(w, &x, b);
            if (w->fate[op] == OP_STAYS && !w->code->ops[op].uniform &&
                w->divergent[w->live.value_of[w->f->insts[op].guard]])
                synchronise(w, b);
        }
        ret = 0;
    }
    free(x.entries);
    return ret;
}
