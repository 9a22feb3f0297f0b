/* server/handlers/tokens.c: tokens for programs. The text of one is shown once, when it is made. */
#include <stdio.h>
#include <string.h>

#include "server/access.h"
#include "server/handlers/handlers.h"
#include "wire/json.h"

#define DEFAULT_DAYS 90
#define DAY_US       (INT64_C(86400) * 1000000)

static json_t *scope_names(unsigned scopes)
{
    json_t *list = json_array();

    for (unsigned s = SCOPE_READ; list && s <= SCOPE_ADMIN; s++)
        if (scopes & 1u << s && json_push(list, json_string(scope_name(s))) < 0) {
            json_decref(list);
            return NULL;
        }
    return list;
}

static int read_scopes(const json_t *body, unsigned *out, struct err *e)
{
    const json_t *list, *item;
    const char *names[8];
    size_t i, n = 0;

    if (json_need_array(body, "scopes", &list, e) < 0)
        return -1;
    json_array_foreach(list, i, item)
    {
        if (!json_is_string(item) || n == sizeof names / sizeof names[0])
            return err_set(e, ERR_INVALID, "`scopes` must be a list of read, write, worker, admin");
        names[n++] = json_string_value(item);
    }
    return scopes_from_names(names, n, out, e);
}

int tokens_post(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    static const char *const known[] = {"name", "scopes", "expires_days", NULL};
    json_t *body = json_read_text(req->body, req->body_length, "the body", e);
    char name[64] = "", text[TOKEN_TEXT], id[UUID_TEXT], when[CLOCK_RFC3339] = "";
    uint32_t days = DEFAULT_DAYS;
    unsigned scopes = 0;
    wall_us expires;
    struct json_obj o;
    int ret = -1;

    if (!body || json_refuse_unknown(body, known, e) < 0 ||
        json_need_copy(body, "name", name, sizeof name, e) < 0 || read_scopes(body, &scopes, e) < 0 ||
        json_opt_u32(body, "expires_days", 0, 3650, &days, e) < 0)
        goto out;
    if (!name[0]) {
        err_set(e, ERR_INVALID, "`name` must not be empty");
        goto out;
    }
    expires = days ? clock_now(app->clock) + days * DAY_US : 0; /* 0 days: until it is removed */
    if (token_make(db, app->clock, req->credential.team_id, name, scopes, expires, text, id, e) < 0)
        goto out;
    if (expires)
        clock_format(expires, when);
    o = json_obj_begin();
    json_put_str(&o, "id", id);
    json_put_str(&o, "token", text);
    json_put_str(&o, "name", name);
    json_put(&o, "scopes", scope_names(scopes));
    json_put_str(&o, "expires_at", expires ? when : NULL);
    ret = reply_json(rep, 201, json_obj_end(&o), e);
out:
    json_decref(body);
    return ret;
}

static void put_time(struct json_obj *o, const char *key, const struct db_rows *r, int row, int col)
{
    char when[CLOCK_RFC3339];

    clock_format(db_get_time(r, row, col), when);
    json_put_str(o, key, db_is_null(r, row, col) ? NULL : when);
}

int tokens_get(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct json_obj list = json_obj_begin();
    json_t *items = json_array();
    struct db_rows r;
    bool failed = !items;

    (void)app;
    db_i64(&p, req->credential.team_id);
    if (db_query(db, "token_list", &p, &r, e) < 0) {
        json_decref(items);
        json_decref(json_obj_end(&list));
        return -1;
    }
    for (int i = 0; i < r.count && !failed; i++) {
        struct json_obj o = json_obj_begin();

        json_put_str(&o, "id", db_get(&r, i, 0));
        json_put_str(&o, "name", db_get(&r, i, 1));
        json_put_str(&o, "shown", db_get(&r, i, 2));
        json_put(&o, "scopes", scope_names((unsigned)db_get_i64(&r, i, 3)));
        put_time(&o, "created_at", &r, i, 4);
        put_time(&o, "expires_at", &r, i, 5);
        put_time(&o, "last_used_at", &r, i, 6);
        failed = json_push(items, json_obj_end(&o)) < 0;
    }
    db_rows_release(&r);
    json_put(&list, "items", items);
    return reply_json(rep, 200, json_obj_end(&list), e);
}

int token_delete(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows r;
    int64_t gone;

    if (!uuid_valid(req->param[0]))
        return err_set(e, ERR_NOT_FOUND, "there is no token with this id");
    db_text(&p, req->param[0]);
    db_i64(&p, req->credential.team_id);
    if (db_query(db, "token_delete", &p, &r, e) < 0)
        return -1;
    gone = r.affected;
    db_rows_release(&r);
    if (!gone)
        return err_set(e, ERR_NOT_FOUND, "there is no token with this id");
    access_forget(app->access);
    return reply_empty(rep, 204);
}
