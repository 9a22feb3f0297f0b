/* simcore/observe/observer.h: where a simulation can be watched.
 *
 * `env->observer` is NULL in a normal run, and then each of these places costs one comparison. Times of SMs are
 * their local cycles, times behind L1 are picoseconds: an SM runs ahead of global time, so observers go by
 * the times of the calls, never by the order of calls. */
#ifndef VIVACE_SIMCORE_OBSERVE_OBSERVER_H
#define VIVACE_SIMCORE_OBSERVE_OBSERVER_H

#include "base/bits.h"
#include "simcore/sm/sm.h"

struct explanation;
struct projection;
struct recorder;

/* Counters of a launch that only its memory instructions move: what one of them did is the difference. */
#define OBSERVED_L1(X)                                                                                             \
    X(l1_load_requests)                                                                                            \
    X(l1_load_sectors)                                                                                             \
    X(l1_load_hit_sectors)                                                                                         \
    X(l1_load_pending_sectors)                                                                                     \
    X(l1_load_miss_sectors)                                                                                        \
    X(l1_bypass_sectors)                                                                                           \
    X(l1_store_sectors)                                                                                            \
    X(shared_passes)                                                                                               \
    X(atomic_requests)
enum observed_l1 {
#define X(name) OBSERVED_##name,
    OBSERVED_L1(X)
#undef X
        OBSERVED_L1_COUNT
};

/* Where a recording alone has nothing more to note of an instruction than how many lanes it has, if not all:
 * its launch's counters tell the rest. Nowhere where others watch as well. */
struct observed_quiet {
    const struct sm *sm; /* that issues it */
    const struct launch *launch;
    uint64_t from, cycles; /* when; and its slots have been accounted for up to `from` */
    uint64_t *lane_class;
};

/* 0 lanes, 1 to 4, 5 to 8, ... */
static inline uint32_t observer_lane_class(uint32_t mask)
{
    return (bits_count(mask) + 3) / 4;
}

struct observer {
    struct recorder *recorder;       /* or NULL */
    struct explanation *explanation; /* or NULL */
    struct projection *projection;   /* or NULL */
    const struct warp_inst *inst;    /* what is issuing now */
    const struct counters *count;    /* of its launch */
    uint64_t before[OBSERVED_L1_COUNT];
    struct observed_quiet quiet;
};

void observer_tell_issue(struct observer *o, const struct sm *sm, uint32_t slot, uint32_t t);
void observer_tell_issued(struct observer *o, const struct sm *sm, uint32_t slot, const struct static_inst *in,
                          uint32_t next);
/* issue.c: the next instruction `wi` of warp `slot`, which is w of sub-core sc, is about to issue at t; nothing has
 * been changed yet. */
static inline void observer_issue(struct observer *o, const struct sm *sm, uint32_t slot, const struct warp *w,
                                  const struct sub_core *sc, const struct warp_inst *wi, uint32_t t)
{
    const struct observed_quiet *q = &o->quiet;

    if (sm->base + t - q->from >= q->cycles || sc->accounted < q->from || sm != q->sm || w->launch != q->launch)
        observer_tell_issue(o, sm, slot, t);
    else if (wi->mask != UINT32_MAX)
        q->lane_class[observer_lane_class(wi->mask)]++;
}
/* ... and has: its warp is ready again at `next` at the earliest (SM_NEVER: somebody else will say). */
static inline void observer_issued(struct observer *o, const struct sm *sm, uint32_t slot,
                                   const struct static_inst *in, uint32_t next)
{
    if (o->explanation)
        observer_tell_issued(o, sm, slot, in, next);
}
/* The warp ended behind t, and with it its CTA where `cta_over`. */
void observer_exit(struct observer *o, const struct sm *sm, const struct warp *w, uint32_t t, bool cta_over);
/* memory_inst.c: the load/store unit is busy with the instruction from `start` on. */
void observer_lsu(struct observer *o, const struct sm *sm, uint32_t start, uint32_t busy_cycles);
/* A request goes out at `made`. Returns the number under which its stages are reported, 0: nobody asks for them. */
uint32_t observer_request(struct observer *o, const struct mem_request *r);

#endif
