#include "simcore/engine/resource.h"

#include <stddef.h>
#include <string.h>

void res_reset(struct res *r, uint32_t epoch)
{
    memset(r, 0, offsetof(struct res, tag) + sizeof r->tag);
    r->epoch = epoch;
}

static sim_time_ps later(sim_time_ps a, sim_time_ps b)
{
    return a > b ? a : b;
}

/* The fill level of window w, which lies inside the ring. */
static uint32_t *window_used(struct res *r, uint64_t w)
{
    uint32_t slot = (uint32_t)(w % RES_WINDOWS), tag = (uint32_t)(w + 1);

    if (r->tag[slot] != tag) {
        r->tag[slot] = tag;
        /* The last window taken beyond the ring is partly full when the ring gets there. */
        r->used[slot] = r->next_free >> RES_WINDOW_SHIFT == w ? (uint32_t)(r->next_free % RES_CAPACITY) : 0;
    }
    return &r->used[slot];
}

/* Everything from window `first` on is full up to the end of the ring: queue up behind what lies beyond. */
static sim_time_ps take_beyond(struct res *r, uint64_t now_window, uint64_t first, sim_time_ps start,
                               uint32_t service_ps)
{
    uint64_t from = first, old_end = r->next_free >> RES_WINDOW_SHIFT;

    /* One interval stands for all that was taken out there. A gap inside it counts as taken: pessimistic, but
     * capacity is never given out twice. */
    if (r->next_free && old_end >= now_window && old_end < from)
        from = old_end;
    if (r->full_to > now_window && r->full_from < from && (r->full_to >= from || r->full_to >= old_end))
        from = r->full_from;
    r->next_free = start + service_ps;
    r->full_from = from;
    r->full_to = r->next_free >> RES_WINDOW_SHIFT;
    return r->next_free;
}

/* Windows first to w - 1 were found full: remember it, unless that would forget what lies beyond the ring. */
static void remember_full(struct res *r, uint64_t now_window, uint64_t first, uint64_t w)
{
    if (r->full_to <= now_window) {
        r->full_from = first;
        r->full_to = w;
    } else if (first <= r->full_to && r->full_from <= w) {
        r->full_from = first < r->full_from ? first : r->full_from;
        r->full_to = w > r->full_to ? w : r->full_to;
    } else if (r->full_to < now_window + RES_WINDOWS - 1 && r->full_to <= w) {
        r->full_from = first;
        r->full_to = w;
    }
}

/* What does not fit into window w goes into the ones behind it. */
static void spill(struct res *r, uint64_t horizon, uint64_t w, uint32_t excess)
{
    while (excess) {
        uint32_t *used, room;

        w++;
        if (w >= r->full_from && w < r->full_to)
            w = r->full_to;
        if (w >= horizon) {
            r->next_free = later(r->next_free, w << RES_WINDOW_SHIFT) + excess;
            if (r->full_to >= horizon) /* the interval beyond grows with it */
                r->full_to = r->next_free >> RES_WINDOW_SHIFT;
            return;
        }
        used = window_used(r, w);
        room = *used < RES_CAPACITY ? RES_CAPACITY - *used : 0;
        room = room < excess ? room : excess;
        *used += room;
        excess -= room;
    }
}

sim_time_ps res_take(struct res *r, sim_time_ps now, sim_time_ps t, uint32_t service_ps)
{
    uint64_t now_window = now >> RES_WINDOW_SHIFT, horizon = now_window + RES_WINDOWS - 1;
    uint64_t first = t >> RES_WINDOW_SHIFT, w = first;
    uint32_t *used;
    sim_time_ps start;

    r->busy_ps += service_ps;
    for (;;) {
        if (w >= r->full_from && w < r->full_to)
            w = r->full_to;
        if (w >= horizon) {
            start = later(later(t, r->next_free), w << RES_WINDOW_SHIFT);
            return take_beyond(r, now_window, first, start, service_ps);
        }
        used = window_used(r, w);
        if (*used < RES_CAPACITY)
            break;
        w++;
    }
    if (w != first)
        remember_full(r, now_window, first, w);
    start = later(t, (w << RES_WINDOW_SHIFT) + *used);
    *used += service_ps;
    if (*used > RES_CAPACITY) {
        uint32_t excess = *used - RES_CAPACITY;

        *used = RES_CAPACITY;
        spill(r, horizon, w, excess);
    }
    return start + service_ps;
}
