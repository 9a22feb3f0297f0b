/* server/api/handlers/not_simulated.c: the launches of a run that could not be simulated, and the error that
 * results if the other launches of their strata do not represent them. */
#include <stdlib.h>
#include <string.h>

#include "base/csv_cell.h"
#include "base/array.h"
#include "sampling/checks/nonresponse.h"
#include "server/store/repo/repo_interim.h"
#include "server/api/handlers/handlers.h"
#include "server/api/handlers/runs.h"
#include "server/domain/project/stopping_levels.h"

static const char *const columns[] = {"launch", "stratum",  "kernel", "design", "failure",
                                      "detail", "replaced", "at",     NULL};

static int answer_csv(const struct db_rows *rows, struct reply *rep, struct err *e)
{
    for (int c = 0; columns[c]; c++)
        strbuf_addf(&rep->body, "%s%s", c ? "," : "", columns[c]);
    strbuf_addc(&rep->body, '\n');
    for (int i = 0; i < rows->count; i++)
        for (int c = 0; columns[c]; c++) {
            strbuf_adds(&rep->body, c ? "," : "");
            if (strcmp(columns[c], "replaced") == 0)
                strbuf_adds(&rep->body, db_get_bool(rows, i, c) ? "true" : "false");
            else
                csv_add_cell(&rep->body, db_get(rows, i, c));
            strbuf_adds(&rep->body, columns[c + 1] ? "" : "\n");
        }
    rep->content_type = "text/csv; charset=utf-8";
    snprintf(rep->content_disposition, sizeof rep->content_disposition,
             "attachment; filename=\"not-simulated.csv\"");
    return reply_body_json(rep, 200, e);
}

static json_t *item(const struct db_rows *rows, int i)
{
    struct json_obj o = json_obj_begin(), failure = json_obj_begin();

    json_put_str(&failure, "class", db_get(rows, i, 4));
    json_put_str(&failure, "detail", db_get(rows, i, 5));
    json_put_u64(&o, "launch", (uint64_t)db_get_i64(rows, i, 0));
    json_put_u64(&o, "stratum", (uint64_t)db_get_i64(rows, i, 1));
    json_put_str(&o, "kernel", db_get(rows, i, 2));
    json_put_str(&o, "design", db_get(rows, i, 3));
    json_put(&o, "failure", json_obj_end(&failure));
    json_put_bool(&o, "replaced", db_get_bool(rows, i, 6));
    json_put_str(&o, "at", db_get(rows, i, 7));
    return json_obj_end(&o);
}

static json_t *at_stake(const char *design, const struct nonresponse *n)
{
    struct json_obj o = json_obj_begin();

    json_put_str(&o, "design", design);
    json_put_double(&o, "share", n->share);
    json_put_double(&o, "if_twice", n->if_twice);
    json_put_double(&o, "if_profiled", n->if_profiled);
    json_put_str(&o, "sentence", n->sentence);
    return json_obj_end(&o);
}

/* A launch that could not be simulated leaves the run on all designs. */
static int weigh(const struct run_results *r, const struct db_rows *rows, json_t *designs, struct err *e)
{
    struct not_done *failed = mem_zalloc((size_t)rows->count + 1, sizeof *failed, e);
    int ret = failed ? 0 : -1;

    for (int i = 0; failed && i < rows->count; i++)
        failed[i] = (struct not_done){(uint32_t)db_get_i64(rows, i, 1), db_get_u64(rows, i, 8)};
    for (size_t d = 0; ret == 0 && d < r->design_count; d++) {
        struct projection p;
        struct nonresponse n;

        if (projection_make(&r->plan, run_results_of(r, d), r->run.confidence, &p, e) < 0) {
            ret = -1;
            break;
        }
        ret = nonresponse_make(&r->plan, run_results_of(r, d), &p, failed, (size_t)rows->count, &n, e);
        projection_release(&p);
        if (ret == 0 && json_push(designs, at_stake(r->designs[d].name, &n)) < 0)
            ret = err_no_memory(e);
    }
    free(failed);
    return ret;
}

static int answer_json(struct db *db, const struct run_row *run, const struct db_rows *rows, struct reply *rep,
                       struct err *e)
{
    struct run_results r = {.design_count = 0};
    struct json_obj o = json_obj_begin();
    json_t *items = json_array(), *designs = json_array();
    int ret = rows->count > 0 ? run_results_load(&r, db, run, RUN_RESULTS_SHOWN, e) : 0;

    for (int i = 0; ret == 0 && i < rows->count; i++)
        ret = json_push(items, item(rows, i)) < 0 ? err_no_memory(e) : 0;
    if (ret == 0 && rows->count > 0)
        ret = weigh(&r, rows, designs, e);
    json_put(&o, "items", items);
    json_put(&o, "designs", designs);
    run_results_release(&r);
    if (ret == 0)
        return reply_json(rep, 200, json_obj_end(&o), e);
    json_decref(json_obj_end(&o));
    return -1;
}

/* GET /runs/{run}/not-simulated?format=csv */
int run_not_simulated_get(struct app *app, struct db *db, const struct request *req, struct reply *rep,
                          struct err *e)
{
    const char *format = request_query(req, "format");
    bool csv = format && strcmp(format, "csv") == 0;
    struct db_rows rows;
    struct run_row run;
    int ret;

    (void)app;
    if (format && !csv && strcmp(format, "json") != 0)
        return err_set(e, ERR_INVALID, "`format` must be csv or json");
    if (run_of_request(db, req, &run, e) < 0 || repo_interim_not_simulated(db, run.id, &rows, e) < 0)
        return -1;
    ret = csv ? answer_csv(&rows, rep, e) : answer_json(db, &run, &rows, rep, e);
    db_rows_release(&rows);
    return ret;
}
