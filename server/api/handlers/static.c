/* server/api/handlers/static.c: the dashboard's files. Every other path returns the dashboard's page. */
#include <stdio.h>
#include <string.h>

#include "server/api/handlers/handlers.h"
#include "server/platform/net/static_files.h"

static int send_file(const struct app *app, const char *path, const struct request *req, struct reply *rep)
{
    struct static_file f;

    if (!static_files_get(app->farm.files, path, static_files_gzip(request_header(req, "Accept-Encoding")), &f))
        return 0;
    rep->file = f.fd;
    rep->file_length = f.bytes;
    rep->content_type = f.type;
    rep->content_encoding = f.gzip ? "gzip" : NULL;
    rep->varies = true;
    return 1;
}

/* File names in /assets/ contain a version, so the content of a name never changes. */
int asset_get(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    (void)db;
    if (!send_file(app, req->path + 1, req, rep))
        return err_set(e, ERR_NOT_FOUND, "there is no such file");
    rep->cache_forever = true;
    return 0;
}

int page_get(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    (void)db;
    (void)e;
    if (send_file(app, "index.html", req, rep))
        return 0;
    rep->content_type = "text/html; charset=utf-8";
    strbuf_adds(&rep->body, "<!doctype html><title>Vivace</title><p>The dashboard's files are missing: build them "
                            "with <code>make web</code>. The API works.</p>\n");
    return 0;
}
