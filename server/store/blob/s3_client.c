#include "server/store/blob/s3_client.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/conf.h"
#include "base/text.h"
#include "server/store/blob/s3_internal.h"

#define SAFE "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789/._-"

/* --- Opening --- */

static char *format(struct err *e, const char *a, const char *b, const char *c, const char *d)
{
    struct strbuf text = STRBUF_INIT;
    char *out;

    strbuf_addf(&text, "%s%s%s%s", a, b, c, d);
    out = strbuf_detach(&text);
    if (!out)
        err_no_memory(e);
    return out;
}

/* Splits "s3://bucket/prefix" and the endpoint into origin, host and folder. */
static int find_place(struct s3 *s, const struct s3_settings *o, struct err *e)
{
    char bucket[64];
    const char *rest = o->where + 5, *slash = strchr(rest, '/'), *prefix = slash ? slash : "", *host;
    size_t n = slash ? (size_t)(slash - rest) : strlen(rest), tail = strlen(prefix);

    if (!str_starts(o->where, "s3://") || n < 3 || n >= sizeof bucket ||
        strspn(rest, "abcdefghijklmnopqrstuvwxyz0123456789.-") < n || strspn(prefix, SAFE) != tail ||
        strstr(prefix, "//") || strstr(prefix, ".."))
        return err_set(e, ERR_USAGE, "`blob-store`: \"%.200s\" is not s3://bucket/prefix", o->where);
    snprintf(bucket, sizeof bucket, "%.*s", (int)n, rest);
    while (tail > 0 && prefix[tail - 1] == '/')
        tail--;
    if (o->endpoint) {
        size_t end = strlen(o->endpoint);

        host = strstr(o->endpoint, "://");
        if ((!str_starts(o->endpoint, "http://") && !str_starts(o->endpoint, "https://")) || !host ||
            strcspn(host + 3, "/?#") + (host + 3 - o->endpoint) < end - (o->endpoint[end - 1] == '/'))
            return err_set(e, ERR_USAGE, "`s3-endpoint`: \"%.200s\" is not http://HOST or https://HOST",
                           o->endpoint);
        s->origin = mem_strndup(o->endpoint, end - (o->endpoint[end - 1] == '/'), e);
        s->folder = format(e, "/", bucket, prefix, "");
    } else {
        s->origin = format(e, "https://", bucket, ".s3.", "");
        host = s->origin;
        s->origin = host ? format(e, host, o->region, ".amazonaws.com", "") : NULL;
        free((char *)host);
        s->folder = format(e, prefix, "", "", "");
    }
    if (!s->origin || !s->folder)
        return -1;
    s->folder[strlen(s->folder) - (strlen(prefix) - tail)] = '\0';
    s->host = mem_strdup(strstr(s->origin, "://") + 3, e);
    return s->host ? 0 : -1;
}

static int copy_word(char **out, const char *text, size_t n, struct err *e)
{
    *out = n ? mem_strndup(text, n, e) : NULL;
    return n && !*out ? -1 : 0;
}

static int read_keys(struct s3 *s, const char *file, struct err *e)
{
    char *line = NULL;
    const char *at;
    int ret = 0;

    if (!file) {
        const char *a = getenv("AWS_ACCESS_KEY_ID"), *b = getenv("AWS_SECRET_ACCESS_KEY"),
                   *c = getenv("AWS_SESSION_TOKEN");

        if (!a || !*a || !b || !*b) {
            err_set(e, ERR_USAGE, "there are no keys for the blob store");
            return err_hint(e, "Use --s3-keys FILE (one line: ACCESS SECRET), or set AWS_ACCESS_KEY_ID and "
                               "AWS_SECRET_ACCESS_KEY.");
        }
        return copy_word(&s->access, a, strlen(a), e) | copy_word(&s->secret, b, strlen(b), e) |
               (c && *c ? copy_word(&s->session, c, strlen(c), e) : 0);
    }
    if (conf_read_secret(file, &line, e) < 0)
        return -1;
    at = line;
    for (int i = 0; i < 3 && ret == 0; i++) {
        char **const words[] = {&s->access, &s->secret, &s->session};
        size_t n = strcspn(at, " \t");

        ret = copy_word(words[i], at, n, e);
        at += n;
        at += strspn(at, " \t");
    }
    if (ret == 0 && !s->secret)
        ret = err_set(e, ERR_USAGE, "%s: one line with ACCESS SECRET is expected", file);
    free(line);
    return ret;
}

