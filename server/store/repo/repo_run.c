#include "server/store/repo/repo_run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "server/store/event/event.h"
#include "server/store/repo/db_json.h"
#include "server/store/repo/repo_plan.h"
#include "server/store/repo/repo_run_fields.h"
#include "server/store/repo/sql/statements.h"
#include "wire/json.h"

#define RELATIVE_FIELDS FIELD_NUMBER("relative_half_width")

static const struct db_field model_error_fields[] = {FIELD_NUMBER("measured_s"), FIELD_NUMBER("simulated_s"),
                                                     FIELD_NUMBER("relative"), FIELDS_END};

#define COMPARISON_FIELDS                                                                                          \
    FIELD_NUMBER("difference_s"), FIELD_NUMBER("half_width_s"), FIELD_NUMBER("ratio"),                             \
        FIELD_NUMBER("ratio_half_width"), FIELD_NUMBER("df"), FIELD_NUMBER("level"), FIELD_NUMBER("confidence"),   \
        FIELD_NUMBER("intervals"), FIELD_NUMBER("looks"), FIELD_TEXT("level_note"), FIELD_NUMBER("paired_on"),     \
        FIELD_BOOL("distinguishable"), FIELD_BOOL("cache_reversible")

static const struct db_field projection_fields[] = {FIELD_NUMBER("value"),
                                                    FIELD_NUMBER("half_width"),
                                                    FIELD_TEXT("unit"),
                                                    FIELD_NUMBER("value_s"),
                                                    FIELD_NUMBER("half_width_s"),
                                                    FIELD_NUMBER("value_cycles"),
                                                    FIELD_NUMBER("half_width_cycles"),
                                                    FIELD_NUMBER("df"),
                                                    FIELD_NUMBER("level"),
                                                    RELATIVE_FIELDS,
                                                    SHARED_TOTAL_FIELDS,
                                                    FIELD_NUMBER("done"),
                                                    FIELD_NUMBER("planned"),
                                                    FIELD_BOOL("complete"),
                                                    FIELD_TEXT("warning"),
                                                    FIELD_NUMBER("empty_caches"),
                                                    FIELD_NUMBER("projected_inside"),
                                                    FIELD_JSON("warm_bound"),
                                                    FIELD_JSON("warnings"),
                                                    FIELDS_END};

static const struct db_field designs_baseline_fields[] = {FIELD_TEXT("design"), COMPARISON_FIELDS, FIELDS_END};

static const struct db_field designs_fields[] = {FIELD_TEXT("design"),
                                                 FIELD_TEXT("design_sha256"),
                                                 FIELD_NUMBER("clock_hz"),
                                                 FIELD_ROW("projection", projection_fields),
                                                 FIELD_ROW("model_error", model_error_fields),
                                                 FIELD_ROW("cache_state", cache_state_fields),
                                                 FIELD_NUMBER("makespan_s"),
                                                 FIELD_NUMBER("makespan_half_width_s"),
                                                 FIELD_JSON("communication"),
                                                 FIELD_TEXT("makespan_interval_why_not"),
                                                 FIELD_ROW("baseline", designs_baseline_fields),
                                                 FIELDS_END};

static const struct db_field stranded_fields[] = {FIELD_NUMBER("jobs"), FIELD_NUMBER("workers"),
                                                  FIELD_TEXTS_OR_EMPTY("simulators"), FIELDS_END};

#define RUN_HEAD_FIELDS                                                                                            \
    FIELD_TEXT("id"), FIELD_TEXT("plan"), FIELD_TEXT("method"), FIELD_TEXT("workload"),                            \
        FIELD_TEXT("workload_name"), FIELD_TEXT("engine"), FIELD_TEXT("state"), FIELD_TEXT("simulator"),           \
        FIELD_TEXT("created_at"), FIELD_TEXT("finished_at"), FIELD_TEXT("created_by"), FIELD_NUMBER("priority"),   \
        FIELD_NUMBER("jobs"), FIELD_NUMBER("cached"), FIELD_NUMBER("inside_kernels"),                              \
        FIELD_BOOL("allow_foreign_isa"), FIELD_TEXT("cancel_at"), FIELD_NUMBER("promise"),                         \
        FIELD_NUMBER("promised_error"), FIELD_NUMBER("confidence"), FIELD_NUMBER("seed"), FIELD_NUMBER("speedup"), \
        FIELD_NUMBER("eta_s"), FIELD_NUMBER("eta_error_s"), FIELD_ROW("label", label_fields),                      \
        FIELD_ROW("part", part_fields)

