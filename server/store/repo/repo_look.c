#include "server/store/repo/repo_look.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "server/store/repo/repo_archive.h"
#include "wire/json.h"

/* Launches with a failed job that are not noted yet, one row each. */
#define FAILED_FROM                                                                                                \
    "  FROM run r JOIN job j ON j.run_id = r.id AND j.state = 'failed'"                                            \
    "  JOIN sample s ON s.plan_id = r.plan_id AND s.number = j.sample"                                             \
    "  JOIN run_design d ON d.run_id = r.id AND d.number = j.design"                                               \
    " WHERE r.id = $1::uuid AND NOT EXISTS (SELECT FROM run_passed_over x WHERE x.run_id = r.id"                   \
    "   AND x.invocation = s.invocation) ORDER BY s.invocation, d.number"

extern const struct db_stmt repo_look_stmts[];
const struct db_stmt repo_look_stmts[] = {
    {"look_put_rule",
     "INSERT INTO run_rule (run_id, error, confidence, resolve, baseline, budget, budget_in, price_per_s, looks, "
     "ask,"
     "                      redraw)"
     " VALUES ($1::uuid, $2::float8, $3::float8, $4::float8, $5::smallint, $6::float8, nullif($7, ''), $8::float8,"
     "         $9::smallint, $10::boolean, $11::boolean)"
     " ON CONFLICT (run_id) DO UPDATE SET error = excluded.error, confidence = excluded.confidence,"
     "  resolve = excluded.resolve, baseline = excluded.baseline, budget = excluded.budget,"
     "  budget_in = excluded.budget_in, price_per_s = excluded.price_per_s, looks = excluded.looks,"
     "  ask = excluded.ask, redraw = excluded.redraw, settled = false"},
    {"look_rule", "SELECT coalesce(error, 0), coalesce(resolve, 0), confidence, coalesce(budget, 0),"
                  "       coalesce(budget_in, ''), coalesce(price_per_s, 0), baseline, looks, ask, redraw, settled"
                  "  FROM run_rule WHERE run_id = $1::uuid"},
    {"look_settle", "UPDATE run_rule SET settled = true WHERE run_id = $1::uuid"},
    {"look_put",
     "INSERT INTO look (run_id, number, plan_id, at, jobs, spent_s, unit, decision, reason, next_plan_id,"
     "                  extra_jobs, extra_s, changes, answer)"
     " VALUES ($1::uuid, $2::smallint, $3::uuid, $4::timestamptz, $5::integer, $6::float8, $7, $8, $9::json, "
     "$10::uuid,"
     "         $11::integer, $12::float8, $13::json, $14)"},
    {"look_put_promise",
     "INSERT INTO look_promise (run_id, number, ordinal, design, difference, value, half_width, once, wanted, df,"
     "                          level, information, bound, spent, trusted, kept)"
     " VALUES ($1::uuid, $2::smallint, $3::smallint, $4::smallint, $5::boolean, api_number($6::float8),"
     "         api_number($7::float8), api_number($8::float8), api_number($9::float8), api_number($10::float8),"
     "         api_number($11::float8), $12::float8, $13::float8, $14::float8, $15::boolean, $16::boolean)"},
    {"look_last", "SELECT number, plan_id, next_plan_id, coalesce(answer, '') FROM look WHERE run_id = $1::uuid"
                  " ORDER BY number DESC LIMIT 1"},
    {"look_past", "SELECT number, design, difference, value, wanted, information, bound, spent FROM look_promise"
                  " WHERE run_id = $1::uuid ORDER BY number, ordinal"},
    {"look_answer", "UPDATE look SET answer = $4, answered_by = $5, answered_at = $6::timestamptz"
                    " WHERE run_id = $1::uuid AND number = $2::smallint AND answer = $3"},
    {"look_costs",
     "SELECT stratum, sum(seconds) FROM (SELECT s.stratum, j.design, avg(t.host_seconds) AS seconds"
     "   FROM run r JOIN " JOBS_OF_ALL " j ON j.run_id = r.id AND j.state = 'done'"
     "   JOIN sample s ON s.plan_id = r.plan_id AND s.number = j.sample"
     "   JOIN result t ON t.id = j.result_id AND t.host_seconds > 0 WHERE r.id = $1::uuid GROUP BY 1, 2) x"
     " GROUP BY stratum HAVING count(*) = (SELECT count(*) FROM run_design WHERE run_id = $1::uuid)"},
    {"look_spent", "SELECT coalesce(sum(a.host_seconds), 0) FROM " JOBS_OF_ALL " j JOIN " ATTEMPTS_OF_ALL
                   " a ON a.job_id = j.id WHERE j.run_id = $1::uuid"},
    /* $2 old, $3 new plan */
    {"look_drop_jobs",
     "DELETE FROM job j WHERE j.run_id = $1::uuid AND NOT EXISTS (SELECT FROM sample o JOIN sample n"
     "     ON n.plan_id = $3::uuid AND n.invocation = o.invocation WHERE o.plan_id = $2::uuid"
     "    AND o.number = j.sample)"},
    {"look_renumber_jobs",
     "UPDATE job j SET sample = n.number FROM sample o JOIN sample n ON n.plan_id = $3::uuid"
     "   AND n.invocation = o.invocation"
     " WHERE j.run_id = $1::uuid AND o.plan_id = $2::uuid AND o.number = j.sample AND n.number <> o.number"},
    /* Among the jobs that were dropped may be some that are done by another's result. */
    {"look_set_plan", "UPDATE run SET plan_id = $3::uuid, version = version + 1, eta_s = NULL, eta_error_s = NULL,"
                      "       cached = (SELECT count(*) FROM job WHERE run_id = $1::uuid AND cached)"
                      " WHERE id = $1::uuid AND plan_id = $2::uuid"},
    {"look_set_parent", "UPDATE plan SET parent_id = $2::uuid, version = (SELECT version + 1 FROM plan WHERE"
                        "   id = $2::uuid) WHERE id = $1::uuid"},
    {"look_failed",
     "SELECT DISTINCT ON (s.invocation) s.invocation, s.stratum, d.name, j.failure, j.failure_text" FAILED_FROM},
    {"look_pass_over",
     "INSERT INTO run_passed_over (run_id, invocation, stratum, design, failure, failure_text, replaced, at)"
     " SELECT DISTINCT ON (s.invocation) r.id, s.invocation, s.stratum, d.name, j.failure, j.failure_text,"
     "        $2::boolean, $3::timestamptz" FAILED_FROM " ON CONFLICT DO NOTHING"},
    {"look_passed_over", "SELECT invocation, stratum FROM run_passed_over WHERE run_id = $1::uuid AND replaced"
                         " ORDER BY invocation"},
    /* What was replaced is in no sample of the run's plan, but in one of those before it. */
    {"look_not_simulated",
     "SELECT x.invocation, x.stratum, h.kernel_name, x.design, x.failure, x.failure_text, x.replaced,"
     "       api_time(x.at), (SELECT s.value FROM plan q JOIN sample s ON s.plan_id = q.id"
     "          AND s.invocation = x.invocation WHERE q.profile_id = p.profile_id LIMIT 1)"
     "  FROM run_passed_over x JOIN run r ON r.id = x.run_id JOIN plan p ON p.id = r.plan_id"
     "  JOIN stratum h ON h.plan_id = p.id AND h.number = x.stratum WHERE x.run_id = $1::uuid"
     " ORDER BY x.invocation"},
    {NULL, NULL},
};

