#include "simcore/engine/resource.h"

#include <string.h>

void res_reset(struct res *r, uint32_t epoch)
{
    memset(r, 0, sizeof *r);
    r->epoch = epoch;
}

void res_state(struct res *r, uint32_t epoch, struct state_io *io)
{
    if (!state_flag(io, r->epoch == epoch))
        return;
    STATE(io, *r);
    r->epoch = epoch;
}

static sim_time_ps later(sim_time_ps a, sim_time_ps b)
{
    return a > b ? a : b;
}

static sim_time_ps earlier(sim_time_ps a, sim_time_ps b)
{
    return a < b ? a : b;
}

/* All windows between were found full. */
static void remember_full(struct res_span *full, sim_time_ps from, sim_time_ps to)
{
    if (from <= full->to && full->from <= to)
        *full = (struct res_span){earlier(full->from, from), later(full->to, to)};
    else if (to > full->to)
        *full = (struct res_span){from, to};
}

/* --- the far ring, and beyond it --- */

/* The slot of the far window that begins at w. When first looked at it holds what was taken beyond the ring before
 * the ring got here. */
static sim_time_ps *far_slot(struct res *r, sim_time_ps w)
{
    sim_time_ps *slot = &r->far[(w >> RES_FAR_SHIFT) % RES_FAR_WINDOWS];
    sim_time_ps from = later(r->beyond_from, w), to = earlier(r->beyond_to, w + RES_FAR_WINDOW_PS);

    if (*slot - w > RES_FAR_WINDOW_PS)
        *slot = w + (to > from ? to - from : 0);
    return slot;
}

/* The end of a far window, for a time within it or at its end. */
static void far_reaches(struct res *r, sim_time_ps t)
{
    r->far_end = later(r->far_end, (t + RES_FAR_WINDOW_PS - 1) & ~(RES_FAR_WINDOW_PS - 1));
}

/* First come, first served behind the far ring, which begins with the window of `now` and ends at `end`. A gap
 * before t counts as taken: pessimistic, but capacity is never given out twice. */
static sim_time_ps take_beyond(struct res *r, sim_time_ps now, sim_time_ps end, sim_time_ps t, uint64_t service_ps)
{
    sim_time_ps start = later(later(t, r->beyond_to), end);

    if (r->beyond_to <= end) { /* the ring has reached all of what was there: it goes in */
        sim_time_ps w = later(r->beyond_from, now) & ~(RES_FAR_WINDOW_PS - 1);

        for (; w < r->beyond_to; w += RES_FAR_WINDOW_PS)
            far_slot(r, w);
        r->beyond_from = start;
    }
    r->beyond_to = start + service_ps;
    far_reaches(r, r->beyond_to);
    return r->beyond_to;
}

/* The first room at or after the far window of s, and at or after t. */
static sim_time_ps take_far(struct res *r, sim_time_ps now, sim_time_ps s, sim_time_ps t, uint64_t service_ps)
{
    sim_time_ps first = s & ~(RES_FAR_WINDOW_PS - 1), end = res_far_end(now), start = 0, stop;
    uint64_t left = service_ps;

    for (sim_time_ps w = first; left; w += RES_FAR_WINDOW_PS) {
        sim_time_ps *slot;
        uint64_t room, take;

        w = res_skip(&r->far_full, w);
        if (w >= end) {
            stop = take_beyond(r, now, end, t, left);
            return start ? start + service_ps : stop;
        }
        slot = far_slot(r, w);
        room = w + RES_FAR_WINDOW_PS - *slot;
        if (!room)
            continue;
        if (!start) {
            if (w != first)
                remember_full(&r->far_full, first, w);
            start = later(t, *slot);
        }
        take = room < left ? room : left;
        *slot += take;
        left -= take;
        far_reaches(r, w + RES_FAR_WINDOW_PS);
    }
    return start + service_ps;
}

/* --- the near ring --- */

/* It holds its share of what was taken while it lay in the far ring. */
sim_time_ps res_look(struct res *r, sim_time_ps w)
{
    sim_time_ps *slot = &r->window[(w >> RES_WINDOW_SHIFT) % RES_WINDOWS];

    *slot = w;
    if (w < r->far_end)
        *slot = earlier(later(*far_slot(r, w & ~(RES_FAR_WINDOW_PS - 1)), w), w + RES_WINDOW_PS);
    return *slot;
}

static sim_time_ps *near_slot(struct res *r, sim_time_ps w)
{
    sim_time_ps *slot = &r->window[(w >> RES_WINDOW_SHIFT) % RES_WINDOWS];

    if (*slot - w > RES_WINDOW_PS)
        res_look(r, w);
    return slot;
}

/* What does not fit into window w goes into the ones behind it. */
static void spill(struct res *r, sim_time_ps now, sim_time_ps end, sim_time_ps w, uint64_t excess)
{
    while (excess) {
        sim_time_ps *slot;
        uint64_t room;

        w = res_skip(&r->full, w + RES_WINDOW_PS);
        if (w >= end) {
            take_far(r, now, end, 0, excess);
            return;
        }
        slot = near_slot(r, w);
        room = earlier(w + RES_WINDOW_PS - *slot, excess);
        *slot += room;
        excess -= room;
    }
}

sim_time_ps res_take_slowly(struct res *r, sim_time_ps now, sim_time_ps t, uint32_t service_ps, sim_time_ps s)
{
    sim_time_ps first = s & ~(RES_WINDOW_PS - 1), end = res_near_end(now), w = first, start, *slot;
    uint64_t room;

    for (;; w += RES_WINDOW_PS) {
        w = res_skip(&r->full, w);
        if (w >= end) {
            if (first < end)
                remember_full(&r->full, first, end);
            return take_far(r, now, w, t, service_ps);
        }
        slot = near_slot(r, w);
        room = w + RES_WINDOW_PS - *slot;
        if (room)
            break;
    }
    if (w != first)
        remember_full(&r->full, first, w);
    start = later(t, *slot);
    if (service_ps <= room) {
        *slot += service_ps;
    } else {
        *slot += room;
        spill(r, now, end, w, service_ps - room);
    }
    return start + service_ps;
}
