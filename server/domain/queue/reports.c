/* server/domain/queue/reports.c: reports of workers: heartbeats and ends of attempts. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "base/log.h"
#include "server/platform/config.h"
#include "server/domain/queue/completion.h"
#include "server/store/repo/repo_claim.h"
#include "server/domain/queue/dispatcher_internal.h"
#include "server/domain/queue/orphaned_leases.h"

/* --- Completions --- */

static void count_completions(struct dispatcher *d, const struct completion_counts *c)
{
    ASSERT(c->done <= c->ended[OUTCOME_OK]);
    pthread_mutex_lock(&d->lock);
    d->late += c->late;
    d->disputed += c->disputed;
    d->simulated_cycles += c->cycles;
    d->simulation_seconds += c->host_seconds;
    for (int i = 0; i < OUTCOME_COUNT; i++) {
        d->outcomes[i] += c->ended[i];
        d->changed = d->changed || (c->ended[i] > 0 && i != OUTCOME_OK); /* the job may be ready again */
    }
    d->ended_s += c->host_seconds;
    d->ended += c->done;
    d->changed = d->changed || c->ended[OUTCOME_OK] != c->done; /* a late result may ready waiting jobs */
    pthread_mutex_unlock(&d->lock);
}

static void complete_batch(struct dispatcher *d, struct hot_request **items, size_t n)
{
    const struct complete_request *requests[BATCH_MAX];
    struct complete_answer answers[BATCH_MAX];
    struct completion_counts counts = {.done = 0};
    uint64_t began = clock_monotonic_us();
    struct err e;
    int ret;

    ASSERT(n > 0 && n <= BATCH_MAX);
    for (size_t i = 0; i < n; i++)
        requests[i] = &items[i]->u.complete;
    ret = completion_run(d->reporting.db, d->farm->clock, d->farm->config->recheck_share, requests, n, answers,
                         &counts, &e);
    histogram_add(&d->report_times, clock_monotonic_us() - began);
    if (ret < 0) {
        log_warn("dispatcher", "completions could not be stored; the workers send them again", "count=%zu error=%s",
                 n, log_quote(e.text, (char[300]){0}, 300));
    } else {
        count_completions(d, &counts);
    }
    for (size_t i = 0; i < n; i++) {
        if (ret < 0) {
            answer_error(d, items[i], &e);
            continue;
        }
        ASSERT(answers[i].count == requests[i]->count);
        answer_json(d, items[i], complete_answer_to_json(&answers[i]));
        complete_answer_release(&answers[i]);
    }
}

/* --- Heartbeats --- */

struct beat_batch {
    struct dispatcher *d;
    struct hot_request **items;
    size_t count;
    struct session_rows sessions;
    struct db_rows leased;
    bool has_leased;
    struct orphaned_leases orphaned;
};

static void beat_clear(struct beat_batch *b)
{
    session_rows_release(&b->sessions);
    if (b->has_leased)
        db_rows_release(&b->leased);
    b->has_leased = false;
}

/* Whether the session belongs to the token of the request. */
static bool session_alive(const struct beat_batch *b, const struct hot_request *h)
{
    ASSERT(h->kind == HOT_BEAT);
    for (size_t i = 0; i < b->sessions.count; i++) {
        if (strcmp(b->sessions.items[i].id, h->u.beat.session) == 0 && b->sessions.items[i].token == h->token)
            return true;
    }
    return false;
}

/* The data of one transaction; array literals. */
struct beat_lists {
    struct session_names names;
    struct strbuf alive, ending, jobs;
    bool any_ending;
};

static void list_asked(const struct beat_batch *b, struct beat_lists *l)
{
    session_names_begin(&l->names);
    db_array_begin(&l->jobs);
    for (size_t i = 0; i < b->count; i++) {
        const struct heartbeat_request *h = &b->items[i]->u.beat;

        session_names_add(&l->names, h->session, b->items[i]->token);
        for (size_t k = 0; k < h->count; k++) {
            if (uuid_valid(h->running[k].id.job))
                db_array_add(&l->jobs, h->running[k].id.job);
        }
    }
    db_array_end(&l->jobs);
}

/* Lists the live sessions. A session counts only if it belongs to the token of the request. */
static void list_alive(const struct beat_batch *b, struct beat_lists *l)
{
    db_array_begin(&l->alive);
    db_array_begin(&l->ending);
    for (size_t i = 0; i < b->count; i++) {
        if (!session_alive(b, b->items[i]))
            continue;
        db_array_add(&l->alive, b->items[i]->u.beat.session);
        if (!b->items[i]->u.beat.ending)
            continue;
        db_array_add(&l->ending, b->items[i]->u.beat.session);
        l->any_ending = true;
    }
    db_array_end(&l->alive);
    db_array_end(&l->ending);
}

