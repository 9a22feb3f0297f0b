/* sass/exec/barrier.c: barriers of a CTA. A warp counts as 32 threads when all its living lanes have arrived, as
 * the PTX manual has it. */
#include <string.h>

#include "sass/exec/machine.h"

enum { BAR_SYNC, BAR_ARRIVE, BAR_REDUCE };
enum { RED_POPC, RED_AND, RED_OR };
/* Of two registers, the first has the number and, from bit 16 on, the threads; ptxas 13.0 puts them there. */
enum { PACKED_THREADS = 16 };

static bool is_complete(const struct sass_cta *c, const struct cta_barrier *b)
{
    uint32_t threads = 0;
    bool all = true;

    for (uint32_t k = 0; k < c->warps; k++) {
        uint32_t alive = c->warp[k].alive, here = b->arrived[k] & alive;

        if (b->arrived[k])
            threads += here == alive ? LANES : (uint32_t)__builtin_popcount(b->arrived[k]);
        all &= here == alive;
    }
    return b->expected ? threads >= b->expected : all;
}

static uint32_t result_of(const struct cta_barrier *b)
{
    uint32_t count = 0, arrived = 0;

    for (int k = 0; k < WARPS_MAX; k++) {
        count += (uint32_t)__builtin_popcount(b->votes[k] & b->arrived[k]);
        arrived += (uint32_t)__builtin_popcount(b->arrived[k]);
    }
    return b->red == RED_POPC ? count : b->red == RED_AND ? count == arrived : count > 0;
}

static void finish(struct sass_cta *c, uint32_t number)
{
    struct cta_barrier *b = &c->barriers[number];
    uint32_t result = result_of(b);

    for (uint32_t k = 0; k < c->warps; k++) {
        struct sass_warp *w = &c->warp[k];

        if (b->arrived[k])
            w->barrier_result = result;
        for (uint32_t l = 0; l < LANES; l++)
            if (w->state[l] == LANE_AT_BAR && w->waits[l] == number)
                w->state[l] = LANE_RUNS;
    }
    memset(b, 0, sizeof *b);
}

void barriers_check(struct sass_cta *c)
{
    for (uint32_t n = 0; n < CTA_BARRIERS; n++)
        if (c->barriers[n].in_use && is_complete(c, &c->barriers[n]))
            finish(c, n);
}

/* what: BAR_...; type: RED_...; src: number, threads; extended: both in the first;
 * preds[0]: the vote */
int do_bar(struct sass_warp *w, const struct sass_op *op, uint32_t mask)
{
    uint32_t lane, number, expected, vote = read_predicate(w, &op->preds[0]);
    struct cta_barrier *b;

    if (mask == 0)
        return 0;
    lane = (uint32_t)__builtin_ctz(mask);
    number = read_plain(w, &op->src[0], 0)[lane];
    expected = op->extended ? number >> PACKED_THREADS : read_plain(w, &op->src[1], 1)[lane];
    number = op->extended ? number & ((1u << PACKED_THREADS) - 1) : number;
    if (number >= CTA_BARRIERS)
        return sass_fault(w, (int)lane, "there is no barrier %u; a CTA has %d", number, CTA_BARRIERS);
    b = &w->cta->barriers[number];
    if (b->arrived[w->index] & mask)
        return sass_fault(w, (int)lane, "a thread arrives twice at barrier %u before it is complete", number);
    b->in_use = true;
    b->expected = expected;
    b->red = op->what == BAR_REDUCE ? op->type : RED_POPC;
    b->arrived[w->index] |= mask;
    b->votes[w->index] = (b->votes[w->index] & ~mask) | (vote & mask);
    w->cta->run->stats->barriers++;
    if (op->what != BAR_ARRIVE)
        lanes_wait(w, mask, LANE_AT_BAR, number);
    barriers_check(w->cta);
    return 0;
}

/* The result of the last BAR.RED: a number, or a predicate. */
int do_b2r(struct sass_warp *w, const struct sass_op *op, uint32_t mask)
{
    uint32_t out[LANES];

    for (int l = 0; l < LANES; l++)
        out[l] = w->barrier_result;
    write_u32(w, op, out, mask);
    write_predicate(w, op, 0, w->barrier_result ? ALL_LANES : 0, mask);
    return 0;
}
