/* server/api/http/http_stream.c: replies whose text is sent in parts (server-sent events). */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "server/api/http/http_internal.h"

#define STREAM_BACKLOG ((size_t)256 << 10)
#define STREAM_BLOCK   1024 /* libmicrohttpd's buffer for a reply that is not chunked; streams are chunked */

struct http_stream {
    struct http *http;
    struct http_request *request; /* valid while the connection is open */
    pthread_mutex_t lock;
    struct strbuf waiting; /* text not yet taken by the connection */
    size_t taken;
    bool suspended, ended, gone;
    int owners; /* references: the pushing side, and the connection */
};

static void stream_unref(struct http_stream *s)
{
    int left;

    pthread_mutex_lock(&s->lock);
    left = --s->owners;
    pthread_mutex_unlock(&s->lock);
    if (left > 0)
        return;
    pthread_mutex_destroy(&s->lock);
    strbuf_release(&s->waiting);
    free(s);
}

struct http_stream *stream_start(const struct request *req, struct reply *rep, struct err *e)
{
    struct http_request *r = req->internal;
    struct http_stream *s = mem_zalloc(1, sizeof *s, e);

    (void)rep;
    if (!s)
        return NULL;
    pthread_mutex_init(&s->lock, NULL);
    s->waiting = (struct strbuf)STRBUF_INIT;
    s->http = r->http;
    s->request = r;
    s->owners = 2;
    r->stream = s;
    atomic_fetch_add(&r->http->streams, 1);
    return s;
}

static ssize_t stream_pull(void *ctx, uint64_t at, char *to, size_t most)
{
    struct http_stream *s = ctx;
    size_t n;
    bool over;

    (void)at;
    pthread_mutex_lock(&s->lock);
    n = s->waiting.length - s->taken;
    if (n > most)
        n = most;
    memcpy(to, s->waiting.text + s->taken, n);
    s->taken += n;
    if (s->taken == s->waiting.length) {
        strbuf_release(&s->waiting); /* an idle stream holds no buffer */
        s->taken = 0;
    }
    over = s->ended; /* read under the lock: a suspended connection must not end here */
    if (n == 0 && !over) {
        s->suspended = true;
        MHD_suspend_connection(s->request->connection);
    }
    pthread_mutex_unlock(&s->lock);
    return n > 0 ? (ssize_t)n : over ? MHD_CONTENT_READER_END_OF_STREAM : 0;
}

/* The connection has finished: all text was sent, or the client disconnected. */
static void stream_closed(void *ctx)
{
    struct http_stream *s = ctx;

    pthread_mutex_lock(&s->lock);
    s->gone = true;
    s->suspended = false;
    pthread_mutex_unlock(&s->lock);
    atomic_fetch_sub(&s->http->streams, 1);
    stream_unref(s);
}

enum MHD_Result stream_queue(struct http_request *r)
{
    struct http_stream *s = r->stream;
    struct reply *rep = &r->reply;
    enum MHD_Result ret;
    struct MHD_Response *m;

    r->stream = NULL;
    rep->status = rep->status ? rep->status : 200;
    m = MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, STREAM_BLOCK, stream_pull, s, stream_closed);
    if (!m) {
        stream_closed(s);
        return MHD_NO;
    }
    response_add_headers(r, m);
    response_header(m, "X-Accel-Buffering", "no");
    r->status = rep->status;
    ret = MHD_queue_response(r->connection, (unsigned)rep->status, m);
    MHD_destroy_response(m);
    return ret;
}

void stream_abandon(struct http_request *r)
{
    if (r->stream)
        stream_closed(r->stream);
    r->stream = NULL;
}

static void wake(struct http_stream *s)
{
    if (!s->suspended)
        return;
    s->suspended = false;
    MHD_resume_connection(s->request->connection);
}

int http_stream_push(struct http_stream *s, const char *text, size_t n)
{
    int ret = 0;

    pthread_mutex_lock(&s->lock);
    if (s->gone) {
        ret = -1;
    } else if (s->waiting.length - s->taken + n > STREAM_BACKLOG) {
        ret = 1;
    } else {
        strbuf_add(&s->waiting, text, n);
        if (s->waiting.failed)
            ret = 1;
        wake(s);
    }
    pthread_mutex_unlock(&s->lock);
    return ret;
}

void http_stream_end(struct http_stream *s)
{
    pthread_mutex_lock(&s->lock);
    s->ended = true;
    if (!s->gone)
        wake(s);
    pthread_mutex_unlock(&s->lock);
    stream_unref(s);
}
