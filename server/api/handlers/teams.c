/* server/api/handlers/teams.c: teams, their members and invitations. Owners manage their own team, site admins
 * manage all teams. For other callers the answer is the same as for a team that does not exist. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "server/domain/access/access.h"
#include "server/domain/access/access_rules.h"
#include "server/api/handlers/access_json.h"
#include "server/api/http/login_request.h"
#include "server/api/handlers/accounts.h"
#include "server/api/handlers/handlers.h"
#include "server/api/handlers/lists.h"
#include "wire/json.h"

#define DAY_US          (INT64_C(86400) * 1000000)
#define INVITATION_DAYS 7

/* GET /teams: a site admin sees all teams, a person the teams they belong to, a token its own team. */
int teams_get(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    const struct credential *c = &req->credential;
    bool all = credential_has(c, SCOPE_FARM);
    char after[128];
    struct db_rows rows;
    uint64_t limit;

    if (list_ask(app, req, "teams", &limit, after, e) < 0 ||
        repo_team_list(db, all ? 0 : c->account_id, all || c->account_id ? 0 : c->team_id, after, limit + 1, &rows,
                       e) < 0)
        return -1;
    return list_answer(app, "teams", &rows, 1, limit, rep, e);
}

/* POST /teams {"team":"red"} */
int teams_post(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    static const char *const known[] = {"team", NULL};
    json_t *body = json_read_text(req->body, req->body_length, "the body", e);
    char slug[LOGIN_TEXT];
    struct json_obj o;
    int64_t id;
    int ret;

    ret =
        body && json_refuse_unknown(body, known, e) == 0 ? json_need_copy(body, "team", slug, sizeof slug, e) : -1;
    json_decref(body);
    if (ret < 0)
        return -1;
    if (!account_login_valid(slug) || strpbrk(slug, "._"))
        return err_set(e, ERR_INVALID,
                       "a team's name must be 1 to 63 of a-z 0-9 - and begin with a letter or digit");
    if (repo_team_put(db, slug, clock_now(app->clock), &id, e) < 0)
        return e->code == ERR_CONFLICT ? err_set(e, ERR_CONFLICT, "there is a team \"%s\" already", slug) : -1;
    snprintf(rep->about, sizeof rep->about, "%s", slug);
    o = json_obj_begin();
    json_put_str(&o, "team", slug);
    return reply_json(rep, 201, json_obj_end(&o), e);
}

static int team_of_request(struct db *db, const struct request *req, int64_t *team, struct err *e)
{
    int found = repo_team_find(db, req->param[0], team, e);

    if (found < 0)
        return -1;
    if (!found || (!credential_has(&req->credential, SCOPE_FARM) && *team != req->credential.team_id))
        return err_set(e, ERR_NOT_FOUND, "there is no team \"%.60s\"", req->param[0]);
    return 0;
}

/* PATCH /teams/{team} {"share":2.5}: the team's share of the workers when several teams have jobs. */
int team_patch(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    static const char *const known[] = {"share", NULL};
    json_t *body = json_read_text(req->body, req->body_length, "the body", e);
    char text[NUM_TEXT];
    double share;
    int64_t team;
    int ret = body && json_refuse_unknown(body, known, e) == 0 ? json_need_double(body, "share", &share, e) : -1;

    (void)app;
    json_decref(body);
    if (ret < 0)
        return -1;
    if (!(share > 0 && share <= REPO_SHARE_MAX))
        return err_set(e, ERR_INVALID,
                       "share must be above 0 and at most %d; a team of share 2 gets twice the workers",
                       REPO_SHARE_MAX);
    if (team_of_request(db, req, &team, e) < 0 || repo_team_share(db, team, share, e) < 0)
        return -1;
    rep->about_team = team;
    snprintf(rep->about, sizeof rep->about, "%.20s share=%s", req->param[0], num_format(share, text));
    return reply_empty(rep, 204);
}

/* GET /teams/{team}/members */
int members_get(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    char after[128];
    struct db_rows rows;
    uint64_t limit;
    int64_t team;

    if (team_of_request(db, req, &team, e) < 0 || list_ask(app, req, "members", &limit, after, e) < 0 ||
        repo_member_list(db, team, after, limit + 1, &rows, e) < 0)
        return -1;
    return list_answer(app, "members", &rows, 1, limit, rep, e);
}

struct newcomer {
    struct app *app;
    const char *login, *hashed;
    int64_t team, account;
    enum role role;
    const char *invitation; /* the invitation that sets team and role */
};

