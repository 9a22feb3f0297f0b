/* Scores of methods: compared with values computed by hand, with projections, and on values that differ from the
 * profile's. */
#include "tests/unit/sampling/casio.h"

#include "base/rng.h"
#include "sampling/methods/evaluate.h"
#include "sampling/methods/method.h"

static struct plan_params params_of(double error)
{
    struct plan_params params = PLAN_PARAMS_DEFAULT;

    params.error = error;
    return params;
}

/* Two kernel names with 200 launches each, around 1000 and 5000. The instruction counts are three times the
 * value. */
static void two_kernels(struct profile *out)
{
    struct profile_builder *b;
    struct rng r;
    struct err e;

    rng_init(&r, 11, 0, RNG_TEST);
    b = profile_builder_new(PROFILE_NS, 0, &e);
    for (uint64_t i = 0; i < 400; i++) {
        struct profile_row row = {.name = i % 2 ? "long" : "short", .grid = {1, 1, 1}, .block = {32, 1, 1}};

        row.correlation = i;
        row.value = i % 2 ? 4500 + rng_below(&r, 1001) : 950 + rng_below(&r, 101);
        CHECK_OK(profile_builder_add(b, &row, &e), &e);
    }
    CHECK_OK(profile_builder_finish(b, out, &e), &e);
    profile_builder_free(b);
    out->features = features_new(&e);
    out->features->known = out->count;
    out->features->instructions = calloc(out->count, sizeof *out->features->instructions);
    for (size_t i = 0; i < out->count; i++)
        out->features->instructions[i] = 3 * out->value[i];
}

/* --- methods for these tests: one representative per kernel, and a method with its own draw --- */

static int by_name(const struct profile *p, struct strata *out, struct err *e)
{
    out->promised_error = NAN;
    return groups_make(p, GROUP_NAME, &out->groups, e);
}

static int first_of_each(const struct profile *p, const struct plan_params *params, struct strata *out,
                         struct err *e)
{
    (void)params;
    if (by_name(p, out, e) < 0)
        return -1;
    out->representative = true;
    out->variance = PLAN_VARIANCE_NONE;
    for (size_t g = 0; g < out->groups.count; g++) {
        const struct group *at = &out->groups.items[g];
        uint32_t id = out->groups.rows[out->groups.runs[at->run_begin].first];

        if (strata_add_chosen(out, p, g, 0, at->run_begin, at->run_end, &id, 1, e) < 0)
            return -1;
    }
    return 0;
}
static const struct method method_first = {
    .name = "srs", .title = "First", .needs = NEEDS_INSTRUCTIONS, .stratify = first_of_each};

static int first_by_instructions(const struct profile *p, const struct plan_params *params, struct strata *out,
                                 struct err *e)
{
    int ret = first_of_each(p, params, out, e);

    out->estimator = PLAN_INSTRUCTION_RATIO;
    return ret;
}
static const struct method method_ratio = {
    .name = "srs", .title = "First", .needs = NEEDS_INSTRUCTIONS, .stratify = first_by_instructions};

/* The usual draw, but the interval is based on successive launches. */
static int successive(const struct profile *p, const struct plan_params *params, struct strata *out, struct err *e)
{
    int ret = method_srs.stratify(p, params, out, e);

    out->variance = PLAN_VARIANCE_SUCCESSIVE;
    return ret;
}
static const struct method method_successive = {.name = "srs", .title = "Successive", .stratify = successive};

static int seed_of_each(const struct profile *p, const struct plan_params *params, struct strata *out,
                        struct err *e)
{
    if (by_name(p, out, e) < 0)
        return -1;
    for (size_t g = 0; g < out->groups.count; g++) {
        const struct group *at = &out->groups.items[g];
        const uint32_t *rows = out->groups.rows + out->groups.runs[at->run_begin].first;
        uint32_t ids[2] = {rows[params->seed % 200], rows[(params->seed + 1) % 200]};

        if (strata_add_chosen(out, p, g, 0, at->run_begin, at->run_end, ids, 2, e) < 0)
            return -1;
    }
    return 0;
}
static const struct method method_seed = {
    .name = "srs", .title = "Seed", .draws_itself = true, .stratify = seed_of_each};

static int refuses(const struct profile *p, const struct plan_params *params, struct strata *out, struct err *e)
{
    (void)params;
    (void)out;
    return err_set(e, ERR_INVALID, "needs fewer than %zu launches", p->count);
}
static const struct method method_refusing = {.name = "srs", .title = "Refuses", .stratify = refuses};

/* --- tests --- */

