/* server/api/http/router.h: finds the route of a request; converts errors to problem documents (RFC 9457). */
#ifndef VIVACE_SERVER_ROUTER_H
#define VIVACE_SERVER_ROUTER_H

#include "base/strbuf.h"
#include "server/api/http/http.h"
#include "server/platform/metrics.h"
#include "server/platform/net/http_head.h"

/* Finds the route of method and path and fills req->param. 0; or -1 with ERR_NOT_FOUND, or with ERR_NOT_ALLOWED
 * and the path's methods in allow[]. A last segment "{path*}" in a route matches any rest of the path. */
#define ALLOW_TEXT 64
int router_find(const struct route *table, const char *method, const struct path *path, struct request *req,
                const struct route **out, char allow[ALLOW_TEXT], struct err *e);
/* Whether the credential may use the route: 0, or -1 with ERR_UNAUTHORIZED or ERR_FORBIDDEN. If the method is
 * neither GET nor HEAD, a request with a cookie needs X-Vivace-Request: 1, and Origin (if sent) must be this
 * host. */
struct access_facts {
    const char *method, *host, *origin, *sec_fetch_site, *x_vivace_request;
};
int router_allow(const struct route *route, const struct credential *c, const struct access_facts *facts,
                 struct err *e);

/* Counters for each route of the table. */
int router_metrics(const struct route *table, struct metrics **out, struct err *e) MUST_CHECK;

/* Builds the problem document and status of an error. */
void problem_write(const struct err *e, int status, const char *request_id, struct strbuf *out);
void problem_reply(const struct err *e, const char *request_id, struct reply *rep);

/* Parses a Range of a file of `size` bytes: "bytes=0-99", "bytes=100-", "bytes=-5". 1: *offset and *length are
 * set. 0: no range, or an unsupported one (several ranges): send everything. -1: outside the file (416). */
int range_read(const char *header, uint64_t size, uint64_t *offset, uint64_t *length);
/* Whether an If-None-Match value names this tag ("*" does). */
bool etag_matches(const char *header, const char *etag);

#endif
