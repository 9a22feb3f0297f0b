/* simcore/sm/cta_scheduler.h: decides where and when each CTA starts: initially breadth first over the SMs, then in
 * each slot that becomes free, in the order of the trace. Only resident CTAs are in memory.
 *
 *
 * Launches place their CTAs one after the other. The next launch begins when the previous one has placed all its
 * CTAs, and then shares SMs with it. The CTAs of a cluster start together, in one GPC (compute capability 9 and
 * later). */
#ifndef VIVACE_SIMCORE_SM_CTA_SCHEDULER_H
#define VIVACE_SIMCORE_SM_CTA_SCHEDULER_H

#include "simcore/sm/sm.h"

struct cta_scheduler {
    struct sm_env *env;
    struct sm *sms;
    struct launch *placing; /* list of launches that still have CTAs to place, in order of arrival */
    uint64_t dispatch_free; /* global cycle at which the next CTA can be dispatched */
    uint64_t busy_from;     /* global cycle since which at least one launch is present */
    uint32_t next_gpc;      /* the GPC that is tried first for the next cluster */
    /* called when all CTAs of a launch have exited */
    void (*over)(void *ctx, struct launch *l);
    void *ctx;
    const struct cta_placement *placement; /* by the design */
};

/* A policy that selects the SM of the next CTA when a launch begins or becomes the first in the list. It has its
 * own file in cta/ and a line in CTA_SCHEDULERS (simcore/components.h). place: places all CTAs that fit. */
struct cta_placement {
    const char *name;
    int (*place)(struct cta_scheduler *s, struct launch *l, uint64_t cycle, struct err *e);
};
/* Indexed by enum cta_scheduler_policy: X(BREADTH_FIRST, breadth_first, ...) is cta_placement_breadth_first. */
#define X(enumerator, name, what) extern const struct cta_placement cta_placement_##name;
CTA_SCHEDULERS(X)
#undef X
/* Places one CTA on this SM. 1: placed; 0: it does not fit, or the launch has no more CTAs. `late`: cycles from
 * dispatch to its first issue. */
int cta_scheduler_place_one(struct cta_scheduler *s, struct sm *sm, struct launch *l, uint64_t cycle, uint32_t late,
                            struct err *e);
/* Adds a launch whose first CTA can start at this global cycle, which is the current one. Places all CTAs that fit.
 */
int cta_scheduler_add(struct cta_scheduler *s, struct launch *l, uint64_t cycle, struct err *e);
/* Returns the next CTA of the launch's source that has instructions, and decodes its instructions into the launch's
 * code: 1; 0 at the end. */
int cta_scheduler_next(const struct cta_scheduler *s, struct launch *l, struct cta_trace **out, struct err *e);
/* The last warp of this CTA has exited at a global cycle. Its slot becomes free when its stores have been read from
 * registers (`reading` cycles later) and the slot has been cleared. */
void cta_scheduler_cta_done(struct cta_scheduler *s, struct sm *sm, struct cta *cta, uint64_t cycle,
                            uint32_t reading);

#endif
