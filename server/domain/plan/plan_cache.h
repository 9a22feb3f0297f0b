/* server/domain/plan/plan_cache.h: caches large plans for pages about a run's results. A plan never changes, and
 * one of a million launches takes seconds to read. The most recently used large plans stay in memory. */
#ifndef VIVACE_SERVER_PLAN_CACHE_H
#define VIVACE_SERVER_PLAN_CACHE_H

#include "sampling/plan/plan.h"
#include "server/store/db/db.h"

/* Returns a copy, which the caller releases. ERR_NOT_FOUND: there is no such plan. */
int plan_cache_load(struct db *db, const char *id, struct plan *out, struct err *e) MUST_CHECK;
void plan_cache_clear(void);

#endif
