/* server/api/http/http.h: HTTP requests and replies, as handlers use them. Only http.c uses libmicrohttpd.
 *
 * Life of a request: the first call of libmicrohttpd checks the header (syntax, host, route, length, cached
 * credential). The body is collected in memory (the route limits its size) or written to a file. The connection
 * is suspended, and the handler runs on a thread of the route's kind with its own database connection. Then the
 * reply is sent. If the handler returns -1, the router answers with a problem document (RFC 9457) made from *e. */
#ifndef VIVACE_SERVER_HTTP_H
#define VIVACE_SERVER_HTTP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/strbuf.h"
#include "server/store/repo/credential.h"
#include "server/domain/share/share.h"

struct app;
struct db;

#define ROUTE_PARAMS 4
struct request {
    const char *method, *path;
    const char *target;            /* path and query as received */
    char param[ROUTE_PARAMS][128]; /* {…} parts of the route's path, in order, percent-decoded */
    const char *body;              /* NUL-terminated; "" when there is none */
    size_t body_length;
    const char *body_path; /* ROUTE_FILE*: path of the body; the handler renames the file or leaves it */
    char body_sha256[65];  /* ROUTE_FILE*: hash of that file */
    struct credential credential;
    char address[46];                  /* the client's address, also behind trusted proxies */
    char id[37];                       /* X-Request-Id */
    const struct idempotent_key *once; /* its Idempotency-Key (store/repo/repo_idempotency.h); NULL: none */
    void *internal;
};
/* NULL when absent. Percent-decoded, valid UTF-8. */
const char *request_query(const struct request *req, const char *name);
const char *request_header(const struct request *req, const char *name);
/* Query parameter as a number in [least, most]. `otherwise` when it is absent; -1 when it is invalid. */
int request_query_u64(const struct request *req, const char *name, uint64_t least, uint64_t most,
                      uint64_t otherwise, uint64_t *out, struct err *e);

struct shared_body; /* one text for several requests: server/api/http/http_internal.h */
struct reply {
    int status;               /* 0 becomes 200, or 204 when there is no body */
    const char *content_type; /* NULL: application/json */
    struct strbuf body;
    struct shared_body *shared; /* instead of body; NULL: none */
    int file;                   /* >= 0: send this file instead; closed by the server */
    uint64_t file_offset, file_length;
    char etag[80];       /* without quotes; empty: none. If-None-Match is answered by the router */
    char location[2048]; /* long, because a presigned URL of a bucket is long */
    int retry_after_s;   /* 0: none; also used when the call fails */
    char cookie[256];    /* whole Set-Cookie value */
    char device[256];    /* whole Set-Cookie value of the device cookie (domain/access/device.h) */
    char content_disposition[160];
    const char *content_encoding; /* of the file; NULL: as it is */
    bool varies;                  /* the reply varies with Accept-Encoding */
    bool cache_forever;           /* immutable assets */
    bool parked;                  /* the handler called reply_park(): another thread answers later */
    char about[96];               /* object of an audited call, if the path does not name it */
    int64_t about_team;           /* the team of an audited call, if it is not that of the credential; 0: it is */
};
struct jw; /* wire/json_writer.h */
/* Takes ownership of a jansson value (void * so that this header needs no jansson). NULL means out of memory. */
int reply_json(struct reply *rep, int status, void *json, struct err *e);
/* Marks the text in rep->body as JSON. */
int reply_body_json(struct reply *rep, int status, struct err *e);
/* Makes the writer's text the body. Ends and releases the writer. */
int reply_written(struct reply *rep, int status, struct jw *w, struct err *e);
int reply_empty(struct reply *rep, int status);
int reply_status(const struct reply *rep); /* 0 means 200 or 204 */

/* --- Answering later (long polls) --- The handler calls reply_park() and returns 0. The connection stays
 * suspended and needs no thread. Exactly one later call of parked_answer() ends it, from any thread; it takes
 * ownership of the reply. parked_gone() reports whether the client has disconnected. */
struct parked;
struct parked *reply_park(const struct request *req, struct reply *rep, struct err *e);
void parked_answer(struct parked *p, struct reply *rep);
bool parked_gone(const struct parked *p);

/* --- Streams (server-sent events) --- The handler sets status and type and returns stream_open(). Then any
 * thread may push text. A stream with more than 256 KiB of unsent text is marked slow: push drops the text and
 * returns 1. */
struct http_stream;
struct http_stream *stream_start(const struct request *req, struct reply *rep, struct err *e);
int http_stream_push(struct http_stream *s, const char *text, size_t n); /* 0; 1 slow, dropped; -1 gone */
void http_stream_end(struct http_stream *s); /* finishes the response; s is invalid afterwards */

enum route_kind {
    ROUTE_DIRECT, /* on libmicrohttpd's thread; db is NULL; must not block */
    ROUTE_DB,     /* on a database executor; at most a second */
    ROUTE_STREAM, /* as ROUTE_DB; answered by stream_start() */
    ROUTE_CPU,    /* on one of few CPU executors, with a connection: planning, sweeps */
    ROUTE_LOGIN, /* as ROUTE_DB, on a few threads of its own, with a queue of 16: each password hash needs 64 MiB */
    ROUTE_FILE,  /* the body is first written to a file in the blob store's staging folder; threads of its own */
    ROUTE_FILE_CPU /* the same, but as ROUTE_CPU */
};
typedef int (*handler_fn)(struct app *app, struct db *db, const struct request *req, struct reply *rep,
                          struct err *e);
/* A kind of object that a request creates. If the reply was lost, the repeated request returns the object. */
struct made_kind {
    handler_fn makes, shows;
    const char *at; /* path before the id: "/api/v1/plans/" */
};
struct route {
    const char *method, *path; /* "GET", "/api/v1/plans/{plan}" */
    handler_fn handler;
    enum scope scope;
    enum route_kind kind;
    uint64_t body_max;          /* bytes; larger bodies are 413 before they are read; 0: no body */
    const char *const *queries; /* names of the query parameters, sorted, NULL at the end; NULL: any */
    enum share_reach share;
    const char *audit;  /* action in the audit log; NULL: not logged */
    bool audits_itself; /* the handler has several transactions and calls audit_done() in one of them */
};
/* All routes of the API, in the order of a workflow. The last row has method NULL. Generated from api/. */
extern const struct route routes[];

#endif
