#include "server/db/repo_archive.h"

#include <stdio.h>

#define SLICE_ROWS   1000 /* LIMIT of the statements below */
#define RUNS_A_SLICE 50

extern const struct db_stmt repo_archive_stmts[];
const struct db_stmt repo_archive_stmts[] = {
    /* The oldest run that is over and not archived yet; projections come first, because they read its jobs. */
    {"archive_next", "SELECT id FROM run WHERE finished_at < $1::timestamptz AND finished_at IS NOT NULL"
                     "   AND archived_at IS NULL AND projected_version >= version"
                     " ORDER BY finished_at LIMIT 1"},
    /* A job that is still live, because its run was cancelled a moment ago, keeps the run here. */
    {"archive_move",
     "WITH slice AS (SELECT id FROM job WHERE run_id = $1::uuid AND state IN ('done', 'failed', 'cancelled')"
     "                ORDER BY seq LIMIT 1000 FOR UPDATE SKIP LOCKED),"
     "     kept AS (INSERT INTO attempt_archive SELECT a.* FROM slice s JOIN attempt a ON a.job_id = s.id"
     "              ON CONFLICT DO NOTHING),"
     "     gone AS (DELETE FROM job WHERE id IN (SELECT id FROM slice) RETURNING *)"
     " INSERT INTO job_archive SELECT * FROM gone"},
    {"archive_close",
     "UPDATE run r SET archived_at = $2::timestamptz, ended_counts = (SELECT json_build_object('blocked', 0, "
     "'ready',"
     "   0, 'leased', 0, 'done', count(*) FILTER (WHERE state = 'done'), 'failed', count(*) FILTER (WHERE"
     "   state = 'failed'), 'cancelled', count(*) FILTER (WHERE state = 'cancelled')) FROM job_archive"
     "   WHERE run_id = r.id)"
     " WHERE id = $1::uuid AND finished_at IS NOT NULL AND NOT EXISTS (SELECT 1 FROM job WHERE run_id = $1::uuid)"},
    {"archive_drop_next",
     "SELECT id FROM run WHERE finished_at < $1::timestamptz AND archived_at IS NOT NULL AND dropped_at IS NULL"
     " ORDER BY finished_at LIMIT 1"},
    {"archive_drop_jobs", "DELETE FROM job_archive WHERE run_id = $1::uuid AND seq IN (SELECT seq FROM job_archive"
                          " WHERE run_id = $1::uuid ORDER BY seq LIMIT 1000)"},
    {"archive_drop_close", "UPDATE run SET dropped_at = $2::timestamptz WHERE id = $1::uuid"},
    {"archive_drop_attempts",
     "DELETE FROM attempt_archive WHERE (job_id, number) IN (SELECT job_id, number FROM attempt_archive"
     " WHERE ended_at < $1::timestamptz ORDER BY ended_at LIMIT 1000)"},
    {"archive_return_attempts", "INSERT INTO attempt SELECT a.* FROM job_archive j JOIN attempt_archive a"
                                " ON a.job_id = j.id WHERE j.run_id = $1::uuid ON CONFLICT DO NOTHING"},
    {"archive_return_jobs", "WITH back AS (DELETE FROM job_archive WHERE run_id = $1::uuid RETURNING *) INSERT "
                            "INTO job SELECT * FROM back"},
    {"archive_reopen", "UPDATE run SET archived_at = NULL, ended_counts = NULL WHERE id = $1::uuid"},
    {NULL, NULL},
};

/* Rows that a statement with an id, and a time where there is one, wrote. */
static int64_t write_of(struct db *db, const char *stmt, const char *id, const wall_us *now, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows q;
    int64_t n;

    if (id)
        db_text(&p, id);
    if (now)
        db_time(&p, *now);
    if (db_query(db, stmt, &p, &q, e) < 0)
        return -1;
    n = q.affected;
    db_rows_release(&q);
    return n;
}

/* 1: id filled; 0: no run is due. */
static int next_run(struct db *db, const char *stmt, wall_us before, char id[UUID_TEXT], struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows q;
    int found;

    db_time(&p, before);
    if (db_query(db, stmt, &p, &q, e) < 0)
        return -1;
    found = q.count > 0;
    if (found)
        snprintf(id, UUID_TEXT, "%s", db_get(&q, 0, 0));
    db_rows_release(&q);
    return found;
}

/* A slice of one run; once nothing of it is left, the run is closed, which counts as one row. */
static int slice_of(struct db *db, const char *const stmts[4], wall_us before, wall_us now, int64_t *rows,
                    struct err *e)
{
    char id[UUID_TEXT];
    int found = next_run(db, stmts[0], before, id, e);

    *rows = 0;
    if (found <= 0)
        return found;
    *rows = write_of(db, stmts[1], id, NULL, e);
    if (*rows < 0)
        return -1;
    if (*rows < SLICE_ROWS) {
        int64_t closed = write_of(db, stmts[2], id, &now, e);

        *rows = closed < 0 ? -1 : *rows + closed;
    }
    if (*rows == 0 && stmts[3]) /* a server died while it cancelled the run */
        *rows = write_of(db, stmts[3], id, &now, e);
    return *rows < 0 ? -1 : 0;
}

/* Many small runs share a transaction, as they would one large one. */
static int slice_of_runs(struct db *db, const char *const stmts[4], wall_us before, wall_us now, int64_t *all,
                         struct err *e)
{
    int64_t rows = 1;

    *all = 0;
    for (int runs = 0; rows > 0 && runs < RUNS_A_SLICE && *all < SLICE_ROWS; runs++) {
        if (slice_of(db, stmts, before, now, &rows, e) < 0)
            return -1;
        *all += rows;
    }
    return 0;
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
    static const char *const stmts[] = {"archive_return_attempts", "archive_return_jobs", "archive_reopen"};

    for (size_t i = 0; i < sizeof stmts / sizeof stmts[0]; i++) {
        if (write_of(db, stmts[i], run, NULL, e) < 0)
            return -1;
    }
    return 0;
}
