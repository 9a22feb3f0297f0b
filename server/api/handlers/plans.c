/* server/api/handlers/plans.c: plans, their samples and their files. */
#include <stdlib.h>
#include <string.h>

#include "base/csv_cell.h"
#include "server/store/repo/repo_plan.h"
#include "server/domain/plan/farm_cost.h"
#include "server/api/handlers/handlers.h"
#include "server/api/handlers/labels.h"
#include "server/api/handlers/lists.h"
#include "server/domain/plan/plan_request.h"
#include "server/domain/run/planner.h"
#include "wire/json.h"
#include "wire/methods_json.h"

static int no_plan(const char *id, struct err *e)
{
    return err_set(e, ERR_NOT_FOUND, "there is no plan %.40s", id);
}

static int answer_plan(struct db *db, const struct request *req, const char *id, int status, struct reply *rep,
                       struct err *e)
{
    int found = repo_plan_json(db, id, req->credential.team_id, &rep->body, e);

    if (found <= 0)
        return found < 0 ? -1 : no_plan(id, e);
    return reply_body_json(rep, status, e);
}

/* GET /methods */
int methods_get(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    struct jw w;

    (void)app;
    (void)db;
    (void)req;
    jw_init(&w, NULL, NULL, e);
    jw_object(&w);
    jw_key(&w, "items");
    jw_array(&w);
    for (const struct method *const *m = methods; *m; m++)
        method_to_json(&w, *m);
    jw_end(&w, ']');
    jw_end(&w, '}');
    return reply_written(rep, 200, &w, e);
}

/* POST /profiles/{profile}/plans {"method","error","confidence","seed", ...: struct plan_params} */
int plans_post(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    struct plan_request asked = PLAN_REQUEST_DEFAULT;
    char id[UUID_TEXT];
    const char *profile = req->param[0];
    json_t *body;
    int ret;

    if (need_id("profile", profile, e) < 0)
        return -1;
    ret = repo_plan_profile_of_team(db, profile, req->credential.team_id, e);
    if (ret <= 0)
        return ret < 0 ? -1 : err_set(e, ERR_NOT_FOUND, "there is no profile %.40s", profile);
    body = json_read_text(req->body, req->body_length, "the body", e);
    ret = body ? plan_request_read(body, &asked, e) : -1;
    json_decref(body);
    if (ret < 0 || (asked.farm_cost && farm_cost(&app->farm, db, profile, &asked.params, e) < 0) ||
        planner_plan(&app->farm, db, profile, asked.method, &asked.params, &asked.part, req->once, id, e) < 0)
        return -1;
    snprintf(rep->location, sizeof rep->location, "/api/v1/plans/%s", id);
    return answer_plan(db, req, id, 201, rep, e);
}

/* GET /profiles/{profile}/costs: the cost of simulating the profile's launches on this farm, for each design. */
int profile_costs_get(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    json_t *answer = NULL;
    int found;

    if (need_id("profile", req->param[0], e) < 0)
        return -1;
    found = repo_plan_profile_of_team(db, req->param[0], req->credential.team_id, e);
    if (found <= 0)
        return found < 0 ? -1 : err_set(e, ERR_NOT_FOUND, "there is no profile %.40s", req->param[0]);
    return farm_cost_json(&app->farm, db, req->param[0], &answer, e) < 0 ? -1 : reply_json(rep, 200, answer, e);
}

/* GET /plans/{plan}/costs: the same, and the expected cost of the plan's samples. */
int plan_costs_get(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    struct plan_draws work;
    json_t *answer = NULL, *items;
    int found;

    if (need_id("plan", req->param[0], e) < 0)
        return -1;
    found = repo_plan_work(db, req->param[0], req->credential.team_id, &work, e);
    if (found <= 0)
        return found < 0 ? -1 : err_set(e, ERR_NOT_FOUND, "there is no plan %.40s", req->param[0]);
    if (farm_cost_json(&app->farm, db, work.profile, &answer, e) < 0)
        return -1;
    items = json_object_get(answer, "items");
    for (size_t i = 0; i < json_array_size(items); i++) {
        json_t *design = json_array_get(items, i);
        double fixed = json_number_value(json_object_get(design, "fixed_s"));
        double unit = json_number_value(json_object_get(design, "per_unit_s"));

        json_object_set_new(design, "expected_s", json_real(work.launches * fixed + work.units * unit));
    }
    return reply_json(rep, 200, answer, e);
}

