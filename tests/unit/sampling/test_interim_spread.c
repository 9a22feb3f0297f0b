/* The spread that an interim analysis assumes, computed by hand for one stratum of 100 launches, five of which
 * were simulated. */
#include "tests/harness/check.h"

#include "sampling/sequential/interim.h"
#include "sampling/math/quantile.h"
#include "tests/unit/sampling/plan_by_hand.h"

/* The first analysis of five results of a design, planned with this spread. The total has mean 1. */
static struct interim_promise look_at(const double *y, double planned_sd, double error)
{
    static const uint64_t population[] = {100}, samples[] = {5};
    struct interim_rule rule = INTERIM_RULE_DEFAULT;
    struct interim_promise p;
    struct plan plan;
    struct interim_analysis l;
    struct err e;

    plan_by_hand(&plan, population, samples, 1);
    plan.strata[0].planned_sd = planned_sd;
    rule.error = error;
    CHECK_OK(interim_analyze(&plan, &y, 1, &rule, NULL, 1, NULL, &l, &e), &e);
    p = l.promises[0];
    assert_int_equal(l.decision, p.kept ? INTERIM_KEPT : INTERIM_MORE);
    interim_release(&l);
    plan_release(&plan);
    return p;
}

/* The alpha that the first analysis spends if it does not end the run: 0.001. */
static double least_level(void)
{
    return 1 - 2 * normal_probability(-3.290527);
}

/* s^2 = 0.005, planned 1. All strata together show (2 + 4 * 0.005) / 6 of the planned variance; V = 100 * 95 / 5
 * * S^2. */
static void luck_makes_no_interval_narrow(void **state)
{
    static const double y[] = {9.9, 10, 10.1, 10, 10};
    struct interim_promise p = look_at(y, 0.1, 0.02);
    double pooled = sqrt(1900 * 2.02 / 6);

    (void)state;
    assert_true(!p.kept);
    CHECK_NEAR(p.value, 1000, 1e-12);
    CHECK_NEAR(p.once, t_factor(0.95, 4) * sqrt(1900 * 0.005), 1e-9);
    CHECK_NEAR(p.half_width, t_factor(least_level(), 4) * pooled, 1e-6);
    CHECK_NEAR(t_factor(p.level, 4) * sqrt(1900 * 0.005), p.half_width,
               1e-6); /* a single interval: observed spread, own level */
    CHECK_NEAR(1 - 2 * normal_probability(-p.spent.bound), p.level, 1e-12);
}

/* s^2 = 2.5, planned 0.25. The ratio is 7, (2 + 4 * 10) / 6, so the planned spread does not support s^2. With
 * four degrees of freedom s^2 counts 1 + 1.8 / 4 times. */
static void a_spread_beyond_the_plan_is_known_by_its_samples_alone(void **state)
{
    static const double y[] = {8, 9, 10, 11, 12};
    struct interim_promise p = look_at(y, 0.05, 0.02);

    (void)state;
    CHECK_NEAR(p.half_width, t_factor(least_level(), 4) * sqrt(1900 * 2.5 * (1 + 1.8 / 4)), 1e-6);
}

/* s^2 = 5, k3 = 25. Normal values have a k3^2 of 6 * 5 / 12 * 5^3 = 312.5 by chance, so the squared skewness of the
 * total is (25^2 - 312.5) / 5 / 5^3 = 0.5, which counts 3.2 times. */
static void skewed_results_get_a_wider_interval(void **state)
{
    static const double y[] = {9, 9, 9, 9, 14};
    struct interim_promise p = look_at(y, 0.05, 0.02);

    (void)state;
    CHECK_NEAR(p.half_width, t_factor(least_level(), 4) * sqrt(1900 * 5 * (1 + 1.8 / 4 + 3.2 * 0.5)), 1e-6);
}

/* The observed spread is as planned, so it is used. Five samples are too few for any promise, also for a wide one.
 */
static void a_spread_as_planned_counts_as_seen(void **state)
{
    static const double y[] = {8, 9, 10, 11, 12};
    struct interim_promise p = look_at(y, sqrt(2.5) / 10, 0.02);

    (void)state;
    CHECK_NEAR(p.half_width, t_factor(least_level(), 4) * sqrt(1900 * 2.5), 1e-6);
    p = look_at(y, sqrt(2.5) / 10, 0.3);
    assert_true(!p.kept && !p.trusted && p.once < 300);
    CHECK_NEAR(p.effective, 5 / 0.95, 1e-9);
    CHECK_NEAR(p.noise_df, 4 * 0.5625, 1e-9); /* planned: 2.5 / 10^2, compared with three times that */
}

