/* Two runs with different plans: paired if the launches of one plan are a subset of the other's, otherwise
 * independent totals. */
#include "tests/harness/check.h"

#include "sampling/estimate/across.h"
#include "sampling/math/quantile.h"
#include "tests/unit/sampling/plan_by_hand.h"

static const uint64_t population[] = {100, 50};

static void a_grown_plan_pairs_with_what_it_grew_from(void **state)
{
    static const uint64_t few[] = {2, 2}, more[] = {4, 3};
    static const double y[] = {1, 2, 3, 4, 5, 6, 7};
    double out[7];
    struct plan small, large;

    (void)state;
    plan_by_hand(&small, population, few, 2);
    plan_by_hand(&large, population, more, 2);
    assert_true(across_pairs(&small, &large, y, out));
    assert_true(out[0] == 1 && out[1] == 2 && out[2] == 5 && out[3] == 6);
    assert_true(across_pairs(&large, &small, y, out));
    assert_true(out[0] == 1 && out[1] == 2 && isnan(out[2]) && isnan(out[3]));
    assert_true(out[4] == 3 && out[5] == 4 && isnan(out[6]));
    small.samples[1].launch = 60; /* not a sample of the other plan */
    assert_false(across_pairs(&small, &large, y, out));
    small.samples[1].launch = 1;
    small.strata[1].total++; /* the strata have other launches */
    assert_false(across_pairs(&small, &large, y, out));
    small.strata[1].total--;
    small.profile_sha256[0] = 'f';
    assert_false(across_pairs(&small, &large, y, out));
    plan_release(&small);
    plan_release(&large);
}

static void the_same_draws_are_pairs_whatever_the_method(void **state)
{
    static const uint64_t few[] = {2, 2};
    static const double y[] = {1, 2, 3, 4};
    double out[4];
    struct plan a, b;

    (void)state;
    plan_by_hand(&a, population, few, 2);
    plan_by_hand(&b, population, few, 2);
    a.with_replacement = b.with_replacement = true;
    assert_true(across_pairs(&a, &b, y, out) && out[3] == 4);
    b.samples[2].draws = 2;
    assert_false(across_pairs(&a, &b, y, out));
    plan_release(&a);
    plan_release(&b);
}

/* By hand: A is 1000 with variance 16 and 4 degrees of freedom, B is 1100 with variance 9 and 9 degrees of
 * freedom. Difference 100, variance 25, df 625 / (256 / 4 + 81 / 9) = 625 / 73. Ratio 1.1: variance (9 + 1.21 *
 * 16) / 10^6. */
static void independent_totals_add_their_doubts(void **state)
{
    struct projection a = {.value = 1000, .half_width = 1, .variance = 16, .df = 4},
                      b = {.value = 1100, .half_width = 1, .variance = 9, .df = 9};
    struct comparison c = across_unpaired(&a, &b, 0.95);
    double ra = 1.21 * 16, df = (ra + 9) * (ra + 9) / (ra * ra / 4 + 81.0 / 9);

    (void)state;
    CHECK_NEAR(c.difference, 100, 1e-12);
    CHECK_NEAR(c.df, 625.0 / 73, 1e-12);
    CHECK_NEAR(c.difference_half_width, 5 * t_factor(0.95, 625.0 / 73), 1e-9);
    CHECK_NEAR(c.ratio, 1.1, 1e-12);
    CHECK_NEAR(c.ratio_half_width, sqrt(ra + 9) / 1000 * t_factor(0.95, df), 1e-12);
    assert_true(c.distinguishable && c.paired_on == 0);
    b.value = 1010;
    assert_false(across_unpaired(&a, &b, 0.95).distinguishable);
    b.half_width = b.variance = NAN;
    c = across_unpaired(&a, &b, 0.95);
    assert_true(isnan(c.difference_half_width) && !c.distinguishable);
    CHECK_NEAR(c.difference, 10, 1e-12);
    b.value = NAN;
    assert_true(isnan(across_unpaired(&a, &b, 0.95).ratio));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_grown_plan_pairs_with_what_it_grew_from),
        cmocka_unit_test(the_same_draws_are_pairs_whatever_the_method),
        cmocka_unit_test(independent_totals_add_their_doubts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
