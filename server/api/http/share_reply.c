#include "server/api/http/share_reply.h"

#include <string.h>

#include "base/text.h"
#include "server/api/http/http_inner.h"
#include "server/domain/share/question.h"
#include "server/domain/share/share.h"
#include "server/store/repo/repo_share.h"
#include "wire/json.h"

int share_reply_allow(struct db *db, const struct route *route, const struct request *req, struct err *e)
{
    const struct share_call call = {.id = req->param[0],
                                    .topics = request_query(req, "topics"),
                                    .base = request_query(req, "base"),
                                    .with = request_query(req, "with"),
                                    .parameters = request_query(req, "parameters"),
                                    .resolve = request_query(req, "resolve")};
    int ret;

    if (route->scope == SCOPE_NONE)
        return 0;
    if (strcmp(route->method, "GET") != 0)
        return err_set(e, ERR_FORBIDDEN, "a share link is read-only");
    if (route->share == SHARE_NOTHING)
        return err_set(e, ERR_FORBIDDEN, "a share link shows one object, not lists of the team");
    ret = share_reaches(db, &req->credential, route->share, &call, e);
    if (ret != 0)
        return ret > 0 ? 0 : -1;
    return err_set(e, ERR_NOT_FOUND, "the link does not share this %s",
                   route->share == SHARE_COMPARE ? "comparison" : "object");
}

/* --- Frozen links --- */

static int get(void *ctx, struct db *db, const struct credential *who, const char *address, struct strbuf *out,
               struct err *e)
{
    struct reply rep;

    if (http_inner_get(ctx, db, who, address, &rep, e) < 0)
        return -1;
    strbuf_release(out);
    *out = rep.body;
    rep.body = (struct strbuf)STRBUF_INIT;
    reply_release(&rep);
    return 0;
}

int share_reply_freeze(struct app *app, struct db *db, const struct credential *link, struct err *e)
{
    return share_freeze(&(struct share_source){get, app}, db, link, e);
}

/* The address under which the answer of a call is stored. */
static void stored_address(const struct route *route, const struct request *req, struct strbuf *out)
{
    const char *design = request_query(req, "design"), *by = request_query(req, "by"),
               *kernels = request_query(req, "kernels"), *parameters = request_query(req, "parameters");

    if (route->share == SHARE_COMPARE && kernels && strcmp(kernels, "true") == 0 && parameters) {
        share_question_address(request_query(req, "base"), request_query(req, "with"), parameters, out);
        return;
    }
    strbuf_adds(out, req->path);
    if (design)
        strbuf_addf(out, "?design=%s", design);
    else if (by)
        strbuf_addf(out, "?by=%s", by);
}

int share_reply_frozen(struct db *db, const struct route *route, const struct request *req, struct reply *rep,
                       struct err *e)
{
    struct strbuf address = STRBUF_INIT;
    int found;

    /* Only whole documents were stored, not parts selected by a query. */
    if (request_query(req, "stratum") || request_query(req, "worker") || request_query(req, "baseline"))
        return err_set(e, ERR_NOT_FOUND, "this was not stored when the link was frozen");
    if (route->share != SHARE_COMPARE &&
        (!db || !strchr(route->path, '{') || str_starts(route->path, "/api/v1/problems/")))
        return 0;
    stored_address(route, req, &address);
    found = address.failed ? err_no_memory(e)
                           : repo_share_document(db, req->credential.share.id, address.text, &rep->body, e);
    strbuf_release(&address);
    if (found == 0)
        return err_set(e, ERR_NOT_FOUND, "this was not stored when the link was frozen");
    return found < 0 || reply_body_json(rep, 200, e) < 0 ? -1 : 1;
}

/* --- Hidden names --- */

int share_reply_hide_names(const struct app *app, const struct credential *c, struct reply *rep, struct err *e)
{
    const struct share_key key = {app->farm.cursor_key, sizeof app->farm.cursor_key};
    json_t *doc, *shown;

    if (rep->file >= 0 || (rep->content_type && strcmp(rep->content_type, "application/json") != 0))
        return err_set(e, ERR_FORBIDDEN, "this link hides names, so its files cannot be downloaded");
    if (rep->body.length == 0)
        return 0;
    doc = json_read_text(rep->body.text, rep->body.length, "an answer", e);
    if (!doc)
        return -1;
    shown = share_hide(&key, c->share.id, doc, e);
    strbuf_clear(&rep->body);
    if (shown)
        json_write_text(shown, false, &rep->body);
    json_decref(doc);
    json_decref(shown);
    return !shown || rep->body.failed ? err_no_memory(e) : 0;
}
