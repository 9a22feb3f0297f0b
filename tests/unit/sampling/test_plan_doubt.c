/* The remaining uncertainty of a plan, compared with values computed by hand. */
#include "tests/harness/check.h"

#include "sampling/plan/plan_doubt.h"

/* T5.7 of the vectors: N 100, 50, 10; n 4, 3, 2; variances 5/3, 16, 50. */
static void as_worked_by_hand(void **state)
{
    struct plan_stratum strata[] = {
        {.population = 100, .samples = 4, .sd = 1.2909944487358056},
        {.population = 50, .samples = 3, .sd = 4},
        {.population = 10, .samples = 2, .sd = 1, .planned_sd = 7.0710678118654755},
    };
    struct plan plan = {.stratum_count = 3, .strata = strata, .params = {.confidence = 0.95}};
    struct plan_doubt d;

    (void)state;
    CHECK_NEAR(plan_stratum_variance(&plan, 0, 4), 4000, 1e-12);
    CHECK_NEAR(plan_stratum_variance(&plan, 1, 3), 12533 + 1 / 3.0, 1e-12);
    /* the plan was sized with 50, whatever the profile shows */
    CHECK_NEAR(plan_stratum_variance(&plan, 2, 2), 2000, 1e-12);
    d = plan_doubt(&plan, SIZE_MAX);
    CHECK_NEAR(d.variance, 18533.333333333332, 1e-12);
    CHECK_NEAR(d.df, 3.908759862, 1e-9);
    CHECK_NEAR(d.half_width, 381.482567232, 1e-9);
    d = plan_doubt(&plan, 1); /* 50 * 46 / 4 * 16 */
    CHECK_NEAR(d.variance, 4000 + 9200 + 2000, 1e-12);
    plan.with_replacement = true;
    CHECK_NEAR(plan_doubt(&plan, SIZE_MAX).variance, 20000, 1e-12);
}

static void certain_and_blind_strata(void **state)
{
    struct plan_stratum strata[] = {
        {.population = 3, .samples = 3, .sd = 9, .take_all = true},
        {.population = 1, .samples = 1},
    };
    struct plan plan = {.stratum_count = 2, .strata = strata, .params = {.confidence = 0.95}};

    (void)state;
    CHECK_NEAR(plan_doubt(&plan, SIZE_MAX).half_width, 0, 0);
    assert_true(isinf(plan_doubt(&plan, SIZE_MAX).df));
    strata[0].samples = 1; /* the stratum varies, and one sample gives no estimate of the variance */
    assert_true(isnan(plan_doubt(&plan, SIZE_MAX).half_width));
    assert_false(isnan(plan_doubt(&plan, 0).half_width)); /* with a second sample there is one */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_worked_by_hand),
        cmocka_unit_test(certain_and_blind_strata),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
