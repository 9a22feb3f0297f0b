#include "server/store/repo/repo_interim.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "server/store/repo/sql/statements.h"
#include "wire/json.h"

/* --- Stopping rules --- */

static const char *const budget_units[] = {"", "seconds", "jobs", "money"};

static double or_null(double x)
{
    return x > 0 ? x : NAN;
}

int repo_interim_put_rule(struct db *db, const char *run, const struct rule_row *r, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, run);
    db_double(&p, or_null(r->error));
    db_double(&p, r->confidence);
    db_double(&p, or_null(r->resolve));
    db_i64(&p, r->baseline);
    db_double(&p, or_null(r->budget));
    db_text(&p, budget_units[r->budget_in]);
    db_double(&p, or_null(r->price_per_s));
    db_i64(&p, r->analyses);
    db_bool(&p, r->ask);
    db_bool(&p, r->redraw);
    return db_query(db, &sql_interim_put_rule, &p, NULL, e);
}

static void read_rule(const struct db_rows *q, struct rule_row *r)
{
    r->error = db_get_double(q, 0, 0);
    r->resolve = db_get_double(q, 0, 1);
    r->confidence = db_get_double(q, 0, 2);
    r->budget = db_get_double(q, 0, 3);
    for (int i = 0; i <= SPEND_MONEY; i++)
        if (strcmp(db_get(q, 0, 4), budget_units[i]) == 0)
            r->budget_in = (enum spend_unit)i;
    r->price_per_s = db_get_double(q, 0, 5);
    r->baseline = (int)db_get_i64(q, 0, 6);
    r->analyses = (int)db_get_i64(q, 0, 7);
    r->ask = db_get_bool(q, 0, 8);
    r->redraw = db_get_bool(q, 0, 9);
    r->settled = db_get_bool(q, 0, 10);
}

static int of_run(struct db *db, const struct db_stmt *stmt, const char *run, struct db_rows *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, run);
    return db_query(db, stmt, &p, out, e);
}

int repo_interim_rule(struct db *db, const char *run, struct rule_row *out, struct err *e)
{
    struct db_rows q;
    int found;

    *out = (struct rule_row){.error = 0};
    if (of_run(db, &sql_interim_rule, run, &q, e) < 0)
        return -1;
    found = q.count > 0;
    if (found)
        read_rule(&q, out);
    db_rows_release(&q);
    return found;
}

int repo_interim_settle(struct db *db, const char *run, struct err *e)
{
    return of_run(db, &sql_interim_settle, run, NULL, e);
}

/* --- Interim analyses --- */

static int put_promise(struct db *db, const struct interim_row *row, size_t i, struct err *e)
{
    const struct interim_promise *m = &row->analysis->promises[i];
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, row->run);
    db_i64(&p, row->analysis->number);
    db_i64(&p, (int64_t)i);
    db_i64(&p, (int64_t)m->design);
    db_bool(&p, m->difference);
    db_double(&p, m->value);
    db_double(&p, m->half_width);
    db_double(&p, m->once);
    db_double(&p, m->wanted);
    db_double(&p, isinf(m->df) ? NAN : m->df);
    db_double(&p, m->level);
    db_double(&p, m->spent.information);
    db_double(&p, m->spent.bound);
    db_double(&p, m->spent.spent);
    db_bool(&p, m->trusted);
    db_bool(&p, m->kept);
    return db_query(db, &sql_interim_put_promise, &p, NULL, e);
}

static int put_analysis(struct db *db, const struct interim_row *row, const char *reason, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, row->run);
    db_i64(&p, row->analysis->number);
    db_text(&p, row->plan);
    db_time(&p, row->at);
    db_i64(&p, row->jobs);
    db_double(&p, row->spent_s);
    db_text(&p, row->unit);
    db_text(&p, interim_decision_name(row->analysis->decision));
    db_text(&p, reason);
    db_text(&p, row->next_plan);
    db_i64(&p, row->extra_jobs);
    db_double(&p, row->extra_s);
    db_text(&p, row->changes);
    db_text(&p, row->answer);
    return db_query(db, &sql_interim_put, &p, NULL, e);
}

int repo_interim_put(struct db *db, const struct interim_row *row, struct err *e)
{
    struct strbuf reason = STRBUF_INIT;
    int ret;

    json_write_text(row->reason, false, &reason);
    ret = reason.failed ? err_no_memory(e) : put_analysis(db, row, reason.text, e);
    strbuf_release(&reason);
    for (size_t i = 0; i < row->analysis->promise_count && ret == 0; i++)
        ret = put_promise(db, row, i, e);
    return ret < 0 ? -1 : 0;
}

