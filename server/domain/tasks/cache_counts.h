/* server/domain/tasks/cache_counts.h: evaluates the cache checks of a run (server/domain/tasks/cache_checks.h
 * chooses them), and decides whether a wider window is needed: struct cache_window. */
#ifndef VIVACE_SERVER_CACHE_COUNTS_H
#define VIVACE_SERVER_CACHE_COUNTS_H

#include "server/domain/farm.h"
#include "server/store/repo/repo_caches.h"

/* Ends a check of the run (NULL: no check has just ended) and evaluates the run again. After the last check of a
 * window, a wider window is requested, or an event reports the result. */
int cache_checks_end(struct farm *farm, struct db *db, const char *run, const struct cache_end *end,
                     struct err *e) MUST_CHECK;
/* Reports that all checks of the window of `run` are queued. why_not: the reason why none is. Also evaluates the
 * run, because all results may be known. Does nothing if the request has changed, or if another server has
 * queued the checks. */
int cache_checks_chosen(struct farm *farm, struct db *db, const struct cache_run *run, const char *why_not,
                        struct err *e) MUST_CHECK;

#endif
