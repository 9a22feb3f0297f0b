/* server/store/repo/repo_recheck.h: rechecks: tasks in which a second worker simulates a result again
 * (repo_task.h). */
#ifndef VIVACE_SERVER_DB_REPO_RECHECK_H
#define VIVACE_SERVER_DB_REPO_RECHECK_H

#include "server/store/repo/repo_task.h"

/* Creates rechecks for those of these results (array literal) that were stored and simulated. */
int repo_recheck_make(struct db *db, const char *results, wall_us now, struct err *e) MUST_CHECK;

struct recheck {
    char result[UUID_TEXT], digest[SHA256_HEX], second[WIRE_NAME]; /* second: the worker with the lease */
    char trace_sha256[SHA256_HEX], design_sha256[SHA256_HEX], simulator[WIRE_VERSION];
    int64_t token; /* token of the worker's session; 0: a session of an account */
};
/* Reads and locks the recheck of the lease (id, attempt). Returns 1, or 0 when there is no such lease. */
int repo_recheck_held(struct db *db, const char *id, uint32_t attempt, struct recheck *out,
                      struct err *e) MUST_CHECK;
int repo_recheck_compared(struct db *db, const struct task_end *end, const char *second, bool agrees, wall_us now,
                          struct err *e) MUST_CHECK;
/* The recheck ended without a result. */
int repo_recheck_failed(struct db *db, const struct task_end *end, wall_us now, struct err *e) MUST_CHECK;
/* Rows: id, first and second worker of results on which two workers differ and which are not quarantined or
 * discarded yet. At most 100. */
int repo_recheck_differing(struct db *db, struct db_rows *out, struct err *e) MUST_CHECK;

#endif
