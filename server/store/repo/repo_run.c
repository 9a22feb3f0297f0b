#include "server/store/repo/repo_run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "server/store/event/event.h"
#include "server/store/repo/sql/statements.h"
#include "wire/json.h"

int repo_run_put(struct db *db, const struct new_run *r, wall_us now, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, r->id);
    db_text(&p, r->plan);
    db_text(&p, job_engine_name(r->engine));
    db_text(&p, r->simulator);
    db_text(&p, r->by);
    db_time(&p, now);
    db_i64(&p, r->priority);
    db_i64(&p, r->jobs);
    db_double(&p, r->inside_kernels);
    return db_query(db, &sql_run_put, &p, NULL, e);
}

int repo_run_put_design(struct db *db, const char *run, int number, const char *sha256, const char *name,
                        double clock_hz, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, run);
    db_i64(&p, number);
    db_text(&p, sha256);
    db_text(&p, name);
    db_double(&p, clock_hz);
    return db_query(db, &sql_run_put_design, &p, NULL, e);
}

int repo_run_set_jobs(struct db *db, const char *run, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, run);
    return db_query(db, &sql_run_set_jobs, &p, NULL, e);
}

static void read_run(const struct db_rows *q, struct run_row *r)
{
    snprintf(r->id, sizeof r->id, "%s", db_get(q, 0, 0));
    snprintf(r->plan, sizeof r->plan, "%s", db_get(q, 0, 1));
    snprintf(r->profile, sizeof r->profile, "%s", db_get(q, 0, 2));
    snprintf(r->state, sizeof r->state, "%s", db_get(q, 0, 3));
    r->engine = strcmp(db_get(q, 0, 4), "replay") == 0 ? ENGINE_REPLAY : ENGINE_CYCLE;
    r->version = db_get_i64(q, 0, 5);
    r->jobs = db_get_i64(q, 0, 6);
    r->done = db_get_i64(q, 0, 7);
    r->half_notified = db_get_bool(q, 0, 8);
    r->promise_notified = db_get_bool(q, 0, 9);
    r->strata_notified = (int)db_get_i64(q, 0, 10);
    r->created_at = db_get_time(q, 0, 11);
    r->error = db_get_double(q, 0, 12);
    r->confidence = db_get_double(q, 0, 13);
    r->promised = db_get_bool(q, 0, 14);
    r->ruled = db_get_bool(q, 0, 15);
    r->dropped = db_get_bool(q, 0, 16);
    r->inside_kernels = db_get_double(q, 0, 17);
}

int repo_run_find(struct db *db, const char *id, int64_t team, struct run_row *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows q;
    int found;

    *out = (struct run_row){.version = 0};
    db_text(&p, id);
    db_i64(&p, team);
    if (db_query(db, &sql_run_find, &p, &q, e) < 0)
        return -1;
    found = q.count > 0;
    if (found)
        read_run(&q, out);
    db_rows_release(&q);
    return found;
}

int repo_run_move(struct db *db, const char *id, const char *from, const char *to, wall_us now, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows q;
    int changed;

    db_text(&p, id);
    db_text(&p, from);
    db_text(&p, to);
    db_time(&p, now);
    if (db_query(db, &sql_run_move, &p, &q, e) < 0)
        return -1;
    changed = q.affected > 0;
    db_rows_release(&q);
    return changed;
}

int repo_run_take_up(struct db *db, const char *id, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, id);
    return db_query(db, &sql_run_take_up, &p, NULL, e);
}

static int rows_of(struct db *db, const struct db_stmt *stmt, const char *id, struct db_rows *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    if (id)
        db_text(&p, id);
    return db_query(db, stmt, &p, out, e);
}

int repo_run_designs(struct db *db, const char *id, int64_t *out, struct err *e)
{
    struct db_rows q;

    if (rows_of(db, &sql_run_designs, id, &q, e) < 0)
        return -1;
    *out = db_get_i64(&q, 0, 0);
    db_rows_release(&q);
    return 0;
}

int repo_run_still(struct db *db, const char *id, int64_t version, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, id);
    db_i64(&p, version);
    return db_any(db, &sql_run_still, &p, e);
}

int repo_run_end(struct db *db, const char *id, int64_t version, const char *state, wall_us now, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, id);
    db_i64(&p, version);
    db_text(&p, state);
    db_time(&p, now);
    return db_any(db, &sql_run_end, &p, e);
}

int repo_run_touch(struct db *db, const char *ids, struct err *e)
{
    return rows_of(db, &sql_run_touch, ids, NULL, e);
}

int repo_run_open_of_profile(struct db *db, const char *profile, struct db_rows *out, struct err *e)
{
    return rows_of(db, &sql_run_open_of_profile, profile, out, e);
}

int repo_run_behind(struct db *db, const char *after, struct db_rows *out, struct err *e)
{
    return rows_of(db, &sql_run_behind, after, out, e);
}

