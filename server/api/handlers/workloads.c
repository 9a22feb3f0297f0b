/* server/api/handlers/workloads.c: the team's workloads and their progress. */
#include <stdio.h>
#include <string.h>

#include <jansson.h>

#include "base/text.h"
#include "server/api/http/cursor.h"
#include "server/store/repo/repo_workload.h"
#include "server/api/handlers/handlers.h"
#include "server/api/handlers/lists.h"
#include "server/domain/run/runs.h"
#include "wire/json.h"

#define LIST            "workloads"
#define NAME_LENGTH_MAX 200 /* bytes */

static int no_workload(struct err *e)
{
    return err_set(e, ERR_NOT_FOUND, "there is no workload with this id");
}

/* JSON text from the database; JSON null when it is empty. */
static json_t *from_text(const char *json)
{
    return json && json[0] ? json_loads(json, JSON_DECODE_ANY, NULL) : json_null();
}

/* Members that a row of the list and the page of one workload share. */
static int put_common(struct json_obj *o, struct db *db, const struct db_rows *r, int row, struct err *e)
{
    void *plan = NULL, *run = NULL;

    json_put_str(o, "id", db_get(r, row, 0));
    json_put_str(o, "name", db_get(r, row, 1));
    json_put_str(o, "created_at", db_get(r, row, 2));
    json_put(o, "profile", from_text(db_get(r, row, 3)));
    json_put_str(o, "state", db_get(r, row, 4));
    json_put_bool(o, "archived", db_get_bool(r, row, 5));
    if (runs_latest_of_workload(db, db_get(r, row, 0), &plan, &run, e) < 0)
        return -1;
    json_put(o, "latest_plan", plan);
    json_put(o, "latest_run", run);
    return 0;
}

/* The query asks for one row more than a page, to see whether there is a next page. */
static json_t *make_list(const struct app *app, struct db *db, const struct list_order *order,
                         const struct db_rows *r, struct err *e)
{
    int shown = (uint64_t)r->count < order->limit ? r->count : (int)order->limit - 1, ret = 0;
    struct json_obj o = json_obj_begin();
    json_t *items = json_array();
    char next[CURSOR_TEXT] = "";

    for (int i = 0; i < shown && ret == 0; i++) {
        struct json_obj row = json_obj_begin();

        ret = put_common(&row, db, r, i, e);
        if (json_push(items, json_obj_end(&row)) < 0 && ret == 0)
            ret = err_no_memory(e);
    }
    json_put(&o, "items", items);
    if (ret == 0 && shown < r->count)
        ret = list_order_next(app, LIST, order, db_get(r, shown - 1, order->column[0] ? 6 : 2),
                              db_get(r, shown - 1, 0), next, e);
    if (shown < r->count)
        json_put_str(&o, "next", next);
    else
        json_put(&o, "next", json_null());
    items = json_obj_end(&o);
    if (ret == 0)
        return items;
    json_decref(items);
    return NULL;
}

/* Reads ?first=ID,ID: workloads to list first. There must be fewer than a page of them, so that the page ends
 * with another workload, whose key starts the next page. */
static int read_first(const struct request *req, uint64_t limit, struct strbuf *out, struct err *e)
{
    const char *at = request_query(req, "first");
    char id[UUID_TEXT];
    uint64_t count = 0;

    db_array_begin(out);
    for (; at && *at; at += strcspn(at, ","), at += *at == ',') {
        snprintf(id, sizeof id, "%.*s", (int)strcspn(at, ","), at);
        if (!uuid_valid(id) || strcspn(at, ",") != strlen(id))
            return err_set(e, ERR_INVALID, "`first` must be a list of ids, separated by commas");
        if (++count >= limit)
            return err_set(e, ERR_INVALID, "`first` must name fewer workloads than a page has (%llu)",
                           (unsigned long long)limit);
        db_array_add(out, id);
    }
    db_array_end(out);
    return out->failed ? err_no_memory(e) : 0;
}

static int read_state(const struct request *req, const char **out, struct err *e)
{
    static const char *const states[] = {"running", "done", "failed", "not_run", "not_planned"};
    const char *given = request_query(req, "state");

    *out = "";
    if (!given || !given[0])
        return 0;
    for (size_t i = 0; i < sizeof states / sizeof states[0]; i++)
        if (strcmp(given, states[i]) == 0)
            *out = states[i];
    return (*out)[0] ? 0
                     : err_set(e, ERR_INVALID,
                               "`state` must be running, done, failed, not_run or not_planned, not `%.40s`", given);
}