static int take_beats(struct beat_batch *b, struct db *db, struct beat_lists *l, struct err *e)
{
    ASSERT(!b->has_leased);
    list_asked(b, l);
    if (l->jobs.failed)
        return err_no_memory(e);
    if (repo_session_need_not_last(db, e) < 0 ||
        repo_session_beat(db, &l->names, b->orphaned.now, &b->sessions, e) < 0)
        return -1;
    list_alive(b, l);
    if (l->alive.failed || l->ending.failed)
        return err_no_memory(e);
    if (l->any_ending && repo_session_end(db, l->ending.text, e) < 0)
        return -1;
    if (orphaned_leases_find(&b->orphaned, db, l->alive.text, l->jobs.text, e) < 0 ||
        repo_session_still_leased(db, l->jobs.text, &b->leased, e) < 0)
        return -1;
    b->has_leased = true;
    return 0;
}

static int beat_body(struct db *db, void *ctx, struct err *e)
{
    struct beat_lists l = {.alive = STRBUF_INIT, .ending = STRBUF_INIT, .jobs = STRBUF_INIT};
    int ret;

    beat_clear(ctx);
    ret = take_beats(ctx, db, &l, e);
    session_names_release(&l.names);
    strbuf_release(&l.alive);
    strbuf_release(&l.ending);
    strbuf_release(&l.jobs);
    return ret;
}

static bool still_leased(const struct beat_batch *b, const struct attempt_id *id)
{
    ASSERT(b->has_leased);
    for (int i = 0; i < b->leased.count; i++) {
        if (strcmp(db_get(&b->leased, i, 0), id->job) == 0)
            return db_get_i64(&b->leased, i, 1) == (int64_t)id->attempt;
    }
    return false;
}

static void answer_beat(struct beat_batch *b, struct hot_request *h)
{
    const struct heartbeat_request *q = &h->u.beat;
    struct heartbeat_answer a = {.heartbeat_s = b->d->settings.heartbeat_s};
    json_t *v;
    struct err e;

    if (!session_alive(b, h)) {
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
    ASSERT(a.count <= q->count);
    v = heartbeat_answer_to_json(&a);
    free(a.abort);
    answer_json(b->d, h, v);
}

static void return_orphaned(struct beat_batch *b)
{
    size_t returned = 0;
    struct err e;

    if (orphaned_leases_return(&b->orphaned, b->d->reporting.db, &returned, &e) < 0)
        log_warn("dispatcher", "orphaned leases could not be returned", "error=%s",
                 log_quote(e.text, (char[300]){0}, 300));
    ASSERT(returned <= b->orphaned.count);
    if (returned > 0) {
        log_info("dispatcher", "orphaned leases return to the queue", "jobs=%zu", returned);
        dispatcher_look(b->d);
    }
}

static void beat_batch(struct dispatcher *d, struct hot_request **items, size_t n)
{
    wall_us now = clock_now(d->farm->clock);
    struct beat_batch b = {
        .d = d,
        .items = items,
        .count = n,
        .orphaned = {.now = now, .leased_before = now - (wall_us)d->farm->config->dead_after_s * 1000000}};
    struct err e;
    int ret = db_transaction(d->reporting.db, beat_body, &b, &e);

    if (ret == 0)
        return_orphaned(&b);
    for (size_t i = 0; i < n; i++) {
        if (ret < 0)
            answer_error(d, items[i], &e);
        else
            answer_beat(&b, items[i]);
    }
    beat_clear(&b);
    orphaned_leases_release(&b.orphaned);
    pthread_mutex_lock(&d->lock);
    d->beats += n;
    pthread_mutex_unlock(&d->lock);
}

/* --- The thread --- */

void *reports_run(void *dispatcher)
{
    struct dispatcher *d = dispatcher;
    bool stopping = false;

    while (!stopping) {
        struct hot_request *taken;

        pthread_mutex_lock(&d->lock);
        lane_rests(&d->reporting);
        while (!d->reporting.first && !d->stopping)
            pthread_cond_wait(&d->reporting.cond, &d->lock);
        taken = lane_take(d, &d->reporting);
        pthread_mutex_unlock(&d->lock);
        lane_batches(d, &taken, HOT_COMPLETE, complete_batch);
        lane_batches(d, &taken, HOT_BEAT, beat_batch);
        ASSERT(!taken); /* this lane gets no other kind of request */
        pthread_mutex_lock(&d->lock);
        stopping = d->stopping && !d->reporting.first;
        pthread_mutex_unlock(&d->lock);
    }
    return NULL;
}
