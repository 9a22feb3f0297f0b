/* Allegro, STEM and ROOT compared with values computed by hand, and with published results: six kernels of CASIO.
 */
#include "tests/unit/sampling/casio.h"
#include "tests/unit/sampling/profiles.h"

#include "sampling/methods/evaluate.h"
#include "sampling/strata/published.h"
#include "sampling/strata/two_means.h"

static struct moments moments_from(const uint64_t *values, size_t n)
{
    struct moments m = {0};

    for (size_t i = 0; i < n; i++) {
        m.count++;
        m.sum += values[i];
        m.squares += (unsigned __int128)values[i] * values[i];
    }
    return m;
}

/* --- sizes --- */

static void allegro_sizes_of_one_group(void **state)
{
    static const struct {
        uint64_t values[5];
        size_t n;
        double raw, samples, tool_raw;
    } cases[] = {
        /* The tool uses N - 1 where the paper uses N, and 1 for no spread. */
        {{10, 10, 10, 10, 10}, 5, 0, 30, 1},
        {{8, 10, 12}, 3, 40.97706666666667, 41, 40.97706666666667 * 3 / 2},
        {{5, 15}, 2, 384.16, 385, 384.16 * 2},
        {{9, 10, 11, 10}, 4, 7.6832, 30, 7.6832 * 4 / 3},
        {{7}, 1, 0, 30, 1},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct moments m = moments_from(cases[i].values, cases[i].n);

        CHECK_NEAR(stem_single(&m, 1.96, 0.05), cases[i].raw, 1e-12);
        CHECK_NEAR(allegro_samples(&m, 1.96, 0.05), cases[i].samples, 0);
        CHECK_NEAR(allegro_tool_raw(&m, 1.96, 0.05), cases[i].tool_raw, 1e-12);
    }
    CHECK_NEAR(allegro_tool_samples(61.47), 62, 0);
    CHECK_NEAR(allegro_tool_samples(1), 30, 0);
}

/* n values with this mean and (population) deviation: half above, half below. */
static struct moments cluster(uint64_t n, uint64_t mean, uint64_t sd)
{
    return (struct moments){n, n * mean, (unsigned __int128)n * (mean * mean + sd * sd)};
}

/* The remaining variance by the formulas: sum(N^2 sigma^2 / m). */
static double variance_left(const struct moments *clusters, const double *n, size_t count)
{
    double variance = 0;

    for (size_t i = 0; i < count; i++) {
        double spread = (double)clusters[i].count * moments_sd_population(&clusters[i]);

        variance += spread > 0 ? spread * spread / n[i] : 0;
    }
    return variance;
}

static void stem_sizes_of_several_clusters(void **state)
{
    const struct moments three[] = {cluster(1000, 10, 1), cluster(500, 40, 8), cluster(20, 200, 0)};
    static const double single[] = {16, 62, 0};
    double n[3], cost = 0;

    (void)state;
    stem_joint(three, 3, 1.96, 0.05, n);
    CHECK_NEAR(variance_left(three, n, 3), 752290.712203, 1e-9); /* the bound, met exactly */
    CHECK_NEAR(n[0], 11.96346021, 1e-9);
    CHECK_NEAR(n[1], 23.92692042, 1e-9);
    CHECK_NEAR(n[2], 0, 0);
    for (int i = 0; i < 3; i++) {
        n[i] = ceil(n[i]);
        cost += n[i] * moments_mean(&three[i]);
        CHECK_NEAR(ceil(stem_single(&three[i], 1.96, 0.05)), single[i], 0);
    }
    CHECK_NEAR(variance_left(three, n, 3), 750000, 1e-12);
    CHECK_NEAR(1.96 * sqrt(variance_left(three, n, 3)) / 34000, 0.04992381739, 1e-9);
    CHECK_NEAR(cost, 1080, 1e-12);
}

static void stem_sizes_of_sixteen_equal_clusters(void **state)
{
    struct moments sixteen[16];
    double n[16];

    (void)state;
    for (int i = 0; i < 16; i++)
        sixteen[i] = cluster(1000, 10, 2);
    stem_joint(sixteen, 16, 1.96, 0.05, n);
    for (int i = 0; i < 16; i++) {
        CHECK_NEAR(n[i], 3.8416, 1e-12); /* a root over the sum would give 0.96, and twice the error */
        n[i] = ceil(stem_single(&sixteen[i], 1.96, 0.05));
        CHECK_NEAR(n[i], 62, 0);
    }
    CHECK_NEAR(1.96 * sqrt(variance_left(sixteen, n, 16)) / 160000, 0.01244601245, 1e-9);
}

