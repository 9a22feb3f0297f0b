/* server/store/blob/s3_exchange.c: one signed request to the store, with retries. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/text.h"
#include "server/store/blob/s3_internal.h"
#include "wire/curl_setup.h"

#define EMPTY_SHA256 "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" /* FIPS 180-4, no bytes */
#define BODY_MAX     ((size_t)64 << 10)
enum { TRIES_MAX = 6, PAUSE_FIRST_MS = 100 }; /* 0.1 + 0.2 + … + 1.6 s */
enum { BYTES_A_S_MIN = 1000, CONNECT_MAX_S = 5, SLOW_TIMES = 6 };

/* --- Handles: a finished call keeps its handle and connection for the next call --- */

static CURL *take_handle(struct s3 *s)
{
    CURL *h = NULL;

    pthread_mutex_lock(&s->lock);
    if (s->idle_count)
        h = s->idle[--s->idle_count];
    pthread_mutex_unlock(&s->lock);
    return h ? h : curl_easy_init();
}

static void put_handle(struct s3 *s, CURL *h)
{
    pthread_mutex_lock(&s->lock);
    if (h && s->idle_count < S3_IDLE_MAX) {
        s->idle[s->idle_count++] = h;
        h = NULL;
    }
    pthread_mutex_unlock(&s->lock);
    curl_easy_cleanup(h);
}

/* --- Request and response bodies --- */

struct transfer {
    const struct s3_call *call;
    struct s3_answer *answer;
    CURL *handle;
    uint64_t at, left; /* position in the body that is sent, and the bytes that remain */
    uint64_t written;
    int write_errno;
};

static size_t give(char *buffer, size_t size, size_t n, void *ctx)
{
    struct transfer *t = ctx;
    size_t want = size * n;
    ssize_t got;

    if (want > t->left)
        want = (size_t)t->left;
    if (want == 0)
        return 0;
    got = pread(t->call->fd, buffer, want, (off_t)t->at);
    if (got <= 0)
        return CURL_READFUNC_ABORT;
    t->at += (uint64_t)got;
    t->left -= (uint64_t)got;
    return (size_t)got;
}

static size_t take(char *bytes, size_t size, size_t n, void *ctx)
{
    struct transfer *t = ctx;
    long status = 0;

    n *= size;
    curl_easy_getinfo(t->handle, CURLINFO_RESPONSE_CODE, &status);
    if (t->call->into < 0 || status != 200) {
        if (t->answer->body.length + n > BODY_MAX)
            return 0;
        strbuf_add(&t->answer->body, bytes, n);
        return t->answer->body.failed ? 0 : n;
    }
    for (size_t done = 0; done < n;) {
        ssize_t k = pwrite(t->call->into, bytes + done, n - done, (off_t)(t->written + done));

        if (k < 0 && errno != EINTR) {
            t->write_errno = errno;
            return 0;
        }
        done += k > 0 ? (size_t)k : 0;
    }
    t->written += n;
    return n;
}

static size_t take_header(char *line, size_t size, size_t n, void *ctx)
{
    struct s3_answer *a = ctx;
    char text[200];

    n *= size;
    snprintf(text, sizeof text, "%.*s", (int)(n < sizeof text ? n : sizeof text - 1), line);
    text[strcspn(text, "\r\n")] = '\0';
    if (strncasecmp(text, "etag:", 5) == 0)
        snprintf(a->etag, sizeof a->etag, "%.79s", text + 5 + strspn(text + 5, " "));
    else if (strncasecmp(text, "content-length:", 15) == 0)
        a->length = strtoull(text + 15, NULL, 10);
    return n;
}

/* --- Signing --- */

void s3_time(const struct s3 *s, char out[17])
{
    time_t now = (time_t)(clock_now(s->clock) / 1000000);
    struct tm tm;

    gmtime_r(&now, &tm);
    strftime(out, 17, "%Y%m%dT%H%M%SZ", &tm);
}

struct s3_keys s3_keys_of(const struct s3 *s)
{
    return (struct s3_keys){s->access, s->secret, s->session, s->region};
}

static int sign(const struct s3 *s, const struct s3_call *c, const char *path, struct curl_slist **list,
                struct err *e)
{
    const char *hash = c->sha256 ? c->sha256 : EMPTY_SHA256;
    const struct s3_keys keys = s3_keys_of(s);
    struct strbuf authorization = STRBUF_INIT;
    char now[17];
    struct s3_pair headers[5] = {{"host", s->host}, {"x-amz-content-sha256", hash}, {"x-amz-date", now}};
    struct s3_request r = {c->method, path, c->query, c->query_count, headers, 3, hash, now};
    int ret;

