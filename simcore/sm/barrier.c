/* simcore/sm/barrier.c: barriers of a CTA.
 *
 *
 * A trace identifies a barrier only by its last immediate, and only from tracer version 4 on. An immediate of 0 to
 * 15, or none, is a barrier of the whole CTA: it completes when every warp that has not exited has arrived. A
 * larger immediate is the number of threads that the barrier counts; it also identifies the barrier. Warps that
 * have exited never arrive at such a barrier. A trace in which too few warps arrive is a deadlock of the program
 * and is reported as one. */
#include "simcore/sm/sm.h"

#include <string.h>

static struct barrier *find_barrier(struct cta *cta, int32_t key)
{
    for (uint32_t i = 0; i < cta->barriers; i++)
        if (cta->barrier[i].key == key)
            return &cta->barrier[i];
    /* Hardware has sixteen barriers. Further distinct counts in a trace share the last one. */
    if (cta->barriers == BARRIERS_MAX)
        return &cta->barrier[BARRIERS_MAX - 1];
    cta->barrier[cta->barriers] = (struct barrier){.key = key};
    return &cta->barrier[cta->barriers++];
}

static bool barrier_complete(const struct cta *cta, const struct barrier *b)
{
    uint64_t there = b->waiting | b->arrived;

    if (b->key > 15)
        return (uint32_t)__builtin_popcountll(there) * WARP_LANES >= (uint32_t)b->key;
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

bool sm_barrier(struct sm *sm, uint32_t slot, const struct static_inst *in, uint32_t t)
{
    struct warp *w = &sm->warp[slot];
    struct cta *cta = &sm->cta[w->cta];
    struct barrier *b = find_barrier(cta, in->immediate > 15 ? in->immediate : 0);
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
