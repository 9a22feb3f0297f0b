#include "server/api/http/audit.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/log.h"
#include "base/text.h"
#include "server/domain/access/access.h"
#include "server/store/repo/repo_audit.h"
#include "server/store/threads/executor.h"
#include "server/api/http/idempotency.h"

static void name_credential(const struct credential *c, char *out, size_t size)
{
    if (c->share.id)
        snprintf(out, size, "share:%" PRId64, c->share.id);
    else if (c->session_id)
        snprintf(out, size, "session:%" PRId64, c->session_id);
    else if (c->token_id)
        snprintf(out, size, "token:%" PRId64, c->token_id);
    else
        snprintf(out, size, "none");
}

static void fill(struct audit_row *row, struct app *app, const char *action, const struct request *req,
                 const struct reply *rep, int status)
{
    const struct credential *c = &req->credential;
    const char *about = rep && rep->about[0] ? rep->about : req->param[0];
    /* for a log-in, which has no credential: the name that the client claims */
    const char *actor = c->valid ? c->name : rep && rep->about[0] ? rep->about : "-";

    memset(row, 0, sizeof *row);
    row->at = clock_now(app->clock);
    row->team = rep && rep->about_team ? rep->about_team : c->team_id;
    snprintf(row->actor, sizeof row->actor, "%.63s", actor);
    name_credential(c, row->credential, sizeof row->credential);
    snprintf(row->address, sizeof row->address, "%s", req->address);
    /* the path of a share link contains its secret */
    snprintf(row->object, sizeof row->object, "%.95s",
             strcmp(action, "share.open") == 0 && about == req->param[0] ? "" : about);
    utf8_mend(row->actor); /* truncation or an arbitrary path may leave invalid UTF-8 */
    utf8_mend(row->object);
    snprintf(row->request_id, sizeof row->request_id, "%s", req->id);
    row->action = action;
    row->outcome = status;
}

/* Writes the row of a call that was refused or failed. Nothing else has changed, so an error here is only
 * logged. */
static void write_row(struct db *db, const struct audit_row *row)
{
    struct err e;

    if (repo_audit_put(db, row, &e) < 0)
        log_warn("audit", "the audit row of a refused request could not be written",
                 "action=%s actor=%s request=%s error=%s", row->action, log_quote(row->actor, (char[140]){0}, 140),
                 row->request_id, log_quote(e.text, (char[300]){0}, 300));
}

static void answered(struct app *app, struct db *db, const struct route *route, const struct request *req,
                     const struct reply *rep, int status)
{
    struct audit_row row;

    fill(&row, app, route->audit, req, rep, status);
    write_row(db, &row);
}

int audit_done(struct app *app, struct db *db, const char *action, const struct request *req, int status,
               struct err *e)
{
    struct audit_row row;

    fill(&row, app, action, req, NULL, status);
    return repo_audit_put(db, &row, e);
}

int audit_done_too(struct db *db, void *ctx, struct err *e)
{
    const struct audit_part *a = ctx;

    return audit_done(a->app, db, a->action, a->req, 200, e);
}

/* Runs the handler and writes its row in one transaction. */
static int handle_as_one(struct app *app, struct db *db, const struct route *route, const struct request *req,
                         struct reply *rep, struct err *e)
{
    struct audit_row row;
    int ret;

    db_act_begin(db);
    ret = idempotency_handle(app, db, route, req, rep, e);
    if (ret >= 0) {
        fill(&row, app, route->audit, req, rep, reply_status(rep));
        ret = repo_audit_put(db, &row, e);
    }
    if (db_act_end(db, ret >= 0, e) < 0)
        ret = -1;
    /* a request may have put old credentials into the cache again before the commit */
    if (ret >= 0 && strcmp(req->method, "GET") != 0 && strcmp(route->audit, "login") != 0)
        access_forget(app->farm.access);
    return ret;
}

int audit_handle(struct app *app, struct db *db, const struct route *route, const struct request *req,
                 struct reply *rep, struct err *e)
{
    int ret;

    if (!db || !route->audit)
        return idempotency_handle(app, db, route, req, rep, e);
    ret = route->audits_itself ? idempotency_handle(app, db, route, req, rep, e)
                               : handle_as_one(app, db, route, req, rep, e);
    if (ret < 0 && e->code != ERR_DATABASE) /* after a database error nothing was done, and no row can be written */
        answered(app, db, route, req, rep, err_http_status(e->code));
    return ret;
}

static void write_later(struct db *db, void *ctx)
{
    write_row(db, ctx);
    free(ctx);
}

void audit_refused(struct app *app, const struct route *route, const struct request *req, int status)
{
    struct audit_row *row;
    struct err e;

    if (!route->audit || !req->credential.valid)
        return; /* otherwise clients without a credential could fill the log */
    row = mem_zalloc(1, sizeof *row, &e);
    if (!row)
        return;
    fill(row, app, route->audit, req, NULL, status);
    if (executor_submit(app->farm.db_executor, write_later, row, &e) < 0)
        free(row); /* the executor is overloaded; the call was refused anyway */
}
