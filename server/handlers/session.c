/* server/handlers/session.c: a browser shows a token once and gets a cookie for it. */
#include <stdio.h>
#include <string.h>

#include "server/access.h"
#include "server/handlers/handlers.h"
#include "server/metrics.h"
#include "wire/json.h"

static int answer_who(struct db *db, const struct credential *c, struct reply *rep, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows r;
    struct json_obj o = json_obj_begin();
    json_t *scopes = json_array();
    bool failed = !scopes;

    db_i64(&p, c->team_id);
    if (db_query(db, "team_slug", &p, &r, e) < 0) {
        json_decref(scopes);
        json_decref(json_obj_end(&o));
        return -1;
    }
    json_put_str(&o, "name", c->name);
    json_put_str(&o, "team", r.count ? db_get(&r, 0, 0) : "");
    db_rows_release(&r);
    for (unsigned s = SCOPE_READ; s <= SCOPE_ADMIN && !failed; s++)
        if (c->scopes & 1u << s)
            failed = json_push(scopes, json_string(scope_name(s))) < 0;
    json_put(&o, "scopes", scopes);
    return reply_json(rep, 200, json_obj_end(&o), e);
}

int session_post(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    static const char *const known[] = {"token", NULL};
    json_t *body = json_read_text(req->body, req->body_length, "the body", e);
    struct credential who = {0};
    char cookie[TOKEN_TEXT];
    const char *token;
    int ret = -1;

    if (!body || json_refuse_unknown(body, known, e) < 0 || json_need_str(body, "token", &token, e) < 0)
        goto out;
    if (session_make(app->access, db, token, cookie, &who, e) < 0) {
        if (e->code == ERR_UNAUTHORIZED)
            metrics_add(app->metrics, METRIC_LOGINS_FAILED, 1);
        goto out;
    }
    if (answer_who(db, &who, rep, e) < 0)
        goto out;
    /* 7 days; the server ends it earlier after 12 idle hours */
    snprintf(rep->cookie, sizeof rep->cookie, SESSION_COOKIE "=%s; Path=/; HttpOnly; SameSite=Lax; Max-Age=604800",
             cookie);
    ret = 0;
out:
    json_decref(body);
    return ret;
}

int session_get(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    (void)app;
    return answer_who(db, &req->credential, rep, e);
}

int session_delete(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;

    if (!req->credential.by_cookie)
        return err_set(e, ERR_CONFLICT, "this call was made with a token, not with a session that could be ended");
    db_i64(&p, req->credential.session_id);
    if (db_query(db, "session_delete", &p, NULL, e) < 0)
        return -1;
    access_forget(app->access);
    snprintf(rep->cookie, sizeof rep->cookie, SESSION_COOKIE "=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0");
    return reply_empty(rep, 204);
}