/* GET /workloads?q&state&archived&sort&first&after&limit */
int workloads_get(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    static const char *const columns[] = {"name", "kernels", "launches", "total", "created", NULL};
    const char *q = request_query(req, "q"), *archived = request_query(req, "archived");
    struct workload_ask ask = {.like = q ? q : ""};
    struct strbuf first = STRBUF_INIT;
    struct db_rows r;
    json_t *list = NULL;

    ask.archived = archived && strcmp(archived, "true") == 0;
    if (list_order_ask(app, req, LIST, columns, &ask.order, e) < 0 || read_state(req, &ask.state, e) < 0 ||
        read_first(req, ask.order.limit - 1, &first, e) < 0)
        goto out;
    ask.first = first.text;
    if (repo_workload_list(db, req->credential.team_id, &ask, &r, e) < 0)
        goto out;
    err_no_memory(e); /* the error that holds unless make_list() sets another one */
    list = make_list(app, db, &ask.order, &r, e);
    db_rows_release(&r);
out:
    strbuf_release(&first);
    return list ? reply_json(rep, 200, list, e) : -1;
}

static int put_page(struct json_obj *o, struct db *db, const struct db_rows *r, struct err *e)
{
    struct strbuf profiles = STRBUF_INIT;
    void *plans = NULL, *runs = NULL;
    const char *id = db_get(r, 0, 0);
    int ret = -1;

    if (put_common(o, db, r, 0, e) == 0 && repo_workload_profiles(db, id, &profiles, e) == 0 &&
        runs_lists_of_workload(db, id, &plans, &runs, e) == 0) {
        json_put(o, "profiles", from_text(profiles.text));
        json_put(o, "plans", plans);
        json_put(o, "runs", runs);
        ret = 0;
    }
    strbuf_release(&profiles);
    return ret;
}

int workload_get(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    struct json_obj o;
    struct db_rows r;
    json_t *page;
    int ret;

    (void)app;
    if (!uuid_valid(req->param[0]))
        return no_workload(e);
    if (repo_workload_get(db, req->param[0], req->credential.team_id, &r, e) < 0)
        return -1;
    if (r.count == 0) {
        db_rows_release(&r);
        return no_workload(e);
    }
    o = json_obj_begin();
    ret = put_page(&o, db, &r, e);
    db_rows_release(&r);
    page = json_obj_end(&o);
    if (ret == 0)
        return reply_json(rep, 200, page, e);
    json_decref(page);
    return -1;
}

static int need_workload(struct db *db, const struct request *req, struct err *e)
{
    struct db_rows r = {.count = 0};
    bool there;

    if (!uuid_valid(req->param[0]))
        return no_workload(e);
    if (repo_workload_get(db, req->param[0], req->credential.team_id, &r, e) < 0)
        return -1;
    there = r.count > 0;
    db_rows_release(&r);
    return there ? 0 : no_workload(e);
}

/* PATCH /workloads/{workload} {"name":"resnet, batch 64","archived":true}: both members are optional */
int workload_patch(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    static const char *const known[] = {"name", "archived", NULL};
    json_t *body = NULL;
    char name[NAME_LENGTH_MAX + 1] = "";
    bool archived = false;
    int ret = -1, found;

    if (need_workload(db, req, e) < 0)
        return -1;
    body = json_read_text(req->body, req->body_length, "the body", e);
    if (!body || json_need_object(body, "the body", e) < 0 || json_refuse_unknown(body, known, e) < 0 ||
        json_opt_copy(body, "name", name, sizeof name, e) < 0 || json_opt_bool(body, "archived", &archived, e) < 0)
        goto out;
    text_sanitize(name);
    if (json_object_get(body, "name") && !name[0]) {
        err_set(e, ERR_INVALID, "`name` is empty");
        goto out;
    }
    found = repo_workload_change(db, req->param[0], req->credential.team_id, name[0] ? name : NULL,
                                 json_object_get(body, "archived") ? &archived : NULL, clock_now(app->clock), e);
    if (found > 0)
        ret = reply_empty(rep, 204);
    else if (found == 0)
        no_workload(e);
    else if (e->code == ERR_CONFLICT)
        err_set(e, ERR_CONFLICT, "there is a workload \"%s\" already", name);
out:
    json_decref(body);
    return ret;
}

int workload_delete(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    int gone = uuid_valid(req->param[0]) ? repo_workload_delete(db, req->param[0], req->credential.team_id, e) : 0;

    (void)app;
    if (gone < 0)
        return -1;
    return gone ? reply_empty(rep, 204) : no_workload(e);
}
