/* simcore/sm/scheduler/scheduler.h: the interface of a warp scheduler: two functions in a file of its name.
 *
 *   uint32_t NAME_select(const struct sub_core *sc, uint32_t t);
 *       Returns the slot of the warp that issues at t. At least one warp has a `ready` of t or earlier.
 *   uint32_t NAME_priority(uint32_t age);
 *       Returns the priority of warp number `age` of its SM; age < SCHEDULER_AGES. warp_slots_preferred() takes the
 * highest.
 *
 * They are inline functions, not pointers in a table: the issue loop calls one for each warp instruction, and a
 * call through a table takes 1 % more instructions of the host (bench/sim_speed, independent arithmetic and tiles).
 * The list is WARP_SCHEDULERS (simcore/components.h), select.h chooses by it. */
#ifndef VIVACE_SIMCORE_SM_SCHEDULER_SCHEDULER_H
#define VIVACE_SIMCORE_SM_SCHEDULER_SCHEDULER_H

#include "simcore/sm/warp_slots.h"

/* Ages wrap around after this number of warps of an SM. */
enum { SCHEDULER_AGES = 1 << 27 };

/* The warp that issued last if it is ready; else the ready warp with the highest priority. */
SM_INLINE uint32_t scheduler_greedy(const struct sub_core *sc, uint32_t t)
{
    return sc->ready[sc->last] <= t ? sc->last : warp_slots_preferred(sc, t);
}

#endif
