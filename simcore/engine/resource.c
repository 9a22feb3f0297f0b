#include "simcore/engine/resource.h"

#include <string.h>

/* Windows of the near ring in one of the far ring, as a shift; and the bits of a slot that say how much is taken.
 */
enum {
    FAR_BY_NEAR = RES_FAR_SHIFT - RES_WINDOW_SHIFT,
    NEAR_BITS = RES_WINDOW_SHIFT + 1,
    FAR_BITS = RES_FAR_SHIFT + 1
};

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

/* Windows first to w - 1 were found full. */
static void remember_full(struct res_span *full, uint64_t first, uint64_t w)
{
    if (first <= full->to && full->from <= w) {
        full->from = first < full->from ? first : full->from;
        full->to = w > full->to ? w : full->to;
    } else if (w > full->to) {
        *full = (struct res_span){first, w};
    }
}

/* --- the far ring, and beyond it --- */

/* The slot of far window c. When first looked at it holds what was taken beyond the ring before the ring got here.
 */
static uint32_t *far_slot(struct res *r, uint64_t c)
{
    uint32_t *slot = &r->far[c % RES_FAR_WINDOWS], name = (uint32_t)(c / RES_FAR_WINDOWS + 1) << FAR_BITS;
    uint64_t from, to;

    if (*slot >> FAR_BITS == name >> FAR_BITS)
        return slot;
    from = later(r->beyond_from, c << RES_FAR_SHIFT);
    to = r->beyond_to < (c + 1) << RES_FAR_SHIFT ? r->beyond_to : (c + 1) << RES_FAR_SHIFT;
    *slot = name | (to > from ? (uint32_t)(to - from) : 0);
    return slot;
}

static uint32_t far_taken(uint32_t slot)
{
    return slot & ((1u << FAR_BITS) - 1);
}

static void far_reaches(struct res *r, sim_time_ps end)
{
    r->far_end = later(r->far_end, (((end - 1) >> RES_FAR_SHIFT) + 1) << FAR_BY_NEAR);
}

/* First come, first served behind the far ring, which begins at far window `now_far` and ends before `end`. A gap
 * before t counts as taken: pessimistic, but capacity is never given out twice. */
static sim_time_ps take_beyond(struct res *r, uint64_t now_far, uint64_t end, sim_time_ps t, uint64_t service_ps)
{
    sim_time_ps start = later(later(t, r->beyond_to), end << RES_FAR_SHIFT);

    if (r->beyond_to <= end << RES_FAR_SHIFT) { /* the ring has reached all of what was there: it goes in */
        uint64_t c = r->beyond_from >> RES_FAR_SHIFT;

        for (c = c > now_far ? c : now_far; c << RES_FAR_SHIFT < r->beyond_to; c++)
            far_slot(r, c);
        r->beyond_from = start;
    }
    r->beyond_to = start + service_ps;
    far_reaches(r, r->beyond_to);
    return r->beyond_to;
}

/* The first room at or after far window c, and at or after t. */
static sim_time_ps take_far(struct res *r, uint64_t now_far, uint64_t c, sim_time_ps t, uint64_t service_ps)
{
    uint64_t end = now_far + RES_FAR_WINDOWS, first = c, left = service_ps;
    sim_time_ps start = 0, stop = 0;

    for (; left; c++) {
        uint32_t *slot, taken, take;

        if (c >= r->far_full.from && c < r->far_full.to)
            c = r->far_full.to;
        if (c >= end) {
            stop = take_beyond(r, now_far, end, t, left);
            return start ? start + service_ps : stop;
        }
        slot = far_slot(r, c);
        taken = far_taken(*slot);
        if (taken >= RES_FAR_CAPACITY)
            continue;
        if (!start) {
            if (c != first)
                remember_full(&r->far_full, first, c);
            start = later(t, (c << RES_FAR_SHIFT) + taken);
        }
        take = RES_FAR_CAPACITY - taken < left ? RES_FAR_CAPACITY - taken : (uint32_t)left;
        *slot += take;
        left -= take;
        far_reaches(r, (c + 1) << RES_FAR_SHIFT);
    }
    return start + service_ps;
}

/* --- the near ring --- */

/* The slot of window w. When first looked at it holds its share of what was taken while w lay in the far ring. */
static uint32_t *near_slot(struct res *r, uint64_t w)
{
    uint32_t *slot = &r->window[w % RES_WINDOWS], name = (uint32_t)(w / RES_WINDOWS + 1) << NEAR_BITS;
    uint32_t before = (uint32_t)(w & ((1u << FAR_BY_NEAR) - 1)) << RES_WINDOW_SHIFT, level = 0;

    if (*slot >> NEAR_BITS == name >> NEAR_BITS)
        return slot;
    if (w < r->far_end)
        level = far_taken(*far_slot(r, w >> FAR_BY_NEAR));
    level = level > before ? level - before : 0;
    *slot = name | (level < RES_CAPACITY ? level : RES_CAPACITY);
    return slot;
}

static uint32_t near_taken(uint32_t slot)
{
    return slot & ((1u << NEAR_BITS) - 1);
}

/* What does not fit into window w goes into the ones behind it. */
static void spill(struct res *r, uint64_t now_far, uint64_t horizon, uint64_t w, uint32_t excess)
{
    while (excess) {
        uint32_t *slot, room;

        w++;
        if (w >= r->full.from && w < r->full.to)
            w = r->full.to;
        if (w >= horizon) {
            take_far(r, now_far, horizon >> FAR_BY_NEAR, 0, excess);
            return;
        }
        slot = near_slot(r, w);
        room = RES_CAPACITY - near_taken(*slot);
        room = room < excess ? room : excess;
        *slot += room;
        excess -= room;
    }
}

sim_time_ps res_take_slowly(struct res *r, sim_time_ps now, sim_time_ps t, uint32_t service_ps)
{
    uint64_t now_far = now >> RES_FAR_SHIFT, first = t >> RES_WINDOW_SHIFT, w = first;
    /* The near ring ends where a window of the far ring begins. */
    uint64_t horizon = (((now >> RES_WINDOW_SHIFT) + RES_WINDOWS) >> FAR_BY_NEAR) << FAR_BY_NEAR;
    uint32_t *slot, taken;
    sim_time_ps start;

    r->busy_ps += service_ps;
    for (;; w++) {
        if (w >= r->full.from && w < r->full.to)
            w = r->full.to;
        if (w >= horizon) {
            if (first < horizon)
                remember_full(&r->full, first, horizon);
            return take_far(r, now_far, w >> FAR_BY_NEAR, t, service_ps);
        }
        slot = near_slot(r, w);
        taken = near_taken(*slot);
        if (taken < RES_CAPACITY)
            break;
    }
    if (w != first)
        remember_full(&r->full, first, w);
    start = later(t, (w << RES_WINDOW_SHIFT) + taken);
    if (taken + service_ps <= RES_CAPACITY) {
        *slot += service_ps;
    } else {
        *slot += RES_CAPACITY - taken;
        spill(r, now_far, horizon, w, taken + service_ps - RES_CAPACITY);
    }
    return start + service_ps;
}
