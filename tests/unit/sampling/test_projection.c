/* Estimates and intervals compared with values computed by hand, and the messages when there is none. */
#include "tests/harness/check.h"

#include "base/rng.h"
#include "sampling/estimate/estimator_aux.h"
#include "sampling/estimate/projection.h"
#include "sampling/math/quantile.h"
#include "tests/unit/sampling/plan_by_hand.h"

static const uint64_t three[] = {100, 50, 10}, drawn[] = {4, 3, 2};
static const double results[] = {10, 12, 11, 13, 40, 44, 36, 200, 210};

static void three_strata(void **state)
{
    static const double mean[] = {11.5, 40, 205}, variance[] = {2400 * 5 / 3.0, 50 * 47 / 3.0 * 16, 40 * 50};
    struct projection r;
    struct plan p;
    struct err e;

    (void)state;
    plan_by_hand(&p, three, drawn, 3);
    CHECK_OK(plan_check(&p, &e), &e);
    CHECK_OK(projection_make(&p, results, 0.95, &r, &e), &e);
    CHECK_NEAR(r.value, 5200, 1e-12);
    CHECK_NEAR(r.variance, 18533.0 + 1 / 3.0, 1e-12);
    CHECK_NEAR(sqrt(r.variance), 136.137185711, 1e-10);
    CHECK_NEAR(r.df, 3.908759862, 1e-9);
    CHECK_NEAR(r.half_width, 381.482567232, 1e-9);
    CHECK_NEAR(r.half_width / r.value, 0.07336203, 1e-6);
    CHECK_NEAR(1.96 * sqrt(r.variance), 266.828884, 1e-8);
    for (int h = 0; h < 3; h++) {
        CHECK_NEAR(r.strata[h].mean, mean[h], 1e-12);
        CHECK_NEAR(r.strata[h].variance, variance[h], 1e-12);
        CHECK_NEAR(r.strata[h].variance_share, variance[h] / r.variance, 1e-12);
    }
    CHECK_NEAR(r.strata[0].half_width, t_factor(0.95, 3) * sqrt(4000) / 100, 1e-12);
    assert_true(r.complete && !r.reweighted && !r.warning);
    projection_release(&r);
    p.with_replacement = true; /* no correction for the finite population */
    for (int h = 0; h < 3; h++)
        p.strata[h].take_all = false;
    CHECK_OK(projection_make(&p, results, 0.95, &r, &e), &e);
    CHECK_NEAR(r.variance, 20000, 1e-12);
    CHECK_NEAR(1.96 * sqrt(r.variance), 277.185858, 1e-8);
    projection_release(&r);
    plan_release(&p);
}

static void while_results_arrive(void **state)
{
    double y[9];
    struct projection r;
    struct plan p;
    struct err e;

    (void)state;
    plan_by_hand(&p, three, drawn, 3);
    for (int i = 0; i < 9; i++)
        y[i] = NAN;
    CHECK_OK(projection_make(&p, y, 0.95, &r, &e), &e);
    assert_true(isnan(r.value) && isnan(r.half_width) && strstr(r.warning, "no result yet"));
    assert_int_equal(r.done, 0);
    projection_release(&r);
    y[0] = 10, y[4] = 40, y[7] = 200;
    CHECK_OK(projection_make(&p, y, 0.95, &r, &e), &e);
    CHECK_NEAR(r.value, 1000 + 2000 + 2000, 1e-12);
    assert_true(isnan(r.half_width) && strstr(r.warning, "fewer than two"));
    projection_release(&r);
    y[1] = 12, y[5] = 44, y[8] = 210;
    CHECK_OK(projection_make(&p, y, 0.95, &r, &e), &e);
    CHECK_NEAR(r.value, 1100 + 2100 + 2050, 1e-12);
    CHECK_NEAR(r.variance, 100 * 98 / 2 * 2 + 50 * 48 / 2 * 8 + 10 * 8 / 2 * 50, 1e-12);
    assert_true(r.reweighted && !r.complete && strstr(r.warning, "missing at random"));
    assert_int_equal(r.done, 6);
    assert_int_equal(r.planned, 9);
    projection_release(&r);
    plan_release(&p);
}

static void constant_work_needs_no_interval(void **state)
{
    static const uint64_t population[] = {100}, two[] = {2};
    static const double same[] = {1000, 1000};
    struct projection r;
    struct plan p;
    struct err e;

    (void)state;
    plan_by_hand(&p, population, two, 1);
    CHECK_OK(projection_make(&p, same, 0.95, &r, &e), &e);
    CHECK_NEAR(r.value, 100000, 0);
    CHECK_NEAR(r.half_width, 0, 0);
    projection_release(&r);
    plan_release(&p);
}

