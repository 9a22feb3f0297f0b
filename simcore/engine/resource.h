/* simcore/engine/resource.h: how much of a shared resource (a port, a data bus) is taken, window by window.
 *
 * Requests reserve in the order in which they issue, but arrive with different delays, so a single "next free" time
 * would make a request that arrives early queue behind one that arrives late. Here a request takes the first room
 * at or after its own arrival, whatever the order of calls. A ring of windows looks 2 us ahead; what lies beyond is
 * served first come, first served: a resource reserved that far ahead is saturated. */
#ifndef VIVACE_SIMCORE_ENGINE_RESOURCE_H
#define VIVACE_SIMCORE_ENGINE_RESOURCE_H

#include <stdint.h>

#include "simcore/engine/event_queue.h"

enum { RES_WINDOW_SHIFT = 13, RES_WINDOWS = 256 };
#define RES_CAPACITY (1u << RES_WINDOW_SHIFT) /* picoseconds a window holds */

struct res {
    uint64_t full_from, full_to; /* windows known to be full; also all that was taken beyond the ring */
    uint64_t next_free;          /* end of what was taken beyond the ring; 0: nothing was */
    uint64_t busy_ps;            /* all that was ever taken */
    uint32_t epoch;              /* of whoever resets resources lazily (res_begin) */
    uint32_t tag[RES_WINDOWS];   /* low half of (number + 1) of the window this slot holds; another: empty */
    uint32_t used[RES_WINDOWS];  /* picoseconds taken */
};

void res_reset(struct res *r, uint32_t epoch);
/* Resets the resource on its first use in an epoch, so that a new kernel costs only what it touches. */
static inline struct res *res_begin(struct res *r, uint32_t epoch)
{
    if (r->epoch != epoch)
        res_reset(r, epoch);
    return r;
}
/* Takes service_ps at or after t (t >= now); returns when the service ends. now is the engine's time, which never
 * goes back: windows before it are forgotten. */
sim_time_ps res_take(struct res *r, sim_time_ps now, sim_time_ps t, uint32_t service_ps);

#endif
