/* server/api/http/http_request.c: accessors of a request for handlers; failing and freeing a request. */
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/text.h"
#include "server/api/http/http_internal.h"
#include "server/api/http/router.h"

const char *request_header(const struct request *req, const char *name)
{
    const struct http_request *r = req->internal;

    return head_value(&r->head, name);
}

const char *request_query(const struct request *req, const char *name)
{
    struct http_request *r = req->internal;
    struct err e;
    char *value;

    if (r->page_after && strcmp(name, "after") == 0)
        return r->page_after;
    if (r->page_limit && strcmp(name, "limit") == 0)
        return r->page_limit;
    if (r->query_count == sizeof r->queries / sizeof r->queries[0] || query_read(r->uri, name, &value, &e) <= 0)
        return NULL;
    return r->queries[r->query_count++] = value;
}

void request_forget(struct http_request *r)
{
    while (r->query_count > 0)
        free(r->queries[--r->query_count]);
}

int request_query_u64(const struct request *req, const char *name, uint64_t least, uint64_t most,
                      uint64_t otherwise, uint64_t *out, struct err *e)
{
    const char *s = request_query(req, name);

    *out = otherwise;
    if (!s)
        return 0;
    if (parse_u64(s, name, out, e) < 0) {
        e->code = ERR_INVALID;
        return -1;
    }
    if (*out < least || *out > most)
        return err_set(e, ERR_INVALID, "`%s` must be from %llu to %llu", name, (unsigned long long)least,
                       (unsigned long long)most);
    return 0;
}

/* --- Freeing --- */

void request_fail(struct http_request *r, const struct err *e)
{
    reply_release(&r->reply);
    problem_reply(e, r->shown.id, &r->reply);
    r->phase = REQUEST_DONE;
    if (r->reply.status >= 500)
        log_warn("http", "a request failed", "request=%s method=%s path=%s error=%s", r->shown.id, r->method,
                 r->route ? r->route->path : "-", log_quote(e->text, (char[600]){0}, 600));
}

void request_unref(struct http_request *r)
{
    if (atomic_fetch_sub(&r->references, 1) > 1)
        return;
    stream_abandon(r);
    body_release(r);
    reply_release(&r->reply);
    request_forget(r);
    path_release(&r->path);
    free(r->path_text);
    free(r->uri);
    free(r);
}
