#include "server/dispatcher.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/array.h"
#include "base/log.h"
#include "server/claims.h"
#include "server/completion.h"
#include "server/hints.h"
#include "server/metrics.h"
#include "server/router.h"
#include "wire/json.h"

#define QUEUE_MOST  16384
#define BATCH_MOST  64
#define COALESCE_NS 5000000L
#define LOOK_US     1000000 /* parked claims look again; +-25 % so that servers do not march in step */

struct dispatcher {
    struct app *app;
    struct dispatcher_settings settings;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t cond;
    struct hot_request *first, **last; /* not yet taken */
    size_t waiting;                    /* taken or not, not answered */
    bool woken, stopping;
    atomic_bool draining; /* nobody waits for jobs any more */
    /* the thread's own */
    struct db *db;
    struct claims *claims;
    struct hot_request *parked; /* claims that found nothing yet */
    uint64_t look_us;
    unsigned turn;
    /* counters, under lock */
    uint64_t claims_done, claim_batches, leases, late, disputed, beats, outcomes[OUTCOME_COUNT];
    uint64_t simulated_cycles;
    double simulation_seconds, claim_seconds;
};

struct hot_request *dispatcher_request(struct dispatcher *d, enum hot_kind kind, struct err *e)
{
    struct hot_request *h;
    bool full;

    pthread_mutex_lock(&d->lock);
    full = d->stopping || d->waiting >= QUEUE_MOST;
    d->waiting += !full;
    pthread_mutex_unlock(&d->lock);
    if (full) {
        err_set(e, ERR_BUSY, d->stopping ? "the server is stopping" : "too many workers ask at once");
        return NULL;
    }
    h = mem_zalloc(1, sizeof *h, e);
    if (h)
        h->kind = kind;
    else
        dispatcher_drop(d, NULL);
    return h;
}

static void hot_free(struct hot_request *h)
{
    if (!h)
        return;
    if (h->kind == HOT_BEAT)
        heartbeat_request_release(&h->u.beat);
    else if (h->kind == HOT_COMPLETE)
        complete_request_release(&h->u.complete);
    free(h);
}

void dispatcher_drop(struct dispatcher *d, struct hot_request *h)
{
    hot_free(h);
    pthread_mutex_lock(&d->lock);
    d->waiting--;
    pthread_mutex_unlock(&d->lock);
}

void dispatcher_submit(struct dispatcher *d, struct hot_request *h)
{
    h->next = NULL;
    pthread_mutex_lock(&d->lock);
    *d->last = h;
    d->last = &h->next;
    pthread_cond_signal(&d->cond);
    pthread_mutex_unlock(&d->lock);
}

void dispatcher_wake(struct dispatcher *d)
{
    dispatcher_look(d);
    hints_say(d->app->hints);
}

void dispatcher_look(struct dispatcher *d)
{
    pthread_mutex_lock(&d->lock);
    d->woken = true;
    pthread_cond_signal(&d->cond);
    pthread_mutex_unlock(&d->lock);
}

/* --- Answers --- */

static void answer_error(struct dispatcher *d, struct hot_request *h, const struct err *why)
{
    struct reply rep = {.body = STRBUF_INIT, .file = -1};

    problem_reply(why, h->request_id, &rep);
    if (rep.status == 503)
        rep.retry_after_s = 1;
    parked_answer(h->parked, &rep);
    dispatcher_drop(d, h);
}

static void answer_json(struct dispatcher *d, struct hot_request *h, json_t *v)
{
    struct reply rep = {.body = STRBUF_INIT, .file = -1};
    struct err e;

    if (reply_json(&rep, 200, v, &e) < 0) {
        strbuf_release(&rep.body);
        answer_error(d, h, &e);
        return;
    }
    parked_answer(h->parked, &rep);
    dispatcher_drop(d, h);
}

static void session_is_gone(struct err *e)
{
    err_set(e, ERR_GONE, "this worker session is not alive");
    err_hint(e, "open a new one; results of this one are still accepted");
}

/* --- Completions --- */

static void count_completions(struct dispatcher *d, const struct completion_counts *c)
{
    pthread_mutex_lock(&d->lock);
    d->late += c->late;
    d->disputed += c->disputed;
    d->simulated_cycles += c->cycles;
    d->simulation_seconds += c->host_seconds;
    for (int i = 0; i < OUTCOME_COUNT; i++)
        d->outcomes[i] += c->ended[i];
    pthread_mutex_unlock(&d->lock);
    claims_learn(d->claims, c->host_seconds, c->done);
}

