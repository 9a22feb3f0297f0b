/* wire/farm_request.h: one HTTP request to a Vivace server and its answer, over libcurl. Shared by the command
 * line, which waits for each answer, and the worker, which has many requests in progress on its event loop. */
#ifndef VIVACE_WIRE_FARM_REQUEST_H
#define VIVACE_WIRE_FARM_REQUEST_H

#include <stdbool.h>

#include <curl/curl.h>

#include "base/err.h"
#include "base/strbuf.h"

struct farm_request {
    const char *method;                                          /* "GET", "POST" */
    const char *server, *path;                                   /* the URL is server followed by path */
    const char *authorization;                                   /* the whole header line; "": none */
    const char *agent, *ca_file;                                 /* ca_file NULL: the system's certificates */
    const char *content_type, *idempotency_key, *content_digest; /* headers; NULL or "": none */
    bool request_header; /* X-Vivace-Request; the server requires it beside a session cookie */
    const char *body;    /* borrowed until the answer is complete; NULL: none */
    size_t body_length;
    long least_bytes, silent_s; /* see curl_setup() */
};

/* Receives parts of the body of a 200 or 206 in order. A result other than 0 ends the transfer. */
typedef int (*farm_sink_fn)(void *ctx, int status, const void *bytes, size_t n);

/* The caller sets the limits and the sink before the request. The struct must not move until the answer is
 * complete. */
struct farm_answer {
    long status;
    unsigned retry_after_s, retry_after_max_s; /* 0: absent, or a date */
    char cookie[80];                           /* NAME=VALUE of the session that the server created */
    struct strbuf body;                        /* the caller sets it to STRBUF_INIT and releases it */
    size_t body_max;
    farm_sink_fn sink; /* NULL: the whole body goes to `body` */
    void *ctx;
    CURL *easy;
    char problem[CURL_ERROR_SIZE]; /* libcurl's error message if there is no answer */
};

/* Sets `easy` up for the request. The caller frees *headers (curl_slist_free_all) after the request, also after
 * -1. */
int farm_request_set(CURL *easy, const struct farm_request *r, struct farm_answer *a, struct curl_slist **headers,
                     struct err *e);
/* Copies the members detail (what is wrong) and hint (what to do) of a problem+json body. "" if absent. */
void farm_answer_words(const char *body, size_t n, char *detail, size_t detail_size, char *hint, size_t hint_size);

#endif
