/* simcore/sm/cta_scheduler.h: which CTA starts where and when: breadth first over the SMs, then wherever a slot
 * becomes free, in the order of the trace. Only resident CTAs are in memory.
 *
 * Launches place their CTAs one after the other: the next begins when the one before has placed all of its own, and
 * then shares SMs with it. The CTAs of a cluster start together, in one GPC (compute capability 9 and later). */
#ifndef VIVACE_SIMCORE_SM_CTA_SCHEDULER_H
#define VIVACE_SIMCORE_SM_CTA_SCHEDULER_H

#include "simcore/sm/sm.h"

struct cta_scheduler {
    struct sm_env *env;
    struct sm *sms;
    struct launch *placing; /* those with CTAs to place, in the order in which they came; a list */
    uint64_t dispatch_free; /* global cycle at which the next CTA can be sent out */
    uint64_t busy_from;     /* global cycle since which there has been a launch */
    uint32_t next_gpc;      /* where the next cluster is tried first */
    /* All CTAs of a launch have exited. */
    void (*over)(void *ctx, struct launch *l);
    void *ctx;
};

/* Which SM gets the next CTA while a launch begins, or has become the first in the list: a file of its own in cta/
 * and a line in CTA_SCHEDULERS (simcore/components.h). place: all that there is room for. */
struct cta_placement {
    const char *name;
    int (*place)(struct cta_scheduler *s, struct launch *l, uint64_t cycle, struct err *e);
};
/* By enum cta_scheduler_policy: X(BREADTH_FIRST, breadth_first, ...) is cta_placement_breadth_first. */
#define X(enumerator, name, what) extern const struct cta_placement cta_placement_##name;
CTA_SCHEDULERS(X)
#undef X
/* A CTA on this SM, if there is room and a CTA: 1. 0: there is no room, or the launch has no more. `late`: cycles
 * until its first issue, once it has been sent out. */
int cta_scheduler_place_one(struct cta_scheduler *s, struct sm *sm, struct launch *l, uint64_t cycle, uint32_t late,
                            struct err *e);
/* A launch whose first CTA can start at a global cycle, which is now. Places what there is room for. */
int cta_scheduler_add(struct cta_scheduler *s, struct launch *l, uint64_t cycle, struct err *e);
/* The next CTA of the launch's source that has instructions, all of which are in the launch's code: 1; 0 at the
 * end.
 */
int cta_scheduler_next(const struct cta_scheduler *s, struct launch *l, struct cta_trace **out, struct err *e);
/* The last warp of this CTA has exited at a global cycle: its place is taken by others, once what it sent to memory
 * has been read from its registers (`reading` cycles more) and the place has been cleared. */
void cta_scheduler_cta_done(struct cta_scheduler *s, struct sm *sm, struct cta *cta, uint64_t cycle,
                            uint32_t reading);

#endif
