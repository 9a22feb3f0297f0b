/* wire/farm_request.h: one HTTP request to a server of a farm and its answer, over libcurl: what the command line,
 * which waits for each answer, and the worker, which has many under way on its loop, have in common. */
#ifndef VIVACE_WIRE_FARM_REQUEST_H
#define VIVACE_WIRE_FARM_REQUEST_H

#include <stdbool.h>

#include <curl/curl.h>

#include "base/err.h"
#include "base/strbuf.h"

struct farm_request {
    const char *method;                                          /* "GET", "POST" */
    const char *server, *path;                                   /* the address is one behind the other */
    const char *authorization;                                   /* a whole header line; "": none */
    const char *agent, *ca_file;                                 /* ca_file NULL: those that the system trusts */
    const char *content_type, *idempotency_key, *content_digest; /* headers; NULL or "": none */
    bool request_header; /* X-Vivace-Request, which the server wants beside the cookie of a session */
    const char *body;    /* lives until the answer is there; NULL: none */
    size_t body_length;
    long least_bytes, silent_s; /* as curl_setup() has them */
};

/* Takes a piece of the body of a 200 or 206 as it comes; non-zero ends the transfer. */
typedef int (*farm_sink_fn)(void *ctx, int status, const void *bytes, size_t n);

/* The caller sets the limits and the sink before the request. It stays where it is until the answer is there. */
struct farm_answer {
    long status;
    unsigned retry_after_s, retry_after_max_s; /* 0: the server did not say, or a date */
    char cookie[80];                           /* NAME=VALUE of the session that the server opened */
    struct strbuf body;                        /* the caller releases it; STRBUF_INIT before */
    size_t body_max;
    farm_sink_fn sink; /* NULL: the body is collected */
    void *ctx;
    CURL *easy;
    char problem[CURL_ERROR_SIZE]; /* libcurl's words where no answer came */
};

/* Sets a handle up for the request. *headers: the caller frees it when the request is over (curl_slist_free_all),
 * also after -1. */
int farm_request_set(CURL *easy, const struct farm_request *r, struct farm_answer *a, struct curl_slist **headers,
                     struct err *e);
/* The server's own words in a problem+json body, "" where it has none: what is wrong, and what to do. */
void farm_answer_words(const char *body, size_t n, char *detail, size_t detail_size, char *hint, size_t hint_size);

#endif
