/* server/store/repo/repo_archive.h: what becomes of jobs, attempts and events when their run is over: first they
 * leave the queue's tables, in slices, so that the next lease does not pay for them; much later they are deleted.
 * Readers of a run's jobs take both (sql/archive.sql: jobs_of_all, attempts_of_all). */
#ifndef VIVACE_SERVER_DB_REPO_ARCHIVE_H
#define VIVACE_SERVER_DB_REPO_ARCHIVE_H

#include "server/store/db/db.h"

/* Each does one slice, in a transaction of its own or inside the caller's; *moved: rows, 0 when nothing is left. */
int repo_archive_slice(struct db *db, wall_us finished_before, wall_us now, int64_t *moved,
                       struct err *e) MUST_CHECK;
int repo_archive_drop_jobs(struct db *db, wall_us finished_before, wall_us now, int64_t *dropped,
                           struct err *e) MUST_CHECK;
int repo_archive_drop_attempts(struct db *db, wall_us ended_before, int64_t *dropped, struct err *e) MUST_CHECK;
/* Brings a run's jobs back into the queue's tables, because a user wants one of them tried again. Inside a
 * transaction. */
int repo_archive_return(struct db *db, const char *run, struct err *e) MUST_CHECK;

#endif
