/* Random and systematic samples over all launches: values computed by hand, and statistical properties over many
 * repeats. */
#include "tests/unit/sampling/casio.h"
#include "tests/unit/sampling/profiles.h"

#include "sampling/methods/evaluate.h"
#include "sampling/math/quantile.h"
#include "sampling/strata/random_sample.h"
#include "sampling/strata/systematic.h"

/* --- systematic: every K-th launch --- */

/* A series of ten with period three, sampled every third from 0, 1 and 2: the sample follows the period. */
static void every_third_of_a_series_in_threes(void **state)
{
    static const uint64_t series[] = {5, 1, 9, 5, 1, 9, 5, 1, 9, 5};
    static const double times_k[] = {60, 9, 81}, by_mean[] = {50, 10, 90};

    (void)state;
    for (uint64_t r = 0; r < 3; r++) {
        uint64_t n = (10 - r + 2) / 3, sum = 0;

        for (uint64_t i = 0; i < n; i++)
            sum += series[systematic_place(r, 3, i, 10)];
        CHECK_NEAR(3 * (double)sum, times_k[r], 0);
        CHECK_NEAR(10 * (double)sum / (double)n, by_mean[r], 1e-15);
    }
}

/* On a circle, the mean over all starts is the true total for any K, and the variance is that over all starts. */
static void all_starts_together_are_unbiased(void **state)
{
    uint64_t values[60];
    struct rng r;

    (void)state;
    rng_init(&r, 3, 0, RNG_TEST);
    for (uint64_t count = 7; count <= 60; count++) {
        double total = 0;

        for (uint64_t i = 0; i < count; i++)
            total += (double)(values[i] = 1 + rng_below(&r, 1000));
        for (uint64_t step = 2; step < count; step++) {
            uint64_t take = count / step;
            double mean = 0, variance = 0;

            for (uint64_t start = 0; start < count; start++) {
                double sum = 0, projected;

                for (uint64_t i = 0; i < take; i++)
                    sum += (double)values[systematic_place(start, step, i, count)];
                projected = (double)count * sum / (double)take;
                mean += projected / (double)count;
                variance += (projected - total) * (projected - total) / (double)count;
            }
            CHECK_NEAR(mean, total, 1e-12);
            CHECK_NEAR(systematic_variance(values, count, step), variance, 1e-9);
        }
    }
}

static void two_starts_never_meet(void **state)
{
    unsigned hits[31] = {0};
    struct rng r;

    (void)state;
    rng_init(&r, 4, 0, RNG_TEST);
    for (int round = 0; round < 31000; round++) {
        uint64_t step = 3 + (uint64_t)round % 5, starts[2];
        bool taken[31] = {false};

        systematic_starts(&r, 31, step, starts);
        for (int s = 0; s < 2; s++) {
            for (uint64_t i = 0; i < 31 / step; i++) {
                uint64_t at = systematic_place(starts[s], step, i, 31);

                assert_false(taken[at]);
                taken[at] = true;
            }
        }
        hits[starts[0]]++;
        hits[starts[1]]++;
    }
    for (int i = 0; i < 31; i++)
        assert_in_range(hits[i], 1800, 2200); /* 2000 expected, sd 44 */
}

/* A workload of layers: 35 launches that repeat. Steps of 5, 7 and 35 would follow its period. */
static void the_step_avoids_the_workloads_rhythm(void **state)
{
    enum { N = 35 * 40 };
    uint64_t values[N];
    double mean = 0, square = 0, variance;
    struct rng r;

    (void)state;
    rng_init(&r, 5, 0, RNG_TEST);
    for (size_t i = 0; i < N; i++) {
        values[i] = i < 35 ? 100 + rng_below(&r, 5000) : values[i - 35];
        mean += (double)values[i] / N;
    }
    for (size_t i = 0; i < N; i++)
        square += ((double)values[i] - mean) * ((double)values[i] - mean) / (N - 1);
    for (uint64_t wanted = 4; wanted < 60; wanted++) {
        uint64_t step = systematic_step(values, N, wanted, square, &variance);

        assert_true(step != 5 && step != 7 && step % 35 != 0);
        assert_true(variance <= 1.5 * N * (N - N / (double)step) / (N / (double)step) * square * 1.01);
        CHECK_NEAR(variance, systematic_variance(values, N, step), 0);
    }
}