/* Samples may be equal by chance. The plan's noise floor then replaces the observed spread. A larger observed
 * spread is used instead of the floor. */
static void agreeing_samples_do_not_end_doubt(void **state)
{
    static const uint64_t population[] = {200, 2}, two[] = {2, 2};
    static const double agree[] = {919, 919, 50, 70}, differ[] = {900, 940, 50, 70};
    const double floor_v = 200 * 198 / 2.0 * (0.005 * 919) * (0.005 * 919);
    struct projection r;
    struct plan p;
    struct err e;

    (void)state;
    plan_by_hand(&p, population, two, 2);
    p.params.noise_floor = 0.005;
    CHECK_OK(projection_make(&p, agree, 0.95, &r, &e), &e);
    CHECK_NEAR(r.variance, floor_v, 1e-12);
    CHECK_NEAR(r.df, 1, 1e-12);
    CHECK_NEAR(r.half_width, t_factor(0.95, 1) * sqrt(floor_v), 1e-12);
    CHECK_NEAR(r.strata[0].sd, 0, 0);
    CHECK_NEAR(r.strata[1].variance, 0, 0);
    assert_non_null(strstr(r.variance_method, "noise floor"));
    projection_release(&r);
    CHECK_OK(projection_make(&p, differ, 0.95, &r, &e), &e);
    CHECK_NEAR(r.variance, 200 * 198 / 2.0 * 800, 1e-12);
    projection_release(&r);
    plan_release(&p);
}

static void a_stratum_taken_whole_is_certain_and_a_single_sample_is_not(void **state)
{
    static const uint64_t population[] = {3, 1, 50}, whole[] = {3, 1, 2}, single[] = {3, 1, 1};
    static const double y[] = {1, 2, 3, 9, 10, 12};
    struct projection r;
    struct plan p;
    struct err e;

    (void)state;
    plan_by_hand(&p, population, whole, 3);
    CHECK_OK(projection_make(&p, y, 0.95, &r, &e), &e);
    CHECK_NEAR(r.value, 6 + 9 + 550, 1e-12);
    CHECK_NEAR(r.variance, 50 * 48 / 2 * 2, 1e-12);
    CHECK_NEAR(r.df, 1, 1e-12);
    CHECK_NEAR(r.strata[0].half_width, 0, 0);
    projection_release(&r);
    plan_release(&p);
    plan_by_hand(&p, population, single, 3);
    CHECK_OK(projection_make(&p, y, 0.95, &r, &e), &e);
    CHECK_NEAR(r.value, 6 + 9 + 500, 1e-12);
    assert_true(isnan(r.half_width) && strstr(r.warning, "single sample"));
    projection_release(&r);
    plan_release(&p);
}

static void two_designs_on_the_same_samples(void **state)
{
    static const uint64_t population[] = {100}, four[] = {4};
    static const double a[] = {10, 12, 9, 15}, b[] = {8, 9.9, 7.1, 12.3}, gap[] = {8, 9.9, 7.1, NAN};
    struct comparison c;
    struct plan p;
    struct err e;
    double t = t_factor(0.95, 3);

    (void)state;
    plan_by_hand(&p, population, four, 1);
    CHECK_OK(comparison_make(&p, a, b, 0.95, &c, &e), &e);
    CHECK_NEAR(c.difference, -217.5, 1e-12);
    CHECK_NEAR(c.difference_half_width / t, 17.606816862, 1e-10);
    CHECK_NEAR(c.ratio, 0.8108695652, 1e-10);
    CHECK_NEAR(c.ratio_half_width / t, 0.0077174825, 1e-8);
    CHECK_NEAR(c.df, 3, 1e-12);
    assert_int_equal(c.paired_on, 4);
    assert_true(c.distinguishable);
    CHECK_OK(comparison_make(&p, a, gap, 0.95, &c, &e), &e);
    assert_int_equal(c.paired_on, 3);
    CHECK_NEAR(c.ratio, 25 / 31.0, 1e-12);
    CHECK_OK(comparison_make(&p, a, a, 0.95, &c, &e), &e);
    assert_false(c.distinguishable);
    plan_release(&p);
}

static void a_real_difference_shows_in_both_intervals(void **state)
{
    (void)state;
    assert_true(comparison_real(-10, 9, 0.9, 0.09));
    assert_false(comparison_real(-10, 11, 0.9, 0.09));
    assert_false(comparison_real(-10, 9, 0.9, 0.11));
    assert_false(comparison_real(10, 9, 1.25, 0.25));
    assert_true(comparison_real(10, 9, NAN, NAN)); /* without a baseline there is no ratio */
    assert_false(comparison_real(10, NAN, 1.1, 0.01) || comparison_real(NAN, 1, 1.1, 0.01));
}

