#include "worker/fetch.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/log.h"

/* Pauses of 0.5 + 1 + 2 + 4 + 8 s; then the job returns to the queue. */
enum { TRIES_MAX = 6, PAUSE_FIRST_MS = 500 };

struct fetch_wait {
    struct fetch_wait *next;
    struct download *download; /* NULL: the caller has cancelled */
    fetched_fn done;
    void *ctx;
};

/* One blob that is being fetched. A file of an earlier process is checked first; otherwise it is downloaded. */
struct download {
    struct download *next;
    struct fetcher *owner;
    struct cache *cache; /* stays open after the fetcher is closed, while a thread hashes */
    char hex[SHA256_HEX];
    uint64_t bytes, asked_from;
    struct fetch_wait *waiting;
    struct http_request *request;
    struct cache_writer *writer;
    uv_timer_t *pause;
    unsigned tries;
    bool checking, orphan; /* orphan: the fetcher was closed while a thread hashed */
    bool waits;            /* it is already logged that the blob store is unavailable */
    struct cache_entry *entry;
    uv_work_t work;
    int check_result;
    struct err write_error;
};

struct fetcher {
    uv_loop_t *loop;
    struct http *http;
    struct cache *cache;
    char route[64];
    struct download *downloads;
};

static void begin(struct download *d);

int fetcher_open(uv_loop_t *loop, struct http *http, struct cache *cache, const char *route, struct fetcher **out,
                 struct err *e)
{
    struct fetcher *f = mem_zalloc(1, sizeof *f, e);

    if (!f)
        return -1;
    f->loop = loop;
    f->http = http;
    f->cache = cache;
    snprintf(f->route, sizeof f->route, "%s", route);
    *out = f;
    return 0;
}

static void free_closed(uv_handle_t *h)
{
    free(h);
}

static void free_download(struct download *d)
{
    struct fetch_wait *w;

    http_cancel(d->request);
    cache_write_abort(d->writer);
    if (d->pause) {
        uv_timer_stop(d->pause);
        uv_close((uv_handle_t *)d->pause, free_closed);
    }
    while ((w = d->waiting)) {
        d->waiting = w->next;
        free(w);
    }
    free(d);
}

void fetcher_close(struct fetcher *f)
{
    struct download *d;

    if (!f)
        return;
    while ((d = f->downloads)) {
        f->downloads = d->next;
        if (d->checking) {
            d->orphan = true; /* freed when the thread has ended */
            continue;
        }
        free_download(d);
    }
    free(f);
}

/* Calls back all waiting jobs. The download itself holds one pin of `entry`. */
static void finish(struct download *d, struct cache_entry *entry, const struct err *e)
{
    struct fetcher *f = d->owner;
    struct download **at = &f->downloads;
    struct fetch_wait *w;

    while (*at != d)
        at = &(*at)->next;
    *at = d->next;
    while ((w = d->waiting)) {
        d->waiting = w->next;
        if (w->download) {
            if (entry)
                entry->pins++;
            w->done(w->ctx, entry, e);
        }
        free(w);
    }
    if (entry)
        cache_unpin(f->cache, entry);
    free_download(d);
}

static bool anybody(const struct download *d)
{
    for (const struct fetch_wait *w = d->waiting; w; w = w->next)
        if (w->download)
            return true;
    return false;
}

/* --- Downloading --- */

static void on_pause_over(uv_timer_t *t)
{
    begin(t->data);
}

/* Starts the download from the loop, never within the caller's call. */
static int begin_after(struct download *d, uint64_t ms)
{
    if (!d->pause) {
        d->pause = malloc(sizeof *d->pause);
        if (!d->pause)
            return -1;
        uv_timer_init(d->owner->loop, d->pause);
        d->pause->data = d;
    }
    return uv_timer_start(d->pause, on_pause_over, ms, 0);
}

/* The blob store is unavailable for all workers, and the server states when to retry. The lease is therefore kept
 * and renewed by heartbeats; it is returned when this worker ends. */
static void wait_for_store(struct download *d, const struct err *e, unsigned retry_after_s)
{
    if (!d->waits)
        log_warn("worker", "a file is not available now; waiting for it", "error=%s",
                 log_quote(e->text, (char[600]){0}, 600));
    d->waits = true;
    if (!anybody(d) || begin_after(d, retry_after_s * UINT64_C(1000)) < 0)
        finish(d, NULL, e);
}

static void try_later(struct download *d, const struct err *e, unsigned retry_after_s)
{
    uint64_t ms = (uint64_t)PAUSE_FIRST_MS << d->tries;

    if (retry_after_s * UINT64_C(1000) > ms)
        ms = retry_after_s * UINT64_C(1000);
    if (++d->tries >= TRIES_MAX || !anybody(d) || begin_after(d, ms) < 0)
        finish(d, NULL, e);
}

static int on_piece(void *ctx, int status, const void *bytes, size_t n)
{
    struct download *d = ctx;

    if (status == 200 && d->asked_from) { /* a range was requested, and the server sent the whole blob */
        d->asked_from = 0;
        if (cache_write_restart(d->writer, &d->write_error) < 0)
            return -1;
    }
    /* A server that sends more than the announced size must not fill the disk. */
    if (d->bytes && n > d->bytes - cache_written(d->writer))
        return err_set(&d->write_error, ERR_NETWORK, "%s%.12s…: larger than the expected %llu bytes",
                       d->owner->route, d->hex, (unsigned long long)d->bytes);
    return cache_write(d->writer, bytes, n, &d->write_error);
}

