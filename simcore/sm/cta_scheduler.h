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
