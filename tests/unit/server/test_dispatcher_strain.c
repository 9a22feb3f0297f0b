/* server/domain/queue/dispatcher.c: the load of the lanes is measured while it changes. */
#include "tests/harness/check.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#include "base/clock.h"
#include "server/domain/queue/dispatcher_internal.h"

static atomic_bool over;

/* A lane that starts to work each time just before it releases the lock. */
static void *work(void *ctx)
{
    struct dispatcher *d = ctx;

    while (!atomic_load(&over)) {
        pthread_mutex_lock(&d->lock);
        lane_rests(&d->claiming);
        nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
        (void)lane_take(d, &d->claiming);
        pthread_mutex_unlock(&d->lock);
        nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
    }
    return NULL;
}

static void a_lane_is_at_work_no_longer_than_time_has_passed(void **state)
{
    struct dispatcher d = {.lock = PTHREAD_MUTEX_INITIALIZER};
    uint64_t began = clock_monotonic_us();
    pthread_t thread;

    (void)state;
    d.claiming.last = &d.claiming.first;
    d.reporting.last = &d.reporting.first;
    atomic_store(&over, false);
    assert_int_equal(pthread_create(&thread, NULL, work, &d), 0);
    for (int i = 0; i < 50; i++) {
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL); /* the lane now holds the lock most of the time */
        d.looked_us = 0;                                         /* measure at once */
        /* the busy share is small, because it is measured since the machine started */
        assert_false(dispatcher_strained(&d));
        assert_true(d.busy_then_us[0] <= clock_monotonic_us() - began);
        assert_int_equal(d.busy_then_us[1], 0);
    }
    atomic_store(&over, true);
    pthread_join(thread, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_lane_is_at_work_no_longer_than_time_has_passed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
