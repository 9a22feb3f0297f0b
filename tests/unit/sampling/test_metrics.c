/* Quantiles of times, and launches that could not be simulated, with values computed by hand. */
#include "tests/harness/check.h"

#include "base/rng.h"
#include "sampling/checks/nonresponse.h"
#include "sampling/math/quantile.h"
#include "sampling/estimate/time_quantile.h"
#include "tests/unit/sampling/plan_by_hand.h"

/* 90 short launches are represented by three samples (30 each), 10 long ones by two (5 each). */
static void quantiles_by_weight(void **state)
{
    static const uint64_t population[] = {90, 10}, samples[] = {3, 2};
    static const double y[] = {3, 1, 2, 50, 40};
    struct time_quantile q[] = {{.p = 0.25}, {.p = 0.3}, {.p = 0.5}, {.p = 0.9}, {.p = 0.92}, {.p = 0.99}};
    static const double want[] = {1, 1, 2, 3, 40, 50};
    struct plan p;
    struct err e;

    (void)state;
    plan_by_hand(&p, population, samples, 2);
    CHECK_OK(time_quantiles(&p, y, 0.95, q, 6, &e), &e);
    for (int k = 0; k < 6; k++) {
        CHECK_NEAR(q[k].value, want[k], 1e-12);
        assert_true(q[k].low <= q[k].value && q[k].value <= q[k].high);
    }
    /* 90 of 100 are short in every draw, but no sample shows the longest of them */
    assert_true(q[3].low > 2 && q[3].low <= 3 && q[3].high > 3 && q[3].high < 40);
    p.estimator = PLAN_INSTRUCTION_RATIO;
    CHECK_FAILS(time_quantiles(&p, y, 0.95, q, 1, &e), &e, ERR_INVALID, "instructions");
    plan_release(&p);
}

/* For samples of a uniform population, nearly all intervals contain its median. */
static void intervals_hold_the_median(void **state)
{
    static const uint64_t population[] = {2000}, samples[] = {40};
    unsigned held = 0, runs = 500;
    struct rng r;
    struct plan p;
    struct err e;

    (void)state;
    plan_by_hand(&p, population, samples, 1);
    rng_init(&r, 1, 2, RNG_TEST);
    for (unsigned i = 0; i < runs; i++) {
        struct time_quantile q = {.p = 0.5};
        double y[40];

        for (int k = 0; k < 40; k++)
            y[k] = 1 + rng_unit(&r);
        CHECK_OK(time_quantiles(&p, y, 0.95, &q, 1, &e), &e);
        held += q.low <= 1.5 && 1.5 <= q.high;
    }
    assert_in_range(held, 455, 495); /* 95 %, less three standard errors of 1 %, but not all */
    plan_release(&p);
}

/* Two samples of each of many strata are both above or both below a value in nearly all draws. Their position is
 * known only from their spread. Strata are 10 % apart, and their launches differ by 2 %. */
static void two_samples_of_a_stratum_leave_doubt(void **state)
{
    enum { STRATA = 20, EACH = 100, RUNS = 300 };
    static double launches[STRATA][EACH];
    uint64_t population[STRATA], samples[STRATA];
    unsigned held[3] = {0}, zero = 0;
    double all[STRATA * EACH], y[2 * STRATA];
    struct rng r;
    struct plan p;
    struct err e;

    (void)state;
    rng_init(&r, 3, 4, RNG_TEST);
    for (size_t h = 0; h < STRATA; h++) {
        population[h] = EACH;
        samples[h] = 2;
        for (size_t i = 0; i < EACH; i++) /* sorted, because the strata do not overlap */
            all[h * EACH + i] = launches[h][i] = (1 + 0.1 * (double)h) * (1 + 0.02 * ((double)i + 0.5) / EACH);
    }
    plan_by_hand(&p, population, samples, STRATA);
    for (unsigned run = 0; run < RUNS; run++) {
        struct time_quantile q[] = {{.p = 0.1}, {.p = 0.5}, {.p = 0.925}};

        for (size_t h = 0; h < STRATA; h++) {
            uint64_t one = rng_below(&r, EACH), other = (one + 1 + rng_below(&r, EACH - 1)) % EACH;

            y[2 * h] = launches[h][one];
            y[2 * h + 1] = launches[h][other];
        }
        CHECK_OK(time_quantiles(&p, y, 0.95, q, 3, &e), &e);
        for (size_t k = 0; k < 3; k++) {
            double truth = all[(size_t)(q[k].p * STRATA * EACH + 0.5) - 1];

            held[k] += q[k].low <= truth && truth <= q[k].high;
            zero += q[k].low == q[k].high;
            assert_true(q[k].high - q[k].low < 0.25); /* not wider than the neighbouring strata */
        }
    }
    for (size_t k = 0; k < 3; k++)
        assert_in_range(held[k], 0.93 * RUNS, RUNS);
    assert_int_equal(zero, 0);
    plan_release(&p);
}

