#include "cli/client/api_exchange.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/text.h"
#include "cli/cli.h"

#define BODY_MAX ((size_t)1 << 30) /* ten times a plan of a million samples */
enum { TRIES_MAX = 8, PAUSE_FIRST_MS = 500, PAUSE_MAX_MS = 30000, RETRY_AFTER_MAX_S = 120 };

struct file_part {
    int fd;
    uint64_t at, left;
};

static size_t give_file(char *buffer, size_t size, size_t n, void *ctx)
{
    struct file_part *f = ctx;
    size_t want = size * n;
    ssize_t got;

    if (want > f->left)
        want = (size_t)f->left;
    got = pread(f->fd, buffer, want, (off_t)f->at);
    if (got < 0)
        return CURL_READFUNC_ABORT;
    f->at += (uint64_t)got;
    f->left -= (uint64_t)got;
    return (size_t)got;
}

/* Sets the request's body and method: bytes of a file, a text, or none. */
static void set_body(CURL *h, const struct call *c, struct file_part *part)
{
    if (c->fd >= 0) {
        *part = (struct file_part){c->fd, c->offset, c->bytes};
        curl_easy_setopt(h, CURLOPT_UPLOAD, 1L);
        curl_easy_setopt(h, CURLOPT_READFUNCTION, give_file);
        curl_easy_setopt(h, CURLOPT_READDATA, part);
        curl_easy_setopt(h, CURLOPT_INFILESIZE_LARGE, (curl_off_t)c->bytes);
    } else if (strcmp(c->method, "HEAD") == 0) {
        curl_easy_setopt(h, CURLOPT_NOBODY, 1L);
    }
    curl_easy_setopt(h, CURLOPT_CUSTOMREQUEST, c->method); /* last: a body's options change it */
}

/* 0: an answer of any status. -1: no answer (ERR_NETWORK), or a local error. */
static int exchange(struct api *api, const struct call *c, struct farm_answer *a, struct err *e)
{
    bool beside = strncmp(c->path, "//", 2) == 0; /* "//metrics": a path outside the API */
    char base64[SHA256_BASE64], digest[SHA256_BASE64 + 16] = "";
    struct strbuf path = STRBUF_INIT;
    struct curl_slist *headers = NULL;
    struct farm_request r = {
        .method = c->method,
        .server = api->url,
        .authorization = api->authorization,
        .agent = "vivace/" VIVACE_VERSION,
        .ca_file = getenv("VIVACE_CA_FILE"), /* the same as --ca-file of a worker */
        .content_type = c->content_type,
        .idempotency_key = c->key,
        .content_digest = digest,
        .request_header = true,
        .body = c->fd < 0 ? c->body : NULL,
        .body_length = c->body_length,
        .least_bytes = 1,
        .silent_s = 300, /* a request to plan a large profile is answered when the plan is ready */
    };
    struct file_part part;
    CURLcode code;
    int ret;

    strbuf_addf(&path, "%s%s", beside ? "" : "/api/v1", c->path + beside);
    if (c->digest) {
        sha256_base64_of_hex(c->digest, base64);
        snprintf(digest, sizeof digest, "sha-256=:%s:", base64);
    }
    r.path = path.text;
    curl_easy_reset(api->easy); /* keeps the connection */
    ret = path.failed ? err_no_memory(e) : farm_request_set(api->easy, &r, a, &headers, e);
    strbuf_release(&path);
    if (ret == 0) {
        set_body(api->easy, c, &part);
        code = curl_easy_perform(api->easy);
        curl_easy_getinfo(api->easy, CURLINFO_RESPONSE_CODE, &a->status);
        if (code != CURLE_OK) {
            err_set(e, ERR_NETWORK, "%s: %s", api->url, *a->problem ? a->problem : curl_easy_strerror(code));
            ret = err_hint(e, "Check that the server is running and that this is its address.");
        }
    }
    curl_slist_free_all(headers);
    return ret;
}

static enum err_code code_of_status(long status)
{
    switch (status) {
    case 400: return ERR_MALFORMED;
    case 401: return ERR_UNAUTHORIZED;
    case 403: return ERR_FORBIDDEN;
    case 404: return ERR_NOT_FOUND;
    case 409: return ERR_CONFLICT;
    case 410: return ERR_GONE;
    case 413: return ERR_TOO_LARGE;
    case 415: return ERR_UNSUPPORTED;
    case 422: return ERR_INVALID;
    case 429: return ERR_RATE_LIMITED;
    case 500: return ERR_INTERNAL;
    case 503: return ERR_BUSY;
    case 507: return ERR_NO_SPACE;
    default: return ERR_NETWORK;
    }
}

/* Fills *e with the server's error text, where the answer has one. */
static int refused(const struct api *api, const struct farm_answer *a, struct err *e)
{
    char detail[sizeof e->text], hint[sizeof e->hint];

    farm_answer_words(a->body.text, a->body.length, detail, sizeof detail, hint, sizeof hint);
    if (*detail)
        err_set(e, code_of_status(a->status), "%s", detail);
    else
        err_set(e, code_of_status(a->status), "%s answered with status %ld", api->url, a->status);
    if (*hint)
        err_hint(e, "%s", hint);
    else if (a->status == 401)
        err_hint(e, "vivace login %s --token-file FILE", api->url);
    return -1;
}

static void pause_ms(uint64_t ms)
{
    struct timespec t = {(time_t)(ms / 1000), (long)(ms % 1000) * 1000000};

    while (nanosleep(&t, &t) != 0 && errno == EINTR)
        ;
}

static bool worth_another_try(const struct farm_answer *a, int ret, const struct err *e)
{
    if (ret < 0)
        return e->code == ERR_NETWORK;
    if (a->status == 409) /* the server still processes this request after its connection broke */
        return a->retry_after_s > 0;
    return a->status == 429 || a->status == 502 || a->status == 503 || a->status == 504;
}

int api_perform(struct api *api, const struct call *c, struct farm_answer *a, struct err *e)
{
    uint64_t ms = PAUSE_FIRST_MS;
    int ret;

    for (int try = 1;; try++) {
        *a =
            (struct farm_answer){.body = STRBUF_INIT, .body_max = BODY_MAX, .retry_after_max_s = RETRY_AFTER_MAX_S};
        ret = exchange(api, c, a, e);
        /* Fewer retries without an answer: the server is probably not running, and the user must know soon. */
        if (!worth_another_try(a, ret, e) || try >= (ret < 0 ? 4 : TRIES_MAX))
            break;
        cli_progress("%s; trying again", ret < 0 ? "the server cannot be reached" : "the server is busy");
        strbuf_release(&a->body);
        pause_ms(a->retry_after_s ? a->retry_after_s * UINT64_C(1000) : ms);
        ms = ms * 2 > PAUSE_MAX_MS ? PAUSE_MAX_MS : ms * 2;
    }
    if (ret == 0 && (a->status < 200 || a->status >= 300))
        ret = refused(api, a, e);
    if (ret < 0)
        strbuf_release(&a->body);
    return ret;
}
