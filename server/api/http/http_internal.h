/* server/api/http/http_internal.h: types and functions that http.c, http_body.c, http_reply.c, http_server.c and
 * others share. */
#ifndef VIVACE_SERVER_HTTP_INTERNAL_H
#define VIVACE_SERVER_HTTP_INTERNAL_H

#include <pthread.h>
#include <stdatomic.h>

#include <microhttpd.h>

#include "server/domain/access/access.h"
#include "server/platform/net/client_address.h"
#include "server/api/http/http.h"
#include "server/api/http/http_equal.h"
#include "server/platform/net/http_head.h"
#include "server/platform/net/http_connection.h"
#include "server/api/http/http_inner.h"
#include "server/api/http/http_server.h"
#include "server/platform/net/rate_limit.h"
#include "server/platform/net/listen_socket.h"

/* Maximum bytes of an unwanted body that are read and discarded, so that the client receives the reply. */
#define BODY_SWALLOW_MAX (UINT64_C(16) << 20)

struct http {
    struct app *app;
    const struct route *table;
    struct http_options options;
    struct proxies trusted;
    struct rate_limit *rates;
    bool https; /* public_url begins with https: a proxy terminates TLS */
    struct MHD_Daemon *daemon;
    struct http_connections connections;
    char address[LISTEN_ADDRESS];
    char *hosts[20];                    /* accepted host names besides IP addresses; NULL at the end */
    atomic_uint in_work, streams, seen; /* seen: all requests since the start */
    atomic_bool quiet;                  /* no new connections; each open connection ends after its next reply */
    atomic_bool closing;                /* new requests are refused, too */
    int listen_fd;
    pthread_mutex_t lock;  /* protects the lists */
    struct parked *parked; /* requests without a reply yet */
    struct equal_waiting same_credential, same_question;
};

/*   NEW --head--> AUTH (database look-up) --> BODY --> WORK (handler) --> DONE (reply is ready)
 *    '------------- credential known ----------^  '-- refused: DONE ----------^
 * Before a large BODY comes ROOM (check of the team's storage). One owner at a time: libmicrohttpd's thread, except
 * in AUTH, ROOM and WORK, when the connection is suspended. */
enum request_phase { REQUEST_NEW, REQUEST_AUTH, REQUEST_ROOM, REQUEST_BODY, REQUEST_WORK, REQUEST_DONE };

struct http_request {
    struct http *http;
    struct MHD_Connection *connection;
    struct http_connection *on; /* valid while libmicrohttpd has the request */
    atomic_int references;      /* one for libmicrohttpd, one for the handler while it runs */
    enum request_phase phase;
    const struct route *route; /* NULL: none was found */
    struct request shown;
    char *uri, method[16];
    struct head head;
    struct path path;
    char *path_text;   /* shown.path */
    const char *share; /* secret of the share link in the path; NULL: none */
    struct presented presented;
    char *queries[16]; /* decoded values that the handler has read */
    size_t query_count;
    const char *page_after, *page_limit; /* override ?after and ?limit while all pages are read; NULL: not */
    /* body of the request */
    struct strbuf body;
    uint64_t body_bytes, body_begun_us;
    int body_fd;
    char *body_path; /* PATH_MAX bytes; NULL: the body is not stored in a file */
    struct sha256 *body_hash;
    bool body_failed;
    struct err body_err;
    struct rate_state rate; /* of the credential, or of the client's address without one */
    /* reply */
    struct reply reply;
    struct http_stream *stream;
    struct http_request *next_waiting, *equals; /* used by http_equal.c */
    bool close;                                 /* Connection: close */
    bool queued;                                /* the response was handed to libmicrohttpd */
    char allow[64];                             /* methods of the path, if it does not support the requested one */
    int status;
    uint64_t started_us;
};

/* http.c: the callbacks for libmicrohttpd. */
void *uri_seen(void *cls, const char *uri, struct MHD_Connection *connection);
void request_completed(void *cls, struct MHD_Connection *connection, void **con_cls,
                       enum MHD_RequestTerminationCode how);
void connection_noted(void *cls, struct MHD_Connection *connection, void **context,
                      enum MHD_ConnectionNotificationCode what);
enum MHD_Result request_callback(void *cls, struct MHD_Connection *connection, const char *url, const char *method,
                                 const char *version, const char *bytes, size_t *n, void **con_cls);

/* Whether both requests need a look-up of the same credential. */
bool request_same_credential(const struct http_request *a, const struct http_request *b);

/* http_request.c */
void request_unref(struct http_request *r);
void request_forget(struct http_request *r); /* frees the values that request_query() returned */
/* Makes the problem document of *e the reply and sets the phase to DONE. */
void request_fail(struct http_request *r, const struct err *e);

/* http_limits.c: 0, or -1 with ERR_RATE_LIMITED. */
int limit_call(struct http_request *r, struct err *e);    /* after the credential look-up */
int limit_look_up(struct http_request *r, struct err *e); /* before the credential look-up in the database */

/* http_body.c */
int body_prepare(struct http_request *r, struct err *e);            /* checks limits that follow from the header */
int body_take(struct http_request *r, const char *bytes, size_t n); /* -1: end the connection */
int body_end(struct http_request *r, struct err *e);
/* Releases the storage of the staged file. This waits for the disk, so do not call it on libmicrohttpd's
 * threads. */
void body_drop_file(struct http_request *r);
void body_release(struct http_request *r);

/* http_room.c: runs after the credential check, before the body arrives. */
bool room_is_asked(const struct http_request *r, uint64_t *bytes);
int room_ask(struct http_request *r, struct db *db, struct err *e);

/* http_work.c: runs the handler on a thread of the route's kind; the connection is suspended. */
int work_submit(struct http_request *r, struct err *e);
/* Runs the handler on this thread. db: NULL for ROUTE_DIRECT. 1: parked; another thread answers, or has
 * answered. 0: r->reply is the answer. */
int work_run(struct http_request *r, struct db *db);
bool work_same_question(const struct http_request *a, const struct http_request *b);
/* The executor for short database work: a separate one for workers. People may use some routes of workers, too. */
struct executor *work_short_executor(const struct http_request *r);

/* http_reply.c */
enum MHD_Result reply_queue(struct http_request *r);
struct shared_body {
    atomic_int references;
    struct strbuf text;
};
/* Makes the body of r's reply shareable with other requests. 1: done; 0: this kind of reply cannot be shared;
 * -1: out of memory. */
int reply_share(struct http_request *r, struct err *e);
void reply_copy_shared(const struct reply *from, struct reply *to);
void response_header(struct MHD_Response *m, const char *name, const char *value); /* NULL value: adds nothing */
void response_add_headers(struct http_request *r, struct MHD_Response *m);

/* http_stream.c */
enum MHD_Result stream_queue(struct http_request *r);
/* Ends a request whose client disconnected while the handler ran, before the stream was queued. */
void stream_abandon(struct http_request *r);
void reply_init(struct reply *rep);
void parked_end_all(struct http *h);
const struct parked *parked_next(const struct parked *p);

#endif