/* --- statistics of many repeats --- */

/* Mean of the projections over seeds, and its standard error. */
static void repeat(const char *method, const struct profile *p, struct plan_params params, unsigned repeats,
                   double *mean, double *se)
{
    double sum = 0, squares = 0, total = (double)profile_total(p);
    struct err e;

    for (unsigned s = 0; s < repeats; s++) {
        double off = -total;
        struct plan plan;

        params.seed = 1000 + s;
        CHECK_OK(plan_make(method, p, &params, &plan, &e), &e);
        for (size_t i = 0; i < plan.sample_count; i++)
            off += plan.samples[i].weight * (double)plan.samples[i].value;
        sum += off;
        squares += off * off;
        plan_release(&plan);
    }
    *mean = sum / repeats;
    *se = sqrt((squares / repeats - *mean * *mean) / (repeats - 1));
}

/* Layers with drift and noise: the order matters, as in real workloads. */
static void layers(uint64_t seed, size_t n, struct profile *out)
{
    uint64_t *values = calloc(n, sizeof *values);
    struct rng r;

    rng_init(&r, seed, 0, RNG_TEST);
    for (size_t i = 0; i < n; i++)
        values[i] = 200 + 90 * (i % 12) + (i % 12 == 7) * 4000 + i / 4 + rng_below(&r, 100);
    profile_of(values, n, out);
    free(values);
}

static void projections_are_unbiased_over_seeds(void **state)
{
    static const struct {
        const char *method;
        double share;
    } cases[] = {{"srs", 0.02},        {"srs", 0.3},         {"srswr", 0.05},    {"bernoulli", 0.02},
                 {"bernoulli", 0.002}, {"systematic", 0.02}, {"systematic", 0.2}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct plan_params params = PLAN_PARAMS_DEFAULT;
        struct profile p;
        double mean, se;

        layers(7, 997, &p);
        params.share = cases[i].share;
        repeat(cases[i].method, &p, params, 3000, &mean, &se);
        if (fabs(mean) > 3.5 * se)
            fail_msg("%s with %g: off by %g on average, standard error %g", cases[i].method, cases[i].share, mean,
                     se);
        profile_release(&p);
    }
}

/* The last draw of a budget is more likely a long launch. The bias is about cv^2 / n, and no larger. */
static void a_budget_projects_slightly_too_much(void **state)
{
    struct plan_params params = PLAN_PARAMS_DEFAULT;
    struct random_population all;
    struct strata s = {0};
    double mean, se, bias;
    struct profile p;
    struct plan plan;
    struct err e;

    (void)state;
    layers(7, 997, &p);
    CHECK_OK(random_population_of(&p, false, &s, &all, &e), &e);
    params.budget = 0.03;
    bias = all.sd * all.sd / (all.mean * all.mean) / (0.03 * 997) * (1 - 0.03) * (double)all.total;
    repeat("budget", &p, params, 6000, &mean, &se);
    if (fabs(mean - bias) > 3.5 * se + 0.25 * bias || mean < 3.5 * se)
        fail_msg("off by %g on average (standard error %g), expected %g", mean, se, bias);
    CHECK_OK(plan_make("budget", &p, &params, &plan, &e), &e);
    assert_non_null(strstr(plan.note, "3 % of the cost of simulating everything"));
    assert_non_null(plan.caution[0] ? plan.caution : NULL);
    plan_release(&plan);
    strata_release(&s);
    profile_release(&p);
}

