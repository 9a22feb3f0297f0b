/* server/domain/import/importer.h: turns finished uploads into profiles. Runs on the CPU executor; a separate
 * process reads each file.
 *
 *   upload --hash, rename--> blob --import child--> scratch file --chunks--> profile (hidden) --one commit-->
 * ready
 *
 * Every step can be repeated. An import that a crash or a stop interrupted starts again at the next start, after
 * the rows that it had stored are deleted. A profile is visible only after its last step. */
#ifndef VIVACE_SERVER_IMPORTER_H
#define VIVACE_SERVER_IMPORTER_H

#include "base/err.h"
#include "server/domain/farm.h"

struct db;
struct importer; /* opaque: the running imports of this server */
int importer_new(struct importer **out, struct err *e);
void importer_free(struct importer *x); /* call after the CPU executor has ended; NULL is allowed */

/* Queues the import `id` on the CPU executor, unless it is queued or running already. */
int importer_submit(struct farm *farm, const char *id, struct err *e);
/* Queues the imports of this server that are not running. Called at start and repeatedly. Causes: the server was
 * killed, the queue was full, or the connection was lost just after the database had stored the import. */
int importer_resume(struct farm *farm, struct db *db, struct err *e);
/* The name that this server uses as holder of its imports: STATE/server-id, created at the first start. */
int importer_holder(const char *state, char holder[37], struct err *e);

#endif
