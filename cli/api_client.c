#include "cli/api_client.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include <curl/curl.h>

#include "base/array.h"
#include "base/conf.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "cli/cli.h"
#include "wire/json.h"

#define BODY_MOST ((size_t)1 << 30) /* a plan of a million samples is a tenth of it */
enum { TRIES_MOST = 8, PAUSE_FIRST_MS = 500, PAUSE_MOST_MS = 30000, RETRY_AFTER_MOST_S = 120 };

struct api {
    CURL *easy;
    char *url, *authorization; /* a whole header: of a token, or of a session's cookie; or "" */
};

/* One request; the file form reads its body from fd. */
struct call {
    const char *method, *path;
    const char *body, *content_type;
    size_t body_length;
    int fd; /* -1: no file */
    uint64_t offset, bytes;
    const char *digest;
    char key[40]; /* Idempotency-Key; "": none */
};
struct answer {
    long status;
    unsigned retry_after_s;
    char cookie[80]; /* NAME=VALUE that the server set */
    struct strbuf body;
};

/* --- Opening --- */

void api_close(struct api *api)
{
    if (!api)
        return;
    curl_easy_cleanup(api->easy);
    free(api->url);
    free(api->authorization);
    free(api);
}

const char *api_url(const struct api *api)
{
    return api->url;
}

/* `kind` and `secret` make the header that says who we are; NULL: nobody yet. */
static int open_with(const char *url, const char *kind, const char *secret, struct api **out, struct err *e)
{
    struct strbuf header = STRBUF_INIT;
    struct api *api;

    if (!str_starts(url, "http://") && !str_starts(url, "https://"))
        return err_set(e, ERR_USAGE, "a server's address begins with http:// or https://, not `%s`", url);
    api = mem_zalloc(1, sizeof *api, e);
    if (!api)
        return -1;
    strbuf_addf(&header, "%s%s", kind ? kind : "", secret ? secret : "");
    api->authorization = strbuf_detach(&header);
    api->url = mem_strdup(url, e);
    api->easy = curl_easy_init();
    if (!api->authorization || !api->url || !api->easy) {
        api_close(api);
        return err_no_memory(e);
    }
    for (size_t n = strlen(api->url); n > 0 && api->url[n - 1] == '/'; n--)
        api->url[n - 1] = '\0';
    *out = api;
    return 0;
}

int api_open_with(const char *url, const char *token, struct api **out, struct err *e)
{
    return open_with(url, "Authorization: Bearer ", token, out, e);
}

static int token_of_environment(char **token, struct err *e)
{
    const char *plain = getenv("VIVACE_TOKEN"), *file = getenv("VIVACE_TOKEN_FILE");

    *token = NULL;
    if (plain && *plain) {
        *token = mem_strdup(plain, e);
        return *token ? 1 : -1;
    }
    if (file && *file)
        return conf_read_secret(file, token, e) < 0 ? -1 : 1;
    return 0;
}

int api_open(struct api **out, struct err *e)
{
    const char *server = getenv("VIVACE_SERVER");
    char *url = NULL, *token = NULL, *kept_token = NULL;
    int found = token_of_environment(&token, e), ret = -1;

    if (found < 0)
        return -1;
    if (found && server && *server)
        ret = api_open_with(server, token, out, e);
    else if (credentials_load(&url, &kept_token, e) == 0)
        ret = server && *server && strcmp(server, url) != 0
                  ? err_set(e, ERR_UNAUTHORIZED, "VIVACE_SERVER is %s, but the remembered token is for %s", server,
                            url)
                  : api_open_with(url, found ? token : kept_token, out, e);
    free(url);
    free(token);
    free(kept_token);
    return ret;
}

/* --- One exchange --- */