/* Without the finite-population correction a small group needs more draws than it has launches. */
static void stem_sizes_know_no_population(void **state)
{
    static const struct {
        uint64_t n, mean, sd;
        double want;
    } cases[] = {{100, 10, 3, 138.2976}, {100, 10, 10, 1536.64}, {50, 10, 8, 983.4496}, {1000000, 10, 3, 138.2976}};
    const struct moments three[] = {
        {10000, 10000, (unsigned __int128)10000 * 5 / 4}, cluster(200, 5, 4), cluster(4, 50, 30)};
    double n[3];

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct moments m = cluster(cases[i].n, cases[i].mean, cases[i].sd);

        CHECK_NEAR(stem_single(&m, 1.96, 0.05), cases[i].want, 1e-12);
    }
    stem_joint(three, 3, 1.96, 0.05, n);
    CHECK_NEAR(n[0], 467.78967931, 1e-9);
    CHECK_NEAR(n[1], 33.47230471, 1e-9);
    CHECK_NEAR(n[2], 1.58773082, 2e-9); /* the reference has nine digits */
    stem_joint(three, 3, 1.96, 0.01, n);
    CHECK_NEAR(n[0], 11694.74, 5e-7);
    CHECK_NEAR(n[1], 836.81, 5e-6);
    CHECK_NEAR(n[2], 39.69, 1e-4);
    for (int i = 0; i < 3; i++)
        n[i] = (double)clip_samples(ceil(n[i]), three[i].count);
    CHECK_NEAR(variance_left(three, n, 3) / (112 / 1.96 * (112 / 1.96)), 2.848125, 1e-9);
}

static void one_kernel_cut_in_two(void **state)
{
    static const uint64_t values[] = {9800, 10000, 10100, 10300, 19600, 20000, 20200, 20300, 20400};
    struct moments whole = moments_from(values, 9),
                   parts[2] = {moments_from(values, 4), moments_from(values + 4, 5)};
    struct profile p;
    struct groups g;
    struct err e;
    double n[2];

    (void)state;
    CHECK_NEAR(moments_mean(&whole), 15633 + 1 / 3.0, 1e-12);
    CHECK_NEAR(moments_sd_population(&whole), 4999.777773, 1e-9);
    CHECK_NEAR(root_single(&whole, 1.96, 0.05), 158, 0);
    CHECK_NEAR(moments_mean(&parts[0]), 10050, 1e-12);
    CHECK_NEAR(moments_mean(&parts[1]), 20100, 1e-12);
    CHECK_NEAR(moments_sd_population(&parts[0]), 180.2775638, 1e-9);
    CHECK_NEAR(moments_sd_population(&parts[1]), 282.8427125, 1e-9);
    stem_joint(parts, 2, 1.96, 0.05, n);
    CHECK_NEAR(n[0], 0.15231117, 1e-7); /* the reference has eight digits */
    CHECK_NEAR(n[1], 0.21121759, 1e-7);
    CHECK_NEAR(variance_left(parts, n, 2), 12.8829719388e6, 1e-9); /* the bound, in thousandths squared */
    profile_of(values, 9, &p);
    CHECK_OK(groups_make(&p, GROUP_NAME, &g, &e), &e);
    assert_int_equal(two_means(&g, 0, g.run_count), 4);
    assert_int_equal(two_means(&g, 3, 4), 3); /* a single value is not split */
    groups_release(&g);
    profile_release(&p);
}

/* --- leaves --- */

/* Checks the strata of a plan, written as "9.8 | 10 10.1": the bounds among the sorted values. */
static void check_leaves(const char *method, const uint64_t *values, size_t n, double error, const size_t *ends,
                         const uint64_t *samples, size_t leaves)
{
    struct plan_params params = PLAN_PARAMS_DEFAULT;
    struct profile p;
    struct plan plan;
    struct err e;
    size_t at = 0;

    params.error = error;
    profile_of(values, n, &p);
    CHECK_OK(plan_make(method, &p, &params, &plan, &e), &e);
    assert_int_equal(plan.stratum_count, leaves);
    for (size_t h = 0; h < leaves; h++) {
        at += plan.strata[h].population;
        assert_int_equal(at, ends[h]);
        assert_int_equal(plan.strata[h].samples, samples[h]);
    }
    plan_release(&plan);
    profile_release(&p);
}

