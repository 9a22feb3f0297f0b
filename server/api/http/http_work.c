/* server/api/http/http_work.c: runs the handler of a request on a thread that may block, and processes its
 * reply. */
#include <string.h>

#include "server/api/http/audit.h"
#include "server/api/http/login_request.h"
#include "server/api/http/share_reply.h"
#include "server/store/threads/executor.h"
#include "server/api/http/csv_reply.h"
#include "server/api/http/http_internal.h"
#include "server/platform/metrics.h"

/* Runs the call of a share link: only what the link shows, and from stored documents if the link is frozen. */
static int answer_link(struct http_request *r, struct db *db, struct reply *rep, struct err *e)
{
    const struct credential *c = &r->shown.credential;
    int ret = share_reply_allow(db, r->route, &r->shown, e);

    if (ret < 0)
        audit_refused(r->http->app, r->route, &r->shown, err_http_status(e->code));
    if (ret == 0 && c->share.frozen)
        ret = share_reply_frozen(db, r->route, &r->shown, rep, e);
    if (ret == 0)
        ret = audit_handle(r->http->app, db, r->route, &r->shown, rep, e);
    if (ret >= 0 && c->share.hide_names && strcmp(r->route->path, "/api/v1/methods") != 0)
        ret = share_reply_hide_names(r->http->app, c, rep, e);
    return ret < 0 ? -1 : 0;
}

static int answer(struct http_request *r, struct db *db, struct reply *rep, struct err *e)
{
    return r->shown.credential.share.id ? answer_link(r, db, rep, e)
                                        : audit_handle(r->http->app, db, r->route, &r->shown, rep, e);
}

static void fail(struct http_request *r, const struct err *e, int retry_after_s)
{
    request_fail(r, e);
    if (retry_after_s)
        r->reply.retry_after_s = retry_after_s;
}

/* 1: parked. 0: r->reply is the answer. -1: the call failed; *e and *retry_after_s describe the failure. */
static int run_handler(struct http_request *r, struct db *db, int *retry_after_s, struct err *e)
{
    struct reply rep;
    int ret;

    reply_init(&rep);
    *e = (struct err){0};
    ret = csv_wanted(r) ? csv_reply(r, db, answer, &rep, e) : answer(r, db, &rep, e);
    *retry_after_s = rep.retry_after_s;
    if (ret >= 0 && rep.parked)
        return 1;
    if (ret < 0) {
        reply_release(&rep);
        fail(r, e, *retry_after_s);
        return -1;
    }
    r->reply = rep;
    r->phase = REQUEST_DONE;
    return 0;
}

int work_run(struct http_request *r, struct db *db)
{
    struct err e;
    int retry_after_s;

    return run_handler(r, db, &retry_after_s, &e) > 0;
}

static void resume(struct http_request *r)
{
    body_drop_file(r);
    MHD_resume_connection(r->connection);
}

static void handler_task(struct db *db, void *ctx)
{
    struct http_request *r = ctx;

    atomic_fetch_add(&r->references, 1);
    if (work_run(r, db) == 0)
        resume(r);
    request_unref(r);
}

struct executor *work_short_executor(const struct http_request *r)
{
    const struct credential *c = &r->shown.credential;
    bool worker = r->route->scope == SCOPE_WORKER && !r->presented.by_cookie &&
                  (!c->valid || (c->scopes & 1u << SCOPE_WORKER));

    return worker ? r->http->app->farm.work_executor : r->http->app->farm.db_executor;
}

static struct executor *executor_of(const struct http_request *r)
{
    const struct app *app = r->http->app;

    if (csv_wanted(r))
        return app->farm.file_executor; /* all pages of a list of any length */
    switch (r->route->kind) {
    case ROUTE_CPU:
    case ROUTE_FILE_CPU: return app->farm.cpu_executor;
    case ROUTE_FILE: return app->farm.file_executor;
    case ROUTE_LOGIN:
        return login_request_of_known_device(app, &r->shown) ? app->farm.device_executor : app->farm.login_executor;
    default: return work_short_executor(r);
    }
}

/* --- Equal requests ---
 * The answer for readers of a team depends on the path, the team and the permissions. Equal requests that wait
 * get one answer, from a handler that begins after the last of them arrived: each answer includes all writes
 * before its request. The cost depends on the number of different requests. */

static bool may_share(const struct http_request *r)
{
    return r->route->scope == SCOPE_READ && strcmp(r->method, "GET") == 0 &&
           (r->route->kind == ROUTE_DB || r->route->kind == ROUTE_CPU) && !r->shown.credential.share.id &&
           !csv_wanted(r);
}

bool work_same_question(const struct http_request *a, const struct http_request *b)
{
    const struct credential *c = &a->shown.credential, *d = &b->shown.credential;

    return a->route == b->route && c->team_id == d->team_id && c->scopes == d->scopes && c->role == d->role &&
           strcmp(a->uri, b->uri) == 0;
}

static void answer_equals(struct http_request *list, struct db *db, const struct http_request *first, bool failed,
                          const struct err *e, int retry_after_s)
{
    struct http_request *next;

    for (struct http_request *r = list; r; r = next) {
        next = r->equals;
        r->equals = NULL;
        if (failed) {
            fail(r, e, retry_after_s);
        } else if (first->reply.shared) {
            reply_copy_shared(&first->reply, &r->reply);
            r->phase = REQUEST_DONE;
        } else {
            handler_task(db, r);
            continue;
        }
        metrics_add(r->http->app->farm.metrics, METRIC_ANSWERS_SHARED, 1);
        MHD_resume_connection(r->connection);
    }
}

static void shared_task(struct db *db, void *ctx)
{
    struct http_request *r = ctx, *equals;
    struct err e, ignored;
    int ret, retry_after_s;

    equals = equal_begin(&r->http->same_question, r);
    if (!equals) {
        handler_task(db, r);
        return;
    }
    atomic_fetch_add(&r->references, 1);
    ret = run_handler(r, db, &retry_after_s, &e);
    if (ret == 0)
        reply_share(r, &ignored); /* out of memory: each request runs its own handler */
    answer_equals(equals, db, r, ret < 0, &e, retry_after_s);
    if (ret <= 0)
        MHD_resume_connection(r->connection);
    request_unref(r);
}

int work_submit(struct http_request *r, struct err *e)
{
    if (may_share(r))
        return equal_submit(&r->http->same_question, r, executor_of(r), shared_task, e);
    if (executor_submit_request(executor_of(r), handler_task, r, e) == 0)
        return 0;
    if (r->route->kind == ROUTE_LOGIN && e->code == ERR_BUSY) {
        err_set(e, ERR_RATE_LIMITED, "too many log-ins are in progress");
        err_hint(e, "Try again in a moment.");
    }
    return -1;
}