int s3_open(const struct s3_settings *o, struct clock *clock, struct s3 **out, struct err *e)
{
    struct s3 *s = mem_zalloc(1, sizeof *s, e);

    if (!s)
        return -1;
    pthread_mutex_init(&s->lock, NULL);
    s3_guard_init(&s->guard);
    s->clock = clock;
    s->wait_s = o->wait_s;
    s->region = mem_strdup(o->region, e);
    if (!s->region || find_place(s, o, e) < 0 || read_keys(s, o->keys_file, e) < 0) {
        s3_free(s);
        return -1;
    }
    *out = s;
    return 0;
}

void s3_free(struct s3 *s)
{
    if (!s)
        return;
    for (unsigned i = 0; i < s->idle_count; i++)
        curl_easy_cleanup(s->idle[i]);
    pthread_mutex_destroy(&s->lock);
    s3_guard_release(&s->guard);
    free(s->origin);
    free(s->host);
    free(s->folder);
    free(s->region);
    free(s->access);
    free(s->secret);
    free(s->session);
    free(s);
}

/* --- Probes --- */

#define PROBE_IDLE_US UINT64_C(30000000)

int s3_ask(struct s3 *s, struct err *e)
{
    return s3_guard_ask(&s->guard, s->origin, clock_monotonic_us(), e);
}

int s3_probe(struct s3 *s, struct err *e)
{
    const struct s3_call c = {.method = "HEAD", .key = "probe", .fd = -1, .into = -1, .probe = true};
    struct s3_answer a;

    if (!s3_guard_due(&s->guard, PROBE_IDLE_US, clock_monotonic_us()))
        return 0;
    if (s3_exchange(s, &c, &a, e) < 0)
        return -1;
    strbuf_release(&a.body);
    return 0;
}

void s3_state(struct s3 *s, struct s3_facts *out)
{
    s3_guard_facts(&s->guard, clock_monotonic_us(), out);
}

/* --- Calls --- */

static int call(struct s3 *s, const struct s3_call *c, struct s3_answer *out, struct err *e)
{
    struct s3_answer mine = {0}, *a = out ? out : &mine;
    int ret = s3_exchange(s, c, a, e);

    if (ret == 0 && !out)
        strbuf_release(&a->body);
    if (ret == 0 && a->status == 404 && strcmp(c->method, "DELETE") != 0) {
        if (out)
            strbuf_release(&a->body);
        return err_set(e, ERR_NOT_FOUND, "the blob store has no %s", c->key);
    }
    return ret;
}

int s3_head(struct s3 *s, const char *key, uint64_t *bytes, struct err *e)
{
    const struct s3_call c = {.method = "HEAD", .key = key, .fd = -1, .into = -1};
    struct s3_answer a;

    if (call(s, &c, &a, e) < 0)
        return e->code == ERR_NOT_FOUND ? 0 : -1;
    strbuf_release(&a.body);
    if (bytes)
        *bytes = a.length;
    return 1;
}

int s3_get(struct s3 *s, const char *key, int fd, uint64_t *bytes, struct err *e)
{
    const struct s3_call c = {.method = "GET", .key = key, .fd = -1, .into = fd};
    struct s3_answer a;

    if (call(s, &c, &a, e) < 0)
        return -1;
    strbuf_release(&a.body);
    *bytes = a.length;
    return 0;
}

int s3_delete(struct s3 *s, const char *key, struct err *e)
{
    const struct s3_call c = {.method = "DELETE", .key = key, .fd = -1, .into = -1};

    return call(s, &c, NULL, e);
}

int s3_copy(struct s3 *s, const char *from, const char *to, struct err *e)
{
    char *source = format(e, s->folder, "/", from, "");
    struct s3_call c = {.method = "PUT", .key = to, .copy_source = source, .fd = -1, .into = -1, .slow = true};
    int ret = source ? call(s, &c, NULL, e) : -1;

    free(source);
    return ret;
}

int s3_url(struct s3 *s, const char *key, unsigned seconds, struct strbuf *out, struct err *e)
{
    const struct s3_keys keys = s3_keys_of(s);
    const struct s3_pair host = {"host", s->host};
    char now[17], *path = format(e, s->folder, "/", key, "");
    const struct s3_request r = {"GET", path, NULL, 0, &host, 1, NULL, now};
    int ret;

    if (!path)
        return -1;
    s3_time(s, now);
    strbuf_adds(out, s->origin);
    ret = s3_presign(&keys, &r, seconds, out, e);
    free(path);
    return ret;
}

/* --- Uploads --- */

