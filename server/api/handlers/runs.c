/* server/api/handlers/runs.c: starts, shows, pauses and cancels runs. A run simulates a plan on designs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "server/api/http/audit.h"
#include "server/store/repo/repo_job_list.h"
#include "server/store/repo/repo_plan.h"
#include "server/store/repo/repo_projection.h"
#include "server/store/repo/repo_run.h"
#include "server/store/event/event.h"
#include "server/api/handlers/caches.h"
#include "server/api/handlers/handlers.h"
#include "server/api/handlers/labels.h"
#include "server/api/handlers/lists.h"
#include "server/api/handlers/interim.h"
#include "server/api/handlers/runs.h"
#include "server/store/repo/job_state.h"
#include "server/domain/run/extension.h"
#include "server/domain/run/planner.h"
#include "server/domain/run/run_moves.h"
#include "server/domain/tasks/trace_pack.h"
#include "server/domain/operate/watch.h"
#include "wire/json.h"
#include "wire/model_error.h"

#define CANCEL_AFTER_MAX_S 3600

int run_of_request(struct db *db, const struct request *req, struct run_row *run, struct err *e)
{
    int found;

    if (need_id("run", req->param[0], e) < 0)
        return -1;
    found = repo_run_find(db, req->param[0], req->credential.team_id, run, e);
    return found > 0 ? 0 : found < 0 ? -1 : err_set(e, ERR_NOT_FOUND, "there is no run %.40s", req->param[0]);
}

int answer_run(struct db *db, const char *id, int status, struct reply *rep, struct err *e)
{
    int found = repo_run_json(db, id, &rep->body, e);

    if (found <= 0)
        return found < 0 ? -1 : err_set(e, ERR_NOT_FOUND, "there is no run %.40s", id);
    return reply_body_json(rep, status, e);
}

/* --- Starting --- */

static int read_inside(const json_t *body, struct run_request *w, struct err *e)
{
    double x = 0;

    if (json_opt_double(body, "inside_kernels", &x, e) < 0)
        return -1;
    w->inside_kernels = x;
    if (x == 0)
        return 0;
    if (!(x >= INSIDE_KERNELS_MIN && x <= INSIDE_KERNELS_MAX))
        return err_set(e, ERR_INVALID,
                       "`inside_kernels` must be from 0.01 (1 %%) to 0.08 (8 %%), or 0 for whole simulations");
    if (w->engine == ENGINE_REPLAY)
        return err_set(e, ERR_INVALID, "`inside_kernels` needs simulations, and a replay has none");
    return w->ruled ? extension_fits_inside(x, &w->rule, e) : 0;
}

static int read_request(const json_t *body, struct run_request *w, struct err *e)
{
    static const char *const known[] = {
        "designs", "engine", "priority", "until",       "confidence",     "resolve",           "baseline", "budget",
        "approve", "looks",  "failures", "cache_check", "inside_kernels", "allow_foreign_isa", NULL};
    const char *engine = "cycle";
    const json_t *list = NULL;
    double priority = 0;

    if (json_need_object(body, "the body", e) < 0 || json_refuse_unknown(body, known, e) < 0 ||
        json_opt_str(body, "engine", &engine, e) < 0 || json_opt_array(body, "designs", &list, e) < 0 ||
        json_opt_double(body, "priority", &priority, e) < 0 ||
        json_opt_bool(body, "allow_foreign_isa", &w->allow_foreign_isa, e) < 0)
        return -1;
    if (priority != rint(priority) || fabs(priority) > RUN_PRIORITY_MAX)
        return err_set(e, ERR_INVALID, "`priority` must be a whole number from -%d to %d", RUN_PRIORITY_MAX,
                       RUN_PRIORITY_MAX);
    w->priority = (int)priority;
    if (job_engine_from_name(engine, &w->engine) < 0)
        return err_set(e, ERR_INVALID, "`engine` must be cycle or replay");
    if (json_array_size(list) > RUN_DESIGNS_MAX)
        return err_set(e, ERR_INVALID, "at most %d designs in one run", RUN_DESIGNS_MAX);
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *name = json_string_value(json_array_get(list, i));

        if (!name)
            return err_set(e, ERR_INVALID, "`designs` must be a list of names or hashes");
        w->designs[w->count++] = name;
    }
    if (w->count == 0 && w->engine == ENGINE_CYCLE)
        return err_set(e, ERR_INVALID, "`designs` is empty: name at least one GPU design");
    if (cache_check_read(body, &w->cache_check, e) < 0)
        return -1;
    if (w->cache_check > 0 && w->engine == ENGINE_REPLAY)
        return err_set(e, ERR_INVALID, "`cache_check` needs simulations, and a replay has none");
    if (rule_read(body, w->count ? w->count : 1, &w->rule, &w->ruled, e) < 0)
        return -1;
    return read_inside(body, w, e);
}

