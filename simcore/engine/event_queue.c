#include "simcore/engine/event_queue.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"

enum { BUCKET_SHIFT = 8, BUCKETS = 8192, WORDS = BUCKETS / 64 };

struct event_queue {
    sim_time_ps now;
    uint64_t seq;
    uint32_t pending;
    uint64_t occupied[WORDS];
    struct {
        struct event *first, *last;
    } bucket[BUCKETS];
    struct event **heap;
    uint32_t heap_count, heap_capacity;
};

/* Whether a fires before b. The order is total: no two events have the same seq. */
static bool before(const struct event *a, const struct event *b)
{
    if (a->at != b->at)
        return a->at < b->at;
    if (a->phase != b->phase)
        return a->phase < b->phase;
    if (a->component != b->component)
        return a->component < b->component;
    return a->seq < b->seq;
}

struct event_queue *event_queue_new(uint32_t most_events, struct err *e)
{
    struct event_queue *q = mem_zalloc(1, sizeof *q, e);

    if (!q)
        return NULL;
    q->heap = mem_zalloc(most_events ? most_events : 1, sizeof(struct event *), e);
    if (!q->heap) {
        free(q);
        return NULL;
    }
    q->heap_capacity = most_events;
    return q;
}

void event_queue_free(struct event_queue *q)
{
    if (!q)
        return;
    free(q->heap);
    free(q);
}

void event_queue_reset(struct event_queue *q)
{
    for (uint32_t w = 0; w < WORDS; w++) {
        for (; q->occupied[w]; q->occupied[w] &= q->occupied[w] - 1) {
            uint32_t b = w * 64 + (uint32_t)__builtin_ctzll(q->occupied[w]);

            for (struct event *ev = q->bucket[b].first; ev; ev = ev->next)
                ev->scheduled = false;
            q->bucket[b].first = q->bucket[b].last = NULL;
        }
    }
    for (uint32_t i = 0; i < q->heap_count; i++)
        q->heap[i]->scheduled = false, q->heap[i]->place = 0;
    q->heap_count = 0;
    q->pending = 0;
    q->now = 0;
    q->seq = 0;
}

static void heap_put(struct event_queue *q, uint32_t i, struct event *ev)
{
    ASSERT_HOT(i < q->heap_capacity);
    q->heap[i] = ev;
    ev->place = i + 1;
}

static void heap_up(struct event_queue *q, uint32_t i, struct event *ev)
{
    ASSERT_HOT(i < q->heap_count);
    while (i > 0 && before(ev, q->heap[(i - 1) / 2])) {
        heap_put(q, i, q->heap[(i - 1) / 2]);
        i = (i - 1) / 2;
    }
    heap_put(q, i, ev);
}

static void heap_down(struct event_queue *q, uint32_t i, struct event *ev)
{
    ASSERT_HOT(i < q->heap_count);
    for (;;) {
        uint32_t child = 2 * i + 1;

        if (child >= q->heap_count)
            break;
        if (child + 1 < q->heap_count && before(q->heap[child + 1], q->heap[child]))
            child++;
        if (!before(q->heap[child], ev))
            break;
        heap_put(q, i, q->heap[child]);
        i = child;
    }
    heap_put(q, i, ev);
}

static void heap_remove(struct event_queue *q, struct event *ev)
{
    uint32_t i = ev->place - 1;
    struct event *last = q->heap[--q->heap_count];

    ASSERT_HOT(ev->place > 0 && q->heap[i] == ev);
    ev->place = 0;
    if (last == ev)
        return;
    if (i > 0 && before(last, q->heap[(i - 1) / 2]))
        heap_up(q, i, last);
    else
        heap_down(q, i, last);
}

static bool within_wheel(const struct event_queue *q, sim_time_ps at)
{
    ASSERT_HOT(at >= q->now);
    return (at >> BUCKET_SHIFT) - (q->now >> BUCKET_SHIFT) < BUCKETS;
}

/* Most events are later than all events in their bucket, so the search begins at its end. */
static void wheel_insert(struct event_queue *q, struct event *ev)
{
    uint32_t b = (uint32_t)(ev->at >> BUCKET_SHIFT) % BUCKETS;
    struct event *prev = q->bucket[b].last, *next = NULL;

    while (prev && before(ev, prev)) {
        next = prev;
        prev = prev->prev;
    }
    ASSERT_HOT((!prev || before(prev, ev)) && (!next || before(ev, next)));
    ev->prev = prev;
    ev->next = next;
    if (next)
        next->prev = ev;
    else
        q->bucket[b].last = ev;
    if (prev)
        prev->next = ev;
    else
        q->bucket[b].first = ev;
    q->occupied[b / 64] |= 1ull << (b % 64);
}

