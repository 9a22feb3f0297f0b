/* ptx/exec/exec_slice.c: the registers that control a loop.
 *
 * A loop here is a strongly connected component of the control-flow graph. A register is needed if one of the
 * loop's ops other than arithmetic reads it (branches, memory, operations across lanes), or if arithmetic in the
 * loop computes a needed register from it. A counter that nothing else reads is not needed. While a warp stays in
 * the loop, its needed registers and memory decide all that it does. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "ptx/code/live.h"
#include "ptx/warp/warp.h"

enum { COMPONENTS = 4 }; /* most components of a vector register */

static bool in_component(const bool *from, const bool *to, uint32_t block)
{
    return from[block] && to[block];
}

/* from[b]: `block` leads to b; to[b]: b leads to `block`. */
static void mark_ways(const struct ptx_code *c, uint32_t block, bool *from, bool *to)
{
    bool more = true;

    from[block] = to[block] = true;
    while (more) {
        more = false;
        for (uint32_t b = 0; b < c->block_count; b++)
            for (uint32_t k = 0; k < c->blocks[b].edge_count; k++) {
                uint32_t next = c->edges[c->blocks[b].edge_first + k];

                more = more || (from[b] && !from[next]) || (to[next] && !to[b]);
                from[next] = from[next] || from[b];
                to[b] = to[b] || to[next];
            }
    }
}

struct marker {
    bool *needed;
    bool result, all; /* a result is needed; mark all that the op reads */
    bool more;        /* a register was marked */
};

static void see_result(void *ctx, uint32_t value, bool write)
{
    struct marker *m = ctx;

    m->result = m->result || (write && m->needed[value / COMPONENTS]);
}

static void mark_reads(void *ctx, uint32_t value, bool write)
{
    struct marker *m = ctx;

    if (write || m->needed[value / COMPONENTS])
        return;
    m->needed[value / COMPONENTS] = m->more = true;
}

/* Marks what the op reads if it needs to be known. */
static void mark_op(const struct ptx_code *c, uint32_t op, const uint32_t *value_of, struct marker *m)
{
    const struct ptx_inst *i = &c->function->insts[op];

    m->result = c->ops[op].action != PTX_DO_FORM || ptx_has(i, ".cc"); /* the carry is not a register */
    if (!m->result)
        ptx_touched(c->function, value_of, i, see_result, m);
    if (m->result)
        ptx_touched(c->function, value_of, i, mark_reads, m);
}

static bool has_call(const struct ptx_code *c, const struct ptx_block *b)
{
    for (uint32_t k = b->first; k < b->first + b->count; k++)
        if (c->ops[k].action == PTX_DO_CALL || c->ops[k].action == PTX_DO_SYSTEM_CALL)
            return true;
    return false;
}

/* Fills `needed`. A loop with calls needs all registers. */
static void mark_needed(const struct ptx_code *c, const bool *from, const bool *to, const uint32_t *value_of,
                        bool *needed)
{
    struct marker m = {.needed = needed};

    do {
        m.more = false;
        for (uint32_t b = 0; b < c->block_count; b++) {
            const struct ptx_block *block = &c->blocks[b];

            if (!in_component(from, to, b))
                continue;
            if (has_call(c, block)) {
                memset(needed, true, c->function->register_count);
                return;
            }
            for (uint32_t k = block->first; k < block->first + block->count; k++)
                mark_op(c, k, value_of, &m);
        }
    } while (m.more);
}

const bool *ptx_slice_of(struct ptx_warp *w, uint32_t block)
{
    struct ptx_slice *s = &w->state->slice;
    const struct ptx_code *c = w->code;
    uint32_t registers = c->function->register_count;
    bool *ways, *needed;
    uint32_t *value_of;

    if (s->code == c && s->block == block)
        return s->needed;
    ways = mem_zalloc(2 * (size_t)c->block_count, sizeof *ways, w->cta->e);
    value_of = mem_zalloc(registers + 1u, sizeof *value_of, w->cta->e);
    needed = mem_zalloc(registers + 1u, sizeof *needed, w->cta->e);
    if (ways && value_of && needed) {
        for (uint32_t k = 0; k < registers; k++)
            value_of[k] = k * COMPONENTS;
        mark_ways(c, block, ways, ways + c->block_count);
        mark_needed(c, ways, ways + c->block_count, value_of, needed);
        free(s->needed);
        *s = (struct ptx_slice){c, block, needed};
        needed = NULL;
    }
    free(ways);
    free(value_of);
    free(needed);
    return s->code == c && s->block == block ? s->needed : NULL;
}