/* Variances computed with exact fractions. */
static void check_estimate(enum aux_estimator kind, const struct aux_stratum *s, size_t count, double value,
                           double variance)
{
    struct aux_estimate got;
    struct err e;

    CHECK_OK(aux_estimate(kind, s, count, 1, &got, &e), &e);
    CHECK_NEAR(got.value, value, 1e-12);
    CHECK_NEAR(got.variance, variance, 1e-12);
}

static void one_stratum_with_an_auxiliary(void **state)
{
    static const double x[] = {10, 12, 9, 15, 14}, y[] = {21, 25, 18, 31, 27};
    const struct aux_stratum s = {.population = 200, .x_total = 2500, .n = 5, .x = x, .y = y};
    struct aux_slope slope;
    struct err e;

    (void)state;
    check_estimate(AUX_EXPANSION, &s, 1, 4880, 201240);
    check_estimate(AUX_RATIO, &s, 1, 5083 + 1 / 3.0, 19279 / 3.0);
    check_estimate(AUX_RATIO_SEPARATE, &s, 1, 5083 + 1 / 3.0, 19279 / 3.0);
    check_estimate(AUX_DIFFERENCE, &s, 1, 4980, 53040);
    check_estimate(AUX_REGRESSION, &s, 1, 5076 + 2 / 13.0, 8220);
    CHECK_OK(aux_slopes(AUX_REGRESSION, &s, 1, 0, &slope, &e), &e);
    CHECK_NEAR(slope.b, 1.961538462, 1e-9);
    CHECK_NEAR(aux_doubt(&s, &slope).df, 3, 1e-12);
}

static void two_strata_with_an_auxiliary(void **state)
{
    static const double x1[] = {10, 12, 14}, y1[] = {11, 13, 16}, x2[] = {38, 42}, y2[] = {60, 66};
    struct aux_stratum s[] = {{.population = 100, .x_total = 1250, .n = 3, .x = x1, .y = y1},
                              {.population = 50, .x_total = 1900, .n = 2, .x = x2, .y = y2}};
    struct aux_slope slopes[2];
    struct err e;

    (void)state;
    check_estimate(AUX_EXPANSION, s, 2, 4483 + 1 / 3.0, 378700 / 9.0);
    check_estimate(AUX_RATIO_SEPARATE, s, 2, 4381 + 7 / 18.0, 139222 / 243.0);
    check_estimate(AUX_RATIO, s, 2, 4413.28125, 4551625 / 6912.0);
    CHECK_OK(aux_slopes(AUX_RATIO, s, 2, 0, slopes, &e), &e);
    CHECK_NEAR(slopes[1].b, 1.4010416667, 1e-10);
    check_estimate(AUX_DIFFERENCE, s, 2, 4433 + 1 / 3.0, 31300 / 9.0);
    s[1].group = 1; /* another kernel has its own combined ratio */
    check_estimate(AUX_RATIO, s, 2, 4381 + 7 / 18.0, 139222 / 243.0);
}

/* y = 2 x exactly, but the sample has only large x. The ratio estimate is still exact. */
static void the_cross_check_uses_what_is_known_of_all(void **state)
{
    static const uint64_t population[] = {10}, three_of_ten[] = {3};
    static const double y[] = {16, 18, 20};
    struct projection r;
    struct plan p;
    struct err e;

    (void)state;
    plan_by_hand(&p, population, three_of_ten, 1);
    p.strata[0].total = p.total = 55;
    p.samples[0].value = 8, p.samples[1].value = 9, p.samples[2].value = 10;
    CHECK_OK(projection_make(&p, y, 0.95, &r, &e), &e);
    CHECK_NEAR(r.value, 180, 1e-12);
    assert_int_equal(r.cross_check_count, 1);
    assert_string_equal(r.cross_checks[0].estimator, "ratio");
    CHECK_NEAR(r.cross_checks[0].value, 110, 1e-12);
    CHECK_NEAR(r.cross_checks[0].half_width, 0, 1e-9);
    projection_release(&r);
    p.samples[1].value = 0; /* not known */
    CHECK_OK(projection_make(&p, y, 0.95, &r, &e), &e);
    assert_int_equal(r.cross_check_count, 0);
    projection_release(&r);
    plan_release(&p);
}

