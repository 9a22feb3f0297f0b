/* The bootstrap check: compared with a complete list of resamples, and with the result for normal samples. */
#include "tests/harness/check.h"

#include "base/rng.h"
#include "sampling/checks/bootstrap.h"
#include "sampling/estimate/gather.h"
#include "sampling/math/quantile.h"
#include "tests/unit/sampling/plan_by_hand.h"

static const double four[] = {3, 5, 4, 10};

/* All 4^4 resamples of four results, which are equally likely. */
static void every_resample_of_four(void **state)
{
    double means[256], squares = 0, cubes = 0;
    struct bca b;

    (void)state;
    for (int i = 0; i < 256; i++)
        means[i] = (four[i & 3] + four[i >> 2 & 3] + four[i >> 4 & 3] + four[i >> 6 & 3]) / 4;
    for (int i = 0; i < 4; i++) {
        squares += (four[i] - 5.5) * (four[i] - 5.5);
        cubes += (four[i] - 5.5) * (four[i] - 5.5) * (four[i] - 5.5);
    }
    bca_interval(means, 256, 5.5, cubes / (6 * pow(squares, 1.5)), 0.95, &b);
    CHECK_NEAR(b.bias, 0.0685943705, 1e-9);
    CHECK_NEAR(b.acceleration, 0.0768394503, 1e-9);
    CHECK_NEAR(b.probability[0], 0.0567360043, 1e-9);
    CHECK_NEAR(b.probability[1], 0.9932771141, 1e-9);
    CHECK_NEAR(b.low, 3.5, 0);
    CHECK_NEAR(b.high, 8.75, 0);
    CHECK_NEAR(b.percentile_low, 3.5, 0);
    CHECK_NEAR(b.percentile_high, 8.5, 0);
}

static struct bootstrap resampled(const struct plan *p, const double *y, const struct projection_options *o)
{
    struct projection r;
    struct bootstrap b;
    struct err e;

    CHECK_OK(projection_make_with(p, y, o, &r, &e), &e);
    CHECK_OK(bootstrap_make(p, y, o, &r, BOOTSTRAP_RESAMPLES, &b, &e), &e);
    projection_release(&r);
    return b;
}

static const struct projection_options plain = {.level = 0.95};

/* The acceleration is that of the listed case for any population size. Standard error and finite-population
 * correction are those of the formula. */
static void resampling_agrees_with_the_formula(void **state)
{
    static const uint64_t population[] = {1000, 60}, drawn[] = {4, 30};
    double y[34];
    struct bootstrap b, again;
    struct projection r;
    struct plan p;
    struct err e;
    struct rng g;

    (void)state;
    plan_by_hand(&p, population, drawn, 1);
    b = resampled(&p, four, &plain);
    CHECK_NEAR(b.interval.acceleration, 0.0768394503, 1e-9);
    assert_int_equal(b.resamples, BOOTSTRAP_RESAMPLES);
    plan_release(&p);
    plan_by_hand(&p, population, drawn, 2);
    memcpy(y, four, sizeof four);
    rng_init(&g, 7, 0, RNG_TEST);
    for (int i = 4; i < 34; i++)
        y[i] = 400 + 50 * rng_normal(&g);
    CHECK_OK(projection_make_with(&p, y, &plain, &r, &e), &e);
    b = resampled(&p, y, &plain);
    CHECK_NEAR(b.standard_error, sqrt(r.variance), 0.05);
    again = resampled(&p, y, &plain);
    assert_memory_equal(&b, &again, sizeof b);
    p.params.seed = 99;
    again = resampled(&p, y, &plain);
    assert_true(b.standard_error != again.standard_error);
    projection_release(&r);
    plan_release(&p);
}

/* x nearly proportional to y: the bootstrap of the ratio is as narrow as the ratio's own interval. */
static void the_ratio_is_resampled_as_a_ratio(void **state)
{
    static const uint64_t population[] = {5000}, drawn[] = {40};
    const struct projection_options ratio = {.level = 0.95, .estimator = PROJECT_RATIO};
    struct projection r;
    struct bootstrap b;
    struct plan p;
    struct err e;
    struct rng g;
    double y[40];

    (void)state;
    plan_by_hand(&p, population, drawn, 1);
    p.total = 0;
    rng_init(&g, 8, 0, RNG_TEST);
    for (int i = 0; i < 40; i++) {
        p.samples[i].value = 100 + rng_below(&g, 800);
        y[i] = 3 * (double)p.samples[i].value * (1 + 0.02 * rng_normal(&g));
        /* the sample has the distribution of the population */
        p.strata[0].total = p.total += 5000 / 40 * p.samples[i].value;
    }
    CHECK_OK(projection_make_with(&p, y, &ratio, &r, &e), &e);
    b = resampled(&p, y, &ratio);
    CHECK_NEAR(b.standard_error, sqrt(r.variance), 0.08);
    assert_true(r.half_width < 0.02 * r.value && b.informative && !b.disagrees);
    projection_release(&r);
    plan_release(&p);
}

static void skewed_results_are_reported(void **state)
{
    static const uint64_t population[] = {100000}, drawn[] = {25};
    double y[25];
    struct bootstrap b;
    struct plan p;

    (void)state;
    plan_by_hand(&p, population, drawn, 1);
    for (int i = 0; i < 25; i++)
        y[i] = i < 24 ? 10 + i * 0.1 : 300; /* one launch is much longer */
    b = resampled(&p, y, &plain);
    assert_true(b.informative && b.disagrees && strstr(b.sentence, "skewed"));
    assert_true(b.interval.acceleration > 0.05);
    for (int i = 0; i < 25; i++)
        y[i] = 100 + i;
    b = resampled(&p, y, &plain);
    assert_true(b.informative && !b.disagrees);
    p.params.noise_floor = 0.5; /* the interval comes from the noise floor, which no resample shows */
    b = resampled(&p, y, &plain);
    assert_true(!b.informative && !b.disagrees && strstr(b.sentence, "noise floor"));
    plan_release(&p);
}

static void where_there_is_none(void **state)
{
    static const uint64_t population[] = {50, 4}, pair[] = {2, 4}, single[] = {1, 4};
    static const double y[] = {1, 3, 5, 6, 7, 8};
    struct bootstrap b;
    struct plan p;

    (void)state;
    plan_by_hand(&p, population, pair, 2);
    b = resampled(&p, y, &plain);
    assert_true(!b.why_not && !b.informative);
    CHECK_NEAR(b.uninformed, 1, 1e-12);
    p.variance = PLAN_VARIANCE_NONE;
    assert_non_null(strstr(resampled(&p, y, &plain).why_not, "rule"));
    p.variance = PLAN_VARIANCE_SUCCESSIVE;
    assert_non_null(strstr(resampled(&p, y, &plain).why_not, "systematic"));
    plan_release(&p);
    plan_by_hand(&p, population, single, 2);
    assert_non_null(strstr(resampled(&p, y, &plain).why_not, "one sample"));
    plan_release(&p);
    plan_by_hand(&p, population + 1, pair + 1, 1);
    assert_non_null(strstr(resampled(&p, y, &plain).why_not, "no sampling error"));
    plan_release(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_resample_of_four),
        cmocka_unit_test(resampling_agrees_with_the_formula),
        cmocka_unit_test(the_ratio_is_resampled_as_a_ratio),
        cmocka_unit_test(skewed_results_are_reported),
        cmocka_unit_test(where_there_is_none),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