static void wheel_remove(struct event_queue *q, struct event *ev)
{
    uint32_t b = (uint32_t)(ev->at >> BUCKET_SHIFT) % BUCKETS;

    ASSERT_HOT(q->occupied[b / 64] >> (b % 64) & 1);
    if (ev->next)
        ev->next->prev = ev->prev;
    else
        q->bucket[b].last = ev->prev;
    if (ev->prev)
        ev->prev->next = ev->next;
    else
        q->bucket[b].first = ev->next;
    if (!q->bucket[b].first)
        q->occupied[b / 64] &= ~(1ull << (b % 64));
}

/* The event's time, phase and sequence number must be set. */
static void insert(struct event_queue *q, struct event *ev)
{
    ASSERT_HOT(!ev->scheduled);
    ev->scheduled = true;
    ev->place = 0;
    q->pending++;
    if (within_wheel(q, ev->at)) {
        wheel_insert(q, ev);
        return;
    }
    ASSERT(q->heap_count < q->heap_capacity);
    heap_up(q, q->heap_count++, ev);
}

void event_queue_schedule(struct event_queue *q, struct event *ev, sim_time_ps at, enum event_phase phase)
{
    ASSERT(!ev->scheduled && at >= q->now);
    ev->at = at;
    ev->phase = (uint8_t)phase;
    ev->seq = q->seq++;
    insert(q, ev);
}

void event_queue_cancel(struct event_queue *q, struct event *ev)
{
    if (!ev->scheduled)
        return;
    if (ev->place)
        heap_remove(q, ev);
    else
        wheel_remove(q, ev);
    ASSERT_HOT(q->pending > 0);
    ev->scheduled = false;
    q->pending--;
}

/* The earliest event on the wheel: the first occupied bucket from the current one on, in circular order. */
static struct event *wheel_first(const struct event_queue *q)
{
    uint32_t from = (uint32_t)(q->now >> BUCKET_SHIFT) % BUCKETS;
    uint32_t word = from / 64;
    uint64_t bits = q->occupied[word] & (~0ull << (from % 64));

    for (uint32_t i = 0; i <= WORDS; i++) {
        if (bits)
            return q->bucket[word * 64 + (uint32_t)__builtin_ctzll(bits)].first;
        word = (word + 1) % WORDS;
        bits = q->occupied[word];
    }
    return NULL;
}

/* The event after an event of the wheel if it is near: in the same bucket or the same word of buckets. */
static const struct event *wheel_near(const struct event_queue *q, const struct event *ev)
{
    uint32_t b = (uint32_t)(ev->at >> BUCKET_SHIFT) % BUCKETS;
    uint64_t bits = q->occupied[b / 64] & (~1ull << (b % 64));

    ASSERT_HOT(!ev->place);
    if (ev->next)
        return ev->next;
    return bits ? q->bucket[b / 64 * 64 + (uint32_t)__builtin_ctzll(bits)].first : NULL;
}

/* Always inlined: gcc assumes that a function that only prefetches has no effect, and removes calls of it. */
static inline __attribute__((always_inline)) void prefetch_soon(const struct event *ev)
{
    if (!ev)
        return;
    if (ev->soon)
        ev->soon(ev);
    if (!ev->next)
        return;
    __builtin_prefetch(ev->next);
    __builtin_prefetch(ev->next + 1);
}

bool event_queue_step(struct event_queue *q, sim_time_ps until)
{
    struct event *ev = wheel_first(q);
    struct event *far = q->heap_count ? q->heap[0] : NULL;

    /* An event in the heap can now be earlier than all events on the wheel. */
    if (far && (!ev || before(far, ev)))
        ev = far;
    if (!ev || ev->at > until)
        return false;
    if (!ev->place)
        prefetch_soon(wheel_near(q, ev));
    event_queue_cancel(q, ev);
    ASSERT_HOT(ev->at >= q->now);
    q->now = ev->at;
    ev->fire(ev, q->now);
    return true;
}

sim_time_ps event_queue_now(const struct event_queue *q)
{
    return q->now;
}

uint32_t event_queue_pending(const struct event_queue *q)
{
    return q->pending;
}

void event_queue_state(struct event_queue *q, struct state_io *io)
{
    ASSERT(!state_loading(io) || q->pending == 0);
    STATE(io, q->now);
    STATE(io, q->seq);
}

void event_state(struct event_queue *q, struct event *ev, struct state_io *io)
{
    if (!state_flag(io, ev->scheduled))
        return;
    STATE(io, ev->at);
    STATE(io, ev->phase);
    STATE(io, ev->seq);
    if (state_loading(io) && state_check(io, ev->at >= q->now && ev->phase <= PHASE_OBSERVE && ev->seq < q->seq))
        insert(q, ev);
}
