/* server/store/repo/repo_recheck.h: results that a second worker simulates too: tasks (repo_task.h). */
#ifndef VIVACE_SERVER_DB_REPO_RECHECK_H
#define VIVACE_SERVER_DB_REPO_RECHECK_H

#include "server/store/repo/repo_task.h"

/* Of these results (array literal), those that were stored and simulated are to be simulated again. */
int repo_recheck_make(struct db *db, const char *results, wall_us now, struct err *e) MUST_CHECK;

struct recheck {
    char result[UUID_TEXT], digest[SHA256_HEX], second[WIRE_NAME]; /* second: who has the lease */
    char trace_sha256[SHA256_HEX], design_sha256[SHA256_HEX], simulator[WIRE_VERSION];
    int64_t token; /* of the session that has it; 0: a person's */
};
/* What the lease (id, attempt) is about, locked: 1, or 0 where there is no such lease. */
int repo_recheck_held(struct db *db, const char *id, uint32_t attempt, struct recheck *out,
                      struct err *e) MUST_CHECK;
int repo_recheck_compared(struct db *db, const struct task_end *end, const char *second, bool agrees, wall_us now,
                          struct err *e) MUST_CHECK;
/* It came to no result. */
int repo_recheck_failed(struct db *db, const struct task_end *end, wall_us now, struct err *e) MUST_CHECK;
/* Results about which two workers differ and nothing was done yet: id, first and second worker; 100 at most. */
int repo_recheck_differing(struct db *db, struct db_rows *out, struct err *e) MUST_CHECK;

#endif
