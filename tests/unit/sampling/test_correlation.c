/* Statistics of simulated against measured times. */
#include "tests/harness/check.h"

#include "sampling/checks/correlation.h"

static void errors_are_of_the_ratio(void **state)
{
    static const double measured[] = {100, 200, 400, 1000}, simulated[] = {110, 180, 400, 1500};
    struct correlation c = correlation_of(measured, simulated, 4);

    (void)state;
    CHECK_NEAR(c.error, (0.1 + 0.1 + 0 + 0.5) / 4, 1e-12);
    CHECK_NEAR(c.bias, pow(1.1 * 0.9 * 1.5, 0.25), 1e-12);
    CHECK_NEAR(c.total, 2190.0 / 1700, 1e-12);
    CHECK_NEAR(c.least, 0.9, 1e-12);
    CHECK_NEAR(c.most, 1.5, 1e-12);
    assert_int_equal(c.far, 1);
    assert_int_equal(c.count, 4);
}

/* r of the logarithms is 1 for a power law, and does not depend on a constant factor. */
static void a_constant_factor_correlates_fully(void **state)
{
    static const double measured[] = {1e-6, 2e-5, 3e-3, 4}, doubled[] = {2e-6, 4e-5, 6e-3, 8};
    static const double turned[] = {4, 3e-3, 2e-5, 1e-6}, same[] = {1, 1, 1, 1};

    (void)state;
    CHECK_NEAR(correlation_of(measured, doubled, 4).log_r, 1, 1e-12);
    CHECK_NEAR(correlation_of(measured, doubled, 4).bias, 2, 1e-12);
    assert_true(correlation_of(measured, turned, 4).log_r < -0.9);
    assert_true(isnan(correlation_of(measured, same, 4).log_r));
    assert_true(isnan(correlation_of(measured, doubled, 2).log_r));
    assert_true(isnan(correlation_of(measured, doubled, 0).error));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_are_of_the_ratio),
        cmocka_unit_test(a_constant_factor_correlates_fully),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