/* The sum of the smallest values of "short" and "long". */
static uint64_t least_of_each(const struct profile *p)
{
    uint64_t least[2] = {UINT64_MAX, UINT64_MAX};

    for (size_t i = 0; i < p->count; i++)
        least[i % 2] = p->value[i] < least[i % 2] ? p->value[i] : least[i % 2];
    return least[0] + least[1];
}

static void a_representative_has_one_shot_and_no_interval(void **state)
{
    struct plan_params params = params_of(0.05);
    struct evaluation v;
    struct profile p;
    struct err e;

    (void)state;
    two_kernels(&p);
    CHECK_OK(evaluate(&method_first, &p, &params, 30, &v, &e), &e);
    assert_int_equal(v.repeats, 1);
    assert_int_equal(v.intervals, 0);
    assert_true(v.representative);
    assert_int_equal(v.variance, PLAN_VARIANCE_NONE);
    assert_true(isnan(v.promised_error));
    CHECK_NEAR(v.actual_error, fabs(200.0 * (double)least_of_each(&p) / (double)profile_total(&p) - 1), 1e-12);
    assert_int_equal(v.inside,
                     0); /* without a promise the requested error counts: the smallest launches are 8 % off */
    evaluation_release(&v);
    features_free(p.features); /* it needs instruction counts */
    p.features = NULL;
    CHECK_OK(evaluate(&method_first, &p, &params, 30, &v, &e), &e);
    assert_non_null(strstr(v.why_not, "needs instruction counts"));
    assert_true(v.lacks_features);
    assert_int_equal(v.repeats, 0);
    evaluation_release(&v);
    profile_release(&p);
}

static void other_projections_are_those_of_the_plan(void **state)
{
    struct plan_params params = params_of(0.05);
    struct evaluation v;
    struct profile p;
    struct err e;

    (void)state;
    two_kernels(&p);
    CHECK_OK(evaluate(&method_ratio, &p, &params, 30, &v, &e), &e);
    CHECK_NEAR(v.actual_error, 0, 1e-12); /* instructions are a fixed multiple of the time: the ratio is exact */
    assert_int_equal(v.inside, 1);
    assert_int_equal(v.intervals, 0);
    evaluation_release(&v);
    CHECK_OK(evaluate(&method_successive, &p, &params, 200, &v, &e), &e);
    assert_int_equal(v.intervals, 200);
    assert_in_range(v.covered, 180, 200);
    assert_true(v.actual_error > 0 && v.cloud[0][1] != v.cloud[1][1]); /* each repeat has its own draw */
    evaluation_release(&v);
    profile_release(&p);
}

static void a_method_that_draws_itself_is_asked_for_every_repeat(void **state)
{
    struct plan_params params = params_of(0.05);
    double errors = 0;
    struct evaluation v;
    struct profile p;
    struct err e;

    (void)state;
    two_kernels(&p);
    CHECK_OK(evaluate(&method_seed, &p, &params, 20, &v, &e), &e);
    assert_int_equal(v.repeats, 20);
    assert_int_equal(v.intervals, 20);
    for (unsigned r = 0; r < v.repeats; r++) {
        struct groups g;
        double total = 0;

        CHECK_OK(groups_make(&p, GROUP_NAME, &g, &e), &e);
        for (size_t k = 0; k < 2; k++) {
            const uint32_t *rows = g.rows + g.runs[g.items[k].run_begin].first;
            uint64_t seed = params.seed + r;

            total += 100.0 * (double)(p.value[rows[seed % 200]] + p.value[rows[(seed + 1) % 200]]);
        }
        CHECK_NEAR(v.cloud[r][1], fabs(total / (double)profile_total(&p) - 1), 1e-9);
        errors += v.cloud[r][1];
        groups_release(&g);
    }
    CHECK_NEAR(v.actual_error, errors / 20, 1e-9);
    evaluation_release(&v);
    profile_release(&p);
}

static void redrawn_samples_are_those_of_new_strata(void **state)
{
    struct strata fresh = {0}, again = {0};
    struct plan_params params = params_of(0.05);
    unsigned checked = 0;
    struct profile p;
    struct err e;

    (void)state;
    two_kernels(&p);
    for (size_t k = 0; methods[k]; k++) {
        const struct method *m = methods[k];

        if (!m->redraw)
            continue;
        params.seed = 0;
        CHECK_OK(m->stratify(&p, &params, &again, &e), &e);
        for (params.seed = 1; params.seed <= 5; params.seed++) {
            CHECK_OK(m->stratify(&p, &params, &fresh, &e), &e);
            CHECK_OK(m->redraw(&p, &params, &again, &e), &e);
            assert_int_equal(again.count, fresh.count);
            assert_int_equal(again.chosen_count, fresh.chosen_count);
            assert_memory_equal(again.chosen, fresh.chosen, fresh.chosen_count * sizeof *fresh.chosen);
            assert_memory_equal(again.items, fresh.items, fresh.count * sizeof *fresh.items);
            assert_string_equal(again.note, fresh.note);
            assert_string_equal(again.caution, fresh.caution);
            CHECK_NEAR(again.promised_error, fresh.promised_error, 0);
            strata_release(&fresh);
        }
        strata_release(&again);
        checked++;
    }
    assert_int_equal(checked, 3);
    profile_release(&p);
}

