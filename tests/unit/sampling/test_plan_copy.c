/* A copy of a plan outlives it. */
#include "tests/harness/check.h"

#include "sampling/plan/plan.h"
#include "tests/unit/sampling/plan_by_hand.h"

static void a_copy_is_whole_and_its_own(void **state)
{
    static const uint64_t population[] = {100, 50, 7}, samples[] = {4, 0, 7};
    struct plan plan, copy;
    struct err e;

    (void)state;
    plan_by_hand(&plan, population, samples, 3);
    plan.samples[10].weight = 2.5;
    assert_int_equal(plan_copy(&plan, &copy, &e), 0);
    assert_true(copy.strata != plan.strata && copy.samples != plan.samples);
    plan_release(&plan);
    assert_int_equal(copy.stratum_count, 3);
    assert_int_equal(copy.sample_count, 11);
    assert_string_equal(copy.method, "test");
    assert_string_equal(copy.strata[2].kernel_name, "k");
    assert_int_equal(copy.strata[1].population, 50);
    CHECK_NEAR(copy.samples[10].weight, 2.5, 0);
    assert_int_equal(copy.samples[10].launch, 156);
    plan_release(&copy);
}

static void a_plan_without_samples(void **state)
{
    struct plan plan, copy;
    struct err e;

    (void)state;
    plan_init(&plan);
    assert_int_equal(plan_copy(&plan, &copy, &e), 0);
    assert_int_equal(copy.sample_count, 0);
    plan_release(&copy);
    plan_release(&plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_copy_is_whole_and_its_own),
        cmocka_unit_test(a_plan_without_samples),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
