/* server/domain/plan/plan_cache.h: plans as they are needed for every page about a run's results. A plan never
 * changes, and that of a million launches takes seconds to read: the latest large ones are kept in memory. */
#ifndef VIVACE_SERVER_PLAN_CACHE_H
#define VIVACE_SERVER_PLAN_CACHE_H

#include "sampling/plan.h"
#include "server/store/db/db.h"

/* A copy, the caller's to release. ERR_NOT_FOUND: there is no such plan. */
int plan_cache_load(struct db *db, const char *id, struct plan *out, struct err *e) MUST_CHECK;
void plan_cache_clear(void);

#endif
