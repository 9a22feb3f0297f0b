/* Kernels of different names share a stratum only where values are times. */
#include "tests/harness/check.h"

#include "sampling/plan.h"

/* One heavy kernel and twenty light ones whose values lie close together. */
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
    /* a promise from instructions says that it is one */
    assert_true((strstr(plan.note, "Planned by warp instructions") != NULL) == (unit == PROFILE_WARP_INSTRUCTIONS));
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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(times_are_shared_instructions_are_not)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