/* A budget is used up, and exceeded by at most the last draw. With a cost model it applies to the model's cost. */
static void a_budget_is_spent(void **state)
{
    static const double budgets[] = {0.01, 0.2, 1};
    struct profile p;
    struct err e;

    (void)state;
    layers(8, 2000, &p);
    for (int model = 0; model < 2; model++) {
        double whole = model ? 2000 * 3 + 0.001 * (double)profile_total(&p) : (double)profile_total(&p);

        for (size_t i = 0; i < 3; i++) {
            struct plan_params params = PLAN_PARAMS_DEFAULT;
            double spent = 0, largest = 0;
            struct plan plan;

            params.budget = budgets[i];
            params.cost_fixed = model ? 3 : 0;
            params.cost_per_unit = model ? 0.001 : 0;
            CHECK_OK(plan_make("budget", &p, &params, &plan, &e), &e);
            for (size_t k = 0; k < plan.sample_count; k++) {
                double cost = (double)plan.samples[k].value;

                cost = model ? 3 + 0.001 * cost : cost;
                spent += cost;
                largest = fmax(largest, cost);
            }
            assert_true(spent >= budgets[i] * whole * (1 - 1e-12));
            assert_true(spent - largest <= budgets[i] * whole);
            plan_release(&plan);
        }
    }
    profile_release(&p);
}

/* A few draws give no estimate of the total, and the last one exceeds the budget. */
static void too_small_a_budget_promises_nothing(void **state)
{
    static const char *const names[] = {"budget", "vivace"};
    struct plan_params params = PLAN_PARAMS_DEFAULT;
    struct profile p;
    struct plan plan;
    struct err e;

    (void)state;
    layers(8, 2000, &p);
    for (size_t i = 0; i < 2; i++) {
        params.budget = 0.0012;
        CHECK_OK(plan_make(names[i], &p, &params, &plan, &e), &e);
        assert_false(plan.promise_valid);
        assert_true(isnan(plan.promised_error));
        assert_true(i > 0 || strstr(plan.note, "This draw costs"));
        plan_release(&plan);
        params.budget = 0.5;
        CHECK_OK(plan_make(names[i], &p, &params, &plan, &e), &e);
        assert_true(plan.promise_valid && plan.promised_error < 1);
        assert_null(strstr(plan.note, "This draw costs"));
        plan_release(&plan);
    }
    profile_release(&p);
}

/* Launches that took the same time in the profile say nothing about their spread in a simulation. */
static void a_profile_without_spread_promises_nothing(void **state)
{
    static const char *const names[] = {"srs", "systematic", "root", "stem"};
    struct plan_params params = PLAN_PARAMS_DEFAULT;
    struct profile p;
    struct plan plan;
    struct err e;

    (void)state;
    layers(8, 200, &p);
    for (size_t i = 0; i < p.count; i++)
        p.value[i] = 1000;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        CHECK_OK(plan_make(names[i], &p, &params, &plan, &e), &e);
        assert_true(plan.sample_count < p.count && isnan(plan.promised_error) && !plan.promise_valid);
        plan_release(&plan);
    }
    params.share = 1; /* all launches are simulated: the total is exact */
    CHECK_OK(plan_make("srs", &p, &params, &plan, &e), &e);
    assert_true(plan.promised_error <= 0 && plan.promise_valid);
    plan_release(&plan);
    profile_release(&p);
}

/* Launches selected with a small probability are also selected with a larger one. */
static void coins_are_nested(void **state)
{
    struct plan_params params = PLAN_PARAMS_DEFAULT;
    struct plan few, many;
    struct profile p;
    struct err e;
    size_t at = 0;

    (void)state;
    layers(9, 3000, &p);
    params.share = 0.05;
    CHECK_OK(plan_make("bernoulli", &p, &params, &few, &e), &e);
    params.share = 0.2;
    CHECK_OK(plan_make("bernoulli", &p, &params, &many, &e), &e);
    assert_in_range(few.sample_count, 110, 190); /* 150 expected, sd 12 */
    assert_in_range(many.sample_count, 520, 680);
    for (size_t i = 0; i < few.sample_count; i++) {
        while (at < many.sample_count && many.samples[at].launch < few.samples[i].launch)
            at++;
        assert_true(at < many.sample_count && many.samples[at].launch == few.samples[i].launch);
    }
    plan_release(&few);
    plan_release(&many);
    params.share = 1e-9; /* no launch is selected */
    CHECK_OK(plan_make("bernoulli", &p, &params, &few, &e), &e);
    assert_int_equal(few.sample_count, 2);
    plan_release(&few);
    profile_release(&p);
}

