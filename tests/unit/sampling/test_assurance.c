/* Plans with an assurance. On populations that satisfy their assumptions, at the noise that they state, the
 * half-width of a projection is within the error as often as requested. Without an assurance it is not. A plan
 * that cannot be assured reports it. */
#include "tests/harness/check.h"

#include "tests/harness/redraw.h"
#include "tests/harness/runs.h"

enum { REALISATIONS = 8 };
#ifdef __SANITIZE_ADDRESS__
enum { RUNS = 10 };
#else
enum { RUNS = 60 };
#endif

/* 30 kernels of 300 launches each: times spread by 1 to 10 % of means between 1 and 100 us. */
static void made_up(struct profile *p, enum profile_unit unit)
{
    struct profile_row row = {.grid = {1, 1, 1}, .block = {32, 1, 1}};
    struct profile_builder *b;
    struct rng r;
    struct err e;

    rng_init(&r, 5, 0, RNG_TEST);
    b = profile_builder_new(unit, 0, &e);
    for (int k = 0; k < 30; k++) {
        double mean = 1000 * exp(rng_unit(&r) * log(100)), cv = 0.01 + 0.09 * rng_unit(&r);
        char name[24];

        snprintf(name, sizeof name, "kernel %d", k);
        row.name = name;
        for (int i = 0; i < 300; i++) {
            row.value = (uint64_t)(mean * (1 + cv * fmax(-3, fmin(3, rng_normal(&r)))));
            row.correlation++;
            CHECK_OK(profile_builder_add(b, &row, &e), &e);
        }
    }
    CHECK_OK(profile_builder_finish(b, p, &e), &e);
    profile_builder_free(b);
}

/* Share of draws whose half-width is within the error. */
static struct runs_fixed_score kept_on(const struct runs *r, enum design d)
{
    struct runs_fixed_score sum = {0};
    struct err e;

    for (unsigned i = 0; i < REALISATIONS; i++) {
        double *y = design_make(r->p, d, 500 + i, &e);
        struct runs_fixed_score one;

        CHECK_OK(runs_play_fixed(r, y, 9000000 + 1000 * i, RUNS, &one, &e), &e);
        sum.kept += one.kept / REALISATIONS;
        sum.covered += one.covered / REALISATIONS;
        sum.cost += one.cost / REALISATIONS;
        free(y);
    }
    return sum;
}

static void an_assured_plan_keeps_its_error(void **state)
{
    static const enum design within[] = {DESIGN_PROFILE, DESIGN_OTHER, DESIGN_NOISE_3, DESIGN_NOISE_10,
                                         DESIGN_LOGNORMAL_10};
    struct plan_params params = PLAN_PARAMS_DEFAULT;
    struct runs plain, assured;
    struct profile p;
    struct err e;

    (void)state;
    made_up(&p, PROFILE_NS);
    params.assurance = 0.9;
    for (int percent = 5; percent >= 2; percent -= 3) {
        CHECK_OK(runs_init(&plain, &p, percent / 100.0, &e), &e);
        params.error = percent / 100.0;
        CHECK_OK(runs_init_by(&assured, &p, &params, &e), &e);
        assert_true(isnan(plain.plan.assured));
        assert_true(assured.plan.assured >= 0.9 && assured.plan.promise_valid);
        assert_true(assured.plan.promised_error <= percent / 100.0);
        assert_true(assured.plan.assured_noise >= 0.1 && assured.plan.assured_noise < 0.2);
        assert_non_null(strstr(assured.plan.note, "Assured: "));
        assert_null(strstr(plain.plan.note, "Assured: "));
        for (size_t k = 0; k < sizeof within / sizeof *within; k++) {
            struct runs_fixed_score s = kept_on(&assured, within[k]);

            if (s.kept < 0.9 || s.covered < 0.91)
                fail_msg("%d %%, %s: kept in %.1f %%, holds in %.1f %%", percent, design_names[within[k]],
                         100 * s.kept, 100 * s.covered);
        }
        /* without assurance the half-width is within the error only on average */
        assert_true(kept_on(&plain, DESIGN_NOISE_10).kept < 0.6);
        assert_true(kept_on(&assured, DESIGN_NOISE_30).kept < 0.9); /* more noise than the plan assumes */
        runs_release(&plain);
        runs_release(&assured);
    }
    profile_release(&p);
}

static void plan_with(const struct profile *p, struct plan_params params, struct plan *out)
{
    struct err e;

    CHECK_OK(plan_make("vivace", p, &params, out, &e), &e);
}

static void what_cannot_be_assured_is_said(void **state)
{
    struct plan_params params = PLAN_PARAMS_DEFAULT;
    struct profile p;
    struct plan plan;
    struct err e;

    (void)state;
    params.assurance = 0.9;
    params.budget = 0.001;
    made_up(&p, PROFILE_NS);
    params.error = 0.01;
    plan_with(&p, params, &plan); /* the budget is too small */
    assert_true(plan.assured < 0.9 && !plan.promise_valid);
    assert_non_null(strstr(plan.caution, "not assured"));
    plan_release(&plan);
    params.budget = 0;
    params.least_samples = 1; /* one sample per stratum: no interval */
    plan_with(&p, params, &plan);
    assert_true(isnan(plan.assured) && !plan.promise_valid);
    assert_non_null(strstr(plan.caution, "nothing is assured"));
    plan_release(&plan);
    params.least_samples = 2;
    profile_release(&p);
    made_up(&p, PROFILE_WARP_INSTRUCTIONS);
    plan_with(&p, params, &plan);
    assert_true(isnan(plan.assured) && !plan.promise_valid);
    assert_non_null(strstr(plan.caution, "instruction counts do not show"));
    plan_release(&plan);
    params.assurance = 0.3;
    assert_int_equal(plan_make("vivace", &p, &params, &plan, &e), -1);
    assert_non_null(strstr(e.text, "between 50 and 99"));
    profile_release(&p);
}

/* A higher assurance needs more samples. The seed changes only the draws, not the sizes. */
static void sizes_follow_the_assurance_and_no_seed(void **state)
{
    struct plan_params params = PLAN_PARAMS_DEFAULT;
    size_t before = 0;
    struct profile p;
    struct plan plan;

    (void)state;
    made_up(&p, PROFILE_NS);
    for (int i = 0; i < 4; i++) {
        params.assurance = i < 3 ? 0.6 + 0.17 * i : 0.94;
        params.seed = 1 + (uint64_t)(i == 3);
        plan_with(&p, params, &plan);
        assert_true(i == 3 ? plan.sample_count == before : plan.sample_count > before);
        before = plan.sample_count;
        plan_release(&plan);
    }
    profile_release(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_assured_plan_keeps_its_error),
        cmocka_unit_test(what_cannot_be_assured_is_said),
        cmocka_unit_test(sizes_follow_the_assurance_and_no_seed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
