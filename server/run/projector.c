#include "server/run/projector.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/log.h"
#include "server/background.h"
#include "server/db/repo_job.h"
#include "server/db/repo_run.h"
#include "server/queue/dispatcher.h"
#include "server/run/run_projection.h"
#include "server/run/trace_pack.h"

#define TICK_US          250000L
#define AFTER_FAILURE_US 5000000
#define COUNTS_US        1000000  /* how often claims and the like move a bar */
#define IDLE_US          60000000 /* a hand is woken when there is something to do */
#define HANDS            4        /* a projection waits for the disk longer than it computes */
#define WAITING_MOST     256
#define TOLD_AT_ONCE     100
#define BEFORE_ALL       "00000000-0000-0000-0000-000000000000"

struct known_run { /* what was told last, and when it may be told again */
    char id[UUID_TEXT];
    enum { RESTS, WAITS, IN_HAND } state;
    uint64_t next_us, next_count_us;
    int64_t version, leased; /* when its jobs were counted */
    struct job_counts counts;
    bool seen;
};
struct hand {
    struct projector *owner;
    bool busy; /* under its owner's lock */
    struct background thread;
};
struct projector {
    struct app *app;
    struct background finder;
    struct hand hands[HANDS];
    size_t hands_started;
    atomic_bool stopping;
    pthread_mutex_t lock;   /* of what follows; the finder alone adds and removes runs */
    struct known_run *runs; /* in order of id */
    size_t count, capacity, waiting;
    uint64_t counts_us;    /* the finder's */
    char found[UUID_TEXT]; /* the finder's: where it goes on; "": at the first */
};

