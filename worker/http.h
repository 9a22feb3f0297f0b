/* worker/http.h: HTTP requests to one farm on the worker's libuv loop, by libcurl's multi_socket interface. libcurl
 * reports its sockets and its timeout; uv_poll and uv_timer watch them. Keep-alive, one thread. */
#ifndef VIVACE_WORKER_HTTP_H
#define VIVACE_WORKER_HTTP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <uv.h>

#include "base/err.h"
#include "wire/farm_request.h"

struct http;         /* opaque */
struct http_request; /* opaque; valid until its callback returns */

/* base_urls: "https://farm.example:8443", or several servers of one farm, separated by commas. When a server does
 * not answer, or answers 502 to 504, requests go to the next one. token: sent as a bearer credential, kept in
 * memory only. ca_file: the trusted certificates for https; NULL: the system's. */
int http_open(uv_loop_t *loop, const char *base_urls, const char *token, const char *ca_file, struct http **out,
              struct err *e);
/* Cancels all requests without calling back. The loop must run once more to close the handles. */
void http_close(struct http *h);

struct http_answer {
    int status;       /* HTTP status; 0: no answer, `error` has the reason */
    const char *body; /* NUL-terminated; "" when a sink took it */
    size_t length;
    unsigned retry_after_s; /* 0: the server did not say */
    const char *error;      /* NULL when there is a status */
};
typedef void (*http_done_fn)(void *ctx, const struct http_answer *answer);
/* Receives a piece of the body of a 200 or 206. A non-zero return stops the transfer (status 0, `error` set). */
typedef farm_sink_fn http_sink_fn;

struct http_call {
    const char *method; /* "GET", "POST" */
    const char *path;   /* "/api/v1/worker/claim" */
    const char *body;   /* JSON; copied; NULL: none */
    size_t body_length;
    const char *idempotency_key; /* or NULL */
    uint64_t from_byte;          /* > 0: requests only the bytes from here on (Range) */
    unsigned timeout_s;          /* of the whole request; 0: it ends below 1 kB/s for 60 s, with a sink for 15 s */
    http_sink_fn sink;           /* NULL: the body is collected, up to 64 MiB */
    http_done_fn done;           /* always called once, never from within http_start() */
    void *ctx;
};
/* NULL with *e when the request could not be started; then `done` is not called. */
struct http_request *http_start(struct http *h, const struct http_call *call, struct err *e);
void http_cancel(struct http_request *r); /* `done` is not called; NULL is fine */

/* Writes the sentence of a problem+json body, or else the meaning of the status, to out. Returns out. */
const char *http_problem(const struct http_answer *answer, char *out, size_t size);

#endif
