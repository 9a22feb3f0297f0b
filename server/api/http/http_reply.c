/* server/api/http/http_reply.c: converts replies to libmicrohttpd's responses; manages parked requests. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <jansson.h>

#include "base/array.h"
#include "base/hash.h"
#include "server/api/http/http_internal.h"
#include "server/api/http/router.h"
#include "wire/json.h"
#include "wire/json_writer.h"

void reply_init(struct reply *rep)
{
    *rep = (struct reply){.body = STRBUF_INIT, .file = -1};
}

static size_t body_length(const struct reply *rep)
{
    return rep->shared ? rep->shared->text.length : rep->body.length;
}

int reply_status(const struct reply *rep)
{
    if (rep->status)
        return rep->status;
    return body_length(rep) || rep->file >= 0 ? 200 : 204;
}

static void shared_body_unref(void *body)
{
    struct shared_body *b = body;

    if (!b || atomic_fetch_sub(&b->references, 1) > 1)
        return;
    strbuf_release(&b->text);
    free(b);
}

void reply_release(struct reply *rep)
{
    strbuf_release(&rep->body);
    shared_body_unref(rep->shared);
    if (rep->file >= 0)
        close(rep->file);
    reply_init(rep);
}

int reply_json(struct reply *rep, int status, void *json, struct err *e)
{
    if (!json)
        return err_no_memory(e);
    rep->status = status;
    json_write_text(json, false, &rep->body);
    json_decref(json);
    return rep->body.failed ? err_no_memory(e) : 0;
}

int reply_body_json(struct reply *rep, int status, struct err *e)
{
    rep->status = status;
    return rep->body.failed ? err_no_memory(e) : 0;
}

int reply_written(struct reply *rep, int status, struct jw *w, struct err *e)
{
    int ret = jw_finish(w);

    if (ret == 0)
        strbuf_add(&rep->body, w->text.text, w->text.length);
    jw_release(w);
    return ret < 0 ? -1 : reply_body_json(rep, status, e);
}

int reply_empty(struct reply *rep, int status)
{
    strbuf_clear(&rep->body);
    shared_body_unref(rep->shared);
    rep->shared = NULL;
    rep->status = status;
    return 0;
}

/* --- Responses --- */

void response_header(struct MHD_Response *m, const char *name, const char *value)
{
    if (value && value[0])
        MHD_add_response_header(m, name, value);
}

static void quoted_etag(const char *etag, char out[96])
{
    snprintf(out, 96, "\"%s\"", etag);
}

/* Headers of the IETF draft "RateLimit header fields": the limit and the remaining calls. */
static void add_limits(const struct http_request *r, struct MHD_Response *m)
{
    const struct http_options *o = &r->http->options;
    const struct rate *rate = r->shown.credential.valid ? &o->rate : &o->rate_anonymous;
    char text[96];

    if (!r->rate.limited || rate->a_second == 0)
        return;
    snprintf(text, sizeof text, "\"calls\";q=%u;w=%u", rate->burst, rate->burst / rate->a_second);
    response_header(m, "RateLimit-Policy", text);
    snprintf(text, sizeof text, "\"calls\";r=%u;t=%u", r->rate.left, r->rate.wait_s);
    response_header(m, "RateLimit", text);
}

