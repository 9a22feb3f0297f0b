/* Known values: normal from Wichura's own check values and tables to 15 digits; t in closed form for df 1, 2 and 4
 * (tan, algebra), t_{3.908759862} from the stratified interval vector. */
#include "tests/harness/check.h"

#include "sampling/math/quantile.h"

static void normal_values(void **state)
{
    static const struct {
        double p, want;
    } cases[] = {
        {0.25, -0.6744897501960817}, /* Wichura's check values */
        {0.001, -3.090232306167814}, {1e-20, -9.262340089798408}, {0.975, 1.959963984540054},
        {0.995, 2.575829303548901},  {0.95, 1.6448536269514722},  {0.5, 0},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        CHECK_NEAR(normal_quantile(cases[i].p), cases[i].want, 1e-14);
    for (double p = 1e-9; p < 1; p += 0.00973) /* its inverse, from libm */
        CHECK_NEAR(0.5 * erfc(-normal_quantile(p) / sqrt(2)), p, 1e-13);
}

static void t_values_in_closed_form(void **state)
{
    static const double levels[] = {0.5, 0.8, 0.9, 0.95, 0.99, 0.999};

    (void)state;
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
        double p = 0.5 + levels[i] / 2, a = 4 * p * (1 - p);

        CHECK_NEAR(t_factor(levels[i], 1), tan(3.14159265358979323846 * (p - 0.5)), 1e-11);
        CHECK_NEAR(t_factor(levels[i], 2), (2 * p - 1) * sqrt(2 / a), 1e-11);
        CHECK_NEAR(t_factor(levels[i], 4), 2 * sqrt(cos(acos(sqrt(a)) / 3) / sqrt(a) - 1), 1e-11);
        CHECK_NEAR(t_quantile(1 - p, 4), -t_quantile(p, 4), 1e-11);
    }
}

static void t_values_from_tables(void **state)
{
    static const struct {
        double p, df, want, rel;
    } cases[] = {
        {0.975, 3, 3.182446305284263, 1e-11},
        {0.975, 5, 2.5705818356363141, 1e-11},
        {0.975, 10, 2.2281388519649385, 1e-11},
        {0.975, 30, 2.0422724563012373, 1e-11},
        {0.975, 1000, 1.9623390808264078, 1e-11},
        {0.975, 3.908759862, 2.802192254, 1e-9}, /* interval of three strata */
        {0.975, INFINITY, 1.959963984540054, 1e-14},
        {0.995, 7, 3.4994832973505026, 1e-11},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        CHECK_NEAR(t_quantile(cases[i].p, cases[i].df), cases[i].want, cases[i].rel);
    CHECK_NEAR(t_quantile(0.975, 2e9), 1.959963984540054, 2e-9);
    CHECK_NEAR(t_quantile(0.975, 1999.9999), t_quantile(0.975, 2000.0001),
               1e-9); /* no step where the formula changes */
}

/* P(|T| <= t): 2 / pi * atan(t) for one degree of freedom, t / sqrt(2 + t^2) for two. */
static void levels_of_factors(void **state)
{
    static const double dfs[] = {1, 2, 3.7, 40, 5000, INFINITY};

    (void)state;
    for (double t = 0.25; t < 40; t *= 2) {
        CHECK_NEAR(t_level(t, 1), 2 / 3.14159265358979323846 * atan(t), 1e-10);
        CHECK_NEAR(t_level(t, 2), t / sqrt(2 + t * t), 1e-10);
    }
    for (size_t i = 0; i < sizeof dfs / sizeof *dfs; i++)
        CHECK_NEAR(t_level(t_factor(0.999, dfs[i]), dfs[i]), 0.999,
                   dfs[i] == 5000 ? 1e-5 : 1e-8); /* normal there */
}

static void the_quick_form_is_close(void **state)
{
    (void)state;
    for (double df = 3; df < 500; df *= 1.3)
        CHECK_NEAR(t_factor_quick(normal_quantile(0.975), df), t_factor(0.95, df), df < 5 ? 1e-2 : 1e-3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(normal_values),           cmocka_unit_test(t_values_in_closed_form),
        cmocka_unit_test(t_values_from_tables),    cmocka_unit_test(levels_of_factors),
        cmocka_unit_test(the_quick_form_is_close),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
