/* simcore/sm/scheduler/lrr.h: loose round-robin: the next ready warp after the one that issued last. */
#ifndef VIVACE_SIMCORE_SM_SCHEDULER_LRR_H
#define VIVACE_SIMCORE_SM_SCHEDULER_LRR_H

#include "simcore/sm/scheduler/scheduler.h"

SM_INLINE uint32_t lrr_priority(uint32_t age)
{
    return age; /* not used */
}

SM_INLINE uint32_t lrr_select(const struct sub_core *sc, uint32_t t)
{
    for (uint32_t i = 1; i < SUB_WARPS_MAX; i++)
        if (sc->ready[(sc->last + i) % SUB_WARPS_MAX] <= t)
            return (sc->last + i) % SUB_WARPS_MAX;
    return sc->last;
}

#endif
