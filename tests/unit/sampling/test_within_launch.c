/* Results that are projected inside their launches: totals and differences, by hand and with many draws. */
#include "tests/harness/check.h"

#include <math.h>

#include "base/rng.h"
#include "sampling/checks/cache_bounds.h"
#include "sampling/sequential/interim.h"
#include "sampling/math/quantile.h"
#include "sampling/estimate/within_launch.h"
#include "tests/unit/sampling/plan_by_hand.h"

static const uint64_t hundred[] = {100}, four[] = {4};
static const double y[] = {10, 12, 11, 13}, half[] = {0.5, 0.5, 0.5, 0.5}, none[] = {0, 0, 0, 0};

/* Variance between launches: 100^2 (1 - 4/100) (5/3) / 4 = 4000. Error inside: 100 / 4 * (4 * 0.5) = 50, all with
 * the same sign. */
static void a_total_has_both_errors(void **state)
{
    struct projection_options o = {.level = 0.95, .alone = true};
    struct projection p;
    struct plan plan;
    double w;
    struct err e;

    (void)state;
    plan_by_hand(&plan, hundred, four, 1);
    CHECK_OK(projection_make_with(&plan, y, &o, &p, &e), &e);
    assert_true(fabs(p.variance - 4000) < 1e-9 && fabs(p.df - 3) < 1e-9);
    projection_release(&p);
    o.error = half;
    CHECK_OK(projection_make_with(&plan, y, &o, &p, &e), &e);
    assert_true(fabs(p.value - 1150) < 1e-9);
    assert_true(fabs(p.variance - 4000) < 1e-9 && fabs(p.df - 3) < 1e-9 && fabs(p.within - 50) < 1e-9);
    assert_true(fabs(p.half_width - (t_factor(0.95, 3) * sqrt(4000) + 1.959963985 * 50)) < 1e-6);
    assert_true(fabs(p.strata[0].half_width - p.half_width / 100) < 1e-9);
    projection_release(&p);
    CHECK_OK(within_launch_error(&plan, y, half, &w, &e), &e);
    assert_true(fabs(w - 50) < 1e-9);
    CHECK_OK(within_launch_error(&plan, y, none, &w, &e), &e);
    assert_true(w == 0);
    plan_release(&plan);
}

/* A census has only the error inside launches: 4 launches of 4, W = 2. */
static void launches_that_are_all_simulated_leave_the_error_inside(void **state)
{
    const struct projection_options o = {.level = 0.95, .alone = true, .error = half};
    struct projection p;
    struct plan plan;
    struct err e;

    (void)state;
    plan_by_hand(&plan, four, four, 1);
    CHECK_OK(projection_make_with(&plan, y, &o, &p, &e), &e);
    assert_true(fabs(p.half_width - normal_quantile(0.975) * 2) < 1e-9);
    projection_release(&p);
    plan_release(&plan);
}

static void an_unknown_error_leaves_no_interval(void **state)
{
    const double unknown[] = {0, NAN, 0, 0};
    const struct projection_options o = {.level = 0.95, .error = unknown};
    struct projection p;
    struct plan plan;
    struct err e;

    (void)state;
    plan_by_hand(&plan, hundred, four, 1);
    CHECK_OK(projection_make_with(&plan, y, &o, &p, &e), &e);
    assert_true(fabs(p.value - 1150) < 1e-9 && isnan(p.half_width) && p.warning);
    projection_release(&p);
    plan_release(&plan);
}

/* The error inside makes the difference uncertain by z sqrt(50^2 + 100^2). */
static void a_difference_has_the_errors_of_both(void **state)
{
    const double b[] = {20, 22, 21, 23}, one[] = {1, 1, 1, 1};
    const double *const of[] = {y, b}, *const errors[] = {half, one}, *const whole[] = {none, NULL};
    const struct bounded_values va = {y, y, half}, vb = {b, b, one};
    struct comparison plain, c;
    struct comparisons all;
    struct plan plan;
    double z = normal_quantile(0.975), want;
    struct err e;

    (void)state;
    plan_by_hand(&plan, hundred, four, 1);
    CHECK_OK(comparison_make(&plan, y, b, 0.95, &plain, &e), &e);
    c = plain;
    CHECK_OK(within_launch_compare(&plan, of, whole, &c, &e), &e);
    assert_true(c.difference_half_width == plain.difference_half_width);
    CHECK_OK(within_launch_compare(&plan, of, errors, &c, &e), &e);
    want = plain.difference_half_width + z * sqrt(50 * 50 + 100 * 100);
    assert_true(fabs(c.difference_half_width - want) < 1e-9);
    assert_true(c.ratio_half_width > plain.ratio_half_width && c.distinguishable);
    CHECK_OK(comparisons_make(&plan, of, 2, 0, 0.95, &all, &e), &e);
    CHECK_OK(within_launch_compare_all(&plan, of, errors, &all, &e), &e);
    assert_true(fabs(all.totals[1].difference_half_width - want) < 1e-9);
    assert_true(all.kernels[1].difference_half_width >= want * (1 - 1e-9));
    CHECK_OK(cache_bounds_check(&plan, &va, &vb, &c, &e), &e);
    assert_true(c.distinguishable && !c.cache_reversible);
    comparisons_release(&all);
    plan_release(&plan);
}

