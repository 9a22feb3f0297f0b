/* PKA: principal kernel selection by hand, two-level profiling, profiles without distinguishable kernels. */
#include "tests/unit/sampling/with_features.h"

#include "base/rng.h"
#include "sampling/cluster/pca.h"
#include "sampling/cluster/pks.h"

/* Five launches, two metrics that vary, worked by hand. */
static const double rows[5][2] = {{100, 10}, {110, 11}, {90, 9}, {1000, 50}, {1010, 55}};
static const struct launch five[5] = {{.value = 10}, {.value = 11}, {.value = 9}, {.value = 80}, {.value = 84}};

static void five_launches(struct profile *p)
{
    profile_with(five, 5, p);
    with_metrics(p);
    for (size_t i = 0; i < 5; i++) {
        p->features->metrics[FEATURE_INSTRUCTIONS][i] = rows[i][0];
        p->features->metrics[FEATURE_GLOBAL_LOADS][i] = rows[i][1];
    }
}

static void standardised_rows_and_components(void **state)
{
    double x[10];
    uint64_t weight[5] = {1, 1, 1, 1, 1};
    struct points p = {5, 2, x, weight};
    struct standard s;
    struct pca pca;
    struct err e;

    (void)state;
    memcpy(x, rows, sizeof x);
    CHECK_OK(standard_fit(&p, &s, &e), &e);
    standard_apply(&s, &p);
    CHECK_NEAR(x[0], -0.8163927556, 1e-9);
    CHECK_NEAR(x[1], -0.8137791348, 1e-9);
    CHECK_NEAR(x[8], 1.2358652765, 1e-9);
    CHECK_NEAR(x[9], 1.3403421044, 1e-9);
    CHECK_OK(pca_fit(&p, 0.9995, &pca, &e), &e);
    CHECK_NEAR(pca.explained[0], 0.998758, 1e-6); /* the reference has six digits */
    CHECK_NEAR(pca.explained[0] + pca.explained[1], 1, 1e-14);
    assert_int_equal(pca.kept, 2);
    pca_release(&pca);
    standard_release(&s);
}

static void k_is_the_smallest_within_the_error(void **state)
{
    static const struct {
        double error;
        size_t strata;
        double projection, speedup;
    } cases[] = {
        {0.8, 1, 50, 19.4},
        {0.05, 2, 190, 2.1555555556},
        {0.021, 2, 190, 2.1555555556},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct profile p;
        struct plan plan;

        five_launches(&p);
        plan_with("pka", &p, cases[i].error, &plan);
        assert_int_equal(plan.stratum_count, cases[i].strata);
        CHECK_NEAR(projected(&plan), cases[i].projection, 1e-12);
        CHECK_NEAR(plan.speedup, cases[i].speedup, 1e-9);
        assert_int_equal(plan.samples[0].launch, 0);
        if (cases[i].strata == 2)
            assert_int_equal(plan.samples[1].launch, 3);
        assert_true(isnan(plan.promised_error) && !plan.promise_valid);
        /* with a single k there is no selection */
        assert_true((plan.caution[0] != 0) == (cases[i].strata > 1));
        plan_release(&plan);
        profile_release(&p);
    }
}

static void errors_of_the_selection(void **state)
{
    static const double error[] = {0.8, 0.05, 0.001};
    static const double want[] = {-0.7422680412, -0.0206185567, 0};
    static const size_t k[] = {1, 2, 5};

    (void)state;
    for (int i = 0; i < 3; i++) {
        double x[10];
        uint64_t weight[5] = {1, 1, 1, 1, 1}, value[5] = {10, 11, 9, 80, 84};
        uint32_t first[5] = {0, 1, 2, 3, 4};
        struct feature_rows r = {{5, 2, x, weight}, first, value, NULL};
        struct pks s;
        struct err e;

        memcpy(x, rows, sizeof x);
        CHECK_OK(pks_select(&r, value, error[i], &s, &e), &e);
        CHECK_NEAR(s.error, want[i], 1e-9);
        if (i < 2)
            assert_int_equal(s.k, k[i]);
        else
            assert_true(s.k > 2 && s.k <= k[i]);
        assert_int_equal(s.tried, 5); /* five rows: at most five groups */
        assert_true(s.within >= 1 && s.low <= s.error && s.error <= s.high);
        pks_release(&s);
    }
}

