#include "server/domain/project/projector.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/log.h"
#include "server/store/threads/background.h"
#include "server/store/repo/repo_event.h"
#include "server/store/repo/repo_job.h"
#include "server/store/repo/repo_run.h"
#include "server/domain/queue/dispatcher.h"
#include "server/domain/project/run_projection.h"
#include "server/domain/tasks/trace_pack.h"
#include "server/domain/project/turns.h"

#define TICK_US          250000L
#define AFTER_FAILURE_US 5000000
#define COUNTS_US        1000000 /* progress bars are updated at most this often for leases and similar changes */
#define IDLE_US          60000000 /* an idle projection thread sleeps at most this long; it is woken when work arrives */
#define HANDS            4        /* projection threads; a projection waits longer for the disk than it computes */
#define WAITING_MAX      256
#define TOLD_AT_ONCE     100
#define BEFORE_ALL       "00000000-0000-0000-0000-000000000000"

struct hand {
    struct projector *owner;
    atomic_bool busy;
    struct background thread;
};
struct projector {
    struct farm *farm;
    struct background scanner;
    struct hand hands[HANDS];
    size_t hands_started;
    atomic_bool stopping;
    struct turns *turns;
    uint64_t counts_us;    /* used by the scanner only */
    char found[UUID_TEXT]; /* used by the scanner only: id after which the next scan continues; "": the start */
};

/* --- The projection threads --- */

/* Time until the run is projected again, so that a run uses at most a tenth of a thread's time. Only the work
 * counts, not the time in which the run waited for locks. A verdict may create jobs, so the next projection
 * follows at once. */
static uint64_t rest_us(const struct projector *p, const struct run_renewed *done)
{
    uint64_t cost = done->judged ? 0 : done->worked_us;

    if (done->judged || done->ended)
        trace_pack_kick(p->farm);
    if (done->judged)
        dispatcher_wake(p->farm->dispatcher);
    return (10 * cost > TICK_US ? 10 * cost : TICK_US) - TICK_US / 10;
}

/* Users see that all jobs of the run have ended but the run has not. This event reports that its
 * projection fails. */
static void say_stuck(struct hand *h, const char *id, const struct err *why)
{
    struct err e;

    if (repo_event_emit(h->thread.db, id, clock_now(h->owner->farm->clock), "error",
                        EVENT(run_stuck, .times = TURNS_FAILURES_MAX, .why = why->text), &e) < 0)
        log_warn("projector", "the reason why a run is delayed could not be stored", "run=%s error=%s", id,
                 log_quote(e.text, (char[300]){0}, 300));
}

static void project(struct hand *h, const char *id)
{
    struct projector *p = h->owner;
    uint64_t began = clock_monotonic_us(), ended, rest;
    struct run_renewed done;
    struct err e;

    if (run_projection_renew(h->thread.db, p->farm->clock, id, &done, &e) < 0) {
        log_warn("projector", "a run could not be projected; the server tries again", "run=%s error=%s", id,
                 log_quote(e.text, (char[300]){0}, 300));
        if (turns_back_failed(p->turns, id, clock_monotonic_us() + AFTER_FAILURE_US) == TURNS_FAILURES_MAX)
            say_stuck(h, id, &e);
        return;
    }
    ended = clock_monotonic_us();
    rest = rest_us(p, &done);
    log_debug("projector", "a run was projected", "run=%s took_us=%llu worked_us=%llu rests_us=%llu", id,
              (unsigned long long)(ended - began), (unsigned long long)done.worked_us, (unsigned long long)rest);
    turns_back(p->turns, id, ended + rest);
}

static void *hand_run(void *ctx)
{
    struct hand *h = ctx;
    char id[UUID_TEXT];

    db_plan_once(h->thread.db);
    do {
        atomic_store(&h->busy, true);
        while (!atomic_load(&h->owner->stopping) && turns_take(h->owner->turns, id))
            project(h, id);
        atomic_store(&h->busy, false); /* a run that was queued before this did not wake the thread */
    } while ((!atomic_load(&h->owner->stopping) && turns_waiting(h->owner->turns) > 0) ||
             background_rest(&h->thread, IDLE_US));
    return NULL;
}

/* Wakes one thread for each waiting run. */
static void wake_hands(struct projector *p)
{
    size_t wanted = turns_waiting(p->turns);

    for (size_t i = 0; i < HANDS && wanted > 0; i++) {
        struct background *b = &p->hands[i].thread;

        if (atomic_load(&p->hands[i].busy))
            continue;
        wanted--;
        pthread_mutex_lock(&b->lock);
        background_wake_locked(b);
        pthread_mutex_unlock(&b->lock);
    }
}

