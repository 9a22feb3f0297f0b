/* cli/simulate_streams.h: `vivace simulate --streams`: all launches of a set of traces in one simulation a design.
 */
#ifndef VIVACE_CLI_SIMULATE_STREAMS_H
#define VIVACE_CLI_SIMULATE_STREAMS_H

#include "cli/simulation.h"

struct streams_request {
    bool serial; /* one launch after the other; else by the streams of the traces */
    bool graph;  /* submitted as a whole */
    enum sim_caches caches;
    uint64_t replay_launches; /* replayed: number of launches before each; 0: all */
    bool native_only;         /* as in struct sim_options */
    uint64_t limit_cycles;
};
/* Simulates the launches of s->bundle on each design of s, and prints. Launches of different contexts are of
 * different streams. -1 also where a simulation came to no end. */
int simulate_streams(const struct simulation *s, const struct streams_request *r, const struct cli_output *o,
                     struct err *e);

#endif