int repo_run_open(struct db *db, struct db_rows *out, struct err *e)
{
    return rows_of(db, &sql_run_open, NULL, out, e);
}

/* `otherwise` (may be NULL) where there is no row. 1 found, 0 none. */
static int text_of(struct db *db, const struct db_stmt *stmt, const char *id, const char *otherwise,
                   struct strbuf *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    int found;

    db_text(&p, id);
    found = db_text_of(db, stmt, &p, out, e);
    if (found == 0 && otherwise)
        strbuf_adds(out, otherwise);
    return found == 0 && out->failed ? err_no_memory(e) : found;
}

int repo_run_say_progress(struct db *db, const char *id, wall_us now, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, id);
    db_time(&p, now);
    return db_query(db, &sql_run_progress, &p, NULL, e);
}

/* A look's reason is a kind and its parameters: they become members of the look, and `reason` their text. */
static int show_look(json_t *look, struct err *e)
{
    json_t *reason = json_incref(json_object_get(look, "reason"));
    int ret = json_object_update(look, reason) < 0 ? err_no_memory(e) : event_show(look, "reason", e);

    json_decref(reason);
    return ret;
}

static int add_looks(const char *text, struct strbuf *out, struct err *e)
{
    json_t *looks = json_read_text(text, strlen(text), "looks", e);
    int ret = looks ? 0 : -1;

    for (size_t i = 0; i < json_array_size(looks) && ret == 0; i++)
        ret = show_look(json_array_get(looks, i), e);
    if (ret == 0)
        json_write_text(looks, false, out);
    json_decref(looks);
    return ret;
}

/* The statement's first column, an object, with its second one, looks, as the last member. */
static int with_looks(struct db *db, const struct db_stmt *stmt, const char *id, struct strbuf *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows q;
    int ret = 0;

    db_text(&p, id);
    if (db_query(db, stmt, &p, &q, e) < 0)
        return -1;
    if (q.count > 0) {
        const char *object = db_get(&q, 0, 0);

        strbuf_add(out, object, strlen(object) - 1); /* without its "}" */
        strbuf_adds(out, ", \"looks\" : ");
        ret = add_looks(db_get(&q, 0, 1), out, e) < 0 ? -1 : 1;
        strbuf_addc(out, '}');
    }
    db_rows_release(&q);
    return ret >= 0 && out->failed ? err_no_memory(e) : ret;
}

int repo_run_json(struct db *db, const char *id, struct strbuf *out, struct err *e)
{
    return with_looks(db, &sql_run_json, id, out, e);
}

int repo_run_projection_json(struct db *db, const char *id, struct strbuf *out, struct err *e)
{
    return with_looks(db, &sql_run_projection_json, id, out, e);
}

int repo_run_convergence_json(struct db *db, const char *id, const char *design, struct strbuf *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, id);
    db_text(&p, design);
    return db_text_of(db, &sql_run_convergence_json, &p, out, e);
}

int repo_run_strata(struct db *db, const char *id, const char *design, int64_t after, uint64_t limit,
                    struct db_rows *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, id);
    db_text(&p, design);
    db_i64(&p, after);
    db_i64(&p, (int64_t)limit);
    return db_query(db, &sql_run_strata, &p, out, e);
}

int repo_run_list(struct db *db, int64_t team, const char *workload, const char *like,
                  const struct list_order *order, struct db_rows *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_i64(&p, team);
    db_text(&p, workload);
    db_text(&p, order->id);
    db_u64(&p, order->limit);
    db_text(&p, like);
    if (!order->column[0])
        return db_query(db, &sql_run_list, &p, out, e);
    db_text(&p, order->column);
    db_bool(&p, order->largest_first);
    db_text(&p, order->key);
    return db_query(db, &sql_run_sorted, &p, out, e);
}

int repo_run_events(struct db *db, const char *id, const char *after, uint64_t limit, struct db_rows *out,
                    struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, id);
    db_text(&p, after);
    db_i64(&p, (int64_t)limit);
    return db_query(db, &sql_run_events, &p, out, e);
}

int repo_run_latest(struct db *db, const char *workload, struct strbuf *plan, struct strbuf *run, struct err *e)
{
    if (text_of(db, &sql_run_latest_plan, workload, "null", plan, e) < 0)
        return -1;
    return text_of(db, &sql_run_latest_run, workload, "null", run, e) < 0 ? -1 : 0;
}

int repo_run_of_workload(struct db *db, const char *workload, struct strbuf *plans, struct strbuf *runs,
                         struct err *e)
{
    if (text_of(db, &sql_run_workload_plans, workload, "[]", plans, e) < 0)
        return -1;
    return text_of(db, &sql_run_workload_runs, workload, "[]", runs, e) < 0 ? -1 : 0;
}

int repo_run_workers(struct db *db, wall_us since, const char *after, uint64_t limit, struct db_rows *out,
                     struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_time(&p, since);
    db_text(&p, after);
    db_i64(&p, (int64_t)limit);
    return db_query(db, &sql_run_workers, &p, out, e);
}
