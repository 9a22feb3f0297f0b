#include "server/store/repo/repo_archive.h"

#include "base/strbuf.h"
#include "server/store/repo/repo_tally.h"

#define SLICE_ROWS 1000 /* LIMIT of the statements below; that of runs is 50 */

/* Many small runs share a slice, and its statements: each costs as much for fifty of them as for one. */
extern const struct db_stmt repo_archive_stmts[];
const struct db_stmt repo_archive_stmts[] = {
    /* The oldest runs that are over and not archived yet; projections come first, because they read its jobs. Held
     * until the slice is written, so that nobody takes them up again meanwhile. */
    {"archive_next", "SELECT id FROM run WHERE finished_at < $1::timestamptz AND finished_at IS NOT NULL"
                     "   AND archived_at IS NULL AND projected_version >= version"
                     " ORDER BY finished_at LIMIT 50 FOR NO KEY UPDATE SKIP LOCKED"},
    /* A job that is still live, because its run was cancelled a moment ago, keeps the run here. */
    {"archive_move",
     "WITH slice AS (SELECT id FROM job WHERE run_id = ANY($1::uuid[]) AND state IN ('done', 'failed', 'cancelled')"
     "                LIMIT 1000 FOR UPDATE SKIP LOCKED),"
     "     kept AS (INSERT INTO attempt_archive SELECT a.* FROM slice s JOIN attempt a ON a.job_id = s.id"
     "              ON CONFLICT DO NOTHING),"
     "     gone AS (DELETE FROM job WHERE id IN (SELECT id FROM slice) RETURNING *)"
     " INSERT INTO job_archive SELECT * FROM gone"},
    {"archive_close",
     "WITH empty AS (SELECT id FROM run WHERE id = ANY($1::uuid[]) AND finished_at IS NOT NULL"
     "                  AND NOT EXISTS (SELECT FROM job WHERE run_id = run.id) ORDER BY id FOR UPDATE)"
     " UPDATE run r SET archived_at = $2::timestamptz, ended_counts = " RUN_COUNTS_JSON
     "   FROM empty WHERE r.id = empty.id"},
    {"archive_drop_next",
     "SELECT id FROM run WHERE finished_at < $1::timestamptz AND archived_at IS NOT NULL AND dropped_at IS NULL"
     " ORDER BY finished_at LIMIT 50"},
    {"archive_drop_jobs", "DELETE FROM job_archive WHERE (run_id, seq) IN (SELECT run_id, seq FROM job_archive"
                          " WHERE run_id = ANY($1::uuid[]) LIMIT 1000)"},
    {"archive_drop_close",
     "WITH empty AS (SELECT id FROM run WHERE id = ANY($1::uuid[]) AND archived_at IS NOT NULL"
     "                  AND NOT EXISTS (SELECT FROM job_archive WHERE run_id = run.id) ORDER BY id FOR UPDATE)"
     " UPDATE run r SET dropped_at = $2::timestamptz FROM empty WHERE r.id = empty.id"},
    {"archive_drop_attempts",
     "DELETE FROM attempt_archive WHERE (job_id, number) IN (SELECT job_id, number FROM attempt_archive"
     " WHERE ended_at < $1::timestamptz ORDER BY ended_at LIMIT 1000)"},
    /* After the slice that may be moving its jobs now: what that wrote is seen by the statements behind this one.
     */
    {"archive_return_hold", "SELECT FROM run WHERE id = $1::uuid FOR NO KEY UPDATE"},
    {"archive_return_attempts", "INSERT INTO attempt SELECT a.* FROM job_archive j JOIN attempt_archive a"
                                " ON a.job_id = j.id WHERE j.run_id = $1::uuid ON CONFLICT DO NOTHING"},
    {"archive_return_jobs", "WITH back AS (DELETE FROM job_archive WHERE run_id = $1::uuid RETURNING *) INSERT "
                            "INTO job SELECT * FROM back"},
    /* Some of them may have been deleted in the archive. */
    {"archive_return_tally",
     "WITH old AS (DELETE FROM job_tally WHERE run_id = $1::uuid)"
     " INSERT INTO job_tally SELECT run_id, count(*) FILTER (WHERE state = 'blocked'),"
     "   count(*) FILTER (WHERE state = 'ready'), count(*) FILTER (WHERE state = 'leased'),"
     "   count(*) FILTER (WHERE state = 'done'), count(*) FILTER (WHERE state = 'failed'),"
     "   count(*) FILTER (WHERE state = 'cancelled') FROM job WHERE run_id = $1::uuid GROUP BY run_id"},
    {"archive_reopen", "UPDATE run SET archived_at = NULL, ended_counts = NULL WHERE id = $1::uuid"},
    {NULL, NULL},
};