/* --- Rules --- */

static const char *const budget_units[] = {"", "seconds", "jobs", "money"};

static double or_null(double x)
{
    return x > 0 ? x : NAN;
}

int repo_look_put_rule(struct db *db, const char *run, const struct rule_row *r, struct err *e)
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
    db_i64(&p, r->looks);
    db_bool(&p, r->ask);
    db_bool(&p, r->redraw);
    return db_query(db, "look_put_rule", &p, NULL, e);
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
    r->looks = (int)db_get_i64(q, 0, 7);
    r->ask = db_get_bool(q, 0, 8);
    r->redraw = db_get_bool(q, 0, 9);
    r->settled = db_get_bool(q, 0, 10);
}

static int of_run(struct db *db, const char *stmt, const char *run, struct db_rows *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, run);
    return db_query(db, stmt, &p, out, e);
}

int repo_look_rule(struct db *db, const char *run, struct rule_row *out, struct err *e)
{
    struct db_rows q;
    int found;

    *out = (struct rule_row){.error = 0};
    if (of_run(db, "look_rule", run, &q, e) < 0)
        return -1;
    found = q.count > 0;
    if (found)
        read_rule(&q, out);
    db_rows_release(&q);
    return found;
}

int repo_look_settle(struct db *db, const char *run, struct err *e)
{
    return of_run(db, "look_settle", run, NULL, e);
}

/* --- Looks --- */

static int put_promise(struct db *db, const struct look_row *row, size_t i, struct err *e)
{
    const struct look_promise *m = &row->look->promises[i];
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, row->run);
    db_i64(&p, row->look->number);
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
    return db_query(db, "look_put_promise", &p, NULL, e);
}

static int put_look(struct db *db, const struct look_row *row, const char *reason, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, row->run);
    db_i64(&p, row->look->number);
    db_text(&p, row->plan);
    db_time(&p, row->at);
    db_i64(&p, row->jobs);
    db_double(&p, row->spent_s);
    db_text(&p, row->unit);
    db_text(&p, look_decision_name(row->look->decision));
    db_text(&p, reason);
    db_text(&p, row->next_plan);
    db_i64(&p, row->extra_jobs);
    db_double(&p, row->extra_s);
    db_text(&p, row->changes);
    db_text(&p, row->answer);
    return db_query(db, "look_put", &p, NULL, e);
}

