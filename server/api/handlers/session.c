/* server/api/handlers/session.c: log-in: a browser sends a token or a password once and gets a session cookie. */
#include <stdio.h>
#include <string.h>

#include "server/domain/access/access.h"
#include "server/store/repo/repo_access.h"
#include "server/api/handlers/access_json.h"
#include "server/api/http/login_request.h"
#include "server/api/handlers/handlers.h"
#include "server/platform/metrics.h"
#include "wire/json.h"

static int by_token(struct app *app, struct db *db, const json_t *body, char cookie[SECRET_TEXT],
                    struct credential *who, struct err *e)
{
    static const char *const known[] = {"token", NULL};
    const char *token;

    if (json_refuse_unknown(body, known, e) < 0 || json_need_str(body, "token", &token, e) < 0)
        return -1;
    if (session_by_token(app->farm.access, db, token, cookie, who, e) == 0)
        return 0;
    if (e->code == ERR_UNAUTHORIZED)
        metrics_add(app->farm.metrics, METRIC_LOGINS_FAILED, 1);
    return -1;
}

/* Finds the team that the person names; the person must be a member. */
static int team_of(struct db *db, const char *slug, int64_t account, int64_t *team, struct err *e)
{
    enum role role = ROLE_NONE;
    int found = repo_team_find(db, slug, team, e);

    if (found < 0 || (found > 0 && repo_member_role(db, *team, account, &role, e) < 0))
        return -1;
    return role == ROLE_NONE ? err_set(e, ERR_NOT_FOUND, "you are in no team called \"%.60s\"", slug) : 0;
}

static int by_password(struct app *app, struct db *db, const struct request *req, const json_t *body,
                       char cookie[SECRET_TEXT], struct credential *who, struct reply *rep, struct err *e)
{
    static const char *const known[] = {"user", "password", "team", NULL};
    const char *slug = NULL;
    struct login_attempt attempt = {0};
    struct account_row account;
    int64_t team = 0;

    if (json_refuse_unknown(body, known, e) < 0 || json_need_str(body, "user", &attempt.login, e) < 0 ||
        json_need_str(body, "password", &attempt.password, e) < 0 || json_opt_str(body, "team", &slug, e) < 0)
        return -1;
    /* A user may type the password into the name field. Then the audit log must not contain it. */
    snprintf(rep->about, sizeof rep->about, "%s",
             account_login_valid(attempt.login) ? attempt.login : "(no user's name)");
    if (login_request_check(app, db, req, &attempt, &account, rep, e) < 0 ||
        (slug && team_of(db, slug, account.id, &team, e) < 0))
        return -1;
    set_device_cookie(app, rep, attempt.login);
    return session_by_account(app->farm.access, db, account.id, team, cookie, who, e);
}

/* POST /session {"token":"vvc_…"} or {"user":"ann","password":"…","team":"red"} */
int session_post(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    json_t *body = json_read_text(req->body, req->body_length, "the body", e);
    struct credential who = {0};
    char cookie[SECRET_TEXT];
    int ret = -1;

    if (body && json_need_object(body, "the body", e) == 0)
        ret = json_object_get(body, "user") ? by_password(app, db, req, body, cookie, &who, rep, e)
                                            : by_token(app, db, body, cookie, &who, e);
    json_decref(body);
    if (ret < 0 || answer_who(db, &who, rep, e) < 0)
        return -1;
    rep->about_team = who.team_id;
    if (!rep->about[0]) /* a log-in by token: the name is known only after the token was looked up */
        snprintf(rep->about, sizeof rep->about, "%s", who.name);
    set_session_cookie(app, rep, cookie);
    return 0;
}

int session_get(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    (void)app;
    return answer_who(db, &req->credential, rep, e);
}

/* PATCH /session {"team":"blue"}: a member of several teams switches to another one. */
int session_patch(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    static const char *const known[] = {"team", NULL};
    const struct credential *c = &req->credential;
    char slug[LOGIN_TEXT];
    int64_t team = 0;
    json_t *body;
    int ret;

    if (!c->session_id || c->token_id)
        return err_set(
            e, ERR_CONFLICT,
            "only a session that began with a password can change its team; the team of a token is fixed");
    body = json_read_text(req->body, req->body_length, "the body", e);
    ret =
        body && json_refuse_unknown(body, known, e) == 0 ? json_need_copy(body, "team", slug, sizeof slug, e) : -1;
    json_decref(body);
    if (ret < 0 || team_of(db, slug, c->account_id, &team, e) < 0 ||
        repo_session_team(db, c->session_id, team, e) < 0)
        return -1;
    access_forget(app->farm.access);
    return reply_empty(rep, 204);
}

int session_delete(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    if (!req->credential.by_cookie)
        return err_set(e, ERR_CONFLICT, "this call was made with a token; only a session can be ended");
    if (repo_session_delete(db, req->credential.session_id, e) < 0)
        return -1;
    access_forget(app->farm.access);
    set_session_cookie(app, rep, "");
    return reply_empty(rep, 204);
}
