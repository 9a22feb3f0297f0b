/* server/domain/queue/dispatcher.c: how busy the lanes are is measured while they change. */
#include "tests/harness/check.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#include "base/clock.h"
#include "server/domain/queue/dispatcher_internal.h"

static atomic_bool over;

/* A lane that begins to work each time just before it gives the lock away. */
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
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL); /* now the lane mostly holds the lock */
        d.looked_us = 0;                                         /* so that it is measured at once */
        assert_false(dispatcher_strained(&d));                   /* of all the time since the machine started */
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