/* No k keeps the error, so the best one is used: 30 launches with equal features, the first of which took far
 * longer. */
static void where_no_k_is_good_the_least_bad_is_taken(void **state)
{
    struct launch launches[30];
    struct profile p;
    struct plan plan;

    (void)state;
    for (int i = 0; i < 30; i++)
        launches[i] = (struct launch){.value = i ? 100 : 1000};
    profile_with(launches, 30, &p);
    with_metrics(&p); /* a constant matrix has no component, so there is one group */
    plan_with("pka", &p, 0.05, &plan);
    assert_int_equal(plan.stratum_count, 1);
    CHECK_NEAR(projected(&plan), 30000, 1e-12);
    assert_non_null(strstr(plan.caution, "No k up to 1 projects the profile to within 5 %"));
    plan_release(&plan);
    profile_release(&p);
}

/* Two kinds of kernels with known cost. The second half of the run has no metrics. `near` has a measured shape,
 * `far` has the name of the slow kind in another shape. One launch with value 0 belongs to no group. */
static void make_two_level(struct profile *p)
{
    struct launch launches[100];

    for (uint32_t i = 0; i < 100; i++) {
        bool slow = i % 2;
        uint32_t grid = slow ? 1000 : 10;

        if (i >= 90 && slow)
            grid = 1100; /* five launches of a shape that was not measured */
        launches[i] = (struct launch){slow ? "slow" : "fast", grid, slow ? 10000 : 100};
    }
    launches[60].value = 0;
    profile_with(launches, 100, p);
    p->features->known = 50;
    with_metrics(p);
    for (int i = 0; i < 50; i++)
        p->features->metrics[FEATURE_INSTRUCTIONS][i] = i % 2 ? 64000 : 640;
}

static void two_levels_label_the_rest(void **state)
{
    static const char *const by[] = {"naive Bayes", "logistic regression", "a perceptron"};

    (void)state;
    for (int way = PLAN_BAYES; way <= PLAN_MLP; way++) {
        struct plan_params params = PLAN_PARAMS_DEFAULT;
        struct profile p;
        struct plan plan;
        struct plan_index *index;
        struct err e;
        char share[160];

        params.classifier = way;
        make_two_level(&p);
        CHECK_OK(plan_make("pka", &p, &params, &plan, &e), &e);
        assert_int_equal(plan.stratum_count, 2);
        assert_int_equal(plan.strata[0].population, 49); /* one of them has value 0 */
        assert_int_equal(plan.strata[1].population, 50);
        assert_int_equal(plan.zero_launches, 1);
        CHECK_NEAR(projected(&plan), (double)plan.total, 1e-12);
        /* of 99: 50 measured; of 49 others, 5 by the classifier */
        snprintf(share, sizeof share,
                 "two levels: 50.5 %% of launches measured, 44.4 %% labelled by name and shape, 5.1 %% by %s",
                 by[way]);
        if (!strstr(plan.note, share))
            fail_msg("the note says: %s", plan.note);
        index = plan_index_new(&plan, &p, &e);
        assert_non_null(index);
        assert_int_equal(plan_index_find(index, 99), 1);
        assert_int_equal(plan_index_find(index, 98), 0);
        assert_int_equal(plan_index_find(index, 60), 2);
        plan_index_free(index);
        plan_release(&plan);
        profile_release(&p);
    }
}

/* A shape measured in both groups goes to the group with more of its launches. On a tie it goes to the group that
 * occurred first in the run. */
