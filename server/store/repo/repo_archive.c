#include "server/store/repo/repo_archive.h"

#include "base/strbuf.h"
#include "server/store/repo/sql/statements.h"

#define SLICE_ROWS 1000 /* LIMIT of the statements below; the statements that list runs have LIMIT 50 */

/* A slice contains many small runs, because a statement costs as much for one run as for fifty. */

/* Runs a statement with an optional id (or array of ids) and an optional time. Returns the number of rows
 * written. */
static int64_t write_of(struct db *db, const struct db_stmt *stmt, const char *ids, const wall_us *now,
                        struct err *e)
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

static int next_runs(struct db *db, const struct db_stmt *stmt, wall_us before, struct db_rows *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_time(&p, before);
    return db_query(db, stmt, &p, out, e);
}

/* Ends the live jobs of cancelled runs. They exist if a server died while it cancelled the runs. `stmt` ends the
 * jobs of one run. */
static int64_t end_live(struct db *db, const struct db_stmt *stmt, const struct db_rows *runs, wall_us now,
                        struct err *e)
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

/* Writes one slice. stmts: [0] lists the runs that are due; [1] moves or deletes their rows; [2] closes the runs
 * without remaining rows, where each counts as a row; [3] ends live jobs of a run (NULL: none can exist), and runs
 * when the others wrote nothing. */
static int64_t slice_of(struct db *db, const struct db_stmt *const stmts[4], const struct db_rows *runs,
                        wall_us now, struct err *e)
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

static int slice_of_runs(struct db *db, const struct db_stmt *const stmts[4], wall_us before, wall_us now,
                         int64_t *rows, struct err *e)
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
    static const struct db_stmt *const stmts[] = {&sql_archive_next, &sql_archive_move, &sql_archive_close,
                                                  &sql_job_cancel_slice};

    return slice_of_runs(db, stmts, finished_before, now, moved, e);
}

int repo_archive_drop_jobs(struct db *db, wall_us finished_before, wall_us now, int64_t *dropped, struct err *e)
{
    static const struct db_stmt *const stmts[] = {&sql_archive_drop_next, &sql_archive_drop_jobs,
                                                  &sql_archive_drop_close, NULL};

    return slice_of_runs(db, stmts, finished_before, now, dropped, e);
}

int repo_archive_drop_attempts(struct db *db, wall_us ended_before, int64_t *dropped, struct err *e)
{
    *dropped = write_of(db, &sql_archive_drop_attempts, NULL, &ended_before, e);
    return *dropped < 0 ? -1 : 0;
}

int repo_archive_return(struct db *db, const char *run, struct err *e)
{
    static const struct db_stmt *const stmts[] = {&sql_archive_return_hold, &sql_archive_return_attempts,
                                                  &sql_archive_return_jobs, &sql_archive_return_tally,
                                                  &sql_archive_reopen};

    for (size_t i = 0; i < sizeof stmts / sizeof stmts[0]; i++) {
        if (write_of(db, stmts[i], run, NULL, e) < 0)
            return -1;
    }
    return 0;
}
