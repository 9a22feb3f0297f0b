/* simcore/mem/mem_port.h: the only way from an SM to what lies behind its L1.
 *
 * Each memory path implements the port (MEMORY_PATHS in simcore/components.h): path_analytic/ says at once
 * when a request will be over; path_event/ calls back when it is. A third, warm.c, takes no time: for launches that
 * are replayed. */
#ifndef VIVACE_SIMCORE_MEM_MEM_PORT_H
#define VIVACE_SIMCORE_MEM_MEM_PORT_H

#include "simcore/mem/memory.h"

struct event_path;
struct mem_port {
    const struct mem_port_ops *ops;
    struct memory *memory;   /* counters, caches, stages: both paths go through it */
    struct event_path *path; /* of the path with events; else NULL */
};

/* A path has either `send` or `post`. */
struct mem_port_ops {
    const char *name;
    /* Where these lines live, for `send`; the host begins to fetch what requests for them will look at. `line` has
     * room for a multiple of ADDRESS_LANES. NULL: the path needs none. */
    void (*place)(const struct mem_port *p, const uint64_t line[], uint32_t n, struct address_places *home);
    /* Requests `first` to `end` - 1 of a batch leave at `made`. `back` of each becomes when its last sector is back
     * at the SM or, for writes and reductions, when L2 has accepted it. */
    void (*send)(const struct mem_port *p, struct mem_batch *b, uint32_t first, uint32_t end, sim_time_ps now);
    /* No request of this SM is over earlier than so long after it was made. */
    sim_time_ps (*least_ps)(const struct mem_port *p, uint32_t sm);
    bool observed; /* those who watch a simulation follow the requests of `send` */

    /* How many more requests the SM can post now. */
    uint32_t (*room)(const struct mem_port *p, uint32_t sm);
    /* Makes a request at t (>= the engine's time); there is room. Its end is reported with the token
     * (request_done_fn).
     */
    void (*post)(const struct mem_port *p, const struct mem_request *r, uint32_t token, sim_time_ps t);
};

/* By enum memory_level: X(RESERVE, reserve, ...) is mem_port_reserve. */
#define X(enumerator, name, what) extern const struct mem_port_ops mem_port_##name;
MEMORY_PATHS(X)
#undef X
extern const struct mem_port_ops mem_port_warm;

#endif
