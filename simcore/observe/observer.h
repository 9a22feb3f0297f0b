/* simcore/observe/observer.h: the points at which a simulation can be observed.
 *
 *
 * `env->observer` is NULL in a normal run; then each of these points costs one comparison. Times of SMs are their
 * local cycles, times behind L1 are picoseconds. An SM runs ahead of global time, so observers must use the times
 * in the calls, not the order of calls. */
#ifndef VIVACE_SIMCORE_OBSERVE_OBSERVER_H
#define VIVACE_SIMCORE_OBSERVE_OBSERVER_H

#include "base/bits.h"
#include "simcore/sm/sm.h"

struct explanation;
struct projection;
struct recorder;

/* Counters of a launch that only its memory instructions change. The effect of one instruction is the difference.
 */
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

/* A fast path for a recording without other observers. While it is valid, an instruction only needs to be counted
 * by its number of active lanes, if not all are active; the launch's counters provide the rest. */
struct observed_quiet {
    const struct sm *sm; /* the SM that issues it */
    const struct launch *launch;
    /* first cycle and number of cycles for which it is valid; its slots are accounted up to `from` */
    uint64_t from, cycles;
    uint64_t *lane_class;
};

/* Classes by number of active lanes: 0, 1 to 4, 5 to 8, ... */
static inline uint32_t observer_lane_class(uint32_t mask)
{
    return (bits_count(mask) + 3) / 4;
}

struct observer {
    struct recorder *recorder;       /* or NULL */
    struct explanation *explanation; /* or NULL */
    struct projection *projection;   /* or NULL */
    const struct warp_inst *inst;    /* the instruction that is being issued */
    const struct counters *count;    /* counters of its launch */
    uint64_t before[OBSERVED_L1_COUNT];
    struct observed_quiet quiet;
};

void observer_tell_issue(struct observer *o, const struct sm *sm, uint32_t slot, uint32_t t);
void observer_tell_issued(struct observer *o, const struct sm *sm, uint32_t slot, const struct static_inst *in,
                          uint32_t next);
/* Called by issue.c: the next instruction `wi` of warp `slot` (w) is about to issue at t on sub-core sc; no state
 * has changed yet. */
static inline void observer_issue(struct observer *o, const struct sm *sm, uint32_t slot, const struct warp *w,
                                  const struct sub_core *sc, const struct warp_inst *wi, uint32_t t)
{
    const struct observed_quiet *q = &o->quiet;

    if (sm->base + t - q->from >= q->cycles || sc->accounted < q->from || sm != q->sm || w->launch != q->launch)
        observer_tell_issue(o, sm, slot, t);
    else if (wi->mask != UINT32_MAX)
        q->lane_class[observer_lane_class(wi->mask)]++;
}
/* Called after the issue: the warp is ready again at `next` at the earliest (SM_NEVER: it will be woken). */
static inline void observer_issued(struct observer *o, const struct sm *sm, uint32_t slot,
                                   const struct static_inst *in, uint32_t next)
{
    if (o->explanation)
        observer_tell_issued(o, sm, slot, in, next);
}
/* The warp ended after t; `cta_over`: so did its CTA. */
void observer_exit(struct observer *o, const struct sm *sm, const struct warp *w, uint32_t t, bool cta_over);
/* Called by memory_inst.c: the instruction occupies the load/store unit from `start` on. */
void observer_lsu(struct observer *o, const struct sm *sm, uint32_t start, uint32_t busy_cycles);
/* A request leaves at `made`. Returns the number under which its stages are reported; 0: it is not observed. */
uint32_t observer_request(struct observer *o, const struct mem_request *r);

#endif