/* One stratum with all launches, whose times span three decades; few samples and many. */
static void a_skewed_stratum_is_held_on_both_sides(void **state)
{
    enum { POPULATION = 5000, RUNS = 200 };
    static const uint64_t population[] = {POPULATION}, samples[] = {12, 50, 400};
    static double all[POPULATION], sorted[POPULATION];
    struct rng r;

    (void)state;
    rng_init(&r, 5, 6, RNG_TEST);
    for (size_t i = 0; i < POPULATION; i++) /* the quantiles of a lognormal distribution, sigma 1.5 */
        all[i] = sorted[i] = exp(1.5 * normal_quantile(((double)i + 0.5) / POPULATION));
    for (size_t k = 0; k < 3; k++) {
        unsigned held[3] = {0};
        struct plan p;
        struct err e;

        plan_by_hand(&p, population, &samples[k], 1);
        for (unsigned run = 0; run < RUNS; run++) {
            struct time_quantile q[] = {{.p = 0.1}, {.p = 0.5}, {.p = 0.9}};
            double y[400];

            for (size_t i = 0; i < samples[k]; i++) {
                size_t other = i + rng_below(&r, POPULATION - i);
                double swapped = all[i];

                y[i] = all[i] = all[other];
                all[other] = swapped;
            }
            CHECK_OK(time_quantiles(&p, y, 0.95, q, 3, &e), &e);
            for (size_t j = 0; j < 3; j++) {
                double truth = sorted[(size_t)(q[j].p * POPULATION + 0.5) - 1];

                held[j] += q[j].low <= truth && truth <= q[j].high;
            }
        }
        for (size_t j = 0; j < 3; j++) /* 95 %, less three standard errors */
            assert_in_range(held[j], 0.904 * RUNS, RUNS);
        plan_release(&p);
    }
}

static void a_stratum_without_results(void **state)
{
    static const uint64_t population[] = {90, 10}, samples[] = {3, 2};
    static const double y[] = {3, 1, 2, NAN, NAN}, one[] = {3, 1, 2, 4, NAN};
    struct time_quantile q = {.p = 0.5};
    struct plan p;
    struct err e;

    (void)state;
    plan_by_hand(&p, population, samples, 2);
    CHECK_OK(time_quantiles(&p, y, 0.95, &q, 1, &e), &e);
    assert_true(isnan(q.value) && isnan(q.low));
    CHECK_OK(time_quantiles(&p, one, 0.95, &q, 1, &e), &e);
    assert_true(q.value == 2 && isnan(q.low));
    plan_release(&p);
}

/* Totals 100 x 10 and 50 x 20. Two of the four samples of the second stratum failed: they represent half of it, a
 * quarter of the total. In the profile they were 1.5 times as long as the other two. */
static void what_could_not_be_done(void **state)
{
    static const uint64_t population[] = {100, 50}, samples[] = {2, 2};
    static const double y[] = {9, 11, 18, 22};
    struct not_done failed[] = {{1, 3}, {1, 3}};
    struct projection r;
    struct nonresponse n;
    struct plan p;
    struct err e;

    (void)state;
    plan_by_hand(&p, population, samples, 2);
    p.samples[2].value = p.samples[3].value = 2;
    CHECK_OK(projection_make(&p, y, 0.95, &r, &e), &e);
    CHECK_OK(nonresponse_make(&p, y, &r, failed, 2, &n, &e), &e);
    CHECK_NEAR(n.share, 0.25, 1e-12);
    CHECK_NEAR(n.if_twice, 0.25, 1e-12);
    CHECK_NEAR(n.if_profiled, 0.125, 1e-12);
    assert_non_null(strstr(n.sentence, "2 drawn launches"));
    CHECK_OK(nonresponse_make(&p, y, &r, failed, 0, &n, &e), &e);
    assert_true(n.share == 0 && !n.sentence[0]);
    failed[0].stratum = 2;
    CHECK_FAILS(nonresponse_make(&p, y, &r, failed, 2, &n, &e), &e, ERR_INVALID, "is not in the plan");
    projection_release(&r);
    plan_release(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quantiles_by_weight),
        cmocka_unit_test(intervals_hold_the_median),
        cmocka_unit_test(two_samples_of_a_stratum_leave_doubt),
        cmocka_unit_test(a_skewed_stratum_is_held_on_both_sides),
        cmocka_unit_test(a_stratum_without_results),
        cmocka_unit_test(what_could_not_be_done),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
