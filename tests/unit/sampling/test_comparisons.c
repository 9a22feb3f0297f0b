/* Several designs compared with a baseline, per kernel and in total; and all estimators for the same results. */
#include "tests/harness/check.h"

#include "sampling/estimate/comparisons.h"
#include "sampling/checks/estimator_comparison.h"
#include "sampling/math/quantile.h"
#include "tests/unit/sampling/plan_by_hand.h"

static const uint64_t population[] = {100, 100, 50}, samples[] = {4, 4, 3};
static const double base[] = {11, 12, 11.5, 12, 20, 21, 20.5, 21, 300, 310, 305};

/* Two kernels: strata 1 and 2 are of `k`, stratum 3 of `gemm`. */
static void two_kernels(struct plan *p)
{
    plan_by_hand(p, population, samples, 3);
    free(p->strata[2].kernel_name);
    p->strata[2].kernel_name = strdup("gemm");
}

/* T5.13 of the methods reference has one stratum: difference -217.5, se 17.606816862, ratio 0.8108695652, se
 * 0.0077174825. As the only kernel and the only comparison, it equals comparison_make(). */
static void one_is_the_paired_comparison(void **state)
{
    static const uint64_t n100[] = {100}, n4[] = {4};
    static const double a[] = {10, 12, 9, 15}, b[] = {8, 9.9, 7.1, 12.3};
    const double *const y[] = {a, b};
    double t = t_factor(0.95, 3);
    struct comparisons c;
    struct plan p;
    struct err e;

    (void)state;
    plan_by_hand(&p, n100, n4, 1);
    CHECK_OK(comparisons_make(&p, y, 2, 0, 0.95, &c, &e), &e);
    assert_int_equal(c.kernel_count, 1);
    CHECK_NEAR(c.total_level, 0.95, 1e-12);
    CHECK_NEAR(c.totals[1].difference, -217.5, 1e-9);
    CHECK_NEAR(c.totals[1].difference_half_width, t * 17.606816862, 1e-9);
    CHECK_NEAR(c.kernels[1].difference_half_width, t * 17.606816862, 1e-9);
    CHECK_NEAR(c.kernels[1].ratio, 0.8108695652, 1e-9);
    CHECK_NEAR(c.kernels[1].ratio_half_width, t * 0.0077174825, 1e-8);
    assert_true(c.kernels[1].distinguishable);
    assert_true(c.totals[0].difference_half_width == 0 && !c.totals[0].distinguishable);
    comparisons_release(&c);
    plan_release(&p);
}

static void intervals_hold_together(void **state)
{
    double same[11], slower[11];
    const double *const y[] = {base, same, slower};
    struct comparisons c, two;
    struct plan p;
    struct err e;

    (void)state;
    for (int i = 0; i < 11; i++) {
        same[i] = base[i] + (i % 2 ? 0.5 : -0.5);                /* no difference except noise */
        slower[i] = base[i] * (i < 8 ? 1.2 : 1) + (i % 3) * 0.1; /* `k` is slower, `gemm` is not */
    }
    two_kernels(&p);
    CHECK_OK(comparisons_make(&p, y, 3, 0, 0.95, &c, &e), &e);
    assert_int_equal(c.kernel_count, 2);
    CHECK_NEAR(c.total_level, 0.975, 1e-12);
    CHECK_NEAR(c.kernel_level, 1 - 0.05 / 4, 1e-12);
    assert_string_equal(c.kernels[2 * 2].kernel, "k");
    assert_string_equal(c.kernels[2 * 2 + 1].kernel, "gemm");
    assert_false(c.totals[1].distinguishable || c.kernels[2].distinguishable || c.kernels[3].distinguishable);
    assert_true(c.totals[2].distinguishable && c.kernels[4].distinguishable);
    CHECK_NEAR(c.kernels[4].ratio, 1.2, 0.02);
    assert_false(c.kernels[5].distinguishable);
    /* the kernels add up to the total */
    CHECK_NEAR(c.kernels[4].difference + c.kernels[5].difference, c.totals[2].difference, 1e-12);
    /* with only two designs the intervals are narrower, because fewer must hold together */
    CHECK_OK(comparisons_make(&p, y, 2, 0, 0.95, &two, &e), &e);
    assert_true(two.totals[1].difference_half_width < c.totals[1].difference_half_width);
    comparisons_release(&c);
    CHECK_FAILS(comparisons_make(&p, y, 2, 2, 0.95, &c, &e), &e, ERR_INVALID, "baseline");
    comparisons_release(&two);
    plan_release(&p);
}

