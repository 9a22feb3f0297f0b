/* TBPoint: clusters of launches by hand; regions of waves within a launch. */
#include "tests/unit/sampling/with_features.h"

#include "sampling/cluster/intra_launch.h"
#include "sampling/cluster/linkage.h"

/* Four launches, computed by hand: warp instructions, thread instructions, memory requests, variation over CTAs. */
static const double rows[4][4] = {
    {100, 1000, 200, 0.1}, {104, 1010, 205, 0.1}, {400, 4100, 700, 0.1}, {98, 990, 198, 0.1}};

static void relative_rows(double x[4][4])
{
    for (int d = 0; d < 4; d++)
        for (int i = 0; i < 4; i++)
            x[i][d] = rows[i][d] / ((rows[0][d] + rows[1][d] + rows[2][d] + rows[3][d]) / 4);
}

static double apart(double x[4][4], int a, int b)
{
    return sqrt(distance_squared(x[a], x[b], 4));
}

/* The three merges are at the distances of the definition: just below there is one cluster more than just above. */
static void merges_by_hand(void **state)
{
    static const double printed[3] = {0.0141, 0.0350, 2.8820};
    double x[4][4], height[3];
    uint64_t weight[4] = {1, 1, 1, 1};
    struct points p = {4, 4, x[0], weight};
    uint32_t label[4];
    size_t clusters;
    struct err e;

    (void)state;
    relative_rows(x);
    height[0] = apart(x, 0, 3);
    height[1] = (apart(x, 0, 1) + apart(x, 3, 1)) / 2;
    height[2] = (apart(x, 0, 2) + apart(x, 1, 2) + apart(x, 3, 2)) / 3;
    for (int m = 0; m < 3; m++) {
        CHECK_NEAR(height[m], printed[m], 0.004); /* printed with three or four digits */
        CHECK_OK(average_linkage(&p, height[m] * (1 - 1e-9), label, &clusters, &e), &e);
        assert_int_equal(clusters, 4 - m);
        CHECK_OK(average_linkage(&p, height[m] * (1 + 1e-9), label, &clusters, &e), &e);
        assert_int_equal(clusters, 3 - m);
    }
}

static void four_launches(struct profile *p)
{
    static const struct launch launches[4] = {{.value = 1000}, {.value = 1050}, {.value = 4300}, {.value = 970}};

    profile_with(launches, 4, p);
    with_metrics(p);
    with_instructions(p, 1);
    with_cta_cov(p);
    for (size_t i = 0; i < 4; i++) {
        p->features->instructions[i] = (uint64_t)rows[i][0];
        p->features->metrics[FEATURE_THREADS_PER_INSTRUCTION][i] = rows[i][1] / rows[i][0];
        p->features->metrics[FEATURE_GLOBAL_LOAD_SECTORS][i] = rows[i][2] - 3;
        p->features->metrics[FEATURE_LOCAL_LOAD_SECTORS][i] = 2; /* stores: 1 */
        p->features->cta_cov[i] = rows[i][3];
    }
}

static void the_most_central_launch_stands_for_its_cluster(void **state)
{
    struct profile p;
    struct plan plan;

    (void)state;
    four_launches(&p);
    plan_with("tbpoint", &p, 0.05, &plan);
    assert_int_equal(plan.stratum_count, 2);
    assert_int_equal(plan.strata[0].population, 3);
    assert_int_equal(plan.samples[0].launch, 0);
    assert_int_equal(plan.samples[1].launch, 2);
    assert_true(plan.estimator == PLAN_INSTRUCTION_RATIO);
    /* IPC of the representative, work of all launches */
    CHECK_NEAR(projected(&plan), 1000.0 * (100 + 104 + 98) / 100 + 4300, 1e-12);
    assert_string_equal(plan.note, ""); /* the profile has no waves */
    plan_release(&plan);
    profile_release(&p);
}

