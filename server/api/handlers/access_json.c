#include "server/api/handlers/access_json.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/text.h"
#include "server/domain/access/access.h"
#include "server/domain/access/access_rules.h"
#include "server/domain/access/device.h"
#include "server/platform/config.h"
#include "server/store/repo/repo_account.h"
#include "server/store/repo/repo_share.h"
#include "wire/json.h"

json_t *scope_list(unsigned scopes)
{
    json_t *list = json_array();

    for (unsigned s = SCOPE_READ; list && s <= SCOPE_FARM; s++)
        if (scopes & 1u << s && json_push(list, json_string(scope_name(s))) < 0) {
            json_decref(list);
            return NULL;
        }
    return list;
}

int read_scopes(const json_t *body, unsigned *out, struct err *e)
{
    const json_t *list, *item;
    const char *names[8];
    size_t i, n = 0;

    if (json_need_array(body, "scopes", &list, e) < 0)
        return -1;
    json_array_foreach(list, i, item)
    {
        if (!json_is_string(item) || n == sizeof names / sizeof names[0])
            return err_set(e, ERR_INVALID, "`scopes` must be a list of read, write, worker, admin, farm");
        names[n++] = json_string_value(item);
    }
    return scopes_from_names(names, n, out, e);
}

int read_role(const json_t *body, enum role *out, struct err *e)
{
    const char *name;

    return json_need_str(body, "role", &name, e) < 0 ? -1 : role_from_name(name, out, e);
}

bool credential_has(const struct credential *c, enum scope s)
{
    return c->scopes & 1u << s;
}

/* The question of a link: an object, or null if the link shows no comparison. */
static json_t *question_json(struct db *db, int64_t share, struct err *e)
{
    struct strbuf text = STRBUF_INIT;
    int found = repo_share_question(db, share, &text, e);
    json_t *out = found > 0    ? json_read_text(text.text, text.length, "the question", e)
                  : found == 0 ? json_null()
                               : NULL;

    strbuf_release(&text);
    return out;
}

static json_t *share_json(struct db *db, const struct share_scope *s, struct err *e)
{
    struct share_times times;
    json_t *question = repo_share_times(db, s->id, &times, e) < 0 ? NULL : question_json(db, s->id, e);
    json_t *out;

    if (!question)
        return NULL;
    out = json_pack("{s:s,s:s,s:o,s:b,s:b,s:s,s:s?,s:s?}", "kind", s->kind, "object", s->object, "question",
                    question, "frozen", s->frozen, "hide_names", s->hide_names, "expires_at", times.expires_at,
                    "frozen_at", times.frozen_at[0] ? times.frozen_at : NULL, "discarded_at",
                    times.discarded_at[0] ? times.discarded_at : NULL);
    if (!out)
        err_no_memory(e);
    return out;
}

int answer_who(struct db *db, const struct credential *c, struct reply *rep, struct err *e)
{
    char team[LOGIN_TEXT] = "";
    json_t *share = NULL;
    struct json_obj o;

    if ((c->team_id && repo_team_slug(db, c->team_id, team, e) < 0) ||
        (c->share.id && !(share = share_json(db, &c->share, e))))
        return -1;
    o = json_obj_begin();
    json_put_str(&o, "name", c->name);
    json_put_str(&o, "user", c->account_id ? c->name : NULL);
    json_put_str(&o, "team", team);
    json_put_str(&o, "role", role_name(c->role));
    json_put(&o, "scopes", scope_list(c->scopes));
    if (share)
        json_put(&o, "share", share);
    return reply_json(rep, 200, json_obj_end(&o), e);
}

static const char *secure(const struct app *app)
{
    const char *url = app->config->public_url;

    return app->config->tls_cert || (url && str_starts(url, "https://")) ? "Secure; " : "";
}

static void set_cookie(const struct app *app, struct reply *rep, const char *name, const char *value,
                       int64_t seconds)
{
    snprintf(rep->cookie, sizeof rep->cookie, "%s=%s; Path=/; HttpOnly; %sSameSite=Lax; Max-Age=%" PRId64, name,
             value, secure(app), value[0] ? seconds : 0);
}

void set_device_cookie(const struct app *app, struct reply *rep, const char *login)
{
    char name[DEVICE_NAME], value[DEVICE_VALUE];

    device_name(login, name);
    device_make(&app->farm, login, value);
    snprintf(rep->device, sizeof rep->device,
             "%s=%s; Path=/api/v1/session; HttpOnly; %sSameSite=Strict; Max-Age=%" PRId64, name, value, secure(app),
             DEVICE_S);
}

/* The cookie lives 7 days. The server ends the session earlier, after 12 idle hours. */
void set_session_cookie(const struct app *app, struct reply *rep, const char *cookie)
{
    set_cookie(app, rep, SESSION_COOKIE, cookie, 604800);
}
