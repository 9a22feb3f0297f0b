/* simcore/sm/barrier.c: barriers of a CTA.
 *
 * A trace that has fields for the instruction (trace/fields.h) states the barrier's number and how many threads it
 * counts. Other traces identify a barrier only by its last immediate, and only from tracer version 4 on. An
 * immediate of 0 to 15, or none, is a barrier of the whole CTA: it completes when every warp that has not exited
 * has arrived. A larger immediate is the number of threads that the barrier counts; it also identifies the barrier.
 * Warps that have exited never arrive at a barrier that counts threads. A trace in which too few warps arrive is a
 * deadlock of the program and is reported as one. */
#include "simcore/sm/sm.h"

#include <string.h>

#include "simcore/sm/mbarrier.h"
#include "simcore/trace/fields.h"

enum { BARRIER_THREADS_MAX = 1 << 20 }; /* of a damaged trace: more than any CTA has */

/* A barrier may count another number of threads each time that it is used. */
static struct barrier *find_barrier(struct cta *cta, int32_t key, uint32_t threads)
{
    for (uint32_t i = 0; i < cta->barriers; i++) {
        struct barrier *b = &cta->barrier[i];

        if (b->key != key)
            continue;
        if (!(b->waiting | b->arrived))
            b->threads = threads;
        return b;
    }
    /* Hardware has sixteen barriers. Further distinct counts in a trace share the last one. */
    if (cta->barriers == BARRIERS_MAX)
        return &cta->barrier[BARRIERS_MAX - 1];
    cta->barrier[cta->barriers] = (struct barrier){.key = key, .threads = threads};
    return &cta->barrier[cta->barriers++];
}

static struct barrier *barrier_of(struct sm *sm, uint32_t slot, const struct warp_inst *wi,
                                  const struct static_inst *in)
{
    struct cta *cta = &sm->cta[sm->warp[slot].cta];
    uint64_t field[WARP_LANES];
    uint32_t threads;

    if (!(in->flags & OP_FIELDS) || fields_of(cta->trace, wi, field) < NAMED_FIELDS) {
        int32_t key = in->immediate > 15 ? in->immediate : 0;

        return find_barrier(cta, key, (uint32_t)key);
    }
    fields_lanes(sm, slot, wi, in, (uint32_t)field[NAMED_LANES]);
    threads = field[NAMED_THREADS] < BARRIER_THREADS_MAX ? (uint32_t)field[NAMED_THREADS] : BARRIER_THREADS_MAX;
    return find_barrier(cta, (int32_t)(field[NAMED_NUMBER] & 15), threads);
}

static bool barrier_complete(const struct cta *cta, const struct barrier *b)
{
    uint64_t there = b->waiting | b->arrived;

    if (b->threads)
        return (uint32_t)__builtin_popcountll(there) * WARP_LANES >= b->threads;
    return (cta->live_mask & ~there) == 0;
}

static void barrier_release(struct sm *sm, struct cta *cta, struct barrier *b, uint32_t t)
{
    for (uint64_t left = b->waiting; left; left &= left - 1) {
        uint32_t slot = cta->slot_of[__builtin_ctzll(left)];

        cta->waiting--;
        sm_set_ready(sm, slot, t + sm->env->design->barrier_cycles, SLOT_BARRIER);
    }
    b->waiting = 0;
    b->arrived = 0;
    cta->launch->count.barriers++;
}

bool sm_barrier(struct sm *sm, uint32_t slot, const struct warp_inst *wi, const struct static_inst *in, uint32_t t)
{
    struct warp *w = &sm->warp[slot];
    struct cta *cta = &sm->cta[w->cta];
    struct barrier *b = barrier_of(sm, slot, wi, in);
    uint64_t bit = 1ull << w->index;

    cta->launch->count.barrier_arrivals++;
    if (in->action == ACT_ARRIVE) {
        b->arrived |= bit;
        if (b->waiting && barrier_complete(cta, b))
            barrier_release(sm, cta, b, t);
        return false;
    }
    b->waiting |= bit;
    cta->waiting++;
    if (barrier_complete(cta, b))
        barrier_release(sm, cta, b, t);
    return true; /* also for the last warp: release() has set its ready time */
}

void sm_barrier_exit(struct sm *sm, struct cta *cta, uint32_t t)
{
    for (uint32_t i = 0; i < cta->barriers; i++) {
        struct barrier *b = &cta->barrier[i];

        if (b->waiting && barrier_complete(cta, b)) {
            cta->launch->count.barriers_left_by_exit++;
            barrier_release(sm, cta, b, t);
        }
    }
}
