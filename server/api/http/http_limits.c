/* server/api/http/http_limits.c: rate limits: which calls count, and for which client
 * (server/platform/net/rate_limit.h).
 *
 * A call with a valid credential counts for the credential. A call without one, or with an invalid one, counts
 * for the client's address. Some calls do not count: workers' calls are the farm's own work, quotas limit upload
 * pieces, and the dashboard's files and health checks need no credential and no database. */
#include <inttypes.h>
#include <stdio.h>

#include "server/api/http/http_internal.h"

#include "base/clock.h"

static bool counted(const struct http_request *r)
{
    const struct route *route = r->route;

    if (route->kind == ROUTE_FILE || route->kind == ROUTE_FILE_CPU)
        return false;
    if (route->scope == SCOPE_WORKER)
        return !(r->shown.credential.scopes & 1u << SCOPE_WORKER);
    return route->scope != SCOPE_NONE || route->kind == ROUTE_LOGIN ||
           (route->kind == ROUTE_DB && r->path.count == 2); /* /s/{secret} */
}

static void address_key(const struct http_request *r, char key[64])
{
    char network[ADDRESS_TEXT];

    client_network(r->shown.address, network);
    snprintf(key, 64, "address %s", network);
}

static int refused(struct http_request *r, struct err *e)
{
    if (!r->rate.refused)
        return 0;
    err_set(e, ERR_RATE_LIMITED, "too many requests from one %s",
            r->shown.credential.valid ? "credential" : "address without a valid credential");
    return err_hint(e, "Try again in %" PRIu32 " s.", r->rate.wait_s);
}

int limit_call(struct http_request *r, struct err *e)
{
    const struct credential *c = &r->shown.credential;
    const struct http_options *o = &r->http->options;
    uint64_t now = clock_monotonic_us();
    char key[64];

    if (!counted(r))
        return 0;
    if (c->valid) {
        snprintf(key, sizeof key, "%" PRId64 " %" PRId64 " %" PRId64, c->token_id, c->session_id, c->share.id);
        r->rate = rate_take(r->http->rates, key, o->rate, now);
    } else {
        address_key(r, key);
        r->rate = rate_take(r->http->rates, key, o->rate_anonymous, now);
    }
    return refused(r, e);
}

int limit_look_up(struct http_request *r, struct err *e)
{
    char key[64];

    address_key(r, key);
    r->rate = rate_peek(r->http->rates, key, r->http->options.rate_anonymous, clock_monotonic_us());
    return refused(r, e);
}
