/* server/handlers/workloads.c: what there is, and how far each is. */
#include <stdio.h>
#include <string.h>

#include <jansson.h>

#include "server/http/cursor.h"
#include "server/db/repo_workload.h"
#include "server/handlers/handlers.h"
#include "server/run/runs.h"
#include "wire/json.h"

#define PAGE      100
#define PAGE_MOST 1000

/* JSON text that the database made; null for none. */
static json_t *from_text(const char *json)
{
    return json && json[0] ? json_loads(json, JSON_DECODE_ANY, NULL) : json_null();
}

/* The members that a row and a page share. */
static int put_common(struct json_obj *o, struct db *db, const struct db_rows *r, int row, struct err *e)
{
    void *plan = NULL, *run = NULL;

    json_put_str(o, "id", db_get(r, row, 0));
    json_put_str(o, "name", db_get(r, row, 1));
    json_put_str(o, "created_at", db_get(r, row, 2));
    json_put(o, "profile", from_text(db_get(r, row, 3)));
    if (runs_latest_of_workload(db, db_get(r, row, 0), &plan, &run, e) < 0)
        return -1;
    json_put(o, "latest_plan", plan);
    json_put(o, "latest_run", run);
    return 0;
}

static int put_next(const struct app *app, struct json_obj *o, const struct db_rows *r, int last, struct err *e)
{
    char next[CURSOR_TEXT];
    struct cursor c = {0};

    snprintf(c.text[0], sizeof c.text[0], "%s", db_get(r, last, 2));
    snprintf(c.text[1], sizeof c.text[1], "%s", db_get(r, last, 0));
    if (cursor_write(app, "workloads", &c, next, e) < 0)
        return -1;
    json_put_str(o, "next", next);
    return 0;
}

/* One row more than `limit` was asked for: is there a next page? */
static json_t *make_list(const struct app *app, struct db *db, const struct db_rows *r, int limit, struct err *e)
{
    int shown = r->count > limit ? limit : r->count, ret = 0;
    struct json_obj o = json_obj_begin();
    json_t *items = json_array();

    for (int i = 0; i < shown && ret == 0; i++) {
        struct json_obj row = json_obj_begin();

        ret = put_common(&row, db, r, i, e);
        if (json_push(items, json_obj_end(&row)) < 0 && ret == 0)
            ret = err_no_memory(e);
    }
    json_put(&o, "items", items);
    if (ret == 0 && shown < r->count)
        ret = put_next(app, &o, r, shown - 1, e);
    else
        json_put(&o, "next", json_null());
    items = json_obj_end(&o);
    if (ret == 0)
        return items;
    json_decref(items);
    return NULL;
}

int workloads_get(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    const char *q = request_query(req, "q"), *after = request_query(req, "after");
    struct cursor c = {0};
    struct db_rows r;
    uint64_t limit;
    json_t *list;

    if (request_query_u64(req, "limit", 1, PAGE_MOST, PAGE, &limit, e) < 0 ||
        (after && cursor_read(app, "workloads", after, &c, e) < 0) ||
        repo_workload_list(db, req->credential.team_id, q ? q : "", c.text[0], c.text[1], limit + 1, &r, e) < 0)
        return -1;
    err_no_memory(e); /* unless make_list() knows better */
    list = make_list(app, db, &r, (int)limit, e);
    db_rows_release(&r);
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
        return err_set(e, ERR_NOT_FOUND, "there is no workload with this id");
    if (repo_workload_get(db, req->param[0], req->credential.team_id, &r, e) < 0)
        return -1;
    if (r.count == 0) {
        db_rows_release(&r);
        return err_set(e, ERR_NOT_FOUND, "there is no workload with this id");
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

int workload_delete(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    int gone = uuid_valid(req->param[0]) ? repo_workload_delete(db, req->param[0], req->credential.team_id, e) : 0;

    (void)app;
    if (gone < 0)
        return -1;
    return gone ? reply_empty(rep, 204) : err_set(e, ERR_NOT_FOUND, "there is no workload with this id");
}