/* Cycles are not proportional to warp instructions, so no ratio or regression on them is made. */
static void counts_of_instructions_make_no_ratio(void **state)
{
    static const enum projection_estimator refused[] = {PROJECT_RATIO, PROJECT_SEPARATE_RATIO, PROJECT_REGRESSION};
    static const uint64_t population[] = {10}, three_of_ten[] = {3};
    static const double y[] = {16, 18, 20};
    struct projection_options o = {.level = 0.95, .kappa = 2};
    struct projection r;
    struct plan p;
    struct err e;

    (void)state;
    plan_by_hand(&p, population, three_of_ten, 1);
    p.unit = PROFILE_WARP_INSTRUCTIONS;
    p.samples[0].value = 8, p.samples[1].value = 9, p.samples[2].value = 10;
    p.strata[0].total = p.total = 55;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        o.estimator = refused[i];
        assert_int_equal(projection_make_with(&p, y, &o, &r, &e), -1);
        assert_int_equal(e.code, ERR_INVALID);
        assert_non_null(strstr(e.text, "needs profiled times"));
    }
    o.estimator = PROJECT_EXPANSION; /* the difference estimator is unbiased in any case */
    CHECK_OK(projection_make_with(&p, y, &o, &r, &e), &e);
    assert_int_equal(r.cross_check_count, 1);
    assert_string_equal(r.cross_checks[0].estimator, "difference");
    projection_release(&r);
    plan_release(&p);
}

/* The two strata of the reference as two kernels: each has its own ratio, so the group's ratio is the separate
 * one. As one kernel they share a ratio. */
static void an_estimator_can_be_asked_for(void **state)
{
    static const uint64_t population[] = {100, 50}, drawn_there[] = {3, 2}, x[] = {10, 12, 14, 38, 42};
    static const double y[] = {11, 13, 16, 60, 66};
    static const struct {
        enum projection_estimator estimator;
        double value, variance;
    } cases[] = {{PROJECT_AS_PLANNED, 4483 + 1 / 3.0, 378700 / 9.0},
                 {PROJECT_EXPANSION, 4483 + 1 / 3.0, 378700 / 9.0},
                 {PROJECT_RATIO, 4413.28125, 4551625 / 6912.0},
                 {PROJECT_SEPARATE_RATIO, 4381 + 7 / 18.0, 139222 / 243.0},
                 {PROJECT_DIFFERENCE, 4433 + 1 / 3.0, 31300 / 9.0}};
    struct projection_options o = {.level = 0.95, .kappa = 1};
    struct projection r;
    struct plan p;
    struct err e;

    (void)state;
    plan_by_hand(&p, population, drawn_there, 2);
    p.strata[0].total = 1250, p.strata[1].total = 1900;
    for (int i = 0; i < 5; i++)
        p.samples[i].value = x[i];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        o.estimator = cases[i].estimator;
        CHECK_OK(projection_make_with(&p, y, &o, &r, &e), &e);
        CHECK_NEAR(r.value, cases[i].value, 1e-12);
        CHECK_NEAR(r.variance, cases[i].variance, 1e-12);
        CHECK_NEAR(r.strata[0].total + r.strata[1].total, cases[i].value, 1e-12);
        assert_int_equal(r.cross_check_count, i == 3 ? 3 : 2);
        assert_true((r.warning != NULL) == (cases[i].estimator == PROJECT_SEPARATE_RATIO));
        projection_release(&r);
    }
    strcpy(p.strata[1].kernel_name, "l");
    o.estimator = PROJECT_RATIO;
    CHECK_OK(projection_make_with(&p, y, &o, &r, &e), &e);
    CHECK_NEAR(r.value, 4381 + 7 / 18.0, 1e-12);
    projection_release(&r);
    o = (struct projection_options){.level = 0.95, .estimator = PROJECT_DIFFERENCE};
    CHECK_FAILS(projection_make_with(&p, y, &o, &r, &e), &e, ERR_INVALID, "the ratio of results");
    p.samples[0].value = 0;
    o.estimator = PROJECT_REGRESSION;
    CHECK_FAILS(projection_make_with(&p, y, &o, &r, &e), &e, ERR_INVALID, "profiled value");
    CHECK_FAILS(projection_estimator_from_name("mean", &o.estimator, &e), &e, ERR_INVALID, "mean");
    CHECK_OK(projection_estimator_from_name("regression", &o.estimator, &e), &e);
    assert_int_equal(o.estimator, PROJECT_REGRESSION);
    plan_release(&p);
}

/* y is a line in x with an intercept: regression is exact, the ratio is not. The pooled slope of two strata costs
 * each half a degree of freedom. */
static void regression_finds_the_line(void **state)
{
    static const uint64_t population[] = {100, 80}, three_each[] = {3, 3}, x[] = {10, 12, 17, 30, 31, 38};
    struct projection_options o = {.level = 0.95, .estimator = PROJECT_REGRESSION};
    struct projection r;
    struct plan p;
    struct err e;
    double y[6];

    (void)state;
    plan_by_hand(&p, population, three_each, 2);
    p.strata[0].total = 1400, p.strata[1].total = 2600;
    for (int i = 0; i < 6; i++) {
        p.samples[i].value = x[i];
        y[i] = 50 + 2 * (double)x[i];
    }
    CHECK_OK(projection_make_with(&p, y, &o, &r, &e), &e);
    CHECK_NEAR(r.value, 180 * 50 + 2 * 4000, 1e-12);
    CHECK_NEAR(r.half_width, 0, 1e-6);
    projection_release(&r);
    y[0] += 1;
    CHECK_OK(projection_make_with(&p, y, &o, &r, &e), &e);
    assert_true(r.half_width > 0 && r.df >= 1.5 && r.df <= 3);
    projection_release(&r);
    plan_release(&p);
}

