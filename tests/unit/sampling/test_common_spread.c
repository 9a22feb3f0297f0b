/* Spreads of differences drawn towards the common one, worked by hand; and intervals of pairs that take few values.
 */
#include "tests/harness/check.h"

#include "base/rng.h"
#include "sampling/common_spread.h"
#include "sampling/projection.h"
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
    CHECK_NEAR(common_spread_square(&s[0], 400, 1), (150 + 400) / 2.0, 1e-9);           /* more is seen: 1 */
    CHECK_NEAR(common_spread_square(&s[1], 100, 2), (16 * 150 + 2 * 100) / 18.0, 1e-9); /* less: 16 */
    CHECK_NEAR(common_spread_square(&s[2], 0, 1), 16 * 15000 / 17.0, 1e-9);
}

/* Nine of 1 and one of 100 with a degree of freedom each: c = (9 + min(100, 6 c)) / 10 = 2.25. */
static void no_stratum_decides_for_all(void **state)
{
    static const double wide[] = {0, 10 * M_SQRT2}, narrow[] = {0, M_SQRT2};
    struct aux_stratum s[10];

    (void)state;
    for (int h = 0; h < 10; h++)
        s[h] = stratum(h ? narrow : wide, 2, 1);
    common_spread(s, 10, 0);
    for (int h = 0; h < 10; h++)
        CHECK_NEAR(s[h].common_sd, 1.5, 1e-3); /* twenty rounds from above */
}

/* Strata of several names are a class of their own; a single one of a class counts as seen, and so does one taken
 * whole. A fiftieth of the noise floor is the least. */
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
    CHECK_NEAR(quiet[0].common_sd, 0.001, 1e-15);
    CHECK_NEAR(quiet[1].common_sd, 0.003, 1e-15);
}

/* Ten strata whose 100 launches take four values equally often on the second design, two pairs of each: both agree
 * every fourth time. The interval of the ratio holds as often as it says, and is less than three
 * standard errors wide (by each stratum alone: 3.3). */
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_common_spread_is_the_mean_by_degrees_of_freedom),
        cmocka_unit_test(no_stratum_decides_for_all),
        cmocka_unit_test(who_shares_it),
        cmocka_unit_test(pairs_of_few_values),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
