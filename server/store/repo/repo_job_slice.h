/* server/store/repo/repo_job_slice.h: jobs of large runs, some thousand at a time, each slice in a transaction of
 * its own, so that nobody waits for long. The rest is counted in the run's row: the next leader goes on. */
#ifndef VIVACE_SERVER_DB_REPO_JOB_SLICE_H
#define VIVACE_SERVER_DB_REPO_JOB_SLICE_H

#include <stdint.h>

#include "base/clock.h"
#include "base/strbuf.h"
#include "server/store/db/db.h"

#define JOBS_AT_ONCE 4000 /* a run with more of them is created in slices */

/* --- Creating --- */

struct unmade_run {
    char run[UUID_TEXT], plan[UUID_TEXT];
    int64_t unmade, designs;
};
/* The oldest run that has jobs to be created: 1, or 0 where there is none. */
int repo_job_unmade_next(struct db *db, struct unmade_run *out, struct err *e) MUST_CHECK;
struct sample_order { /* numbers with commas between, as many in each; "{1,2,3}" where they are parameters */
    struct strbuf numbers, launches;
};
#define SAMPLE_ORDER_INIT                                                                                          \
    {                                                                                                              \
        .numbers = STRBUF_INIT, .launches = STRBUF_INIT                                                            \
    }
/* Samples of the plan that have no job in the run, in the order of their jobs. Inside a transaction. */
int repo_job_unmade_order(struct db *db, const struct unmade_run *r, struct sample_order *out,
                          struct err *e) MUST_CHECK;
/* Creates and admits the jobs of these samples, inside a transaction with the admission lock. -1 with ERR_CONFLICT:
 * the run is no longer as it was. *made, *cached: jobs, and those of them that were done at once. */
int repo_job_make_slice(struct db *db, const struct unmade_run *r, const struct sample_order *of, wall_us now,
                        int64_t *made, int64_t *cached, struct err *e) MUST_CHECK;
/* Jobs that the run's plan wants and that do not exist yet. */
int repo_job_missing(struct db *db, const char *run, int64_t *out, struct err *e) MUST_CHECK;
int repo_job_set_unmade(struct db *db, const char *run, int64_t unmade, struct err *e) MUST_CHECK;

/* --- Cancelling: of runs that are cancelled --- */

/* A run that has jobs to be cancelled, and from which seq on: 1, or 0 where there is none. run: given, or "" for
 * the oldest. */
int repo_job_cancel_next(struct db *db, char run[UUID_TEXT], int64_t *from, struct err *e) MUST_CHECK;
/* Inside a transaction. */
int repo_job_cancel_from(struct db *db, const char *run, int64_t from, wall_us now, struct err *e) MUST_CHECK;

/* --- Admitting --- */

int repo_job_last_seq(struct db *db, const char *run, int64_t *out, struct err *e) MUST_CHECK; /* -1: it has none */

#endif