/* Instructions per cycle: the ratio of two totals, not the mean of three rates. Its error is that of n - R d. */
static void a_rate_is_a_ratio_of_totals(void **state)
{
    static const uint64_t population[] = {100}, four[] = {4};
    static const double cycles[] = {10, 12, 9, 15}, instructions[] = {8, 9.9, 7.1, 12.3}, none[] = {0, 0, 0, 0};
    double t = t_factor(0.95, 3);
    struct projected x;
    struct plan p;
    struct err e;

    (void)state;
    plan_by_hand(&p, population, four, 1);
    for (int rate = 0; rate < 2; rate++) {
        CHECK_OK((rate ? projected_rate : projected_ratio)(&p, instructions, cycles, 0.95, &x, &e), &e);
        CHECK_NEAR(x.value, 0.8108695652, 1e-9);
        CHECK_NEAR(x.half_width / t, 0.0077174825, 1e-8);
        assert_int_equal(x.results, 4);
    }
    CHECK_OK(projected_total(&p, cycles, 0.95, &x, &e), &e);
    CHECK_NEAR(x.value, 1150, 1e-12);
    CHECK_NEAR(x.half_width, t * 100 * sqrt(0.96 / 4 * 7), 1e-12);
    CHECK_OK(projected_ratio(&p, cycles, none, 0.95, &x, &e), &e);
    assert_true(isnan(x.value) && isnan(x.half_width));
    plan_release(&p);
}

/* Three strata of one kernel: two of one shape each with a planned spread of 1 %, and one of several shapes with
 * a planned spread of half its mean. The spread of the last does not apply to the others. The interval is that of
 * n - R d, by hand. The second has a smaller relative spread than the first and is shrunk towards both. */
static void strata_of_one_shape_do_not_spread_as_those_of_several(void **state)
{
    static const uint64_t population[] = {100, 50, 10}, samples[] = {2, 2, 2};
    static const double top[] = {102, 98, 40, 40, 1, 9}, bottom[] = {100, 100, 50, 50, 10, 10};
    const double rate = (100 * 100 + 50 * 40 + 10 * 5) / (100 * 100 + 50 * 50 + 10 * 10.0);
    double size, common, square[3], variance = 0;
    struct projected x;
    struct plan p;
    struct err e;

    (void)state;
    plan_by_hand(&p, population, samples, 3);
    for (int h = 0; h < 3; h++)
        p.strata[h].planned_sd = h < 2 ? 0.01 : 0.5;
    p.strata[2].mixed_shapes = true;
    square[0] = square[2] = 0;
    for (int i = 0; i < 2; i++) {
        square[0] += pow(top[i] - 100, 2); /* e = top - R bottom, and bottom is the same */
        square[2] += pow(top[4 + i] - 5, 2);
    }
    size = 0.01 * (40 + rate * 50);
    /* one has a spread, one has none: the mean of both */
    common = square[0] / pow(0.01 * (100 + rate * 100), 2) / 2;
    /* 16 degrees of freedom compared with one observed */
    square[1] = 16 * common * size * size / 17;
    for (int h = 0; h < 3; h++)
        variance += (double)(population[h] * (population[h] - 2)) / 2 * square[h];
    CHECK_OK(projected_rate(&p, top, bottom, 0.95, &x, &e), &e);
    CHECK_NEAR(x.value, rate, 1e-12);
    CHECK_NEAR(x.half_width, t_factor(0.95, x.df) * sqrt(variance) / (100 * 100 + 50 * 50 + 10 * 10), 1e-9);
    p.strata[2].mixed_shapes = false; /* now it counts as one shape: all three share a spread */
    square[0] = x.half_width;
    CHECK_OK(projected_rate(&p, top, bottom, 0.95, &x, &e), &e);
    assert_true(fabs(x.half_width - square[0]) > 0.01 * square[0]);
    plan_release(&p);
}

/* All sectors hit in every sample: the residuals are 0, but launches that were not drawn may miss. If numerator
 * and denominator are proportional in every launch, the rate is exact, however much both vary. */