static void complete_batch(struct dispatcher *d, struct hot_request **items, size_t n)
{
    const struct complete_request *requests[BATCH_MOST];
    struct complete_answer answers[BATCH_MOST];
    struct completion_counts counts = {.done = 0};
    struct err e;
    int ret;

    for (size_t i = 0; i < n; i++)
        requests[i] = &items[i]->u.complete;
    ret = completion_run(d->db, d->app->clock, requests, n, answers, &counts, &e);
    if (ret < 0) {
        log_warn("dispatcher", "completions could not be stored, workers send them again", "count=%zu error=%s", n,
                 log_quote(e.text, (char[300]){0}, 300));
    } else {
        count_completions(d, &counts);
        if (counts.done < n || counts.ended[OUTCOME_OK] != counts.done)
            claims_forget(d->claims); /* something may be ready again */
    }
    for (size_t i = 0; i < n; i++) {
        if (ret < 0) {
            answer_error(d, items[i], &e);
            continue;
        }
        answer_json(d, items[i], complete_answer_to_json(&answers[i]));
        complete_answer_release(&answers[i]);
    }
}

/* --- Beats --- */

struct beat_batch {
    struct dispatcher *d;
    struct hot_request **items;
    size_t count;
    struct session_rows sessions;
    struct db_rows leased;
    bool has_leased;
};

static void beat_clear(struct beat_batch *b)
{
    session_rows_release(&b->sessions);
    if (b->has_leased)
        db_rows_release(&b->leased);
    b->has_leased = false;
}

static int beat_body(struct db *db, void *ctx, struct err *e)
{
    struct beat_batch *b = ctx;
    struct strbuf ids = STRBUF_INIT, jobs = STRBUF_INIT;
    int ret;

    beat_clear(b);
    db_array_begin(&ids);
    db_array_begin(&jobs);
    for (size_t i = 0; i < b->count; i++) {
        const struct heartbeat_request *h = &b->items[i]->u.beat;

        if (uuid_valid(h->session))
            db_array_add(&ids, h->session);
        for (size_t k = 0; k < h->count; k++) {
            if (uuid_valid(h->running[k].id.job))
                db_array_add(&jobs, h->running[k].id.job);
        }
    }
    db_array_end(&ids);
    db_array_end(&jobs);
    if (ids.failed || jobs.failed)
        ret = err_no_memory(e);
    else
        ret = repo_session_need_not_last(db, e) < 0 ||
                      repo_session_beat(db, ids.text, clock_now(b->d->app->clock), &b->sessions, e) < 0
                  ? -1
                  : repo_session_still_leased(db, jobs.text, &b->leased, e);
    b->has_leased = ret == 0;
    strbuf_release(&ids);
    strbuf_release(&jobs);
    return ret;
}

static bool still_leased(const struct beat_batch *b, const struct attempt_id *id)
{
    for (int i = 0; i < b->leased.count; i++) {
        if (strcmp(db_get(&b->leased, i, 0), id->job) == 0)
            return db_get_i64(&b->leased, i, 1) == (int64_t)id->attempt;
    }
    return false;
}

static bool session_alive(const struct beat_batch *b, const char *session)
{
    for (size_t i = 0; i < b->sessions.count; i++) {
        if (strcmp(b->sessions.items[i].id, session) == 0)
            return true;
    }
    return false;
}

static void answer_beat(struct beat_batch *b, struct hot_request *h)
{
    const struct heartbeat_request *q = &h->u.beat;
    struct heartbeat_answer a = {.heartbeat_s = b->d->settings.heartbeat_s};
    json_t *v;
    struct err e;

    if (!session_alive(b, q->session)) {
        session_is_gone(&e);
        answer_error(b->d, h, &e);
        return;
    }
    a.abort = mem_zalloc(q->count + 1, sizeof *a.abort, &e);
    if (!a.abort) {
        answer_error(b->d, h, &e);
        return;
    }
    for (size_t i = 0; i < q->count; i++) {
        if (!still_leased(b, &q->running[i].id))
            a.abort[a.count++] = q->running[i].id;
    }
    v = heartbeat_answer_to_json(&a);
    free(a.abort);
    answer_json(b->d, h, v);
}

static void beat_batch(struct dispatcher *d, struct hot_request **items, size_t n)
{
    struct beat_batch b = {.d = d, .items = items, .count = n};
    struct err e;
    int ret = db_transaction(d->db, beat_body, &b, &e);

    for (size_t i = 0; i < n; i++) {
        if (ret < 0)
            answer_error(d, items[i], &e);
        else
            answer_beat(&b, items[i]);
    }
    beat_clear(&b);
    pthread_mutex_lock(&d->lock);
    d->beats += n;
    pthread_mutex_unlock(&d->lock);
}

/* --- Claims --- */

static void park(struct dispatcher *d, struct hot_request *h)
{
    h->next = d->parked;
    d->parked = h;
}