static int hash_part(int fd, uint64_t offset, uint64_t bytes, char hex[SHA256_HEX], struct err *e)
{
    struct sha256 *h = sha256_new(e);
    unsigned char hash[SHA256_BYTES];
    char buffer[1 << 16];

    if (!h)
        return -1;
    while (bytes > 0) {
        ssize_t n = pread(fd, buffer, bytes < sizeof buffer ? (size_t)bytes : sizeof buffer, (off_t)offset);

        if (n <= 0) {
            sha256_free(h);
            return err_set(e, ERR_IO, "reading the part of a blob to be sent");
        }
        sha256_update(h, buffer, (size_t)n);
        offset += (uint64_t)n;
        bytes -= (uint64_t)n;
    }
    sha256_final(h, hash);
    sha256_free(h);
    hex_encode(hash, sizeof hash, hex);
    return 0;
}

struct parts {
    struct s3 *s;
    const char *key;
    char id[400];
    struct strbuf list; /* the XML document of CompleteMultipartUpload */
};

static int begin_parts(struct parts *p, struct err *e)
{
    const struct s3_pair query = {"uploads", ""};
    const struct s3_call c = {
        .method = "POST", .key = p->key, .query = &query, .query_count = 1, .fd = -1, .into = -1};
    struct s3_answer a;
    bool found;

    if (call(p->s, &c, &a, e) < 0)
        return -1;
    found = s3_element(&a.body, "UploadId", p->id, sizeof p->id);
    strbuf_release(&a.body);
    return found ? 0 : err_set(e, ERR_NETWORK, "the blob store began a large object without an id");
}

static int send_part(struct parts *p, unsigned number, int fd, uint64_t offset, uint64_t bytes, struct err *e)
{
    char text[16], hex[SHA256_HEX];
    const struct s3_pair query[] = {{"partNumber", text}, {"uploadId", p->id}};
    const struct s3_call c = {.method = "PUT",
                              .key = p->key,
                              .query = query,
                              .query_count = 2,
                              .fd = fd,
                              .offset = offset,
                              .bytes = bytes,
                              .sha256 = hex,
                              .into = -1};
    struct s3_answer a;

    snprintf(text, sizeof text, "%u", number);
    if (hash_part(fd, offset, bytes, hex, e) < 0 || call(p->s, &c, &a, e) < 0)
        return -1;
    strbuf_release(&a.body);
    strbuf_addf(&p->list, "<Part><PartNumber>%u</PartNumber><ETag>%s</ETag></Part>", number, a.etag);
    return 0;
}

static int complete_parts(struct parts *p, struct err *e)
{
    const struct s3_pair query = {"uploadId", p->id};
    char hex[SHA256_HEX];
    struct s3_call c = {
        .method = "POST", .key = p->key, .query = &query, .query_count = 1, .fd = -1, .into = -1, .slow = true};

    strbuf_adds(&p->list, "</CompleteMultipartUpload>");
    if (p->list.failed)
        return err_no_memory(e);
    if (sha256_bytes(p->list.text, p->list.length, hex, e) < 0)
        return -1;
    c.text = p->list.text;
    c.sha256 = hex;
    return call(p->s, &c, NULL, e);
}

static void abort_parts(struct parts *p)
{
    const struct s3_pair query = {"uploadId", p->id};
    const struct s3_call c = {
        .method = "DELETE", .key = p->key, .query = &query, .query_count = 1, .fd = -1, .into = -1};
    struct err ignored; /* if the abort fails, the bucket's life-cycle rule removes the parts */

    call(p->s, &c, NULL, &ignored);
}

static int put_in_parts(struct s3 *s, const char *key, int fd, uint64_t bytes, struct err *e)
{
    struct parts p = {.s = s, .key = key, .list = STRBUF_INIT};
    uint64_t there;
    int ret = begin_parts(&p, e);

    if (ret < 0)
        return -1;
    strbuf_adds(&p.list, "<CompleteMultipartUpload>");
    for (uint64_t at = 0, number = 1; at < bytes && ret == 0; at += S3_PART_BYTES, number++)
        ret = send_part(&p, (unsigned)number, fd, at, bytes - at < S3_PART_BYTES ? bytes - at : S3_PART_BYTES, e);
    if (ret == 0)
        ret = complete_parts(&p, e);
    /* If the answer to a completion is lost, the retry finds no upload to complete. The object then exists. */
    if (ret < 0 && e->code == ERR_NOT_FOUND && s3_head(s, key, &there, e) > 0 && there == bytes)
        ret = 0;
    if (ret < 0)
        abort_parts(&p);
    strbuf_release(&p.list);
    return ret;
}

int s3_put(struct s3 *s, const char *key, int fd, uint64_t bytes, const char *sha256, struct err *e)
{
    const struct s3_call c = {.method = "PUT", .key = key, .fd = fd, .bytes = bytes, .sha256 = sha256, .into = -1};

    return bytes > S3_PART_BYTES ? put_in_parts(s, key, fd, bytes, e) : call(s, &c, NULL, e);
}