static void leaves_of_one_kernel(void **state)
{
    static const uint64_t nine[] = {98, 100, 101, 103, 196, 200, 202, 203, 204};
    static const uint64_t ten[] = {5, 7, 9, 28, 35, 35, 37, 38, 38, 39};
    static const uint64_t ones[] = {1, 1, 1, 1, 1, 1, 1};
    const struct moments parts[2] = {moments_from(ten, 3), moments_from(ten + 3, 7)};
    double n[2];

    (void)state;
    check_leaves("root", nine, 9, 0.05, (const size_t[]){4, 9}, ones, 2);
    check_leaves("root", nine, 9, 0.01, (const size_t[]){1, 2, 3, 4, 5, 6, 9}, ones, 7);
    check_leaves("root", ten, 10, 0.05, (const size_t[]){1, 2, 3, 4, 6, 10}, ones, 6);
    /* In the artifact, 5, 7, 9 get 7 samples from the first split, more than they have, so they are not split
     * further. */
    stem_joint(parts, 2, 1.96, 0.05, n);
    CHECK_NEAR(ceil(n[0]), 7, 0);
    check_leaves("root-ae", ten, 10, 0.05, (const size_t[]){3, 4, 6, 10}, (const uint64_t[]){3, 1, 1, 1}, 4);
}

/* One group of three: the paper gives 41 samples and no split. The tool uses N - 1 and gives 61.5, so it splits. */
static void the_tool_cuts_where_the_paper_does_not(void **state)
{
    static const uint64_t values[] = {8, 10, 12};

    (void)state;
    check_leaves("allegro", values, 3, 0.05, (const size_t[]){3}, (const uint64_t[]){41}, 1);
    check_leaves("allegro-tool", values, 3, 0.05, (const size_t[]){1, 3}, (const uint64_t[]){30, 30}, 2);
}

/* All launches of a kernel have the same duration: one or two samples give the exact total. */
static void constant_work_is_exact_with_few_samples(void **state)
{
    static const struct {
        const char *method;
        unsigned kinds; /* kinds of work: 100 launches of 1000 ns, or 50 of 1000 ns and 50 of 3000 ns */
    } cases[] = {{"vivace", 2}, {"root", 2}, {"root-ae", 2}, {"allegro", 2}, {"allegro-tool", 2},
                 {"stem", 1},   {"srs", 1},  {"root-ae", 1}, {"root", 1},    {"allegro", 1}};
    uint64_t values[100];
    struct err e;

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct plan_params params = PLAN_PARAMS_DEFAULT;
        struct evaluation v;
        struct profile p;
        struct plan plan;
        double projected = 0;

        params.noise_floor = 0;
        for (size_t k = 0; k < 100; k++)
            values[k] = k < 50 || cases[i].kinds == 1 ? 1000 : 3000;
        profile_of(values, 100, &p);
        CHECK_OK(evaluate(method_find(cases[i].method, &e), &p, &params, 50, &v, &e), &e);
        CHECK_NEAR(v.actual_error_max, 0, 1e-12);
        CHECK_NEAR(v.promised_error, 0, 0);
        assert_int_equal(v.strata, cases[i].kinds);
        evaluation_release(&v);
        CHECK_OK(plan_make(cases[i].method, &p, &params, &plan, &e), &e);
        for (size_t k = 0; k < plan.sample_count; k++)
            projected += plan.samples[k].weight * (double)plan.samples[k].value;
        CHECK_NEAR(projected, cases[i].kinds == 1 ? 100000 : 200000, 1e-12);
        if (strncmp(cases[i].method, "root", 4) == 0)
            assert_non_null(strstr(plan.note, cases[i].kinds == 1 ? "In 1 of 1 strata" : "In 2 of 2 strata"));
        plan_release(&plan);
        profile_release(&p);
    }
}

/* STEM alone: sizes by the joint formula, at most the population, and a message when that is not enough. */
static void stem_alone_shares_one_error(void **state)
{
    struct plan_params params = PLAN_PARAMS_DEFAULT;
    uint64_t values[1000];
    struct moments m;
    struct profile p;
    struct plan plan;
    struct err e;

    (void)state;
    for (size_t i = 0; i < 1000; i++)
        values[i] = 1000 + 3 * i;
    m = moments_from(values, 1000);
    profile_of(values, 1000, &p);
    CHECK_OK(plan_make("stem", &p, &params, &plan, &e), &e);
    assert_int_equal(plan.strata[0].samples, (uint64_t)ceil(stem_single(&m, 1.96, 0.05)));
    assert_true(plan.promised_error <= 0.05 && plan.promise_valid);
    assert_int_equal(strncmp(plan.note, "A behaviour of fewer than ", 26), 0); /* no other warning */
    plan_release(&plan);
    params.error = 0.001;
    CHECK_OK(plan_make("stem", &p, &params, &plan, &e), &e);
    assert_int_equal(plan.strata[0].samples, 1000);
    assert_true(plan.promised_error > 0.001);
    assert_non_null(strstr(plan.note, "1 of 1 kernels would need more draws"));
    plan_release(&plan);
    profile_release(&p);
}

/* --- recorded durations --- */

struct golden {
    const char *method;
    double error;
    size_t strata, constant; /* constant: the formula gives them m = 0 */
    uint64_t samples;
    double speedup, speedup_digit, half_width_pct; /* as printed; the last digit's unit */
};