/* --- The scanner ("finder") --- */

/* Queues all runs with new results, page by page. When enough runs wait, the next scan continues after the last
 * one, so that runs which always have new results do not starve the others. */
static void find_behind(struct projector *p)
{
    uint64_t now = clock_monotonic_us();
    struct db_rows q;
    struct err e;
    int n;

    do {
        if (repo_run_behind(p->scanner.db, p->found[0] ? p->found : BEFORE_ALL, &q, &e) < 0)
            return;
        n = q.count;
        for (int i = 0; i < n; i++)
            turns_wait(p->turns, db_get(&q, i, 0), now);
        snprintf(p->found, sizeof p->found, "%s", n == REPO_RUN_BEHIND ? db_get(&q, n - 1, 0) : "");
        db_rows_release(&q);
    } while (n == REPO_RUN_BEHIND && turns_waiting(p->turns) < WAITING_MAX);
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

/* Whether the progress bar of a run must change. Jobs are counted only when the run has changed, and those of a
 * large run not every second. Otherwise a hundred runs of 100,000 jobs would keep the database busy. */
static bool has_moved(struct projector *p, const char *run, struct last_published *k, int64_t version,
                      int64_t leased)
{
    uint64_t began = clock_monotonic_us();
    struct job_counts now;
    struct err e;

    if ((k->version == version && k->leased == leased) || began < k->next_us ||
        repo_job_counts(p->scanner.db, run, &now, &e) < 0)
        return false;
    k->version = version;
    k->leased = leased;
    /* Two counts are made for each change. With this pause they use a tenth of the time. */
    k->next_us = clock_monotonic_us() + 20 * (clock_monotonic_us() - began);
    if (now.of[JOB_BLOCKED] + now.of[JOB_READY] + now.of[JOB_LEASED] == 0)
        turns_hurry(p->turns, run); /* the run ends with its next projection, so it does not rest until then */
    if (memcmp(&now, &k->counts, sizeof now) == 0)
        return false;
    k->counts = now;
    return true;
}

/* Leases change the progress bar, but no projection. */
static void tell_counts(struct projector *p)
{
    struct say s = {.count = 0};
    struct db_rows q;
    struct err e;

    if (repo_run_open(p->scanner.db, &q, &e) < 0)
        return;
    for (int i = 0; i < q.count; i++) {
        const char *run = db_get(&q, i, 0);
        struct last_published *k = turns_seen(p->turns, run);

        if (k && has_moved(p, run, k, db_get_i64(&q, i, 1), db_get_i64(&q, i, 2)))
            snprintf(s.runs[s.count++], UUID_TEXT, "%s", run);
        if (s.count == 0 || (s.count < TOLD_AT_ONCE && i + 1 < q.count))
            continue;
        s.now = clock_now(p->farm->clock);
        if (db_transaction(p->scanner.db, say_body, &s, &e) < 0)
            break;
        s.count = 0;
    }
    db_rows_release(&q);
    turns_forget_unseen(p->turns);
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
    } while (background_rest(&p->scanner, TICK_US));
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
    turns_free(p->turns);
    free(p);
}

int projector_start(struct farm *farm, struct projector **out, struct err *e)
{
    struct projector *p = mem_zalloc(1, sizeof *p, e);

    if (!p)
        return -1;
    p->farm = farm;
    atomic_init(&p->stopping, false);
    if (turns_new(&p->turns, e) < 0) {
        free(p);
        return -1;
    }
    for (; p->hands_started < HANDS; p->hands_started++) {
        struct hand *h = &p->hands[p->hands_started];

        h->owner = p;
        if (background_start_unconnected(&h->thread, farm->store.conninfo, hand_run, h, "the projector", e) < 0) {
            stop_hands(p);
            return -1;
        }
    }
    if (background_start(&p->scanner, farm->store.conninfo, finder_run, p, "the projector", e) < 0) {
        stop_hands(p);
        return -1;
    }
    *out = p;
    return 0;
}

size_t projector_stuck(struct projector *p)
{
    return p ? turns_failing(p->turns) : 0;
}

void projector_stop(struct projector *p)
{
    if (!p)
        return;
    background_stop(&p->scanner);
    background_release(&p->scanner);
    stop_hands(p);
}
