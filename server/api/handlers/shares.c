/* server/api/handlers/shares.c: share links. An owner creates a link, and anybody who has it can open it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "server/domain/access/access.h"
#include "server/domain/project/comparing.h"
#include "server/domain/share/question.h"
#include "server/platform/config.h"
#include "server/store/repo/repo_plan.h"
#include "server/store/repo/repo_profile.h"
#include "server/store/repo/repo_run.h"
#include "server/store/repo/repo_share.h"
#include "server/api/handlers/access_json.h"
#include "server/api/handlers/handlers.h"
#include "server/api/handlers/lists.h"
#include "server/api/http/share_reply.h"
#include "wire/json.h"

#define DAY_US       (INT64_C(86400) * 1000000)
#define DEFAULT_DAYS 30
/* Documents are computed between two statements of the transaction. */
#define FREEZE_TIMEOUT "300s"

struct making {
    struct app *app;
    struct share_row row;
    struct credential link;
    const json_t *question; /* of a comparison; NULL: of another object */
    struct share_question asked;
    struct strbuf text;
};

static void release_making(struct making *m)
{
    share_question_release(&m->asked);
    strbuf_release(&m->text);
}

/* Stores the link and its documents in one transaction, so that a frozen link is never incomplete. */
static int make_body(struct db *db, void *ctx, struct err *e)
{
    struct making *m = ctx;

    if (repo_share_put(db, &m->row, &m->link.share.id, e) < 0 ||
        db_exec_text(db, "SET LOCAL idle_in_transaction_session_timeout = '" FREEZE_TIMEOUT "'", e) < 0)
        return -1;
    return m->row.frozen ? share_reply_freeze(m->app, db, &m->link, e) : 0;
}

static int find_object(struct db *db, const char *kind, const char *id, int64_t team, struct err *e)
{
    char profile[UUID_TEXT];
    struct run_row run;
    int found = 0;

    if (uuid_valid(id))
        found = strcmp(kind, "run") == 0    ? repo_run_find(db, id, team, &run, e)
                : strcmp(kind, "plan") == 0 ? repo_plan_profile(db, id, team, profile, e)
                                            : repo_profile_of_team(db, id, team, e);
    return found > 0 ? 0 : found < 0 ? -1 : err_set(e, ERR_NOT_FOUND, "there is no %s %.40s", kind, id);
}

/* Whether the team has all runs of the question, and these have the designs. */
static int find_sides(struct db *db, const struct share_question *q, int64_t team, struct err *e)
{
    struct board *b = mem_zalloc(1, sizeof *b, e);
    int ret = b ? board_make(b, db, team, q->base.text, q->with.text, e) : -1;

    if (b)
        board_release(b);
    free(b);
    return ret;
}

static int read_shown(const json_t *body, struct making *m, struct err *e)
{
    static const char *const kinds[] = {"run", "plan", "profile", "compare"};
    const bool compare = strcmp(m->row.kind, kinds[3]) == 0;
    size_t i = 0;

    while (i < sizeof kinds / sizeof kinds[0] && strcmp(m->row.kind, kinds[i]) != 0)
        i++;
    if (i == sizeof kinds / sizeof kinds[0])
        return err_set(e, ERR_INVALID, "`kind` must be run, plan, profile or compare");
    if (json_object_get(body, compare ? "object" : "question"))
        return err_set(e, ERR_INVALID, "a link to a %s has `%s`, not `%s`", compare ? "comparison" : m->row.kind,
                       compare ? "question" : "object", compare ? "object" : "question");
    if (!compare)
        return json_need_str(body, "object", &m->row.object, e);
    if (json_need_member(body, "question", &m->question, e) < 0 ||
        share_question_read(m->question, &m->asked, e) < 0)
        return -1;
    json_write_text(m->question, false, &m->text);
    m->row.object = m->asked.first;
    m->row.question = m->text.text;
    m->row.runs = m->asked.runs.text;
    return m->text.failed ? err_no_memory(e) : 0;
}

static int read_request(const json_t *body, struct making *m, uint32_t *days, struct err *e)
{
    static const char *const known[] = {"kind",         "object", "question",   "name",
                                        "expires_days", "frozen", "hide_names", NULL};
    struct share_row *s = &m->row;

    s->name = "";
    if (json_need_object(body, "the body", e) < 0 || json_refuse_unknown(body, known, e) < 0 ||
        json_need_str(body, "kind", &s->kind, e) < 0 || read_shown(body, m, e) < 0 ||
        json_opt_str(body, "name", &s->name, e) < 0 || json_opt_u32(body, "expires_days", 1, 365, days, e) < 0 ||
        json_opt_bool(body, "frozen", &s->frozen, e) < 0 ||
        json_opt_bool(body, "hide_names", &s->hide_names, e) < 0)
        return -1;
    return strlen(s->name) < 64 ? 0 : err_set(e, ERR_INVALID, "`name` has at most 63 bytes");
}