/* The centroid of 1, 2, 3 (relative to a mean of 2) is the second, for any order of launches. */
static void the_centroid_counts_launches(void **state)
{
    double x[] = {1, 2, 3, 3.2}, y[] = {1, 3, 2, 2};
    uint64_t weight[] = {1, 1, 1, 100}, ones[] = {1, 1, 1, 1};
    uint32_t label[4] = {0}, nearest;
    struct points p = {4, 1, x, weight}, q = {4, 1, y, ones};
    struct err e;

    (void)state;
    CHECK_OK(nearest_to_centroid(&p, label, 1, &nearest, &e), &e);
    assert_int_equal(nearest, 3);
    CHECK_OK(nearest_to_centroid(&q, label, 1, &nearest, &e), &e);
    assert_int_equal(nearest, 2); /* 3 is equally near: the first is selected */
}

static void degenerate_profiles(void **state)
{
    static const struct launch same[3] = {{.value = 10}, {.value = 20}, {.value = 0}};
    struct plan_params params = PLAN_PARAMS_DEFAULT;
    struct profile p;
    struct plan plan;
    struct err e;

    (void)state;
    profile_with(same, 3, &p);
    with_metrics(&p);
    with_instructions(&p, 5);
    CHECK_FAILS(plan_make("tbpoint", &p, &params, &plan, &e), &e, ERR_INVALID,
                "spread of instructions over thread");
    with_cta_cov(&p); /* all are 0: there is no division by their mean */
    plan_with("tbpoint", &p, 0.05, &plan);
    assert_true(plan.stratum_count == 1 && plan.zero_launches == 1);
    plan_release(&plan);
    p.features->instructions[1] = 0;
    CHECK_FAILS(plan_make("tbpoint", &p, &params, &plan, &e), &e, ERR_INVALID, "launch 1 took time but has no");
    p.features->instructions[1] = 5;
    p.features->known = 2;
    CHECK_FAILS(plan_make("tbpoint", &p, &params, &plan, &e), &e, ERR_INVALID, "for the first ones only");
    profile_release(&p);
}

/* --- within a launch --- */

static const struct {
    const char *what;
    size_t waves;
    struct wave wave[8];
    size_t regions;
    struct region region[8];
    uint64_t ctas, needed;
} launches[] = {
    {"steady: two waves of six",
     6,
     {{10, 100, 10, 0}, {10, 100, 10, 0}, {10, 100, 10, 0}, {10, 100, 10, 0}, {10, 100, 10, 0}, {4, 40, 4, 0}},
     1,
     {{0, 6, false}},
     54,
     20},
    /* stall 0.1, then 0.3: relative to the mean of 0.2, 0.5 and 1.5 */
    {"two phases",
     6,
     {{10, 100, 10, 0}, {10, 100, 10, 0}, {10, 100, 10, 0}, {10, 100, 30, 0}, {10, 100, 30, 0}, {10, 100, 30, 0}},
     2,
     {{0, 3, false}, {3, 6, false}},
     60,
     40},
    {"a phase that comes back is a region of its own",
     5,
     {{9, 100, 10, 0}, {9, 100, 30, 0}, {9, 100, 10, 0}, {9, 100, 10, 0}, {9, 100, 10, 0}},
     3,
     {{0, 1, false}, {1, 2, false}, {2, 5, false}},
     45,
     36},
    {"an outlier is simulated whole and parts the stratum it is in",
     7,
     {{8, 100, 10, 0.3},
      {8, 100, 10, 0},
      {8, 100, 10, 0},
      {8, 100, 10, 0.31},
      {8, 100, 10, 1},
      {8, 100, 10, 0},
      {8, 100, 10, 0}},
     3,
     {{0, 3, false}, {3, 5, true}, {5, 7, false}},
     56,
     48},
    {"no memory at all", 3, {{5, 100, 0, 0}, {5, 100, 0, 0}, {5, 0, 0, 0}}, 1, {{0, 3, false}}, 15, 10},
    {"outliers alone", 2, {{5, 100, 9, 2}, {5, 100, 9, 2}}, 1, {{0, 2, true}}, 10, 10},
    {"one wave", 1, {{5, 100, 7, 0}}, 1, {{0, 1, false}}, 5, 5},
    {"no wave", 0, {{0, 0, 0, 0}}, 0, {{0, 0, false}}, 0, 0},
};

