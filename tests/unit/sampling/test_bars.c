/* Promises of plans, checked on recorded profiles: the intervals of `vivace` on designs that differ from the
 * profile, and its cost compared with the published `root`. The full tables: make bench. */
#include "tests/harness/check.h"

#include "sampling/methods/method.h"
#include "tests/harness/datasets.h"
#include "tests/harness/redraw.h"

/* least: smallest number of samples per stratum. *cost: share of the cost of all launches. */
static void plan_strata_by(const struct profile *p, const char *method, double error, uint32_t least,
                           enum plan_estimator estimator, struct strata *s, double *cost)
{
    struct plan_params params = PLAN_PARAMS_DEFAULT;
    struct err e;

    params.estimator = estimator;
    params.error = error;
    params.least_samples = least;
    *s = (struct strata){0};
    CHECK_OK(method_find(method, &e)->stratify(p, &params, s, &e), &e);
    *cost = redraw_cost(s, p);
}

static void plan_strata(const struct profile *p, const char *method, double error, uint32_t least, struct strata *s,
                        double *cost)
{
    plan_strata_by(p, method, error, least, PLAN_EXPANSION, s, cost);
}

static void load(const char *name, struct profile *p)
{
    struct err e;
    int there = dataset_load(dataset_find(name), p, &e);

    CHECK_OK(there, &e);
    if (!there) {
        print_message("skipped: the data set %s is not here\n", name);
        skip();
    }
}

/* Number of draws of each realization, and the smallest share of all 95 % intervals that must contain the true
 * value: three standard errors below 94.5 %. A sanitized build makes a tenth of the draws. */
#ifdef __SANITIZE_ADDRESS__
enum { DRAWS = 20 };
#define COVERAGE_MIN 0.897
#else
enum { DRAWS = 200 };
#define COVERAGE_MIN 0.928
#endif

/* Ten realizations of every design, DRAWS draws each. */
static void check_coverage(const struct profile *p, const struct strata *s, double error, const char *name)
{
    enum { REALISATIONS = 10 };
    double covered[DESIGN_COUNT] = {0};
    struct err e;

    for (unsigned r = 0; r < REALISATIONS; r++) {
        struct redraw_params params = {error, 0.95, 1 + r * 1000, DRAWS, p};
        struct redraw_score scores[DESIGN_COUNT];
        double *y[DESIGN_COUNT];

        for (int d = 0; d < DESIGN_COUNT; d++)
            y[d] = design_make(p, d, 100 + r, &e);
        CHECK_OK(redraw(s, (const double *const *)y, DESIGN_COUNT, p->count, &params, scores, &e), &e);
        for (int d = 0; d < DESIGN_COUNT; d++) {
            covered[d] += scores[d].covered_t / REALISATIONS;
            free(y[d]);
        }
    }
    for (int d = 0; d < DESIGN_COUNT; d++)
        if (covered[d] < COVERAGE_MIN)
            fail_msg("%s at %g: intervals cover %g under design %s", name, error, covered[d], design_names[d]);
}

static void intervals_hold_and_cost_less_than_root(void **state)
{
    static const char *const names[] = {"casio", "h100x2", "resnet50", "train"};
    static const double errors[] = {0.01, 0.02, 0.03};

    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct profile p;

        load(names[i], &p);
        for (size_t k = 0; k < sizeof errors / sizeof *errors; k++) {
            struct strata ours, root;
            double cost, root_cost;

            plan_strata(&p, "vivace", errors[k], 2, &ours, &cost);
            plan_strata(&p, "root", errors[k], 2, &root, &root_cost);
            assert_true(ours.promise_valid);
            assert_true(ours.promised_error <= errors[k]);
            assert_true(ours.planned_df >= 3);
            assert_string_equal(ours.caution, "");
            if (cost > root_cost)
                fail_msg("%s at %g: %g of everything, root %g", names[i], errors[k], cost, root_cost);
            if (k != 1)
                check_coverage(&p, &ours, errors[k], names[i]);
            strata_release(&ours);
            strata_release(&root);
        }
        profile_release(&p);
    }
}

/* Totals by ratios to the profiled times of each kernel. */
static void ratios_hold_and_cost_less_than_expansion(void **state)
{
    static const char *const names[] = {"h100x2", "resnet50", "train"};
    static const double errors[] = {0.02, 0.05};

    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct profile p;

        load(names[i], &p);
        for (size_t k = 0; k < sizeof errors / sizeof *errors; k++) {
            struct strata ratio, expansion;
            double cost, expansion_cost;

            plan_strata_by(&p, "vivace", errors[k], 2, PLAN_RATIO, &ratio, &cost);
            plan_strata(&p, "vivace", errors[k], 2, &expansion, &expansion_cost);
            assert_int_equal(ratio.estimator, PLAN_RATIO);
            assert_true(ratio.promise_valid && ratio.promised_error <= errors[k] && ratio.planned_df >= 3);
            if (cost > 0.97 * expansion_cost)
                fail_msg("%s at %g: %g of everything, by expansion %g", names[i], errors[k], cost, expansion_cost);
            check_coverage(&p, &ratio, errors[k], names[i]);
            strata_release(&ratio);
            strata_release(&expansion);
        }
        profile_release(&p);
    }
}

