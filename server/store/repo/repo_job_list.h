/* server/store/repo/repo_job_list.h: lists of a run's jobs for the API. */
#ifndef VIVACE_SERVER_DB_REPO_JOB_LIST_H
#define VIVACE_SERVER_DB_REPO_JOB_LIST_H

#include "base/strbuf.h"
#include "server/store/db/db.h"

/* The filter. NULL and a negative stratum mean all. state: the name of a state. worker: the worker that has the
 * job or had it last. The cost of a page of one state or of all states depends only on its length. The cost with a
 * worker depends on the number of jobs that the worker has had. With a design or stratum, jobs are read in order
 * until the page is full. */
struct job_filter {
    const char *state, *design, *worker;
    int64_t stratum;
};
/* Rows: JSON text, cursor. after: the cursor of the previous page, or -1. */
int repo_job_list(struct db *db, const char *run, const struct job_filter *of, int64_t after, uint64_t limit,
                  struct db_rows *out, struct err *e) MUST_CHECK;
/* One job with its attempts. Returns 1, or 0 when it does not exist. */
int repo_job_json(struct db *db, const char *job, struct strbuf *out, struct err *e) MUST_CHECK;

#endif
