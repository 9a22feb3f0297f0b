/* server/store/repo/repo_job_list.h: jobs of a run as pages show them. */
#ifndef VIVACE_SERVER_DB_REPO_JOB_LIST_H
#define VIVACE_SERVER_DB_REPO_JOB_LIST_H

#include "base/strbuf.h"
#include "server/store/db/db.h"

/* Which jobs: NULL and, for the stratum, less than 0 are all. state: its name; worker: who has the job, or had it
 * last. Pages of one state or of all cost as much as they show, whatever the run has; those of a worker as many
 * jobs as it has had; one of a design or a stratum looks at jobs in their order until it is full. */
struct job_filter {
    const char *state, *design, *worker;
    int64_t stratum;
};
/* Rows: JSON text, cursor. after: a cursor, or -1. */
int repo_job_list(struct db *db, const char *run, const struct job_filter *of, int64_t after, uint64_t limit,
                  struct db_rows *out, struct err *e) MUST_CHECK;
/* One job with its attempts. 1, or 0: there is none. */
int repo_job_json(struct db *db, const char *job, struct strbuf *out, struct err *e) MUST_CHECK;

#endif