static void downloaded(struct download *d)
{
    struct cache_writer *w = d->writer;
    struct cache_entry *entry;
    struct err e;

    d->writer = NULL;
    entry = cache_write_finish(w, &e);
    if (entry)
        finish(d, entry, NULL);
    else if (e.code == ERR_INVALID)
        try_later(d,
                  &(struct err){.code = ERR_NETWORK,
                                .text = "the bytes that the server sent have another hash than requested"},
                  0);
    else
        finish(d, NULL, &e);
}

static void on_answer(void *ctx, const struct http_answer *a)
{
    struct download *d = ctx;
    char why[300];
    struct err e;

    d->request = NULL;
    if (d->write_error.code) {
        finish(d, NULL, &d->write_error);
        return;
    }
    if (a->status == 200 || a->status == 206) {
        downloaded(d);
        return;
    }
    http_problem(a, why, sizeof why);
    if (a->status == 416) { /* the requested range is beyond the end of the blob: start again */
        cache_write_abort(d->writer);
        d->writer = NULL;
    }
    err_set(&e, a->status == 404 ? ERR_NOT_FOUND : ERR_NETWORK, "%s%.12s…: %s", d->owner->route, d->hex, why);
    if (a->status == 404 || a->status == 403)
        finish(d, NULL, &e);
    else if (a->status == 503 && a->retry_after_s)
        wait_for_store(d, &e, a->retry_after_s);
    else
        try_later(d, &e, a->retry_after_s);
}

static void begin(struct download *d)
{
    struct fetcher *f = d->owner;
    char path[160];
    struct http_call call = {.method = "GET", .path = path, .sink = on_piece, .done = on_answer, .ctx = d};
    struct err e;

    if (!anybody(d)) {
        finish(d, NULL, &(struct err){.code = ERR_NONE});
        return;
    }
    if (!d->writer)
        d->writer = cache_write_begin(f->cache, d->hex, d->bytes, &e);
    if (!d->writer) {
        finish(d, NULL, &e);
        return;
    }
    snprintf(path, sizeof path, "%s%s", f->route, d->hex);
    call.from_byte = d->asked_from = cache_written(d->writer);
    d->write_error.code = ERR_NONE;
    d->request = http_start(f->http, &call, &e);
    if (!d->request)
        finish(d, NULL, &e);
}

/* --- Checking files of an earlier process --- */

static void check_on_thread(uv_work_t *work)
{
    struct download *d = work->data;
    struct err ignored;

    d->check_result = cache_check(d->cache, d->entry, &ignored);
}

static void on_checked(uv_work_t *work, int status)
{
    struct download *d = work->data;
    struct cache_entry *entry = d->entry;

    d->checking = false;
    if (d->orphan) {
        free_download(d);
        return;
    }
    if (status == 0 && d->check_result == 1) {
        entry->trusted = true;
        finish(d, entry, NULL);
        return;
    }
    log_warn("worker", "a cached blob is damaged and is fetched again", "sha256=%s", d->hex);
    cache_drop(d->owner->cache, entry);
    d->entry = NULL;
    begin(d);
}

static int check(struct download *d, struct cache_entry *entry)
{
    d->entry = entry;
    d->work.data = d;
    d->checking = uv_queue_work(d->owner->loop, &d->work, check_on_thread, on_checked) == 0;
    return d->checking ? 0 : -1;
}

/* --- Requests of jobs --- */

static struct download *find(struct fetcher *f, const char *hex)
{
    struct download *d = f->downloads;

    while (d && strcmp(d->hex, hex) != 0)
        d = d->next;
    return d;
}

static struct download *make(struct fetcher *f, const char *hex, uint64_t bytes, struct err *e)
{
    struct download *d = mem_zalloc(1, sizeof *d, e);

    if (!d)
        return NULL;
    d->owner = f;
    d->cache = f->cache;
    memcpy(d->hex, hex, SHA256_HEX);
    d->bytes = bytes;
    d->next = f->downloads;
    f->downloads = d;
    return d;
}

void fetch_blob(struct fetcher *f, const char *hex, uint64_t bytes, fetched_fn done, void *ctx,
                struct fetch_wait **out)
{
    struct download *d = find(f, hex);
    struct cache_entry *entry = d ? NULL : cache_pin(f->cache, hex);
    struct fetch_wait *w;
    bool fresh = !d;
    struct err e;

    *out = NULL;
    if (entry && entry->trusted) {
        done(ctx, entry, NULL);
        return;
    }
    if (!d)
        d = make(f, hex, bytes, &e);
    w = d ? mem_zalloc(1, sizeof *w, &e) : NULL;
    if (!w) {
        if (entry)
            cache_unpin(f->cache, entry);
        if (d && fresh)
            finish(d, NULL, &e);
        done(ctx, NULL, &e);
        return;
    }
    *w = (struct fetch_wait){.next = d->waiting, .download = d, .done = done, .ctx = ctx};
    d->waiting = w;
    *out = w;
    if (!fresh)
        return;
    if (entry && check(d, entry) == 0)
        return;
    if (entry)
        cache_drop(f->cache, entry);
    if (begin_after(d, 0) < 0) {
        *out = NULL;
        err_no_memory(&e);
        finish(d, NULL, &e);
    }
}

void fetch_give_up(struct fetch_wait *w)
{
    if (w)
        w->download = NULL;
}
