/* simcore/observe/observer.h: where a simulation can be watched.
 *
 * `env->observer` is NULL in a normal run, and then each of these places costs one comparison. Times of SMs are
 * their local cycles, times behind L1 are picoseconds: an SM runs ahead of global time, so whoever watches goes by
 * the times it is told, never by the order of calls. */
#ifndef VIVACE_SIMCORE_OBSERVE_OBSERVER_H
#define VIVACE_SIMCORE_OBSERVE_OBSERVER_H

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

struct observer {
    struct recorder *recorder;       /* or NULL */
    struct explanation *explanation; /* or NULL */
    struct projection *projection;   /* or NULL */
    const struct warp_inst *inst;    /* what is issuing now */
    const struct counters *count;    /* of its launch */
    uint64_t before[OBSERVED_L1_COUNT];
};

/* issue.c: the next instruction of warp `slot` is about to issue at t; nothing has been changed yet. */
void observer_issue(struct observer *o, const struct sm *sm, uint32_t slot, uint32_t t);
/* ... and has: its warp is ready again at `next` at the earliest (SM_NEVER: somebody else will say). */
void observer_issued(struct observer *o, const struct sm *sm, uint32_t slot, const struct static_inst *in,
                     uint32_t t, uint32_t next);
/* The warp ended behind t, and with it its CTA where `cta_over`. */
void observer_exit(struct observer *o, const struct sm *sm, const struct warp *w, uint32_t t, bool cta_over);
/* memory_inst.c: the load/store unit is busy with the instruction from `start` on. */
void observer_lsu(struct observer *o, const struct sm *sm, uint32_t start, uint32_t busy_cycles);
/* A request goes out at `made`. Returns the number under which its stages are told, 0: nobody asks for them. */
uint32_t observer_request(struct observer *o, const struct mem_request *r);

#endif