static void check_golden(const struct profile *p, const struct golden *g)
{
    struct plan_params params = PLAN_PARAMS_DEFAULT;
    uint64_t samples = 0, constant = 0;
    double cost = 0;
    struct plan plan;
    struct err e;

    params.error = g->error;
    CHECK_OK(plan_make(g->method, p, &params, &plan, &e), &e);
    for (size_t h = 0; h < plan.stratum_count; h++) {
        samples += plan.strata[h].samples;
        cost += (double)plan.strata[h].samples * plan.strata[h].mean;
        constant += plan.strata[h].population > 1 && plan.strata[h].low == plan.strata[h].high;
    }
    assert_int_equal(plan.stratum_count, g->strata);
    assert_int_equal(samples, g->samples);
    assert_in_range((uint64_t)((double)plan.total / cost / g->speedup_digit + 0.5),
                    (uint64_t)(g->speedup / g->speedup_digit + 0.5),
                    (uint64_t)(g->speedup / g->speedup_digit + 0.5));
    if (g->half_width_pct > 0) {
        assert_int_equal(constant, g->constant);
        assert_int_equal((uint64_t)(100 * plan.promised_error * 1000 + 0.5),
                         (uint64_t)(g->half_width_pct * 1000 + 0.5));
    }
    plan_release(&plan);
}

static void the_published_methods_give_their_numbers(void **state)
{
    static const struct golden rows[] = {
        {"root", 0.01, 72, 3, 81, 444.6, 0.1, 0.216},       {"root", 0.03, 18, 0, 23, 1660.8, 0.1, 0.561},
        {"root", 0.05, 13, 0, 15, 2423.9, 0.1, 1.021},      {"root", 0.10, 10, 0, 11, 5197.1, 0.1, 2.590},
        {"root", 0.25, 9, 0, 9, 5504.3, 0.1, 3.547},        {"root-ae", 0.01, 34, 0, 47, 789.9, 0.1, 0.356},
        {"root-ae", 0.03, 14, 0, 16, 2316.8, 0.1, 1.000},   {"root-ae", 0.05, 12, 0, 12, 3791.4, 0.1, 1.081},
        {"root-ae", 0.10, 10, 0, 11, 5197.1, 0.1, 2.590},   {"root-ae", 0.25, 9, 0, 9, 5504.3, 0.1, 3.547},
        {"allegro", 0.05, 9, 0, 270, 183.48, 0.01, 0},      {"allegro", 0.01, 12, 0, 362, 124.05, 0.01, 0},
        {"allegro-tool", 0.05, 9, 0, 270, 183.48, 0.01, 0},
    };
    struct profile p;

    (void)state;
    casio_load(&p);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check_golden(&p, &rows[i]);
    profile_release(&p);
}

/* Six clusters from other methods: figure 10 of STEM+ROOT. */
static void the_published_methods_on_clusters_of_others(void **state)
{
    static const struct golden rows[] = {
        {"root", 0.01, 137, 59, 147, 25.6, 0.1, 0.055},  {"root", 0.03, 34, 3, 37, 93.9, 0.1, 0.875},
        {"root", 0.05, 27, 0, 28, 108.9, 0.1, 0.889},    {"root", 0.10, 17, 0, 18, 143.0, 0.1, 3.398},
        {"root-ae", 0.01, 61, 13, 79, 42.2, 0.1, 0.211}, {"root-ae", 0.03, 25, 0, 28, 100.4, 0.1, 1.029},
        {"root-ae", 0.05, 23, 0, 23, 120.7, 0.1, 1.138}, {"root-ae", 0.10, 16, 0, 17, 150.6, 0.1, 3.426},
        {"allegro", 0.05, 10, 0, 331, 8.22, 0.01, 0},    {"allegro", 0.01, 21, 0, 665, 4.54, 0.01, 0},
    };
    struct profile p;

    (void)state;
    durations_load("durations/prevworks.csv", &p);
    assert_int_equal(p.count, 4837);
    assert_int_equal(profile_total(&p), 12728346);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check_golden(&p, &rows[i]);
    profile_release(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(allegro_sizes_of_one_group),
        cmocka_unit_test(stem_sizes_of_several_clusters),
        cmocka_unit_test(stem_sizes_of_sixteen_equal_clusters),
        cmocka_unit_test(stem_sizes_know_no_population),
        cmocka_unit_test(one_kernel_cut_in_two),
        cmocka_unit_test(leaves_of_one_kernel),
        cmocka_unit_test(the_tool_cuts_where_the_paper_does_not),
        cmocka_unit_test(constant_work_is_exact_with_few_samples),
        cmocka_unit_test(stem_alone_shares_one_error),
        cmocka_unit_test(the_published_methods_give_their_numbers),
        cmocka_unit_test(the_published_methods_on_clusters_of_others),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
