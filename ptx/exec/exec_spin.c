/* ptx/exec/exec_spin.c: a fragment that has branched backwards very often: does it wait, or is its loop endless? */
#include <stdlib.h>

#include "base/array.h"
#include "base/hash.h"
#include "ptx/warp/cta.h"

static uint32_t block_of(const struct ptx_code *c, uint32_t op)
{
    uint32_t low = 0, high = c->block_count;

    while (high - low > 1) {
        uint32_t middle = (low + high) / 2;

        if (c->blocks[middle].first <= op)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Can a lane that executes this block leave the function in it? */
static bool may_leave(const struct ptx_code *c, const struct ptx_block *b)
{
    bool leaves = b->exits;

    for (uint32_t k = b->first; k < b->first + b->count && !leaves; k++) {
        uint8_t action = c->ops[k].action;

        leaves = action == PTX_DO_EXIT || action == PTX_DO_RETURN || action == PTX_DO_TRAP ||
                 action == PTX_DO_CALL || action == PTX_DO_SYSTEM_CALL;
    }
    return leaves;
}

/* Is there a path from the op to a block that can leave the function? 1: yes; 0: no; -1: no memory, reported. */
static int leads_out(const struct ptx_warp *w, uint32_t op)
{
    const struct ptx_code *c = w->code;
    uint32_t *todo = mem_zalloc(c->block_count + 1, sizeof *todo, w->cta->e), count = 0;
    bool *seen = todo ? mem_zalloc(c->block_count + 1, sizeof *seen, w->cta->e) : NULL;
    int out = seen ? 0 : -1;

    if (seen) {
        todo[count++] = block_of(c, op);
        seen[todo[0]] = true;
    }
    while (out == 0 && count) {
        const struct ptx_block *b = &c->blocks[todo[--count]];

        out = may_leave(c, b);
        for (uint32_t k = 0; k < b->edge_count; k++) {
            uint32_t next = c->edges[b->edge_first + k];

            if (!seen[next])
                todo[count++] = next;
            seen[next] = true;
        }
    }
    free(todo);
    free(seen);
    return out;
}

int ptx_warp_spun(struct ptx_warp *w)
{
    struct ptx_warp_state *s = w->state;
    const struct ptx_fragment *f = &s->fragments[s->current];
    uint64_t hash = hash_fnv1a(&(uint32_t[]){w->pc, f->mask, w->lanes.carry}, 3 * sizeof(uint32_t));
    int out = leads_out(w, w->pc);

    if (out <= 0)
        return out < 0 ? -1 : ptx_fault(w, f->mask, "a loop without an end: no way leads out of it");
    hash ^= hash_words(w->lanes.rows, (size_t)w->code->rows * PTX_ROW_BYTES) * 3;
    hash ^= hash_fnv1a(w->lanes.preds, w->code->preds * sizeof(uint32_t)) * 5;
    s->moves = hash != s->spin_hash || s->spin_stores != w->cta->stores;
    s->waited = s->waited || !s->moves;
    s->spin_hash = hash;
    s->spin_stores = w->cta->stores;
    s->spins = 0;
    s->yields = !ptx_warp_give_way(w);
    return 0;
}
