/* cli/simulate/simulate_streams.h: `vivace simulate --streams`: one simulation of all launches of a set of traces
 * for each design. */
#ifndef VIVACE_CLI_SIMULATE_STREAMS_H
#define VIVACE_CLI_SIMULATE_STREAMS_H

#include "cli/simulate/simulation.h"

struct streams_request {
    bool serial; /* true: one launch after the other; false: launches are in the streams of the traces */
    bool graph;  /* all launches are submitted together, as a CUDA graph */
    enum sim_caches caches;
    uint64_t replay_launches; /* with replayed caches: number of launches before each to replay; 0: all */
    bool native_only;         /* as in struct sim_options */
    uint64_t limit_cycles;
};
/* Simulates the launches of s->bundle on each design of s, and prints the result. Launches of different contexts
 * are in different streams. -1 also where a simulation did not finish. */
int simulate_streams(const struct simulation *s, const struct streams_request *r, const struct cli_output *o,
                     struct err *e);

#endif