static void fill_link(struct making *m, const struct credential *maker)
{
    struct credential *c = &m->link;

    *c = (struct credential){.valid = true, .scopes = 1u << SCOPE_READ, .team_id = maker->team_id};
    snprintf(c->share.kind, sizeof c->share.kind, "%s", m->row.kind);
    snprintf(c->share.object, sizeof c->share.object, "%s", m->row.object);
}

static int answer_made(const struct making *m, const char *secret, struct reply *rep, struct err *e)
{
    const char *base = m->app->config->public_url ? m->app->config->public_url : "";
    char url[400], when[CLOCK_RFC3339];
    struct json_obj o = json_obj_begin();
    int n = (int)strlen(base);

    snprintf(url, sizeof url, "%.*s/s/%s", n > 0 && base[n - 1] == '/' ? n - 1 : n, base, secret);
    clock_format(m->row.expires_at, when);
    json_put_str(&o, "id", m->row.id);
    json_put_str(&o, "url", url);
    json_put_str(&o, "kind", m->row.kind);
    json_put_str(&o, "object", m->row.object);
    json_put(&o, "question", m->question ? json_incref((json_t *)m->question) : json_null());
    json_put_bool(&o, "frozen", m->row.frozen);
    json_put_bool(&o, "hide_names", m->row.hide_names);
    json_put_str(&o, "expires_at", when);
    return reply_json(rep, 201, json_obj_end(&o), e);
}

/* POST /shares {"kind":"run","object":ID,"name":"for the
 * review","expires_days":30,"frozen":false,"hide_names":false}, or {"kind":"compare","question":{…}} */
int shares_post(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    json_t *body = json_read_text(req->body, req->body_length, "the body", e);
    struct making m = {.app = app,
                       .row = {.team = req->credential.team_id, .made_by = req->credential.name},
                       .asked = SHARE_QUESTION_INIT,
                       .text = STRBUF_INIT};
    char secret[SHARE_TEXT], id[UUID_TEXT];
    unsigned char sha256[SHA256_BYTES];
    uint32_t days = DEFAULT_DAYS;
    int ret = -1;

    if (!body || read_request(body, &m, &days, e) < 0 ||
        (m.question ? find_sides(db, &m.asked, m.row.team, e)
                    : find_object(db, m.row.kind, m.row.object, m.row.team, e)) < 0)
        goto out;
    share_text_make(secret);
    secret_hash(secret, sha256);
    uuid_make(app->clock, id);
    m.row.id = id;
    m.row.sha256 = sha256;
    m.row.created_at = clock_now(app->clock);
    m.row.expires_at = m.row.created_at + days * DAY_US;
    fill_link(&m, &req->credential);
    snprintf(rep->about, sizeof rep->about, "%s %s %s", id, m.row.kind, m.row.object);
    if (db_transaction(db, make_body, &m, e) < 0)
        goto out;
    ret = answer_made(&m, secret, rep, e);
out:
    release_making(&m);
    json_decref(body);
    return ret;
}

/* GET /shares */
int shares_get(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    char after[128];
    struct db_rows rows;
    uint64_t limit;

    if (list_ask(app, req, "shares", &limit, after, e) < 0 ||
        repo_share_list(db, req->credential.team_id, after, limit + 1, &rows, e) < 0)
        return -1;
    return list_answer(app, "shares", &rows, 1, limit, rep, e);
}

/* DELETE /shares/{share} */
int share_delete(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    int gone = uuid_valid(req->param[0]) ? repo_share_delete(db, req->param[0], req->credential.team_id, e) : 0;

    if (gone < 0)
        return -1;
    if (!gone)
        return err_set(e, ERR_NOT_FOUND, "there is no share link with this id");
    access_forget(app->farm.access);
    return reply_empty(rep, 204);
}

/* Whether the client is a browser that shows a page to a person. */
static bool wants_page(const struct request *req)
{
    const char *accept = request_header(req, "Accept");

    return accept && strstr(accept, "text/html");
}

/* GET /s/{secret}: the dashboard, which reads the shared object through URLs below this one. No cookie is set:
 * the visitor's own session is unchanged, and the link can be passed on. */
int share_open(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    unsigned char sha256[SHA256_BYTES];
    wall_us now = clock_now(app->clock);
    struct credential link;
    int found = 0;

    secret_hash(req->param[0], sha256);
    if (share_text_valid(req->param[0]))
        found = repo_share_by_secret(db, sha256, now, &link, e);
    if (found < 0)
        return -1;
    if (!found && wants_page(req)) {
        rep->status = 410;
        return page_get(app, db, req, rep, e);
    }
    if (!found) {
        err_set(e, ERR_GONE, "this share link does not exist, has expired, or was revoked");
        return err_hint(e, "Ask the person who sent it for a new one.");
    }
    if (repo_share_opened(db, link.share.id, now, e) < 0)
        return -1;
    rep->about_team = link.team_id;
    snprintf(rep->about, sizeof rep->about, "%s %s", link.share.kind, link.share.object);
    return page_get(app, db, req, rep, e);
}