static void a_rate_of_one_has_an_interval(void **state)
{
    static const uint64_t population[] = {100}, samples[] = {3};
    static const double sectors[] = {10, 500, 70}, none[] = {0, 0, 0};
    struct projected x;
    struct plan p;
    struct err e;

    (void)state;
    plan_by_hand(&p, population, samples, 1);
    p.params.noise_floor = 0.005;
    CHECK_OK(projected_rate(&p, sectors, sectors, 0.95, &x, &e), &e);
    CHECK_NEAR(x.value, 1, 1e-12);
    assert_true(x.half_width > 0 && x.half_width < 0.001);
    CHECK_OK(projected_rate(&p, none, sectors, 0.95, &x, &e), &e); /* an event that never occurred has total 0 */
    assert_true(x.value == 0 && x.half_width == 0);
    CHECK_OK(projected_counter(&p, none, 0.95, &x, &e), &e);
    assert_true(x.value == 0 && x.half_width == 0);
    plan_release(&p);
}

/* 24 of 100 launches: 24 equal results, and 5 for a counter that five of them have. That is too few: a fifth of it
 * would be missed in one of three draws. For a hit rate, misses count like hits. */
static void few_results_that_decide_promise_nothing(void **state)
{
    static const uint64_t population[] = {100, 20}, samples[] = {24, 20};
    double even[24], five[24], missed[24], none[24] = {0};
    struct projected x;
    struct plan p;
    struct err e;

    (void)state;
    for (int i = 0; i < 24; i++) {
        even[i] = 10;
        five[i] = i < 5 ? 10 : 0;
        missed[i] = i ? 10 : 0;
    }
    plan_by_hand(&p, population, samples, 1);
    p.params.noise_floor = 0.005;
    CHECK_OK(projected_counter(&p, even, 0.95, &x, &e), &e);
    CHECK_NEAR(x.effective, 24, 1e-12);
    assert_true(x.promised);
    CHECK_OK(projected_counter(&p, five, 0.95, &x, &e), &e);
    CHECK_NEAR(x.effective, 5, 1e-12);
    assert_true(!x.promised && x.half_width > 0);
    CHECK_OK(projected_rate(&p, five, even, 0.95, &x, &e), &e);
    CHECK_NEAR(x.effective, 5, 1e-12);
    CHECK_OK(projected_rate(&p, missed, even, 0.95, &x, &e), &e);
    CHECK_NEAR(x.effective, 1, 1e-12);
    assert_true(!x.promised);
    CHECK_OK(projected_counter(&p, none, 0.95, &x, &e), &e);
    assert_true(x.effective == 0 && !x.promised);
    plan_release(&p);
    plan_by_hand(&p, population + 1, samples + 1, 1); /* every launch is a sample */
    CHECK_OK(projected_rate(&p, missed, even, 0.95, &x, &e), &e);
    assert_true(isinf(x.effective) && x.promised);
    CHECK_OK(projected_rate(&p, even, even, 0.95, &x, &e), &e); /* no misses at all */
    assert_true(isinf(x.effective) && x.promised);
    plan_release(&p);
}

/* Two strata of equal totals: 20 samples of one shape, four of 100 launches of several shapes. Of the latter
 * 1 - 0.05^(1/4 - 1/100) may be of shapes that are not in the sample: half of 51 % is more than a fifth. With 20
 * samples it is 7 %. */
static void few_results_of_several_shapes_promise_nothing(void **state)
{
    static const uint64_t population[] = {100, 100}, few[] = {20, 4}, many[] = {20, 20};
    double even[40];
    struct projected x;
    struct plan p;
    struct err e;

    (void)state;
    for (int i = 0; i < 40; i++)
        even[i] = 10;
    plan_by_hand(&p, population, few, 2);
    CHECK_OK(projected_counter(&p, even, 0.95, &x, &e), &e);
    CHECK_NEAR(x.effective, 200 * 200 / (100 * 100 / 20.0 + 100 * 100 / 4.0), 1e-9);
    assert_true(x.hidden == 0);
    p.strata[1].mixed_shapes = true;
    CHECK_OK(projected_rate(&p, even, even, 0.95, &x, &e), &e);
    CHECK_NEAR(x.hidden, 0.5 * (1 - pow(0.05, 0.24)), 1e-12);
    assert_true(!x.promised);
    plan_release(&p);
    plan_by_hand(&p, population, many, 2);
    p.strata[1].mixed_shapes = true;
    CHECK_OK(projected_counter(&p, even, 0.95, &x, &e), &e);
    CHECK_NEAR(x.hidden, 0.5 * (1 - pow(0.05, 0.04)), 1e-12);
    assert_true(x.promised);
    plan_release(&p);
}

/* Two kernels with one stratum of two shapes each, two samples. Those of one agree by chance: its spread is then
 * that of the other, relative to the planned one. */
