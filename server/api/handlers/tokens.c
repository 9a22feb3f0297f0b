/* server/api/handlers/tokens.c: tokens for programs. The text of a token is shown once, when it is created.
 *
 * A token belongs to a team, or to a person in the team. A person's token can do no more than the person's role
 * allows. A token's creator cannot give it more rights than the creator has. A token can create tokens only with
 * the scope admin or farm: otherwise it could create a token that outlives its own expiry. */
#include <stdio.h>
#include <string.h>

#include "server/domain/access/access.h"
#include "server/domain/access/access_rules.h"
#include "server/store/repo/repo_access.h"
#include "server/api/handlers/access_json.h"
#include "server/api/handlers/handlers.h"
#include "wire/json.h"

#define DEFAULT_DAYS 90
#define NOT_SAID     UINT32_MAX
#define DAY_US       (INT64_C(86400) * 1000000)

static bool manages(const struct credential *c)
{
    return credential_has(c, SCOPE_ADMIN) || credential_has(c, SCOPE_FARM);
}

static int need_maker(const struct credential *c, struct err *e)
{
    if (manages(c) || (c->account_id && !c->token_id))
        return 0;
    err_set(e, ERR_FORBIDDEN, "the credential \"%s\" may not create or list tokens", c->name);
    return err_hint(e, "Log in with user and password, or use a token with the scope admin.");
}

/* The tokens that a credential can see: all of the team, or only the person's own. */
static int64_t whose(const struct credential *c)
{
    return manages(c) && c->team_id ? 0 : c->account_id;
}

static int read_request(const json_t *body, const struct credential *c, char name[64], struct token_request *w,
                        uint32_t *days, struct err *e)
{
    static const char *const known[] = {"name", "scopes", "expires_days", "for", NULL};
    const char *holder = c->account_id ? "me" : "team";
    unsigned most;

    if (json_need_object(body, "the body", e) < 0 || json_refuse_unknown(body, known, e) < 0 ||
        json_need_copy(body, "name", name, 64, e) < 0 || read_scopes(body, &w->scopes, e) < 0 ||
        json_opt_u32(body, "expires_days", 0, 3650, days, e) < 0 || json_opt_str(body, "for", &holder, e) < 0)
        return -1;
    if (!name[0])
        return err_set(e, ERR_INVALID, "`name` must not be empty");
    if (strcmp(holder, "me") != 0 && strcmp(holder, "team") != 0)
        return err_set(e, ERR_INVALID, "`for` must be me or team");
    w->team_id = c->team_id;
    w->account_id = strcmp(holder, "me") == 0 ? c->account_id : 0;
    if (!w->account_id && (!manages(c) || !c->team_id)) {
        err_set(e, ERR_FORBIDDEN, "only an owner of a team may create a token that belongs to the team");
        return err_hint(e, "Use \"for\": \"me\" for a token of your own.");
    }
    most = scopes_expand(c->scopes) | (credential_has(c, SCOPE_FARM) ? 1u << SCOPE_WORKER : 0);
    if (scopes_expand(w->scopes) & ~most)
        return err_set(e, ERR_FORBIDDEN, "a token cannot have more rights than its creator, \"%s\"", c->name);
    return 0;
}

int tokens_post(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    char name[64] = "", text[TOKEN_TEXT], id[UUID_TEXT], when[CLOCK_RFC3339] = "";
    struct token_request request = {.name = name};
    uint32_t days = NOT_SAID;
    struct json_obj o;
    json_t *body;
    int ret;

    if (need_maker(&req->credential, e) < 0)
        return -1;
    body = json_read_text(req->body, req->body_length, "the body", e);
    ret = body ? read_request(body, &req->credential, name, &request, &days, e) : -1;
    json_decref(body);
    if (days == NOT_SAID) /* workers run for a long time: their tokens do not expire, but can be revoked */
        days = request.scopes == 1u << SCOPE_WORKER ? 0 : DEFAULT_DAYS;
    request.expires_at = days ? clock_now(app->clock) + days * DAY_US : 0; /* 0 days: no expiry */
    if (ret < 0 || token_make(db, app->clock, &request, text, id, e) < 0)
        return -1;
    snprintf(rep->about, sizeof rep->about, "%s", id);
    if (request.expires_at)
        clock_format(request.expires_at, when);
    o = json_obj_begin();
    json_put_str(&o, "id", id);
    json_put_str(&o, "token", text);
    json_put_str(&o, "name", name);
    json_put_str(&o, "user", request.account_id ? req->credential.name : NULL);
    json_put(&o, "scopes", scope_list(request.scopes));
    json_put_str(&o, "expires_at", request.expires_at ? when : NULL);
    return reply_json(rep, 201, json_obj_end(&o), e);
}

static void put_time(struct json_obj *o, const char *key, const struct db_rows *r, int row, int col)
{
    char when[CLOCK_RFC3339];

    clock_format(db_get_time(r, row, col), when);
    json_put_str(o, key, db_is_null(r, row, col) ? NULL : when);
}

int tokens_get(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    const struct credential *c = &req->credential;
    struct json_obj list;
    struct db_rows r;
    json_t *items;
    bool failed;

    (void)app;
    if (need_maker(c, e) < 0 || repo_token_list(db, c->team_id, whose(c), &r, e) < 0)
        return -1;
    items = json_array();
    failed = !items;
    for (int i = 0; i < r.count && !failed; i++) {
        struct json_obj o = json_obj_begin();

        json_put_str(&o, "id", db_get(&r, i, 0));
        json_put_str(&o, "name", db_get(&r, i, 1));
        json_put_str(&o, "shown", db_get(&r, i, 2));
        json_put(&o, "scopes", scope_list((unsigned)db_get_i64(&r, i, 3)));
        put_time(&o, "created_at", &r, i, 4);
        put_time(&o, "expires_at", &r, i, 5);
        put_time(&o, "last_used_at", &r, i, 6);
        json_put_str(&o, "user", db_is_null(&r, i, 7) ? NULL : db_get(&r, i, 7));
        failed = json_push(items, json_obj_end(&o)) < 0;
    }
    db_rows_release(&r);
    list = json_obj_begin();
    json_put(&list, "items", items);
    return reply_json(rep, 200, json_obj_end(&list), e);
}

int token_delete(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    const struct credential *c = &req->credential;
    int gone;

    if (need_maker(c, e) < 0)
        return -1;
    gone = uuid_valid(req->param[0]) ? repo_token_delete(db, req->param[0], c->team_id, whose(c), e) : 0;
    if (gone < 0)
        return -1;
    if (!gone)
        return err_set(e, ERR_NOT_FOUND, "there is no token with this id");
    access_forget(app->farm.access);
    return reply_empty(rep, 204);
}