static int add_body(struct db *db, void *ctx, struct err *e)
{
    struct newcomer *n = ctx;

    return account_insert(n->app, db, n->login, n->hashed, false, &n->account, e) < 0
               ? -1
               : repo_member_put(db, n->team, n->account, n->role, clock_now(n->app->clock), e);
}

static int add_member(struct db *db, const struct request *req, struct newcomer *n, const char *password,
                      struct err *e)
{
    char hashed[PASSWORD_TEXT];

    if (team_of_request(db, req, &n->team, e) < 0 || account_prepare(db, n->login, password, hashed, e) < 0)
        return -1;
    n->hashed = hashed;
    if (db_transaction(db, add_body, n, e) == 0)
        return 0;
    return e->code == ERR_CONFLICT
               ? err_hint(e, "PUT /api/v1/teams/%s/members/%s adds an existing user to the team.", req->param[0],
                          n->login)
               : -1;
}

/* POST /teams/{team}/members {"user":"ann","password":"…","role":"member"}: creates an account with this
 * password. */
int members_post(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    static const char *const known[] = {"user", "password", "role", NULL};
    json_t *body = json_read_text(req->body, req->body_length, "the body", e);
    struct newcomer n = {.app = app};
    const char *password;
    struct json_obj o;
    int ret = -1;

    if (!body || json_refuse_unknown(body, known, e) < 0 || json_need_str(body, "user", &n.login, e) < 0 ||
        json_need_str(body, "password", &password, e) < 0 || read_role(body, &n.role, e) < 0 ||
        add_member(db, req, &n, password, e) < 0)
        goto out;
    rep->about_team = n.team;
    snprintf(rep->about, sizeof rep->about, "%.20s/%s %s", req->param[0], n.login, role_name(n.role));
    o = json_obj_begin();
    json_put_str(&o, "user", n.login);
    json_put_str(&o, "role", role_name(n.role));
    ret = reply_json(rep, 201, json_obj_end(&o), e);
out:
    json_decref(body);
    return ret;
}

struct membership {
    struct app *app;
    int64_t team, account;
    enum role role; /* ROLE_NONE: remove the person from the team */
    bool may_orphan;
};

static int move_member(struct db *db, void *ctx, struct err *e)
{
    const struct membership *m = ctx;
    int64_t owners;
    enum role was;
    int ret = 1;

    if (repo_member_role(db, m->team, m->account, &was, e) < 0)
        return -1;
    if (m->role == ROLE_NONE)
        ret = repo_member_delete(db, m->team, m->account, e);
    else if (repo_member_put(db, m->team, m->account, m->role, clock_now(m->app->clock), e) < 0)
        ret = -1;
    if (ret < 0)
        return -1;
    if (!ret)
        return err_set(e, ERR_NOT_FOUND, "this user is not in the team");
    if (was != ROLE_OWNER || m->role == ROLE_OWNER || m->may_orphan)
        return 0;
    if (repo_member_owners(db, m->team, &owners, e) < 0)
        return -1;
    return owners > 0 ? 0 : err_set(e, ERR_CONFLICT, "the team would have no owner left");
}

static int change_member(struct app *app, struct db *db, const struct request *req, enum role role,
                         struct reply *rep, struct err *e)
{
    struct membership m = {.app = app, .role = role, .may_orphan = credential_has(&req->credential, SCOPE_FARM)};
    struct account_row a = {0};

    if (team_of_request(db, req, &m.team, e) < 0 || account_of_request(db, req->param[1], &a, e) < 0)
        return -1;
    m.account = a.id;
    rep->about_team = m.team;
    snprintf(rep->about, sizeof rep->about, "%.20s/%s %s", req->param[0], a.login, role ? role_name(role) : "out");
    if (db_transaction(db, move_member, &m, e) < 0)
        return -1;
    access_forget(app->farm.access);
    return reply_empty(rep, 204);
}

/* PUT /teams/{team}/members/{user} {"role":"owner"} */
int member_put(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    static const char *const known[] = {"role", NULL};
    json_t *body = json_read_text(req->body, req->body_length, "the body", e);
    enum role role = ROLE_NONE;
    int ret = body && json_refuse_unknown(body, known, e) == 0 ? read_role(body, &role, e) : -1;

    json_decref(body);
    return ret < 0 ? -1 : change_member(app, db, req, role, rep, e);
}

/* DELETE /teams/{team}/members/{user} */
int member_delete(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    return change_member(app, db, req, ROLE_NONE, rep, e);
}

/* --- Invitations --- */

