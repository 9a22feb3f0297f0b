#include "cli/api_exchange.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/text.h"
#include "cli/cli.h"
#include "wire/curl_setup.h"
#include "wire/json.h"

#define BODY_MAX ((size_t)1 << 30) /* a plan of a million samples is a tenth of it */
enum { TRIES_MAX = 8, PAUSE_FIRST_MS = 500, PAUSE_MAX_MS = 30000, RETRY_AFTER_MAX_S = 120 };

static size_t take_body(char *bytes, size_t size, size_t n, void *ctx)
{
    struct answer *a = ctx;

    n *= size;
    if (a->body.length + n > BODY_MAX)
        return 0;
    strbuf_add(&a->body, bytes, n);
    return a->body.failed ? 0 : n;
}

static size_t take_header(char *line, size_t size, size_t n, void *ctx)
{
    struct answer *a = ctx;

    n *= size;
    if (n > 12 && n < 40 && strncasecmp(line, "retry-after:", 12) == 0) {
        char digits[40];

        snprintf(digits, sizeof digits, "%.*s", (int)(n - 12), line + 12);
        a->retry_after_s = (unsigned)strtoul(digits, NULL, 10);
        if (a->retry_after_s > RETRY_AFTER_MAX_S)
            a->retry_after_s = RETRY_AFTER_MAX_S;
    } else if (n > 27 && strncasecmp(line, "set-cookie: vivace_session=", 27) == 0) {
        snprintf(a->cookie, sizeof a->cookie, "%.*s", (int)strcspn(line + 12, ";\r\n"), line + 12);
    }
    return n;
}

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

static struct curl_slist *headers_of(const struct api *api, const struct call *c)
{
    struct curl_slist *list = NULL;
    int r = (*api->authorization ? curl_header(&list, "%s", api->authorization) : 0) |
            curl_header(&list, "Accept: application/json, */*") | curl_header(&list, "X-Vivace-Request: 1") |
            curl_header(&list, "Expect:");

    if (c->content_type)
        r |= curl_header(&list, "Content-Type: %s", c->content_type);
    if (*c->key)
        r |= curl_header(&list, "Idempotency-Key: %s", c->key);
    if (c->digest) {
        char base64[SHA256_BASE64];

        sha256_base64_of_hex(c->digest, base64);
        r |= curl_header(&list, "Content-Digest: sha-256=:%s:", base64);
    }
    if (r == 0)
        return list;
    curl_slist_free_all(list);
    return NULL;
}

static void set_body(CURL *h, const struct call *c, struct file_part *part)
{
    if (c->fd >= 0) {
        *part = (struct file_part){c->fd, c->offset, c->bytes};
        curl_easy_setopt(h, CURLOPT_UPLOAD, 1L);
        curl_easy_setopt(h, CURLOPT_READFUNCTION, give_file);
        curl_easy_setopt(h, CURLOPT_READDATA, part);
        curl_easy_setopt(h, CURLOPT_INFILESIZE_LARGE, (curl_off_t)c->bytes);
    } else if (c->body || strcmp(c->method, "POST") == 0) {
        curl_easy_setopt(h, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)c->body_length);
        curl_easy_setopt(h, CURLOPT_POSTFIELDS, c->body ? c->body : "");
    } else if (strcmp(c->method, "HEAD") == 0) {
        curl_easy_setopt(h, CURLOPT_NOBODY, 1L);
    }
    curl_easy_setopt(h, CURLOPT_CUSTOMREQUEST, c->method);
}

/* 0: an answer came, whatever its status. -1: none did (ERR_NETWORK), or something is wrong here. */
static int exchange(struct api *api, const struct call *c, struct answer *a, struct err *e)
{
    CURL *h = api->easy;
    struct curl_slist *headers = headers_of(api, c);
    struct strbuf url = STRBUF_INIT;
    const char *ca_file = getenv("VIVACE_CA_FILE"); /* as --ca-file of a worker */
    char problem[CURL_ERROR_SIZE] = "";
    struct file_part part;
    CURLcode code;

    strbuf_adds(&url, api->url);
    if (strncmp(c->path, "//", 2) != 0)
        strbuf_adds(&url, "/api/v1");
    strbuf_adds(&url, c->path + (strncmp(c->path, "//", 2) == 0)); /* "//metrics": what is beside the API */
    if (url.failed || !headers) {
        strbuf_release(&url);
        curl_slist_free_all(headers);
        return err_no_memory(e);
    }
    curl_easy_reset(h); /* keeps the connection */
    curl_easy_setopt(h, CURLOPT_URL, url.text);
    curl_easy_setopt(h, CURLOPT_HTTPHEADER, headers);
    curl_easy_setopt(h, CURLOPT_WRITEFUNCTION, take_body);
    curl_easy_setopt(h, CURLOPT_WRITEDATA, a);
    curl_easy_setopt(h, CURLOPT_HEADERFUNCTION, take_header);
    curl_easy_setopt(h, CURLOPT_HEADERDATA, a);
    curl_setup(h, problem, 1, 300); /* planning a large profile answers when it is done */
    if (ca_file && *ca_file)
        curl_easy_setopt(h, CURLOPT_CAINFO, ca_file);
    curl_easy_setopt(h, CURLOPT_USERAGENT, "vivace/" VIVACE_VERSION);
    set_body(h, c, &part);
    code = curl_easy_perform(h);
    curl_easy_getinfo(h, CURLINFO_RESPONSE_CODE, &a->status);
    curl_slist_free_all(headers);
    strbuf_release(&url);
    if (code == CURLE_OK)
        return 0;
    err_set(e, ERR_NETWORK, "%s: %s", api->url, *problem ? problem : curl_easy_strerror(code));
    return err_hint(e, "is the server running, and is this its address?");
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

/* The server's own words, where it has some. */
static int refused(const struct api *api, const struct answer *a, struct err *e)
{
    struct err ignored;
    json_t *v = json_read_text(a->body.text, a->body.length, "answer", &ignored);
    const char *detail = NULL, *hint = NULL;

    if (json_is_object(v) && json_opt_str(v, "detail", &detail, &ignored) > 0)
        err_set(e, code_of_status(a->status), "%s", detail);
    else
        err_set(e, code_of_status(a->status), "%s answered with status %ld", api->url, a->status);
    if (json_is_object(v) && json_opt_str(v, "hint", &hint, &ignored) > 0)
        err_hint(e, "%s", hint);
    else if (a->status == 401)
        err_hint(e, "vivace login %s --token-file FILE", api->url);
    json_decref(v);
    text_sanitize(e->text);
    text_sanitize(e->hint);
    return -1;
}

static void pause_ms(uint64_t ms)
{
    struct timespec t = {(time_t)(ms / 1000), (long)(ms % 1000) * 1000000};

    while (nanosleep(&t, &t) != 0 && errno == EINTR)
        ;
}

static bool worth_another_try(const struct answer *a, int ret, const struct err *e)
{
    if (ret < 0)
        return e->code == ERR_NETWORK;
    if (a->status == 409) /* our own request, still being answered after its connection broke */
        return a->retry_after_s > 0;
    return a->status == 429 || a->status == 502 || a->status == 503 || a->status == 504;
}

int api_perform(struct api *api, const struct call *c, struct answer *a, struct err *e)
{
    uint64_t ms = PAUSE_FIRST_MS;
    int ret;

    for (int try = 1;; try++) {
        *a = (struct answer){.body = STRBUF_INIT};
        ret = exchange(api, c, a, e);
        /* A server that was never reached is probably not there at all: say so after a few seconds. */
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
