/* server/store/repo/repo_again.h: simulates jobs again that already have results. Call inside a transaction that
 * holds the admission lock and has locked the live jobs of the run. */
#ifndef VIVACE_SERVER_DB_REPO_AGAIN_H
#define VIVACE_SERVER_DB_REPO_AGAIN_H

#include "server/store/db/db.h"
#include "wire/lease.h"

struct again_run {
    char state[16], simulator[WIRE_VERSION];
    bool cycle;
    bool looked; /* an interim analysis of its stopping rule has used the results */
};
/* Locks the run. Returns 1, or 0 when it does not exist. */
int repo_again_run(struct db *db, const char *run, struct again_run *out, struct err *e) MUST_CHECK;
/* Assigns this simulator version to all jobs of the run and blocks them. The caller then reconciles the jobs that
 * waited for them (repo_job_reconcile()) and admits the jobs. *results: the number of jobs that had a result.
 * Deletes everything that was computed from these results. */
int repo_again_restart(struct db *db, const char *run, const char *simulator, int64_t *results,
                       struct err *e) MUST_CHECK;

#endif
