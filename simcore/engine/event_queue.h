/* simcore/engine/event_queue.h: what happens next.
 *
 * Simulated time is in whole picoseconds, the one unit in which all clocks meet. Events of one picosecond fire by
 * phase, then by the index of their component, then in the order in which they were scheduled. The order is total:
 * nothing depends on addresses or on the host.
 *
 * Inside: a timing wheel for the next two microseconds (buckets of 256 ps, each a list kept in order) and a binary
 * heap for what lies beyond. An event lives inside the component it belongs to; only the heap's array grows. */
#ifndef VIVACE_SIMCORE_ENGINE_EVENT_QUEUE_H
#define VIVACE_SIMCORE_ENGINE_EVENT_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "simcore/engine/state_io.h"

typedef uint64_t sim_time_ps;
#define SIM_NEVER UINT64_MAX

/* Messages land, then components act, then counters are read. */
enum event_phase { PHASE_DELIVER, PHASE_ACT, PHASE_OBSERVE };

/* One line of the host's cache; what `soon` looks at first should lie in the next one. */
struct event {
    void (*fire)(struct event *ev, sim_time_ps now);
    /* The event before it is about to fire: the host begins to fetch what this one will look at. NULL: nothing */
    void (*soon)(const struct event *ev);
    /* the queue's own */
    sim_time_ps at;
    uint64_t seq;
    struct event *prev, *next; /* in a bucket */
    uint32_t component;        /* breaks ties between components */
    uint32_t place;            /* in the heap + 1; 0: not there */
    uint8_t phase;
    bool scheduled;
};

struct event_queue; /* opaque */
/* `most_events`: how many can be pending at once; memory for them is taken here and nowhere else. */
struct event_queue *event_queue_new(uint32_t most_events, struct err *e);
void event_queue_free(struct event_queue *q);
/* Back to time 0 with nothing scheduled. */
void event_queue_reset(struct event_queue *q);

/* `at` is now or later; an event is in the queue at most once. */
void event_queue_schedule(struct event_queue *q, struct event *ev, sim_time_ps at, enum event_phase phase);
void event_queue_cancel(struct event_queue *q, struct event *ev); /* no effect where it is not scheduled */
/* Takes the next event out, moves time to it and fires it; false: nothing left to happen, or nothing at or before
 * `until`. */
bool event_queue_step(struct event_queue *q, sim_time_ps until);
sim_time_ps event_queue_now(const struct event_queue *q);
uint32_t event_queue_pending(const struct event_queue *q);

/* Saves or loads the time, into a queue that was reset; then each event, which keeps its place in the order. */
void event_queue_state(struct event_queue *q, struct state_io *io);
void event_state(struct event_queue *q, struct event *ev, struct state_io *io);

#endif
