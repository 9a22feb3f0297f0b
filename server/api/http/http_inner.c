#include "server/api/http/http_inner.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "server/api/http/http_internal.h"
#include "server/api/http/router.h"

int http_inner_get(struct app *app, struct db *db, const struct credential *who, const char *uri, struct reply *rep,
                   struct err *e)
{
    struct http_request *r = mem_zalloc(1, sizeof *r, e);
    char allow[ALLOW_TEXT];
    int ret = -1;

    reply_init(rep);
    if (!r)
        return -1;
    r->uri = mem_strdup(uri, e);
    r->shown = (struct request){.method = "GET", .path = uri, .body = "", .credential = *who, .internal = r};
    if (r->uri && path_read(uri, &r->path, e) == 0 &&
        router_find(app->http->table, "GET", &r->path, &r->shown, &r->route, allow, e) == 0)
        ret = r->route->handler(app, db, &r->shown, rep, e);
    request_forget(r);
    path_release(&r->path);
    free(r->uri);
    free(r);
    if (ret < 0)
        reply_release(rep);
    return ret;
}
