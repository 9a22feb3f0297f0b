/* Spreads of differences that are shrunk towards a common spread, with values computed by hand; intervals of
 * pairs that take few distinct values. */
#include "tests/harness/check.h"

#include "base/rng.h"
#include "sampling/estimate/common_spread.h"
#include "sampling/estimate/comparisons.h"
#include "sampling/estimate/projection.h"
#include "tests/unit/sampling/plan_by_hand.h"

/* Two or three results of 50 whose pairs have this size. */
static struct aux_stratum stratum(const double *y, size_t n, double scale)
{
    return (struct aux_stratum){.population = 50, .n = n, .y = y, .scale = scale};
}

/* (s / m)^2 of 4, 1 and 0 (two that agree) with 1, 2 and 1 degrees of freedom: (4 + 2 + 0) / 4 = 1.5. */
static void the_common_spread_is_the_mean_by_degrees_of_freedom(void **state)
{
    static const double wide[] = {0, 20 * M_SQRT2}, middle[] = {-10, 0, 10}, agree[] = {3, 3};
    struct aux_stratum s[] = {stratum(wide, 2, 10), stratum(middle, 3, 10), stratum(agree, 2, 100)};

    (void)state;
    common_spread(s, 3, 0);
    CHECK_NEAR(s[0].common_sd, 10 * sqrt(1.5), 1e-12);
    CHECK_NEAR(s[1].common_sd, 10 * sqrt(1.5), 1e-12);
    CHECK_NEAR(s[2].common_sd, 100 * sqrt(1.5), 1e-12);
    /* the observed 400 is larger: weight 1 for the common spread */
    CHECK_NEAR(common_spread_square(&s[0], 400, 1), (150 + 400) / 2.0, 1e-9);
    /* the observed 100 is smaller: weight 16 for the common spread */
    CHECK_NEAR(common_spread_square(&s[1], 100, 2), (16 * 150 + 2 * 100) / 18.0, 1e-9);
    CHECK_NEAR(common_spread_square(&s[2], 0, 1), 16 * 15000 / 17.0, 1e-9);
}

/* Nine strata of 1 and one of 100, with one degree of freedom each: c = (9 + min(100, 6 c)) / 10 = 2.25. */
static void no_stratum_decides_for_all(void **state)
{
    static const double wide[] = {0, 10 * M_SQRT2}, narrow[] = {0, M_SQRT2};
    struct aux_stratum s[10];

    (void)state;
    for (int h = 0; h < 10; h++)
        s[h] = stratum(h ? narrow : wide, 2, 1);
    common_spread(s, 10, 0);
    for (int h = 0; h < 10; h++)
        CHECK_NEAR(s[h].common_sd, 1.5, 1e-3); /* twenty iterations from above */
}

/* One stratum of 100 among nine without spread, each with one degree of freedom. At most 5 / n of c^2 is
 * subtracted from its s^2, with and without a floor above c. The nine count with the floor. The one is not shrunk
 * to it. */
static void what_one_stratum_shows_is_not_halved(void **state)
{
    static const double wide[] = {0, 10 * M_SQRT2}, agree[] = {7, 7}, narrow[] = {0, M_SQRT2};
    static const double noise_floor[] = {0, 0.005, 5};
    struct aux_stratum s[10];

    (void)state;
    for (size_t f = 0; f < 3; f++) {
        double least = 10 * 0.02 * noise_floor[f], most_taken;

        for (int h = 0; h < 10; h++)
            s[h] = stratum(h ? agree : wide, 2, 10);
        common_spread(s, 10, noise_floor[f]);
        most_taken = 5 * s[0].common_sd * s[0].common_sd / 2;
        assert_true(most_taken < 0.01);
        CHECK_NEAR(common_spread_square(&s[0], 100, 1), 100 - most_taken, 1e-9);
        assert_true(common_spread_square(&s[1], 0, 1) >= least * least);
        assert_true(common_spread_square(&s[1], 0, 1) <= fmax(0.01, least * least));
    }
    /* nine strata with s^2 = 1: c^2 = 2.25, as above */
    for (int h = 1; h < 10; h++)
        s[h] = stratum(narrow, 2, 10);
    common_spread(s, 10, 0);
    CHECK_NEAR(common_spread_square(&s[0], 100, 1), 100 - 5 * 2.25 / 2, 0.01);
}

