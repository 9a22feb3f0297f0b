/* server/domain/tasks/cache_counts.h: what launches simulated after a replay come to
 * (server/domain/tasks/cache_checks.h has them simulated), and whether a wider window is needed: struct
 * cache_window. */
#ifndef VIVACE_SERVER_CACHE_COUNTS_H
#define VIVACE_SERVER_CACHE_COUNTS_H

#include "server/domain/farm.h"
#include "server/store/repo/repo_caches.h"

/* A check of the run ends (NULL: none has just now), and what is known of the run is weighed anew. With the last of
 * its window the next one is to be chosen, or an event says what came out. */
int cache_checks_end(struct farm *farm, struct db *db, const char *run, const struct cache_end *end,
                     struct err *e) MUST_CHECK;
/* The checks of the window that was read with the run are all put; why_not: there is nothing to simulate. Weighs,
 * too, as all may be known. Does nothing where the request is another one by now, or somebody else has put them. */
int cache_checks_chosen(struct farm *farm, struct db *db, const struct cache_run *run, const char *why_not,
                        struct err *e) MUST_CHECK;

#endif
