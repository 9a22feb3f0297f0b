/* Runs with a stopping rule: pilot, decision, nested growth, budgets, several designs. */
#include "tests/harness/check.h"

#include "base/rng.h"
#include "sampling/allocate/allocate.h"
#include "sampling/sequential/interim.h"
#include "sampling/sequential/plan_resize.h"
#include "tests/unit/sampling/plan_by_hand.h"

enum { LAUNCHES = 3000, DESIGNS = 2 };

/* Three kernels of 10, 40 and 200 us with 1000 launches each, a spread of 10 %, and mixed launch order. */
static void make_profile(struct profile *out)
{
    static const char *const names[] = {"copy", "norm", "gemm"};
    static const double mean[] = {10000, 40000, 200000};
    struct profile_builder *b;
    struct err e;
    struct rng r;

    rng_init(&r, 3, 0, RNG_TEST);
    b = profile_builder_new(PROFILE_NS, 0, &e);
    for (uint64_t i = 0; i < LAUNCHES; i++) {
        struct profile_row row = {.name = names[i % 3], .grid = {1, 1, 1}, .block = {32, 1, 1}, .correlation = i};

        /* clocks have a resolution */
        row.value = (uint64_t)(mean[i % 3] * (0.9 + 0.2 * (double)rng_below(&r, 33) / 32));
        CHECK_OK(profile_builder_add(b, &row, &e), &e);
    }
    CHECK_OK(profile_builder_finish(b, out, &e), &e);
    profile_builder_free(b);
}

/* A run: its profile, the time of every launch on each design, and its current plan. */
struct run {
    struct profile p;
    double *truth[DESIGNS], total[DESIGNS];
    struct plan plan;
    struct interim_shape *shapes;
    struct interim_spent past[INTERIM_MAX * 8];
};

/* Design 0: the profile's times with `noise`; design 1: 1.1 times those, with a little additional noise. */
static void run_init(struct run *r, double noise)
{
    struct plan_params params = PLAN_PARAMS_DEFAULT;
    struct strata s;
    struct err e;
    struct rng g;

    memset(r, 0, sizeof *r);
    make_profile(&r->p);
    params.error = 0.01;
    CHECK_OK(plan_make("vivace", &r->p, &params, &r->plan, &e), &e);
    CHECK_OK(plan_strata(&r->plan, &r->p, &s, &e), &e);
    r->shapes = calloc(s.count, sizeof *r->shapes);
    plan_shapes(&s, r->shapes);
    strata_release(&s);
    rng_init(&g, 5, 0, RNG_TEST);
    for (int d = 0; d < DESIGNS; d++)
        r->truth[d] = calloc(LAUNCHES, sizeof(double));
    for (size_t i = 0; i < LAUNCHES; i++) {
        r->truth[0][i] = (double)r->p.value[i] * (1 + noise * (2 * rng_unit(&g) - 1));
        r->truth[1][i] = r->truth[0][i] * (1.1 + 0.004 * rng_unit(&g));
        r->total[0] += r->truth[0][i];
        r->total[1] += r->truth[1][i];
    }
}

static void run_release(struct run *r)
{
    profile_release(&r->p);
    plan_release(&r->plan);
    free(r->shapes);
    free(r->truth[0]);
    free(r->truth[1]);
}

static void run_interim(struct run *r, size_t designs, const struct interim_rule *rule, unsigned number,
                        struct interim_analysis *out)
{
    const double *y[DESIGNS];
    double *values[DESIGNS];
    struct err e;

    for (size_t d = 0; d < designs; d++) {
        y[d] = values[d] = calloc(r->plan.sample_count, sizeof(double));
        for (size_t i = 0; i < r->plan.sample_count; i++)
            values[d][i] = r->truth[d][r->plan.samples[i].launch];
    }
    CHECK_OK(interim_analyze(&r->plan, y, designs, rule, r->past, number, r->shapes, out, &e), &e);
    for (size_t i = 0; i < out->promise_count; i++)
        r->past[(number - 1) * out->promise_count + i] = out->promises[i].spent;
    for (size_t d = 0; d < designs; d++)
        free(values[d]);
}

