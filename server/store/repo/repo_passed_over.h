/* server/store/repo/repo_passed_over.h: skips a launch of a run that could not be simulated, at a user's request.
 * repo_interim.h has the launches that a run skips automatically. */
#ifndef VIVACE_SERVER_DB_REPO_PASSED_OVER_H
#define VIVACE_SERVER_DB_REPO_PASSED_OVER_H

#include "server/store/db/db.h"

struct failed_launch {
    int64_t launch, stratum;
    /* The number of other samples in the stratum that have a result or may get one: neither skipped nor failed. It
     * is the minimum over the designs on which the launch failed. */
    int64_t others;
    char noted[16]; /* "replaced", "dropped", or "" if not skipped */
};
/* Reads the launch of a failed job, also from the archive. Returns 1, or 0 when the job has not failed. */
int repo_passed_over_of_job(struct db *db, const char *job, struct failed_launch *out, struct err *e) MUST_CHECK;
/* Records the launch as skipped, or changes the existing record. Returns 1, or 0 when the job has not failed or
 * the same record exists. */
int repo_passed_over_note(struct db *db, const char *job, bool replaced, wall_us now, struct err *e) MUST_CHECK;
/* Deletes the record of a dropped launch, which is tried again. Returns 1, or 0 when it was not dropped. */
int repo_passed_over_forget(struct db *db, const char *job, struct err *e) MUST_CHECK;

#endif
