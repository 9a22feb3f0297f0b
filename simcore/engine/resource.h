/* simcore/engine/resource.h: how much of a shared resource (a port, a data bus) is taken, window by window.
 *
 * Requests reserve in the order in which they issue, but arrive with different delays, so a single "next free" time
 * would make a request that arrives early queue behind one that arrives late. Here a request takes the first room
 * at or after its own arrival, whatever the order of calls. A ring of windows of 8 ns looks 2 us ahead, a ring of
 * windows of 131 ns another 15; what lies beyond is served first come, first served. */
#ifndef VIVACE_SIMCORE_ENGINE_RESOURCE_H
#define VIVACE_SIMCORE_ENGINE_RESOURCE_H

#include <stdint.h>

#include "simcore/engine/event_queue.h"

enum { RES_WINDOW_SHIFT = 13, RES_WINDOWS = 256, RES_FAR_SHIFT = 17, RES_FAR_WINDOWS = 128 };
#define RES_WINDOW_PS     (1ull << RES_WINDOW_SHIFT)
#define RES_FAR_WINDOW_PS (1ull << RES_FAR_SHIFT)

struct res_span {
    sim_time_ps from, to; /* whole windows */
};

/* A slot of a ring says up to when its window is taken. One that shows a time outside of the window is of an
 * earlier turn of the ring: nobody has looked at the window yet. */
struct res {
    struct res_span full;     /* windows known to be full: skipped without looking */
    struct res_span far_full; /* the same in the far ring */
    sim_time_ps far_end;      /* from here on nothing is taken in the far ring or beyond */
    uint32_t epoch;           /* of whoever resets resources lazily (res_begin) */
    sim_time_ps window[RES_WINDOWS];
    sim_time_ps far[RES_FAR_WINDOWS];
    sim_time_ps beyond_from, beyond_to; /* all of this is taken */
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
static inline sim_time_ps res_skip(const struct res_span *full, sim_time_ps t)
{
    return t - full->from < full->to - full->from ? full->to : t;
}
/* Where the near ring ends and where the far ring does: windows of the far ring begin there. */
static inline sim_time_ps res_near_end(sim_time_ps now)
{
    return (now + RES_WINDOWS * RES_WINDOW_PS) & ~(RES_FAR_WINDOW_PS - 1);
}
static inline sim_time_ps res_far_end(sim_time_ps now)
{
    return (now & ~(RES_FAR_WINDOW_PS - 1)) + RES_FAR_WINDOWS * RES_FAR_WINDOW_PS;
}
/* The host begins to fetch what a call will look at; res_prefetch_slot() once that is there: for a call at about t.
 * Returns when that call may be served. */
static inline void res_prefetch(const struct res *r)
{
    __builtin_prefetch(r, 1);
}
static inline sim_time_ps res_prefetch_slot(const struct res *r, sim_time_ps now, sim_time_ps t)
{
    t = res_skip(&r->full, t);
    if (t < res_near_end(now)) {
        __builtin_prefetch(&r->window[(t >> RES_WINDOW_SHIFT) % RES_WINDOWS], 1);
        return t;
    }
    t = res_skip(&r->far_full, t);
    __builtin_prefetch(&r->far[(t >> RES_FAR_SHIFT) % RES_FAR_WINDOWS], 1);
    return t;
}
/* For what res_take() does not see at a glance. The near window that begins at w has not been looked at yet: up to
 * when it is taken. And: takes it from s on, which is t, or later where that is known to be full. */
sim_time_ps res_look(struct res *r, sim_time_ps w);
sim_time_ps res_take_slowly(struct res *r, sim_time_ps now, sim_time_ps t, uint32_t service_ps, sim_time_ps s);
/* The engine's time, which never goes back, and where the rings end then: for many calls at one moment. */
struct res_now {
    sim_time_ps now, near_end, far_end;
};
static inline struct res_now res_at(sim_time_ps now)
{
    return (struct res_now){now, res_near_end(now), res_far_end(now)};
}
/* Takes service_ps at or after t (t >= now); returns when the service ends. Windows before now are forgotten. */
static inline __attribute__((always_inline)) sim_time_ps res_take_at(struct res *r, const struct res_now *at,
                                                                     sim_time_ps t, uint32_t service_ps)
{
    sim_time_ps s = res_skip(&r->full, t), w, until, *slot;

    if (s < at->near_end) {
        w = s & ~(RES_WINDOW_PS - 1);
        slot = &r->window[(s >> RES_WINDOW_SHIFT) % RES_WINDOWS];
        until = *slot - w <= RES_WINDOW_PS ? *slot : res_look(r, w);
        if (until - w + service_ps > RES_WINDOW_PS)
            return res_take_slowly(r, at->now, t, service_ps, s);
        *slot = until + service_ps;
        return (t > until ? t : until) + service_ps;
    }
    s = res_skip(&r->far_full, s);
    w = s & ~(RES_FAR_WINDOW_PS - 1);
    slot = &r->far[(s >> RES_FAR_SHIFT) % RES_FAR_WINDOWS];
    until = *slot;
    if (until - w > RES_FAR_WINDOW_PS || until - w + service_ps > RES_FAR_WINDOW_PS || s >= at->far_end)
        return res_take_slowly(r, at->now, t, service_ps, s);
    *slot = until + service_ps;
    w += RES_FAR_WINDOW_PS;
    r->far_end = r->far_end > w ? r->far_end : w;
    return (t > until ? t : until) + service_ps;
}
static inline sim_time_ps res_take(struct res *r, sim_time_ps now, sim_time_ps t, uint32_t service_ps)
{
    const struct res_now at = res_at(now);

    return res_take_at(r, &at, t, service_ps);
}

#endif