/* From 6 c^2 on the subtracted amount is constant, and it changes continuously up to there. */
static void what_is_taken_away_has_a_limit(void **state)
{
    struct aux_stratum s = {.common_sd = 2};

    (void)state;
    CHECK_NEAR(common_spread_square(&s, 4, 1), 4, 1e-12);
    CHECK_NEAR(common_spread_square(&s, 12, 1), (4 + 12) / 2.0, 1e-12);
    CHECK_NEAR(common_spread_square(&s, 24, 1), (4 + 24) / 2.0, 1e-12);
    CHECK_NEAR(common_spread_square(&s, 25, 1), 25 - 10, 1e-12);
    CHECK_NEAR(common_spread_square(&s, 4000, 3), 4000 - 5 * 4 / 4.0, 1e-12);
}

/* Strata of several names are a class of their own. A class with a single stratum keeps its observed spread, and
 * so does a census. The smallest spread is a fiftieth of the noise floor, except for a census. */
static void who_shares_it(void **state)
{
    static const double wide[] = {0, 10 * M_SQRT2}, narrow[] = {0, M_SQRT2}, agree[] = {2, 2};
    struct aux_stratum s[] = {stratum(narrow, 2, 1), stratum(narrow, 2, 1), stratum(wide, 2, 1)};
    struct aux_stratum quiet[] = {stratum(agree, 2, 10), stratum(agree, 2, 30)};

    (void)state;
    s[2].own_factors = true;
    common_spread(s, 3, 0);
    CHECK_NEAR(s[0].common_sd, 1, 1e-12);
    assert_true(s[2].common_sd == 0);
    CHECK_NEAR(common_spread_square(&s[2], 100, 1), 100, 1e-12);
    s[1].population = 2;
    common_spread(s, 3, 0);
    assert_true(s[0].common_sd == 0 && s[1].common_sd == 0);
    common_spread(quiet, 2, 0.005);
    for (int h = 0; h < 2; h++)
        CHECK_NEAR(common_spread_square(&quiet[h], 0, 1), h ? 9e-6 : 1e-6, 1e-15);
    common_spread(quiet, 1, 0.005); /* also for a single stratum */
    CHECK_NEAR(common_spread_square(&quiet[0], 0, 1), 1e-6, 1e-15);
    CHECK_NEAR(common_spread_square(&quiet[0], 2e-6, 1), 2e-6, 1e-15);
    quiet[1].own_factors = true;
    common_spread(quiet, 2, 0.005);
    CHECK_NEAR(common_spread_square(&quiet[1], 0, 1), 9e-6, 1e-15);
    quiet[1].population = 2;
    common_spread(quiet, 2, 0.005);
    assert_true(quiet[1].least_common_sd == 0);
}

/* Ten strata whose 100 launches take four values equally often on the second design, with two pairs of each
 * stratum. The pairs of a stratum are equal in one of four draws. The interval of the ratio has its nominal
 * coverage and is less than three standard errors wide (with separate strata: 3.3). */
static void pairs_of_few_values(void **state)
{
    enum { STRATA = 10, DRAWS = 4000 };
    static const uint64_t population[STRATA] = {100, 100, 100, 100, 100, 100, 100, 100, 100, 100};
    static const uint64_t samples[STRATA] = {2, 2, 2, 2, 2, 2, 2, 2, 2, 2};
    static const double factor[] = {1.000, 1.002, 1.004, 1.010};
    double a[2 * STRATA], b[2 * STRATA], width = 0, squares = 0, truth = (1 + 1.002 + 1.004 + 1.010) / 4;
    unsigned holds = 0;
    struct plan p;
    struct rng r;

    (void)state;
    plan_by_hand(&p, population, samples, STRATA);
    p.params.noise_floor = 0.005;
    for (size_t h = 0; h < STRATA; h++)
        p.strata[h].planned_sd = 0.005;
    rng_init(&r, 11, 0, RNG_TEST);
    for (int draw = 0; draw < DRAWS; draw++) {
        struct comparison c;
        struct err e;

        for (int i = 0; i < 2 * STRATA; i++) {
            a[i] = 1000 * (1 + i / 2);
            b[i] = a[i] * factor[rng_below(&r, 4)];
        }
        CHECK_OK(comparison_make(&p, a, b, 0.95, &c, &e), &e);
        holds += fabs(c.ratio - truth) <= c.ratio_half_width;
        width += c.ratio_half_width / DRAWS;
        squares += (c.ratio - truth) * (c.ratio - truth) / DRAWS;
    }
    print_message("holds %.1f %%, %.2f standard errors wide\n", 100.0 * holds / DRAWS, width / sqrt(squares));
    assert_true(holds >= 0.94 * DRAWS);
    assert_true(width < 3 * sqrt(squares));
    plan_release(&p);
}

