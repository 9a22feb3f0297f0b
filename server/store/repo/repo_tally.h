/* server/store/repo/repo_tally.h: how many jobs of a run are in each state, without counting them (schema/0480).
 * Triggers add a row for each statement that changes jobs, in the same transaction; the sum is exact at any time.
 */
#ifndef VIVACE_SERVER_DB_REPO_TALLY_H
#define VIVACE_SERVER_DB_REPO_TALLY_H

#include "server/store/db/db.h"

/* Sums of the rows t of one run or of several; without unmade jobs of a large run. */
#define TALLY(state) "coalesce(sum(t." state "), 0)::bigint"
#define JOBS_BY_STATE                                                                                              \
    TALLY("blocked")                                                                                               \
    " AS blocked, " TALLY("ready") " AS ready, " TALLY("leased") " AS leased, " TALLY("done") " AS done, " TALLY(  \
        "failed") " AS failed, " TALLY("cancelled") " AS cancelled"
/* Of run `r`: json, jobs by state; those that are still to be created are blocked. */
#define RUN_COUNTS_JSON                                                                                            \
    "coalesce(r.ended_counts, (SELECT json_build_object('blocked', r.unmade + s.blocked, 'ready', s.ready,"        \
    " 'leased', s.leased, 'done', s.done, 'failed', s.failed, 'cancelled', s.cancelled)"                           \
    " FROM (SELECT " JOBS_BY_STATE " FROM job_tally t WHERE t.run_id = r.id) s))"

/* Rows that were added since become one a run. In a transaction of its own. */
int repo_tally_fold(struct db *db, struct err *e) MUST_CHECK;

#endif