static void answer_claim(struct dispatcher *d, struct hot_request *h, struct claim_ask *ask, uint64_t now_us)
{
    struct err e;

    if (!ask->alive) {
        session_is_gone(&e);
        answer_error(d, h, &e);
    } else if (ask->leases.count > 0 || now_us >= h->until_us || atomic_load(&d->draining)) {
        answer_json(d, h, lease_list_to_json(&ask->leases));
    } else {
        park(d, h);
    }
}

static void claim_batch(struct dispatcher *d, struct hot_request **items, size_t n, bool *more)
{
    struct claim_ask asks[BATCH_MOST];
    uint64_t began = clock_monotonic_us(), leases = 0, now;
    struct err e;
    int ret;

    for (size_t i = 0; i < n; i++)
        asks[i] = (struct claim_ask){
            .session = items[i]->u.claim.session, .slots = items[i]->u.claim.slots, .pack = items[i]->u.claim.pack};
    ret = claims_run(d->claims, d->db, asks, n, more, &e);
    now = clock_monotonic_us();
    for (size_t i = 0; i < n; i++) {
        leases += asks[i].leases.count;
        if (ret < 0)
            answer_error(d, items[i], &e);
        else
            answer_claim(d, items[i], &asks[i], now);
        lease_list_release(&asks[i].leases);
    }
    pthread_mutex_lock(&d->lock);
    d->claims_done += n;
    d->claim_batches++;
    d->leases += leases;
    d->claim_seconds += (double)(now - began) / 1e6;
    pthread_mutex_unlock(&d->lock);
}

/* Leases for somebody who has left would lie idle until his session dies. */
static void forget_gone(struct dispatcher *d)
{
    struct hot_request **at = &d->parked;

    while (*at) {
        struct hot_request *h = *at;
        struct reply rep = {.body = STRBUF_INIT, .file = -1};

        if (!parked_gone(h->parked)) {
            at = &h->next;
            continue;
        }
        *at = h->next;
        reply_empty(&rep, 204);
        parked_answer(h->parked, &rep);
        dispatcher_drop(d, h);
    }
}

static void try_parked(struct dispatcher *d)
{
    struct hot_request *waiting, *next;
    struct hot_request *items[BATCH_MOST];
    bool more = true;
    size_t n = 0;

    forget_gone(d);
    waiting = d->parked;
    d->parked = NULL;
    for (; waiting; waiting = next) {
        next = waiting->next;
        items[n++] = waiting;
        if (n == BATCH_MOST || !next) {
            claim_batch(d, items, n, &more);
            n = 0;
        }
    }
    d->look_us = clock_monotonic_us() + LOOK_US * 3 / 4 + (++d->turn * 7919u % 1000u) * (LOOK_US / 2) / 1000;
}

/* --- The thread --- */

static uint64_t next_deadline(const struct dispatcher *d)
{
    uint64_t at = d->look_us;

    for (const struct hot_request *h = d->parked; h; h = h->next)
        at = h->until_us < at ? h->until_us : at;
    return at;
}

static void wait_until(struct dispatcher *d, uint64_t at_us)
{
    uint64_t now = clock_monotonic_us(), left = at_us > now ? at_us - now : 0;
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    t.tv_sec += (time_t)(left / 1000000);
    t.tv_nsec += (long)(left % 1000000) * 1000;
    if (t.tv_nsec >= 1000000000) {
        t.tv_sec++;
        t.tv_nsec -= 1000000000;
    }
    pthread_cond_timedwait(&d->cond, &d->lock, &t);
}

/* Takes what has come, after a moment in which more may come. */
static struct hot_request *take(struct dispatcher *d, bool *woken)
{
    struct hot_request *taken;

    pthread_mutex_lock(&d->lock);
    while (!d->first && !d->woken && !d->stopping && (!d->parked || clock_monotonic_us() < next_deadline(d))) {
        if (d->parked)
            wait_until(d, next_deadline(d));
        else
            pthread_cond_wait(&d->cond, &d->lock);
    }
    if (d->first && d->waiting < BATCH_MOST && !d->stopping && d->first->next) {
        pthread_mutex_unlock(&d->lock);
        nanosleep(&(struct timespec){.tv_nsec = COALESCE_NS}, NULL);
        pthread_mutex_lock(&d->lock);
    }
    taken = d->first;
    d->first = NULL;
    d->last = &d->first;
    *woken = d->woken;
    d->woken = false;
    pthread_mutex_unlock(&d->lock);
    return taken;
}

/* All requests of a kind in batches; the others stay in order. */
static void run_kind(struct dispatcher *d, struct hot_request **list, enum hot_kind kind)
{
    struct hot_request *items[BATCH_MOST], **at = list;
    bool more = false;
    size_t n = 0;

    for (;;) {
        while (*at && (*at)->kind != kind)
            at = &(*at)->next;
        if (*at) {
            items[n++] = *at;
            *at = (*at)->next;
        }
        if (n == BATCH_MOST || (n > 0 && !*at)) {
            if (kind == HOT_COMPLETE)
                complete_batch(d, items, n);
            else if (kind == HOT_BEAT)
                beat_batch(d, items, n);
            else
                claim_batch(d, items, n, &more);
            n = 0;
        }
        if (!*at)
            return;
    }
}