    s3_time(s, now);
    if (s->session)
        headers[r.header_count++] = (struct s3_pair){"x-amz-security-token", s->session};
    if (c->copy_source)
        headers[r.header_count++] = (struct s3_pair){"x-amz-copy-source", c->copy_source};
    ret = s3_authorization(&keys, &r, &authorization, e);
    for (size_t i = 1; i < r.header_count && ret == 0; i++) /* libcurl writes the Host header itself */
        ret = curl_header(list, "%s: %s", headers[i].name, headers[i].value);
    if (ret == 0)
        ret = curl_header(list, "Authorization: %s", authorization.text) | curl_header(list, "Expect:") |
              curl_header(list, "Content-Type: application/octet-stream");
    strbuf_release(&authorization);
    return ret < 0 ? err_no_memory(e) : 0;
}

/* --- One attempt --- */

static void set_up(CURL *h, const struct s3_call *c, struct transfer *t)
{
    curl_easy_setopt(h, CURLOPT_WRITEFUNCTION, take);
    curl_easy_setopt(h, CURLOPT_WRITEDATA, t);
    curl_easy_setopt(h, CURLOPT_HEADERFUNCTION, take_header);
    curl_easy_setopt(h, CURLOPT_HEADERDATA, t->answer);
    if (c->fd >= 0) {
        t->at = c->offset;
        t->left = c->bytes;
        curl_easy_setopt(h, CURLOPT_UPLOAD, 1L);
        curl_easy_setopt(h, CURLOPT_READFUNCTION, give);
        curl_easy_setopt(h, CURLOPT_READDATA, t);
        curl_easy_setopt(h, CURLOPT_INFILESIZE_LARGE, (curl_off_t)c->bytes);
    } else if (strcmp(c->method, "HEAD") == 0) {
        curl_easy_setopt(h, CURLOPT_NOBODY, 1L);
    } else if (c->text || strcmp(c->method, "POST") == 0 || strcmp(c->method, "PUT") == 0) {
        curl_easy_setopt(h, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)(c->text ? strlen(c->text) : 0));
        curl_easy_setopt(h, CURLOPT_POSTFIELDS, c->text ? c->text : "");
    }
    curl_easy_setopt(h, CURLOPT_CUSTOMREQUEST, c->method);
}

static int fill_url(const struct s3 *s, const struct s3_call *c, const char *path, struct strbuf *url,
                    struct err *e)
{
    strbuf_adds(url, s->origin);
    s3_encode(url, path, 1);
    if (c->query_count) {
        strbuf_addc(url, '?');
        if (s3_query(c->query, c->query_count, url, e) < 0)
            return -1;
    }
    return url->failed ? err_no_memory(e) : 0;
}

/* libcurl's message for a time-out contains only byte and millisecond counts, so this function writes its own. */
static int no_answer(const struct s3 *s, CURLcode code, const char *problem, struct s3_answer *a, struct err *e)
{
    a->silent = code == CURLE_OPERATION_TIMEDOUT;
    if (!a->silent)
        return err_set(e, ERR_UNAVAILABLE, "the blob store %s: %s", s->origin, problem);
    err_set(e, ERR_UNAVAILABLE, "the blob store %s did not answer within %u s, or its answer was too slow",
            s->origin, s->wait_s);
    return err_hint(e, "Check whether the store or the network to it is overloaded.");
}

/* Sends the request once. 0: an answer arrived, with any status. */
static int try_once(struct s3 *s, const struct s3_call *c, CURL *h, struct s3_answer *a, struct err *e)
{
    struct transfer t = {.call = c, .answer = a, .handle = h};
    struct strbuf url = STRBUF_INIT, path = STRBUF_INIT;
    struct curl_slist *headers = NULL;
    char problem[CURL_ERROR_SIZE] = "";
    CURLcode code = CURLE_OK;
    int ret;

    *a = (struct s3_answer){.body = STRBUF_INIT};
    strbuf_addf(&path, "%s/%s", s->folder, c->key);
    ret = path.failed                                                                        ? err_no_memory(e)
          : fill_url(s, c, path.text, &url, e) < 0 || sign(s, c, path.text, &headers, e) < 0 ? -1
                                                                                             : 0;
    if (ret == 0) {
        curl_easy_reset(h);
        curl_setup(h, problem, BYTES_A_S_MIN, (long)s->wait_s * (c->slow ? SLOW_TIMES : 1));
        curl_easy_setopt(h, CURLOPT_CONNECTTIMEOUT, (long)(s->wait_s < CONNECT_MAX_S ? s->wait_s : CONNECT_MAX_S));
        set_up(h, c, &t);
        curl_easy_setopt(h, CURLOPT_URL, url.text);
        curl_easy_setopt(h, CURLOPT_HTTPHEADER, headers);
        code = curl_easy_perform(h);
        curl_easy_getinfo(h, CURLINFO_RESPONSE_CODE, &a->status);
    }
    curl_slist_free_all(headers);
    strbuf_release(&path);
    strbuf_release(&url);
    if (ret == 0 && t.write_errno)
        ret = err_set_errno(e, t.write_errno, "writing what the blob store sent");
    else if (code != CURLE_OK)
        ret = no_answer(s, code, *problem ? problem : curl_easy_strerror(code), a, e);
    return ret;
}