static void votes_of_a_key(void **state)
{
    (void)state;
    for (int slow = 1; slow <= 3; slow++) {
        /* launches 0 and 1 show the groups; 2 .. 5 of `mixed`: `slow` of four are slow; 6 .. 9 are to be labelled
         */
        struct launch launches[10] = {{"fast", 1, 100}, {"slow", 1, 10000}};
        struct profile p;
        struct plan plan;

        for (int i = 2; i < 10; i++)
            launches[i] = (struct launch){"mixed", 5, i < 6 && i - 2 < slow ? 10000 : 100};
        profile_with(launches, 10, &p);
        p.features->known = 6;
        with_metrics(&p);
        for (int i = 0; i < 6; i++)
            p.features->metrics[FEATURE_INSTRUCTIONS][i] = (double)launches[i].value;
        plan_with("pka", &p, 0.05, &plan);
        assert_int_equal(plan.stratum_count, 2);
        assert_int_equal(plan.strata[1].population, slow == 3 ? 1 + 3 + 4 : 1 + (uint64_t)slow);
        plan_release(&plan);
        profile_release(&p);
    }
}

static void the_same_plan_every_time(void **state)
{
    struct launch *launches = calloc(3000, sizeof *launches);
    struct plan_params params = PLAN_PARAMS_DEFAULT;
    struct profile p;
    struct plan a, b;
    struct rng rng;
    struct err e;

    (void)state;
    rng_init(&rng, 3, 0, RNG_TEST);
    for (int i = 0; i < 3000; i++)
        launches[i].value = 100 + rng_below(&rng, 10) * 1000;
    profile_with(launches, 3000, &p);
    with_metrics(&p);
    for (int i = 0; i < 3000; i++)
        for (int m = 0; m < FEATURE_COUNT; m++)
            p.features->metrics[m][i] = (double)launches[i].value * (m + 1) + (double)rng_below(&rng, 300);
    CHECK_OK(plan_make("pka", &p, &params, &a, &e), &e);
    params.seed = 99; /* the selection of principal kernels does not depend on the seed */
    CHECK_OK(plan_make("pka", &p, &params, &b, &e), &e);
    assert_int_equal(a.sample_count, b.sample_count);
    for (size_t i = 0; i < a.sample_count; i++)
        assert_int_equal(a.samples[i].launch, b.samples[i].launch);
    assert_true(a.stratum_count > 1);
    assert_string_equal(a.note, b.note);
    assert_true(fabs(projected(&a) / (double)a.total - 1) < 0.05);
    plan_release(&a);
    plan_release(&b);
    profile_release(&p);
    free(launches);
}

static void degenerate_profiles(void **state)
{
    static const struct launch one = {.value = 7}, nothing[2] = {{.value = 0}, {.value = 5}};
    struct plan_params params = PLAN_PARAMS_DEFAULT;
    struct profile p;
    struct plan plan;
    struct err e;

    (void)state;
    profile_with(&one, 1, &p);
    CHECK_FAILS(plan_make("pka", &p, &params, &plan, &e), &e, ERR_INVALID, "needs the twelve metrics");
    with_metrics(&p);
    plan_with("pka", &p, 0.05, &plan);
    assert_true(plan.stratum_count == 1 && plan.strata[0].take_all && isinf(plan.planned_df));
    plan_release(&plan);
    p.features->metrics[FEATURE_CTAS][0] = NAN;
    CHECK_FAILS(plan_make("pka", &p, &params, &plan, &e), &e, ERR_INVALID, "launch 0: a feature is negative or no");
    profile_release(&p);
    profile_with(nothing, 2, &p);
    with_metrics(&p);
    p.features->known = 1; /* the measured launch has value 0 */
    CHECK_FAILS(plan_make("pka", &p, &params, &plan, &e), &e, ERR_INVALID, "nothing to cluster");
    p.features->known = 0;
    CHECK_FAILS(plan_make("pka", &p, &params, &plan, &e), &e, ERR_INVALID, "nothing to cluster");
    profile_release(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(standardised_rows_and_components),
        cmocka_unit_test(k_is_the_smallest_within_the_error),
        cmocka_unit_test(errors_of_the_selection),
        cmocka_unit_test(where_no_k_is_good_the_least_bad_is_taken),
        cmocka_unit_test(two_levels_label_the_rest),
        cmocka_unit_test(votes_of_a_key),
        cmocka_unit_test(the_same_plan_every_time),
        cmocka_unit_test(degenerate_profiles),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
