/* base/timed_wait.h: the deadline of a wait on a condition variable. */
#include "base/clock.h"
#include "base/timed_wait.h"
#include "tests/harness/check.h"

/* The time of day is decades ahead of the monotonic clock. With the wrong clock the wait would end at once. */
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
    assert_true(waits < 100); /* one, and some spurious wakeups; with the wrong clock it would be all 100 */
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
