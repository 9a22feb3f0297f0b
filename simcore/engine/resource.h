/* simcore/engine/resource.h: how much of a shared resource (a port, a data bus) is taken, window by window.
 *
 * Requests reserve in the order in which they issue, but arrive with different delays, so a single "next free" time
 * would make a request that arrives early queue behind one that arrives late. Here a request takes the first room
 * at or after its own arrival, whatever the order of calls. A ring of windows of 16 ns looks 16 us ahead; what lies
 * beyond is served first come, first served. */
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

/* The ring is two bytes a window, so that what many requests look at stays in the host's nearest memory. It moves
 * on when somebody asks for a time behind its end and an eighth of its windows or more have passed. */
struct res {
    struct res_span full;        /* windows known to be full: skipped without looking */
    sim_time_ps full_ps;         /* from its begin to its end */
    sim_time_ps base;            /* the ring holds the windows from here on */
    struct res_span beyond;      /* behind the ring: all of this is taken; within it: it is in the windows */
    uint32_t epoch;              /* of the code that resets resources lazily (res_begin) */
    uint16_t taken[RES_WINDOWS]; /* picoseconds of each window */
};

void res_reset(struct res *r, uint32_t epoch);
/* Resets the resource on its first use in an epoch, so that a new kernel costs only what it touches. */
static inline struct res *res_begin(struct res *r, uint32_t epoch)
{
    if (r->epoch != epoch)
        res_reset(r, epoch);
    return r;
}
void res_state(struct res *r, uint32_t epoch, struct state_io *io); /* as it is in this epoch */
/* The first time at or after t that is not known to be in a full window. */
static inline sim_time_ps res_skip(const struct res *r, sim_time_ps t)
{
    return t - r->full.from < r->full_ps ? r->full.to : t;
}
static inline uint16_t *res_slot(struct res *r, sim_time_ps t)
{
    return &r->taken[(t >> RES_WINDOW_SHIFT) % RES_WINDOWS];
}
/* For what res_take() does not see at a glance. */
sim_time_ps res_take_slowly(struct res *r, sim_time_ps now, sim_time_ps t, uint32_t service_ps);
/* Takes service_ps at or after t (t >= now, the engine's time, which never goes back); returns when the service
 * ends. Windows before now are dropped. */
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
