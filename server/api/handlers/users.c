/* server/api/handlers/users.c: users. Site admins create and disable accounts. A user changes only their own
 * password. */
#include <stdio.h>
#include <string.h>

#include "server/domain/access/access.h"
#include "server/store/repo/repo_access.h"
#include "server/api/handlers/access_json.h"
#include "server/api/http/login_request.h"
#include "server/api/handlers/accounts.h"
#include "server/api/handlers/handlers.h"
#include "server/api/handlers/lists.h"
#include "server/domain/access/password.h"
#include "wire/json.h"

/* GET /users */
int users_get(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    char after[128];
    struct db_rows rows;
    uint64_t limit;

    if (list_ask(app, req, "users", &limit, after, e) < 0 || repo_account_list(db, after, limit + 1, &rows, e) < 0)
        return -1;
    return list_answer(app, "users", &rows, 1, limit, rep, e);
}

int account_prepare(struct db *db, const char *login, const char *password, char hashed[PASSWORD_TEXT],
                    struct err *e)
{
    if (!account_login_valid(login))
        return err_set(e, ERR_INVALID,
                       "a user's name must be 1 to 63 of a-z 0-9 . _ - and begin with a letter or digit");
    if (password_check(password, e) < 0)
        return -1;
    db_act_release(db);
    return password_hash(password, hashed, e);
}

int account_insert(struct app *app, struct db *db, const char *login, const char *hashed, bool site_admin,
                   int64_t *id, struct err *e)
{
    if (repo_account_put(db, login, hashed, site_admin, clock_now(app->clock), id, e) == 0)
        return 0;
    return e->code == ERR_CONFLICT ? err_set(e, ERR_CONFLICT, "there is a user \"%s\" already", login) : -1;
}

/* POST /users {"user":"ann","password":"…","site_admin":false} */
int users_post(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    static const char *const known[] = {"user", "password", "site_admin", NULL};
    json_t *body = json_read_text(req->body, req->body_length, "the body", e);
    const char *login, *password;
    char hashed[PASSWORD_TEXT];
    bool site_admin = false;
    struct json_obj o;
    int64_t id;
    int ret = -1;

    if (!body || json_refuse_unknown(body, known, e) < 0 || json_need_str(body, "user", &login, e) < 0 ||
        json_need_str(body, "password", &password, e) < 0 || json_opt_bool(body, "site_admin", &site_admin, e) < 0)
        goto out;
    if (account_prepare(db, login, password, hashed, e) < 0 ||
        account_insert(app, db, login, hashed, site_admin, &id, e) < 0)
        goto out;
    snprintf(rep->about, sizeof rep->about, "%s%s", login, site_admin ? " site_admin" : "");
    o = json_obj_begin();
    json_put_str(&o, "user", login);
    json_put_bool(&o, "site_admin", site_admin);
    ret = reply_json(rep, 201, json_obj_end(&o), e);
out:
    json_decref(body);
    return ret;
}

int account_of_request(struct db *db, const char *login, struct account_row *out, struct err *e)
{
    int found = account_login_valid(login) ? repo_account_find(db, login, out, e) : 0;

    return found > 0 ? 0 : found < 0 ? -1 : err_set(e, ERR_NOT_FOUND, "there is no user \"%.60s\"", login);
}

/* PATCH /users/{user} {"site_admin":true,"disabled":false} */
int user_patch(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    static const char *const known[] = {"site_admin", "disabled", NULL};
    json_t *body = json_read_text(req->body, req->body_length, "the body", e);
    struct account_row a = {0};
    bool site_admin, disabled;
    int ret = -1;

    if (!body || json_refuse_unknown(body, known, e) < 0 || account_of_request(db, req->param[0], &a, e) < 0)
        goto out;
    site_admin = a.site_admin;
    disabled = a.disabled;
    if (json_opt_bool(body, "site_admin", &site_admin, e) < 0 || json_opt_bool(body, "disabled", &disabled, e) < 0)
        goto out;
    if (a.id == req->credential.account_id && (disabled || !site_admin)) {
        err_set(e, ERR_CONFLICT, "you cannot remove this right from yourself");
        err_hint(e, "Another site admin can do it.");
        goto out;
    }
    snprintf(rep->about, sizeof rep->about, "%s site_admin=%d disabled=%d", a.login, site_admin, disabled);
    if (repo_account_flags(db, a.id, site_admin, disabled, e) < 0 ||
        (disabled && repo_session_delete_all(db, a.id, e) < 0))
        goto out;
    access_forget(app->farm.access);
    ret = reply_empty(rep, 204);
out:
    json_decref(body);
    return ret;
}

/* The caller must be that user and send the old password too, or be a site admin. `*own`: it is that user. */
static int may_change(const struct request *req, const char *current, bool *own, struct err *e)
{
    const struct credential *c = &req->credential;

    *own = c->account_id && strcmp(req->param[0], c->name) == 0;
    if (!*own && !credential_has(c, SCOPE_FARM))
        return err_set(e, ERR_FORBIDDEN, "only the user or a site admin may change this password");
    if (*own && !current)
        return err_set(e, ERR_INVALID, "`current` is missing: give your present password");
    return 0;
}

static int change_own(struct app *app, struct db *db, const struct request *req, const char *current,
                      const char *password, struct account_row *a, struct reply *rep, struct err *e)
{
    const struct login_attempt attempt = {req->credential.name, current, password};

    if (login_request_check(app, db, req, &attempt, a, rep, e) == 0)
        return 0;
    return e->code == ERR_UNAUTHORIZED ? err_set(e, ERR_FORBIDDEN, "the current password is wrong") : -1;
}

static int change_of_other(struct db *db, const struct request *req, const char *password, struct account_row *a,
                           struct err *e)
{
    char hashed[PASSWORD_TEXT];

    db_act_release(db); /* the hash takes long */
    if (password_hash(password, hashed, e) < 0)
        return -1;
    return account_of_request(db, req->param[0], a, e) < 0 ? -1 : repo_account_password(db, a->id, hashed, e);
}

/* PUT /users/{user}/password {"password":"…","current":"…"}: ends every session that was opened with the old
 * password. */
int user_password_put(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    static const char *const known[] = {"password", "current", NULL};
    json_t *body = json_read_text(req->body, req->body_length, "the body", e);
    const char *password, *current = NULL;
    struct account_row a = {0};
    bool own;
    int ret = -1;

    if (!body || json_refuse_unknown(body, known, e) < 0 || json_need_str(body, "password", &password, e) < 0 ||
        json_opt_str(body, "current", &current, e) < 0 || password_check(password, e) < 0 ||
        may_change(req, current, &own, e) < 0)
        goto out;
    if ((own ? change_own(app, db, req, current, password, &a, rep, e)
             : change_of_other(db, req, password, &a, e)) < 0 ||
        repo_session_delete_all(db, a.id, e) < 0)
        goto out;
    access_forget(app->farm.access);
    if (req->credential.by_cookie && own)
        set_session_cookie(app, rep, "");
    ret = reply_empty(rep, 204);
out:
    json_decref(body);
    return ret;
}