static const struct db_field label_fields[] = LABEL_FIELDS;
static const struct db_field part_fields[] = PLAN_PART_FIELDS;

static const struct db_field run_fields[] = {RUN_HEAD_FIELDS,
                                             FIELD_ROW("counts", run_counts_fields),
                                             FIELD_ROW("rule", rule_fields),
                                             FIELD_ROW("not_simulated", passed_over_fields),
                                             FIELD_ROW("stranded", stranded_fields),
                                             FIELD_ROW("cache_check", cache_check_fields),
                                             FIELD_ROW("answer", answer_fields),
                                             FIELD_ROWS("designs", designs_fields),
                                             FIELD_TEXT("as_of"),
                                             FIELDS_END};

static const struct db_field run_progress_projections_fields[] = {
    FIELD_TEXT("design"),       FIELD_NUMBER("value"),
    FIELD_NUMBER("half_width"), FIELD_TEXT("unit"),
    FIELD_NUMBER("value_s"),    FIELD_NUMBER("half_width_s"),
    FIELD_NUMBER("level"),      RELATIVE_FIELDS,
    FIELD_NUMBER("done"),       FIELDS_END};

static const struct db_field run_progress_fields[] = {FIELD_TEXT("run"),
                                                      FIELD_TEXT("state"),
                                                      FIELD_NUMBER("done"),
                                                      FIELD_NUMBER("leased"),
                                                      FIELD_NUMBER("failed"),
                                                      FIELD_NUMBER("ready"),
                                                      FIELD_NUMBER("blocked"),
                                                      FIELD_NUMBER("cancelled"),
                                                      FIELD_NUMBER("jobs"),
                                                      FIELD_ROWS("projections", run_progress_projections_fields),
                                                      FIELD_NUMBER("eta_s"),
                                                      FIELD_NUMBER("eta_error_s"),
                                                      FIELDS_END};

static const struct db_field run_projection_designs_parts_fields[] = {
    FIELD_ROW("sampling_error", projection_fields),
    FIELD_ROW("model_error", model_error_fields),
    FIELD_TEXT("model_error_why_not"),
    FIELD_ROW("cache_state", cache_state_fields),
    FIELD_NUMBER("sum_s"),
    FIELD_NUMBER("makespan_s"),
    FIELD_NUMBER("makespan_half_width_s"),
    FIELD_TEXT("makespan_interval_why_not"),
    FIELD_TEXT("makespan_why_not"),
    FIELD_NUMBER("measured_makespan_s"),
    FIELDS_END};

static const struct db_field run_projection_designs_fields[] = {
    FIELD_TEXT("design"),          FIELD_ROW("parts", run_projection_designs_parts_fields),
    FIELD_TEXT("variance_method"), FIELD_JSON("strata"),
    FIELD_JSON("cross_checks"),    FIELDS_END};

static const struct db_field run_projection_comparison_fields[] = {FIELD_TEXT("design"), FIELD_TEXT("baseline"),
                                                                   COMPARISON_FIELDS, FIELDS_END};

static const struct db_field run_projection_fields[] = {
    FIELD_TEXT("id"),
    FIELD_TEXT("state"),
    FIELD_ROW("rule", rule_fields),
    FIELD_ROW("not_simulated", passed_over_fields),
    FIELD_ROWS_OR_EMPTY("not_simulated_launches", passed_over_list_fields),
    FIELD_ROW("cache_check", cache_check_fields),
    FIELD_ROW("answer", answer_fields),
    FIELD_ROWS("designs", run_projection_designs_fields),
    FIELD_ROWS_OR_EMPTY("comparison", run_projection_comparison_fields),
    FIELDS_END};