static void costs_are_counted_in_three_currencies(void **state)
{
    struct plan_params params = params_of(0.05);
    struct evaluation v;
    struct profile p;
    struct err e;

    (void)state;
    two_kernels(&p);
    CHECK_OK(evaluate(&method_vivace, &p, &params, 50, &v, &e), &e);
    CHECK_NEAR(v.speedup_instructions, v.speedup, 1e-12); /* three instructions per nanosecond in all launches */
    assert_true(isnan(v.speedup_seconds));
    assert_true(v.distinct == v.samples);
    evaluation_release(&v);
    params.cost_fixed = 2; /* every simulation costs the same: the speed-up is the ratio of counts */
    CHECK_OK(evaluate(&method_srs, &p, &params, 50, &v, &e), &e);
    CHECK_NEAR(v.speedup_seconds, 400 / v.distinct, 1e-12);
    evaluation_release(&v);
    params.cost_fixed = 0;
    params.error = 0.01;
    CHECK_OK(evaluate(&method_allegro, &p, &params, 50, &v, &e), &e);
    assert_true(v.distinct < v.samples); /* drawn with replacement */
    evaluation_release(&v);
    profile_release(&p);
}

static void other_values_have_another_truth(void **state)
{
    struct plan_params params = params_of(0.05);
    double *y;
    struct evaluation own, same, twice, noisy;
    struct profile p;
    struct rng r;
    struct err e;

    (void)state;
    two_kernels(&p);
    y = calloc(p.count, sizeof *y);
    for (size_t i = 0; i < p.count; i++)
        y[i] = (double)p.value[i];
    CHECK_OK(evaluate(&method_vivace, &p, &params, 200, &own, &e), &e);
    CHECK_OK(evaluate_on(&method_vivace, &p, &params, y, 200, &same, &e), &e);
    CHECK_NEAR(same.actual_error, own.actual_error, 0);
    assert_int_equal(same.covered, own.covered);
    evaluation_release(&same);
    for (size_t i = 0; i < p.count; i++)
        y[i] *= 2;
    CHECK_OK(evaluate_on(&method_vivace, &p, &params, y, 200, &twice, &e), &e);
    CHECK_NEAR(twice.actual_error, own.actual_error, 1e-9); /* errors and speed-ups are relative */
    CHECK_NEAR(twice.speedup, own.speedup, 1e-9);
    rng_init(&r, 5, 0, RNG_TEST);
    for (size_t i = 0; i < p.count; i++)
        y[i] *= 0.5 + rng_unit(&r);
    CHECK_OK(evaluate_on(&method_vivace, &p, &params, y, 200, &noisy, &e), &e);
    assert_true(noisy.actual_error > 2 * own.actual_error); /* the strata do not account for this noise */
    /* the interval does, because it uses simulated values */
    assert_true(noisy.covered >= 180);
    assert_true(noisy.inside < own.inside);
    y[7] = -1;
    CHECK_FAILS(evaluate_on(&method_vivace, &p, &params, y, 5, &same, &e), &e, ERR_INVALID, "launch 7");
    evaluation_release(&own);
    evaluation_release(&twice);
    evaluation_release(&noisy);
    free(y);
    profile_release(&p);
}

static void a_refusal_is_an_answer(void **state)
{
    struct plan_params params = params_of(0.05);
    struct evaluation v;
    struct profile p;
    struct err e;

    (void)state;
    two_kernels(&p);
    CHECK_OK(evaluate(&method_refusing, &p, &params, 5, &v, &e), &e);
    assert_string_equal(v.why_not, "needs fewer than 400 launches");
    assert_false(v.lacks_features); /* features would not help */
    evaluation_release(&v);
    profile_release(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_representative_has_one_shot_and_no_interval),
        cmocka_unit_test(other_projections_are_those_of_the_plan),
        cmocka_unit_test(a_method_that_draws_itself_is_asked_for_every_repeat),
        cmocka_unit_test(redrawn_samples_are_those_of_new_strata),
        cmocka_unit_test(costs_are_counted_in_three_currencies),
        cmocka_unit_test(other_values_have_another_truth),
        cmocka_unit_test(a_refusal_is_an_answer),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
