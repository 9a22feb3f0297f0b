/* Combined ratios by kernel: totals and the jackknife compared with sums without each result; chance agreement in
 * the heaviest stratum; uses of the ratio in a plan. */
#include <string.h>

#include "tests/harness/check.h"

#include "base/rng.h"
#include "sampling/estimate/gather.h"
#include "sampling/plan/plan.h"
#include "sampling/estimate/projection.h"
#include "sampling/math/quantile.h"
#include "sampling/estimate/ratio.h"

/* Data of the methods reference, with a third stratum of another kernel and a fourth of several kernels. */
enum { STRATA = 4, RESULTS = 11 };
static const double population[STRATA] = {100, 50, 40, 30}, x_total[STRATA] = {1250, 1900, 900, 700};
static const size_t count[STRATA] = {3, 2, 4, 2}, group[STRATA] = {0, 0, 2, 3};
static const double x_of[RESULTS] = {10, 12, 14, 38, 42, 20, 25, 21, 23, 20, 30},
                    y_of[RESULTS] = {11, 13, 16, 60, 66, 40, 52, 41, 48, 9, 14};

static void lay(struct aux_stratum *s, const double *x, const double *y, size_t left_out, double *xs, double *ys)
{
    size_t at = 0, kept = 0;

    for (size_t h = 0; h < STRATA; h++) {
        s[h] = (struct aux_stratum){.population = population[h],
                                    .x_total = x_total[h],
                                    .x = xs + kept,
                                    .y = ys + kept,
                                    .group = group[h],
                                    .own_factors = h == 3};
        for (size_t i = 0; i < count[h]; i++, at++) {
            if (at == left_out)
                continue;
            xs[kept] = x[at];
            ys[kept++] = y[at];
            s[h].n++;
        }
    }
}

/* Sum over kernels of X sum(N mean y) / sum(N mean x), by definition. `shared_ratio` applies to the stratum of
 * several kernels; 0: the ratio of all strata. */
static double total_of(const struct aux_stratum *s, double shared_ratio)
{
    double y[STRATA] = {0}, x[STRATA] = {0}, big_x[STRATA] = {0}, all_y = 0, all_x = 0, total = 0;

    for (size_t h = 0; h < STRATA; h++) {
        double top = s[h].population * aux_mean(s[h].y, s[h].n),
               bottom = s[h].population * aux_mean(s[h].x, s[h].n);

        y[s[h].group] += top;
        x[s[h].group] += bottom;
        big_x[s[h].group] += s[h].x_total;
        all_y += top;
        all_x += bottom;
    }
    for (size_t g = 0; g < STRATA; g++)
        if (x[g] > 0 && g != 3)
            total += big_x[g] * y[g] / x[g];
    return total + y[3] + (shared_ratio > 0 ? shared_ratio : all_y / all_x) * (big_x[3] - x[3]);
}

static double ratio_of_all(const struct aux_stratum *s)
{
    double y = 0, x = 0;

    for (size_t h = 0; h < STRATA; h++) {
        y += s[h].population * aux_mean(s[h].y, s[h].n);
        x += s[h].population * aux_mean(s[h].x, s[h].n);
    }
    return y / x;
}

static void jackknife_is_that_of_the_definition(void **state)
{
    double xs[RESULTS], ys[RESULTS], without[RESULTS], all, shared, variance = 0;
    struct aux_stratum s[STRATA];
    struct aux_estimate a;
    struct err e;

    (void)state;
    lay(s, x_of, y_of, RESULTS, xs, ys);
    shared = ratio_of_all(s);
    all = total_of(s, 0);
    for (size_t i = 0; i < RESULTS; i++) {
        lay(s, x_of, y_of, i, xs, ys);
        without[i] = total_of(s, shared);
    }
    for (size_t h = 0, at = 0; h < STRATA; at += count[h++]) {
        double n = (double)count[h], mean = aux_mean(without + at, count[h]), squares = 0;

        for (size_t i = 0; i < count[h]; i++)
            squares += (without[at + i] - mean) * (without[at + i] - mean);
        variance += (1 - n / population[h]) * (n - 1) / n * squares;
    }
    lay(s, x_of, y_of, RESULTS, xs, ys);
    CHECK_OK(ratio_adjust(s, STRATA, ys, &e), &e);
    a = estimate_expansion(s, STRATA);
    CHECK_NEAR(a.value, all, 1e-12);
    CHECK_NEAR(a.variance, variance, 1e-9);
    /* only the two strata of the reference */
    lay(s, x_of, y_of, RESULTS, xs, ys);
    CHECK_OK(ratio_adjust(s, 2, ys, &e), &e);
    CHECK_NEAR(estimate_expansion(s, 2).value, 4413.28125, 1e-12);
}

