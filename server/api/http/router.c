#include "server/api/http/router.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "server/domain/access/access_rules.h"
#include "wire/json_writer.h"

/* Paths that never return the dashboard's page. */
static bool reserved(const struct path *path)
{
    static const char *const first[] = {"api", "assets", "metrics", "healthz", "readyz", "s"};

    for (size_t i = 0; path->count > 0 && i < sizeof first / sizeof first[0]; i++)
        if (strcmp(path->segment[0], first[i]) == 0)
            return true;
    return false;
}

/* 1: the path matches the template, and the parameters are set. 0: it does not match. */
static int fits(const char *template, const struct path *path, struct request *req)
{
    size_t at = 0, params = 0;

    for (const char *t = template; *t == '/'; at++) {
        size_t n = strcspn(++t, "/");

        if (n >= 2 && t[n - 1] == '}' && t[n - 2] == '*')
            return at > 0 || !reserved(path);
        if (n == 0)
            return path->count == 0;
        if (at == path->count)
            return 0;
        if (t[0] == '{') {
            size_t length = strlen(path->segment[at]);

            if (params == ROUTE_PARAMS || length >= sizeof req->param[0])
                return 0;
            memcpy(req->param[params++], path->segment[at], length + 1);
        } else if (strlen(path->segment[at]) != n || strncmp(t, path->segment[at], n) != 0) {
            return 0;
        }
        t += n;
    }
    return at == path->count && !path->folder;
}

int router_find(const struct route *table, const char *method, const struct path *path, struct request *req,
                const struct route **out, char allow[ALLOW_TEXT], struct err *e)
{
    const char *wanted = strcmp(method, "HEAD") == 0 ? "GET" : method;

    allow[0] = '\0';
    for (const struct route *r = table; r->method; r++) {
        if (!fits(r->path, path, req))
            continue;
        if (strcmp(r->method, wanted) == 0) {
            *out = r;
            return 0;
        }
        if (strlen(allow) + strlen(r->method) + 8 < ALLOW_TEXT) {
            strcat(allow, allow[0] ? ", " : "");
            strcat(allow, strcmp(r->method, "GET") == 0 ? "GET, HEAD" : r->method);
        }
    }
    if (allow[0] && reserved(path))
        return err_set(e, ERR_NOT_ALLOWED, "this address accepts %s, not %s", allow, method);
    err_set(e, ERR_NOT_FOUND, "there is nothing at this address");
    return err_hint(e, "GET /api/v1/openapi.json lists the addresses.");
}

/* Compares an Origin, "http://host:port", with the Host header. */
static bool same_origin(const char *origin, const char *host)
{
    const char *after = strstr(origin, "://");

    return after && host && strcasecmp(after + 3, host) == 0;
}

static int check_cross_site(const struct credential *c, const struct access_facts *f, struct err *e)
{
    if (strcmp(f->method, "GET") == 0 || strcmp(f->method, "HEAD") == 0)
        return 0;
    if (c->valid && !c->by_cookie)
        return 0; /* a page of another site cannot send the bearer token */
    if (f->origin && !same_origin(f->origin, f->host))
        return err_set(e, ERR_FORBIDDEN, "requests from pages of other sites may not change data");
    if (f->sec_fetch_site && strcmp(f->sec_fetch_site, "same-origin") != 0 &&
        strcmp(f->sec_fetch_site, "none") != 0)
        return err_set(e, ERR_FORBIDDEN, "requests from pages of other sites may not change data");
    if (c->by_cookie && !(f->x_vivace_request && strcmp(f->x_vivace_request, "1") == 0)) {
        err_set(e, ERR_FORBIDDEN,
                "a request that changes data and has a cookie needs the header X-Vivace-Request: 1");
        return -1;
    }
    return 0;
}

int router_allow(const struct route *route, const struct credential *c, const struct access_facts *facts,
                 struct err *e)
{
    return check_cross_site(c, facts, e) < 0 ? -1 : access_rule(route->scope, route->method, c, e);
}

void problem_write(const struct err *e, int status, const char *request_id, struct strbuf *out)
{
    struct jw w;

    jw_init(&w, NULL, NULL, &(struct err){0});
    jw_object(&w);
    jw_key(&w, "type");
    {
        char type[80];

        snprintf(type, sizeof type, "/api/v1/problems/%s", err_name(e->code));
        jw_text(&w, type);
    }
    jw_key_text(&w, "title", err_title(e->code));
    jw_key_i64(&w, "status", status);
    jw_key_text(&w, "detail", e->text);
    jw_key_text(&w, "code", err_name(e->code));
    if (e->hint[0])
        jw_key_text(&w, "hint", e->hint);
    jw_key_text(&w, "request_id", request_id);
    jw_end(&w, '}');
    if (jw_finish(&w) == 0)
        strbuf_adds(out, w.text.text);
    jw_release(&w);
}

void problem_reply(const struct err *e, const char *request_id, struct reply *rep)
{
    strbuf_clear(&rep->body);
    rep->status = err_http_status(e->code);
    rep->content_type = "application/problem+json";
    rep->etag[0] = rep->location[0] = rep->cookie[0] = rep->device[0] = rep->content_disposition[0] = '\0';
    rep->cache_forever = false;
    if (rep->status == 507 && !rep->retry_after_s)
        rep->retry_after_s = 60; /* space must be freed first */
    if (e->code == ERR_UNAVAILABLE && !rep->retry_after_s)
        rep->retry_after_s = 5;
    if (rep->status == 503 || rep->status == 429)
        rep->retry_after_s = rep->retry_after_s ? rep->retry_after_s : 2;
    problem_write(e, rep->status, request_id, &rep->body);
}

int range_read(const char *header, uint64_t size, uint64_t *offset, uint64_t *length)
{
    uint64_t first, last;
    char *end;

    if (!header || strncasecmp(header, "bytes=", 6) != 0 || strchr(header, ','))
        return 0;
    header += 6;
    if (header[0] == '-') { /* the last n bytes */
        if (strspn(header + 1, "0123456789") != strlen(header + 1) || !header[1])
            return 0;
        last = strtoull(header + 1, NULL, 10);
        if (last == 0 || size == 0)
            return -1;
        *length = last < size ? last : size;
        *offset = size - *length;
        return 1;
    }
    if (header[0] < '0' || header[0] > '9')
        return 0;
    first = strtoull(header, &end, 10);
    if (*end != '-' || strspn(end + 1, "0123456789") != strlen(end + 1))
        return 0;
    if (first >= size)
        return -1;
    last = end[1] ? strtoull(end + 1, NULL, 10) : size - 1;
    if (last < first)
        return 0;
    if (last >= size)
        last = size - 1;
    *offset = first;
    *length = last - first + 1;
    return 1;
}

bool etag_matches(const char *header, const char *etag)
{
    size_t n = strlen(etag);

    if (!header || !n)
        return false;
    if (strcmp(header, "*") == 0)
        return true;
    for (const char *at = header; (at = strstr(at, etag)); at += n)
        if (at > header && at[-1] == '"' && at[n] == '"')
            return true;
    return false;
}

int router_metrics(const struct route *table, struct metrics **out, struct err *e)
{
    size_t count = 0;

    while (table[count].method)
        count++;
    if (metrics_new(count, out, e) < 0)
        return -1;
    for (size_t i = 0; i < count; i++)
        metrics_route(*out, i, table[i].method, table[i].path);
    return 0;
}