bool s3_element(const struct strbuf *xml, const char *name, char *out, size_t size)
{
    char begin[64], end[64];
    const char *from, *to;

    snprintf(begin, sizeof begin, "<%s>", name);
    snprintf(end, sizeof end, "</%s>", name);
    from = xml->length ? strstr(xml->text, begin) : NULL;
    to = from ? strstr(from, end) : NULL;
    if (!to || (size_t)(to - from) - strlen(begin) >= size)
        return false;
    from += strlen(begin);
    snprintf(out, size, "%.*s", (int)(to - from), from);
    return true;
}

/* Puts the error code and message of the store's answer into *e. */
static int refused(const struct s3 *s, const struct s3_answer *a, struct err *e)
{
    char code[80] = "", message[300] = "";

    s3_element(&a->body, "Code", code, sizeof code);
    s3_element(&a->body, "Message", message, sizeof message);
    text_sanitize(code);
    text_sanitize(message);
    err_set(e, a->status == 429 || a->status >= 500 ? ERR_UNAVAILABLE : ERR_NETWORK,
            "the blob store %s answered %ld %s %s", s->origin, a->status, code, message);
    return a->status == 403 ? err_hint(e, "Check the access key, the secret, --s3-region and this machine's clock.")
                            : -1;
}

static bool worth_another_try(int ret, const struct s3_answer *a, const struct err *e)
{
    char code[8];

    if (ret < 0)
        return e->code == ERR_UNAVAILABLE && !a->silent;
    /* CompleteMultipartUpload answers 200 before it has finished. Its body may then report a failure. */
    return a->status == 429 || a->status == 500 || a->status == 502 || a->status == 503 || a->status == 504 ||
           (a->status == 200 && a->body.length && strstr(a->body.text, "<Error>") &&
            !s3_element(&a->body, "ETag", code, sizeof code));
}

static void rest(unsigned try)
{
    unsigned ms = (unsigned)PAUSE_FIRST_MS << try;
    const struct timespec t = {ms / 1000, (long)(ms % 1000) * 1000000};

    nanosleep(&t, NULL);
}

static int exchange(struct s3 *s, const struct s3_call *c, CURL *h, struct s3_answer *a, struct err *e)
{
    uint64_t until = clock_monotonic_us() + s->wait_s * UINT64_C(1000000);
    bool again = true;
    int ret = -1;

    for (unsigned try = 0; again; try++) {
        ret = try_once(s, c, h, a, e);
        again = worth_another_try(ret, a, e) && try + 1 < TRIES_MAX && !c->probe && clock_monotonic_us() < until;
        if (again) {
            log_debug("s3", "trying again", "method=%s status=%ld try=%u", c->method, a->status, try + 1);
            strbuf_release(&a->body);
            rest(try);
        }
    }
    if (ret == 0 && (worth_another_try(ret, a, e) || a->status < 200 || (a->status >= 300 && a->status != 404)))
        ret = refused(s, a, e);
    if (ret < 0)
        strbuf_release(&a->body);
    return ret;
}

int s3_exchange(struct s3 *s, const struct s3_call *c, struct s3_answer *a, struct err *e)
{
    CURL *h;
    int ret;

    if (s3_guard_enter(&s->guard, c->probe, s->origin, clock_monotonic_us(), e) < 0)
        return -1;
    h = take_handle(s);
    ret = h ? exchange(s, c, h, a, e) : err_no_memory(e);
    if (h)
        put_handle(s, h);
    s3_guard_left(&s->guard, ret < 0 && (e->code == ERR_UNAVAILABLE || e->code == ERR_NO_MEMORY) ? e->text : NULL,
                  clock_monotonic_us());
    return ret;
}
