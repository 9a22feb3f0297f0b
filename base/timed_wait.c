#include "base/timed_wait.h"

#include <time.h>

void timed_cond_init(pthread_cond_t *cond)
{
    pthread_condattr_t attr;

    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(cond, &attr);
    pthread_condattr_destroy(&attr);
}

void timed_cond_wait(pthread_cond_t *cond, pthread_mutex_t *lock, uint64_t until_us)
{
    const struct timespec t = {(time_t)(until_us / 1000000), (long)(until_us % 1000000) * 1000};

    pthread_cond_timedwait(cond, lock, &t);
}
