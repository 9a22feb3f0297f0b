#include "server/store/repo/repo_passed_over.h"

#include <stdio.h>

#include "server/store/repo/repo_archive.h"

#define JOB_FROM                                                                                                   \
    "  FROM " JOBS_OF_ALL " j JOIN run r ON r.id = j.run_id"                                                       \
    "  JOIN sample s ON s.plan_id = r.plan_id AND s.number = j.sample"
#define NOTED(launch) " run_passed_over x WHERE x.run_id = r.id AND x.invocation = " launch
/* Of the job's stratum, and not passed over. */
#define OTHER                                                                                                      \
    "o.plan_id = r.plan_id AND o.stratum = s.stratum AND o.invocation <> s.invocation"                             \
    " AND NOT EXISTS (SELECT FROM" NOTED("o.invocation") ")"

extern const struct db_stmt repo_passed_over_stmts[];
const struct db_stmt repo_passed_over_stmts[] = {
    {"passed_over_of_job",
     "SELECT s.invocation, s.stratum,"
     "  (SELECT count(*) FROM sample o WHERE " OTHER ") - coalesce((SELECT max(n) FROM (SELECT count(*) AS n"
     "     FROM " JOBS_OF_ALL " q JOIN sample o ON o.number = q.sample WHERE " OTHER
     "      AND q.run_id = r.id AND q.state = 'failed' AND q.design IN (SELECT design FROM " JOBS_OF_ALL
     "       f WHERE f.run_id = r.id AND f.sample = j.sample AND f.state = 'failed') GROUP BY q.design) g), 0),"
     "  coalesce((SELECT CASE WHEN replaced THEN 'replaced' ELSE 'dropped' END FROM" NOTED(
         "s.invocation") "), '')" JOB_FROM " WHERE j.id = $1::uuid AND j.state = 'failed'"},
    {"passed_over_note",
     "INSERT INTO run_passed_over (run_id, invocation, stratum, design, failure, failure_text, replaced, at)"
     " SELECT r.id, s.invocation, s.stratum, d.name, j.failure, j.failure_text, $2::boolean, "
     "$3::timestamptz" JOB_FROM " JOIN run_design d ON d.run_id = r.id AND d.number = j.design"
     " WHERE j.id = $1::uuid AND j.state = 'failed'"
     " ON CONFLICT (run_id, invocation) DO UPDATE SET replaced = excluded.replaced, at = excluded.at"
     "  WHERE run_passed_over.replaced <> excluded.replaced"},
    {"passed_over_forget",
     "DELETE FROM run_passed_over x USING job j, run r, sample s WHERE j.id = $1::uuid AND r.id = j.run_id"
     "   AND s.plan_id = r.plan_id AND s.number = j.sample AND x.run_id = r.id AND x.invocation = s.invocation"
     "   AND NOT x.replaced"},
    {NULL, NULL},
};

int repo_passed_over_of_job(struct db *db, const char *job, struct failed_launch *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows q;
    int found;

    db_text(&p, job);
    if (db_query(db, "passed_over_of_job", &p, &q, e) < 0)
        return -1;
    found = q.count > 0;
    if (found) {
        out->invocation = db_get_i64(&q, 0, 0);
        out->stratum = db_get_i64(&q, 0, 1);
        out->others = db_get_i64(&q, 0, 2);
        snprintf(out->noted, sizeof out->noted, "%s", db_get(&q, 0, 3));
    }
    db_rows_release(&q);
    return found;
}

int repo_passed_over_note(struct db *db, const char *job, bool replaced, wall_us now, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, job);
    db_bool(&p, replaced);
    db_time(&p, now);
    return db_any(db, "passed_over_note", &p, e);
}

int repo_passed_over_forget(struct db *db, const char *job, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, job);
    return db_any(db, "passed_over_forget", &p, e);
}