static void grow(struct run *r, const uint64_t *n)
{
    struct plan next;
    struct err e;
    size_t k = 0;

    CHECK_OK(plan_resize(&r->plan, &r->p, n, NULL, &next, &e), &e);
    for (size_t i = 0; i < r->plan.sample_count; i++) { /* nested: existing samples stay */
        while (k < next.sample_count && next.samples[k].launch != r->plan.samples[i].launch)
            k++;
        assert_true(k < next.sample_count);
    }
    plan_release(&r->plan);
    r->plan = next;
}

static void begin_with_pilot(struct run *r)
{
    uint64_t *n = calloc(r->plan.stratum_count, sizeof *n), all = 0;
    struct plan pilot;
    struct err e;

    CHECK_OK(interim_pilot(&r->plan, n, &e), &e);
    for (size_t h = 0; h < r->plan.stratum_count; h++) {
        assert_true(n[h] >= 2 && n[h] <= r->plan.strata[h].samples);
        all += n[h];
    }
    assert_true(all <= r->plan.sample_count);
    CHECK_OK(plan_resize(&r->plan, &r->p, n, NULL, &pilot, &e), &e);
    assert_int_equal(pilot.sample_count, all);
    plan_release(&r->plan);
    r->plan = pilot;
    free(n);
}

/* Makes interim analyses until the rule stops. Returns their number. */
static unsigned until_it_stops(struct run *r, size_t designs, const struct interim_rule *rule,
                               struct interim_analysis *last)
{
    unsigned number = 0;

    begin_with_pilot(r);
    for (;;) {
        run_interim(r, designs, rule, ++number, last);
        if (last->decision != INTERIM_MORE)
            return number;
        assert_true(last->extra > 0 && last->extra_cost > 0 &&
                    last->largest_increment_stratum < r->plan.stratum_count);
        grow(r, last->next);
        interim_release(last);
    }
}

static void stops_when_the_promise_is_kept(void **state)
{
    struct interim_rule rule = INTERIM_RULE_DEFAULT;
    struct interim_analysis l;
    struct run r;

    (void)state;
    rule.error = 0.01;
    run_init(&r, 0.3);
    assert_in_range(until_it_stops(&r, 1, &rule, &l), 2, INTERIM_MAX);
    assert_int_equal(l.decision, INTERIM_KEPT);
    assert_true(l.promises[0].half_width <= 0.01 * l.promises[0].value);
    assert_true(l.promises[0].once < l.promises[0].half_width && l.promises[0].level > 0.95);
    assert_true(fabs(l.promises[0].value - r.total[0]) <= l.promises[0].half_width);
    assert_int_equal(l.extra, 0);
    interim_release(&l);
    run_release(&r);
}

/* The same results and earlier analyses give the same decision, bit for bit. */
static void repeated_analysis_is_the_same(void **state)
{
    struct interim_rule rule = INTERIM_RULE_DEFAULT;
    struct interim_analysis a, b;
    struct run r;

    (void)state;
    rule.error = 0.01;
    run_init(&r, 0.3);
    begin_with_pilot(&r);
    run_interim(&r, 1, &rule, 1, &a);
    run_interim(&r, 1, &rule, 1, &b);
    assert_int_equal(a.decision, INTERIM_MORE);
    assert_memory_equal(a.promises, b.promises, a.promise_count * sizeof *a.promises);
    assert_memory_equal(a.next, b.next, a.stratum_count * sizeof *a.next);
    assert_string_equal(a.reason, b.reason);
    assert_non_null(strstr(a.reason, "needs most"));
    /* An analysis that nearly meets the goal may plan to spend half of the alpha. If it does not end the run, it
     * spends the minimum. */
    interim_release(&b);
    rule.error *= sqrt(0.95 / a.promises[0].spent.information);
    run_interim(&r, 1, &rule, 1, &b);
    assert_true(b.decision == INTERIM_MORE && b.promises[0].spent.information > 0.9);
    CHECK_NEAR(b.promises[0].spent.spent, 0.02 * 0.05, 1e-12);
    interim_release(&a);
    interim_release(&b);
    run_release(&r);
}

