#include "server/store/threads/executor.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/timed_wait.h"
#include "server/store/db/db.h"

#define OWN_PART 4 /* one quarter of the queue is reserved for tasks that are not requests */
#define REST_MAX 4 /* maximum pause after a task, in multiples of its time */
#define REST_PER 4 /* waiting tasks for each multiple */
#define POLL_US  5000

struct task {
    executor_task run;
    void *ctx;
    uint64_t since_us;
};

/* A worker thread. Idle threads are woken in LIFO order. So only the number of threads that are needed at the same
 * time open a connection and prepare statements, and single requests reuse the same thread. */
struct hand {
    struct executor *owner;
    pthread_t thread;
    pthread_cond_t wake;
    bool called;
    struct hand *below; /* next in the list of idle threads */
};

struct executor {
    const char *name;
    char *conninfo;
    pthread_mutex_t lock;
    struct hand *resting;
    struct task *ring; /* ring buffer of `most` entries */
    size_t most, first, count, busy;
    uint64_t wait_most_us;
    executor_strained strained; /* NULL: never strained */
    void *strained_ctx;
    uint64_t rest_until_us; /* earliest start of the next task while strained */
    bool polls;             /* a thread polls whether it is still strained */
    bool stopping;
    pthread_cond_t idle; /* signalled when no task is queued or running */
    struct hand *hands;
    unsigned hand_count;
};

/* The caller holds the lock. The wait releases it. */
static void rest(struct hand *h)
{
    struct executor *x = h->owner;

    h->called = false;
    h->below = x->resting;
    x->resting = h;
    while (!h->called && !x->stopping)
        pthread_cond_wait(&h->wake, &x->lock);
}

static void call_one(struct executor *x)
{
    if (!x->resting)
        return;
    x->resting->called = true;
    pthread_cond_signal(&x->resting->wake);
    x->resting = x->resting->below;
}

static bool may_begin(const struct executor *x)
{
    return !x->strained || !x->strained(x->strained_ctx) ||
           (x->busy == 0 && clock_monotonic_us() >= x->rest_until_us);
}

/* One thread polls repeatedly. The others sleep. */
static void poll(struct hand *h)
{
    struct executor *x = h->owner;

    x->polls = true;
    timed_cond_wait(&h->wake, &x->lock, clock_monotonic_us() + POLL_US);
    x->polls = false;
}

/* Returns when a task may begin or the executor is stopping. */
static void wait_for_task(struct hand *h)
{
    struct executor *x = h->owner;

    while (!x->stopping && (x->count == 0 || x->polls || !may_begin(x))) {
        if (x->count == 0 || x->polls)
            rest(h);
        else
            poll(h);
    }
}

/* The pause after a task while strained. With an empty queue there is none. It grows with the queue. Equal
 * requests are one task (http_work.c), so a short queue means a short wait. */
static uint64_t rest_after(const struct executor *x, uint64_t took_us)
{
    size_t times = (x->count + REST_PER - 1) / REST_PER;

    return (times < REST_MAX ? times : REST_MAX) * took_us;
}

static void *executor_main(void *arg)
{
    struct hand *h = arg;
    struct executor *x = h->owner;
    struct err e;
    struct db *db;

    if (db_new(x->conninfo, &db, &e) < 0) {
        log_error("executor", "a thread has no memory for its connection", "executor=%s", x->name);
        abort(); /* happens only at start, before any task was accepted */
    }
    pthread_mutex_lock(&x->lock);
    for (;;) {
        uint64_t began;
        struct task t;

        wait_for_task(h);
        if (x->count == 0)
            break;
        t = x->ring[x->first];
        x->first = (x->first + 1) % x->most;
        x->count--;
        x->busy++;
        if (x->count > 0)
            call_one(x);
        pthread_mutex_unlock(&x->lock);
        began = clock_monotonic_us();
        t.run(db, t.ctx);
        pthread_mutex_lock(&x->lock);
        x->rest_until_us = clock_monotonic_us() + rest_after(x, clock_monotonic_us() - began);
        if (--x->busy == 0 && x->count == 0)
            pthread_cond_broadcast(&x->idle);
    }
    pthread_mutex_unlock(&x->lock);
    db_close(db);
    return NULL;
}

int executor_start(const char *name, unsigned threads, size_t queue_max, uint64_t wait_most_s, const char *conninfo,
                   struct executor **out, struct err *e)
{
    struct executor *x = mem_zalloc(1, sizeof *x, e);

