#include "server/api/http/event_hub.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/array.h"
#include "base/log.h"
#include "server/store/threads/background.h"
#include "server/domain/access/access.h"
#include "server/store/repo/repo_access.h"
#include "server/store/repo/repo_claim.h"
#include "server/store/repo/repo_event.h"
#include "server/store/event/event.h"
#include "server/domain/plan/design_store.h"

#define SECOND_US      UINT64_C(1000000)
#define TICK_US        (SECOND_US / 4)
#define KEEP_ALIVE_US  (15 * SECOND_US)
#define FARM_TICK_US   (2 * SECOND_US)
#define CHECK_US       (60 * SECOND_US) /* an expired credential loses its streams after this time */
#define CHANGE_US      (5 * SECOND_US)  /* the same for one that was revoked; a check is a query for each stream */
#define STREAM_LIFE_US (3600 * SECOND_US) /* then the client must reconnect and authenticate again */
#define RECENT_US      (5 * SECOND_US)
#define CATCH_UP_MAX   1000 /* with more missed events, the client gets a reset and reads a new snapshot */
#define STREAMS_MAX    2000

struct subscriber {
    struct subscriber *next;
    struct http_stream *stream;
    struct hub_topics topics;
    int64_t after;
    struct credential who;
    uint64_t born_us, spoke_us, checked_us;
    bool fresh; /* missed events were not sent yet */
    bool slow;  /* an event was dropped: send a reset when the client reads again */
    bool over;
};
struct event_hub {
    struct app *app;
    struct background thread;
    struct subscriber *arrivals; /* under lock */
    unsigned count;              /* under lock */
    /* used by the thread only */
    struct subscriber *live;
    int64_t cursor, recent, next_recent; /* the last event sent; the last events of some seconds ago */
    bool started;
    uint64_t recent_us, farm_us, change_us, changes;
};

static bool wants(const struct subscriber *s, const char *topic)
{
    for (size_t i = 0; i < s->topics.count; i++) {
        if (strcmp(s->topics.text[i], topic) == 0)
            return true;
    }
    return false;
}

static void push(struct subscriber *s, const char *text, size_t n, uint64_t now)
{
    static const char reset[] = "event: reset\ndata: {\"why\":\"this reader was too slow\"}\n\n";
    int ret;

    if (s->over)
        return;
    if (s->slow) {
        ret = http_stream_push(s->stream, reset, sizeof reset - 1);
        s->slow = ret > 0;
        if (ret != 0) {
            s->over = ret < 0;
            return;
        }
    }
    ret = http_stream_push(s->stream, text, n);
    s->slow = ret > 0;
    s->over = ret < 0;
    s->spoke_us = now;
}

static int write_event(struct strbuf *b, const struct db_rows *q, int i, struct err *e)
{
    strbuf_clear(b);
    strbuf_addf(b, "id: %s\nevent: %s\ndata: ", db_get(q, i, 0), db_get(q, i, 2));
    if (!db_get_bool(q, i, 4))
        strbuf_adds(b, db_get(q, i, 3));
    else if (event_show_text(db_get(q, i, 3), b, e) < 0)
        return -1;
    strbuf_adds(b, "\n\n");
    return b->failed ? err_no_memory(e) : 0;
}

/* --- New subscribers --- */

static int send_missed(struct event_hub *h, struct subscriber *s, uint64_t now, struct err *e)
{
    struct strbuf topics = STRBUF_INIT, text = STRBUF_INIT;
    struct db_rows q = {.count = 0};
    int64_t oldest;
    int ret;

    db_array_begin(&topics);
    for (size_t i = 0; i < s->topics.count; i++)
        db_array_add(&topics, s->topics.text[i]);
    db_array_end(&topics);
    ret = topics.failed ? err_no_memory(e) : repo_event_oldest(h->thread.db, &oldest, e);
    if (ret == 0)
        ret = repo_event_tail_topics(h->thread.db, topics.text, s->after, CATCH_UP_MAX + 1, &q, e);
    strbuf_release(&topics);
    if (ret < 0)
        return -1;
    if (q.count > CATCH_UP_MAX) {
        strbuf_adds(&text, "event: reset\ndata: {\"why\":\"too many events since the last id\"}\n\n");
        push(s, text.text, text.length, now);
    }
    for (int i = 0; i < q.count && q.count <= CATCH_UP_MAX && ret == 0; i++) {
        if (db_get_i64(&q, i, 0) > h->cursor)
            break; /* the next tick sends it */
        ret = write_event(&text, &q, i, e);
        if (ret == 0)
            push(s, text.text, text.length, now);
    }
    db_rows_release(&q);
    strbuf_release(&text);
    return ret;
}