static void regions_of_like_waves(void **state)
{
    struct intra_launch x;
    struct err e;

    (void)state;
    for (size_t i = 0; i < sizeof launches / sizeof *launches; i++) {
        CHECK_OK(intra_launch(launches[i].wave, launches[i].waves, &x, &e), &e);
        if (x.count != launches[i].regions || x.ctas != launches[i].ctas || x.needed != launches[i].needed)
            fail_msg("%s: %zu regions, %llu of %llu CTAs", launches[i].what, x.count, (unsigned long long)x.needed,
                     (unsigned long long)x.ctas);
        for (size_t r = 0; r < x.count; r++) {
            const struct region *want = &launches[i].region[r];

            if (x.regions[r].begin != want->begin || x.regions[r].end != want->end ||
                x.regions[r].outlier != want->outlier)
                fail_msg("%s: region %zu is %zu .. %zu", launches[i].what, r, x.regions[r].begin, x.regions[r].end);
        }
        intra_launch_release(&x);
    }
}

/* 20 000 waves that drift: the time for clustering stays small. */
static void many_waves(void **state)
{
    enum { N = 20000 };
    struct wave *waves = calloc(N, sizeof *waves);
    struct intra_launch x;
    struct err e;

    (void)state;
    for (uint64_t i = 0; i < N; i++)
        waves[i] = (struct wave){100, 1000000, 100000 + i * 5 + i % 7, 0};
    CHECK_OK(intra_launch(waves, N, &x, &e), &e);
    assert_in_range(x.count, 2,
                    4); /* from 0.67 to 1.33 of the mean: halves of 0.33 are 0.33 apart, quarters merge */
    assert_int_equal(x.ctas, 100 * N);
    assert_int_equal(x.needed, 200 * x.count);
    intra_launch_release(&x);
    free(waves);
}

static void the_plan_tells_what_waves_would_save(void **state)
{
    struct profile p;
    struct plan plan;

    (void)state;
    four_launches(&p);
    p.features->wave_count = 12;
    p.features->waves = calloc(12, sizeof(struct wave));
    p.features->wave_begin = calloc(5, sizeof(uint64_t));
    for (uint64_t i = 0; i < 12; i++)
        p.features->waves[i] = (struct wave){10, 100, 10, 0};
    for (uint64_t i = 0; i < 5; i++) /* the representatives 0 and 2 have 4 and 6 waves; launch 3 has none */
        p.features->wave_begin[i] = (uint64_t[]){0, 4, 6, 12, 12}[i];
    plan_with("tbpoint", &p, 0.05, &plan);
    assert_string_equal(plan.note, "inside the chosen launches, 2 regions of similar waves: 40.0 % of their thread "
                                   "blocks would have to be simulated");
    plan_release(&plan);
    p.features->waves[2].variation = 0.5;
    plan_with("tbpoint", &p, 0.05, &plan);
    assert_non_null(strstr(plan.note, "4 regions of similar waves: 60.0 %"));
    plan_release(&plan);
    profile_release(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(merges_by_hand),
        cmocka_unit_test(the_most_central_launch_stands_for_its_cluster),
        cmocka_unit_test(the_centroid_counts_launches),
        cmocka_unit_test(degenerate_profiles),
        cmocka_unit_test(regions_of_like_waves),
        cmocka_unit_test(many_waves),
        cmocka_unit_test(the_plan_tells_what_waves_would_save),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
