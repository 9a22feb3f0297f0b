/* Instruction counts scaled to cycles with one simulated launch of each shape: values computed by hand. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sampling/plan/pilot.h"
#include "sampling/plan/plan.h"
#include "tests/harness/check.h"

struct launch {
    const char *name;
    uint32_t grid;
    uint64_t value;
};

static void profile_make(const struct launch *l, size_t n, enum profile_unit unit, struct profile *out)
{
    struct profile_builder *b;
    struct err e;

    b = profile_builder_new(unit, 0, &e);
    for (size_t i = 0; i < n; i++) {
        struct profile_row row = {.name = l[i].name,
                                  .grid = {l[i].grid, 1, 1},
                                  .block = {32, 1, 1},
                                  .correlation = i + 1,
                                  .value = l[i].value};

        CHECK_OK(profile_builder_add(b, &row, &e), &e);
    }
    CHECK_OK(profile_builder_finish(b, out, &e), &e);
    profile_builder_free(b);
}

/* gemm on two grids, one of them launched once; norm once with and once without instructions; copy. */
static const struct launch some[] = {{"gemm", 8, 100}, {"gemm", 8, 200}, {"norm", 1, 10},  {"gemm", 8, 100},
                                     {"gemm", 9, 50},  {"norm", 1, 0},   {"gemm", 8, 100}, {"gemm", 8, 300},
                                     {"copy", 1, 40},  {"gemm", 8, 100}};
#define SOME (sizeof some / sizeof *some)

static void the_middle_of_the_median_launches_is_chosen(void **state)
{
    struct pilot_launch l[4];
    struct profile p;
    size_t n;
    struct err e;

    (void)state;
    profile_make(some, SOME, PROFILE_WARP_INSTRUCTIONS, &p);
    CHECK_OK(pilot_choose(&p, NULL, l, &n, &e), &e);
    /* gemm of 8: counts 100 x4 (launches 0, 3, 6, 9), 200, 300: the median is 100, the middle of four the third. */
    assert_int_equal(n, 4);
    assert_int_equal(l[0].launch, 2);
    assert_int_equal(l[1].launch, 4);
    assert_int_equal(l[2].launch, 6);
    assert_int_equal(l[3].launch, 8);
    assert_true(isnan(l[0].cycles) && isnan(l[0].fixed_cycles));
    profile_release(&p);
}

static void only_launches_that_are_there_are_chosen(void **state)
{
    const bool there[SOME] = {[1] = true, [5] = true, [7] = true, [8] = true}, none[SOME] = {[5] = true};
    struct pilot_launch l[4];
    struct profile p;
    size_t n;
    struct err e;

    (void)state;
    profile_make(some, SOME, PROFILE_WARP_INSTRUCTIONS, &p);
    CHECK_OK(pilot_choose(&p, there, l, &n, &e), &e);
    assert_int_equal(
        n, 2); /* gemm of 8: 200 and 300, of which the lower median; copy; norm has one without instructions */
    assert_int_equal(l[0].launch, 1);
    assert_int_equal(l[1].launch, 8);
    CHECK_FAILS(pilot_choose(&p, none, l, &n, &e), &e, ERR_INVALID, "hold none of the profile's launches");
    profile_release(&p);
}

static void launches_scale_by_their_shape(void **state)
{
    /* gemm of 8: 700 fixed, 2100 - 700 for 100 instructions: 14 each. gemm of 9: 900 - 700 for 50: 4 each. */
    const struct pilot_launch l[] = {{2, 1000, 600}, {4, 900, 700}, {6, 2100, 700}, {8, 740, 700}};
    const uint64_t cycles[SOME] = {2100, 3500, 1000, 2100, 900, 0, 2100, 4900, 740, 2100};
    struct pilot_outcome o;
    struct profile p;
    struct err e;

    (void)state;
    profile_make(some, SOME, PROFILE_WARP_INSTRUCTIONS, &p);
    CHECK_OK(pilot_scale(&p, l, 4, "v100", &o, &e), &e);
    assert_int_equal(p.unit, PROFILE_CYCLES);
    assert_string_equal(p.gpu_name, "v100");
    assert_memory_equal(p.value, cycles, sizeof cycles);
    assert_int_equal(p.features->known, SOME); /* methods that need counts still have them */
    for (size_t i = 0; i < SOME; i++)
        assert_int_equal(p.features->instructions[i], some[i].value);
    assert_int_equal(o.shapes, 4);
    assert_int_equal(o.measured, 4);
    CHECK_NEAR(o.from_name + o.from_others, 0, 0);
    profile_release(&p);
}