static void a_budget_ends_it(void **state)
{
    struct interim_rule rule = INTERIM_RULE_DEFAULT;
    struct interim_analysis full, part, none;
    struct run r;

    (void)state;
    rule.error = 0.001;
    run_init(&r, 0.3);
    begin_with_pilot(&r);
    run_interim(&r, 1, &rule, 1, &full);
    rule.budget = full.extra_cost / 10;
    run_interim(&r, 1, &rule, 1, &part);
    assert_true(part.decision == INTERIM_MORE && part.short_of_budget && part.extra_cost <= rule.budget);
    assert_true(part.extra > 0 && part.extra < full.extra);
    rule.budget = 0;
    run_interim(&r, 1, &rule, 1, &none);
    assert_int_equal(none.decision, INTERIM_BUDGET);
    assert_int_equal(none.extra, 0);
    interim_release(&full);
    interim_release(&part);
    interim_release(&none);
    run_release(&r);
}

/* A difference is resolved with far fewer samples than the totals would need. */
static void resolves_a_difference(void **state)
{
    struct interim_rule rule = INTERIM_RULE_DEFAULT;
    struct interim_analysis l;
    struct run r;

    (void)state;
    rule.resolve = 0.01;
    run_init(&r, 0.3);
    until_it_stops(&r, DESIGNS, &rule, &l);
    assert_int_equal(l.promise_count, 1);
    assert_int_equal(l.decision, INTERIM_KEPT);
    assert_true(l.promises[0].difference && l.promises[0].design == 1);
    CHECK_NEAR(l.promises[0].value, r.total[1] / r.total[0], 0.002);
    assert_true(l.promises[0].half_width <= 0.01);
    assert_true(r.plan.sample_count < 100);
    interim_release(&l);
    rule.error = 0.01;
    assert_int_equal(interim_promises(&rule, DESIGNS), 3);
    until_it_stops(&r, DESIGNS, &rule, &l);
    assert_int_equal(l.decision, INTERIM_KEPT);
    assert_true(fabs(l.promises[1].value - r.total[1]) <= l.promises[1].half_width);
    interim_release(&l);
    run_release(&r);
}

/* The difference alone could end the run at the second analysis, long before the totals. It keeps its alpha until
 * the totals are precise enough, and still meets its goal at the end. */
static void a_promise_waits_for_the_others(void **state)
{
    struct interim_rule rule = INTERIM_RULE_DEFAULT;
    unsigned number = 0, waited = 0;
    struct interim_analysis l;
    struct run r;

    (void)state;
    rule.error = 0.003;
    rule.resolve = 0.01;
    run_init(&r, 0.3);
    begin_with_pilot(&r);
    for (run_interim(&r, DESIGNS, &rule, ++number, &l); l.decision == INTERIM_MORE;
         run_interim(&r, DESIGNS, &rule, ++number, &l)) {
        const struct interim_promise *p = &l.promises[2];

        assert_true(!p->kept);
        CHECK_NEAR(p->spent.spent, 0.05 * 0.02 * number, 1e-12);
        waited += p->waits && !l.promises[0].waits;
        grow(&r, l.next);
        interim_release(&l);
    }
    assert_true(waited >= 1);
    assert_int_equal(l.decision, INTERIM_KEPT);
    CHECK_NEAR(l.promises[2].spent.spent, 0.05, 1e-12);
    assert_true(l.promises[2].kept && l.promises[2].half_width <= 0.01 && !l.promises[2].waits);
    interim_release(&l);
    run_release(&r);
}

