#include "server/domain/queue/dispatcher_internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/array.h"
#include "base/assert.h"
#include "base/log.h"
#include "base/timed_wait.h"
#include "server/store/repo/repo_job.h"
#include "server/domain/queue/claims.h"
#include "server/domain/queue/peer_notify.h"
#include "server/platform/metrics.h"

#define QUEUE_MAX      16384
#define COALESCE_NS    2000000L
#define COALESCE_MIN   8 /* for smaller batches, waiting for more requests costs more than it saves */
#define STRAIN_LOOK_US UINT64_C(200000)
#define STRAIN_BEGINS  60 /* percent of a thread's time, over both threads */
#define STRAIN_ENDS    40
/* Cycles of one kernel. Ten billion cycles are six seconds of a GPU; a larger number indicates a defect of the
 * trace or the design. */
#define JOB_CYCLES_MAX UINT64_C(10000000000)
#define LOOK_US        1000000 /* between retries of parked claims; +-25 %, so that servers do not synchronize */

struct hot_request *dispatcher_request(struct dispatcher *d, enum hot_kind kind, struct err *e)
{
    struct hot_request *h;
    bool full;

    pthread_mutex_lock(&d->lock);
    ASSERT(d->waiting <= QUEUE_MAX);
    full = d->stopping || d->waiting >= QUEUE_MAX;
    d->waiting += !full;
    pthread_mutex_unlock(&d->lock);
    if (full) {
        err_set(e, ERR_BUSY, d->stopping ? "the server is stopping" : "too many workers send requests at once");
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
    ASSERT(d->waiting > 0);
    d->waiting--;
    pthread_mutex_unlock(&d->lock);
}

void dispatcher_submit(struct dispatcher *d, struct hot_request *h)
{
    struct lane *lane = h->kind == HOT_CLAIM ? &d->claiming : &d->reporting;

    ASSERT(h->parked);
    h->next = NULL;
    pthread_mutex_lock(&d->lock);
    ASSERT((lane->count == 0) == (lane->last == &lane->first));
    *lane->last = h;
    lane->last = &h->next;
    lane->count++;
    pthread_cond_signal(&lane->cond);
    pthread_mutex_unlock(&d->lock);
}

void dispatcher_wake(struct dispatcher *d)
{
    dispatcher_look(d);
    peer_notify(d->farm->hints);
}

void dispatcher_look(struct dispatcher *d)
{
    pthread_mutex_lock(&d->lock);
    d->woken = true;
    pthread_cond_signal(&d->claiming.cond);
    pthread_mutex_unlock(&d->lock);
}

/* --- Answers --- */

void answer_error(struct dispatcher *d, struct hot_request *h, const struct err *why)
{
    ASSERT(h->parked);
    d->answers->error(h->parked, h->request_id, why);
    dispatcher_drop(d, h);
}

void answer_json(struct dispatcher *d, struct hot_request *h, json_t *v)
{
    ASSERT(h->parked);
    d->answers->json(h->parked, h->request_id, v);
    dispatcher_drop(d, h);
}

void session_is_gone(struct err *e)
{
    err_set(e, ERR_GONE, "this worker session is not alive, or was opened with another token");
    err_hint(e, "Open a new one; results of this one are still accepted.");
}

/* --- Claims --- */

static void park(struct dispatcher *d, struct hot_request *h)
{
    ASSERT(h->kind == HOT_CLAIM);
    h->next = d->parked;
    d->parked = h;
}

static void answer_claim(struct dispatcher *d, struct hot_request *h, struct claim_ask *ask, uint64_t now_us)
{
    struct err e;

    ASSERT(ask->alive || ask->leases.count == 0);
    if (!ask->alive) {
        session_is_gone(&e);
        answer_error(d, h, &e);
    } else if (ask->leases.count > 0 || now_us >= h->until_us || atomic_load(&d->draining)) {
        answer_json(d, h, lease_list_to_json(&ask->leases));
    } else {
        park(d, h);
    }
}

/* False: no job is ready for any worker. */
static bool serve_claims(struct dispatcher *d, struct hot_request **items, size_t n)
{
    struct claim_ask asks[BATCH_MAX];
    bool more = false;
    uint64_t began = clock_monotonic_us(), leases = 0, now;
    struct err e;
    int ret;

    ASSERT(n > 0 && n <= BATCH_MAX);
    for (size_t i = 0; i < n; i++)
        asks[i] = (struct claim_ask){.session = items[i]->u.claim.session,
                                     .token = items[i]->token,
                                     .slots = items[i]->u.claim.slots,
                                     .pack = items[i]->u.claim.pack};
    ret = claims_run(d->claims, d->claiming.db, asks, n, &more, &e);
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
    pthread_mutex_unlock(&d->lock);
    histogram_add(&d->claim_times, now - began);
    return ret < 0 || more;
}

static void claim_batch(struct dispatcher *d, struct hot_request **items, size_t n)
{
    serve_claims(d, items, n);
}

/* Ends parked claims whose client has disconnected. A lease for such a client would be idle until its session
 * dies. */
static void forget_gone(struct dispatcher *d)
{
    struct hot_request **at = &d->parked;

    while (*at) {
        struct hot_request *h = *at;

        if (!d->answers->gone(h->parked)) {
            at = &h->next;
            continue;
        }
        *at = h->next;
        d->answers->nothing(h->parked);
        dispatcher_drop(d, h);
    }
}

static void try_parked(struct dispatcher *d)
{
    struct hot_request *waiting, *next;
    struct hot_request *items[BATCH_MAX];
    bool more = true;
    size_t n = 0;

    forget_gone(d);
    waiting = d->parked;
    d->parked = NULL;
    for (; waiting; waiting = next) {
        next = waiting->next;
        if (!more) { /* when no job is ready, the other parked claims need no look-up */
            answer_claim(d, waiting, &(struct claim_ask){.alive = true}, clock_monotonic_us());
            continue;
        }
        items[n++] = waiting;
        if (n == BATCH_MAX || !next) {
            more = serve_claims(d, items, n);
            n = 0;
        }
    }
    ASSERT(n == 0);
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

void lane_rests(struct lane *lane)
{
    if (lane->since_us)
        lane->busy_us += clock_monotonic_us() - lane->since_us;
    lane->since_us = 0;
}

static uint64_t busy_until(const struct lane *lane, uint64_t now)
{
    ASSERT(now >= lane->since_us);
    return lane->busy_us + (lane->since_us ? now - lane->since_us : 0);
}

bool dispatcher_strained(void *dispatcher)
{
    struct dispatcher *d = dispatcher;
    const struct lane *lanes[] = {&d->claiming, &d->reporting};
    uint64_t now, time, both = 0;
    bool strained;

    pthread_mutex_lock(&d->lock);
    now = clock_monotonic_us(); /* read with the lock held, so that no protected time is later */
    ASSERT(now >= d->looked_us);
    time = now - d->looked_us;
    if (time >= STRAIN_LOOK_US) {
        for (int i = 0; i < 2; i++) {
            uint64_t busy = busy_until(lanes[i], now);

            both += busy - d->busy_then_us[i];
            d->busy_then_us[i] = busy;
        }
        d->looked_us = now;
        d->strained = both * 100 > time * (d->strained ? STRAIN_ENDS : STRAIN_BEGINS);
    }
    strained = d->strained;
    pthread_mutex_unlock(&d->lock);
    return strained;
}

struct hot_request *lane_take(struct dispatcher *d, struct lane *lane)
{
    struct hot_request *taken;

    ASSERT(lane->since_us == 0 && (lane->count == 0) == !lane->first);
    lane->since_us = clock_monotonic_us();
    if (lane->count >= COALESCE_MIN && lane->count < BATCH_MAX && !d->stopping) {
        pthread_mutex_unlock(&d->lock);
        nanosleep(&(struct timespec){.tv_nsec = COALESCE_NS}, NULL);
        pthread_mutex_lock(&d->lock);
    }
    taken = lane->first;
    lane->first = NULL;
    lane->last = &lane->first;
    lane->count = 0;
    return taken;
}

void lane_batches(struct dispatcher *d, struct hot_request **list, enum hot_kind kind, batch_fn act)
{
    struct hot_request *items[BATCH_MAX], **at = list;
    size_t n = 0;

    for (;;) {
        while (*at && (*at)->kind != kind)
            at = &(*at)->next;
        if (*at) {
            items[n++] = *at;
            *at = (*at)->next;
        }
        if (n == BATCH_MAX || (n > 0 && !*at)) {
            act(d, items, n);
            n = 0;
        }
        if (!*at)
            return;
    }
}

/* Takes the new claims, and the changes that reports have made since the last call. */
static struct hot_request *take_claims(struct dispatcher *d, bool *woken)
{
    struct hot_request *taken;
    double ended_s;
    uint64_t ended;
    bool changed;

    pthread_mutex_lock(&d->lock);
    lane_rests(&d->claiming);
    while (!d->claiming.first && !d->woken && !d->stopping &&
           (!d->parked || clock_monotonic_us() < next_deadline(d))) {
        if (d->parked)
            timed_cond_wait(&d->claiming.cond, &d->lock, next_deadline(d));
        else
            pthread_cond_wait(&d->claiming.cond, &d->lock);
    }
    taken = lane_take(d, &d->claiming);
    *woken = d->woken;
    changed = d->changed;
    ended_s = d->ended_s;
    ended = d->ended;
    d->woken = d->changed = false;
    d->ended_s = 0;
    d->ended = 0;
    pthread_mutex_unlock(&d->lock);
    claims_learn(d->claims, ended_s, ended);
    if (*woken || changed)
        claims_forget(d->claims);
    return taken;
}

static void *run(void *ctx)
{
    struct dispatcher *d = ctx;
    bool stopping = false;

    while (!stopping) {
        bool woken;
        struct hot_request *taken = take_claims(d, &woken);

        lane_batches(d, &taken, HOT_CLAIM, claim_batch);
        ASSERT(!taken); /* this lane gets no other kind of request */
        if (d->parked && (woken || clock_monotonic_us() >= next_deadline(d)))
            try_parked(d);
        pthread_mutex_lock(&d->lock);
        stopping = d->stopping && !d->claiming.first;
        pthread_mutex_unlock(&d->lock);
    }
    return NULL;
}

static int lane_open(struct lane *lane, const char *conninfo, struct err *e)
{
    lane->last = &lane->first;
    timed_cond_init(&lane->cond);
    return db_open_hot(conninfo, &lane->db, e);
}

static void lane_close(struct lane *lane)
{
    db_close(lane->db);
    pthread_cond_destroy(&lane->cond);
}

static void destroy(struct dispatcher *d)
{
    claims_free(d->claims);
    lane_close(&d->claiming);
    lane_close(&d->reporting);
    pthread_mutex_destroy(&d->lock);
    free(d);
}

static void tell_to_stop(struct dispatcher *d)
{
    pthread_mutex_lock(&d->lock);
    d->stopping = true;
    pthread_cond_signal(&d->claiming.cond);
    pthread_cond_signal(&d->reporting.cond);
    pthread_mutex_unlock(&d->lock);
}

static int start_threads(struct dispatcher *d, struct err *e)
{
    int ret = pthread_create(&d->claiming.thread, NULL, run, d);

    if (ret == 0) {
        ret = pthread_create(&d->reporting.thread, NULL, reports_run, d);
        if (ret == 0)
            return 0;
        tell_to_stop(d);
        pthread_join(d->claiming.thread, NULL);
    }
    return err_set_errno(e, ret, "the dispatcher's threads");
}

int dispatcher_start(struct farm *farm, const struct dispatcher_settings *s,
                     const struct dispatcher_answers *answers, struct dispatcher **out, struct err *e)
{
    const struct claim_limits limits = {s->job_time_s, s->job_memory_bytes, JOB_CYCLES_MAX};
    struct dispatcher *d = mem_zalloc(1, sizeof *d, e);
    bool open;

    if (!d)
        return -1;
    d->farm = farm;
    d->settings = *s;
    d->answers = answers;
    pthread_mutex_init(&d->lock, NULL);
    d->claims = claims_new(farm->clock, &limits, e);
    open = lane_open(&d->claiming, farm->store.conninfo, e) == 0;
    open = lane_open(&d->reporting, farm->store.conninfo, e) == 0 && open;
    if (!d->claims || !open || start_threads(d, e) < 0) {
        destroy(d);
        return -1;
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
    tell_to_stop(d);
    pthread_join(d->claiming.thread, NULL);
    pthread_join(d->reporting.thread, NULL);
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
    metric_write(out, "vivace_leases_total", "counter", "jobs given to workers", NULL, (double)d->leases);
    metric_write(out, "vivace_heartbeats_total", "counter", "signs of life", NULL, (double)d->beats);
    for (int i = 0; i < OUTCOME_COUNT; i++) {
        snprintf(label, sizeof label, "outcome=\"%s\"", attempt_outcome_name((enum attempt_outcome)i));
        metric_write(out, "vivace_attempts_total", "counter", i == 0 ? "ended attempts" : NULL, label,
                     (double)d->outcomes[i]);
    }
    metric_write(out, "vivace_late_results_total", "counter", "results that arrived after the end of their lease",
                 NULL, (double)d->late);
    metric_write(out, "vivace_disputed_results_total", "counter",
                 "results that differ from the stored result of their key", NULL, (double)d->disputed);
    metric_write(out, "vivace_simulated_cycles_total", "counter", "cycles of new results", NULL,
                 (double)d->simulated_cycles);
    metric_write(out, "vivace_simulation_seconds_total", "counter", "host time of new results", NULL,
                 d->simulation_seconds);
    pthread_mutex_unlock(&d->lock);
    metric_write(out, "vivace_cache_hits_total", "counter",
                 "jobs whose result was stored before they were simulated", NULL, (double)repo_job_cache_hits());
    histogram_head(out, "vivace_claim_seconds", "transactions that served claims");
    histogram_write(&d->claim_times, "vivace_claim_seconds", NULL, out);
    histogram_head(out, "vivace_completion_seconds", "transactions that stored results");
    histogram_write(&d->report_times, "vivace_completion_seconds", NULL, out);
}
