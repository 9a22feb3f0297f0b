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
#define RES_CAPACITY     (1u << RES_WINDOW_SHIFT) /* picoseconds a window holds */
#define RES_FAR_CAPACITY (1u << RES_FAR_SHIFT)    /* of the far ring */

struct res_span {
    uint64_t from, to; /* windows from .. to - 1 */
};

/* A slot of a ring holds in its low bits how much of its window is taken, above them which window that is (a number
 * that comes round after a quarter of a second and more; a slot that shows another is empty). */
struct res {
    struct res_span full; /* windows known to be full: skipped without looking */
    uint64_t far_end;     /* windows from here on hold nothing, in the far ring or beyond */
    uint64_t busy_ps;     /* all that was ever taken */
    uint32_t epoch;       /* of whoever resets resources lazily (res_begin) */
    uint32_t window[RES_WINDOWS];
    struct res_span far_full;           /* the same in windows of the far ring */
    sim_time_ps beyond_from, beyond_to; /* all of this is taken */
    uint32_t far[RES_FAR_WINDOWS];
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
/* The host begins to fetch what the next call will most likely look at; res_prefetch_slot once that is there. */
static inline void res_prefetch(const struct res *r)
{
    __builtin_prefetch(r, 1);
}
static inline void res_prefetch_slot(const struct res *r)
{
    __builtin_prefetch(&r->window[r->full.to % RES_WINDOWS], 1);
    __builtin_prefetch(&r->far[r->far_full.to % RES_FAR_WINDOWS], 1);
}
sim_time_ps res_take_slowly(struct res *r, sim_time_ps now, sim_time_ps t, uint32_t service_ps);
/* Takes service_ps at or after t (t >= now); returns when the service ends. now is the engine's time, which never
 * goes back: windows before it are forgotten. */
static inline sim_time_ps res_take(struct res *r, sim_time_ps now, sim_time_ps t, uint32_t service_ps)
{
    uint64_t w = t >> RES_WINDOW_SHIFT;
    uint32_t *slot = &r->window[w % RES_WINDOWS], taken = *slot & ((2u << RES_WINDOW_SHIFT) - 1);
    sim_time_ps filled = (w << RES_WINDOW_SHIFT) + taken;

    /* Room in the window of t, which has been looked at before: nearly always. The near ring reaches at least so
     * far. */
    if (w - (now >> RES_WINDOW_SHIFT) < RES_WINDOWS - (RES_FAR_CAPACITY >> RES_WINDOW_SHIFT) &&
        *slot - taken == (uint32_t)(w / RES_WINDOWS + 1) << (RES_WINDOW_SHIFT + 1) &&
        taken + service_ps <= RES_CAPACITY && taken < RES_CAPACITY) {
        *slot += service_ps;
        r->busy_ps += service_ps;
        return (t > filled ? t : filled) + service_ps;
    }
    return res_take_slowly(r, now, t, service_ps);
}

#endif