void response_add_headers(struct http_request *r, struct MHD_Response *m)
{
    const struct reply *rep = &r->reply;
    char text[96];

    response_header(m, "X-Request-Id", r->shown.id);
    response_header(m, "X-Content-Type-Options", "nosniff");
    response_header(m, "Referrer-Policy", "same-origin");
    response_header(m, "Cross-Origin-Resource-Policy", "same-origin");
    if (rep->content_type && strncmp(rep->content_type, "text/html", 9) == 0) {
        response_header(m, "Content-Security-Policy", r->http->options.content_security_policy);
        response_header(m, "X-Frame-Options", "DENY"); /* for browsers that do not support frame-ancestors */
        response_header(m, "Cross-Origin-Opener-Policy", "same-origin");
        response_header(m, "Permissions-Policy", "camera=(), microphone=(), geolocation=()");
    }
    if (r->http->https)
        response_header(m, "Strict-Transport-Security", "max-age=31536000");
    add_limits(r, m);
    if (rep->status != 204 && rep->status != 304)
        response_header(m, "Content-Type", rep->content_type);
    response_header(m, "Content-Encoding", rep->content_encoding);
    response_header(m, "Vary", rep->varies ? "Accept-Encoding" : NULL);
    response_header(m, "Location", rep->location);
    response_header(m, "Set-Cookie", rep->cookie);
    response_header(m, "Set-Cookie", rep->device);
    response_header(m, "Content-Disposition", rep->content_disposition);
    if (rep->etag[0]) {
        quoted_etag(rep->etag, text);
        response_header(m, "ETag", text);
    }
    response_header(m, "Cache-Control",
                    rep->cache_forever ? "public, max-age=31536000, immutable"
                    : rep->etag[0]     ? "private, no-cache"
                                       : "no-store");
    if (rep->retry_after_s) {
        snprintf(text, sizeof text, "%d", rep->retry_after_s);
        response_header(m, "Retry-After", text);
    }
    if (rep->status == 401)
        response_header(m, "WWW-Authenticate", "Bearer realm=\"vivace\"");
    if (rep->status == 405)
        response_header(m, "Allow", r->allow);
    if (r->close || atomic_load(&r->http->quiet))
        response_header(m, "Connection", "close");
}

/* Adds an ETag to every document, so that a client can revalidate it without a transfer of the body. */
static void add_etag(struct http_request *r)
{
    struct reply *rep = &r->reply;
    char hex[SHA256_HEX];

    if (rep->etag[0] || rep->status != 200 || rep->file >= 0 || strcmp(r->route->method, "GET") != 0 ||
        r->route->kind == ROUTE_DIRECT || sha256_bytes(rep->body.text, rep->body.length, hex, &(struct err){0}) < 0)
        return;
    snprintf(rep->etag, sizeof rep->etag, "%.32s", hex);
}

static void apply_conditions(struct http_request *r, char content_range[96])
{
    struct reply *rep = &r->reply;
    const char *if_range = head_value(&r->head, "If-Range");
    uint64_t offset, length;
    int part;

    content_range[0] = '\0';
    if (rep->status != 200 || !r->route || strcmp(r->route->method, "GET") != 0)
        return;
    add_etag(r);
    if (etag_matches(head_value(&r->head, "If-None-Match"), rep->etag)) {
        if (rep->file >= 0)
            close(rep->file);
        rep->file = -1;
        reply_empty(rep, 304);
        return;
    }
    if (rep->file < 0 || (if_range && !etag_matches(if_range, rep->etag)))
        return;
    part = range_read(head_value(&r->head, "Range"), rep->file_length, &offset, &length);
    if (part > 0) {
        snprintf(content_range, 96, "bytes %llu-%llu/%llu", (unsigned long long)offset,
                 (unsigned long long)(offset + length - 1), (unsigned long long)rep->file_length);
        rep->status = 206;
        rep->file_offset += offset;
        rep->file_length = length;
    } else if (part < 0) {
        snprintf(content_range, 96, "bytes */%llu", (unsigned long long)rep->file_length);
        close(rep->file);
        rep->file = -1;
        rep->content_type = rep->content_encoding = NULL;
        reply_empty(rep, 416);
    }
}

static struct MHD_Response *make_response(struct reply *rep)
{
    struct MHD_Response *m;
    size_t n = body_length(rep);
    char *text;

    if (rep->file >= 0) {
        m = MHD_create_response_from_fd_at_offset64(rep->file_length, rep->file, rep->file_offset);
        if (m)
            rep->file = -1; /* the response closes it */
        return m;
    }
    if (n == 0)
        return MHD_create_response_from_buffer(0, (void *)strbuf_empty, MHD_RESPMEM_PERSISTENT);
    if (rep->shared) {
        m = MHD_create_response_from_buffer_with_free_callback_cls(n, rep->shared->text.text, shared_body_unref,
                                                                   rep->shared);
        if (m)
            rep->shared = NULL; /* the response releases its reference */
        return m;
    }
    text = strbuf_detach(&rep->body);
    if (!text)
        return NULL;
    m = MHD_create_response_from_buffer(n, text, MHD_RESPMEM_MUST_FREE);
    if (!m)
        free(text);
    return m;
}