/* --- sizes --- */

/* The smallest size: with one draw less the error is exceeded. The tails of the distribution count. */
static void sizes_are_the_fewest_that_keep_the_error(void **state)
{
    struct profile p;
    struct err e;

    (void)state;
    layers(10, 5000, &p);
    for (int repeats = 0; repeats < 2; repeats++) {
        struct random_population all;
        struct strata s = {0};

        CHECK_OK(random_population_of(&p, repeats == 1, &s, &all, &e), &e);
        assert_true(all.kurtosis > 1 && all.skewness > 1); /* the long seventh launch of twelve */
        for (double error = 0.02; error < 0.9; error *= 1.7) {
            struct plan_params params = PLAN_PARAMS_DEFAULT;
            struct random_promise promise;
            uint64_t n;

            params.error = error;
            n = random_size(&all, &params);
            promise = random_promise(&all, n, 0.95);
            assert_true(promise.half_width <= error || (repeats && n == 5000)); /* repeats are never exact */
            assert_true(n == 2 || random_promise(&all, n - 1, 0.95).half_width > error);
            CHECK_NEAR(
                promise.df,
                1 / (1 / (double)(n - 1) + all.kurtosis * (repeats ? 1 : 1 - (double)n / 5000) / (2 * (double)n)),
                1e-9);
            CHECK_NEAR(promise.half_width * (double)all.total,
                       t_factor(0.95, promise.df) * all.sd *
                           sqrt(5000 * (repeats ? 4999.0 : 5000.0 - (double)n) / (double)n),
                       1e-9);
        }
        strata_release(&s);
    }
    profile_release(&p);
}

/* Six kernels of CASIO with the requested error: intervals have their nominal coverage. */
static void intervals_over_all_launches_cover(void **state)
{
    static const char *const names[] = {"srs", "srswr"};
    struct profile p;
    struct err e;

    (void)state;
    casio_load(&p);
    for (size_t i = 0; i < 2; i++) {
        struct plan_params params = PLAN_PARAMS_DEFAULT;
        struct evaluation v;

        CHECK_OK(evaluate(method_find(names[i], &e), &p, &params, 1000, &v, &e), &e);
        assert_int_equal(v.intervals, 1000);
        assert_in_range(v.covered, 920, 975);
        assert_true(v.inside >= 925);
        assert_true(v.caution[0] == 0);
        evaluation_release(&v);
        params.error = 0.25; /* 65 draws of a population of skewness 2.8 */
        CHECK_OK(evaluate(method_find(names[i], &e), &p, &params, 10, &v, &e), &e);
        assert_non_null(strstr(v.caution, "skewness 2.8"));
        evaluation_release(&v);
    }
    profile_release(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_third_of_a_series_in_threes),
        cmocka_unit_test(all_starts_together_are_unbiased),
        cmocka_unit_test(two_starts_never_meet),
        cmocka_unit_test(the_step_avoids_the_workloads_rhythm),
        cmocka_unit_test(projections_are_unbiased_over_seeds),
        cmocka_unit_test(a_budget_projects_slightly_too_much),
        cmocka_unit_test(a_budget_is_spent),
        cmocka_unit_test(too_small_a_budget_promises_nothing),
        cmocka_unit_test(a_profile_without_spread_promises_nothing),
        cmocka_unit_test(coins_are_nested),
        cmocka_unit_test(sizes_are_the_fewest_that_keep_the_error),
        cmocka_unit_test(intervals_over_all_launches_cover),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