/* y / x is constant: the only uncertainty is the noise floor's. A launch of ten times the size has the correct
 * weight. */
static void exact_where_results_are_in_proportion(void **state)
{
    double xs[RESULTS], ys[RESULTS], y[RESULTS];
    struct aux_stratum s[STRATA];
    struct aux_estimate a;
    struct err e;

    (void)state;
    for (size_t i = 0; i < RESULTS; i++)
        y[i] = 1.7 * x_of[i];
    lay(s, x_of, y, RESULTS, xs, ys);
    CHECK_OK(ratio_adjust(s, STRATA, ys, &e), &e);
    a = estimate_expansion(s, STRATA);
    CHECK_NEAR(a.value, 1.7 * (1250 + 1900 + 900 + 700), 1e-12);
    assert_true(a.variance < 1e-18 * a.value * a.value);
}

/* Total and residuals of b - a are those of b less those of a. */
static void linear_in_results(void **state)
{
    double xs[RESULTS], a[RESULTS], b[RESULTS], d[RESULTS], other[RESULTS], difference[RESULTS];
    struct aux_stratum s[STRATA];
    struct err e;

    (void)state;
    for (size_t i = 0; i < RESULTS; i++) {
        other[i] = y_of[i] * (1 + 0.1 * (double)(i % 3)) + (double)i;
        difference[i] = other[i] - y_of[i];
    }
    lay(s, x_of, y_of, RESULTS, xs, a);
    CHECK_OK(ratio_adjust(s, STRATA, a, &e), &e);
    lay(s, x_of, other, RESULTS, xs, b);
    CHECK_OK(ratio_adjust(s, STRATA, b, &e), &e);
    lay(s, x_of, difference, RESULTS, xs, d);
    CHECK_OK(ratio_adjust(s, STRATA, d, &e), &e);
    for (size_t i = 0; i < RESULTS; i++)
        CHECK_NEAR(1000 + d[i], 1000 + b[i] - a[i], 1e-12);
}

/* The two results of the heaviest stratum agree, those of the other strata do not. The interval uses the spread
 * of the others. */
static void luck_of_one_stratum_is_seen_through(void **state)
{
    static const double y[] = {1000, 1000, 10, 14, 20, 26, 31, 24, 12, 9};
    struct aux_stratum s[5];
    struct aux_estimate a, least;
    double common = 0, expected = 0;

    (void)state;
    for (size_t h = 0; h < 5; h++)
        s[h] = (struct aux_stratum){.population = 20, .n = 2, .y = y + 2 * h, .least_spread = 0.005};
    a = estimate_expansion(s, 5);
    least = ratio_min(s, 5, a);
    for (size_t h = 0; h < 5; h++) {
        double mean = aux_mean(s[h].y, 2);

        common += aux_residual_squares(&s[h], 0) / (mean * mean) / 5;
    }
    for (size_t h = 0; h < 5; h++)
        expected += 20 * 18 / 2.0 * common * aux_mean(s[h].y, 2) * aux_mean(s[h].y, 2);
    CHECK_NEAR(least.variance, expected, 1e-9);
    CHECK_NEAR(least.df, 5, 0);
    CHECK_NEAR(least.value, a.value, 0);
    assert_true(aux_half_width(&least, 0.95) > 2 * aux_half_width(&a, 0.95));
    for (size_t h = 0; h < 5; h++) /* half of the planned variance counts, even if the results agree */
        s[h].planned_cv = 2;
    expected *= 0.5 * 4 / common;
    CHECK_NEAR(ratio_min(s, 5, estimate_expansion(s, 5)).variance, expected, 1e-9);
    s[0].common_noise = true; /* as in a total of a plan by ratio */
    CHECK_NEAR(estimate_expansion(s, 5).variance, expected, 1e-9);
}

/* --- plans --- */