/* POST /plans/{plan}/runs {"designs":["v100","h100"],"engine":"cycle","until":0.02,"budget":{"seconds":14400}} */
int runs_post(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    struct run_request request = {
        .plan = req->param[0], .team = req->credential.team_id, .by = req->credential.name, .once = req->once};
    char profile[UUID_TEXT], id[UUID_TEXT];
    json_t *body;
    int ret;

    if (need_id("plan", request.plan, e) < 0 || watch_room(&app->farm, e) < 0)
        return -1;
    ret = repo_plan_profile(db, request.plan, req->credential.team_id, profile, e);
    if (ret <= 0)
        return ret < 0 ? -1 : err_set(e, ERR_NOT_FOUND, "there is no plan %.40s", request.plan);
    body = json_read_text(req->body, req->body_length, "the body", e);
    ret = body ? read_request(body, &request, e) : -1;
    if (ret == 0)
        ret = planner_run(&app->farm, db, &request, profile, id, e);
    json_decref(body);
    if (ret < 0)
        return -1;
    trace_pack_kick(&app->farm);
    snprintf(rep->location, sizeof rep->location, "/api/v1/runs/%s", id);
    return answer_run(db, id, 201, rep, e);
}

/* --- Reading --- */

/* GET /runs?workload&q&tag&archived&sort&after&limit */
int runs_get(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    static const char *const columns[] = {"designs", "workload", "state", "done", "created", NULL};
    const char *like = request_query(req, "q");
    struct run_filter only = {.workload = request_query(req, "workload"), .like = like && like[0] ? like : NULL};
    struct list_order order;
    struct db_rows rows;

    label_filter_ask(req, &only.label);
    if ((only.workload && need_id("workload", only.workload, e) < 0) ||
        list_order_ask(app, req, "runs", columns, &order, e) < 0 ||
        repo_run_list(db, req->credential.team_id, &only, &order, &rows, e) < 0)
        return -1;
    return list_order_answer(app, "runs", &order, &rows, rep, e);
}

int run_get(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    struct run_row run;

    (void)app;
    return run_of_request(db, req, &run, e) < 0 ? -1 : answer_run(db, run.id, 200, rep, e);
}