static void agreement_of_several_shapes_is_doubted(void **state)
{
    static const uint64_t population[] = {12, 12}, samples[] = {2, 2};
    static const double y[] = {80, 120, 100, 100};
    struct projected x;
    struct plan p;
    struct err e;
    double square = 800, common = square / 2; /* 16 degrees of freedom compared with one observed */

    (void)state;
    plan_by_hand(&p, population, samples, 2);
    for (int h = 0; h < 2; h++) {
        p.strata[h].mixed_shapes = true;
        p.strata[h].planned_sd = 0.5;
        p.strata[h].mean = 1;
    }
    CHECK_OK(projected_counter(&p, y, 0.95, &x, &e), &e);
    CHECK_NEAR(x.half_width, t_factor(0.95, x.df) * sqrt(60 * square + 60 * 16 * common / 17), 1e-9);
    plan_release(&p);
}

/* Three strata of one kernel, planned on instruction counts, two samples each. The launches of the last have equal
 * counts and equal results. Those of the others do not, so the agreement of the second's two samples is compared
 * with the first alone. In a plan on times all three share a spread. */
static void unequal_counts_do_not_spread_as_equal_ones(void **state)
{
    static const uint64_t population[] = {12, 12, 12}, samples[] = {2, 2, 2};
    static const double y[] = {80, 120, 100, 100, 100, 100};
    const double square = 800;
    struct projected x, on_times;
    struct plan p;
    struct err e;

    (void)state;
    plan_by_hand(&p, population, samples, 3);
    for (int h = 0; h < 3; h++)
        p.strata[h].planned_sd = 0.5;
    p.strata[0].high = p.strata[1].high = 2;
    CHECK_OK(projected_counter(&p, y, 0.95, &on_times, &e), &e);
    p.unit = PROFILE_WARP_INSTRUCTIONS;
    CHECK_OK(projected_counter(&p, y, 0.95, &x, &e), &e);
    CHECK_NEAR(x.half_width, t_factor(0.95, x.df) * sqrt(60 * (square + 16 * square / 2 / 17)), 1e-9);
    CHECK_NEAR(on_times.half_width, t_factor(0.95, on_times.df) * sqrt(60 * (square + 2 * 16 * square / 3 / 17)),
               1e-9);
    plan_release(&p);
}

/* Twelve launches of three shapes, whose planned values are 5 on average. None of the third shape is among the four
 * samples, with 2, 2, 3, 3. Results are ten times that, so the mean of all is probably 25 larger. */
static void a_sample_without_the_largest_shape_has_a_wide_interval(void **state)
{
    static const uint64_t population[] = {12}, samples[] = {4};
    static const double y[] = {20, 20, 30, 30};
    const double missing = 1 / 4.0 - 1 / 12.0, square = 100 / 3.0;
    struct projected x;
    struct plan p;
    struct err e;

    (void)state;
    plan_by_hand(&p, population, samples, 1);
    p.strata[0].mixed_shapes = true;
    p.strata[0].planned_sd = 0.5;
    for (int i = 0; i < 4; i++)
        p.samples[i].value = i < 2 ? 2 : 3;
    p.strata[0].total = 30; /* the samples represent all */
    CHECK_OK(projected_counter(&p, y, 0.95, &x, &e), &e);
    CHECK_NEAR(x.half_width, t_factor(0.95, x.df) * sqrt(144 * missing * square), 1e-9);
    p.strata[0].total = 60;
    CHECK_OK(projected_counter(&p, y, 0.95, &x, &e), &e);
    CHECK_NEAR(x.half_width,
               t_factor(0.95, x.df) * sqrt(144 * missing * (16 * 25 * 25 / missing + 3 * square) / 19), 1e-9);
    assert_true(x.half_width > 12 * 25);
    plan_release(&p);
}

/* Two strata of the same twelve launches. In the first sample the launches of the largest shape are missing, in the
 * second there are too many, so that the total is right. Then the imbalance of both does not widen the interval;
 * that of the first alone does. */
static void a_total_without_the_largest_shapes_has_a_wide_interval(void **state)
{
    static const uint64_t population[] = {12, 12}, samples[] = {4, 4};
    static const double y[] = {20, 20, 30, 30, 20, 20, 30, 30};
    const double variance = 2 * 144 * (1 / 4.0 - 1 / 12.0) * 100 / 3.0;
    struct projection r;
    struct plan p;
    struct err e;

    (void)state;
    plan_by_hand(&p, population, samples, 2);
    for (int i = 0; i < 8; i++)
        p.samples[i].value = i % 4 < 2 ? 2 : 3;
    p.strata[0].total = p.strata[1].total = 60;
    CHECK_OK(projection_make(&p, y, 0.95, &r, &e), &e);
    CHECK_NEAR(r.half_width, t_factor(0.95, r.df) * sqrt(variance), 1e-9); /* launches of one shape */
    projection_release(&r);

    p.strata[0].mixed_shapes = p.strata[1].mixed_shapes = true;
    CHECK_OK(projection_make(&p, y, 0.95, &r, &e), &e);
    CHECK_NEAR(r.half_width, t_factor(0.95, r.df) * 2 * 12 * 10 * 2.5, 1e-9);
    projection_release(&r);

    p.strata[1].total = 0;
    CHECK_OK(projection_make(&p, y, 0.95, &r, &e), &e);
    CHECK_NEAR(r.half_width, t_factor(0.95, r.df) * sqrt(variance), 1e-9);
    projection_release(&r);
    plan_release(&p);
}

