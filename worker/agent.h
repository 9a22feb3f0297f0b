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
    const char *vivace_sim, *simulator; /* its path, its version; NULL: none, so only engine replay */
    const char *sandbox;                /* how well it confines jobs; NULL: not at all */
    bool require_sandbox;
    uint32_t slots, pack; /* pack: short jobs that a slot takes at once; 0: the farm decides */
    uint64_t cache_bytes, exit_when_idle_s, drain_for_s;
};
struct agent; /* opaque */

/* Opens the state folder (ERR_BUSY: another worker has it), the cache and the spool. */
int agent_open(uv_loop_t *loop, const struct agent_options *o, struct agent **out, struct err *e);
void agent_start(struct agent *a);
/* First: no new jobs, running ones may finish. Then, or with `hard`: everything is given back. */
void agent_drain(struct agent *a, bool hard);
/* After the loop has ended: 0, or -1 when it could not do what it should (token refused, results not delivered). */
int agent_result(const struct agent *a, struct err *e);
/* Outcomes that were not delivered lie in the state folder. */
bool agent_has_results(const struct agent *a);
void agent_free(struct agent *a);

#endif
