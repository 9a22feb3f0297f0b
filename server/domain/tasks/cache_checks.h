/* server/domain/tasks/cache_checks.h: measures the error of the cache state at the start of launches, on a few
 * launches of a run (sampling/checks/cache_error.h).
 *
 *   run is over --choose--> launch and those before it, cut out of the profile's own traces --a worker: warmed-->
 *   cycles --compare with the job's (cache_counts.h)--> a model error for each design, or the same with twice as
 *   many launches before it
 *
 * Each launch is a job of its own, so the cache state is not passed from one launch to the next. It must be
 * rebuilt by a replay of the launches before it. This needs their traces, which only the profile's own trace
 * file has (server/domain/tasks/trace_pack.h). */
#ifndef VIVACE_SERVER_CACHE_CHECKS_H
#define VIVACE_SERVER_CACHE_CHECKS_H

#include "server/domain/farm.h"
#include "server/store/repo/repo_caches.h"

#define CACHE_LAUNCHES_USUAL 3
#define CACHE_CHECK_USUAL    (-1) /* the default number if the profile has a trace file, otherwise none */

/* Requests that launches of a new run are measured when it is over. 0: none; or CACHE_CHECK_USUAL. */
int cache_checks_want(struct db *db, const char *run, int64_t launches, const char *by, wall_us now,
                      struct err *e) MUST_CHECK;
/* Chooses launches for all ended runs with a request. It reads and writes traces: CPU executor only. */
int cache_checks_serve(struct farm *farm, struct db *db, struct err *e) MUST_CHECK;

#endif
