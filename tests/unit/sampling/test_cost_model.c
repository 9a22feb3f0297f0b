/* Cost of simulations by kind of job: coefficients are recovered, errors are reported, kinds with few jobs. */
#include "tests/harness/check.h"

#include "base/rng.h"
#include "sampling/allocate/cost_model.h"

enum { JOBS = 60 };

/* Kind 0: 2 s + 1e-7 s per instruction + 1e-3 s per block. Kind 1 takes three times as long and has few jobs. */
static size_t make_jobs(struct cost_job *jobs, double noise, size_t of_second)
{
    struct rng r;

    rng_init(&r, 4, 0, RNG_TEST);
    for (size_t i = 0; i < JOBS + of_second; i++) {
        struct cost_job *j = &jobs[i];

        j->kind = i >= JOBS;
        j->instructions = 1e6 * (1 + (double)rng_below(&r, 1000));
        j->blocks = 1 + (double)rng_below(&r, 5000);
        j->seconds = (2 + 1e-7 * j->instructions + 1e-3 * j->blocks) * (j->kind ? 3 : 1) *
                     (1 + noise * (2 * rng_unit(&r) - 1));
    }
    return JOBS + of_second;
}

static void finds_the_coefficients(void **state)
{
    struct cost_job jobs[JOBS + 10];
    struct cost_model m;
    struct err e;

    (void)state;
    CHECK_OK(cost_model_fit(jobs, make_jobs(jobs, 0, 10), 2, &m, &e), &e);
    CHECK_NEAR(m.kinds[0].by[0], 2, 1e-6);
    CHECK_NEAR(m.kinds[0].by[1], 1e-7, 1e-6);
    CHECK_NEAR(m.kinds[0].by[2], 1e-3, 1e-6);
    assert_true(m.kinds[0].its_own && m.kinds[1].its_own && m.kinds[1].jobs == 10);
    CHECK_NEAR(cost_model_seconds(&m, 1, 1e8, 1000), 39, 1e-6);
    assert_true(m.kinds[0].ninety < 1e-6);
    cost_model_release(&m);
}

static void says_how_wrong_it_is(void **state)
{
    struct cost_job jobs[JOBS + 4];
    struct cost_model m;
    struct err e;

    (void)state;
    make_jobs(jobs, 0.2, 0);
    jobs[7].seconds *= 20; /* a machine that swapped */
    CHECK_OK(cost_model_fit(jobs, JOBS, 1, &m, &e), &e);
    CHECK_NEAR(cost_model_seconds(&m, 0, 1e8, 1000), 13, 0.08);
    assert_true(m.kinds[0].typical > 0.05 && m.kinds[0].typical < 0.15);
    assert_true(m.kinds[0].ninety > m.kinds[0].typical && m.kinds[0].ninety < 0.3);
    cost_model_release(&m);
}

static void few_jobs_lean_on_the_others(void **state)
{
    struct cost_job jobs[JOBS + 3];
    struct cost_model m;
    struct err e;

    (void)state;
    CHECK_OK(cost_model_fit(jobs, make_jobs(jobs, 0.01, 3), 3, &m, &e), &e);
    assert_true(!m.kinds[1].its_own && m.kinds[1].jobs == 3);
    CHECK_NEAR(cost_model_seconds(&m, 1, 1e8, 1000), 39, 0.15);
    assert_true(m.kinds[2].jobs == 0 && isnan(m.kinds[2].typical));
    CHECK_NEAR(cost_model_seconds(&m, 2, 1e8, 1000), 13, 0.1);
    cost_model_release(&m);
    for (int i = 0; i < JOBS; i++)
        jobs[i].seconds = 0;
    CHECK_FAILS(cost_model_fit(jobs, JOBS, 1, &m, &e), &e, ERR_INVALID, "at least two");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_the_coefficients),
        cmocka_unit_test(says_how_wrong_it_is),
        cmocka_unit_test(few_jobs_lean_on_the_others),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
