/* server/api/handlers/caches.h: checks of the cache state (server/domain/tasks/cache_checks.h), as other handlers
 * meet them. */
#ifndef VIVACE_SERVER_HANDLERS_CACHES_H
#define VIVACE_SERVER_HANDLERS_CACHES_H

#include "server/api/app.h"
#include "server/store/db/db.h"
#include "wire/recording_report.h"

/* `cache_check` of a run to be started: launches, 0: none, CACHE_CHECK_USUAL where it says nothing. */
int cache_check_read(const json_t *body, int64_t *out, struct err *e);
/* What a worker reports of a lease that is no recording: 1, or 0 when it is no check of its either. */
int cache_check_end(struct app *app, struct db *db, const struct recording_report *r, struct err *e);

#endif
