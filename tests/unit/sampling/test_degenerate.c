/* Every method on degenerate profiles gives a valid plan or a message with the reason. Once with times only, and
 * once with all data that a method may need. */
#include "tests/unit/sampling/profiles.h"
#include "tests/unit/sampling/with_features.h"

#include "sampling/methods/evaluate.h"

/* Tries all methods, or only those that need features. Returns the number of plans. */
static unsigned try_all(const struct profile *p, double error, unsigned repeats, bool needy_only)
{
    unsigned plans = 0;

    for (size_t m = 0; methods[m]; m++) {
        const char *why_not = method_why_not(methods[m], p);
        struct plan_params params = PLAN_PARAMS_DEFAULT;
        struct evaluation v;
        struct plan plan;
        struct err e;

        if (needy_only && !methods[m]->needs)
            continue;
        params.error = error;
        if (plan_make(methods[m]->name, p, &params, &plan, &e) == 0) {
            assert_null(why_not);
            CHECK_OK(plan_check(&plan, &e), &e);
            assert_true(plan.speedup >= 1 - 1e-12);
            plan_release(&plan);
            plans++;
        } else {
            if (e.code != ERR_INVALID || strlen(e.text) < 30)
                fail_msg("%s: %s \"%s\"", methods[m]->name, err_name(e.code), e.text);
            assert_true(!why_not || strstr(e.text, why_not));
        }
        if (repeats) {
            CHECK_OK(evaluate(methods[m], p, &params, repeats, &v, &e), &e);
            evaluation_release(&v);
        }
    }
    return plans;
}

static const double errors[] = {0.0001, 0.05, 0.9};

/* `least`: smallest number of methods that must give a plan from times alone. */
static void try_profile(struct profile *p, unsigned least)
{
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        assert_true(try_all(p, errors[i], 5, false) >= least);
    with_every_feature(p);
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        assert_true(try_all(p, errors[i], 5, false) >= least);
    profile_release(p);
}

static unsigned without_needs(void)
{
    unsigned n = 0;

    for (size_t m = 0; methods[m]; m++)
        n += methods[m]->needs == 0;
    assert_true(n >= 11);
    return n;
}

static void few_launches(void **state)
{
    static const struct {
        uint64_t values[4];
        size_t n;
    } cases[] = {
        {{7}, 1},       {{1}, 1},          {{5, 5}, 2},    {{1, (uint64_t)1 << 40}, 2}, {{0, 9}, 2},
        {{3, 0, 3}, 3}, {{1, 1, 1000}, 3}, {{4, 5, 6}, 3}, {{2, 0, 0, 1}, 4},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct profile p;

        profile_of(cases[i].values, cases[i].n, &p);
        try_profile(&p, without_needs());
    }
}

static void all_equal(void **state)
{
    uint64_t values[500];
    struct profile p;

    (void)state;
    for (size_t i = 0; i < 500; i++)
        values[i] = 1000;
    profile_of(values, 500, &p);
    try_profile(&p, without_needs());
}

static void all_zero(void **state)
{
    static const uint64_t zeros[100];
    struct profile p;

    (void)state;
    profile_of(zeros, 100, &p);
    assert_int_equal(try_all(&p, 0.05, 0, false), 0);
    with_every_feature(&p);
    assert_int_equal(try_all(&p, 0.05, 0, false), 0);
    profile_release(&p);
}

/* Each name is launched once: strata of one launch. */
static void every_name_once(void **state)
{
    struct profile_builder *b;
    struct profile p;
    struct err e;

    (void)state;
    b = profile_builder_new(PROFILE_NS, 0, &e);
    for (uint64_t i = 0; i < 60; i++) {
        char name[16];
        struct profile_row row = {.name = name, .grid = {1, 1, 1}, .block = {32, 1, 1}, .correlation = i};

        snprintf(name, sizeof name, "kernel%d", (int)i);
        row.value = 100 + i * i;
        CHECK_OK(profile_builder_add(b, &row, &e), &e);
    }
    CHECK_OK(profile_builder_finish(b, &p, &e), &e);
    profile_builder_free(b);
    try_profile(&p, without_needs());
}

/* Twelve orders of magnitude in one kernel. */
static void ones_and_giants(void **state)
{
    uint64_t values[1000];
    struct profile p;

    (void)state;
    for (size_t i = 0; i < 1000; i++)
        values[i] = i % 100 == 7 ? (uint64_t)1 << 40 : 1;
    profile_of(values, 1000, &p);
    try_profile(&p, without_needs());
}

/* Periods of 2 to 12 launches: systematic sampling must not follow the period, and sizes must stay bounded. */
static void in_step(void **state)
{
    (void)state;
    for (size_t period = 2; period <= 12; period += 5) {
        uint64_t values[240];
        struct profile p;

        for (size_t i = 0; i < 240; i++)
            values[i] = i % period ? 10 : 100000;
        profile_of(values, 240, &p);
        try_profile(&p, without_needs());
    }
}

static void a_million_distinct_values(void **state)
{
    enum { N = 1000000 };
    uint64_t *values = calloc(N, sizeof *values);
    struct profile p;

    (void)state;
    for (size_t i = 0; i < N; i++)
        values[i] = 1000 + (i * 7919) % N; /* each value once: 7919 and a million are coprime */
    profile_of(values, N, &p);
    free(values);
    assert_true(try_all(&p, 0.05, 0, false) >= without_needs());
    /* Instruction counts only: clustering a million feature rows takes minutes. */
    p.features = calloc(1, sizeof *p.features);
    p.features->known = N;
    with_instructions(&p, 1);
    for (size_t i = 0; i < N; i++)
        p.features->instructions[i] += p.value[i] / 3;
    assert_true(try_all(&p, 0.05, 0, true) >= 2); /* both Sieves */
    profile_release(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_launches),
        cmocka_unit_test(all_equal),
        cmocka_unit_test(all_zero),
        cmocka_unit_test(every_name_once),
        cmocka_unit_test(ones_and_giants),
        cmocka_unit_test(in_step),
        cmocka_unit_test(a_million_distinct_values),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
