#include "server/store/threads/background.h"

#include "base/clock.h"
#include "base/timed_wait.h"

static int start(struct background *b, void *(*run)(void *), void *ctx, const char *what, struct err *e)
{
    int ret;

    pthread_mutex_init(&b->lock, NULL);
    timed_cond_init(&b->cond);
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
    uint64_t until_us = clock_monotonic_us() + us;
    bool stopping;

    pthread_mutex_lock(&b->lock);
    if (!b->stopping && !b->woken)
        timed_cond_wait(&b->cond, &b->lock, until_us);
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