static void *run(void *ctx)
{
    struct dispatcher *d = ctx;
    bool stopping = false;

    while (!stopping) {
        bool woken;
        struct hot_request *taken = take(d, &woken);

        run_kind(d, &taken, HOT_COMPLETE);
        run_kind(d, &taken, HOT_BEAT);
        if (woken)
            claims_forget(d->claims);
        run_kind(d, &taken, HOT_CLAIM);
        if (d->parked && (woken || clock_monotonic_us() >= next_deadline(d)))
            try_parked(d);
        pthread_mutex_lock(&d->lock);
        stopping = d->stopping && !d->first;
        pthread_mutex_unlock(&d->lock);
    }
    return NULL;
}

static int create(struct app *app, const struct dispatcher_settings *s, struct dispatcher **out, struct err *e)
{
    const struct claim_limits limits = {s->job_time_s, s->job_memory_bytes, s->job_cycles};
    struct dispatcher *d = mem_zalloc(1, sizeof *d, e);
    pthread_condattr_t attr;

    if (!d)
        return -1;
    d->app = app;
    d->settings = *s;
    d->last = &d->first;
    pthread_mutex_init(&d->lock, NULL);
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(&d->cond, &attr);
    pthread_condattr_destroy(&attr);
    d->claims = claims_new(app->clock, &limits, e);
    if (!d->claims || db_open_hot(app->conninfo, &d->db, e) < 0) {
        claims_free(d->claims);
        free(d);
        return -1;
    }
    *out = d;
    return 0;
}

static void destroy(struct dispatcher *d)
{
    claims_free(d->claims);
    db_close(d->db);
    pthread_cond_destroy(&d->cond);
    pthread_mutex_destroy(&d->lock);
    free(d);
}

int dispatcher_start(struct app *app, const struct dispatcher_settings *s, struct dispatcher **out, struct err *e)
{
    struct dispatcher *d;
    int ret;

    if (create(app, s, &d, e) < 0)
        return -1;
    ret = pthread_create(&d->thread, NULL, run, d);
    if (ret != 0) {
        destroy(d);
        return err_set_errno(e, ret, "the dispatcher's thread");
    }
    *out = d;
    return 0;
}

void dispatcher_drain(struct dispatcher *d)
{
    if (!d)
        return;
    atomic_store(&d->draining, true);
    dispatcher_look(d);
}

void dispatcher_stop(struct dispatcher *d)
{
    struct hot_request *h, *next;

    if (!d)
        return;
    pthread_mutex_lock(&d->lock);
    d->stopping = true;
    pthread_cond_signal(&d->cond);
    pthread_mutex_unlock(&d->lock);
    pthread_join(d->thread, NULL);
    for (h = d->parked; h; h = next) {
        next = h->next;
        answer_json(d, h, lease_list_to_json(&(struct lease_list){.count = 0}));
    }
    destroy(d);
}

void dispatcher_metrics(struct dispatcher *d, struct strbuf *out)
{
    char label[64];

    pthread_mutex_lock(&d->lock);
    metric_write(out, "vivace_claims_total", "counter", "claims answered or parked", NULL, (double)d->claims_done);
    metric_write(out, "vivace_claim_batches_total", "counter", "transactions that served claims", NULL,
                 (double)d->claim_batches);
    metric_write(out, "vivace_claim_seconds_total", "counter", "time spent in them", NULL, d->claim_seconds);
    metric_write(out, "vivace_leases_total", "counter", "jobs given to workers", NULL, (double)d->leases);
    metric_write(out, "vivace_heartbeats_total", "counter", "signs of life", NULL, (double)d->beats);
    for (int i = 0; i < OUTCOME_COUNT; i++) {
        snprintf(label, sizeof label, "outcome=\"%s\"", attempt_outcome_name((enum attempt_outcome)i));
        metric_write(out, "vivace_attempts_total", "counter", i == 0 ? "ended attempts" : NULL, label,
                     (double)d->outcomes[i]);
    }
    metric_write(out, "vivace_late_results_total", "counter", "results that came after their lease", NULL,
                 (double)d->late);
    metric_write(out, "vivace_disputed_results_total", "counter",
                 "results that differ from the one under their key", NULL, (double)d->disputed);
    metric_write(out, "vivace_simulated_cycles_total", "counter", "cycles of new results", NULL,
                 (double)d->simulated_cycles);
    metric_write(out, "vivace_simulation_seconds_total", "counter", "host time of new results", NULL,
                 d->simulation_seconds);
    pthread_mutex_unlock(&d->lock);
}
