/* server/store/repo/repo_again.h: jobs that are simulated again although they have results. Inside a transaction
 * that holds the admission lock and has locked the live jobs of the run. */
#ifndef VIVACE_SERVER_DB_REPO_AGAIN_H
#define VIVACE_SERVER_DB_REPO_AGAIN_H

#include "server/store/db/db.h"
#include "wire/lease.h"

struct again_run {
    char state[16], simulator[WIRE_VERSION];
    bool cycle;
    bool looked; /* its rule has looked at results, or was settled by them */
};
/* Locks the run: 1; 0: there is none. */
int repo_again_run(struct db *db, const char *run, struct again_run *out, struct err *e) MUST_CHECK;
/* All jobs of the run are for this simulator from now on, and blocked: the caller heals those that waited for
 * them and admits them. *results: how many had one. What was worked out of those is deleted. */
int repo_again_restart(struct db *db, const char *run, const char *simulator, int64_t *results,
                       struct err *e) MUST_CHECK;

#endif