/* [{"design":…,"classes":[…]}]: only built-in designs have measured errors. */
static json_t *validated_json(const struct run_design_row *designs, size_t count, const struct db_rows *kernels)
{
    struct class_shares shares = {0};
    json_t *list = json_array();

    for (int i = 0; i < kernels->count; i++)
        class_shares_add(&shares, db_get(kernels, i, 0), db_get_double(kernels, i, 1));
    class_shares_finish(&shares);
    for (size_t d = 0; list && d < count; d++) {
        struct json_obj o = json_obj_begin();

        json_put_str(&o, "design", designs[d].name);
        json_put(&o, "classes", model_errors_to_json(designs[d].name, designs[d].builtin, &shares));
        if (json_push(list, json_obj_end(&o)) < 0) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

/* Appends the measured model error of each design to the JSON object in `out`. A replay has no model. */
static int add_validated(struct db *db, const struct run_row *run, struct strbuf *out, struct err *e)
{
    struct run_design_row *designs = NULL;
    struct db_rows kernels = {0};
    size_t count = 0;
    json_t *list = NULL;
    char *text = NULL;
    int ret = repo_projection_kernels(db, run->id, &kernels, e) < 0 ||
                      repo_projection_designs(db, run->id, &designs, &count, e) < 0
                  ? -1
                  : 0;

    if (ret == 0) {
        list = validated_json(designs, run->engine == ENGINE_CYCLE ? count : 0, &kernels);
        text = list ? json_dumps(list, JSON_COMPACT) : NULL;
        ret = text && !out->failed ? 0 : err_no_memory(e);
    }
    if (ret == 0) {
        ASSERT(out->length > 0 && out->text[out->length - 1] == '}');
        out->text[--out->length] = '\0';
        strbuf_addf(out, ", \"validated\" : %s}", text);
    }
    free(text);
    json_decref(list);
    free(designs);
    db_rows_release(&kernels);
    return ret;
}

int run_projection_get(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    struct run_row run;

    (void)app;
    if (run_of_request(db, req, &run, e) < 0 || repo_run_projection_json(db, run.id, &rep->body, e) < 0 ||
        add_validated(db, &run, &rep->body, e) < 0)
        return -1;
    return reply_body_json(rep, 200, e);
}

int no_design(const char *design, struct err *e)
{
    return err_set(e, ERR_NOT_FOUND, "the run has no design `%.80s`", design ? design : "");
}

int run_design_find(const struct run_results *r, const char *name, size_t *out, struct err *e)
{
    *out = name ? run_results_design(r, name) : 0;
    return *out < r->design_count ? 0 : no_design(name, e);
}

int run_strata_get(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    const char *design = request_query(req, "design");
    struct run_row run;
    char after[128];
    struct db_rows rows;
    uint64_t limit;

    if (run_of_request(db, req, &run, e) < 0 || list_ask(app, req, "strata", &limit, after, e) < 0 ||
        repo_run_strata(db, run.id, design, after[0] ? strtoll(after, NULL, 10) : -1, limit + 1, &rows, e) < 0)
        return -1;
    if (rows.count == 0 && !after[0]) {
        db_rows_release(&rows);
        return no_design(design, e);
    }
    return list_answer(app, "strata", &rows, 1, limit, rep, e);
}

int run_events_get(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    struct run_row run;
    char after[128];
    struct db_rows rows;
    uint64_t limit;

    if (run_of_request(db, req, &run, e) < 0 || list_ask(app, req, "events", &limit, after, e) < 0 ||
        repo_run_events(db, run.id, after[0] ? after : NULL, limit + 1, &rows, e) < 0)
        return -1;
    return list_answer_written(app, "events", &rows, 1, limit, event_show_text, rep, e);
}

int run_jobs_get(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    struct job_filter of = {.state = request_query(req, "state"),
                            .design = request_query(req, "design"),
                            .worker = request_query(req, "worker")};
    enum job_state known;
    struct run_row run;
    char after[128];
    struct db_rows rows;
    uint64_t limit, stratum;

    if (of.state && job_state_from_name(of.state, &known) < 0)
        return err_set(e, ERR_INVALID, "`state` must be blocked, ready, leased, done, failed or cancelled");
    if (request_query_u64(req, "stratum", 0, UINT32_MAX, UINT64_MAX, &stratum, e) < 0)
        return -1;
    if (of.worker && req->credential.share.hide_names)
        return err_set(e, ERR_FORBIDDEN, "this link hides the names of workers, so it cannot filter by worker");
    of.stratum = stratum == UINT64_MAX ? -1 : (int64_t)stratum;
    if (run_of_request(db, req, &run, e) < 0 || list_ask(app, req, "jobs", &limit, after, e) < 0 ||
        repo_job_list(db, run.id, &of, after[0] ? strtoll(after, NULL, 10) : -1, limit + 1, &rows, e) < 0)
        return -1;
    return list_answer(app, "jobs", &rows, 1, limit, rep, e);
}

/* --- Changing the state --- */

static int conflict(const struct run_row *run, const char *what, struct err *e)
{
    return err_set(e, ERR_CONFLICT, "the run is %s, so it cannot be %s", run->state, what);
}

/* Reads the run again after a request that changed nothing: it may have ended since it was read. */
static int read_again(struct db *db, const struct request *req, const struct run_move *m, struct run_row *run,
                      struct err *e)
{
    return m->changed ? 0 : run_of_request(db, req, run, e);
}

/* Reads {"after_s": 10}. 0: at once. */
static int read_after(const struct request *req, double *after_s, struct err *e)
{
    static const char *const known[] = {"after_s", NULL};
    json_t *body;
    int ret;

    *after_s = 0;
    if (req->body_length == 0)
        return 0;
    body = json_read_text(req->body, req->body_length, "the body", e);
    ret = !body || json_need_object(body, "the body", e) < 0 || json_refuse_unknown(body, known, e) < 0 ||
                  json_opt_double(body, "after_s", after_s, e) < 0
              ? -1
              : 0;
    json_decref(body);
    if (ret == 0 && !(*after_s >= 0 && *after_s <= CANCEL_AFTER_MAX_S))
        return err_set(e, ERR_INVALID, "`after_s` must be from 0 (at once) to %d seconds", CANCEL_AFTER_MAX_S);
    return ret;
}

/* POST /runs/{run}/cancel {"after_s": 10}: ready jobs are cancelled at once, or after that time. Running jobs are
 * stopped at the next heartbeat of their worker. */
int run_cancel_post(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    struct audit_part audited = {app, "run.cancel", req};
    struct run_row run;
    struct run_move m = {.by = req->credential.name, .also = audit_done_too, .ctx = &audited};
    double after_s;

    if (run_of_request(db, req, &run, e) < 0 || read_after(req, &after_s, e) < 0)
        return -1;
    m.run = run.id;
    if ((after_s > 0 ? run_cancel_later(&app->farm, db, &m, after_s, e) : run_cancel(&app->farm, db, &m, e)) < 0 ||
        read_again(db, req, &m, &run, e) < 0)
        return -1;
    if (!m.changed && (strcmp(run.state, "done") == 0 || strcmp(run.state, "failed") == 0))
        return conflict(&run, "cancelled", e);
    return answer_run(db, run.id, 200, rep, e);
}

/* POST /runs/{run}/cancel/undo: takes a cancellation back that waits for its time. */
int run_cancel_undo_post(struct app *app, struct db *db, const struct request *req, struct reply *rep,
                         struct err *e)
{
    struct audit_part audited = {app, "run.undo", req};
    struct run_row run;
    struct run_move m = {.by = req->credential.name, .also = audit_done_too, .ctx = &audited};

    if (run_of_request(db, req, &run, e) < 0)
        return -1;
    m.run = run.id;
    if (run_cancel_undo(&app->farm, db, &m, e) < 0 || read_again(db, req, &m, &run, e) < 0)
        return -1;
    if (!m.changed && (strcmp(run.state, "running") != 0 && strcmp(run.state, "paused") != 0))
        return err_set(e, ERR_CONFLICT, "the run is %s, so its cancellation cannot be taken back", run.state);
    return answer_run(db, run.id, 200, rep, e);
}

/* POST /runs/{run}/pause: no more jobs are leased. Running jobs may finish. */
int run_pause_post(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    struct run_row run;
    struct run_move m = {.from = "running", .to = "paused", .by = req->credential.name, .verb = "paused"};

    if (run_of_request(db, req, &run, e) < 0)
        return -1;
    m.run = run.id;
    if (run_moved(&app->farm, db, &m, e) < 0 || read_again(db, req, &m, &run, e) < 0)
        return -1;
    if (!m.changed && strcmp(run.state, "paused") != 0)
        return conflict(&run, "paused", e);
    return answer_run(db, run.id, 200, rep, e);
}

int run_resume_post(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    struct run_row run;
    struct run_move m = {.from = "paused", .to = "running", .by = req->credential.name, .verb = "resumed"};

    if (run_of_request(db, req, &run, e) < 0)
        return -1;
    m.run = run.id;
    if (run_moved(&app->farm, db, &m, e) < 0 || read_again(db, req, &m, &run, e) < 0)
        return -1;
    if (!m.changed && strcmp(run.state, "running") != 0)
        return conflict(&run, "resumed", e);
    return answer_run(db, run.id, 200, rep, e);
}
