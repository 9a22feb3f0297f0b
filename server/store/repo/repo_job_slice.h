/* server/store/repo/repo_job_slice.h: creates and cancels the jobs of large runs in slices of some thousands. Each
 * slice has its own transaction, so that others wait only briefly. The run's row has the number of the remaining
 * jobs, so that the next leader can continue. */
#ifndef VIVACE_SERVER_DB_REPO_JOB_SLICE_H
#define VIVACE_SERVER_DB_REPO_JOB_SLICE_H

#include <stdint.h>

#include "base/clock.h"
#include "base/strbuf.h"
#include "server/store/db/db.h"

#define JOBS_AT_ONCE 4000 /* a run with more of them is created in slices */

/* --- Creation --- */

struct unmade_run {
    char run[UUID_TEXT], plan[UUID_TEXT];
    int64_t unmade, designs;
};
/* Finds the oldest run whose jobs are not all created. Returns 1, or 0 when there is none. */
int repo_job_unmade_next(struct db *db, struct unmade_run *out, struct err *e) MUST_CHECK;
struct sample_order { /* parallel lists as text, separated by commas, of equal length; "{1,2,3}" in parameters */
    struct strbuf numbers, launches;
};
#define SAMPLE_ORDER_INIT                                                                                          \
    {                                                                                                              \
        .numbers = STRBUF_INIT, .launches = STRBUF_INIT                                                            \
    }
/* Lists the plan's samples that have no job in the run, in the order of the jobs. Call inside a transaction. */
int repo_job_unmade_order(struct db *db, const struct unmade_run *r, struct sample_order *out,
                          struct err *e) MUST_CHECK;
/* Creates and admits the jobs of these samples. Call inside a transaction with the admission lock. *made: number
 * of jobs. *cached: those whose result existed. ERR_CONFLICT: the run has changed since. */
int repo_job_make_slice(struct db *db, const struct unmade_run *r, const struct sample_order *of, wall_us now,
                        int64_t *made, int64_t *cached, struct err *e) MUST_CHECK;
/* The number of jobs of the run's plan that do not exist yet. */
int repo_job_missing(struct db *db, const char *run, int64_t *out, struct err *e) MUST_CHECK;
int repo_job_set_unmade(struct db *db, const char *run, int64_t unmade, struct err *e) MUST_CHECK;

/* --- Cancellation of the jobs of cancelled runs --- */

/* Finds a run with jobs to cancel, and the first seq to cancel. Returns 1, or 0 when there is none. run: the id,
 * or "" for the oldest such run. */
int repo_job_cancel_next(struct db *db, char run[UUID_TEXT], int64_t *from, struct err *e) MUST_CHECK;
/* Call inside a transaction. */
int repo_job_cancel_from(struct db *db, const char *run, int64_t from, wall_us now, struct err *e) MUST_CHECK;

/* --- Admission --- */

int repo_job_last_seq(struct db *db, const char *run, int64_t *out, struct err *e) MUST_CHECK; /* -1: no jobs */

#endif