static void make_profile(struct profile *p, enum profile_unit unit)
{
    static const char *const names[] = {"alpha", "beta", "gamma"};
    struct profile_builder *b;
    struct rng r;
    struct err e;

    b = profile_builder_new(unit, 0, &e);
    assert_non_null(b);
    rng_init(&r, 3, 1, RNG_TEST);
    for (size_t i = 0; i < 1500; i++) {
        struct profile_row row = {
            .name = names[i % 3], .grid = {1, 1, 1}, .block = {128, 1, 1}, .correlation = i + 1};

        row.value = (uint64_t)(1e5 * (1 + (double)(i % 3)) * (0.5 + 2 * rng_unit(&r)));
        CHECK_OK(profile_builder_add(b, &row, &e), &e);
    }
    CHECK_OK(profile_builder_finish(b, p, &e), &e);
    profile_builder_free(b);
}

static void plan(const struct profile *p, enum plan_estimator estimator, uint32_t least, struct plan *out)
{
    struct plan_params params = PLAN_PARAMS_DEFAULT;
    struct err e;

    params.error = 0.02;
    params.estimator = estimator;
    params.least_samples = least;
    CHECK_OK(plan_make("vivace", p, &params, out, &e), &e);
}

static void refused(const struct profile *p, uint32_t least, const char *why)
{
    struct plan_params params = PLAN_PARAMS_DEFAULT;
    struct plan out;
    struct err e;

    params.estimator = PLAN_RATIO;
    params.least_samples = least;
    assert_int_equal(plan_make("vivace", p, &params, &out, &e), -1);
    assert_int_equal(e.code, ERR_INVALID);
    assert_non_null(strstr(e.text, why));
}

static void plans_go_by_ratios_where_they_can(void **state)
{
    struct profile times, instructions;
    struct plan ratio, expansion;

    (void)state;
    make_profile(&times, PROFILE_NS);
    make_profile(&instructions, PROFILE_WARP_INSTRUCTIONS);
    plan(&times, PLAN_RATIO, 2, &ratio);
    plan(&times, PLAN_EXPANSION, 2, &expansion);
    assert_int_equal(ratio.estimator, PLAN_RATIO);
    assert_int_equal(ratio.params.estimator, PLAN_RATIO);
    assert_int_equal(expansion.estimator, PLAN_EXPANSION);
    assert_non_null(strstr(ratio.note, "exact on this profile by construction"));
    assert_true(ratio.promise_valid && ratio.promised_error <= 0.02);
    assert_true(ratio.speedup > 1.3 * expansion.speedup);
    refused(&times, 1, "two samples");
    refused(&instructions, 2, "counts warp instructions");
    plan_release(&ratio);
    plan_release(&expansion);
    profile_release(&times);
    profile_release(&instructions);
}

