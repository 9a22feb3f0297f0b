/* server/domain/import/importer.h: finished uploads -> profiles, on a CPU executor, each read by a process of its
 * own.
 *
 *   upload --hash, rename--> blob --import child--> scratch file --chunks--> profile (hidden) --one commit--> ready
 *
 * Every step can be done again: an import that a crash or a stop interrupted begins anew at the next start, and
 * what it had stored is removed first. Nobody sees a profile before its last step. */
#ifndef VIVACE_SERVER_IMPORTER_H
#define VIVACE_SERVER_IMPORTER_H

#include "base/err.h"
#include "server/domain/farm.h"

struct db;
struct importer; /* opaque: which imports are under way here */
int importer_new(struct importer **out, struct err *e);
void importer_free(struct importer *x); /* after the CPU executor has ended; NULL is fine */

/* Puts the import `id` into the CPU executor's queue, unless it is there or being read already. */
int importer_submit(struct farm *farm, const char *id, struct err *e);
/* At start and now and then: what this server should import and does not: it was killed, the queue was full, or the
 * connection was lost just when the database had taken the import down. */
int importer_resume(struct farm *farm, struct db *db, struct err *e);
/* Who holds imports of this server: STATE/server-id, made at the first start. */
int importer_holder(const char *state, char holder[37], struct err *e);

#endif
