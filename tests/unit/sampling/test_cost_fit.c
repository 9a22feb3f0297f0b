/* Fitted costs of simulations: exact lines, bounds at 0, outliers, too few points. */
#include "tests/harness/check.h"

#include "base/rng.h"
#include "sampling/allocate/cost_fit.h"

static void lines_come_back(void **state)
{
    static const struct {
        double fixed, per_unit;
        double want_fixed, want_per_unit;
    } cases[] = {
        {2.5, 3e-4, 2.5, 3e-4},
        {0, 3e-4, 0, 3e-4},
        {7, 0, 7, 0},
    };
    struct err e;

    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct cost_point p[40];
        struct cost_fit f;

        for (int i = 0; i < 40; i++) {
            p[i].value = 100.0 * (i + 1) * (i + 1);
            p[i].seconds = cases[k].fixed + cases[k].per_unit * p[i].value;
        }
        CHECK_OK(cost_fit(p, 40, &f, &e), &e);
        CHECK_NEAR(f.fixed, cases[k].want_fixed, 1e-9);
        CHECK_NEAR(f.per_unit, cases[k].want_per_unit, 1e-9);
        assert_true(f.typical_error < 1e-9);
    }
}

/* Two points by hand: (1, 3 s), (3, 2 s) fall, so the slope is 0 and the constant minimises
 * (a/3 - 1)^2 + (a/2 - 1)^2: a = (1/3 + 1/2) / (1/9 + 1/4) = 30/13. */
static void nothing_gets_negative(void **state)
{
    static const struct cost_point falls[] = {{1, 3}, {3, 2}};
    static const struct cost_point steep[] = {{1, 1}, {2, 4}, {4, 16}};
    struct cost_fit f;
    struct err e;

    (void)state;
    CHECK_OK(cost_fit(falls, 2, &f, &e), &e);
    assert_true(f.fixed > 2 && f.fixed < 3);
    CHECK_NEAR(f.per_unit, 0, 0);
    CHECK_OK(cost_fit(steep, 3, &f, &e), &e); /* an unbounded line would be negative at 0 */
    CHECK_NEAR(f.fixed, 0, 0);
    assert_true(f.per_unit > 1 && f.per_unit < 4);
}

static void outliers_count_less(void **state)
{
    struct cost_point p[200];
    struct cost_fit f;
    struct rng r;
    struct err e;

    (void)state;
    rng_init(&r, 3, 0, RNG_TEST);
    for (int i = 0; i < 200; i++) {
        p[i].value = exp(8 + 8 * rng_unit(&r));
        p[i].seconds = (4 + 1e-5 * p[i].value) * exp(0.05 * rng_normal(&r));
        if (i % 20 == 0)
            p[i].seconds *= 0.2; /* one in twenty is an outlier, as if stopped early */
    }
    CHECK_OK(cost_fit(p, 200, &f, &e), &e);
    CHECK_NEAR(f.fixed, 4, 0.05);
    CHECK_NEAR(f.per_unit, 1e-5, 0.05);
    assert_true(f.typical_error > 0.02 && f.typical_error < 0.06);
}

static void too_little_is_said(void **state)
{
    static const struct cost_point p[] = {{5, 0}, {5, NAN}, {-1, 3}, {5, 2}};
    struct cost_fit f;
    struct err e;

    (void)state;
    CHECK_FAILS(cost_fit(p, 4, &f, &e), &e, ERR_INVALID, "1 simulations have a time");
    CHECK_FAILS(cost_fit(p, 0, &f, &e), &e, ERR_INVALID, "0 simulations have a time");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_come_back),
        cmocka_unit_test(nothing_gets_negative),
        cmocka_unit_test(outliers_count_less),
        cmocka_unit_test(too_little_is_said),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