    if (!x)
        return -1;
    x->name = name;
    x->most = queue_max;
    x->wait_most_us = wait_most_s ? wait_most_s * UINT64_C(1000000) : UINT64_MAX;
    pthread_mutex_init(&x->lock, NULL);
    pthread_cond_init(&x->idle, NULL);
    x->conninfo = mem_strdup(conninfo, e);
    x->ring = mem_zalloc(queue_max, sizeof *x->ring, e);
    x->hands = mem_zalloc(threads, sizeof *x->hands, e);
    if (!x->conninfo || !x->ring || !x->hands)
        goto fail;
    for (; x->hand_count < threads; x->hand_count++) {
        struct hand *h = &x->hands[x->hand_count];
        int errnum;

        h->owner = x;
        timed_cond_init(&h->wake);
        errnum = pthread_create(&h->thread, NULL, executor_main, h);
        if (errnum) {
            pthread_cond_destroy(&h->wake);
            err_set_errno(e, errnum, "starting a thread of the %s executor", name);
            goto fail;
        }
    }
    *out = x;
    return 0;
fail:
    executor_stop(x);
    return -1;
}

static int submit(struct executor *x, executor_task task, void *ctx, size_t most, uint64_t wait_most_us,
                  struct err *e)
{
    uint64_t now;
    int ret = 0;

    pthread_mutex_lock(&x->lock);
    now = clock_monotonic_us(); /* read under the lock, so it is later than the times of all queued tasks */
    if (x->stopping) {
        ret = err_set(e, ERR_BUSY, "the server is stopping");
    } else if (x->count >= most) {
        ret = err_set(e, ERR_BUSY, "%zu requests wait already", x->count);
        err_hint(e, "Try again in a moment.");
    } else if (x->count && now - x->ring[x->first].since_us > wait_most_us) {
        ret = err_set(e, ERR_BUSY, "%zu requests wait already, the first for %.0f s", x->count,
                      (double)(now - x->ring[x->first].since_us) / 1e6);
        err_hint(e, "Try again in a moment.");
    } else {
        x->ring[(x->first + x->count++) % x->most] = (struct task){task, ctx, now};
        call_one(x);
    }
    pthread_mutex_unlock(&x->lock);
    return ret;
}

int executor_submit(struct executor *x, executor_task task, void *ctx, struct err *e)
{
    return submit(x, task, ctx, x->most, UINT64_MAX, e);
}

int executor_submit_request(struct executor *x, executor_task task, void *ctx, struct err *e)
{
    return submit(x, task, ctx, x->most - x->most / OWN_PART, x->wait_most_us, e);
}

void executor_yield_to(struct executor *x, executor_strained strained, void *ctx)
{
    pthread_mutex_lock(&x->lock);
    x->strained_ctx = ctx;
    x->strained = strained;
    pthread_mutex_unlock(&x->lock);
}

size_t executor_waiting(struct executor *x)
{
    size_t n;

    pthread_mutex_lock(&x->lock);
    n = x->count;
    pthread_mutex_unlock(&x->lock);
    return n;
}

size_t executor_busy(struct executor *x)
{
    size_t n;

    pthread_mutex_lock(&x->lock);
    n = x->busy;
    pthread_mutex_unlock(&x->lock);
    return n;
}

bool executor_wait(struct executor *x)
{
    bool waited = false;

    if (!x)
        return false;
    pthread_mutex_lock(&x->lock);
    for (; x->count > 0 || x->busy > 0; waited = true)
        pthread_cond_wait(&x->idle, &x->lock);
    pthread_mutex_unlock(&x->lock);
    return waited;
}

void executor_stop(struct executor *x)
{
    if (!x)
        return;
    pthread_mutex_lock(&x->lock);
    x->stopping = true;
    for (unsigned i = 0; i < x->hand_count; i++)
        pthread_cond_signal(&x->hands[i].wake);
    pthread_mutex_unlock(&x->lock);
    for (unsigned i = 0; i < x->hand_count; i++) {
        pthread_join(x->hands[i].thread, NULL);
        pthread_cond_destroy(&x->hands[i].wake);
    }
    pthread_cond_destroy(&x->idle);
    pthread_mutex_destroy(&x->lock);
    free(x->hands);
    free(x->ring);
    free(x->conninfo);
    free(x);
}