/* Where the run is, or belongs. */
static size_t place_of(const struct projector *p, const char *id)
{
    size_t low = 0, high = p->count;

    while (low < high) {
        size_t mid = low + (high - low) / 2;

        if (strcmp(p->runs[mid].id, id) < 0)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

static struct known_run *find(const struct projector *p, const char *id)
{
    size_t at = place_of(p, id);

    return at < p->count && strcmp(p->runs[at].id, id) == 0 ? &p->runs[at] : NULL;
}

/* For the finder, with the lock. NULL: no memory, so another time. */
static struct known_run *known(struct projector *p, const char *id)
{
    size_t at = place_of(p, id);
    struct err e;

    if (at < p->count && strcmp(p->runs[at].id, id) == 0)
        return &p->runs[at];
    if (array_reserve((void **)&p->runs, &p->capacity, p->count + 1, sizeof *p->runs, &e) < 0)
        return NULL;
    memmove(&p->runs[at + 1], &p->runs[at], (p->count - at) * sizeof *p->runs);
    p->runs[at] = (struct known_run){.state = RESTS};
    snprintf(p->runs[at].id, UUID_TEXT, "%s", id);
    p->count++;
    return &p->runs[at];
}

/* --- The hands --- */

/* The run that has been due the longest: where there are more than the hands can do, each has its turn. */
static bool take(struct hand *h, char id[UUID_TEXT])
{
    struct projector *p = h->owner;
    struct known_run *oldest = NULL;

    pthread_mutex_lock(&p->lock);
    for (size_t i = 0; p->waiting > 0 && i < p->count; i++) {
        struct known_run *k = &p->runs[i];

        if (k->state == WAITS && (!oldest || k->next_us < oldest->next_us))
            oldest = k;
    }
    if (oldest) {
        oldest->state = IN_HAND;
        p->waiting--;
        snprintf(id, UUID_TEXT, "%s", oldest->id);
    }
    h->busy = oldest != NULL;
    pthread_mutex_unlock(&p->lock);
    return oldest != NULL;
}

static void put_back(struct projector *p, const char *id, uint64_t next_us)
{
    struct known_run *k;

    pthread_mutex_lock(&p->lock);
    k = find(p, id); /* a run in hand is not forgotten */
    if (k) {
        k->state = RESTS;
        k->next_us = next_us;
    }
    pthread_mutex_unlock(&p->lock);
}

/* A run takes a tenth of the time at most; a verdict may make jobs, and is followed at once. */
static uint64_t next_time(const struct projector *p, uint64_t began, bool judged)
{
    uint64_t now = clock_monotonic_us(), cost = judged ? 0 : now - began;

    if (judged) {
        trace_pack_kick(p->app);
        dispatcher_wake(p->app->dispatcher);
    }
    return now + (10 * cost > TICK_US ? 10 * cost : TICK_US) - TICK_US / 10;
}

static void project(struct hand *h, const char *id)
{
    struct projector *p = h->owner;
    uint64_t began = clock_monotonic_us();
    struct err e;
    bool judged;

    if (run_projection_renew(h->thread.db, p->app->clock, id, &judged, &e) < 0) {
        log_warn("projector", "a run could not be projected, it is tried again", "run=%s error=%s", id,
                 log_quote(e.text, (char[300]){0}, 300));
        put_back(p, id, clock_monotonic_us() + AFTER_FAILURE_US);
        return;
    }
    put_back(p, id, next_time(p, began, judged));
}

static void *hand_run(void *ctx)
{
    struct hand *h = ctx;
    char id[UUID_TEXT];

    do {
        while (!atomic_load(&h->owner->stopping) && take(h, id))
            project(h, id);
    } while (background_rest(&h->thread, IDLE_US));
    return NULL;
}

/* As many as runs wait. */
static void wake_hands(struct projector *p)
{
    size_t wanted;

    pthread_mutex_lock(&p->lock);
    wanted = p->waiting;
    for (size_t i = 0; i < HANDS && wanted > 0; i++) {
        struct background *b = &p->hands[i].thread;

        if (p->hands[i].busy)
            continue;
        wanted--;
        pthread_mutex_lock(&b->lock);
        background_wake_locked(b);
        pthread_mutex_unlock(&b->lock);
    }
    pthread_mutex_unlock(&p->lock);
}

/* --- The finder --- */

/* Those of a page that may be projected now begin to wait; how many do in all. */
static size_t let_wait(struct projector *p, const struct db_rows *q)
{
    uint64_t now = clock_monotonic_us();
    size_t waiting;

    pthread_mutex_lock(&p->lock);
    for (int i = 0; i < q->count; i++) {
        struct known_run *k = known(p, db_get(q, i, 0));

        if (!k || k->state != RESTS || now < k->next_us)
            continue;
        k->state = WAITS;
        p->waiting++;
    }
    waiting = p->waiting;
    pthread_mutex_unlock(&p->lock);
    return waiting;
}

/* All runs that are behind, page by page; where enough wait it goes on from there the next time, so that those
 * which are behind all the time do not hide the others. */
static void find_behind(struct projector *p)
{
    size_t waiting;
    struct db_rows q;
    struct err e;
    int n;

    do {
        if (repo_run_behind(p->finder.db, p->found[0] ? p->found : BEFORE_ALL, &q, &e) < 0)
            return;
        n = q.count;
        waiting = let_wait(p, &q);
        snprintf(p->found, sizeof p->found, "%s", n == REPO_RUN_BEHIND ? db_get(&q, n - 1, 0) : "");
        db_rows_release(&q);
    } while (n == REPO_RUN_BEHIND && waiting < WAITING_MOST);
    wake_hands(p);
}

struct say {
    wall_us now;
    size_t count;
    char runs[TOLD_AT_ONCE][UUID_TEXT];
};

static int say_body(struct db *db, void *ctx, struct err *e)
{
    const struct say *s = ctx;

    for (size_t i = 0; i < s->count; i++) {
        if (repo_run_say_progress(db, s->runs[i], s->now, e) < 0)
            return -1;
    }
    return 0;
}

/* Whether the bar of a run has to move: it is counted only when something of it has changed, and a large one not
 * each second: a hundred runs of a hundred thousand jobs would be all that the database does. */
static bool has_moved(struct projector *p, struct known_run *k, int64_t version, int64_t leased)
{
    uint64_t began = clock_monotonic_us();
    struct job_counts now;
    struct err e;

    if ((k->version == version && k->leased == leased) || began < k->next_count_us ||
        repo_job_counts(p->finder.db, k->id, &now, &e) < 0)
        return false;
    k->version = version;
    k->leased = leased;
    k->next_count_us = clock_monotonic_us() + 20 * (clock_monotonic_us() - began); /* both counts: a tenth of it */
    if (memcmp(&now, &k->counts, sizeof now) == 0)
        return false;
    k->counts = now;
    return true;
}

static struct known_run *seen(struct projector *p, const char *id)
{
    struct known_run *k;

    pthread_mutex_lock(&p->lock);
    k = known(p, id);
    pthread_mutex_unlock(&p->lock);
    if (k)
        k->seen = true;
    return k;
}

static void forget_unseen(struct projector *p)
{
    size_t kept = 0;

    pthread_mutex_lock(&p->lock);
    for (size_t i = 0; i < p->count; i++) {
        bool keep = p->runs[i].seen || p->runs[i].state != RESTS;

        p->runs[i].seen = false;
        if (keep)
            p->runs[kept++] = p->runs[i];
    }
    p->count = kept;
    pthread_mutex_unlock(&p->lock);
}

/* Leases move the bar too, but change no projection. */
static void tell_counts(struct projector *p)
{
    struct say s = {.count = 0};
    struct db_rows q;
    struct err e;

    if (repo_run_open(p->finder.db, &q, &e) < 0)
        return;
    for (int i = 0; i < q.count; i++) {
        struct known_run *k = seen(p, db_get(&q, i, 0));

        if (k && has_moved(p, k, db_get_i64(&q, i, 1), db_get_i64(&q, i, 2)))
            memcpy(s.runs[s.count++], k->id, UUID_TEXT);
        if (s.count == 0 || (s.count < TOLD_AT_ONCE && i + 1 < q.count))
            continue;
        s.now = clock_now(p->app->clock);
        if (db_transaction(p->finder.db, say_body, &s, &e) < 0)
            break;
        s.count = 0;
    }
    db_rows_release(&q);
    forget_unseen(p);
}

static void *finder_run(void *ctx)
{
    struct projector *p = ctx;

    do {
        find_behind(p);
        if (clock_monotonic_us() - p->counts_us >= COUNTS_US) {
            tell_counts(p);
            p->counts_us = clock_monotonic_us();
        }
    } while (background_rest(&p->finder, TICK_US));
    return NULL;
}

/* --- Life --- */

static void stop_hands(struct projector *p)
{
    atomic_store(&p->stopping, true);
    for (size_t i = 0; i < p->hands_started; i++) {
        background_stop(&p->hands[i].thread);
        background_release(&p->hands[i].thread);
    }
    pthread_mutex_destroy(&p->lock);
    free(p->runs);
    free(p);
}

int projector_start(struct app *app, struct projector **out, struct err *e)
{
    struct projector *p = mem_zalloc(1, sizeof *p, e);

    if (!p)
        return -1;
    p->app = app;
    atomic_init(&p->stopping, false);
    pthread_mutex_init(&p->lock, NULL);
    for (; p->hands_started < HANDS; p->hands_started++) {
        struct hand *h = &p->hands[p->hands_started];

        h->owner = p;
        if (background_start_unconnected(&h->thread, app->conninfo, hand_run, h, "the projector", e) < 0) {
            stop_hands(p);
            return -1;
        }
    }
    if (background_start(&p->finder, app->conninfo, finder_run, p, "the projector", e) < 0) {
        stop_hands(p);
        return -1;
    }
    *out = p;
    return 0;
}

void projector_stop(struct projector *p)
{
    if (!p)
        return;
    background_stop(&p->finder);
    background_release(&p->finder);
    stop_hands(p);
}
