/* simcore/mem/path_event/event_path.h: the path behind the L1, event by event ("model.memory": "event").
 *
 * The same stages as in path_analytic/, and the same caches, hashes and counts; but a request is at each stage
 * at its own time, first come, first served, and its end is known only when it gets there. A stage is then one
 * number, the time from which it is free, and that is exact. Networks with flits and device memory command by
 * command need this.
 *
 * Requests come from a pool of each SM, sized by its warps; an SM asks for room before it makes one. Nothing can
 * block for good: requests and replies use separate resources, an SM takes every reply at once, and device memory
 * ends what it has begun without waiting for anything upstream, so every write drains and every fill arrives. */
#ifndef VIVACE_SIMCORE_MEM_PATH_EVENT_EVENT_PATH_H
#define VIVACE_SIMCORE_MEM_PATH_EVENT_EVENT_PATH_H

#include "simcore/engine/event_queue.h"
#include "simcore/mem/memory.h"

/* A request of this SM is over: its last sector is back at `at` (>= the engine's time), or, for writes and
 * reductions, L2 has accepted it at `at`, which is now. token: the asker's own. */
typedef void request_done_fn(void *ctx, uint32_t sm, uint32_t token, sim_time_ps at);

struct event_path; /* opaque */
/* How many events can be pending at once, for the queue's making. */
uint32_t event_path_events(const struct gpu_design *d);
/* Drives m's caches and device memory by events of q. Both outlive the path. */
struct event_path *event_path_new(struct memory *m, const struct gpu_design *d, struct event_queue *q,
                                  request_done_fn *done, void *ctx, struct err *e);
void event_path_free(struct event_path *p);
/* A new kernel, after memory_begin(); the queue holds none of the path's events. */
void event_path_begin(struct event_path *p);

/* How many requests an SM can have under way: one for each lane of every warp. */
uint32_t event_path_room(const struct event_path *p, uint32_t sm); /* how many more it can make now */
/* Makes the request at t (>= the engine's time); there is room. */
void event_path_send(struct event_path *p, const struct mem_request *r, uint32_t token, sim_time_ps t);

/* For reports: calls f for up to `most` requests of the SM that are under way; returns how many there are. `where`
 * says in words at which stage it is. */
typedef void request_seen_fn(void *ctx, const struct mem_request *r, uint32_t token, const char *where);
uint32_t event_path_each(const struct event_path *p, uint32_t sm, uint32_t most, request_seen_fn *f, void *ctx);

#endif