static size_t take_body(char *bytes, size_t size, size_t n, void *ctx)
{
    struct answer *a = ctx;

    n *= size;
    if (a->body.length + n > BODY_MOST)
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
        if (a->retry_after_s > RETRY_AFTER_MOST_S)
            a->retry_after_s = RETRY_AFTER_MOST_S;
    } else if (n > 12 && strncasecmp(line, "set-cookie: ", 12) == 0) {
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

static int add_header(struct curl_slist **list, const char *format, ...) PRINTF_LIKE(2, 3);
static int add_header(struct curl_slist **list, const char *format, ...)
{
    struct strbuf line = STRBUF_INIT;
    struct curl_slist *more = NULL;
    va_list ap;

    va_start(ap, format);
    strbuf_vaddf(&line, format, ap);
    va_end(ap);
    if (!line.failed)
        more = curl_slist_append(*list, line.text);
    if (more)
        *list = more;
    strbuf_release(&line);
    return more ? 0 : -1;
}

/* RFC 9530: sha-256=:base64: of the body's digest. */
static void base64_of_hex(const char *hex, char out[48])
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    uint8_t bytes[33] = {0};
    size_t n = 0;

    for (size_t i = 0; i < 32; i++) {
        unsigned byte = 0;

        sscanf(hex + 2 * i, "%2x", &byte);
        bytes[i] = (uint8_t)byte;
    }
    for (size_t i = 0; i < 33; i += 3) {
        uint32_t w = (uint32_t)bytes[i] << 16 | (uint32_t)bytes[i + 1] << 8 | bytes[i + 2];

        for (int s = 18; s >= 0; s -= 6)
            out[n++] = digits[w >> s & 63];
    }
    out[43] = '='; /* 32 bytes: one byte of padding */
    out[44] = '\0';
}

static struct curl_slist *headers_of(const struct api *api, const struct call *c)
{
    struct curl_slist *list = NULL;
    int r = (*api->authorization ? add_header(&list, "%s", api->authorization) : 0) |
            add_header(&list, "Accept: application/json, */*") | add_header(&list, "X-Vivace-Request: 1") |
            add_header(&list, "Expect:");