/* Launches that cannot be simulated are replaced by the next of the permutation. The other samples stay. */
static void passes_over_what_cannot_be_done(void **state)
{
    uint64_t *n, id, at_most;
    struct plan again, without;
    struct run r;
    struct err e;

    (void)state;
    run_init(&r, 0.1);
    n = calloc(r.plan.stratum_count, sizeof *n);
    for (size_t h = 0; h < r.plan.stratum_count; h++)
        n[h] = r.plan.strata[h].samples;
    id = r.plan.samples[0].launch;
    CHECK_OK(plan_resize(&r.plan, &r.p, n, &(struct skipped_launches){&id, 1}, &without, &e), &e);
    assert_int_equal(without.sample_count, r.plan.sample_count);
    for (size_t i = 0, kept = 0; i < without.sample_count; i++) {
        assert_true(without.samples[i].launch != id);
        for (size_t k = 0; k < r.plan.sample_count; k++)
            kept += r.plan.samples[k].launch == without.samples[i].launch;
        if (i + 1 == without.sample_count)
            assert_int_equal(kept, r.plan.sample_count - 1);
    }
    /* the new plan can grow, and the launch stays skipped */
    n[0]++;
    CHECK_OK(plan_resize(&without, &r.p, n, &(struct skipped_launches){&id, 1}, &again, &e), &e);
    assert_int_equal(again.sample_count, without.sample_count + 1);
    plan_release(&again);
    at_most = r.plan.strata[0].population;
    n[0] = at_most;
    CHECK_FAILS(plan_resize(&without, &r.p, n, &(struct skipped_launches){&id, 1}, &again, &e), &e, ERR_INVALID,
                "cannot be drawn");
    n[0] = at_most - 1;
    CHECK_OK(plan_resize(&without, &r.p, n, &(struct skipped_launches){&id, 1}, &again, &e), &e);
    plan_release(&again);
    /* samples of another seed are refused */
    r.plan.params.seed++;
    n[0] = 2;
    CHECK_FAILS(plan_resize(&r.plan, &r.p, n, NULL, &again, &e), &e, ERR_INVALID, "other strata");
    plan_release(&without);
    free(n);
    run_release(&r);
}

/* Reallocation of the methods reference: T5.18. */
static void reallocates_as_worked_by_hand(void **state)
{
    struct alloc_stratum s[2] = {{.population = 1000, .sd = 1.5, .cost = 10, .least = 2},
                                 {.population = 500, .sd = 3, .cost = 40, .least = 2}};
    double v0 = 0.02 * (1000 * 10 + 500 * 40) / 1.96, n[2];
    struct err e;

    (void)state;
    v0 *= v0;
    assert_int_equal(allocate_real(s, 2, v0 + 1000 * 2.25 + 500 * 9, n, &e), 1);
    CHECK_NEAR(n[0], 67.190284 * 1, 1e-6);
    CHECK_NEAR(n[1], 33.595142, 1e-6);
}

static void refuses_plans_without_interim_analyses(void **state)
{
    static const uint64_t population[] = {10}, samples[] = {4};
    struct interim_rule rule = INTERIM_RULE_DEFAULT;
    static const double y[] = {1, 2, 3, 4};
    const double *const all[] = {y};
    struct plan p;
    struct interim_analysis l;
    struct err e;

    (void)state;
    plan_by_hand(&p, population, samples, 1);
    CHECK_FAILS(interim_analyze(&p, all, 1, &rule, NULL, 1, NULL, &l, &e), &e, ERR_INVALID, "needs an error");
    rule.error = 0.1;
    CHECK_FAILS(interim_analyze(&p, all, 1, &rule, NULL, 6, NULL, &l, &e), &e, ERR_INVALID, "a run has at most");
    p.with_replacement = true;
    CHECK_FAILS(interim_analyze(&p, all, 1, &rule, NULL, 1, NULL, &l, &e), &e, ERR_INVALID,
                "cannot have a stopping rule");
    p.with_replacement = false;
    p.variance = PLAN_VARIANCE_NONE;
    CHECK_FAILS(interim_analyze(&p, all, 1, &rule, NULL, 1, NULL, &l, &e), &e, ERR_INVALID,
                "cannot have a stopping rule");
    plan_release(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stops_when_the_promise_is_kept),
        cmocka_unit_test(repeated_analysis_is_the_same),
        cmocka_unit_test(a_budget_ends_it),
        cmocka_unit_test(resolves_a_difference),
        cmocka_unit_test(a_promise_waits_for_the_others),
        cmocka_unit_test(passes_over_what_cannot_be_done),
        cmocka_unit_test(reallocates_as_worked_by_hand),
        cmocka_unit_test(refuses_plans_without_interim_analyses),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
