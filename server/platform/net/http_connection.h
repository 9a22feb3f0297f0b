/* server/platform/net/http_connection.h: what is known of a connection beside its requests: which request is on it,
 * and by when what has begun must be here.
 *
 * libmicrohttpd ends connections that are silent; a client that sends a byte now and then (slow loris) is never
 * silent. So a head has `head_s`, a connection between requests `idle_s` + `head_s`, and a body BODY_GRACE_S plus a
 * second for each BODY_MIN bytes of it that have come. And libmicrohttpd 0.9.75 forgets to say that a request is
 * over where the client goes away in the middle of its head: the end of the connection is then the request's.
 *
 * Where more than seven eighths of all places are taken, those are ended that have kept the server waiting for a
 * head or a body the longest, and for HURRY_MS at least: first of those that never sent a head, then of those that
 * send a body without a credential, then of those between requests. So slow clients with many addresses take no
 * place from a visitor, whose head comes at once. */
#ifndef VIVACE_SERVER_HTTP_CONNECTION_H
#define VIVACE_SERVER_HTTP_CONNECTION_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <microhttpd.h>

#include "base/err.h"

#define BODY_GRACE_S 30
#define BODY_MIN     1024 /* bytes a second */
#define HURRY_MS     250

struct http_request;
struct http_connections;
/* What the server waits for: a first head, a stranger's body, another head. */
enum http_waiting { WAITS_UNHEARD, WAITS_STRANGER, WAITS_IDLE, WAITS_NOT, WAITS_COUNT = WAITS_NOT };
struct http_connection {
    struct http_connections *all;
    struct http_connection *next, **link;
    struct http_connection *older, *newer; /* of those that wait for the same */
    enum http_waiting waits;
    uint64_t since_us;
    struct http_request *request; /* seen and not over; of the library's thread alone */
    int fd;
    atomic_uint_fast64_t until_us; /* of the monotonic clock; 0: as long as it likes */
};

/* All of a server. */
struct http_connections {
    pthread_mutex_t lock;
    pthread_cond_t cond;
    struct http_connection *first;
    struct http_connection *oldest[WAITS_COUNT], *newest[WAITS_COUNT];
    unsigned count, most;
    uint64_t hurried; /* connections that were ended for others */
    bool ending, running;
    pthread_t thread;
    unsigned idle_s, head_s;
};
/* most: places in all. */
int http_connections_start(struct http_connections *all, unsigned idle_s, unsigned head_s, unsigned most,
                           struct err *e) MUST_CHECK;
void http_connections_stop(struct http_connections *all); /* after libmicrohttpd's threads have ended */

/* The two ends of a connection. _leave gives back the request that nobody has ended, or NULL. */
struct http_connection *connection_enter(struct http_connections *all, int fd);
struct http_request *connection_leave(struct http_connections *all, struct http_connection *c);
struct http_connection *connection_of(struct MHD_Connection *connection);

/* What is waited for. */
void connection_awaits_request(struct http_connections *all, struct http_connection *c);
void connection_awaits_head(const struct http_connections *all, struct http_connection *c);
/* The body that is awaited is nobody's: it may be ended for others. */
void connection_of_stranger(struct http_connection *c);
void connection_received(struct http_connection *c); /* a whole head, or a whole body */
void connection_awaits_body(struct http_connection *c, uint64_t begun_us, uint64_t bytes_so_far);
void connection_awaits_nothing(struct http_connection *c); /* from the client */
uint64_t http_connections_hurried(struct http_connections *all);

#endif
