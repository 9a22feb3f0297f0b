/* simcore/mem/path_event/event_path.h: the event-driven memory path behind the L1 ("model.memory": "event").
 *
 *
 * It has the same stages as path_analytic/, and the same caches, hashes and counts. But a request arrives at each
 * stage at its own simulated time, is served first come, first served, and its completion is known only when it
 * happens. So the state of a stage is one number, the time from which it is free, and this is exact. Flit-level
 * networks and command-level device memory need this path.
 *
 *
 * Requests come from a pool per SM, sized by its warps; an SM checks for room before it sends one. No deadlock is
 * possible: requests and replies use separate resources, an SM accepts every reply at once, and device memory
 * completes accepted accesses without waiting for upstream stages. So every write drains and every fill arrives. */
#ifndef VIVACE_SIMCORE_MEM_PATH_EVENT_EVENT_PATH_H
#define VIVACE_SIMCORE_MEM_PATH_EVENT_EVENT_PATH_H

#include "simcore/engine/event_queue.h"
#include "simcore/mem/memory.h"

/* A request of this SM has ended: its last sector arrives at `at` (>= the engine's time), or, for writes and
 * reductions, L2 has accepted it at `at`, the current time. token: from the sender. */
typedef void request_done_fn(void *ctx, uint32_t sm, uint32_t token, sim_time_ps at);

struct event_path; /* opaque */
/* The maximum number of pending events, to size the queue. */
uint32_t event_path_events(const struct gpu_design *d);
/* Uses m's caches and device memory, and events of q. Both must outlive the path. */
struct event_path *event_path_new(struct memory *m, const struct gpu_design *d, struct event_queue *q,
                                  request_done_fn *done, void *ctx, struct err *e);
void event_path_free(struct event_path *p);
/* For a new kernel, after memory_begin(); the queue holds none of the path's events. */
void event_path_begin(struct event_path *p);

/* The maximum number of requests in flight of an SM: one for each lane of every warp. */
uint32_t event_path_room(const struct event_path *p,
                         uint32_t sm); /* number of requests that it can still send now */
/* Sends the request at t (>= the engine's time); the pool must have room. */
void event_path_send(struct event_path *p, const struct mem_request *r, uint32_t token, sim_time_ps t);

/* For reports: calls f for up to `most` requests in flight of the SM; returns their total number. `where` names the
 * current stage. */
typedef void request_seen_fn(void *ctx, const struct mem_request *r, uint32_t token, const char *where);
uint32_t event_path_each(const struct event_path *p, uint32_t sm, uint32_t most, request_seen_fn *f, void *ctx);

#endif
