/* Quantiles of times, and launches that could not be done, by values worked by hand. */
#include "tests/harness/check.h"

#include "base/rng.h"
#include "sampling/nonresponse.h"
#include "sampling/time_quantile.h"
#include "tests/unit/sampling/plan_by_hand.h"

/* 90 short launches by three samples (30 each), 10 long ones taken by two (5 each). */
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
    /* between the strata nothing is left to chance: 90 of 100 are short, whatever was drawn */
    assert_true(q[3].low == 3 && q[3].high == 3);
    p.estimator = PLAN_INSTRUCTION_RATIO;
    CHECK_FAILS(time_quantiles(&p, y, 0.95, q, 1, &e), &e, ERR_INVALID, "instructions");
    plan_release(&p);
}

/* Of samplings of an even population, nearly all intervals hold its median. */
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
    assert_in_range(held, 455, 495); /* 95 %, less three standard errors of 1 %, and not all */
    plan_release(&p);
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

/* Totals 100 x 10 and 50 x 20. Of the second stratum's four drawn, two failed: they stand for half of it, a quarter
 * of the total. In the profile they were 1.5 times as long as those that did not. */
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
    assert_non_null(strstr(n.sentence, "2 launches"));
    CHECK_OK(nonresponse_make(&p, y, &r, failed, 0, &n, &e), &e);
    assert_true(n.share == 0 && !n.sentence[0]);
    failed[0].stratum = 2;
    CHECK_FAILS(nonresponse_make(&p, y, &r, failed, 2, &n, &e), &e, ERR_INVALID, "none of the plan's");
    projection_release(&r);
    plan_release(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quantiles_by_weight),
        cmocka_unit_test(intervals_hold_the_median),
        cmocka_unit_test(a_stratum_without_results),
        cmocka_unit_test(what_could_not_be_done),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