static const struct db_field run_convergence_points_fields[] = {FIELD_NUMBER("done"),
                                                                FIELD_NUMBER("value_s"),
                                                                FIELD_NUMBER("half_width_s"),
                                                                FIELD_NUMBER("value"),
                                                                FIELD_NUMBER("half_width"),
                                                                FIELD_NUMBER("relative_half_width"),
                                                                FIELD_TEXT("at"),
                                                                FIELDS_END};

static const struct db_field run_convergence_fields[] = {
    FIELD_TEXT("design"),
    FIELD_NUMBER("promise"),
    FIELD_NUMBER("confidence"),
    FIELD_NUMBER("planned"),
    FIELD_ROWS_OR_EMPTY("points", run_convergence_points_fields),
    FIELDS_END};

static const struct db_field run_strata_fields[] = {FIELD_NUMBER("stratum"),
                                                    FIELD_TEXT("kernel"),
                                                    FIELD_SHAPE("grid"),
                                                    FIELD_SHAPE("block"),
                                                    FIELD_NUMBER("population"),
                                                    FIELD_NUMBER("planned"),
                                                    FIELD_NUMBER("done"),
                                                    FIELD_BOOL("certainty"),
                                                    FIELD_NUMBER("mean_s"),
                                                    FIELD_NUMBER("mean"),
                                                    FIELD_TEXT("unit"),
                                                    FIELD_NUMBER("half_width_s"),
                                                    FIELD_NUMBER("mean_profile"),
                                                    FIELD_TEXT("profile_unit"),
                                                    FIELD_NUMBER("spread_simulated"),
                                                    FIELD_NUMBER("spread_profile"),
                                                    FIELD_NUMBER("relative_half_width"),
                                                    FIELD_NUMBER("total_s"),
                                                    FIELD_NUMBER("total_half_width_s"),
                                                    FIELD_NUMBER("share_of_time"),
                                                    FIELD_NUMBER("share_of_doubt"),
                                                    FIELDS_END};

static const struct db_field run_list_fields[] = {RUN_HEAD_FIELDS, FIELD_NUMBER("done"),
                                                  FIELD_ROWS("designs", designs_fields), FIELDS_END};

static const struct db_field run_events_fields[] = {FIELD_TEXT("id"),       FIELD_TEXT("at"),
                                                    FIELD_TEXT("kind"),     FIELD_JSON("params"),
                                                    FIELD_TEXT("severity"), FIELDS_END};

static const struct db_field run_latest_plan_fields[] = {
    FIELD_TEXT("id"), FIELD_TEXT("method"), FIELD_NUMBER("speedup"), FIELD_NUMBER("promised_error"), FIELDS_END};

static const struct db_field run_latest_run_projections_fields[] = {FIELD_TEXT("design"),
                                                                    FIELD_NUMBER("value_s"),
                                                                    FIELD_NUMBER("half_width_s"),
                                                                    FIELD_NUMBER("value_cycles"),
                                                                    FIELD_NUMBER("half_width_cycles"),
                                                                    FIELD_NUMBER("level"),
                                                                    SHARED_TOTAL_FIELDS,
                                                                    FIELDS_END};

static const struct db_field run_latest_run_fields[] = {
    FIELD_TEXT("id"),
    FIELD_TEXT("state"),
    FIELD_NUMBER("done"),
    FIELD_NUMBER("jobs"),
    FIELD_TEXT("created_by"),
    FIELD_TEXT("created_at"),
    FIELD_ROWS("projections", run_latest_run_projections_fields),
    FIELDS_END};

static const struct db_field run_workload_plans_fields[] = {FIELD_TEXT("id"),
                                                            FIELD_TEXT("method"),
                                                            FIELD_NUMBER("error"),
                                                            FIELD_NUMBER("confidence"),
                                                            FIELD_NUMBER("seed"),
                                                            FIELD_NUMBER("samples"),
                                                            FIELD_NUMBER("strata"),
                                                            FIELD_NUMBER("speedup"),
                                                            FIELD_NUMBER("promised_error"),
                                                            FIELD_TEXT("created_at"),
                                                            FIELDS_END};

