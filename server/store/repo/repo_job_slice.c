#include "server/store/repo/repo_job_slice.h"

#include <stdio.h>

#include "server/store/repo/repo_job.h"
#include "server/store/repo/sql/statements.h"

static int plan_slice(struct db *db, struct err *e)
{
    struct db_params none = DB_PARAMS_INIT;

    return db_query(db, &sql_job_slice_planner, &none, NULL, e);
}

static int number_of(struct db *db, const struct db_stmt *stmt, const char *run, int64_t *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows q;

    db_text(&p, run);
    if (db_query(db, stmt, &p, &q, e) < 0)
        return -1;
    *out = q.count > 0 ? db_get_i64(&q, 0, 0) : 0;
    db_rows_release(&q);
    return 0;
}

int repo_job_unmade_next(struct db *db, struct unmade_run *out, struct err *e)
{
    struct db_params none = DB_PARAMS_INIT;
    struct db_rows q;
    int found;

    if (db_query(db, &sql_job_unmade_next, &none, &q, e) < 0)
        return -1;
    found = q.count > 0;
    if (found) {
        snprintf(out->run, sizeof out->run, "%s", db_get(&q, 0, 0));
        snprintf(out->plan, sizeof out->plan, "%s", db_get(&q, 0, 1));
        out->unmade = db_get_i64(&q, 0, 2);
        out->designs = db_get_i64(&q, 0, 3);
    }
    db_rows_release(&q);
    return found;
}

int repo_job_unmade_order(struct db *db, const struct unmade_run *r, struct sample_order *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows q;

    db_text(&p, r->run);
    db_text(&p, r->plan);
    if (repo_job_long_work(db, e) < 0 || db_query(db, &sql_job_unmade_order, &p, &q, e) < 0)
        return -1;
    if (q.count > 0) {
        strbuf_adds(&out->numbers, db_get(&q, 0, 0));
        strbuf_adds(&out->launches, db_get(&q, 0, 1));
    }
    db_rows_release(&q);
    return out->numbers.failed || out->launches.failed ? err_no_memory(e) : 0;
}

/* Adds the parameters $1 to $4 of the fragment `wanted`. */
static void wanted(struct db_params *p, const struct unmade_run *r, const struct sample_order *of)
{
    *p = (struct db_params)DB_PARAMS_INIT;
    db_text(p, r->run);
    db_text(p, r->plan);
    db_text(p, of->numbers.text);
    db_text(p, of->launches.text);
}

/* Locks the leaders of the keys of these samples. Returns 1 when there are leaders. None of them can end from here
 * on; the results of those that ended before are stored. */
static int hold_leaders(struct db *db, const struct unmade_run *r, const struct sample_order *of, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows q;
    int led;

    db_text(&p, r->run);
    led = db_any(db, &sql_job_slice_alone, &p, e);
    if (led != 0)
        return led < 0 ? -1 : 0;
    wanted(&p, r, of);
    if (db_query(db, &sql_job_slice_leaders, &p, &q, e) < 0)
        return -1;
    led = db_get_i64(&q, 0, 0) > 0;
    db_rows_release(&q);
    return led;
}

int repo_job_make_slice(struct db *db, const struct unmade_run *r, const struct sample_order *of, wall_us now,
                        int64_t *made, int64_t *cached, struct err *e)
{
    struct db_params p;
    struct db_rows q;
    int found, led;

    if (plan_slice(db, e) < 0 || (led = hold_leaders(db, r, of, e)) < 0)
        return -1;
    wanted(&p, r, of);
    db_time(&p, now);
    db_i64(&p, r->unmade);
    db_bool(&p, led > 0);
    if (db_query(db, &sql_job_slice_make, &p, &q, e) < 0)
        return -1;
    found = q.count > 0;
    if (found) {
        *made = db_get_i64(&q, 0, 0);
        *cached = db_get_i64(&q, 0, 1);
    }
    db_rows_release(&q);
    if (found)
        repo_job_count_hits((uint64_t)*cached);
    return found ? 0 : err_set(e, ERR_CONFLICT, "the run has changed while its jobs were being created");
}

int repo_job_missing(struct db *db, const char *run, int64_t *out, struct err *e)
{
    return number_of(db, &sql_job_missing, run, out, e);
}

int repo_job_set_unmade(struct db *db, const char *run, int64_t unmade, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, run);
    db_i64(&p, unmade);
    return db_query(db, &sql_job_set_unmade, &p, NULL, e);
}

int repo_job_cancel_next(struct db *db, char run[UUID_TEXT], int64_t *from, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows q;
    int found;

    db_text(&p, run);
    if (db_query(db, &sql_job_cancel_next, &p, &q, e) < 0)
        return -1;
    found = q.count > 0;
    if (found) {
        snprintf(run, UUID_TEXT, "%s", db_get(&q, 0, 0));
        *from = db_get_i64(&q, 0, 1);
    }
    db_rows_release(&q);
    return found;
}

int repo_job_cancel_from(struct db *db, const char *run, int64_t from, wall_us now, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    if (plan_slice(db, e) < 0)
        return -1;
    db_text(&p, run);
    db_i64(&p, from);
    db_time(&p, now);
    if (db_query(db, &sql_job_cancel_from, &p, NULL, e) < 0)
        return -1;
    p = (struct db_params)DB_PARAMS_INIT;
    db_text(&p, run);
    db_i64(&p, from);
    return db_query(db, &sql_job_cancel_next_from, &p, NULL, e);
}

int repo_job_last_seq(struct db *db, const char *run, int64_t *out, struct err *e)
{
    return number_of(db, &sql_job_last_seq, run, out, e);
}
