/* server/api/handlers/blobs.c: a blob (a trace, or a file that a script sends) by its SHA-256, in one request. */
#include <stdio.h>
#include <string.h>

#include "server/store/blob/blob_publish.h"
#include "server/store/blob/blob_store.h"
#include "server/store/repo/repo_blob.h"
#include "server/api/handlers/access_json.h"
#include "server/api/handlers/handlers.h"

#define REDIRECT_S 3600

int blob_put_handler(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    int64_t team = req->credential.team_id;
    const char *sha256 = req->param[0];
    const struct blob_publication b = {
        .staged_path = req->body_path, .sha256 = sha256, .bytes = req->body_length, .team = team};
    int known;

    if (!sha256_hex_valid(sha256))
        return err_set(e, ERR_INVALID, "\"%.70s\" is not a SHA-256 (64 lower-case hex digits)", sha256);
    if (strcmp(sha256, req->body_sha256) != 0) {
        err_set(e, ERR_INVALID, "the received bytes have the SHA-256 %s, not the one in the address",
                req->body_sha256);
        return err_hint(e, "They were damaged during the transfer, or the file changed. Compute its hash again and "
                           "send it again.");
    }
    known = repo_blob_of_team(db, sha256, team, NULL, e);
    if (known < 0 || blob_publish(&app->farm.store, db, &b, e) < 0)
        return -1;
    return reply_empty(rep, known ? 204 : 201);
}

/* 1: the blob is in a bucket, and the reply redirects to a URL that is valid for an hour. HEAD only reports
 * whether the blob exists. */
static int redirect(struct app *app, const struct request *req, const char *sha256, struct reply *rep,
                    struct err *e)
{
    struct strbuf url = STRBUF_INIT;
    int ret = blob_store_ask(app->farm.store.blobs, e) < 0
                  ? -1
                  : blob_url(app->farm.store.blobs, sha256, REDIRECT_S, &url, e);

    if (ret > 0 && url.length >= sizeof rep->location)
        ret = err_set(e, ERR_INTERNAL, "the blob store's address is too long");
    if (ret > 0 && strcmp(req->method, "HEAD") == 0) {
        ret = blob_exists(app->farm.store.blobs, sha256, NULL, e);
        if (ret == 0)
            ret = err_set(e, ERR_NOT_FOUND, "there is no blob %s", sha256);
        rep->status = 200;
    } else if (ret > 0) {
        snprintf(rep->location, sizeof rep->location, "%s", url.text);
        rep->etag[0] = '\0'; /* the redirect's URL changes, so clients must not cache it */
        rep->status = 307;
    }
    strbuf_release(&url);
    return ret;
}

/* A person reads the blobs that the team has sent. A worker's token belongs to the farm: it reads the blobs that
 * the worker's leased jobs name. */
static int may_read(struct db *db, const struct credential *c, const char *sha256, struct err *e)
{
    int may = credential_has(c, SCOPE_READ) ? repo_blob_of_team(db, sha256, c->team_id, NULL, e) : 0;

    return may == 0 && credential_has(c, SCOPE_WORKER) ? repo_blob_of_lease(db, sha256, c->token_id, e) : may;
}

int blob_get(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    const char *sha256 = req->param[0];
    int may, elsewhere;

    if (!sha256_hex_valid(sha256))
        return err_set(e, ERR_NOT_FOUND, "there is no such blob");
    may = may_read(db, &req->credential, sha256, e);
    if (may > 0 && credential_has(&req->credential, SCOPE_WRITE) &&
        repo_blob_touch(db, sha256, clock_now(app->clock), e) < 0) /* the caller is about to use it */
        may = -1;
    if (may < 0)
        return -1;
    if (!may)
        return err_set(e, ERR_NOT_FOUND, "there is no blob %s", sha256);
    snprintf(rep->etag, sizeof rep->etag, "%.64s", sha256);
    elsewhere = redirect(app, req, sha256, rep, e);
    if (elsewhere)
        return elsewhere < 0 ? -1 : 0;
    if (blob_open(app->farm.store.blobs, sha256, &rep->file, &rep->file_length, e) < 0) {
        rep->file = -1;
        return -1;
    }
    rep->content_type = "application/octet-stream";
    return 0;
}
