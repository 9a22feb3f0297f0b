/* The number of jobs that are created at once for a large run. */
#include "tests/harness/check.h"

#include "server/domain/queue/job_slices.h"

static void a_slice_takes_about_as_long_as_others_may_wait(void **state)
{
    int64_t size = 1000;

    (void)state;
    assert_int_equal(job_slices_size(1000, 75000), 999);
    for (int i = 0; i < 20; i++) /* 25 us per job */
        size = job_slices_size(size, (uint64_t)size * 25);
    assert_in_range(size, 2900, 3000);
    for (int i = 0; i < 20; i++) /* suddenly ten times as slow */
        size = job_slices_size(size, (uint64_t)size * 250);
    assert_in_range(size, 290, 300);
}

static void it_grows_slowly_and_has_limits(void **state)
{
    (void)state;
    assert_int_equal(job_slices_size(1000, 0), 2000);
    assert_int_equal(job_slices_size(8000, 1), 8000);
    assert_int_equal(job_slices_size(4000, UINT64_C(3600000000)), 1000);
    assert_int_equal(job_slices_size(250, UINT64_C(3600000000)), 250);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_slice_takes_about_as_long_as_others_may_wait),
        cmocka_unit_test(it_grows_slowly_and_has_limits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