static const struct db_field run_workload_runs_fields[] = {
    FIELD_TEXT("id"),     FIELD_TEXT("plan"),   FIELD_TEXT("state"),      FIELD_TEXTS("designs"),
    FIELD_NUMBER("done"), FIELD_NUMBER("jobs"), FIELD_TEXT("created_at"), FIELDS_END};

static const struct db_field run_workers_fields[] = {
    FIELD_TEXT("id"),        FIELD_TEXT("name"),       FIELD_TEXT("host"),    FIELD_TEXT("version"),
    FIELD_TEXT("simulator"), FIELD_TEXT("sandbox"),    FIELD_NUMBER("slots"), FIELD_NUMBER("busy"),
    FIELD_TEXT("state"),     FIELD_TEXT("started_at"), FIELD_TEXT("seen_at"), FIELDS_END};

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
    db_bool(&p, r->allow_foreign_isa);
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

int repo_run_move(struct db *db, const struct run_step *step, wall_us now, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, step->run);
    db_text(&p, step->from);
    db_text(&p, step->to);
    db_time(&p, now);
    db_bool(&p, step->due);
    return db_any(db, &sql_run_move, &p, e);
}

int repo_run_cancel_later(struct db *db, const char *id, wall_us at, const char *by, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, id);
    db_time(&p, at);
    db_text(&p, by);
    return db_any(db, &sql_run_cancel_later, &p, e);
}

int repo_run_cancel_undo(struct db *db, const char *id, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, id);
    return db_any(db, &sql_run_cancel_undo, &p, e);
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

int repo_run_cancel_due(struct db *db, struct db_rows *out, struct err *e)
{
    return rows_of(db, &sql_run_cancel_due, NULL, out, e);
}

int repo_run_open(struct db *db, struct db_rows *out, struct err *e)
{
    return rows_of(db, &sql_run_open, NULL, out, e);
}

/* Appends null when there is no row. */
static int latest(struct db *db, const struct db_stmt *stmt, const char *workload, const struct db_field *fields,
                  struct strbuf *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    int found;

    db_text(&p, workload);
    found = db_json_of(db, stmt, &p, fields, out, e);
    if (found == 0)
        strbuf_adds(out, "null");
    return found < 0 ? -1 : out->failed ? err_no_memory(e) : 0;
}

int repo_run_say_progress(struct db *db, const char *id, wall_us now, struct err *e)
{
    struct db_params of_run = DB_PARAMS_INIT, event = DB_PARAMS_INIT;
    struct strbuf params = STRBUF_INIT;
    int ret;

    db_text(&of_run, id);
    ret = db_json_of(db, &sql_run_progress, &of_run, run_progress_fields, &params, e);
    if (ret > 0) {
        db_text(&event, id);
        db_time(&event, now);
        db_text(&event, params.text);
        ret = db_query(db, &sql_run_progress_put, &event, NULL, e);
    }
    strbuf_release(&params);
    return ret < 0 ? -1 : 0;
}

/* Converts an analysis (interim analysis): the kind and the parameters of its reason become members of the
 * analysis, and `reason` becomes their text. */
static int show_analysis(json_t *analysis, struct err *e)
{
    json_t *reason = json_incref(json_object_get(analysis, "reason"));
    int ret = json_object_update(analysis, reason) < 0 ? err_no_memory(e) : event_show(analysis, "reason", e);

    json_decref(reason);
    return ret;
}

/* Appends the second column, which is an array of analyses (interim analyses) or NULL. */
static int add_analyses(const struct db_rows *q, struct strbuf *out, struct err *e)
{
    struct strbuf text = STRBUF_INIT;
    json_t *analyses = NULL;
    int ret = 0;

    if (db_is_null(q, 0, 1))
        strbuf_adds(&text, "[]");
    else
        ret = db_json_rows(db_get(q, 0, 1), interim_fields, &text, e);
    if (ret == 0) {
        analyses = json_read_text(text.text, text.length, "looks", e);
        ret = analyses ? 0 : -1;
    }
    strbuf_release(&text);

    for (size_t i = 0; i < json_array_size(analyses) && ret == 0; i++)
        ret = show_analysis(json_array_get(analyses, i), e);
    if (ret == 0)
        json_write_text(analyses, false, out);
    json_decref(analyses);
    return ret;
}

