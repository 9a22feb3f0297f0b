/* cli/client/api_exchange.h: one request to the farm and its answer, by libcurl; shared by the functions of
 * api_client.c.
 */
#ifndef VIVACE_CLI_API_EXCHANGE_H
#define VIVACE_CLI_API_EXCHANGE_H

#include <stdint.h>

#include <curl/curl.h>

#include "base/err.h"
#include "wire/farm_request.h"

struct api {
    CURL *easy;
    char *url, *authorization; /* authorization: a complete header, with a token or a session's cookie; or "" */
};

/* One request. With a file, the body is read from fd. */
struct call {
    const char *method, *path;
    const char *body, *content_type;
    size_t body_length;
    int fd; /* -1: no file */
    uint64_t offset, bytes;
    const char *digest;
    char key[40]; /* Idempotency-Key; "": none */
};

/* Sends the request, and retries with growing pauses where the server is busy or not reached. 0: a 2xx answer,
 * whose body the caller releases. -1: *e has the server's error text, or ERR_NETWORK. */
int api_perform(struct api *api, const struct call *c, struct farm_answer *a, struct err *e) MUST_CHECK;

#endif
