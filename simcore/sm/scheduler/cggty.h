/* simcore/sm/scheduler/cggty.h: compiler-guided greedy-then-youngest: the warp that issued last has priority while
 * it is ready; then the youngest (Huerta et al., MICRO 2025). */
#ifndef VIVACE_SIMCORE_SM_SCHEDULER_CGGTY_H
#define VIVACE_SIMCORE_SM_SCHEDULER_CGGTY_H

#include "simcore/sm/scheduler/scheduler.h"

SM_INLINE uint32_t cggty_priority(uint32_t age)
{
    return age;
}

SM_INLINE uint32_t cggty_select(const struct sub_core *sc, uint32_t t)
{
    return scheduler_greedy(sc, t);
}

#endif