static void a_missing_kernel_is_unknown(void **state)
{
    double gap[11];
    const double *const y[] = {base, gap};
    struct comparisons c;
    struct plan p;
    struct err e;

    (void)state;
    for (int i = 0; i < 11; i++)
        gap[i] = i < 8 ? base[i] * 1.1 + i * 0.01 : NAN;
    two_kernels(&p);
    CHECK_OK(comparisons_make(&p, y, 2, 0, 0.95, &c, &e), &e);
    assert_true(isnan(c.totals[1].difference) && isnan(c.kernels[3].ratio) && !c.kernels[3].distinguishable);
    assert_true(c.kernels[2].distinguishable);
    comparisons_release(&c);
    plan_release(&p);
}

/* T5.8 of the methods reference, one stratum: N 200, X 2500. */
static void every_estimator_speaks(void **state)
{
    static const uint64_t n200[] = {200}, n5[] = {5}, x[] = {10, 12, 9, 15, 14};
    static const double y[] = {21, 25, 18, 31, 27}, value[] = {4880, 5083.0 + 1 / 3.0, 4980, 5076.153846};
    struct projection_options options = {.kappa = 1};
    struct projection p;
    struct opinions o;
    struct plan plan;
    struct err e;

    (void)state;
    plan_by_hand(&plan, n200, n5, 1);
    plan.strata[0].total = 2500;
    plan.strata[0].mean = 12.5;
    for (int i = 0; i < 5; i++)
        plan.samples[i].value = x[i];
    CHECK_OK(projection_make_with(&plan, y, &options, &p, &e), &e);
    CHECK_OK(opinions_make(&plan, y, &options, &p, &o, &e), &e);
    for (int i = 0; i < OPINIONS; i++) {
        assert_null(o.each[i].why_not);
        assert_false(o.each[i].disagrees);
        CHECK_NEAR(o.each[i].value, value[i], 1e-9);
    }
    CHECK_NEAR(o.each[1].half_width, t_factor(0.95, 4) * 80.164414, 1e-7);
    assert_true(o.each[0].used && !o.each[1].used);
    assert_true(o.disagree == (!o.bootstrap.why_not && o.bootstrap.disagrees));
    projection_release(&p);
    /* with a profile in which the sample is not typical, the estimators disagree */
    plan.strata[0].total = 9000;
    plan.strata[0].mean = 45;
    CHECK_OK(projection_make_with(&plan, y, &options, &p, &e), &e);
    CHECK_OK(opinions_make(&plan, y, &options, &p, &o, &e), &e);
    assert_true(o.disagree && o.each[1].disagrees && !o.each[0].disagrees);
    projection_release(&p);
    options.kappa = 0;
    CHECK_OK(projection_make_with(&plan, y, &options, &p, &e), &e);
    CHECK_OK(opinions_make(&plan, y, &options, &p, &o, &e), &e);
    assert_non_null(strstr(o.each[2].why_not, "factor"));
    projection_release(&p);
    plan_release(&plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_is_the_paired_comparison),
        cmocka_unit_test(intervals_hold_together),
        cmocka_unit_test(a_missing_kernel_is_unknown),
        cmocka_unit_test(every_estimator_speaks),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
