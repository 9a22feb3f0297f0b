#include "server/api/http/queries.h"

#include <string.h>

#include "base/strbuf.h"

static bool takes(const struct route *route, const char *name, size_t length)
{
    for (const char *const *q = route->queries; *q; q++)
        if (strncmp(*q, name, length) == 0 && (*q)[length] == '\0')
            return true;
    return false;
}

static int refuse(const struct route *route, const char *name, size_t length, struct err *e)
{
    struct strbuf names = STRBUF_INIT;

    for (const char *const *q = route->queries; *q; q++)
        strbuf_addf(&names, "%s%s", names.length ? ", " : "", *q);
    err_set(e, ERR_MALFORMED, "this address has no query parameter `%.*s`; valid ones: %s",
            length < 60 ? (int)length : 60, name, names.length ? names.text : "none");
    strbuf_release(&names);
    return -1;
}

int queries_check(const struct route *route, const char *uri, struct err *e)
{
    const char *at = strchr(uri, '?');

    for (at = at && route->queries ? at + 1 : ""; *at; at += *at == '&') {
        size_t length = strcspn(at, "=&");

        if (length > 0 && !takes(route, at, length))
            return refuse(route, at, length, e);
        at += strcspn(at, "&");
    }
    return 0;
}