static int read_promises(const struct db_rows *q, struct interim_past *out, struct err *e)
{
    out->promises = mem_zalloc((size_t)q->count + 1, sizeof *out->promises, e);
    if (!out->promises)
        return -1;
    out->count = (size_t)q->count;
    for (int i = 0; i < q->count; i++)
        out->promises[i] = (struct interim_past_promise){
            .number = (int)db_get_i64(q, i, 0),
            .design = (int)db_get_i64(q, i, 1),
            .difference = db_get_bool(q, i, 2),
            .value = db_get_double(q, i, 3),
            .wanted = db_get_double(q, i, 4),
            .spent = {db_get_double(q, i, 5), db_get_double(q, i, 6), db_get_double(q, i, 7)}};
    return 0;
}

int repo_interim_past(struct db *db, const char *run, struct interim_past *out, struct err *e)
{
    struct db_rows q;
    int ret;

    *out = (struct interim_past){.analyses = 0};
    if (of_run(db, &sql_interim_last, run, &q, e) < 0)
        return -1;
    if (q.count > 0) {
        out->analyses = (int)db_get_i64(&q, 0, 0);
        snprintf(out->plan, sizeof out->plan, "%s", db_get(&q, 0, 1));
        snprintf(out->next_plan, sizeof out->next_plan, "%s", db_get(&q, 0, 2));
        snprintf(out->answer, sizeof out->answer, "%s", db_get(&q, 0, 3));
    }
    db_rows_release(&q);
    if (of_run(db, &sql_interim_past, run, &q, e) < 0)
        return -1;
    ret = read_promises(&q, out, e);
    db_rows_release(&q);
    return ret;
}

void interim_past_release(struct interim_past *p)
{
    free(p->promises);
    p->promises = NULL;
    p->count = 0;
}

int repo_interim_answer(struct db *db, const char *run, int number, const char *from, const char *to,
                        const char *by, wall_us now, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, run);
    db_i64(&p, number);
    db_text(&p, from);
    db_text(&p, to);
    db_text(&p, by);
    db_time(&p, now);
    return db_any(db, &sql_interim_answer, &p, e);
}

int repo_interim_costs(struct db *db, const char *run, struct db_rows *out, struct err *e)
{
    return of_run(db, &sql_interim_costs, run, out, e);
}

int repo_interim_spent(struct db *db, const char *run, double *seconds, struct err *e)
{
    struct db_rows q;

    if (of_run(db, &sql_interim_spent, run, &q, e) < 0)
        return -1;
    *seconds = db_get_double(&q, 0, 0);
    db_rows_release(&q);
    return 0;
}

/* --- Extension of plans --- */

static int64_t change(struct db *db, const struct db_stmt *stmt, const char *run, const char *from, const char *to,
                      struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows q;
    int64_t n;

    db_text(&p, run);
    db_text(&p, from);
    db_text(&p, to);
    if (db_query(db, stmt, &p, &q, e) < 0)
        return -1;
    n = q.affected;
    db_rows_release(&q);
    return n;
}

int repo_interim_switch_plan(struct db *db, const char *run, const char *from, const char *to, int64_t *dropped,
                             struct err *e)
{
    int64_t moved;

    *dropped = change(db, &sql_interim_drop_jobs, run, from, to, e);
    if (*dropped < 0 || change(db, &sql_interim_renumber_jobs, run, from, to, e) < 0)
        return -1;
    moved = change(db, &sql_interim_set_plan, run, from, to, e);
    if (moved == 0)
        return err_set(e, ERR_CONFLICT, "the run's plan has changed meanwhile");
    return moved < 0 ? -1 : 0;
}

int repo_interim_set_parent(struct db *db, const char *plan, const char *parent, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, plan);
    db_text(&p, parent);
    return db_query(db, &sql_interim_set_parent, &p, NULL, e);
}

/* --- Launches that cannot be simulated --- */

int repo_interim_failed(struct db *db, const char *run, struct db_rows *out, struct err *e)
{
    return of_run(db, &sql_interim_failed, run, out, e);
}

int repo_interim_skip(struct db *db, const char *run, bool replaced, wall_us now, int64_t *noted, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows q;

    db_text(&p, run);
    db_bool(&p, replaced);
    db_time(&p, now);
    if (db_query(db, &sql_interim_skip, &p, &q, e) < 0)
        return -1;
    *noted = q.affected;
    db_rows_release(&q);
    return 0;
}

int repo_interim_skipped(struct db *db, const char *run, struct db_rows *out, struct err *e)
{
    return of_run(db, &sql_interim_skipped, run, out, e);
}

int repo_interim_not_simulated(struct db *db, const char *run, struct db_rows *out, struct err *e)
{
    return of_run(db, &sql_interim_not_simulated, run, out, e);
}
