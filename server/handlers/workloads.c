/* server/handlers/workloads.c: what there is, and how far each is. */
#include <stdio.h>
#include <string.h>

#include <jansson.h>

#include "base/text.h"
#include "server/http/cursor.h"
#include "server/db/repo_workload.h"
#include "server/handlers/handlers.h"
#include "server/run/runs.h"
#include "wire/json.h"

#define PAGE      100
#define PAGE_MOST 1000
#define NAME_MOST 200 /* bytes */

static int no_workload(struct err *e)
{
    return err_set(e, ERR_NOT_FOUND, "there is no workload with this id");
}

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
    json_put_str(o, "state", db_get(r, row, 4));
    json_put_bool(o, "archived", db_get_bool(r, row, 5));
    if (runs_latest_of_workload(db, db_get(r, row, 0), &plan, &run, e) < 0)
        return -1;
    json_put(o, "latest_plan", plan);
    json_put(o, "latest_run", run);
    return 0;
}

/* A cursor of one order is none of another: each is a list of its own. */
static const char *list_name(const struct workload_ask *ask, char out[64])
{
    snprintf(out, 64, "workloads%s%s", ask->largest_first ? " -" : " ", ask->sort);
    return ask->sort[0] ? out : "workloads";
}

/* Where the page ends: the key, which may need two parts, and the id. */
static int put_next(const struct app *app, struct json_obj *o, const struct workload_ask *ask,
                    const struct db_rows *r, int last, struct err *e)
{
    const char *key = db_get(r, last, ask->sort[0] ? 6 : 2);
    char next[CURSOR_TEXT], name[64];
    struct cursor c = {0};

    snprintf(c.text[0], sizeof c.text[0], "%s", key);
    snprintf(c.text[1], sizeof c.text[1], "%s", db_get(r, last, 0));
    if (strlen(key) >= sizeof c.text[0])
        snprintf(c.text[2], sizeof c.text[2], "%s", key + sizeof c.text[0] - 1);
    if (cursor_write(app, list_name(ask, name), &c, next, e) < 0)
        return -1;
    json_put_str(o, "next", next);
    return 0;
}

/* One row more than `limit` was asked for: is there a next page? */
static json_t *make_list(const struct app *app, struct db *db, const struct workload_ask *ask,
                         const struct db_rows *r, int limit, struct err *e)
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
        ret = put_next(app, &o, ask, r, shown - 1, e);
    else
        json_put(&o, "next", json_null());
    items = json_obj_end(&o);
    if (ret == 0)
        return items;
    json_decref(items);
    return NULL;
}

/* ?first=ID,ID: fewer than a page, so that the page ends with one that is not among them, from which the next goes
 * on. */
static int read_first(const struct request *req, uint64_t limit, struct strbuf *out, struct err *e)
{
    const char *at = request_query(req, "first");
    char id[UUID_TEXT];
    uint64_t count = 0;

    db_array_begin(out);
    for (; at && *at; at += strcspn(at, ","), at += *at == ',') {
        snprintf(id, sizeof id, "%.*s", (int)strcspn(at, ","), at);
        if (!uuid_valid(id) || strcspn(at, ",") != strlen(id))
            return err_set(e, ERR_INVALID, "`first` is a list of ids with commas between");
        if (++count >= limit)
            return err_set(e, ERR_INVALID, "`first` names fewer workloads than a page holds (%llu)",
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
                               "`state` is running, done, failed, not_run or not_planned, not `%.40s`", given);
}

/* ?sort=-total: a column, largest first with the minus. */
static int read_sort(const struct request *req, struct workload_ask *ask, struct err *e)
{
    static const char *const columns[] = {"name", "kernels", "invocations", "total", "created"};
    const char *given = request_query(req, "sort");

    ask->sort = "";
    if (!given || !given[0] || strcmp(given, "-created") == 0)
        return 0;
    ask->largest_first = given[0] == '-';
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++)
        if (strcmp(given + ask->largest_first, columns[i]) == 0)
            ask->sort = columns[i];
    return ask->sort[0] ? 0
                        : err_set(e, ERR_INVALID,
                                  "`sort` is name, kernels, invocations, total or created, with - for largest "
                                  "first, not `%.40s`",
                                  given);
}

/* GET /workloads?q&state&archived&sort&first&after&limit */
int workloads_get(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    const char *q = request_query(req, "q"), *after = request_query(req, "after");
    const char *archived = request_query(req, "archived");
    struct strbuf first = STRBUF_INIT;
    struct cursor c = {0};
    char key[WORKLOAD_KEY] = "", name[64];
    struct workload_ask ask = {.like = q ? q : "", .before_at = key, .before_id = c.text[1]};
    struct db_rows r;
    uint64_t limit;
    json_t *list = NULL;

    ask.archived = archived && strcmp(archived, "true") == 0;
    if (request_query_u64(req, "limit", 1, PAGE_MOST, PAGE, &limit, e) < 0 || read_state(req, &ask.state, e) < 0 ||
        read_first(req, limit, &first, e) < 0 || read_sort(req, &ask, e) < 0 ||
        (after && cursor_read(app, list_name(&ask, name), after, &c, e) < 0))
        goto out;
    snprintf(key, sizeof key, "%s%s", c.text[0], c.text[2]);
    ask.first = first.text;
    ask.limit = limit + 1;
    if (repo_workload_list(db, req->credential.team_id, &ask, &r, e) < 0)
        goto out;
    err_no_memory(e); /* unless make_list() knows better */
    list = make_list(app, db, &ask, &r, (int)limit, e);
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

/* PATCH /workloads/{workload} {"name":"resnet, batch 64","archived":true}: either may be left out */
int workload_patch(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    static const char *const known[] = {"name", "archived", NULL};
    json_t *body = NULL;
    char name[NAME_MOST + 1] = "";
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
