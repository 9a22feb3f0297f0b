#include "server/store/repo/repo_tally.h"

extern const struct db_stmt repo_tally_stmts[];
const struct db_stmt repo_tally_stmts[] = {
    /* Of a run that is archived or deleted nothing is kept. */
    {"tally_fold",
     "WITH gone AS (DELETE FROM job_tally WHERE run_id IN (SELECT run_id FROM job_tally WHERE NOT folded)"
     "               RETURNING *),"
     " s AS (SELECT t.run_id, " JOBS_BY_STATE " FROM gone t GROUP BY t.run_id)"
     " INSERT INTO job_tally SELECT s.*, true FROM s JOIN run r ON r.id = s.run_id WHERE r.archived_at IS NULL"
     "   AND (s.blocked, s.ready, s.leased, s.done, s.failed, s.cancelled) <> (0, 0, 0, 0, 0, 0)"},
    {NULL, NULL},
};

int repo_tally_fold(struct db *db, struct err *e)
{
    struct db_params none = DB_PARAMS_INIT;

    return db_query(db, "tally_fold", &none, NULL, e);
}
