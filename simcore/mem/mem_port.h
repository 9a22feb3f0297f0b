/* simcore/mem/mem_port.h: the only interface from an SM to the memory behind its L1.
 *
 *
 * Each memory path implements the port (MEMORY_PATHS in simcore/components.h). path_analytic/ returns the
 * completion time of a request at once; path_event/ calls back at the completion. warm.c is a third implementation
 * that takes no time, for launches that are replayed. */
#ifndef VIVACE_SIMCORE_MEM_MEM_PORT_H
#define VIVACE_SIMCORE_MEM_MEM_PORT_H

#include "simcore/mem/memory.h"

struct event_path;
struct mem_port {
    const struct mem_port_ops *ops;
    struct memory *memory;   /* counters, caches and stages, which both paths use */
    struct event_path *path; /* for the path with events; else NULL */
};

/* A path implements either `send` or `post`. */
struct mem_port_ops {
    const char *name;
    /* Finds the L2 locations of these lines for `send`, and prefetches, on the host, the data that their requests
     * use. `line` needs capacity for a multiple of ADDRESS_LANES. NULL: the path does not need it. */
    void (*place)(const struct mem_port *p, const uint64_t line[], uint32_t n, struct address_places *home);
    /* Sends requests `first` to `end` - 1 of a batch at their times `made`. `back` of each becomes the time at
     * which its last sector arrives at the SM or, for writes and reductions, at which L2 has accepted it. */
    void (*send)(const struct mem_port *p, struct mem_batch *b, uint32_t first, uint32_t end, sim_time_ps now);
    /* The minimum time from sending to completion of a request of this SM. */
    sim_time_ps (*least_ps)(const struct mem_port *p, uint32_t sm);
    bool observed; /* observers receive the stages of requests sent by `send` */

    /* The number of requests that the SM can still post now. */
    uint32_t (*room)(const struct mem_port *p, uint32_t sm);
    /* Sends a request at t (>= the engine's time); the port must have room. Its completion is reported with the
     * token (request_done_fn). */
    void (*post)(const struct mem_port *p, const struct mem_request *r, uint32_t token, sim_time_ps t);
};

/* Indexed by enum memory_level: X(RESERVE, reserve, ...) is mem_port_reserve. */
#define X(enumerator, name, what) extern const struct mem_port_ops mem_port_##name;
MEMORY_PATHS(X)
#undef X
extern const struct mem_port_ops mem_port_warm;

#endif
