/* server/domain/tasks/cache_checks.h: how far what launches of a run found in the caches is off, measured on a few
 * of them (sampling/cache_error.h).
 *
 *   run is over --choose--> launch and those before it, cut out of the profile's own traces --a worker: warmed-->
 *   cycles --against the job's (cache_counts.h)--> a line of model error of each design, or the same with twice as
 *   many launches before it
 *
 * A launch on a farm is a job of its own, so nothing is "kept" from one to the next, and what a launch would find
 * has to be replayed: that takes the traces of the launches before it, which only a profile's own file of traces
 * has (server/domain/tasks/trace_pack.h). */
#ifndef VIVACE_SERVER_CACHE_CHECKS_H
#define VIVACE_SERVER_CACHE_CHECKS_H

#include "server/domain/farm.h"
#include "server/store/repo/repo_caches.h"

#define CACHE_LAUNCHES_USUAL 3
#define CACHE_CHECK_USUAL    (-1) /* the usual number, where the profile has its traces with it; else none */

/* A run that begins wants this number of launches measured when it is over: 0 for none, or CACHE_CHECK_USUAL. */
int cache_checks_want(struct db *db, const char *run, int64_t launches, const char *by, wall_us now,
                      struct err *e) MUST_CHECK;
/* Chooses for all runs that are over and want it. CPU executor only: it reads and writes traces. */
int cache_checks_serve(struct farm *farm, struct db *db, struct err *e) MUST_CHECK;

#endif
