#include "server/domain/queue/peer_notify.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "base/array.h"
#include "base/assert.h"
#include "base/log.h"
#include "server/store/db/db.h"
#include "server/store/db/schema_fence.h"
#include "server/domain/access/access.h"
#include "server/domain/queue/dispatcher.h"
#include "server/platform/metrics.h"

#define REST_US   UINT64_C(100000) /* minimum interval between two notifications */
#define LOOK_MS   1000             /* interval for checking the connection */
#define SAY_BYTES 140
#define LISTEN    "LISTEN vivace_ready; LISTEN vivace_access; LISTEN " SCHEMA_CHANNEL

struct peer_notify {
    struct farm *farm;
    struct db *db;
    pthread_t thread;
    int wake;               /* eventfd */
    uint64_t rest_until_us; /* monotonic */
    char name[UUID_TEXT];
    bool schema_changed; /* used by the thread only */
    atomic_bool wanted, stopping;
    atomic_uint_fast64_t sent, received;
};

static void on_hint(void *ctx, const char *channel, const char *payload)
{
    struct peer_notify *h = ctx;

    if (strcmp(channel, "vivace_access") == 0) {
        access_forget(h->farm->access);
        return;
    }
    if (strcmp(channel, SCHEMA_CHANNEL) == 0) {
        h->schema_changed = true; /* the connection is in use now */
        return;
    }
    if (strcmp(payload, h->name) == 0)
        return;
    atomic_fetch_add(&h->received, 1);
    dispatcher_look(h->farm->dispatcher);
}

static void say(struct peer_notify *h)
{
    char text[SAY_BYTES];
    struct err e;

    if (clock_monotonic_us() < h->rest_until_us || !atomic_exchange(&h->wanted, false))
        return;
    ASSERT(uuid_valid(h->name)); /* so the name needs no quoting in the statement below */
    /* The connection may be a new one since the last call. */
    snprintf(text, sizeof text, LISTEN "; NOTIFY vivace_ready, '%s'", h->name);
    if (db_exec_text(h->db, text, &e) < 0)
        log_debug("hints", "the other servers could not be notified", "error=%s",
                  log_quote(e.text, (char[300]){0}, 300));
    else
        atomic_fetch_add(&h->sent, 1);
    h->rest_until_us = clock_monotonic_us() + REST_US;
}

/* Milliseconds until there may be something to do without an event. */
static int pause_ms(const struct peer_notify *h)
{
    uint64_t now = clock_monotonic_us();

    return atomic_load(&h->wanted) && now < h->rest_until_us ? (int)((h->rest_until_us - now) / 1000) + 1 : LOOK_MS;
}

static void *run(void *ctx)
{
    struct peer_notify *h = ctx;
    struct err e;

    while (!atomic_load(&h->stopping)) {
        struct pollfd p[] = {{.fd = h->wake, .events = POLLIN}, {.fd = db_fd(h->db), .events = POLLIN}};
        uint64_t count;

        poll(p, 2, pause_ms(h));
        if ((p[0].revents & POLLIN) && read(h->wake, &count, sizeof count) < 0)
            log_debug("hints", "the event could not be read", "errno=%d", errno);
        if (db_notifications(h->db, on_hint, h, &e) < 0 && db_exec_text(h->db, LISTEN, &e) == 0) {
            access_forget(h->farm->access);
            dispatcher_look(h->farm->dispatcher);
            h->schema_changed = true; /* a notification may have been missed */
        }
        if (h->schema_changed) {
            schema_fence_look(h->db);
            h->schema_changed = false;
        }
        say(h);
    }
    return NULL;
}

int peer_notify_start(struct farm *farm, const char *conninfo, struct peer_notify **out, struct err *e)
{
    struct peer_notify *h = mem_zalloc(1, sizeof *h, e);
    int ret;

    if (!h)
        return -1;
    h->farm = farm;
    uuid_make(farm->clock, h->name);
    h->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (h->wake < 0) {
        err_set_errno(e, errno, "cannot create an eventfd for notifications between servers");
    } else if (db_open_plain(conninfo, &h->db, e) == 0 && db_exec_text(h->db, LISTEN, e) == 0) {
        ret = pthread_create(&h->thread, NULL, run, h);
        if (ret == 0) {
            *out = h;
            return 0;
        }
        err_set_errno(e, ret, "cannot start the thread for notifications between servers");
    }
    db_close(h->db);
    if (h->wake >= 0)
        close(h->wake);
    free(h);
    return -1;
}

static void wake(struct peer_notify *h)
{
    const uint64_t one = 1;

    ASSERT(h->wake >= 0);
    if (write(h->wake, &one, sizeof one) < 0 && errno != EAGAIN) /* full: the thread is awake */
        log_debug("hints", "the event could not be written", "errno=%d", errno);
}

void peer_notify(struct peer_notify *h)
{
    if (h && !atomic_exchange(&h->wanted, true))
        wake(h);
}

void peer_notify_stop(struct peer_notify *h)
{
    if (!h)
        return;
    atomic_store(&h->stopping, true);
    wake(h);
    pthread_join(h->thread, NULL);
    db_close(h->db);
    close(h->wake);
    free(h);
}

void peer_notify_metrics(struct peer_notify *h, struct strbuf *out)
{
    metric_write(out, "vivace_hints_sent_total", "counter", "notifications to other servers that jobs may be ready",
                 NULL, (double)atomic_load(&h->sent));
    metric_write(out, "vivace_hints_received_total", "counter", "notifications from other servers", NULL,
                 (double)atomic_load(&h->received));
}
