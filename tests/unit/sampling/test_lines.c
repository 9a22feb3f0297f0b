/* Kernels with different names share a stratum only if the values are times. */
#include "tests/harness/check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sampling/estimate/communication_split.h"
#include "sampling/profile/communication.h"
#include "sampling/math/quantile.h"
#include "sampling/plan/plan.h"

/* One heavy kernel and twenty light ones with similar values. */
static void make_profile(struct profile *out, enum profile_unit unit)
{
    struct profile_builder *b;
    struct profile_row row = {.grid = {8, 1, 1}, .block = {128, 1, 1}};
    char name[32];
    struct err e;

    b = profile_builder_new(unit, 0, &e);
    assert_non_null(b);
    for (int i = 0; i < 2100; i++) {
        int kind = i % 21;

        snprintf(name, sizeof name, kind ? "light_%d" : "heavy", kind);
        row.name = name;
        row.correlation = (uint64_t)i + 1;
        row.value = kind ? 1000 + (uint64_t)(i * 7 % 11) : 1000000 + (uint64_t)(i * 13 % 997) * 100;
        CHECK_OK(profile_builder_add(b, &row, &e), &e);
    }
    profile_init(out);
    CHECK_OK(profile_builder_finish(b, out, &e), &e);
    profile_builder_free(b);
}

static size_t mixed_strata(enum profile_unit unit)
{
    struct plan_params params = PLAN_PARAMS_DEFAULT;
    struct profile profile;
    struct plan plan;
    size_t mixed = 0;
    struct err e;

    make_profile(&profile, unit);
    CHECK_OK(plan_make("vivace", &profile, &params, &plan, &e), &e);
    for (size_t h = 0; h < plan.stratum_count; h++)
        mixed += plan.strata[h].mixed_names;
    /* a promise based on instruction counts is marked */
    assert_true((strstr(plan.note, "Planned from warp instructions") != NULL) ==
                (unit == PROFILE_WARP_INSTRUCTIONS));
    plan_release(&plan);
    profile_release(&profile);
    return mixed;
}

static void times_are_shared_instructions_are_not(void **state)
{
    (void)state;
    assert_true(mixed_strata(PROFILE_NS) > 0);
    assert_int_equal(mixed_strata(PROFILE_WARP_INSTRUCTIONS), 0);
}

static void project(const struct plan *plan, double factor, struct projection *out)
{
    double *y = calloc(plan->sample_count, sizeof *y);
    struct err e;

    assert_non_null(y);
    for (size_t i = 0; i < plan->sample_count; i++) /* one sample in two differs, so that results have a spread */
        y[i] = (double)plan->samples[i].value * (i % 2 ? factor : 1.1 * factor);
    CHECK_OK(projection_make(plan, y, 0.95, out, &e), &e);
    free(y);
}

static bool are_separate(const struct profile *profile, const struct plan *plan)
{
    struct communication_split x;
    struct projection p;
    struct err e;
    int apart;

    project(plan, 2, &p);
    apart = communication_split_make(profile, plan, &p, &x, &e);
    assert_true(apart >= 0);
    projection_release(&p);
    return apart == 1;
}

/* Against sums over strata, computed here. */
static void both_parts_are_projected(const struct profile *profile, const struct plan *plan)
{
    double value = 0, variance = 0, below = 0;
    struct communication_split x;
    struct projection p;
    uint64_t profiled = 0;
    struct err e;

    project(plan, 2, &p);
    assert_int_equal(communication_split_make(profile, plan, &p, &x, &e), 1);
    for (size_t h = 0; h < plan->stratum_count; h++) {
        const struct projection_stratum *s = &p.strata[h];

        if (plan->strata[h].mixed_names || !communication_library(plan->strata[h].kernel_name))
            continue;
        value += (double)s->population * s->mean;
        profiled += plan->strata[h].total;
        variance += s->variance;
        below += s->variance > 0 ? s->variance * s->variance / (double)(s->done - 1) : 0;
    }
    assert_int_equal(x.launches, 300);
    assert_int_equal(x.profiled, profiled);
    CHECK_NEAR(x.value / value, 1, 1e-12);
    CHECK_NEAR((x.value + x.other) / p.value, 1, 1e-12);
    assert_true(variance > 0 && x.other_half_width > 0);
    CHECK_NEAR(x.half_width / (t_factor(0.95, fmin(variance * variance / below, p.df)) * sqrt(variance)), 1, 1e-9);
    projection_release(&p);
}