static void welcome(struct event_hub *h, uint64_t now)
{
    struct subscriber *s, *next;
    struct err e;

    pthread_mutex_lock(&h->thread.lock);
    s = h->arrivals;
    h->arrivals = NULL;
    pthread_mutex_unlock(&h->thread.lock);
    for (; s; s = next) {
        next = s->next;
        s->next = h->live;
        h->live = s;
        if (s->after < 0)
            s->after = h->recent;
        if (s->after < h->cursor && send_missed(h, s, now, &e) < 0) {
            log_warn("events", "missed events could not be sent to a stream", "error=%s",
                     log_quote(e.text, (char[300]){0}, 300));
            s->over = true; /* the client will reconnect */
        }
    }
}

/* --- New events --- */

static bool is_wanted(const struct event_hub *h, const char *topic)
{
    for (const struct subscriber *s = h->live; s; s = s->next)
        if (wants(s, topic))
            return true;
    return false;
}

static int publish(struct event_hub *h, const struct db_rows *q, int i, uint64_t now, struct strbuf *text,
                   struct err *e)
{
    const char *topic = db_get(q, i, 1);

    if (!is_wanted(h, topic))
        return 0;
    if (write_event(text, q, i, e) < 0)
        return -1;
    for (struct subscriber *s = h->live; s; s = s->next)
        if (wants(s, topic))
            push(s, text->text, text->length, now);
    return 0;
}

static int publish_new(struct event_hub *h, uint64_t now, struct err *e)
{
    struct strbuf text = STRBUF_INIT;
    struct db_rows q;
    int count, ret = 0;

    do {
        if (repo_event_tail(h->thread.db, h->cursor, CATCH_UP_MAX, &q, e) < 0) {
            ret = -1;
            break;
        }
        count = q.count;
        for (int i = 0; i < q.count && ret == 0; i++) {
            ret = publish(h, &q, i, now, &text, e);
            if (ret == 0)
                h->cursor = db_get_i64(&q, i, 0);
        }
        db_rows_release(&q);
    } while (count == CATCH_UP_MAX && ret == 0);
    strbuf_release(&text);
    return ret;
}

static void tell_farm(struct event_hub *h, uint64_t now)
{
    struct strbuf text = STRBUF_INIT;
    bool wanted = false;
    struct err e;

    for (struct subscriber *s = h->live; s && !wanted; s = s->next)
        wanted = wants(s, "farm");
    if (!wanted || now - h->farm_us < FARM_TICK_US)
        return;
    h->farm_us = now;
    strbuf_adds(&text, "event: farm.tick\ndata: ");
    if (repo_farm_json(h->thread.db, h->app->farm.designs ? design_store_simulator(h->app->farm.designs) : "",
                       clock_now(h->app->clock), &text, &e) == 0) {
        strbuf_adds(&text, "\n\n");
        for (struct subscriber *s = h->live; s && !text.failed; s = s->next) {
            if (wants(s, "farm"))
                push(s, text.text, text.length, now);
        }
    }
    strbuf_release(&text);
}

static void check_credential(struct event_hub *h, struct subscriber *s, uint64_t now)
{
    struct err e;

    s->checked_us = now;
    if (repo_access_still(h->thread.db, &s->who, clock_now(h->app->clock), &e) == 0)
        s->over = true;
}

/* Whether credentials have changed since the last check of all streams. */
static bool credentials_changed(struct event_hub *h, uint64_t now)
{
    uint64_t changes = access_changes(h->app->farm.access);

    if (changes == h->changes || now - h->change_us < CHANGE_US)
        return false;
    h->changes = changes;
    h->change_us = now;
    return true;
}

