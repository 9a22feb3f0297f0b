/* server/handlers/static.c: the dashboard's files, and its page for every other path. */
#include <stdio.h>
#include <string.h>

#include "server/handlers/handlers.h"
#include "server/http/static_files.h"

/* Names in /assets/ hold a version: what stands there never changes. */
int asset_get(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    (void)db;
    if (!static_files_get(app->files, req->path + 1, &rep->file, &rep->file_length, &rep->content_type)) {
        rep->file = -1;
        return err_set(e, ERR_NOT_FOUND, "there is no such file");
    }
    rep->cache_forever = true;
    return 0;
}

int page_get(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    (void)db;
    (void)e;
    (void)req;
    if (static_files_get(app->files, "index.html", &rep->file, &rep->file_length, &rep->content_type))
        return 0;
    rep->file = -1;
    rep->content_type = "text/html; charset=utf-8";
    strbuf_adds(&rep->body,
                "<!doctype html><title>Vivace</title><p>The dashboard's files are not there: build them with "
                "<code>make web</code>, or start the server with <code>--web-dir</code>. The API works.</p>\n");
    return 0;
}
