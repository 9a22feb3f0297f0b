/* simcore/engine/event_queue.h: the event queue of the simulation.
 *
 *
 * Simulated time is in whole picoseconds, the common unit of all clocks. Events at the same picosecond fire by
 * phase, then by component index, then in the order in which they were scheduled. The order is total: it does not
 * depend on addresses or on the host.
 *
 *
 * Implementation: a timing wheel for the next two microseconds (buckets of 256 ps, each a sorted list) and a binary
 * heap for later events. An event is a member of its component; only the heap's array grows. */
#ifndef VIVACE_SIMCORE_ENGINE_EVENT_QUEUE_H
#define VIVACE_SIMCORE_ENGINE_EVENT_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "simcore/engine/state_io.h"

typedef uint64_t sim_time_ps;
#define SIM_NEVER UINT64_MAX

/* First messages are delivered, then components act, then counters are read. */
enum event_phase { PHASE_DELIVER, PHASE_ACT, PHASE_OBSERVE };

/* One cache line of the host; the data that `soon` prefetches first should be in the next one. */
struct event {
    void (*fire)(struct event *ev, sim_time_ps now);
    /* Called when the previous event is about to fire: prefetches the data of this event on the host. NULL: nothing
     */
    void (*soon)(const struct event *ev);
    /* The members below belong to the queue: */
    sim_time_ps at;
    uint64_t seq;
    struct event *prev, *next; /* in a bucket */
    uint32_t component;        /* breaks ties between components */
    uint32_t place;            /* index in the heap + 1; 0: not in the heap */
    uint8_t phase;
    bool scheduled;
};

struct event_queue; /* opaque */
/* `most_events`: maximum number of pending events; all memory is allocated here. */
struct event_queue *event_queue_new(uint32_t most_events, struct err *e);
void event_queue_free(struct event_queue *q);
/* Resets to time 0 without events. */
void event_queue_reset(struct event_queue *q);

/* `at` must be the current time or later; an event can be in the queue only once. */
void event_queue_schedule(struct event_queue *q, struct event *ev, sim_time_ps at, enum event_phase phase);
void event_queue_cancel(struct event_queue *q, struct event *ev); /* no effect if it is not scheduled */
/* Removes the next event, moves time to it and fires it. False: there is no event at or before `until`. */
bool event_queue_step(struct event_queue *q, sim_time_ps until);
sim_time_ps event_queue_now(const struct event_queue *q);
uint32_t event_queue_pending(const struct event_queue *q);

/* Saves or loads the time (load after a reset), and then each event, which keeps its place in the order. */
void event_queue_state(struct event_queue *q, struct state_io *io);
void event_state(struct event_queue *q, struct event *ev, struct state_io *io);

#endif
