/* simcore/sm/scheduler/select.h: all warp schedulers, and the choice by the design. */
#ifndef VIVACE_SIMCORE_SM_SCHEDULER_SELECT_H
#define VIVACE_SIMCORE_SM_SCHEDULER_SELECT_H

#include "simcore/sm/scheduler/cggty.h"
#include "simcore/sm/scheduler/gto.h"
#include "simcore/sm/scheduler/lrr.h"

/* The slot of the warp that issues at t. */
SM_INLINE uint32_t scheduler_select(enum sched_policy policy, const struct sub_core *sc, uint32_t t)
{
#define X(enumerator, name, what)                                                                                  \
    if (policy == SCHED_##enumerator)                                                                              \
        return name##_select(sc, t);
    WARP_SCHEDULERS(X)
#undef X
    return sc->last;
}

SM_INLINE uint32_t scheduler_priority(enum sched_policy policy, uint32_t age)
{
    switch (policy) {
#define X(enumerator, name, what)                                                                                  \
    case SCHED_##enumerator: return name##_priority(age);
        WARP_SCHEDULERS(X)
#undef X
    }
    return age;
}

#endif