/* Ten strata of 100 launches. One stratum has a spread on the second design (normal, 2 %), the others take as
 * long as on the first. n launches of each are drawn. Returns the share of intervals that contain the true value.
 */
static double share_held(uint64_t n, double noise_floor)
{
    enum { STRATA = 10, MOST = 3, DRAWS = 20000 };
    uint64_t population[STRATA], samples[STRATA];
    double a[MOST * STRATA], b[MOST * STRATA];
    unsigned holds = 0;
    struct plan p;
    struct rng r;

    for (int h = 0; h < STRATA; h++) {
        population[h] = 100;
        samples[h] = n;
    }
    plan_by_hand(&p, population, samples, STRATA);
    p.params.noise_floor = noise_floor;
    rng_init(&r, 12, 0, RNG_TEST);
    for (size_t i = 0; i < p.sample_count; i++)
        a[i] = b[i] = 1000;
    for (int draw = 0; draw < DRAWS; draw++) {
        /* the sum over the launches that were not drawn */
        double truth = 20 * sqrt(100.0 - (double)n) * rng_normal(&r);
        struct comparison c;
        struct err e;

        for (uint64_t i = 0; i < n; i++) {
            b[i] = 1000 + 20 * rng_normal(&r);
            truth += b[i] - a[i];
        }
        CHECK_OK(comparison_make(&p, a, b, 0.95, &c, &e), &e);
        holds += fabs(c.difference - truth) <= c.difference_half_width;
    }
    plan_release(&p);
    return (double)holds / DRAWS;
}

/* The coverage is nominal within three standard errors: 95.0 and 95.1 %. If the variance of that stratum were
 * shrunk with d = 1 and no limit, it would be 93.1 and 93.0 %. (With two samples and a floor, the degrees of
 * freedom of the other nine make Satterthwaite's too large when the one shows little spread: 93.2 %.) */
static void spread_in_one_stratum_of_ten(void **state)
{
    double without_floor = share_held(2, 0), of_three = share_held(3, 0.005);

    (void)state;
    print_message("holds %.1f and %.1f %%\n", 100 * without_floor, 100 * of_three);
    assert_true(without_floor >= 0.945 && of_three >= 0.945);
}

/* Two designs with equal results on every sample, in a plan of one stratum and one kernel: the ratio is known to
 * some hundredths of a percent, not exactly. */
static void one_stratum_alone_has_the_floor(void **state)
{
    static const uint64_t population[] = {100}, samples[] = {4};
    static const double y[] = {1000, 1000, 1000, 1000}, *const both[] = {y, y};
    /* f m of 0.0001 times 2000; t of three degrees of freedom at 95 % */
    const double expected = 3.182446 * 0.2 * sqrt(100 * 96 / 4.0);
    struct comparisons c;
    struct plan p;
    struct err e;

    (void)state;
    plan_by_hand(&p, population, samples, 1);
    p.params.noise_floor = 0.005;
    CHECK_OK(comparisons_make(&p, both, 2, 0, 0.95, &c, &e), &e);
    CHECK_NEAR(c.totals[1].difference_half_width, expected, 1e-4);
    CHECK_NEAR(c.kernels[1].difference_half_width, expected, 1e-4);
    assert_true(c.kernels[1].ratio_half_width > 0 && !c.kernels[1].distinguishable);
    comparisons_release(&c);
    plan_release(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_common_spread_is_the_mean_by_degrees_of_freedom),
        cmocka_unit_test(no_stratum_decides_for_all),
        cmocka_unit_test(what_one_stratum_shows_is_not_halved),
        cmocka_unit_test(what_is_taken_away_has_a_limit),
        cmocka_unit_test(who_shares_it),
        cmocka_unit_test(pairs_of_few_values),
        cmocka_unit_test(spread_in_one_stratum_of_ten),
        cmocka_unit_test(one_stratum_alone_has_the_floor),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