/* Appends the first column, which is a row, with the analyses of the second column as its last member. */
static int with_analyses(struct db *db, const struct db_stmt *stmt, const struct db_field *fields, const char *id,
                         struct strbuf *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows q;
    int ret = 0;

    db_text(&p, id);
    if (db_query(db, stmt, &p, &q, e) < 0)
        return -1;
    if (q.count > 0) {
        ret = db_json_row(db_get(&q, 0, 0), fields, out, e);
        if (ret == 0 && !out->failed)
            out->text[--out->length] = '\0'; /* removes the closing "}" */
        strbuf_adds(out, ", \"looks\" : ");
        if (ret == 0)
            ret = add_analyses(&q, out, e) < 0 ? -1 : 1;
        strbuf_addc(out, '}');
    }
    db_rows_release(&q);
    return ret >= 0 && out->failed ? err_no_memory(e) : ret;
}

int repo_run_json(struct db *db, const char *id, struct strbuf *out, struct err *e)
{
    return with_analyses(db, &sql_run_json, run_fields, id, out, e);
}

int repo_run_projection_json(struct db *db, const char *id, struct strbuf *out, struct err *e)
{
    return with_analyses(db, &sql_run_projection_json, run_projection_fields, id, out, e);
}

int repo_run_convergence_json(struct db *db, const char *id, const char *design, struct strbuf *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, id);
    db_text(&p, design);
    return db_json_of(db, &sql_run_convergence_json, &p, run_convergence_fields, out, e);
}

int repo_run_strata(struct db *db, const char *id, const char *design, int64_t after, uint64_t limit,
                    struct db_rows *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, id);
    db_text(&p, design);
    db_i64(&p, after);
    db_i64(&p, (int64_t)limit);
    return db_query_json(db, &sql_run_strata, &p, run_strata_fields, out, e);
}

int repo_run_list(struct db *db, int64_t team, const struct run_filter *only, const struct list_order *order,
                  struct db_rows *out, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_i64(&p, team);
    db_text(&p, only->workload);
    db_text(&p, order->id);
    db_u64(&p, order->limit);
    db_text(&p, only->like);
    db_text(&p, only->label.tag);
    db_bool(&p, only->label.archived);
    if (!order->column[0])
        return db_query_json(db, &sql_run_list, &p, run_list_fields, out, e);
    db_text(&p, order->column);
    db_bool(&p, order->largest_first);
    db_text(&p, order->key);
    return db_query_json(db, &sql_run_sorted, &p, run_list_fields, out, e);
}

int repo_run_events(struct db *db, const char *id, const char *after, uint64_t limit, struct db_rows *out,
                    struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, id);
    db_text(&p, after);
    db_i64(&p, (int64_t)limit);
    return db_query_json(db, &sql_run_events, &p, run_events_fields, out, e);
}

int repo_run_latest(struct db *db, const char *workload, struct strbuf *plan, struct strbuf *run, struct err *e)
{
    if (latest(db, &sql_run_latest_plan, workload, run_latest_plan_fields, plan, e) < 0)
        return -1;
    return latest(db, &sql_run_latest_run, workload, run_latest_run_fields, run, e);
}

int repo_run_of_workload(struct db *db, const char *workload, struct strbuf *plans, struct strbuf *runs,
                         struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_text(&p, workload);
    if (db_json_list_of(db, &sql_run_workload_plans, &p, run_workload_plans_fields, plans, e) < 0)
        return -1;
    return db_json_list_of(db, &sql_run_workload_runs, &p, run_workload_runs_fields, runs, e);
}

int repo_run_workers(struct db *db, wall_us since, const char *after, uint64_t limit, struct db_rows *out,
                     struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    db_time(&p, since);
    db_text(&p, after);
    db_i64(&p, (int64_t)limit);
    return db_query_json(db, &sql_run_workers, &p, run_workers_fields, out, e);
}