static void shapes_without_a_result_go_by_their_name_then_by_all(void **state)
{
    /* gemm of 9 (50 instructions) uses the fit of gemm of 8: 700 + 14 x 50 = 1400. norm and copy use the mean of
     * all: the fixed part is 700, and 1400 cycles per 100 instructions. */
    const struct pilot_launch l[] = {{2, NAN, NAN}, {6, 2100, 700}, {8, 500, 700}};
    const uint64_t cycles[SOME] = {2100, 3500, 840, 2100, 1400, 0, 2100, 4900, 1260, 2100};
    const double total = 2100 * 4 + 3500 + 840 + 1400 + 4900 + 1260;
    struct pilot_outcome o;
    struct profile p;
    struct err e;

    (void)state;
    profile_make(some, SOME, PROFILE_WARP_INSTRUCTIONS, &p);
    CHECK_OK(pilot_scale(&p, l, 3, "v100", &o, &e), &e); /* launch 8: fewer cycles than its fixed part is invalid */
    assert_memory_equal(p.value, cycles, sizeof cycles);
    assert_int_equal(o.shapes, 4);
    assert_int_equal(o.measured, 1);
    CHECK_NEAR(o.from_name, 1400 / total, 1e-12);
    CHECK_NEAR(o.from_others, (840 + 1260) / total, 1e-12);
    profile_release(&p);
}

static void several_results_of_a_shape_count_together(void **state)
{
    /* 1400 + 2200 cycles beyond the fixed part for 100 + 200 instructions: 12 each. */
    const struct pilot_launch l[] = {{0, 2100, 700}, {1, 2900, 700}};
    struct pilot_outcome o;
    struct profile p;
    struct err e;

    (void)state;
    profile_make(some, SOME, PROFILE_WARP_INSTRUCTIONS, &p);
    CHECK_OK(pilot_scale(&p, l, 2, "v100", &o, &e), &e);
    assert_int_equal(p.value[3], 1900);
    assert_int_equal(p.value[7], 4300);
    profile_release(&p);
}

static void what_cannot_be_scaled_is_refused(void **state)
{
    const struct pilot_launch none[] = {{0, NAN, NAN}}, beyond[] = {{SOME, 900, 700}}, far[] = {{0, 1e18, 0}};
    const struct launch huge[] = {{"gemm", 8, 100}, {"gemm", 8, UINT64_C(1) << 40}};
    struct pilot_launch l[4];
    struct pilot_outcome o;
    struct profile p;
    size_t n;
    struct err e;

    (void)state;
    profile_make(some, SOME, PROFILE_WARP_INSTRUCTIONS, &p);
    CHECK_FAILS(pilot_scale(&p, none, 1, "v100", &o, &e), &e, ERR_INVALID, "none of the pilot's 1 launches");
    CHECK_FAILS(pilot_scale(&p, beyond, 1, "v100", &o, &e), &e, ERR_INVALID, "the profile has 10 launches");
    assert_int_equal(p.unit, PROFILE_WARP_INSTRUCTIONS);
    assert_int_equal(p.value[1], 200); /* and the value is unchanged */
    profile_release(&p);
    profile_make(huge, 2, PROFILE_WARP_INSTRUCTIONS, &p);
    CHECK_FAILS(pilot_scale(&p, far, 1, "v100", &o, &e), &e, ERR_INVALID, "pass 2^63");
    profile_release(&p);
    profile_make(some, SOME, PROFILE_NS, &p);
    CHECK_FAILS(pilot_choose(&p, NULL, l, &n, &e), &e, ERR_INVALID, "this profile measured ns");
    profile_release(&p);
    profile_make(some, SOME, PROFILE_CYCLES, &p);
    CHECK_FAILS(pilot_scale(&p, none, 1, "v100", &o, &e), &e, ERR_INVALID, "this profile measured cycles");
    profile_release(&p);
}

/* A kernel with 1/200 of the instructions and half of the cycles gets the sample size for half of the cycles. Its
 * counts vary, so it needs samples that the plan by instructions does not give it. */