static void errors_inside_can_hide_a_difference(void **state)
{
    const double b[] = {10.5, 12.5, 11.5, 13.5};
    const double *const of[] = {y, b}, *const errors[] = {half, half};
    struct comparison c;
    struct plan plan;
    struct err e;

    (void)state;
    plan_by_hand(&plan, hundred, four, 1);
    CHECK_OK(comparison_make(&plan, y, b, 0.95, &c, &e), &e);
    assert_true(c.distinguishable);
    CHECK_OK(within_launch_compare(&plan, of, errors, &c, &e), &e);
    assert_false(c.distinguishable);
    plan_release(&plan);
}

/* --- many draws --- */

enum { STRATA = 3, DRAWN = 4, ROUNDS = 2000 };

/* Returns how many of 2000 intervals contain a total of three strata of 50 launches, with four draws of each.
 * Each launch has an error of 3 %, the same for all (correlated 1) or independent (0). */
static int covered(double correlated, bool counted)
{
    static const uint64_t population[STRATA] = {50, 50, 50}, drawn[STRATA] = {DRAWN, DRAWN, DRAWN};
    double times[STRATA][50], truth = 0;
    struct rng rng;
    struct plan plan;
    struct err e;
    int held = 0;

    plan_by_hand(&plan, population, drawn, STRATA);
    rng_init(&rng, 7, 0, RNG_BOOTSTRAP);
    for (int h = 0; h < STRATA; h++)
        for (int i = 0; i < 50; i++)
            truth += times[h][i] = 1000 * (h + 1) * (1 + 0.02 * rng_normal(&rng));
    for (int round = 0; round < ROUNDS; round++) {
        double values[STRATA * DRAWN], errors[STRATA * DRAWN];
        const struct projection_options o = {.level = 0.95, .alone = true, .error = counted ? errors : NULL};
        double common = rng_normal(&rng);
        struct projection p;

        for (int h = 0; h < STRATA; h++)
            for (int i = 0; i < DRAWN; i++) {
                double own = rng_normal(&rng);
                double off = sqrt(correlated) * common + sqrt(1 - correlated) * own;
                double *t = times[h];
                size_t k = (size_t)i + rng_below(&rng, 50 - (uint64_t)i);
                double x = t[k];

                t[k] = t[i];
                t[i] = x;
                values[h * DRAWN + i] = x * (1 + 0.03 * off);
                errors[h * DRAWN + i] = 0.03 * x;
            }
        CHECK_OK(projection_make_with(&plan, values, &o, &p, &e), &e);
        held += fabs(p.value - truth) <= p.half_width;
        projection_release(&p);
    }
    plan_release(&plan);
    return held;
}

static void intervals_hold_however_the_errors_of_launches_hang_together(void **state)
{
    (void)state;
    assert_in_range(covered(1, true), ROUNDS * 94 / 100, ROUNDS);
    assert_in_range(covered(0.5, true), ROUNDS * 94 / 100, ROUNDS);
    assert_in_range(covered(0, true), ROUNDS * 94 / 100, ROUNDS);
    assert_in_range(covered(1, false), 0, ROUNDS * 80 / 100); /* coverage without this error */
}

/* --- runs with a stopping rule --- */

static void a_promise_counts_the_error_inside(void **state)
{
    static const uint64_t population[] = {4000}, drawn[] = {60};
    double values[60];
    const double *of[] = {values}, within[] = {150}, little[] = {50};
    struct interim_rule rule = INTERIM_RULE_DEFAULT;
    struct interim_analysis plain, l;
    struct plan plan;
    struct err e;

    (void)state;
    plan_by_hand(&plan, population, drawn, 1);
    plan.strata[0].planned_sd = plan.strata[0].sd = 0.1;
    for (int i = 0; i < 60; i++)
        values[i] = 1 + 0.1 * normal_quantile((i + 0.5) / 60);
    rule.error = 0.05; /* 200 of 4000 */
    rule.analyses = 5;
    CHECK_OK(interim_analyze(&plan, of, 1, &rule, NULL, 1, NULL, &plain, &e), &e);
    assert_int_equal(plain.decision, INTERIM_KEPT);
    rule.within = little;
    CHECK_OK(interim_analyze(&plan, of, 1, &rule, NULL, 1, NULL, &l, &e), &e);
    assert_true(l.promises[0].half_width > plain.promises[0].half_width);
    assert_true(l.promises[0].half_width >= normal_quantile(0.975) * 50);
    interim_release(&l);
    rule.within = within; /* 1.96 * 150 > 200 */
    CHECK_OK(interim_analyze(&plan, of, 1, &rule, NULL, 1, NULL, &l, &e), &e);
    assert_false(l.promises[0].kept);
    interim_release(&l);
    interim_release(&plain);
    plan_release(&plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_total_has_both_errors),
        cmocka_unit_test(launches_that_are_all_simulated_leave_the_error_inside),
        cmocka_unit_test(an_unknown_error_leaves_no_interval),
        cmocka_unit_test(a_difference_has_the_errors_of_both),
        cmocka_unit_test(errors_inside_can_hide_a_difference),
        cmocka_unit_test(intervals_hold_however_the_errors_of_launches_hang_together),
        cmocka_unit_test(a_promise_counts_the_error_inside),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
