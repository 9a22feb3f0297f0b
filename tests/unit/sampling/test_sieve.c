/* Both Sieve variants: their tiers, their splits, and their projections. */
#include "tests/unit/sampling/profiles.h"

#include "sampling/strata/density.h"
#include "sampling/strata/sieve.h"

struct launch {
    const char *name;
    uint64_t instructions, cycles;
    uint32_t grid, block;
};

static void profile_from(const struct launch *launches, size_t n, struct profile *out)
{
    struct profile_builder *b;
    struct err e;

    b = profile_builder_new(PROFILE_NS, 0, &e);
    for (size_t i = 0; i < n; i++) {
        struct profile_row row = {
            .name = launches[i].name, .grid = {1, 1, 1}, .block = {64, 1, 1}, .correlation = i};

        row.grid[0] = launches[i].grid ? launches[i].grid : 1;
        row.block[0] = launches[i].block ? launches[i].block : 64;
        row.value = launches[i].cycles;
        CHECK_OK(profile_builder_add(b, &row, &e), &e);
    }
    CHECK_OK(profile_builder_finish(b, out, &e), &e);
    profile_builder_free(b);
    out->features = features_new(&e);
    out->features->known = n;
    out->features->instructions = calloc(n, sizeof *out->features->instructions);
    for (size_t i = 0; i < n; i++)
        out->features->instructions[i] = launches[i].instructions;
}

/* Makes the plan. Returns its projection when the profile's values are the simulated ones. */
static double project(const char *method, const struct profile *p, struct plan *out)
{
    struct plan_params params = PLAN_PARAMS_DEFAULT;
    double sum = 0;
    struct err e;

    CHECK_OK(plan_make(method, p, &params, out, &e), &e);
    assert_true(out->representative && out->variance == PLAN_VARIANCE_NONE && isnan(out->promised_error));
    for (size_t i = 0; i < out->sample_count; i++)
        sum += out->samples[i].weight * (double)out->samples[i].value;
    return sum;
}

/* The example of the reference: three kernels, one per tier. */
static const struct launch three_tiers[] = {
    {"k1", 1000, 50, 0, 0},  {"k1", 1000, 52, 0, 0},  {"k1", 1000, 51, 0, 0},  {"k2", 1000, 100, 0, 0},
    {"k2", 1100, 110, 0, 0}, {"k2", 1200, 121, 0, 0}, {"k2", 1100, 109, 0, 0}, {"k3", 10, 5, 0, 0},
    {"k3", 12, 6, 0, 0},     {"k3", 1000, 400, 0, 0}, {"k3", 1010, 404, 0, 0}, {"k3", 1020, 409, 0, 0},
};

static void three_kernels_one_a_tier(void **state)
{
    static const uint64_t chosen[] = {0, 4, 8, 10}, chosen_ae[] = {0, 3, 7, 9};
    struct moments k2 = {4, 4400, 1000 * 1000 + 2 * 1100 * 1100 + 1200 * 1200};
    struct moments k3 = {5, 3052, 10 * 10 + 12 * 12 + 1000 * 1000 + 1010 * 1010 + 1020 * 1020};
    struct profile p;
    struct plan plan;

    (void)state;
    CHECK_NEAR(coefficient_of_variation(&k2), 0.0642824347, 1e-9);
    CHECK_NEAR(coefficient_of_variation(&k3), 0.8018501364, 1e-9);
    profile_from(three_tiers, 12, &p);
    CHECK_NEAR(project("sieve", &p, &plan), 1813, 1e-12);
    assert_int_equal(plan.estimator, PLAN_INSTRUCTION_RATIO);
    assert_int_equal(plan.sample_count, 4);
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(plan.samples[i].launch, chosen[i]);
    CHECK_NEAR((3000 + 4400 + 22 + 3030) / 1813.0, 5.7650303365, 1e-9);
    CHECK_NEAR((double)plan.strata[2].auxiliary, 22, 0);
    CHECK_NEAR((double)plan.strata[3].auxiliary, 3030, 0);
    assert_non_null(strstr(plan.note, "1 constant, 1 low, 1 high; they are split into 2"));
    plan_release(&plan);
    CHECK_NEAR(project("sieve-ae", &p, &plan), 1760, 1e-12);
    assert_int_equal(plan.estimator, PLAN_EXPANSION);
    assert_int_equal(plan.sample_count, 4);
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(plan.samples[i].launch, chosen_ae[i]);
    plan_release(&plan);
    profile_release(&p);
}

/* Tier 2: the paper uses the mode of counts within the mode of CTA sizes. The artifact counts whole grids. */
static void the_typical_launch_of_a_name(void **state)
{
    static const struct launch launches[] = {
        {"k", 1000, 1, 1, 128}, {"k", 1001, 2, 8, 64}, {"k", 1003, 3, 8, 64},  {"k", 1002, 4, 1, 128},
        {"k", 1002, 5, 2, 128}, {"k", 1003, 6, 9, 64}, {"k", 1000, 7, 1, 128}, {"k", 1002, 8, 3, 128},
    };
    struct profile p;
    struct plan plan;

    (void)state;
    profile_from(launches, 8, &p);
    project("sieve", &p, &plan); /* block 128: five of eight launches; 1002 occurs three times among them */
    assert_int_equal(plan.sample_count, 1);
    assert_int_equal(plan.samples[0].launch, 3);
    plan_release(&plan);
    project("sieve-ae", &p, &plan); /* 128 threads: three of eight launches */
    assert_int_equal(plan.samples[0].launch, 0);
    plan_release(&plan);
    profile_release(&p);
}