/* POST /teams/{team}/invitations {"role":"member","expires_days":7}: the answer has a secret that works once. */
int invitations_post(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    static const char *const known[] = {"role", "expires_days", NULL};
    json_t *body = json_read_text(req->body, req->body_length, "the body", e);
    char secret[SECRET_TEXT], when[CLOCK_RFC3339];
    unsigned char sha256[SHA256_BYTES];
    wall_us now = clock_now(app->clock), expires;
    uint32_t days = INVITATION_DAYS;
    enum role role = ROLE_NONE;
    struct json_obj o;
    int64_t team;
    int ret = -1;

    if (body && json_refuse_unknown(body, known, e) == 0 && read_role(body, &role, e) == 0)
        ret = json_opt_u32(body, "expires_days", 1, 90, &days, e);
    json_decref(body);
    if (ret < 0 || team_of_request(db, req, &team, e) < 0)
        return -1;
    secret_text_make(secret);
    secret_hash(secret, sha256);
    expires = now + days * DAY_US;
    if (repo_invitation_put(db, team, role, sha256, now, expires, e) < 0)
        return -1;
    rep->about_team = team;
    snprintf(rep->about, sizeof rep->about, "%.40s %s", req->param[0], role_name(role));
    clock_format(expires, when);
    o = json_obj_begin();
    json_put_str(&o, "invitation", secret);
    json_put_str(&o, "team", req->param[0]);
    json_put_str(&o, "role", role_name(role));
    json_put_str(&o, "expires_at", when);
    return reply_json(rep, 201, json_obj_end(&o), e);
}

/* Creates the membership that the invitation grants. An invitation never lowers a role. */
static int join_body(struct db *db, void *ctx, struct err *e)
{
    struct newcomer *n = ctx;
    unsigned char sha256[SHA256_BYTES];
    wall_us now = clock_now(n->app->clock);
    enum role has;
    int found = 0;

    secret_hash(n->invitation, sha256);
    if (secret_text_valid(n->invitation))
        found = repo_invitation_use(db, sha256, now, &n->team, &n->role, e);
    if (found <= 0)
        return found < 0 ? -1 : err_set(e, ERR_GONE, "this invitation is not valid: used, expired, or mistyped");
    if (repo_member_role(db, n->team, n->account, &has, e) < 0)
        return -1;
    return repo_member_put(db, n->team, n->account, has > n->role ? has : n->role, now, e);
}

/* Creates an account and its membership in one transaction. Without a valid invitation neither is created. */
static int newcomer_body(struct db *db, void *ctx, struct err *e)
{
    struct newcomer *n = ctx;

    return account_insert(n->app, db, n->login, n->hashed, false, &n->account, e) < 0 ? -1 : join_body(db, n, e);
}

static int join(struct db *db, const struct request *req, struct newcomer *n, const char *password,
                struct reply *rep, struct err *e)
{
    const struct login_attempt attempt = {.login = n->login, .password = password};
    char hashed[PASSWORD_TEXT];
    struct account_row a = {0};
    int known = account_login_valid(n->login) ? repo_account_find(db, n->login, &a, e) : 0;

    if (known < 0)
        return -1;
    if (known) {
        if (login_request_check(n->app, db, req, &attempt, &a, rep, e) < 0)
            return -1;
        n->account = a.id;
        return db_transaction(db, join_body, n, e);
    }
    if (account_prepare(db, n->login, password, hashed, e) < 0)
        return -1;
    n->hashed = hashed;
    return db_transaction(db, newcomer_body, n, e);
}

/* POST /invitations {"invitation":"…","user":"ann","password":"…"}: joins the team, with a new or an existing
 * account. */
int invitation_use_post(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    static const char *const known[] = {"invitation", "user", "password", NULL};
    json_t *body = json_read_text(req->body, req->body_length, "the body", e);
    struct newcomer n = {.app = app};
    struct credential who = {0};
    char cookie[SECRET_TEXT];
    const char *password;
    int ret = -1;

    if (!body || json_refuse_unknown(body, known, e) < 0 ||
        json_need_str(body, "invitation", &n.invitation, e) < 0 || json_need_str(body, "user", &n.login, e) < 0 ||
        json_need_str(body, "password", &password, e) < 0)
        goto out;
    snprintf(rep->about, sizeof rep->about, "%s", account_login_valid(n.login) ? n.login : "(no user's name)");
    if (join(db, req, &n, password, rep, e) < 0)
        goto out;
    rep->about_team = n.team;
    access_forget(app->farm.access);
    if (session_by_account(app->farm.access, db, n.account, n.team, cookie, &who, e) < 0 ||
        answer_who(db, &who, rep, e) < 0)
        goto out;
    set_session_cookie(app, rep, cookie);
    set_device_cookie(app, rep, n.login);
    ret = 0;
out:
    json_decref(body);
    return ret;
}
