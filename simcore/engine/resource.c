#include "simcore/engine/resource.h"

#include <string.h>

#include "base/assert.h"

_Static_assert(RES_WINDOW_PS <= UINT16_MAX, "a window's picoseconds fit into its slot");

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

static sim_time_ps window_of(sim_time_ps t)
{
    return t & ~(RES_WINDOW_PS - 1);
}

/* All windows between are known to be full. */
static void remember_full(struct res *r, sim_time_ps from, sim_time_ps to)
{
    struct res_span *full = &r->full;

    ASSERT_HOT(from < to);
    if (from <= full->to && full->from <= to)
        *full = (struct res_span){earlier(full->from, from), later(full->to, to)};
    else if (to > full->to)
        *full = (struct res_span){from, to};
    r->full_ps = full->to - full->from;
    ASSERT_HOT(full->from <= full->to);
}

/* The part of the window at w that was reserved while it was beyond the ring. */
static uint16_t taken_beyond(const struct res *r, sim_time_ps w)
{
    sim_time_ps from = later(r->beyond.from, w), to = earlier(r->beyond.to, w + RES_WINDOW_PS);

    ASSERT_HOT(window_of(w) == w);
    return (uint16_t)(to > from ? to - from : 0);
}

/* Resets the windows from w to end, whose entries were of times that have passed. */
static void begin_windows(struct res *r, sim_time_ps w, sim_time_ps end)
{
    uint64_t first = (w >> RES_WINDOW_SHIFT) % RES_WINDOWS, count = (end - w) >> RES_WINDOW_SHIFT;
    uint64_t to_the_top = earlier(count, RES_WINDOWS - first);

    ASSERT_HOT(w <= end && count <= RES_WINDOWS);
    memset(r->taken + first, 0, to_the_top * sizeof *r->taken);
    memset(r->taken, 0, (count - to_the_top) * sizeof *r->taken);
    for (w = window_of(later(w, r->beyond.from)); w < earlier(end, r->beyond.to); w += RES_WINDOW_PS)
        *res_slot(r, w) = taken_beyond(r, w);
}

/* Whether enough windows have passed to move the ring. */
static bool moves_on(const struct res *r, sim_time_ps now)
{
    ASSERT_HOT(window_of(now) >= r->base);
    return window_of(now) - r->base >= RES_RING_PS / 8;
}

/* Moves the begin of the ring to the current window; entries of passed windows are reused at its end. */
static void move_on(struct res *r, sim_time_ps now)
{
    sim_time_ps base = window_of(now);

    ASSERT_HOT(base > r->base);
    begin_windows(r, later(r->base + RES_RING_PS, base), base + RES_RING_PS);
    r->base = base;
}

/* First come, first served beyond the ring, from `end` on. A gap before t counts as reserved: pessimistic, but
 * capacity is never used twice. */
static sim_time_ps take_beyond(struct res *r, sim_time_ps end, sim_time_ps t, uint64_t service_ps)
{
    sim_time_ps start = later(later(t, r->beyond.to), end);

    if (r->beyond.to <= end) /* the ring now covers this whole range */
        r->beyond.from = start;
    r->beyond.to = start + service_ps;
    ASSERT_HOT(r->beyond.from <= r->beyond.to);
    return r->beyond.to;
}

/* Reserves the excess of window w in later windows. */
static void spill(struct res *r, sim_time_ps end, sim_time_ps w, uint64_t excess)
{
    while (excess) {
        uint64_t room;

        w = res_skip(r, w + RES_WINDOW_PS);
        ASSERT_HOT(w >= end || *res_slot(r, w) <= RES_WINDOW_PS);
        if (w >= end) {
            take_beyond(r, end, w, excess);
            return;
        }
        room = earlier(RES_WINDOW_PS - *res_slot(r, w), excess);
        *res_slot(r, w) = (uint16_t)(*res_slot(r, w) + room);
        excess -= room;
    }
}

/* The first window from w on with free time, or one beyond the ring. Skipped windows are full. */
static sim_time_ps find_room(struct res *r, sim_time_ps w)
{
    sim_time_ps first = w, end = r->base + RES_RING_PS;

    ASSERT_HOT(window_of(w) == w && w >= r->base);
    while (w < end && *res_slot(r, w) == RES_WINDOW_PS)
        w = res_skip(r, w + RES_WINDOW_PS);
    if (w != first)
        remember_full(r, first, earlier(w, end));
    return w;
}

/* The usual case at a busy resource: uses the free time of window w, and the rest in the next one. */
static bool two_hold(struct res *r, sim_time_ps w, uint32_t service_ps)
{
    uint32_t taken = *res_slot(r, w), next = *res_slot(r, w + RES_WINDOW_PS);

    return w + RES_WINDOW_PS - r->base < RES_RING_PS && taken < RES_WINDOW_PS &&
           taken + next + service_ps <= 2 * RES_WINDOW_PS;
}

static sim_time_ps take_two(struct res *r, sim_time_ps w, sim_time_ps t, uint32_t service_ps)
{
    uint16_t *slot = res_slot(r, w), *next = res_slot(r, w + RES_WINDOW_PS);
    sim_time_ps start = later(t, w + *slot);

    ASSERT_HOT(*slot + *next + service_ps >= RES_WINDOW_PS && *slot + *next + service_ps <= 2 * RES_WINDOW_PS);
    *next = (uint16_t)(*next + *slot + service_ps - RES_WINDOW_PS);
    *slot = RES_WINDOW_PS;
    if (r->full.to == w) {
        r->full.to = w + RES_WINDOW_PS;
        r->full_ps += RES_WINDOW_PS;
    }
    return start + service_ps;
}

/* Searches after full windows, and beyond the ring. A separate function, so that the usual case needs fewer
 * registers. */
static __attribute__((noinline)) sim_time_ps take_far(struct res *r, sim_time_ps now, sim_time_ps t,
                                                      uint32_t service_ps)
{
    sim_time_ps w = find_room(r, window_of(res_skip(r, t))), start;
    uint64_t room, take;

    if (w >= r->base + RES_RING_PS && moves_on(r, now)) {
        move_on(r, now);
        w = find_room(r, w);
    }
    if (w >= r->base + RES_RING_PS)
        return take_beyond(r, r->base + RES_RING_PS, t, service_ps);
    room = RES_WINDOW_PS - *res_slot(r, w);
    ASSERT_HOT(room > 0);
    start = later(t, w + RES_WINDOW_PS - room);
    take = earlier(room, service_ps);
    *res_slot(r, w) = (uint16_t)(*res_slot(r, w) + take);
    spill(r, r->base + RES_RING_PS, w, service_ps - take);
    return start + service_ps;
}

sim_time_ps res_take_slowly(struct res *r, sim_time_ps now, sim_time_ps t, uint32_t service_ps)
{
    sim_time_ps w = window_of(res_skip(r, t));

    ASSERT_HOT(t >= now);
    if (two_hold(r, w, service_ps))
        return take_two(r, w, t, service_ps);
    return take_far(r, now, t, service_ps);
}