/* Twenty light kernels, three of which wait for other GPUs. Their times are like the others'. */
static void communication_shares_no_stratum(void **state)
{
    static const char *const talking[] = {
        "ncclDevKernel_AllReduce_Sum_f16_RING_LL(ncclDevKernelArgsStorage<4096ul>)",
        "void vllm::cross_device_reduce_2stage<__half, 2>(vllm::RankData*, int)",
        "ncclKernel_SendRecv_RING_SIMPLE_Sum_int8_t(ncclWorkElem)"};
    struct plan_params params = PLAN_PARAMS_DEFAULT;
    struct profile profile;
    size_t mixed = 0;
    uint64_t apart = 0;
    struct plan plan;
    struct err e;

    (void)state;
    make_profile(&profile, PROFILE_NS);
    for (size_t k = 0, named = 0; k < profile.kernel_count; k++) {
        if (strcmp(profile.kernels[k].name, "heavy") == 0 || named == 3)
            continue;
        free(profile.kernels[k].name);
        profile.kernels[k].name = strdup(talking[named++]);
    }
    CHECK_OK(plan_make("vivace", &profile, &params, &plan, &e), &e);
    for (size_t h = 0; h < plan.stratum_count; h++) {
        mixed += plan.strata[h].mixed_names;
        if (!plan.strata[h].mixed_names && communication_library(plan.strata[h].kernel_name))
            apart += plan.strata[h].population;
    }
    assert_true(mixed > 0);
    assert_int_equal(apart, 300);
    assert_non_null(strstr(plan.note, "Communication: 300 launches with "));
    both_parts_are_projected(&profile, &plan);
    plan_release(&plan);
    CHECK_OK(plan_make("srs", &profile, &params, &plan, &e), &e);
    assert_non_null(strstr(plan.note, "Communication: 300 launches with "));
    assert_false(are_separate(&profile, &plan));
    plan_release(&plan);
    profile_release(&profile);
}

static void communication_is_known_by_name(void **state)
{
    static const struct {
        const char *name, *library;
    } cases[] = {
        {"ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<(unsigned long)4096>)", "NCCL"},
        {"_Z29ncclDevKernel_Broadcast_RING_LL24ncclDevKernelArgsStorageILm4096EE", "NCCL"},
        {"ncclKernel_AllReduce_RING_LL_Sum_float(ncclWorkElem)", "NCCL"},
        {"void vllm::cross_device_reduce_1stage<float, 4>(vllm::RankData*)", "vLLM or AITER"},
        {"void tensorrt_llm::kernels::oneShotAllReduceKernel<float, 8, false>(int)", "TensorRT-LLM"},
        {"void c10d::multimem_all_reduce_kernel<c10::BFloat16, 16>(int)", "PyTorch"},
        {"void fake_ncclKernel_thing(int)", NULL},
        {"void wait<ncclDevKernel_X>(int)", NULL}, /* as an argument */
        {"void f(ncclDevKernelArgs)", NULL},
        {"reduce_kernel", NULL},
        {"", NULL},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *library = communication_library(cases[i].name);

        if (!cases[i].library != !library || (library && strcmp(library, cases[i].library) != 0))
            fail_msg("%s: %s", cases[i].name, library ? library : "none");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(times_are_shared_instructions_are_not),
                                       cmocka_unit_test(communication_shares_no_stratum),
                                       cmocka_unit_test(communication_is_known_by_name)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
