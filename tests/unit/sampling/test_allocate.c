/* Sample sizes. Expected values are computed by hand (or by an independent solver) from the formulas of Cochran,
 * Sampling Techniques (1977), chapters 4 and 5; z = 1.96. */
#include "tests/harness/check.h"

#include "sampling/allocate/allocate.h"
#include "sampling/math/quantile.h"

#define STRATUM(population_, sd_, cost_, least_)                                                                   \
    {                                                                                                              \
        .population = (population_), .sd = (sd_), .cost = (cost_), .least = (least_)                               \
    }

static double fpc_bound(const struct alloc_stratum *s, size_t count, double half_width)
{
    double bound = half_width / 1.96 * (half_width / 1.96);

    for (size_t h = 0; h < count; h++)
        bound += (double)s[h].population * s[h].sd * s[h].sd;
    return bound;
}

static void the_finite_population_needs_fewer(void **state)
{
    static const struct {
        const char *what;
        uint64_t population;
        double cv, want;
        uint64_t whole;
    } cases[] = {
        {"a hundred, cv 0.3", 100, 0.3, 58.28023545, 59},
        {"a hundred, cv 1: almost all", 100, 1, 93.94732337, 94},
        {"fifty, cv 0.8", 50, 0.8, 0, 48},
        {"a million: as if infinite", 1000000, 0.3, 138.27861468, 139},
    };
    struct err e;

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double big = (double)cases[i].population, n;
        /* cv uses N, S uses N - 1; the mean is 1 */
        struct alloc_stratum s = STRATUM(cases[i].population, cases[i].cv * sqrt(big / (big - 1)), 1, 1);
        double v0 = 0.05 * big / 1.96;

        assert_int_equal(allocate_real(&s, 1, fpc_bound(&s, 1, 0.05 * big), &n, &e), 1);
        if (cases[i].want > 0)
            CHECK_NEAR(n, cases[i].want, 1e-9);
        CHECK_OK(allocate_variance(&s, 1, v0 * v0, &e), &e);
        assert_int_equal(s.n, cases[i].whole);
    }
}

static void three_unequal_strata_within_their_box(void **state)
{
    static const double error[] = {0.05, 0.01};
    static const double want[2][3] = {{411.509191, 29.517615, 2}, {4336.52879, 200, 4}};
    static const double without_fpc[3] = {456.04006459, 32.63157072, 2};
    static const double cost[] = {662, 5537}, half_width[] = {0.04987035946, 0.009999040757};
    struct err e;
    double n[3];

    (void)state;
    for (int i = 0; i < 2; i++) {
        struct alloc_stratum s[3] = {STRATUM(10000, 0.5 * sqrt(10000 / 9999.0), 1, 2),
                                     STRATUM(200, 4 * sqrt(200 / 199.0), 5, 2),
                                     STRATUM(4, 30 * sqrt(4 / 3.0), 50, 2)};
        double sum = 0, v0 = error[i] * 11200 / 1.96;

        assert_int_equal(allocate_real(s, 3, fpc_bound(s, 3, error[i] * 11200), n, &e), 1);
        for (int h = 0; h < 3; h++) {
            CHECK_NEAR(n[h], want[i][h], 1e-7); /* the reference has eight digits */
            s[h].n = (uint64_t)ceil(n[h]);
            sum += s[h].cost * (double)s[h].n;
        }
        CHECK_NEAR(sum, cost[i], 1e-12);
        CHECK_NEAR(1.96 * sqrt(allocation_outcome(s, 3, 0.95).variance) / 11200, half_width[i], 1e-9);
        /* at most the cost of rounding up, and within the bound */
        CHECK_OK(allocate_variance(s, 3, v0 * v0, &e), &e);
        assert_true(allocation_outcome(s, 3, 0.95).cost <= cost[i]);
        assert_true(allocation_outcome(s, 3, 0.95).variance <= v0 * v0);
    }
    {
        struct alloc_stratum s[3] = {STRATUM(10000, 0.5, 1, 2), STRATUM(200, 4, 5, 2), STRATUM(4, 30, 50, 2)};
        double v0 = 0.05 * 11200 / 1.96;

        assert_int_equal(allocate_real(s, 3, v0 * v0, n, &e), 1);
        for (int h = 0; h < 3; h++)
            CHECK_NEAR(n[h], without_fpc[h], 1e-9);
        assert_int_equal(allocate_real(s, 3, v0 * v0 / 1e6, n, &e),
                         0); /* without the correction no n <= N is enough */
    }
}

static void two_strata_after_a_pilot(void **state)
{
    struct alloc_stratum s[2] = {STRATUM(1000, 1.5, 10, 2), STRATUM(500, 3, 40, 2)};
    double n[2], v0 = 0.02 * 30000 / 1.96;
    struct err e;

    (void)state;
    assert_int_equal(allocate_real(s, 2, fpc_bound(s, 2, 0.02 * 30000), n, &e), 1);
    CHECK_NEAR(n[0], 67.190284, 1e-8);
    CHECK_NEAR(n[1], 33.595142, 1e-8);
    CHECK_OK(allocate_variance(s, 2, v0 * v0, &e), &e);
    /* one more unit of the second stratum and some fewer of the first are equally good */
    assert_in_range(s[0].n, 66, 68);
    assert_in_range(s[1].n, 33, 34);
}