static void point_estimates_cost_no_more_than_root_anywhere(void **state)
{
    static const double errors[] = {0.01, 0.02, 0.03, 0.05, 0.10};

    (void)state;
    for (const struct dataset *d = datasets; d->name; d++) {
        struct profile p;

        load(d->name, &p);
        for (size_t k = 0; k < sizeof errors / sizeof *errors; k++) {
            struct strata ours, root;
            double cost, root_cost;

            plan_strata(&p, "vivace", errors[k], 1, &ours, &cost);
            plan_strata(&p, "root", errors[k], 1, &root, &root_cost);
            assert_false(ours.promise_valid);
            assert_int_equal(ours.variance, PLAN_VARIANCE_MODEL);
            assert_true(ours.promised_error <= errors[k]);
            if (cost > root_cost * 1.0001) /* root may draw the same launch twice, which costs nothing more */
                fail_msg("%s at %g: %g of everything, root %g", d->name, errors[k], cost, root_cost);
            strata_release(&ours);
            strata_release(&root);
        }
        profile_release(&p);
    }
}

/* A limit on the cost: it is used fully and never exceeded, and a higher limit never gives a wider interval. */
static void a_budget_is_kept_and_used(void **state)
{
    double before = INFINITY;
    struct profile p;
    struct err e;

    (void)state;
    load("resnet50", &p);
    for (double budget = 0.05; budget < 0.9; budget *= 1.7) {
        struct plan_params params = PLAN_PARAMS_DEFAULT;
        struct strata s = {0};

        params.budget = budget;
        CHECK_OK(method_vivace.stratify(&p, &params, &s, &e), &e);
        assert_true(redraw_cost(&s, &p) <= budget * (1 + 1e-9));
        assert_true(redraw_cost(&s, &p) > 0.9 * budget);
        assert_true(s.promised_error < before);
        before = s.promised_error;
        strata_release(&s);
    }
    {
        struct plan_params params = PLAN_PARAMS_DEFAULT;
        struct strata s = {0};

        params.budget = 1e-9;
        CHECK_FAILS(method_vivace.stratify(&p, &params, &s, &e), &e, ERR_INVALID, "too small");
        strata_release(&s);
    }
    profile_release(&p);
}

/* When each simulation has a fixed cost, fewer and longer launches are cheaper. */
static void a_cost_model_is_planned_with(void **state)
{
    struct plan_params params = PLAN_PARAMS_DEFAULT;
    struct strata by_value = {0}, by_cost = {0};
    double cost[2] = {0};
    struct profile p;
    struct err e;

    (void)state;
    load("train", &p);
    params.error = 0.02;
    CHECK_OK(method_vivace.stratify(&p, &params, &by_value, &e), &e);
    params.cost_fixed = 20;
    params.cost_per_unit = 1e-5;
    CHECK_OK(method_vivace.stratify(&p, &params, &by_cost, &e), &e);
    for (int i = 0; i < 2; i++) {
        const struct strata *s = i ? &by_cost : &by_value;

        for (size_t h = 0; h < s->count; h++) {
            struct moments m = moments_of(&s->groups, s->items[h].run_begin, s->items[h].run_end);

            cost[i] += (double)s->items[h].n * (params.cost_fixed + params.cost_per_unit * moments_mean(&m));
        }
    }
    assert_true(cost[1] < cost[0]);
    assert_true(by_cost.promised_error <= 0.02);
    strata_release(&by_value);
    strata_release(&by_cost);
    profile_release(&p);
}

/* A second response that differs from the first also keeps the error: V is computed from all its values. */
static void every_response_keeps_the_error(void **state)
{
    struct plan_params params = PLAN_PARAMS_DEFAULT;
    struct features features = {.response_count = 1};
    struct strata s = {0};
    struct response other = {.name = "other GPU"};
    double variance = 0, all = 0;
    struct profile p;
    struct err e;

    (void)state;
    load("h100x2", &p);
    other.values = design_make(&p, DESIGN_NOISE_10, 5, &e);
    features.responses = &other;
    p.features = &features;
    params.error = 0.03;
    CHECK_OK(method_vivace.stratify(&p, &params, &s, &e), &e);
    for (size_t h = 0; h < s.count; h++) {
        uint32_t from = s.groups.runs[s.items[h].run_begin].first, to = s.groups.runs[s.items[h].run_end].first;
        double n = (double)s.items[h].n, big = to - from, sum = 0, squares = 0;

        for (uint32_t i = from; i < to; i++)
            sum += other.values[s.groups.rows[i]];
        for (uint32_t i = from; i < to; i++)
            squares += pow(other.values[s.groups.rows[i]] - sum / big, 2);
        all += sum;
        variance += big > 1 ? big * (big - n) / n * squares / (big - 1) : 0;
    }
    assert_true(1.96 * sqrt(variance) <= 0.03 * all);
    p.features = NULL;
    free(other.values);
    strata_release(&s);
    profile_release(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(intervals_hold_and_cost_less_than_root),
        cmocka_unit_test(ratios_hold_and_cost_less_than_expansion),
        cmocka_unit_test(point_estimates_cost_no_more_than_root_anywhere),
        cmocka_unit_test(a_budget_is_kept_and_used),
        cmocka_unit_test(a_cost_model_is_planned_with),
        cmocka_unit_test(every_response_keeps_the_error),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