/* GET /plans/{plan} */
int plan_get(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    (void)app;
    if (need_id("plan", req->param[0], e) < 0)
        return -1;
    return answer_plan(db, req, req->param[0], 200, rep, e);
}

/* GET /plans?workload&tag&archived&sort&after&limit */
int plans_get(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    static const char *const columns[] = {"error",   "workload", "method",  "strata", "samples",
                                          "speedup", "promised", "created", NULL};
    const char *workload = request_query(req, "workload");
    struct label_filter label;
    struct list_order order;
    struct db_rows rows;

    label_filter_ask(req, &label);
    if ((workload && need_id("workload", workload, e) < 0) ||
        list_order_ask(app, req, "plans", columns, &order, e) < 0 ||
        repo_plan_list(db, req->credential.team_id, workload, &label, &order, &rows, e) < 0)
        return -1;
    return list_order_answer(app, "plans", &order, &rows, rep, e);
}

/* GET /plans/{plan}/file: the canonical text, as `vivace plan --out` writes it. */
int plan_file_get(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    int found;

    (void)app;
    if (need_id("plan", req->param[0], e) < 0)
        return -1;
    found = repo_plan_file(db, req->param[0], req->credential.team_id, &rep->body, e);
    if (found <= 0)
        return found < 0 ? -1 : no_plan(req->param[0], e);
    snprintf(rep->content_disposition, sizeof rep->content_disposition, "attachment; filename=\"plan-%.8s.json\"",
             req->param[0]);
    return reply_body_json(rep, 200, e);
}

/* --- Samples --- */

#define CSV_PAGE 5000

static int samples_csv(struct db *db, const char *plan, int64_t stratum, struct strbuf *b, struct err *e)
{
    enum { CELLS = 13 };
    struct db_rows rows;
    int64_t after = -1;
    int count;

    strbuf_adds(b, "launch,stratum,weight,launch_order,context_index,device,process,context,kernel,mangled_name,"
                   "grid,block,value\r\n");
    do {
        if (repo_plan_samples(db, plan, stratum, after, CSV_PAGE, &rows, e) < 0)
            return -1;
        count = rows.count;
        for (int i = 0; i < count; i++) {
            for (int c = 0; c < CELLS; c++) {
                if (c > 0)
                    strbuf_addc(b, ',');
                csv_add_cell(b, db_get(&rows, i, c));
            }
            strbuf_adds(b, "\r\n");
            after = db_get_i64(&rows, i, CELLS);
        }
        db_rows_release(&rows);
    } while (count == CSV_PAGE);
    return 0;
}

/* GET /plans/{plan}/samples?stratum&format=csv|json&after&limit */
int plan_samples_get(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    const char *format = request_query(req, "format"), *plan = req->param[0];
    char after[128], profile[UUID_TEXT];
    struct db_rows rows;
    uint64_t limit, stratum;
    int64_t only;
    int found;

    if (need_id("plan", plan, e) < 0 ||
        request_query_u64(req, "stratum", 0, UINT32_MAX, UINT64_MAX, &stratum, e) < 0)
        return -1;
    only = stratum == UINT64_MAX ? -1 : (int64_t)stratum;
    found = repo_plan_profile(db, plan, req->credential.team_id, profile, e);
    if (found <= 0)
        return found < 0 ? -1 : no_plan(plan, e);
    if (format && strcmp(format, "csv") == 0) {
        rep->content_type = "text/csv; charset=utf-8";
        snprintf(rep->content_disposition, sizeof rep->content_disposition,
                 "attachment; filename=\"samples-%.8s.csv\"", plan);
        return samples_csv(db, plan, only, &rep->body, e) < 0 ? -1 : reply_body_json(rep, 200, e);
    }
    if (format && strcmp(format, "json") != 0)
        return err_set(e, ERR_INVALID, "`format` must be csv or json");
    if (list_ask(app, req, "samples", &limit, after, e) < 0 ||
        repo_plan_samples_json(db, plan, only, after[0] ? strtoll(after, NULL, 10) : -1, limit + 1, &rows, e) < 0)
        return -1;
    return list_answer(app, "samples", &rows, 1, limit, rep, e);
}