static void whole_units_by_priority(void **state)
{
    struct alloc_stratum s[3] = {STRATUM(47, 10, 1, 1), STRATUM(61, 7, 1, 1), STRATUM(41, 5, 1, 1)};
    static const size_t adds[] = {0, 1, 0, 1, 2, 0, 1, 0, 1};
    uint64_t before[3] = {1, 1, 1};
    double real[3];
    struct err e;

    (void)state;
    assert_int_equal(allocate_real(s, 3, 1102.0 * 1102.0 / 12, real, &e),
                     1); /* 1102 = sum(N S): Neyman's 12 units */
    CHECK_NEAR(real[0], 5.117967, 1e-7);
    CHECK_NEAR(real[1], 4.649728, 1e-7);
    CHECK_NEAR(real[2], 2.232305, 1e-7);
    for (uint64_t units = 4; units <= 12; units++) {
        CHECK_OK(allocate_units(s, 3, units, &e), &e);
        for (size_t h = 0; h < 3; h++) {
            assert_int_equal(s[h].n - before[h], adds[units - 4] == h);
            before[h] = s[h].n;
        }
    }
    assert_int_equal(s[0].n, 5);
    assert_int_equal(s[1].n, 5);
    assert_int_equal(s[2].n, 2);
    CHECK_OK(allocate_units(s, 3, 1000, &e), &e); /* more than the population: a census */
    assert_int_equal(s[0].n + s[1].n + s[2].n, 47 + 61 + 41);
}

/* Compares the greedy allocation with every possible allocation. */
static void whole_units_are_the_cheapest_there_are(void **state)
{
    struct alloc_stratum s[3] = {STRATUM(12, 3, 1, 2), STRATUM(9, 5, 1, 2), STRATUM(7, 1, 1, 2)};
    struct err e;

    (void)state;
    for (double v0 = 20; v0 < 3000; v0 *= 1.37) {
        struct alloc_stratum t[3] = {s[0], s[1], s[2]};
        uint64_t least = UINT64_MAX;

        CHECK_OK(allocate_variance(s, 3, v0, &e), &e);
        for (t[0].n = 2; t[0].n <= 12; t[0].n++)
            for (t[1].n = 2; t[1].n <= 9; t[1].n++)
                for (t[2].n = 2; t[2].n <= 7; t[2].n++)
                    if (allocation_outcome(t, 3, 0.95).variance <= v0 && t[0].n + t[1].n + t[2].n < least)
                        least = t[0].n + t[1].n + t[2].n;
        assert_int_equal(s[0].n + s[1].n + s[2].n, least);
    }
}

static void the_planned_interval_uses_t_and_enough_degrees_of_freedom(void **state)
{
    struct alloc_stratum s[4] = {STRATUM(1000, 10, 10, 2), STRATUM(500, 4, 3, 2), STRATUM(20, 1, 8, 2),
                                 STRATUM(1, 0, 100, 1)};
    struct alloc_outcome o;
    struct err e;

    (void)state;
    for (double half_width = 100; half_width < 20000; half_width *= 2) {
        struct alloc_goal goal = {.half_width = half_width, .level = 0.95, .least_df = 10};

        CHECK_OK(allocate_interval(s, 4, &goal, &o, &e), &e);
        assert_true(o.df >= 10);
        assert_true(o.half_width <= half_width);
        CHECK_NEAR(o.half_width, o.variance > 0 ? t_factor(0.95, o.df) * sqrt(o.variance) : 0, 1e-12);
        for (int h = 0; h < 4; h++)
            assert_in_range(s[h].n, s[h].least, s[h].population);
    }
    {
        struct alloc_goal goal = {
            .half_width = 0, .level = 0.95, .least_df = 10}; /* error 0: every stratum that varies is a census */

        CHECK_OK(allocate_interval(s, 4, &goal, &o, &e), &e);
        assert_int_equal(o.units, 1521);
        assert_true(isinf(o.df));
    }
}

/* The second stratum is quiet, but with the common noise floor it would dominate. Then it decides the degrees of
 * freedom of the interval, so an allocation for a half-width must give it samples too. */
static void counts_with_steady_degrees_of_freedom(void **state)
{
    struct alloc_stratum s[2] = {{.population = 1000, .sd = 10, .cost = 1, .least = 30, .n = 30},
                                 {.population = 20, .sd = 1, .cost = 1, .least = 2, .n = 2}};
    struct alloc_goal goal = {.level = 0.95, .least_df = 3};
    struct alloc_outcome plain, steady;
    struct err e;

    (void)state;
    plain = allocation_outcome(s, 2, 0.95);
    assert_true(plain.df > 20);
    s[0].steady = 1;
    s[1].steady = 1000; /* all of the steady variance: one degree of freedom */
    steady = allocation_outcome(s, 2, 0.95);
    assert_true(steady.df == plain.df && steady.variance == plain.variance);
    CHECK_NEAR(steady.half_width, t_factor(0.95, 1) * sqrt(plain.variance), 1e-3);
    goal.half_width = plain.half_width * 1.3;
    CHECK_OK(allocate_interval(s, 2, &goal, &steady, &e), &e);
    assert_true(steady.met && s[1].n > 4);
    s[1].steady = s[0].steady = 0;
    s[0].n = 30;
    s[1].n = 2;
    CHECK_OK(allocate_interval(s, 2, &goal, &plain, &e), &e);
    assert_true(plain.met && s[1].n == 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_finite_population_needs_fewer),
        cmocka_unit_test(three_unequal_strata_within_their_box),
        cmocka_unit_test(two_strata_after_a_pilot),
        cmocka_unit_test(whole_units_by_priority),
        cmocka_unit_test(whole_units_are_the_cheapest_there_are),
        cmocka_unit_test(the_planned_interval_uses_t_and_enough_degrees_of_freedom),
        cmocka_unit_test(counts_with_steady_degrees_of_freedom),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
