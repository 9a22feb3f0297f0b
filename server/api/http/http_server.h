/* server/api/http/http_server.h: starts and stops the HTTP server that http.h describes. */
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
    const char *public_url;       /* or NULL; its host is accepted, too */
    const char *host_names;       /* or NULL; more accepted host names, separated by commas */
    const char *trusted_proxies;  /* or NULL: server/platform/net/client_address.h */
    const struct tls *tls;        /* server/platform/net/tls.h; outlives the server */
    unsigned threads;             /* number of libmicrohttpd's threads */
    const struct made_kind *made; /* the last element has `makes` NULL */
    unsigned connections_max, connections_per_ip_max;
    struct rate rate, rate_anonymous;    /* rate limits: for one credential; for one address without a credential */
    unsigned idle_s;                     /* seconds; a connection without data for this time is closed */
    unsigned head_s;                     /* seconds; a connection whose request header takes longer is closed */
    const char *content_security_policy; /* sent with every page */
};

/* Listens; answers requests from now on. */
int http_start(struct app *app, const struct route *table, const struct http_options *options, struct http **out,
               struct err *e);
/* The address with the actual port: "127.0.0.1:34567". */
const char *http_address(const struct http *h);
const char *http_scheme(const struct http *h); /* "http" or "https" */
/* Accepts no new connections and leaves the listening socket to the caller. New clients wait until the next
 * process accepts them. -1: the socket is closed already. */
int http_take_socket(struct http *h);
/* Accepts no new connections and closes the socket. Owners end their parked requests and streams; http_stop()
 * ends the rest. */
void http_quiesce(struct http *h);
/* Call it before the objects that handlers use are freed. Clients may finish requests in transit within the
 * given time (each reply asks the client to close). Then requests are refused. Returns when no request is in
 * work except parked ones and streams, after 10 s at most. */
void http_drain(struct http *h, unsigned linger_ms);
/* Waits until no request is in work (10 s at most), then ends all threads. */
void http_stop(struct http *h);
unsigned http_connections(const struct http *h);
unsigned http_streams(const struct http *h);
uint64_t http_hurried(const struct http *h); /* connections that were closed early to make room for others */

#endif
