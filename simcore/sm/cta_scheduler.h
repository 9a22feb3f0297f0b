/* simcore/sm/cta_scheduler.h: which CTA starts where and when: breadth first over the SMs, then wherever a slot
 * becomes free, in the order of the trace. Only resident CTAs are in memory. */
#ifndef VIVACE_SIMCORE_SM_CTA_SCHEDULER_H
#define VIVACE_SIMCORE_SM_CTA_SCHEDULER_H

#include "simcore/sm/sm.h"

struct cta_scheduler {
    struct sm_env *env;
    struct sm *sms;
    struct launch *launch;
    uint64_t dispatch_free; /* global cycle at which the next CTA can be sent out */
};

/* Places the first wave of the launch from `cycle` on. */
int cta_scheduler_start(struct cta_scheduler *s, uint64_t cycle, struct err *e);
/* The last warp of this CTA has exited at a global cycle: its slot takes the next one. */
void cta_scheduler_cta_done(struct cta_scheduler *s, struct sm *sm, struct cta *cta, uint64_t cycle);

#endif