/* Totals, differences and strata of a plan by ratio are consistent. Other estimators are available. */
static void projections_of_such_plans(void **state)
{
    struct projection_options by = PROJECTION_OPTIONS_DEFAULT;
    double *a, *b, kernel[3][2] = {{0}}, expected = 0, sum = 0;
    struct projection pa, pb, expansion;
    struct comparison c;
    struct profile p;
    struct plan x;
    struct rng r;
    struct err e;

    (void)state;
    make_profile(&p, PROFILE_NS);
    plan(&p, PLAN_RATIO, 2, &x);
    a = calloc(x.sample_count, sizeof *a);
    b = calloc(x.sample_count, sizeof *b);
    rng_init(&r, 5, 1, RNG_TEST);
    for (size_t i = 0; i < x.sample_count; i++) {
        const struct plan_sample *s = &x.samples[i];
        double *of = kernel[p.kernel[s->launch]];

        a[i] = 2 * (double)s->value * (1 + 0.01 * rng_normal(&r));
        b[i] = 0.9 * a[i] * (1 + 0.002 * rng_normal(&r));
        of[0] += s->weight * a[i];
        of[1] += s->weight * (double)s->value;
    }
    for (size_t k = 0; k < 3; k++) {
        double total = 0;

        for (size_t i = 0; i < p.count; i++)
            total += p.kernel[i] == k ? (double)p.value[i] : 0;
        expected += total * kernel[k][0] / kernel[k][1];
    }
    CHECK_OK(projection_make(&x, a, 0.95, &pa, &e), &e);
    CHECK_OK(projection_make(&x, b, 0.95, &pb, &e), &e);
    CHECK_NEAR(pa.value, expected, 1e-12);
    assert_string_equal(pa.estimator, "ratio");
    assert_non_null(strstr(pa.variance_method, "jackknife"));
    assert_null(pa.warning);
    for (size_t h = 0, at = 0; h < pa.stratum_count; at += x.strata[h++].samples) {
        double n = (double)pa.strata[h].done, mean = aux_mean(a + at, (size_t)n), squares = 0;

        sum += pa.strata[h].total;
        for (size_t i = 0; i < pa.strata[h].done; i++)
            squares += (a[at + i] - mean) * (a[at + i] - mean);
        CHECK_NEAR(pa.strata[h].sd, sqrt(squares / (n - 1)), 1e-9); /* of the unscaled results */
    }
    CHECK_NEAR(sum, pa.value, 1e-12);
    assert_int_equal(pa.cross_check_count, 1);
    assert_string_equal(pa.cross_checks[0].estimator, "expansion");
    assert_true(pa.cross_checks[0].half_width > 3 * pa.half_width);
    CHECK_OK(comparison_make(&x, a, b, 0.95, &c, &e), &e);
    CHECK_NEAR(c.difference, pb.value - pa.value, 1e-9);
    CHECK_NEAR(c.ratio, pb.value / pa.value, 1e-12);
    assert_true(c.ratio_half_width < 0.5 * pa.half_width / pa.value);
    CHECK_OK(comparison_make(&x, a, a, 0.95, &c, &e), &e); /* designs with exactly equal results */
    assert_true(c.difference == 0 && c.difference_half_width > 0 && !c.distinguishable);
    CHECK_NEAR(c.ratio, 1, 1e-15);
    assert_true(c.ratio_half_width > 0);
    by.estimator = PROJECT_EXPANSION;
    CHECK_OK(projection_make_with(&x, a, &by, &expansion, &e), &e);
    CHECK_NEAR(expansion.value, pa.cross_checks[0].value, 1e-12);
    CHECK_NEAR(expansion.half_width, pa.cross_checks[0].half_width, 1e-12);
    projection_release(&expansion);
    by.estimator = PROJECT_RATIO; /* an explicit request for the ratio gives the plan's own */
    CHECK_OK(projection_make_with(&x, a, &by, &expansion, &e), &e);
    CHECK_NEAR(expansion.half_width, pa.half_width, 0);
    projection_release(&expansion);
    projection_release(&pa);
    projection_release(&pb);
    plan_release(&x);
    profile_release(&p);
    free(a);
    free(b);
}

/* Strata of equal values have no spread. Rounding of the running sums must not make their variance negative. */
static void equal_values_without_a_noise_floor(void **state)
{
    struct plan_params params = PLAN_PARAMS_DEFAULT;
    struct err e;

    (void)state;
    params.estimator = PLAN_RATIO;
    params.noise_floor = 0;
    for (uint64_t n = 1; n <= 120; n++) {
        struct profile_builder *b = profile_builder_new(PROFILE_NS, 0, &e);
        struct profile p;
        struct plan plan;

        for (uint64_t i = 0; i < n; i++) {
            struct profile_row row = {
                .name = "k", .grid = {1, 1, 1}, .block = {32, 1, 1}, .value = 100 * (1 + i % 2), .correlation = i};

            CHECK_OK(profile_builder_add(b, &row, &e), &e);
        }
        CHECK_OK(profile_builder_finish(b, &p, &e), &e);
        profile_builder_free(b);
        CHECK_OK(plan_make("vivace", &p, &params, &plan, &e), &e);
        for (size_t h = 0; h < plan.stratum_count; h++)
            assert_true(plan.strata[h].planned_sd >= 0);
        plan_release(&plan);
        profile_release(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jackknife_is_that_of_the_definition),
        cmocka_unit_test(exact_where_results_are_in_proportion),
        cmocka_unit_test(linear_in_results),
        cmocka_unit_test(luck_of_one_stratum_is_seen_through),
        cmocka_unit_test(plans_go_by_ratios_where_they_can),
        cmocka_unit_test(equal_values_without_a_noise_floor),
        cmocka_unit_test(projections_of_such_plans),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
