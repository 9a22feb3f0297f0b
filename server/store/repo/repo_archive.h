/* server/store/repo/repo_archive.h: archives jobs, attempts and events of ended runs. First they are moved in
 * slices out of the queue's tables, so that leases stay fast. Much later they are deleted. Readers of a run's jobs
 * read both tables (sql/archive.sql: jobs_of_all, attempts_of_all). */
#ifndef VIVACE_SERVER_DB_REPO_ARCHIVE_H
#define VIVACE_SERVER_DB_REPO_ARCHIVE_H

#include "server/store/db/db.h"

/* Each call does one slice, in its own transaction or inside the caller's. *moved: number of rows, 0 when there is
 * no more work. */
int repo_archive_slice(struct db *db, wall_us finished_before, wall_us now, int64_t *moved,
                       struct err *e) MUST_CHECK;
int repo_archive_drop_jobs(struct db *db, wall_us finished_before, wall_us now, int64_t *dropped,
                           struct err *e) MUST_CHECK;
int repo_archive_drop_attempts(struct db *db, wall_us ended_before, int64_t *dropped, struct err *e) MUST_CHECK;
/* Moves a run's jobs back into the queue's tables, because a user retries one of them. Call inside a
 * transaction. */
int repo_archive_return(struct db *db, const char *run, struct err *e) MUST_CHECK;

#endif
