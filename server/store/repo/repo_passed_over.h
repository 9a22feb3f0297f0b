/* server/store/repo/repo_passed_over.h: a launch that could not be simulated, taken out of its run by somebody.
 * Those that a run takes out on its own: repo_look.h. */
#ifndef VIVACE_SERVER_DB_REPO_PASSED_OVER_H
#define VIVACE_SERVER_DB_REPO_PASSED_OVER_H

#include "server/store/db/db.h"

struct failed_launch {
    int64_t launch, stratum;
    /* Other samples of its stratum that have a result or may get one: neither skipped nor failed, on that of
     * the designs on which it failed where they are fewest. */
    int64_t others;
    char noted[16]; /* "replaced", "dropped", or "" */
};
/* The launch of a failed job, also of one in the archive: 1 found, 0 the job has not failed. */
int repo_passed_over_of_job(struct db *db, const char *job, struct failed_launch *out, struct err *e) MUST_CHECK;
/* Notes it, or notes otherwise what was noted before. 1 done, 0 the job has not failed, or that is noted already.
 */
int repo_passed_over_note(struct db *db, const char *job, bool replaced, wall_us now, struct err *e) MUST_CHECK;
/* It was dropped and is tried again: 1, or 0 where it was not dropped. */
int repo_passed_over_forget(struct db *db, const char *job, struct err *e) MUST_CHECK;

#endif
