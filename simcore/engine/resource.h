/* simcore/engine/resource.h: reservations of a shared resource (a port, a data bus) in time windows.
 *
 *
 * Requests reserve in the order in which they issue, but arrive with different delays. With a single "next free"
 * time, a request that arrives early would wait for one that arrives late. Here a request uses the first free time
 * at or after its arrival, independent of the order of calls. A ring of windows of 16 ns covers the next 16 us;
 * later times are served first come, first served. */
#ifndef VIVACE_SIMCORE_ENGINE_RESOURCE_H
#define VIVACE_SIMCORE_ENGINE_RESOURCE_H

#include <stdint.h>

#include "simcore/engine/event_queue.h"

enum { RES_WINDOW_SHIFT = 14, RES_WINDOWS = 1024 };
#define RES_WINDOW_PS (1ull << RES_WINDOW_SHIFT)
#define RES_RING_PS   (RES_WINDOWS * RES_WINDOW_PS)

struct res_span {
    sim_time_ps from, to;
};

/* A window takes two bytes, so that frequently used rings stay in the host's L1 cache. The ring moves when a time
 * after its end is requested and at least an eighth of its windows have passed. */
struct res {
    struct res_span full; /* windows known to be full, which searches skip */
    sim_time_ps full_ps;  /* their duration */
    sim_time_ps base;     /* begin of the first window of the ring */
    /* beyond the ring: this range is reserved; within the ring: it is included in the windows */
    struct res_span beyond;
    uint32_t epoch;              /* maintained by the code that resets resources lazily (res_begin) */
    uint16_t taken[RES_WINDOWS]; /* reserved picoseconds of each window */
};

void res_reset(struct res *r, uint32_t epoch);
/* Resets the resource on its first use in an epoch, so the cost of a new kernel depends only on the resources that
 * it uses. */
static inline struct res *res_begin(struct res *r, uint32_t epoch)
{
    if (r->epoch != epoch)
        res_reset(r, epoch);
    return r;
}
void res_state(struct res *r, uint32_t epoch, struct state_io *io); /* saves or loads its state in this epoch */
/* The first time at or after t that is not in a window known to be full. */
static inline sim_time_ps res_skip(const struct res *r, sim_time_ps t)
{
    return t - r->full.from < r->full_ps ? r->full.to : t;
}
static inline uint16_t *res_slot(struct res *r, sim_time_ps t)
{
    return &r->taken[(t >> RES_WINDOW_SHIFT) % RES_WINDOWS];
}
/* For cases that res_take() does not handle inline. */
sim_time_ps res_take_slowly(struct res *r, sim_time_ps now, sim_time_ps t, uint32_t service_ps);
/* Reserves service_ps at or after t (t >= now, the engine's time, which never decreases). Returns the end of the
 * service. Windows before now are dropped. */
static inline __attribute__((always_inline)) sim_time_ps res_take(struct res *r, sim_time_ps now, sim_time_ps t,
                                                                  uint32_t service_ps)
{
    sim_time_ps s = res_skip(r, t), until;
    uint16_t *slot = res_slot(r, s);
    uint32_t taken = *slot;

    if (s - r->base >= RES_RING_PS || taken + service_ps > RES_WINDOW_PS)
        return res_take_slowly(r, now, t, service_ps);
    *slot = (uint16_t)(taken + service_ps);
    until = (s & ~(RES_WINDOW_PS - 1)) + taken;
    return (t > until ? t : until) + service_ps;
}

#endif
