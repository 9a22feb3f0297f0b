/* server/api/http/http_server.h: starting and stopping what http.h describes. */
#ifndef VIVACE_SERVER_HTTP_SERVER_H
#define VIVACE_SERVER_HTTP_SERVER_H

#include <stdint.h>

#include "base/err.h"
#include "server/api/app.h"
#include "server/platform/net/rate_limit.h"

struct route;
struct made_kind;
struct tls;

struct http_options {
    const char *listen;           /* "127.0.0.1:8080", "[::1]:0", "0.0.0.0:80" */
    const char *public_url;       /* or NULL: its host is answered too */
    const char *host_names;       /* or NULL: further names, with commas between */
    const char *trusted_proxies;  /* or NULL: server/platform/net/client_address.h */
    const struct tls *tls;        /* server/platform/net/tls.h; outlives the server */
    unsigned threads;             /* of libmicrohttpd */
    const struct made_kind *made; /* ends with one whose `makes` is NULL */
    unsigned connections_most, connections_an_address_most;
    struct rate rate, rate_anonymous;    /* calls of one credential; of one address without any */
    unsigned idle_s;                     /* a connection that says nothing is closed */
    unsigned head_s;                     /* one whose head takes longer, too */
    const char *content_security_policy; /* sent with every page */
};

/* Listens; requests are answered from now on. */
int http_start(struct app *app, const struct route *table, const struct http_options *options, struct http **out,
               struct err *e);
/* "127.0.0.1:34567": with the port that was taken. */
const char *http_address(const struct http *h);
const char *http_scheme(const struct http *h); /* "http" or "https" */
/* Takes no new connections, and leaves the listening socket to the caller: who connects to it waits for the next to
 * take it. -1: it is gone already. */
int http_take_socket(struct http *h);
/* Takes no new connections, closes the socket; what is parked or streaming is ended by its owner or, if not, by
 * http_stop(). */
void http_quiesce(struct http *h);
/* Before what handlers use goes away: connections may send what they have on the way, for so long at most (each
 * answer tells them to close), then requests are refused; back when none is in work but parked ones and streams (10
 * s at most).
 */
void http_drain(struct http *h, unsigned linger_ms);
/* Waits until no request is in work (10 s at most), then ends all threads. */
void http_stop(struct http *h);
unsigned http_connections(const struct http *h);
unsigned http_streams(const struct http *h);
uint64_t http_hurried(const struct http *h); /* connections that were ended so that others have a place */

#endif