static void plans_go_by_the_estimated_cycles(void **state)
{
    enum { N = 300 };
    const struct pilot_launch l[] = {{0, 1700, 700}, {1, 7700, 700}}; /* 0.01 and 70 cycles an instruction */
    struct launch launches[2 * N];
    struct plan_params params = PLAN_PARAMS_DEFAULT;
    struct plan plan;
    struct pilot_outcome o;
    struct profile p;
    uint64_t drawn[2] = {0};
    struct err e;

    (void)state;
    for (size_t i = 0; i < N; i++) {
        launches[2 * i] = (struct launch){"gemm", 8, 100000};
        launches[2 * i + 1] = (struct launch){"combine", 4, 100 + i * 7 % 200};
    }
    params.error = 0.02;
    profile_make(launches, sizeof launches / sizeof *launches, PROFILE_WARP_INSTRUCTIONS, &p);
    for (int scaled = 0; scaled < 2; scaled++) {
        if (scaled)
            CHECK_OK(pilot_scale(&p, l, 2, "v100", &o, &e), &e);
        CHECK_OK(plan_make("vivace", &p, &params, &plan, &e), &e);
        for (size_t h = 0; h < plan.stratum_count; h++)
            if (strcmp(plan.strata[h].kernel_name, "combine") == 0)
                drawn[scaled] += plan.strata[h].samples;
        if (scaled) {
            assert_int_equal(plan.unit, PROFILE_CYCLES);
            assert_non_null(
                strstr(plan.note, "cycles estimated for v100, with one simulated launch of each shape"));
            assert_non_null(strstr(plan.note, "by cache contents or data, are not known"));
        }
        plan_release(&plan);
    }
    assert_true(drawn[0] <= 3);
    assert_true(drawn[1] >= 4 * drawn[0]);
    profile_release(&p);
}

/* Stores the counts as an import does. */
static void keep_counts(struct profile *p)
{
    struct err e;

    p->features = features_new(&e);
    assert_non_null(p->features);
    p->features->known = p->count;
    p->features->instructions = malloc(sizeof(uint64_t) * p->count);
    memcpy(p->features->instructions, p->value, sizeof(uint64_t) * p->count);
}

static void a_pilot_is_a_plan_without_a_promise(void **state)
{
    const uint64_t drawn[] = {2, 4, 6, 8};
    struct plan_params params = PLAN_PARAMS_DEFAULT;
    struct plan plan;
    struct profile p;
    struct err e;

    (void)state;
    profile_make(some, SOME, PROFILE_WARP_INSTRUCTIONS, &p);
    keep_counts(&p);
    CHECK_OK(plan_make("pilot", &p, &params, &plan, &e), &e);
    assert_int_equal(plan.sample_count, 4);
    for (size_t i = 0; i < 4; i++) {
        bool found = false;

        for (size_t k = 0; k < 4; k++)
            found |= plan.samples[k].launch == drawn[i];
        assert_true(found);
    }
    assert_true(plan.representative && isnan(plan.promised_error));
    plan_release(&plan);
    profile_release(&p);
    profile_make(some, SOME, PROFILE_NS, &p);
    assert_int_equal(plan_make("pilot", &p, &params, &plan, &e), -1);
    profile_release(&p);
}

/* Uses the method's launch if all launches have a trace, otherwise the median of those with a trace. A shape
 * without any trace is an error. */
static void a_pilot_is_drawn_from_launches_with_a_trace(void **state)
{
    bool there[SOME] = {[0] = true, [4] = true, [6] = true, [8] = true, [9] = true};
    struct profile p;
    struct plan all, own, some_of;
    struct err e;

    (void)state;
    profile_make(some, SOME, PROFILE_WARP_INSTRUCTIONS, &p);
    assert_int_equal(pilot_plan(&p, NULL, &all, &e), -1); /* the profile has no counts besides its values */
    keep_counts(&p);
    CHECK_OK(plan_make("pilot", &p, &PLAN_PARAMS_DEFAULT, &own, &e), &e);
    CHECK_OK(pilot_plan(&p, NULL, &all, &e), &e);
    assert_int_equal(all.sample_count, own.sample_count);
    for (size_t i = 0; i < all.sample_count; i++)
        assert_int_equal(all.samples[i].launch, own.samples[i].launch);
    assert_int_equal(pilot_plan(&p, there, &some_of, &e), -1); /* norm */
    assert_int_equal(e.code, ERR_CONFLICT);
    assert_string_equal(e.text, "1 of the profile's 4 shapes (name, grid, block) have no trace");
    there[2] = true;
    CHECK_OK(pilot_plan(&p, there, &some_of, &e), &e);
    assert_int_equal(some_of.sample_count, 4);
    assert_string_equal(some_of.profile_sha256, own.profile_sha256);
    for (size_t i = 0; i < 4; i++)
        assert_true(there[some_of.samples[i].launch]);
    plan_release(&all);
    plan_release(&own);
    plan_release(&some_of);
    profile_release(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_middle_of_the_median_launches_is_chosen),
        cmocka_unit_test(only_launches_that_are_there_are_chosen),
        cmocka_unit_test(launches_scale_by_their_shape),
        cmocka_unit_test(shapes_without_a_result_go_by_their_name_then_by_all),
        cmocka_unit_test(several_results_of_a_shape_count_together),
        cmocka_unit_test(what_cannot_be_scaled_is_refused),
        cmocka_unit_test(plans_go_by_the_estimated_cycles),
        cmocka_unit_test(a_pilot_is_a_plan_without_a_promise),
        cmocka_unit_test(a_pilot_is_drawn_from_launches_with_a_trace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