static void density_is_a_sum_of_bells(void **state)
{
    static const struct value_count values[] = {{3, 2}, {4, 1}, {9, 5}, {1000000, 1}};

    (void)state;
    for (double x = -2; x < 20; x += 0.37) {
        double sum = 0;

        for (int i = 0; i < 3; i++)
            sum += (double)values[i].count * exp(-pow(x - (double)values[i].value, 2) / 2);
        CHECK_NEAR(density_log(values, 4, x), log(sum), 1e-8);
    }
    CHECK_NEAR(density_log(values, 4, 500000), -pow(499991, 2) / 2 + log(5), 1e-15);
    CHECK_NEAR(density_log(values, 4, 1000000), 0, 0);
}

static const uint64_t *counts_of(const struct plan *plan)
{
    static uint64_t counts[16];

    for (size_t h = 0; h < plan->stratum_count; h++)
        counts[h] = plan->strata[h].population;
    return counts;
}

/* Gaps split a stratum. A stratum that the fifty points do not split, although it varies by more than half, is
 * checked again. */
static void distinct_counts_are_cut_at_gaps(void **state)
{
    static const struct launch gaps[] = {{"k", 500, 5, 0, 0}, {"k", 100, 1, 0, 0}, {"k", 102, 1, 0, 0},
                                         {"k", 900, 9, 0, 0}, {"k", 101, 2, 0, 0}, {"k", 501, 5, 0, 0},
                                         {"k", 101, 1, 0, 0}, {"k", 500, 5, 0, 0}};
    static const struct launch again[] = {{"k", 10, 1, 0, 0}, {"k", 5000, 20, 0, 0}, {"k", 1000000, 400, 0, 0}};
    struct profile p;
    struct plan plan;

    (void)state;
    profile_from(gaps, 8, &p);
    project("sieve", &p, &plan);
    assert_int_equal(plan.stratum_count, 3);
    assert_memory_equal(counts_of(&plan), ((const uint64_t[]){4, 3, 1}), 3 * sizeof(uint64_t));
    assert_int_equal(plan.samples[0].launch, 4); /* 101: the median of three distinct values, its first launch */
    assert_int_equal(plan.samples[1].launch, 5); /* 501: the upper of two values */
    assert_int_equal(plan.samples[2].launch, 3);
    plan_release(&plan);
    profile_release(&p);
    profile_from(again, 3, &p);
    CHECK_NEAR(project("sieve", &p, &plan), 421, 1e-12);
    assert_int_equal(plan.stratum_count, 3);
    plan_release(&plan);
    profile_release(&p);
}

/* The artifact. Densities: 3.14 at the three 10, 1.41 at 12, 3 at the three 500; the first and the last row have
 * one neighbour. Minima are the first and second 10, the 12, the second and third 500: strata 10 | 10 10 | 12 500
 * | 500 | 500, each represented by its smallest launch. 12 and 500 are checked again and stay together, because
 * their densities are equal. Launches of value 0 are in no stratum. */
static void constant_stretches_shatter_in_the_artifact(void **state)
{
    static const struct launch launches[] = {{"k", 10, 1, 0, 0},  {"k", 10, 1, 0, 0},   {"k", 10, 2, 0, 0},
                                             {"k", 12, 3, 0, 0},  {"k", 500, 50, 0, 0}, {"k", 500, 60, 0, 0},
                                             {"k", 500, 0, 0, 0}, {"k", 500, 55, 0, 0}};
    struct profile p;
    struct plan plan;

    (void)state;
    profile_from(launches, 8, &p);
    CHECK_NEAR(project("sieve-ae", &p, &plan), 1 + 2 * 1 + 2 * 3 + 60 + 55, 1e-12);
    assert_int_equal(plan.zero_launches, 1);
    assert_int_equal(plan.stratum_count, 5);
    plan_release(&plan);
    profile_release(&p);
}

static void counts_are_asked_for(void **state)
{
    struct plan_params params = PLAN_PARAMS_DEFAULT;
    struct profile p;
    struct plan plan;
    struct err e;

    (void)state;
    profile_from(three_tiers, 12, &p);
    p.features->instructions[5] = 0;
    CHECK_FAILS(plan_make("sieve", &p, &params, &plan, &e), &e, ERR_INVALID, "at least 1 for every launch");
    p.features->instructions[5] = UINT64_MAX;
    CHECK_FAILS(plan_make("sieve-ae", &p, &params, &plan, &e), &e, ERR_INVALID, "sum is below 2^64");
    features_free(p.features);
    p.features = NULL;
    CHECK_FAILS(plan_make("sieve", &p, &params, &plan, &e), &e, ERR_INVALID, "needs instruction counts");
    profile_release(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(three_kernels_one_a_tier),
        cmocka_unit_test(the_typical_launch_of_a_name),
        cmocka_unit_test(density_is_a_sum_of_bells),
        cmocka_unit_test(distinct_counts_are_cut_at_gaps),
        cmocka_unit_test(constant_stretches_shatter_in_the_artifact),
        cmocka_unit_test(counts_are_asked_for),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