int repo_look_put(struct db *db, const struct look_row *row, struct err *e)
{
    struct strbuf reason = STRBUF_INIT;
    int ret;

    json_write_text(row->reason, false, &reason);
    ret = reason.failed ? err_no_memory(e) : put_look(db, row, reason.text, e);
    strbuf_release(&reason);
    for (size_t i = 0; i < row->look->promise_count && ret == 0; i++)
        ret = put_promise(db, row, i, e);
    return ret < 0 ? -1 : 0;
}

static int read_promises(const struct db_rows *q, struct look_past *out, struct err *e)
{
    out->promises = mem_zalloc((size_t)q->count + 1, sizeof *out->promises, e);
    if (!out->promises)
        return -1;
    out->count = (size_t)q->count;
    for (int i = 0; i < q->count; i++)
        out->promises[i] = (struct look_past_promise){
            .number = (int)db_get_i64(q, i, 0),
            .design = (int)db_get_i64(q, i, 1),
            .difference = db_get_bool(q, i, 2),
            .value = db_get_double(q, i, 3),
            .wanted = db_get_double(q, i, 4),
            .spent = {db_get_double(q, i, 5), db_get_double(q, i, 6), db_get_double(q, i, 7)}};
    return 0;
}

int repo_look_past(struct db *db, const char *run, struct look_past *out, struct err *e)
{
    struct db_rows q;
    int ret;

    *out = (struct look_past){.looks = 0};
    if (of_run(db, "look_last", run, &q, e) < 0)
        return -1;
    if (q.count > 0) {
        out->looks = (int)db_get_i64(&q, 0, 0);
        snprintf(out->plan, sizeof out->plan, "%s", db_get(&q, 0, 1));
        snprintf(out->next_plan, sizeof out->next_plan, "%s", db_get(&q, 0, 2));
        snprintf(out->answer, sizeof out->answer, "%s", db_get(&q, 0, 3));
    }
    db_rows_release(&q);
    if (of_run(db, "look_past", run, &q, e) < 0)
        return -1;
    ret = read_promises(&q, out, e);
    db_rows_release(&q);
    return ret;
}

void look_past_release(struct look_past *p)
{
    free(p->promises);
    p->promises = NULL;
    p->count = 0;
}

int repo_look_answer(struct db *db, const char *run, int number, const char *from, const char *to, const char *by,
                     wall_us now, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, run);
    db_i64(&p, number);
    db_text(&p, from);
    db_text(&p, to);
    db_text(&p, by);
    db_time(&p, now);
    return db_any(db, "look_answer", &p, e);
}

int repo_look_costs(struct db *db, const char *run, struct db_rows *out, struct err *e)
{
    return of_run(db, "look_costs", run, out, e);
}

int repo_look_spent(struct db *db, const char *run, double *seconds, struct err *e)
{
    struct db_rows q;

    if (of_run(db, "look_spent", run, &q, e) < 0)
        return -1;
    *seconds = db_get_double(&q, 0, 0);
    db_rows_release(&q);
    return 0;
}

/* --- Plans that grow --- */

static int64_t change(struct db *db, const char *stmt, const char *run, const char *from, const char *to,
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

int repo_look_switch_plan(struct db *db, const char *run, const char *from, const char *to, int64_t *dropped,
                          struct err *e)
{
    int64_t moved;

    *dropped = change(db, "look_drop_jobs", run, from, to, e);
    if (*dropped < 0 || change(db, "look_renumber_jobs", run, from, to, e) < 0)
        return -1;
    moved = change(db, "look_set_plan", run, from, to, e);
    if (moved == 0)
        return err_set(e, ERR_CONFLICT, "the run's plan has changed meanwhile");
    return moved < 0 ? -1 : 0;
}

int repo_look_set_parent(struct db *db, const char *plan, const char *parent, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, plan);
    db_text(&p, parent);
    return db_query(db, "look_set_parent", &p, NULL, e);
}

/* --- Launches that cannot be simulated --- */

int repo_look_failed(struct db *db, const char *run, struct db_rows *out, struct err *e)
{
    return of_run(db, "look_failed", run, out, e);
}

int repo_look_pass_over(struct db *db, const char *run, bool replaced, wall_us now, int64_t *noted, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows q;

    db_text(&p, run);
    db_bool(&p, replaced);
    db_time(&p, now);
    if (db_query(db, "look_pass_over", &p, &q, e) < 0)
        return -1;
    *noted = q.affected;
    db_rows_release(&q);
    return 0;
}

int repo_look_passed_over(struct db *db, const char *run, struct db_rows *out, struct err *e)
{
    return of_run(db, "look_passed_over", run, out, e);
}

int repo_look_not_simulated(struct db *db, const char *run, struct db_rows *out, struct err *e)
{
    return of_run(db, "look_not_simulated", run, out, e);
}
