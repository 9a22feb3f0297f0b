/* server/platform/net/http_connection.h: the state of a connection: its current request, and the deadline for the
 * input that the server waits for.
 *
 * libmicrohttpd ends silent connections. A client that sends one byte from time to time (slow loris) is never
 * silent. Therefore a head has a deadline of `head_s`. A connection between requests has `idle_s` + `head_s`. A
 * body has BODY_GRACE_S plus one second for each BODY_MIN bytes that have arrived. libmicrohttpd 0.9.75 does not
 * report the end of a request when the client disconnects in the middle of its head. Then the end of the
 * connection also ends the request.
 *
 * When more than seven eighths of all connections are in use, the server ends the connections that it has waited
 * for longest, and for at least HURRY_MS: first those that never sent a head, then those that send a body without
 * a credential, then those between requests. So slow clients with many addresses cannot block other clients, whose
 * heads arrive at once. */
#ifndef VIVACE_SERVER_HTTP_CONNECTION_H
#define VIVACE_SERVER_HTTP_CONNECTION_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <microhttpd.h>

#include "base/err.h"

#define BODY_GRACE_S 30
#define BODY_MIN     1024 /* bytes per second */
#define HURRY_MS     250

struct http_request;
struct http_connections;
/* The input that the server waits for: the first head, a body without a credential, the next head, or nothing. */
enum http_waiting { WAITS_UNHEARD, WAITS_STRANGER, WAITS_IDLE, WAITS_NOT, WAITS_COUNT = WAITS_NOT };
struct http_connection {
    struct http_connections *all;
    struct http_connection *next, **link;
    struct http_connection *older, *newer; /* neighbours in the list of this `waits` */
    enum http_waiting waits;
    uint64_t since_us;
    struct http_request *request; /* the current request; only libmicrohttpd's thread uses it */
    int fd;
    atomic_uint_fast64_t until_us; /* deadline by the monotonic clock; 0: no deadline */
};

/* All connections of a server. */
struct http_connections {
    pthread_mutex_t lock;
    pthread_cond_t cond;
    struct http_connection *first;
    struct http_connection *oldest[WAITS_COUNT], *newest[WAITS_COUNT];
    unsigned count, most;
    uint64_t hurried; /* connections that were ended to make room for others */
    bool ending, running;
    pthread_t thread;
    unsigned idle_s, head_s;
};
/* most: maximum number of connections. */
int http_connections_start(struct http_connections *all, unsigned idle_s, unsigned head_s, unsigned most,
                           struct err *e) MUST_CHECK;
void http_connections_stop(struct http_connections *all); /* after libmicrohttpd's threads have ended */

/* Call these at the start and the end of a connection. _leave returns the request that has not ended yet, or
 * NULL. */
struct http_connection *connection_enter(struct http_connections *all, int fd);
struct http_request *connection_leave(struct http_connections *all, struct http_connection *c);
struct http_connection *connection_of(struct MHD_Connection *connection);

/* These set the kind of input that the server waits for, and its deadline. */
void connection_awaits_request(struct http_connections *all, struct http_connection *c);
void connection_awaits_head(const struct http_connections *all, struct http_connection *c);
/* The server waits for a body without a credential. When connections are scarce, it may end this connection. */
void connection_of_stranger(struct http_connection *c);
void connection_received(struct http_connection *c); /* a whole head or a whole body has arrived */
void connection_awaits_body(struct http_connection *c, uint64_t begun_us, uint64_t bytes_so_far);
void connection_awaits_nothing(struct http_connection *c); /* the server waits for no input of this client */
uint64_t http_connections_hurried(struct http_connections *all);

#endif
