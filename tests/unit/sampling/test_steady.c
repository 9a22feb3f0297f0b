/* Degrees of freedom when one stratum has most of the variance and its two results agree by chance; ratios. */
#include "tests/harness/check.h"

#include "base/rng.h"
#include "sampling/estimate/projection.h"
#include "tests/unit/sampling/plan_by_hand.h"

enum { QUIET = 9, PER_QUIET = 6, RESULTS = 2 + QUIET * PER_QUIET, REPEATS_HERE = 4000 };

/* A stratum of 1000 with two results, and nine of 100 with six each. With equal relative noise the first has
 * nearly all of the variance. In the profile all launches take 1. */
static void make_plan(struct plan *p)
{
    uint64_t population[1 + QUIET] = {1000}, samples[1 + QUIET] = {2};

    for (size_t h = 1; h <= QUIET; h++) {
        population[h] = 100;
        samples[h] = PER_QUIET;
    }
    plan_by_hand(p, population, samples, 1 + QUIET);
    p->params.noise_floor = 0.005;
    for (size_t h = 0; h <= QUIET; h++)
        p->strata[h].planned_sd = 0.005;
}

/* The degrees of freedom of the t interval are those of the first stratum, for any values of its two results. */
static void luck_raises_no_df(void **state)
{
    static const enum projection_estimator all[] = {PROJECT_EXPANSION, PROJECT_RATIO, PROJECT_DIFFERENCE};
    double a[RESULTS], b[RESULTS];
    struct plan p;
    struct err e;

    (void)state;
    make_plan(&p);
    for (int i = 0; i < RESULTS; i++) {
        a[i] = i < 2 ? 10 : i % 2 ? 9 : 11;
        b[i] = i < 2 ? 12 : i % 3 ? 11 : 13;
    }
    for (int k = 0; k < 3; k++) {
        struct projection_options o = {.level = 0.95, .estimator = all[k], .kappa = 10};
        struct projection r;

        CHECK_OK(projection_make_with(&p, a, &o, &r, &e), &e);
        assert_true(r.df >= 1 && r.df < 1.2);
        projection_release(&r);
    }
    for (int mixed = 0; mixed < 2; mixed++) {
        struct comparison c;

        /* quiet strata with several kernels do not add degrees of freedom */
        for (size_t h = 1; mixed && h <= 3; h++) {
            p.strata[h].mixed_names = true;
            p.strata[h].planned_sd = 0.4;
        }
        CHECK_OK(comparison_make(&p, a, b, 0.95, &c, &e), &e);
        assert_true(c.df >= 1 && c.df < 1.3);
    }
    plan_release(&p);
}

/* Both designs are the profile with independent noise of 5 %. */
static void intervals_of_differences_hold(void **state)
{
    unsigned ratio = 0, difference = 0;
    double a[RESULTS], b[RESULTS];
    struct plan p;
    struct rng r;

    (void)state;
    make_plan(&p);
    rng_init(&r, 7, 0, RNG_TEST);
    for (int repeat = 0; repeat < REPEATS_HERE; repeat++) {
        struct comparison c;
        struct err e;

        for (int i = 0; i < RESULTS; i++) {
            a[i] = 10 * (1 + 0.05 * rng_normal(&r));
            b[i] = 12 * (1 + 0.05 * rng_normal(&r));
        }
        CHECK_OK(comparison_make(&p, a, b, 0.95, &c, &e), &e);
        difference += fabs(c.difference - 2 * 1900) <= c.difference_half_width;
        ratio += fabs(c.ratio - 1.2) <= c.ratio_half_width;
    }
    print_message("differences %.1f %%, ratios %.1f %%\n", 100.0 * difference / REPEATS_HERE,
                  100.0 * ratio / REPEATS_HERE);
    assert_true(difference >= 0.94 * REPEATS_HERE && ratio >= 0.94 * REPEATS_HERE);
    plan_release(&p);
}

/* 20 of 1000 launches: their profiled total has an uncertainty of 2 %, or of 66 %. */
static void ratios_of_uneven_launches_are_biased(void **state)
{
    static const uint64_t population[] = {1000}, samples[] = {20};
    struct projection_options o = {.level = 0.95, .estimator = PROJECT_RATIO};
    double y[20];
    struct plan p;

    (void)state;
    plan_by_hand(&p, population, samples, 1);
    for (int i = 0; i < 20; i++)
        y[i] = 10 + i % 3;
    for (int uneven = 0; uneven < 2; uneven++) {
        struct projection r;
        struct err e;

        p.strata[0].sd = uneven ? 3 : 0.1;
        CHECK_OK(projection_make_with(&p, y, &o, &r, &e), &e);
        assert_true(uneven == (r.warning && strstr(r.warning, "uneven")));
        projection_release(&r);
        CHECK_OK(projection_make(&p, y, 0.95, &r, &e), &e);
        assert_int_equal(r.cross_check_count, uneven ? 0 : 1);
        projection_release(&r);
    }
    plan_release(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(luck_raises_no_df),
        cmocka_unit_test(intervals_of_differences_hold),
        cmocka_unit_test(ratios_of_uneven_launches_are_biased),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
