/* simcore/sm/scheduler/gto.h: greedy-then-oldest: the warp that issued last has priority while it is ready; then
 * the oldest (Rogers et al., MICRO 2012). */
#ifndef VIVACE_SIMCORE_SM_SCHEDULER_GTO_H
#define VIVACE_SIMCORE_SM_SCHEDULER_GTO_H

#include "simcore/sm/scheduler/scheduler.h"

SM_INLINE uint32_t gto_priority(uint32_t age)
{
    return SCHEDULER_AGES - 1 - age;
}

SM_INLINE uint32_t gto_select(const struct sub_core *sc, uint32_t t)
{
    return scheduler_greedy(sc, t);
}

#endif
