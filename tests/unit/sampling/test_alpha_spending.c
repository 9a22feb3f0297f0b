/* Bounds of several interim analyses compared with published tables, and the alpha that they spend. */
#include "tests/harness/check.h"

#include "base/rng.h"
#include "sampling/math/quantile.h"
#include "sampling/sequential/alpha_spending.h"

enum { ANALYSES = 5 };

/* Lan and DeMets's bounds for five equal steps at 0.05, two sides of 0.025 each: as in the tables of their program
 * (Reboussin, DeMets, Kim, Lan, Controlled Clinical Trials 21, 2000). */
static void as_published(void **state)
{
    static const double want[ANALYSES] = {4.8769, 3.3569, 2.6803, 2.2898, 2.0310};
    struct alpha_spending_past past = {0};
    double before = 0;

    (void)state;
    for (size_t k = 0; k < ANALYSES; k++) {
        double t = (double)(k + 1) / ANALYSES,
               spent = 4 * normal_probability(-normal_quantile(1 - 0.025 / 2) / sqrt(t)),
               bound = alpha_spending_bound(&past, t, spent - before);

        CHECK_NEAR(bound, want[k], 1e-4);
        alpha_spending_add(&past, &(struct alpha_spending_analysis){t, bound});
        before = spent;
    }
}

/* O'Brien and Fleming (Biometrics 35, 1979): five analyses with bounds 2.040 sqrt(5 / k) have a total error of
 * 0.05. Pocock (Biometrika 64, 1977): 2.413 at each of five. */
static void classical_bounds(void **state)
{
    struct alpha_spending_analysis even[ANALYSES], falling[ANALYSES];

    (void)state;
    for (int k = 0; k < ANALYSES; k++) {
        even[k] = (struct alpha_spending_analysis){k + 1, 2.413};
        falling[k] = (struct alpha_spending_analysis){k + 1, 2.040 * sqrt(5.0 / (k + 1))};
    }
    /* the alpha of 0.05 that the first four do not spend gives the fifth bound */
    for (int which = 0; which < 2; which++) {
        const struct alpha_spending_analysis *analyses = which ? falling : even;
        struct alpha_spending_past past = {0};
        double left = 0.05;

        for (size_t k = 0; k < ANALYSES - 1; k++) {
            double low = 0, high = 0.05;

            for (int i = 0; i < 30; i++) { /* finds the alpha that gives this bound */
                double middle = (low + high) / 2;

                if (alpha_spending_bound(&past, analyses[k].information, middle) > analyses[k].bound)
                    low = middle;
                else
                    high = middle;
            }
            left -= high;
            alpha_spending_add(&past, &analyses[k]);
        }
        CHECK_NEAR(alpha_spending_bound(&past, ANALYSES, left), analyses[ANALYSES - 1].bound, 2e-3);
    }
}

static void spends_late(void **state)
{
    (void)state;
    assert_true(spending(0.05, 0) == 0);
    assert_true(spending(0.05, 0.3) < 0.001);
    CHECK_NEAR(spending(0.05, 1), 0.05, 1e-12);
    assert_true(spending(0.05, 2) == spending(0.05, 1));
    assert_true(spending(0.05, 0.5) < spending(0.05, 0.6));
    /* a single analysis has an ordinary interval */
    CHECK_NEAR(alpha_spending_bound(&(struct alpha_spending_past){0}, 1, 0.05), normal_quantile(0.975), 1e-6);
}

/* Sums of normal values exceed these bounds as often as the spent alpha. */
static void holds_at_all_analyses(void **state)
{
    static const double at[3] = {0.3, 0.8, 0.95};
    struct alpha_spending_past past = {0};
    double bound[3];
    unsigned missed = 0, runs = 40000;
    double before = 0;
    struct rng r;

    (void)state;
    for (size_t k = 0; k < 3; k++) {
        double spent = spending(0.1, at[k]);

        bound[k] = alpha_spending_bound(&past, at[k], spent - before);
        alpha_spending_add(&past, &(struct alpha_spending_analysis){at[k], bound[k]});
        before = spent;
    }
    rng_init(&r, 1, 1, RNG_TEST);
    for (unsigned i = 0; i < runs; i++) {
        double sum = 0, t = 0;
        int miss = 0;

        for (int k = 0; k < 3; k++) {
            sum += sqrt(at[k] - t) * rng_normal(&r);
            t = at[k];
            miss |= fabs(sum) > bound[k] * sqrt(t);
        }
        missed += (unsigned)miss;
    }
    /* three standard errors are 0.045 of the expected number; the seed is fixed */
    CHECK_NEAR((double)missed / runs, before, 0.06);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_published),
        cmocka_unit_test(classical_bounds),
        cmocka_unit_test(spends_late),
        cmocka_unit_test(holds_at_all_analyses),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