/* A cache that a share of 400 launches misses, with about 100 of 1000 sectors. 30 launches are drawn, 4000 times
 * for each share. If the intervals of the hit rate hold in less than 93 %, they must not be promised. If the
 * share is large, they must be. */
static void a_rate_of_rare_events_is_promised_only_where_its_interval_holds(void **state)
{
    static const double shares[] = {0.01, 0.03, 0.06, 0.1, 0.2, 0.35, 0.5, 0.8};
    enum { N = 400, SAMPLES = 30, DRAWS = 4000 };
    static const uint64_t population[] = {N}, samples[] = {SAMPLES};
    double misses[N], hits[SAMPLES], loads[SAMPLES], least = 1;
    struct plan p;
    struct rng r;
    struct err e;

    (void)state;
    rng_init(&r, 23, 0, RNG_TEST);
    plan_by_hand(&p, population, samples, 1);
    p.params.noise_floor = 0.005;
    p.strata[0].planned_sd = 0.005;
    for (size_t k = 0; k < sizeof shares / sizeof *shares; k++) {
        unsigned promised = 0, broken = 0, holds = 0;
        double truth = 0;

        for (int i = 0; i < N; i++) {
            misses[i] = i < shares[k] * N ? 100 * (1 + 0.2 * rng_unit(&r)) : 0;
            truth += (1000 - misses[i]) / (1000.0 * N);
        }
        for (int draw = 0; draw < DRAWS; draw++) {
            struct projected x;
            bool held;

            for (int i = 0; i < SAMPLES; i++) {
                size_t other = (size_t)i + (size_t)(rng_unit(&r) * (N - i));
                double swap = misses[other];

                misses[other] = misses[i];
                misses[i] = swap;
                loads[i] = 1000;
                hits[i] = 1000 - swap;
            }
            CHECK_OK(projected_rate(&p, hits, loads, 0.95, &x, &e), &e);
            held = fabs(x.value - truth) <= x.half_width;
            holds += held;
            promised += x.promised;
            broken += x.promised && !held;
        }
        least = fmin(least, (double)holds / DRAWS);
        if (broken > 0.07 * DRAWS)
            fail_msg("misses in %g of launches: promised in %u of %d draws, and broken in %u", shares[k], promised,
                     DRAWS, broken);
        if (shares[k] >= 0.8)
            assert_int_equal(promised, DRAWS);
    }
    assert_true(least < 0.5); /* some intervals have a very low coverage */
    plan_release(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(three_strata),
        cmocka_unit_test(while_results_arrive),
        cmocka_unit_test(constant_work_needs_no_interval),
        cmocka_unit_test(agreeing_samples_do_not_end_doubt),
        cmocka_unit_test(a_stratum_taken_whole_is_certain_and_a_single_sample_is_not),
        cmocka_unit_test(two_designs_on_the_same_samples),
        cmocka_unit_test(a_real_difference_shows_in_both_intervals),
        cmocka_unit_test(one_stratum_with_an_auxiliary),
        cmocka_unit_test(two_strata_with_an_auxiliary),
        cmocka_unit_test(the_cross_check_uses_what_is_known_of_all),
        cmocka_unit_test(counts_of_instructions_make_no_ratio),
        cmocka_unit_test(an_estimator_can_be_asked_for),
        cmocka_unit_test(regression_finds_the_line),
        cmocka_unit_test(a_rate_is_a_ratio_of_totals),
        cmocka_unit_test(strata_of_one_shape_do_not_spread_as_those_of_several),
        cmocka_unit_test(a_rate_of_one_has_an_interval),
        cmocka_unit_test(few_results_that_decide_promise_nothing),
        cmocka_unit_test(few_results_of_several_shapes_promise_nothing),
        cmocka_unit_test(agreement_of_several_shapes_is_doubted),
        cmocka_unit_test(unequal_counts_do_not_spread_as_equal_ones),
        cmocka_unit_test(a_sample_without_the_largest_shape_has_a_wide_interval),
        cmocka_unit_test(a_total_without_the_largest_shapes_has_a_wide_interval),
        cmocka_unit_test(a_rate_of_rare_events_is_promised_only_where_its_interval_holds),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
