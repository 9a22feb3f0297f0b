/* server/api/handlers/caches.h: checks of the cache state (server/domain/tasks/cache_checks.h), for other
 * handlers. */
#ifndef VIVACE_SERVER_HANDLERS_CACHES_H
#define VIVACE_SERVER_HANDLERS_CACHES_H

#include "server/api/app.h"
#include "server/store/db/db.h"
#include "wire/recording_report.h"

/* Reads `cache_check` from the request that starts a run: a number of launches, 0 for none. CACHE_CHECK_USUAL
 * when the member is absent. */
int cache_check_read(const json_t *body, int64_t *out, struct err *e);
/* Handles a worker's report for a lease that is no recording. 1: it was a cache check; 0: it was neither a
 * recording nor a cache check. */
int cache_check_end(struct app *app, struct db *db, const struct recording_report *r, struct err *e);

#endif