/* Rows that a statement with an id, or several, and a time where there is one, wrote. */
static int64_t write_of(struct db *db, const char *stmt, const char *ids, const wall_us *now, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows q;
    int64_t n;

    if (ids)
        db_text(&p, ids);
    if (now)
        db_time(&p, *now);
    if (db_query(db, stmt, &p, &q, e) < 0)
        return -1;
    n = q.affected;
    db_rows_release(&q);
    return n;
}

static int next_runs(struct db *db, const char *stmt, wall_us before, struct db_rows *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_time(&p, before);
    return db_query(db, stmt, &p, out, e);
}

/* Where a server died while it cancelled runs, their jobs are live: the runs that stay open, and `stmt` ends such
 * jobs of one. */
static int64_t end_live(struct db *db, const char *stmt, const struct db_rows *runs, wall_us now, struct err *e)
{
    int64_t all = 0;

    for (int i = 0; i < runs->count; i++) {
        int64_t n = write_of(db, stmt, db_get(runs, i, 0), &now, e);

        if (n < 0)
            return -1;
        all += n;
    }
    return all;
}

/* stmts: which runs are due; what moves or deletes rows of them; what closes those that have none left, which
 * counts as a row each; what ends live jobs of a run (NULL: it has none), when nothing else is to be done. */
static int64_t slice_of(struct db *db, const char *const stmts[4], const struct db_rows *runs, wall_us now,
                        struct err *e)
{
    struct strbuf ids = STRBUF_INIT;
    int64_t rows, closed = 0;

    db_array_begin(&ids);
    for (int i = 0; i < runs->count; i++)
        db_array_add(&ids, db_get(runs, i, 0));
    db_array_end(&ids);
    rows = ids.failed ? err_no_memory(e) : write_of(db, stmts[1], ids.text, NULL, e);
    if (rows >= 0 && rows < SLICE_ROWS)
        closed = write_of(db, stmts[2], ids.text, &now, e);
    strbuf_release(&ids);
    if (rows < 0 || closed < 0)
        return -1;
    return rows + closed == 0 && stmts[3] ? end_live(db, stmts[3], runs, now, e) : rows + closed;
}

static int slice_of_runs(struct db *db, const char *const stmts[4], wall_us before, wall_us now, int64_t *rows,
                         struct err *e)
{
    struct db_rows runs;

    if (next_runs(db, stmts[0], before, &runs, e) < 0)
        return -1;
    *rows = runs.count > 0 ? slice_of(db, stmts, &runs, now, e) : 0;
    db_rows_release(&runs);
    return *rows < 0 ? -1 : 0;
}

int repo_archive_slice(struct db *db, wall_us finished_before, wall_us now, int64_t *moved, struct err *e)
{
    static const char *const stmts[] = {"archive_next", "archive_move", "archive_close", "job_cancel_slice"};

    return slice_of_runs(db, stmts, finished_before, now, moved, e);
}

int repo_archive_drop_jobs(struct db *db, wall_us finished_before, wall_us now, int64_t *dropped, struct err *e)
{
    static const char *const stmts[] = {"archive_drop_next", "archive_drop_jobs", "archive_drop_close", NULL};

    return slice_of_runs(db, stmts, finished_before, now, dropped, e);
}

int repo_archive_drop_attempts(struct db *db, wall_us ended_before, int64_t *dropped, struct err *e)
{
    *dropped = write_of(db, "archive_drop_attempts", NULL, &ended_before, e);
    return *dropped < 0 ? -1 : 0;
}

int repo_archive_return(struct db *db, const char *run, struct err *e)
{
    static const char *const stmts[] = {"archive_return_hold", "archive_return_attempts", "archive_return_jobs",
                                        "archive_return_tally", "archive_reopen"};

    for (size_t i = 0; i < sizeof stmts / sizeof stmts[0]; i++) {
        if (write_of(db, stmts[i], run, NULL, e) < 0)
            return -1;
    }
    return 0;
}