int reply_share(struct http_request *r, struct err *e)
{
    struct reply *rep = &r->reply;

    if (!rep->body.length || rep->file >= 0 || rep->cookie[0] || rep->device[0])
        return 0;
    rep->status = reply_status(rep);
    add_etag(r);
    rep->shared = mem_zalloc(1, sizeof *rep->shared, e);
    if (!rep->shared)
        return -1;
    atomic_init(&rep->shared->references, 1);
    rep->shared->text = rep->body;
    rep->body = (struct strbuf)STRBUF_INIT;
    return 1;
}

void reply_copy_shared(const struct reply *from, struct reply *to)
{
    *to = *from;
    atomic_fetch_add(&from->shared->references, 1);
}

enum MHD_Result reply_queue(struct http_request *r)
{
    struct reply *rep = &r->reply;
    struct MHD_Response *m;
    enum MHD_Result ret;
    char content_range[96];

    if (r->stream)
        return stream_queue(r);
    rep->status = reply_status(rep);
    apply_conditions(r, content_range);
    if (!rep->content_type && (rep->file >= 0 || body_length(rep)))
        rep->content_type = "application/json";
    m = make_response(rep);
    if (!m)
        return MHD_NO;
    response_add_headers(r, m);
    response_header(m, "Content-Range", content_range);
    if (rep->status == 200 && r->route && r->route->kind == ROUTE_DB && rep->file_length)
        response_header(m, "Accept-Ranges", "bytes");
    r->status = rep->status;
    ret = MHD_queue_response(r->connection, (unsigned)rep->status, m);
    MHD_destroy_response(m);
    return ret;
}

/* --- Parked requests --- */

struct parked {
    struct http_request *request; /* holds a reference */
    struct http *http;
    struct parked *next, **link;
    bool answered; /* http_stop() has answered: a later answer is ignored */
};

struct parked *reply_park(const struct request *req, struct reply *rep, struct err *e)
{
    struct http_request *r = req->internal;
    struct parked *p = mem_zalloc(1, sizeof *p, e);

    if (!p)
        return NULL;
    p->request = r;
    p->http = r->http;
    atomic_fetch_add(&r->references, 1);
    pthread_mutex_lock(&p->http->lock);
    p->next = p->http->parked;
    p->link = &p->http->parked;
    if (p->next)
        p->next->link = &p->next;
    p->http->parked = p;
    pthread_mutex_unlock(&p->http->lock);
    rep->parked = true;
    return p;
}

static void unlink_parked(struct parked *p)
{
    *p->link = p->next;
    if (p->next)
        p->next->link = p->link;
}

static void finish_parked(struct http_request *r, struct reply *rep)
{
    r->reply = *rep;
    reply_init(rep);
    r->phase = REQUEST_DONE;
    MHD_resume_connection(r->connection);
    request_unref(r);
}

void parked_answer(struct parked *p, struct reply *rep)
{
    bool late;

    pthread_mutex_lock(&p->http->lock);
    late = p->answered;
    if (!late)
        unlink_parked(p);
    pthread_mutex_unlock(&p->http->lock);
    if (late)
        reply_release(rep);
    else
        finish_parked(p->request, rep);
    free(p);
}

static bool peer_closed(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    char byte;
    ssize_t n;

    if (!info)
        return true;
    n = recv(info->connect_fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
    return n == 0 || (n < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR);
}

bool parked_gone(const struct parked *p)
{
    bool gone;

    pthread_mutex_lock(&p->http->lock);
    gone = p->answered || peer_closed(p->request->connection);
    pthread_mutex_unlock(&p->http->lock);
    return gone;
}

const struct parked *parked_next(const struct parked *p)
{
    return p->next;
}

/* Answers all requests that are still parked when the server stops. */
void parked_end_all(struct http *h)
{
    for (;;) {
        struct http_request *r = NULL;
        struct parked *p;
        struct reply rep;
        struct err e;

        pthread_mutex_lock(&h->lock);
        p = h->parked;
        if (p) {
            unlink_parked(p);
            p->answered = true; /* from now on its owner may free it */
            r = p->request;
        }
        pthread_mutex_unlock(&h->lock);
        if (!r)
            return;
        reply_init(&rep);
        err_set(&e, ERR_BUSY, "the server is stopping");
        problem_reply(&e, r->shown.id, &rep);
        finish_parked(r, &rep);
    }
}
