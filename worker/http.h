/* worker/http.h: HTTP requests to one farm on the worker's libuv loop, by libcurl's multi_socket interface (curl
 * says which sockets and which timeout it wants watched; uv_poll and uv_timer watch them). Keep-alive, one thread.
 */
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

/* base_urls: "https://farm.example:8443", or several servers of one farm with commas between: the next one is asked
 * once one does not answer, or answers 502 to 504. token: sent as a bearer credential, kept in memory only.
 * ca_file: whom to trust for https; NULL: whom the system trusts. */
int http_open(uv_loop_t *loop, const char *base_urls, const char *token, const char *ca_file, struct http **out,
              struct err *e);
/* Cancels what is under way without calling back; the loop must turn once more to close the handles. */
void http_close(struct http *h);

struct http_answer {
    int status;       /* 0: nothing came back; `error` says why */
    const char *body; /* NUL-terminated; "" when a sink took it */
    size_t length;
    unsigned retry_after_s; /* 0: the server did not say */
    const char *error;      /* NULL when there is a status */
};
typedef void (*http_done_fn)(void *ctx, const struct http_answer *answer);
/* Takes a piece of the body of a 200 or 206 as it comes; non-zero stops the transfer (status 0, `error` set). */
typedef farm_sink_fn http_sink_fn;

struct http_call {
    const char *method; /* "GET", "POST" */
    const char *path;   /* "/api/v1/worker/claim" */
    const char *body;   /* JSON; copied; NULL: none */
    size_t body_length;
    const char *idempotency_key; /* or NULL */
    uint64_t from_byte;          /* > 0: asks for the rest only (Range) */
    unsigned timeout_s;          /* for the whole; 0: ends at less than 1 kB/s for 60 s, with a sink for 15 s */
    http_sink_fn sink;           /* NULL: the body is collected, up to 64 MiB */
    http_done_fn done;           /* always called once, never from within http_start() */
    void *ctx;
};
/* NULL with *e when it could not even begin; then `done` is not called. */
struct http_request *http_start(struct http *h, const struct http_call *call, struct err *e);
void http_cancel(struct http_request *r); /* `done` is not called; NULL is fine */

/* The sentence of a problem+json body, or the status in words. Writes into out, returns it. */
const char *http_problem(const struct http_answer *answer, char *out, size_t size);

#endif
