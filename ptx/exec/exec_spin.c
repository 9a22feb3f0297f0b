/* ptx/exec/exec_spin.c: a fragment that has branched backwards very often: does it wait, or is its loop endless? */
#include <stdlib.h>

#include "base/array.h"
#include "base/hash.h"
#include "ptx/code/live.h"
#include "ptx/warp/cta.h"
#include "ptx/warp/launch.h"

/* After this number of checks without a repeat, registers that decide nothing are left out of the hash. */
enum { SLICE_CHECKS = 256 };

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

/* --- does the state repeat? --- */

static uint64_t mix(uint64_t hash, uint64_t more)
{
    return (hash ^ more) *
           0x9e3779b97f4a7c15u; /* 2^64 / golden ratio: D. E. Knuth, The Art of Computer Programming 3, 6.4 */
}

/* Grows with every store of the launch that the CTA can see. */
static uint64_t progress_of(const struct ptx_cta *c)
{
    return c->stores + c->run->progress;
}

static uint64_t hash_fragments(const struct ptx_warp_state *s)
{
    uint64_t hash = s->fragment_count;

    for (uint32_t k = 0; k < s->fragment_count; k++) {
        const struct ptx_fragment *f = &s->fragments[k];

        hash = mix(hash, (uint64_t)f->mask << 32 | f->pc);
        hash = mix(hash, (uint64_t)f->token << 32 | f->activation);
        hash = mix(hash, (uint64_t)f->state << 32 | f->waits);
    }
    return hash;
}

static uint64_t hash_activations(const struct ptx_warp_state *s)
{
    uint64_t hash = s->activation_count;

    for (size_t k = 0; k < s->activation_count; k++) {
        const struct ptx_activation *a = &s->activations[k];

        if (!a->lanes)
            continue;
        hash = mix(hash, hash_words(a->rows, (size_t)a->code->rows * PTX_ROW_BYTES));
        hash = mix(hash, hash_fnv1a(a->preds, a->code->preds * sizeof(uint32_t)));
        hash = mix(hash, (uint64_t)a->carry << 32 | a->call);
    }
    return hash;
}

static uint64_t hash_needed(const struct ptx_warp *w, const bool *needed)
{
    const struct ptx_function *f = w->code->function;
    uint64_t hash = 0;

    for (uint32_t k = 0; k < f->register_count; k++) {
        uint16_t row = w->code->row_of[k];
        uint32_t bits = ptx_row_bits(f->registers[k].type);

        if (!needed[k] || row == PTX_NO_ROW)
            continue;
        if (bits == 1)
            hash = mix(hash, w->lanes.preds[row]);
        else
            hash = mix(hash, hash_words(w->lanes.rows + (size_t)row * PTX_ROW_BYTES,
                                        (size_t)f->registers[k].vector * ptx_row_units(bits) * PTX_ROW_BYTES));
    }
    return hash;
}

/* In a kernel without pending calls, one fragment runs and the others wait: only the values that control its loop
 * count. */
static bool may_slice(const struct ptx_warp_state *s)
{
    size_t active = 0, ready = 0;

    for (size_t k = 0; k < s->activation_count; k++)
        active += s->activations[k].lanes != 0;
    for (uint32_t k = 0; k < s->fragment_count; k++)
        ready += s->fragments[k].state == PTX_READY;
    return active == 1 && ready == 1;
}

static int hash_state(struct ptx_warp *w, bool slice, uint64_t *hash)
{
    struct ptx_warp_state *s = w->state;
    const bool *needed = NULL;

    s->fragments[s->current].pc = w->pc;
    s->activations[s->fragments[s->current].activation].carry = w->lanes.carry;
    slice = slice && may_slice(s);
    if (slice && !(needed = ptx_slice_of(w, block_of(w->code, w->pc))))
        return -1;
    *hash = mix(hash_fragments(s), slice ? hash_needed(w, needed) : hash_activations(s));
    return 0;
}

int ptx_spin_check(struct ptx_warp *w)
{
    struct ptx_spin *s = &w->state->spin;
    uint64_t hash, progress = progress_of(w->cta);

    if (s->progress != progress)
        *s = (struct ptx_spin){.progress = progress};
    if (hash_state(w, s->limit > SLICE_CHECKS, &hash))
        return -1;
    s->repeats = s->repeats || (s->checks && hash == s->hash);
    if (s->checks++ < s->limit)
        return 0;
    s->limit = s->limit ? s->limit * 2 : 1;
    s->checks = 1;
    return hash_state(w, s->limit > SLICE_CHECKS, &s->hash);
}

bool ptx_warp_repeats(const struct ptx_warp *w)
{
    return w->state->spin.repeats && w->state->spin.progress == progress_of(w->cta);
}

int ptx_warp_spun(struct ptx_warp *w)
{
    struct ptx_warp_state *s = w->state;
    int out = leads_out(w, w->pc);

    if (out <= 0)
        return out < 0 ? -1 : ptx_fault(w, s->fragments[s->current].mask, "an endless loop: no branch leaves it");
    if (ptx_spin_check(w))
        return -1;
    s->waited = s->waited || s->spin.repeats;
    s->spins = 0;
    s->yields = !ptx_warp_give_way(w);
    return 0;
}