static void look_after(struct event_hub *h, uint64_t now, bool all)
{
    struct subscriber **at = &h->live;
    bool changed = credentials_changed(h, now);

    while (*at) {
        struct subscriber *s = *at;

        if (now - s->spoke_us >= KEEP_ALIVE_US)
            push(s, ": keep-alive\n\n", 14, now);
        if (changed || now - s->checked_us >= CHECK_US)
            check_credential(h, s, now);
        if (!s->over && !all && now - s->born_us < STREAM_LIFE_US) {
            at = &s->next;
            continue;
        }
        *at = s->next;
        http_stream_end(s->stream);
        free(s);
        pthread_mutex_lock(&h->thread.lock);
        h->count--;
        pthread_mutex_unlock(&h->thread.lock);
    }
}

static int begin(struct event_hub *h, struct err *e)
{
    int64_t horizon;

    if (h->started)
        return 0;
    if (repo_event_rebase(h->thread.db, e) < 0 || repo_event_horizon(h->thread.db, &horizon, e) < 0)
        return -1;
    h->cursor = h->recent = h->next_recent = horizon - 1;
    h->started = true;
    return 0;
}

static void tick(struct event_hub *h)
{
    uint64_t now = clock_monotonic_us();
    struct err e;

    if (begin(h, &e) < 0 || publish_new(h, now, &e) < 0)
        log_debug("events", "the event table cannot be read", "error=%s", log_quote(e.text, (char[300]){0}, 300));
    else
        welcome(h, now);
    if (now - h->recent_us >= RECENT_US) {
        h->recent = h->next_recent;
        h->next_recent = h->cursor;
        h->recent_us = now;
    }
    tell_farm(h, now);
    /* Subscribers may have arrived during this tick. With the tick's start time their age would be negative. */
    look_after(h, clock_monotonic_us(), false);
}

static void *run(void *ctx)
{
    struct event_hub *h = ctx;

    do
        tick(h);
    while (background_rest(&h->thread, TICK_US));
    return NULL;
}

int event_hub_subscribe(struct event_hub *h, struct http_stream *stream, const struct hub_topics *topics,
                        int64_t after, const struct credential *who, struct err *e)
{
    struct subscriber *s = mem_zalloc(1, sizeof *s, e);
    static const char hello[] = "retry: 3000\n\n";

    if (!s) {
        http_stream_end(stream);
        return -1;
    }
    s->stream = stream;
    s->topics = *topics;
    s->after = after;
    s->who = *who;
    s->born_us = s->spoke_us = s->checked_us = clock_monotonic_us();
    http_stream_push(stream, hello, sizeof hello - 1);
    pthread_mutex_lock(&h->thread.lock);
    s->next = h->arrivals;
    h->arrivals = s;
    h->count++;
    background_wake_locked(&h->thread);
    pthread_mutex_unlock(&h->thread.lock);
    return 0;
}

unsigned event_hub_streams(struct event_hub *h)
{
    unsigned n;

    pthread_mutex_lock(&h->thread.lock);
    n = h->count;
    pthread_mutex_unlock(&h->thread.lock);
    return n;
}

bool event_hub_full(struct event_hub *h)
{
    return event_hub_streams(h) >= STREAMS_MAX;
}

int event_hub_start(struct app *app, struct event_hub **out, struct err *e)
{
    struct event_hub *h = mem_zalloc(1, sizeof *h, e);

    if (!h)
        return -1;
    h->app = app;
    if (background_start(&h->thread, app->farm.store.conninfo, run, h, "the event hub", e) < 0) {
        free(h);
        return -1;
    }
    *out = h;
    return 0;
}

void event_hub_stop(struct event_hub *h)
{
    if (!h)
        return;
    background_stop(&h->thread);
    while (h->arrivals) {
        struct subscriber *s = h->arrivals;

        h->arrivals = s->next;
        s->next = h->live;
        h->live = s;
    }
    look_after(h, clock_monotonic_us(), true);
    background_release(&h->thread);
    free(h);
}
