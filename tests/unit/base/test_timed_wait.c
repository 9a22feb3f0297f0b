/* base/timed_wait.h: until when a condition variable waits. */
#include "base/clock.h"
#include "base/timed_wait.h"
#include "tests/harness/check.h"

/* By the time of day, which is decades ahead of the monotonic clock, the wait would be over before it began. */
static void waits_by_the_monotonic_clock(void **state)
{
    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t cond;
    uint64_t until = clock_monotonic_us() + 20000;
    int waits = 0;

    (void)state;
    timed_cond_init(&cond);
    pthread_mutex_lock(&lock);
    while (clock_monotonic_us() < until && waits < 1000) {
        timed_cond_wait(&cond, &lock, until);
        waits++;
    }
    pthread_mutex_unlock(&lock);
    pthread_cond_destroy(&cond);
    assert_true(clock_monotonic_us() >= until);
    assert_true(waits < 100); /* one, and some for no reason; by the other clock it would be all */
}

static void a_time_that_has_passed_is_not_waited_for(void **state)
{
    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t cond;

    (void)state;
    timed_cond_init(&cond);
    pthread_mutex_lock(&lock);
    timed_cond_wait(&cond, &lock, 1);
    pthread_mutex_unlock(&lock);
    pthread_cond_destroy(&cond);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(waits_by_the_monotonic_clock),
        cmocka_unit_test(a_time_that_has_passed_is_not_waited_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