    if (c->content_type)
        r |= add_header(&list, "Content-Type: %s", c->content_type);
    if (*c->key)
        r |= add_header(&list, "Idempotency-Key: %s", c->key);
    if (c->digest) {
        char base64[48];

        base64_of_hex(c->digest, base64);
        r |= add_header(&list, "Content-Digest: sha-256=:%s:", base64);
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
    strbuf_adds(&url, "/api/v1");
    strbuf_adds(&url, c->path);
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
    curl_easy_setopt(h, CURLOPT_ERRORBUFFER, problem);
    curl_easy_setopt(h, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(h, CURLOPT_NOPROXY, "localhost,127.0.0.1,::1");
    curl_easy_setopt(h, CURLOPT_PROTOCOLS_STR, "http,https");
    if (ca_file && *ca_file)
        curl_easy_setopt(h, CURLOPT_CAINFO, ca_file);
    curl_easy_setopt(h, CURLOPT_USERAGENT, "vivace/" VIVACE_VERSION);
    curl_easy_setopt(h, CURLOPT_CONNECTTIMEOUT, 10L);
    curl_easy_setopt(h, CURLOPT_LOW_SPEED_LIMIT, 1L);
    curl_easy_setopt(h, CURLOPT_LOW_SPEED_TIME, 300L); /* planning a large profile answers when it is done */
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

static int perform(struct api *api, const struct call *c, struct answer *a, struct err *e)
{
    uint64_t ms = PAUSE_FIRST_MS;
    int ret;

    for (int try = 1;; try++) {
        *a = (struct answer){.body = STRBUF_INIT};
        ret = exchange(api, c, a, e);
        /* A server that was never reached is probably not there at all: say so after a few seconds. */
        if (!worth_another_try(a, ret, e) || try >= (ret < 0 ? 4 : TRIES_MOST))
            break;
        cli_progress("%s; trying again", ret < 0 ? "the server cannot be reached" : "the server is busy");
        strbuf_release(&a->body);
        pause_ms(a->retry_after_s ? a->retry_after_s * UINT64_C(1000) : ms);
        ms = ms * 2 > PAUSE_MOST_MS ? PAUSE_MOST_MS : ms * 2;
    }
    if (ret == 0 && (a->status < 200 || a->status >= 300))
        ret = refused(api, a, e);
    if (ret < 0)
        strbuf_release(&a->body);
    return ret;
}

/* --- What commands use --- */

static int read_document(struct answer *a, json_t **out, struct err *e)
{
    int ret = 0;

    if (out) {
        *out = a->body.length ? json_read_text(a->body.text, a->body.length, "the server's answer", e) : NULL;
        if (a->body.length && !*out)
            ret = -1;
    }
    strbuf_release(&a->body);
    return ret;
}

int api_get(struct api *api, const char *path, json_t **out, struct err *e)
{
    struct call c = {.method = "GET", .path = path, .fd = -1};
    struct answer a;

    return perform(api, &c, &a, e) < 0 ? -1 : read_document(&a, out, e);
}

int api_get_text(struct api *api, const char *path, char **out, size_t *n, struct err *e)
{
    struct call c = {.method = "GET", .path = path, .fd = -1};
    struct answer a;

    if (perform(api, &c, &a, e) < 0)
        return -1;
    *n = a.body.length;
    *out = a.body.length ? strbuf_detach(&a.body) : mem_strdup("", e);
    return *out ? 0 : err_no_memory(e);
}

static void make_key(char key[40])
{
    uint8_t bytes[16];

    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
        key[0] = '\0'; /* then trying again may make a thing twice, which the server tells */
    else
        hex_encode(bytes, sizeof bytes, key);
}

static int post(struct api *api, const char *path, const char *text, size_t n, long *status, json_t **out,
                struct err *e)
{
    struct call c = {.method = "POST", .path = path, .body = text, .body_length = n, .fd = -1};
    struct answer a;

    c.content_type = n ? "application/json" : NULL;
    make_key(c.key);
    if (perform(api, &c, &a, e) < 0)
        return -1;
    *status = a.status;
    return read_document(&a, out, e);
}

int api_post(struct api *api, const char *path, json_t *body, json_t **out, struct err *e)
{
    struct strbuf text = STRBUF_INIT;
    long status;
    int ret;

    if (!body)
        return err_no_memory(e);
    json_write_text(body, false, &text);
    json_decref(body);
    ret = text.failed ? err_no_memory(e) : post(api, path, text.text, text.length, &status, out, e);
    strbuf_release(&text);
    return ret;
}

int api_post_text(struct api *api, const char *path, const char *text, size_t n, bool *created, json_t **out,
                  struct err *e)
{
    long status = 0;
    int ret = post(api, path, text, n, &status, out, e);

    *created = status == 201;
    return ret;
}

int api_send(struct api *api, const char *method, const char *path, json_t *body, struct err *e)
{
    struct call c = {.method = method, .path = path, .content_type = "application/json", .fd = -1};
    struct strbuf text = STRBUF_INIT;
    struct answer a;
    int ret;

    if (!body)
        return err_no_memory(e);
    json_write_text(body, false, &text);
    json_decref(body);
    c.body = text.text;
    c.body_length = text.length;
    ret = text.failed ? err_no_memory(e) : perform(api, &c, &a, e);
    strbuf_release(&text);
    return ret < 0 ? -1 : read_document(&a, NULL, e);
}

int api_log_in(const char *url, const char *user, const char *password, struct api **out, struct err *e)
{
    json_t *body = json_pack("{s:s,s:s}", "user", user, "password", password);
    struct call c = {.method = "POST", .path = "/session", .content_type = "application/json", .fd = -1};
    struct strbuf text = STRBUF_INIT;
    struct api *first = NULL;
    struct answer a;
    int ret = -1;

    if (!body)
        return err_set(e, ERR_USAGE, "user and password must be UTF-8");
    json_write_text(body, false, &text);
    json_decref(body);
    c.body = text.text;
    c.body_length = text.length;
    if (text.failed)
        err_no_memory(e);
    else if (open_with(url, NULL, NULL, &first, e) == 0 && perform(first, &c, &a, e) == 0) {
        strbuf_release(&a.body);
        ret = open_with(url, "Cookie: ", a.cookie, out, e);
    }
    explicit_bzero(text.text, text.length);
    strbuf_release(&text);
    api_close(first);
    return ret;
}

int api_log_out(struct api *api, struct err *e)
{
    return api_delete(api, "/session", e);
}

int api_delete(struct api *api, const char *path, struct err *e)
{
    struct call c = {.method = "DELETE", .path = path, .fd = -1};
    struct answer a;

    return perform(api, &c, &a, e) < 0 ? -1 : read_document(&a, NULL, e);
}

int api_blob_exists(struct api *api, const char *sha256, struct err *e)
{
    char path[100];
    struct call c = {.method = "HEAD", .path = path, .fd = -1};
    struct answer a;

    snprintf(path, sizeof path, "/blobs/%s", sha256);
    if (perform(api, &c, &a, e) < 0)
        return e->code == ERR_NOT_FOUND ? 0 : -1;
    strbuf_release(&a.body);
    return 1;
}

int api_put_file(struct api *api, const char *path, int fd, uint64_t offset, uint64_t n, const char *digest,
                 struct err *e)
{
    struct call c = {.method = "PUT", .path = path, .fd = fd, .offset = offset, .bytes = n, .digest = digest};
    struct answer a;

    c.content_type = "application/octet-stream";
    return perform(api, &c, &a, e) < 0 ? -1 : read_document(&a, NULL, e);
}

int api_post_file(struct api *api, const char *path, int fd, uint64_t n, json_t **out, struct err *e)
{
    struct call c = {.method = "POST", .path = path, .fd = fd, .bytes = n};
    struct answer a;

    c.content_type = "application/octet-stream";
    make_key(c.key);
    return perform(api, &c, &a, e) < 0 ? -1 : read_document(&a, out, e);
}

void api_escape(struct strbuf *path, const char *text)
{
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;

        if ((c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || strchr("-._~", c))
            strbuf_addc(path, (char)c);
        else
            strbuf_addf(path, "%%%02X", c);
    }
}

int api_list(struct api *api, const char *path, api_item_fn take, void *ctx, struct err *e)
{
    struct strbuf page = STRBUF_INIT;
    json_t *answer = NULL;
    int ret = 0;

    strbuf_adds(&page, path);
    while (ret == 0 && page.length) {
        const json_t *items = NULL;
        const char *next = NULL;

        ret = page.failed ? err_no_memory(e) : api_get(api, page.text, &answer, e);
        if (ret == 0 && !answer)
            ret = err_set(e, ERR_NETWORK, "%s%s: an empty answer where a list was expected", api->url, path);
        if (ret == 0 &&
            (json_need_object(answer, "the answer", e) < 0 || json_need_array(answer, "items", &items, e) < 0 ||
             json_opt_str(answer, "next", &next, e) < 0))
            ret = -1;
        for (size_t i = 0; ret == 0 && i < json_array_size(items); i++)
            ret = take(ctx, json_array_get(items, i), e);
        strbuf_clear(&page);
        if (ret == 0 && next) {
            strbuf_adds(&page, path);
            strbuf_adds(&page, strchr(path, '?') ? "&after=" : "?after=");
            api_escape(&page, next);
        }
        json_decref(answer);
        answer = NULL;
    }
    strbuf_release(&page);
    return ret;
}

static int gather(void *ctx, const json_t *item, struct err *e)
{
    return json_array_append(ctx, (json_t *)item) < 0 ? err_no_memory(e) : 0;
}

json_t *api_list_all(struct api *api, const char *path, struct err *e)
{
    json_t *all = json_array();

    if (!all) {
        err_no_memory(e);
        return NULL;
    }
    if (api_list(api, path, gather, all, e) == 0)
        return all;
    json_decref(all);
    return NULL;
}
