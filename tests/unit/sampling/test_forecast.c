/* The half-width is proportional to one over the square root of the sample size: values by hand, and cases
 * without a forecast. */
#include "tests/harness/check.h"

#include "sampling/sequential/forecast.h"

static void half_widths(void **state)
{
    (void)state;
    CHECK_NEAR(forecast_half_width(3, 25, 100), 1.5, 1e-15);
    CHECK_NEAR(forecast_half_width(3, 100, 25), 6, 1e-15);
    CHECK_NEAR(forecast_half_width(0.71, 133, 133), 0.71, 1e-15);
    assert_true(forecast_half_width(0, 10, 20) == 0);
    assert_true(isnan(forecast_half_width(NAN, 10, 20)));
    assert_true(isnan(forecast_half_width(1, 0, 20)) && isnan(forecast_half_width(1, 10, 0)));
}

static void samples(void **state)
{
    (void)state;
    assert_int_equal(forecast_samples(3, 25, 1.5), 100);
    assert_int_equal(forecast_samples(3, 25, 1.499), 101); /* 100.13 */
    assert_int_equal(forecast_samples(3, 25, 3), 25);
    assert_int_equal(forecast_samples(1, 25, 3), 25);
    assert_true(forecast_samples(3, 25, 0) == UINT64_MAX);
    assert_true(forecast_samples(1e300, 1000, 1e-300) == UINT64_MAX);
    assert_true(forecast_samples(NAN, 25, 1) == UINT64_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(half_widths), cmocka_unit_test(samples)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
