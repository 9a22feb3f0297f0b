#include "server/background.h"

#include <time.h>

static int start(struct background *b, void *(*run)(void *), void *ctx, const char *what, struct err *e)
{
    pthread_condattr_t attr;
    int ret;

    pthread_mutex_init(&b->lock, NULL);
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(&b->cond, &attr);
    pthread_condattr_destroy(&attr);
    ret = pthread_create(&b->thread, NULL, run, ctx);
    if (ret == 0)
        return 0;
    background_release(b);
    return err_set_errno(e, ret, "the thread of %s", what);
}

int background_start(struct background *b, const char *conninfo, void *(*run)(void *), void *ctx, const char *what,
                     struct err *e)
{
    *b = (struct background){.db = NULL};
    return db_open(conninfo, &b->db, e) < 0 ? -1 : start(b, run, ctx, what, e);
}

int background_start_unconnected(struct background *b, const char *conninfo, void *(*run)(void *), void *ctx,
                                 const char *what, struct err *e)
{
    *b = (struct background){.db = NULL};
    return db_new(conninfo, &b->db, e) < 0 ? -1 : start(b, run, ctx, what, e);
}

bool background_rest(struct background *b, uint64_t us)
{
    struct timespec t;
    bool stopping;

    clock_gettime(CLOCK_MONOTONIC, &t);
    t.tv_sec += (time_t)(us / 1000000);
    t.tv_nsec += (long)(us % 1000000) * 1000;
    if (t.tv_nsec >= 1000000000) {
        t.tv_sec++;
        t.tv_nsec -= 1000000000;
    }
    pthread_mutex_lock(&b->lock);
    if (!b->stopping && !b->woken)
        pthread_cond_timedwait(&b->cond, &b->lock, &t);
    b->woken = false;
    stopping = b->stopping;
    pthread_mutex_unlock(&b->lock);
    return !stopping;
}

void background_wake_locked(struct background *b)
{
    b->woken = true;
    pthread_cond_signal(&b->cond);
}

void background_stop(struct background *b)
{
    pthread_mutex_lock(&b->lock);
    b->stopping = true;
    pthread_cond_signal(&b->cond);
    pthread_mutex_unlock(&b->lock);
    pthread_join(b->thread, NULL);
}

void background_release(struct background *b)
{
    pthread_cond_destroy(&b->cond);
    pthread_mutex_destroy(&b->lock);
    db_close(b->db);
}
