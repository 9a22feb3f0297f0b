#include "server/store/repo/repo_again.h"

#include <stdio.h>

#include "server/store/repo/repo_again_sql.h"

extern const struct db_stmt repo_again_stmts[];
const struct db_stmt repo_again_stmts[] = {
    {"again_run", "SELECT r.state, r.simulator, r.engine = 'cycle', EXISTS (SELECT FROM look WHERE run_id = r.id)"
                  "    OR coalesce((SELECT settled FROM run_rule WHERE run_id = r.id), false)"
                  "  FROM run r WHERE r.id = $1::uuid FOR NO KEY UPDATE OF r"},
    {"again_long_work", "SELECT set_config('statement_timeout', '120s', true)"},
    {"again_results", "SELECT count(*) FROM job WHERE run_id = $1::uuid AND result_id IS NOT NULL"},
    {"again_restart_jobs",
     "UPDATE job j SET state = 'blocked', finished_at = NULL, " JOB_ANEW
     ", key = CASE WHEN j.trace_sha256 IS NOT NULL"
     "       THEN result_key_cycle(j.trace_sha256, d.design_sha256, $2, r.inside_kernels) END"
     "  FROM run_design d, run r WHERE j.run_id = $1::uuid AND r.id = j.run_id AND d.run_id = j.run_id"
     "   AND d.number = j.design"
     "   AND j.state <> 'cancelled'"},
    {"again_restart_run",
     "WITH dropped AS (DELETE FROM run_passed_over WHERE run_id = $1::uuid AND NOT replaced)," RESULTS_FORGOTTEN(
         "ARRAY[$1::uuid]") " UPDATE run SET simulator = $2, version = version + 1, cached = 0, done = 0, eta_s = "
                            "NULL, eta_error_s = NULL, half_said = false, promise_said = false, strata_said = 0"
                            " WHERE id = $1::uuid"},
    {NULL, NULL},
};

int repo_again_run(struct db *db, const char *run, struct again_run *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows q;
    int found;

    db_text(&p, run);
    if (db_query(db, "again_run", &p, &q, e) < 0)
        return -1;
    found = q.count > 0;
    if (found) {
        snprintf(out->state, sizeof out->state, "%s", db_get(&q, 0, 0));
        snprintf(out->simulator, sizeof out->simulator, "%s", db_get(&q, 0, 1));
        out->cycle = db_get_bool(&q, 0, 2);
        out->looked = db_get_bool(&q, 0, 3);
    }
    db_rows_release(&q);
    return found;
}

static int count_results(struct db *db, const char *run, int64_t *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows q;

    db_text(&p, run);
    if (db_query(db, "again_results", &p, &q, e) < 0)
        return -1;
    *out = db_get_i64(&q, 0, 0);
    db_rows_release(&q);
    return 0;
}

int repo_again_restart(struct db *db, const char *run, const char *simulator, int64_t *results, struct err *e)
{
    struct db_params none = DB_PARAMS_INIT, p = DB_PARAMS_INIT;

    db_text(&p, run);
    db_text(&p, simulator);
    if (db_query(db, "again_long_work", &none, NULL, e) < 0 || count_results(db, run, results, e) < 0 ||
        db_query(db, "again_restart_jobs", &p, NULL, e) < 0)
        return -1;
    return db_query(db, "again_restart_run", &p, NULL, e);
}
