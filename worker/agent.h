/* worker/agent.h: the worker as a whole: session -> claim -> fetch -> run -> report, on one libuv loop. */
#ifndef VIVACE_WORKER_AGENT_H
#define VIVACE_WORKER_AGENT_H

#include <stdbool.h>
#include <stdint.h>

#include <uv.h>

#include "base/err.h"

struct agent_options {
    const char *server, *token, *name, *state;
    const char *ca_file;                /* or NULL */
    const char *vivace_sim, *simulator; /* path and version; NULL: no simulator, only engine replay */
    const char *sandbox;                /* the sandbox level of its jobs; NULL: none */
    bool require_sandbox;
    uint32_t slots, pack; /* pack: maximum of short jobs that a slot claims at once; 0: the farm decides */
    uint64_t cache_bytes, exit_when_idle_s, drain_for_s;
};
struct agent; /* opaque */

/* Opens the state folder, the cache and the spool. ERR_BUSY: another worker uses the state folder. */
int agent_open(uv_loop_t *loop, const struct agent_options *o, struct agent **out, struct err *e);
void agent_start(struct agent *a);
/* The first call stops claims and lets running jobs finish. A second call, or `hard`, returns all leases at once.
 */
void agent_drain(struct agent *a, bool hard);
/* Call after the loop has ended. 0, or -1 on a failure: the token was refused, or results were not delivered. */
int agent_result(const struct agent *a, struct err *e);
/* True when the state folder contains outcomes that were not delivered. */
bool agent_has_results(const struct agent *a);
void agent_free(struct agent *a);

#endif
