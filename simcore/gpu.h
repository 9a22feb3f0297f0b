/* simcore/gpu.h: the GPU put together; open to tests, others use simcore/simcore.h. */
#ifndef VIVACE_SIMCORE_GPU_H
#define VIVACE_SIMCORE_GPU_H

#include "simcore/observe/observer.h"
#include "simcore/sm/cta_scheduler.h"

struct simulator {
    const struct gpu_design *design;
    struct sm_env env;
    struct sm *sms;
    struct cta_scheduler scheduler;
    struct launch launch;
    struct observer observer; /* in use where env.observer points to it */
};

/* Who waits for what, in lines for people. */
char *stall_report(const struct simulator *s, struct err *e);

#endif