/* Two strata with equal plans and similar pairs. The stratum with several shapes may have another ratio for each
 * shape on the other design, so it gets more pairs. */
static void shapes_together_get_more_pairs(void **state)
{
    static const uint64_t population[] = {100, 100}, samples[] = {5, 5};
    static const double a[] = {10, 10, 10, 10, 10, 10, 10, 10, 10, 10},
                        b[] = {10.1, 9.9, 10, 10.1, 9.9, 10.1, 9.9, 10, 10.1, 9.9};
    const double *const y[] = {a, b};
    struct interim_rule rule = INTERIM_RULE_DEFAULT;
    struct plan plan;
    struct interim_analysis l;
    struct err e;

    (void)state;
    plan_by_hand(&plan, population, samples, 2);
    plan.params.noise_floor = 0.005;
    plan.strata[0].planned_sd = plan.strata[1].planned_sd = 0.04;
    rule.resolve = 0.002;
    for (int mixed = 0; mixed < 2; mixed++) {
        plan.strata[1].mixed_shapes = mixed;
        CHECK_OK(interim_analyze(&plan, y, 2, &rule, NULL, 1, NULL, &l, &e), &e);
        assert_int_equal(l.decision, INTERIM_MORE);
        if (mixed)
            assert_true(l.next[1] > l.next[0] + l.next[0] / 2);
        else
            /* the first stratum gets the last unit */
            assert_true(l.next[1] + 1 >= l.next[0] && l.next[1] <= l.next[0]);
        interim_release(&l);
    }
    plan_release(&plan);
}

/* Of two sets of results with the same mean and variance, the set with the heavier tail predicts the error of the
 * variance less well. The last analysis then gets more samples. */
static void heavy_tails_get_a_wider_margin(void **state)
{
    static const uint64_t population[] = {1000}, samples[] = {12};
    struct interim_rule rule = INTERIM_RULE_DEFAULT;
    double even[12], tail[12], step = sqrt(1.0 / 11);
    uint64_t next[2];
    struct plan plan;
    struct err e;

    (void)state;
    for (int i = 0; i < 12; i++) {
        even[i] = i % 2 ? 9 : 11;
        tail[i] = i ? 10 - step : 10 + 11 * step;
    }
    plan_by_hand(&plan, population, samples, 1);
    plan.strata[0].planned_sd = sqrt(12.0 / 11) / 10;
    rule.error = 0.04;
    for (int heavy = 0; heavy < 2; heavy++) {
        const double *y = heavy ? tail : even;
        struct interim_spent past[3];
        struct interim_analysis l;

        for (unsigned number = 1; number <= 4; number++) {
            CHECK_OK(interim_analyze(&plan, &y, 1, &rule, past, number, NULL, &l, &e), &e);
            assert_int_equal(l.decision, INTERIM_MORE);
            if (number < 4)
                past[number - 1] = l.promises[0].spent;
            next[heavy] = l.next[0];
            interim_release(&l);
        }
    }
    assert_true(next[1] > next[0] + next[0] / 10);
    plan_release(&plan);
}

/* A plan with a minimum of 14 samples per stratum, so that a fifth of its launches shows, starts with that many. */
static void a_pilot_has_what_was_asked_of_each_stratum(void **state)
{
    static const uint64_t population[] = {1000, 1000}, samples[] = {40, 40};
    uint64_t n[2];
    struct plan plan;
    struct err e;

    (void)state;
    plan_by_hand(&plan, population, samples, 2);
    for (uint32_t least = 2; least <= 14; least += 12) {
        plan.params.least_samples = least;
        CHECK_OK(interim_pilot(&plan, n, &e), &e);
        assert_true(least > 2 ? n[0] >= 14 && n[1] >= 14 : n[0] < 14 || n[1] < 14);
    }
    plan_release(&plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(luck_makes_no_interval_narrow),
        cmocka_unit_test(a_spread_beyond_the_plan_is_known_by_its_samples_alone),
        cmocka_unit_test(skewed_results_get_a_wider_interval),
        cmocka_unit_test(a_spread_as_planned_counts_as_seen),
        cmocka_unit_test(shapes_together_get_more_pairs),
        cmocka_unit_test(heavy_tails_get_a_wider_margin),
        cmocka_unit_test(a_pilot_has_what_was_asked_of_each_stratum),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
