/* Photon: distances and matches by hand, capacity and order of search, many launches. */
#include "tests/unit/sampling/with_features.h"

#include "base/rng.h"
#include "sampling/cluster/bbv_vectors.h"
#include "sampling/cluster/photon.h"

/* Launches A, B and C, worked by hand. */
static const struct warp_type a[] = {{90, 3, {3, 4, 0}}, {10, 3, {1, 0, 0}}},
                              b[] = {{88, 3, {6, 8, 0}}, {12, 3, {1}}}, c[] = {{100, 3, {3, 4, 5}}};

static void distances_by_hand(void **state)
{
    struct features f = {0};
    struct bbv_vectors v;
    struct err e;

    (void)state;
    add_bbv(&f, a, 2);
    add_bbv(&f, b, 2);
    add_bbv(&f, c, 1);
    add_bbv(&f, a, 2);
    CHECK_OK(bbv_vectors_make(&f.bbvs, BBV_GPU, &v, &e), &e);
    assert_int_equal(v.count, 3); /* the fourth vector equals the first */
    assert_int_equal(v.of[3], 0);
    CHECK_NEAR(v.entries[0].x, 0.54, 1e-15);
    CHECK_NEAR(v.entries[1].x, 0.72, 1e-15);
    CHECK_NEAR(v.entries[2].x, 0.1, 1e-15);
    CHECK_NEAR(sqrt(bbv_distance_squared(&v, 0, 1, INFINITY)), 0.02828427124746, 1e-12); /* sqrt(0.0008) */
    CHECK_NEAR(sqrt(bbv_distance_squared(&v, 0, 2, INFINITY)), 0.7397349484, 1e-9);
    CHECK_NEAR(sqrt(bbv_distance_squared(&v, 2, 0, INFINITY)), 0.7397349484, 1e-9);
    assert_true(bbv_distance_squared(&v, 0, 2, 0.0025) >= 0.0025);
    assert_true(bbv_distance_squared(&v, 1, 1, 0.0025) == 0);
    bbv_vectors_release(&v);
    free(f.bbvs.bbvs);
    free(f.bbvs.types);
    free(f.bbvs.entries);
}

static void distances_of_the_artifact(void **state)
{
    static const struct warp_type first[] = {{90, 2, {3, 4}}, {10, 2, {3, 4}}}, second[] = {{10, 2, {29, 41}}};
    struct features f = {0};
    struct bbv_vectors v;
    struct err e;

    (void)state;
    add_bbv(&f, first, 2);
    add_bbv(&f, second, 1);
    CHECK_OK(bbv_vectors_make(&f.bbvs, BBV_COUNTS, &v, &e), &e);
    assert_int_equal(v.begin[1], 2); /* the types' counts are summed: (300, 400) */
    CHECK_NEAR(v.length[0], 500, 1e-15);
    CHECK_NEAR(sqrt(bbv_distance_squared(&v, 0, 1, INFINITY)) / (v.length[0] + 1e-6), 0.0282842712, 1e-8);
    bbv_vectors_release(&v);
    free(f.bbvs.bbvs);
    free(f.bbvs.types);
    free(f.bbvs.entries);
}

/* Launches with one block each, so that all vectors match. Only the number of warps differs (2 per CTA). */
static void launches_of(struct profile *p, const struct launch *launches, size_t n, uint64_t instructions)
{
    static const struct warp_type one = {1, 1, {1}};

    profile_with(launches, n, p);
    with_instructions(p, instructions);
    p->features->bbv_of = calloc(n, sizeof(uint32_t));
    add_bbv(p->features, &one, 1);
}

static void a_match_is_scaled_by_instructions(void **state)
{
    static const struct launch launches[] = {{.value = 5000}, {.value = 5100}};
    struct profile p;
    struct plan plan;

    (void)state;
    launches_of(&p, launches, 2, 20000);
    p.features->instructions[1] = 21000;
    plan_with("photon", &p, 0.05, &plan);
    assert_true(plan.stratum_count == 1 && plan.estimator == PLAN_INSTRUCTION_RATIO);
    CHECK_NEAR(projected(&plan), 5000 + 5250, 1e-12);
    assert_string_equal(plan.note, "1 simulated, because no earlier launch resembles them; 1 matched");
    plan_release(&plan);
    plan_with("photon-ae", &p, 0.05, &plan);
    assert_true(plan.stratum_count == 1 && plan.estimator == PLAN_EXPANSION);
    CHECK_NEAR(projected(&plan), 10000, 1e-12);
    plan_release(&plan);
    profile_release(&p);
}

/* The earlier launch that the last one is matched with; -1: it is simulated. */
static void check_match(const char *method, const struct launch *launches, size_t n, int64_t want)
{
    struct plan_index *index;
    struct profile p;
    struct plan plan;
    struct err e;
    size_t h;

    launches_of(&p, launches, n, 100);
    plan_with(method, &p, 0.05, &plan);
    index = plan_index_new(&plan, &p, &e);
    assert_non_null(index);
    h = plan_index_find(index, n - 1);
    assert_true(h < plan.stratum_count);
    assert_int_equal(plan.samples[h].launch, want < 0 ? (int64_t)n - 1 : want);
    plan_index_free(index);
    plan_release(&plan);
    profile_release(&p);
}

static void warps_decide_between_matches(void **state)
{
    /* grids of 1280 CTAs fill the GPU (2560 warps) */
    static const struct launch few[] = {{NULL, 100, 9}, {NULL, 99, 9}}, full[] = {{NULL, 1280, 9}, {NULL, 2000, 9}},
                               half[] = {{NULL, 1279, 9}, {NULL, 1280, 9}},
                               equal[] = {{NULL, 5, 9}, {NULL, 7, 9}, {NULL, 5, 9}},
                               names[] = {{"one", 5, 9}, {"two", 5, 9}};

    (void)state;
    check_match("photon", few, 2, -1); /* below capacity the numbers of warps must be equal */
    check_match("photon", full, 2, 0);
    check_match("photon", half, 2, -1); /* one of the two does not fill the GPU */
    check_match("photon", equal, 3, 0);
    check_match("photon", names, 2, -1);
    check_match("photon-ae", few, 2, 0); /* the artifact does not have this rule */
    check_match("photon-ae", half, 2, 0);
    check_match("photon-ae", names, 2, -1);
}

/* Vectors of two blocks at angles of 0, 1, 2 .. hundredths. Launches have the index of their vector. */
static void launches_at(struct profile *p, const struct launch *launches, const uint32_t *angle, size_t n)
{
    profile_with(launches, n, p);
    with_instructions(p, 100);
    p->features->bbv_of = calloc(n, sizeof(uint32_t));
    for (size_t i = 0; i < n; i++) {
        struct warp_type t = {1, 2, {10000, 100 * angle[i]}};

        p->features->bbv_of[i] = add_bbv(p->features, &t, 1);
    }
}

static void nearest_of_equal_warps_then_closest_warps_newest_first(void **state)
{
    static const struct {
        struct launch launches[4];
        uint32_t angle[4];
        uint64_t want, want_ae;
    } cases[] = {
        /* vectors 0 and 1 do not match each other; the last is between them, nearer to the first or to the second
         */
        {{{NULL, 9, 1}, {NULL, 9, 1}, {NULL, 9, 1}}, {0, 6, 2}, 0, 0},
        {{{NULL, 9, 1}, {NULL, 9, 1}, {NULL, 9, 1}}, {0, 6, 4}, 1, 0},
        /* all fill the GPU: an equal number of warps has precedence over a nearer vector */
        {{{NULL, 2000, 1}, {NULL, 3000, 1}, {NULL, 2000, 1}}, {0, 6, 4}, 0, 0},
        /* no equal number of warps: the closest number; if tied, the newest launch (artifact: the first) */
        {{{NULL, 2000, 1}, {NULL, 3000, 1}, {NULL, 2600, 1}}, {0, 6, 2}, 1, 1},
        {{{NULL, 2000, 1}, {NULL, 3000, 1}, {NULL, 2500, 1}}, {0, 6, 2}, 1, 0},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (int artifact = 0; artifact < 2; artifact++) {
            struct plan_index *index;
            struct profile p;
            struct plan plan;
            struct err e;

            launches_at(&p, cases[i].launches, cases[i].angle, 3);
            plan_with(artifact ? "photon-ae" : "photon", &p, 0.05, &plan);
            assert_int_equal(plan.stratum_count, 2);
            index = plan_index_new(&plan, &p, &e);
            assert_int_equal(plan_index_find(index, 2), artifact ? cases[i].want_ae : cases[i].want);
            plan_index_free(index);
            plan_release(&plan);
            profile_release(&p);
        }
    }
}

/* The search over all earlier simulated launches, implemented as in the paper. */
static size_t search(const struct bbv_vectors *v, const uint32_t *vector, const uint64_t *warps, const size_t *done,
                     size_t n, size_t i)
{
    double least = INFINITY;
    uint64_t closest = UINT64_MAX;
    size_t equal = SIZE_MAX, other = SIZE_MAX;

    for (size_t j = n; j-- > 0;) {
        size_t k = done[j];
        double d = sqrt(bbv_distance_squared(v, vector[i], vector[k], INFINITY));
        uint64_t off = warps[i] > warps[k] ? warps[i] - warps[k] : warps[k] - warps[i];

        if (d >= 0.05 || (off && (warps[i] < 2560 || warps[k] < 2560)))
            continue;
        if (!off && d < least) {
            least = d;
            equal = k;
        } else if (off && off < closest) {
            closest = off;
            other = k;
        }
    }
    return equal != SIZE_MAX ? equal : other;
}

static void the_fast_way_finds_what_the_search_finds(void **state)
{
    enum { N = 2000 };
    struct launch *launches = calloc(N, sizeof *launches);
    uint32_t *angle = calloc(N, sizeof *angle);
    uint64_t *warps = calloc(N, sizeof *warps);
    size_t *done = calloc(N, sizeof *done), count = 0;
    struct plan_index *index;
    struct bbv_vectors v;
    struct profile p;
    struct plan plan;
    struct rng rng;
    struct err e;

    (void)state;
    rng_init(&rng, 5, 0, RNG_TEST);
    for (int i = 0; i < N; i++) {
        launches[i] = (struct launch){NULL, 1270 + (uint32_t)rng_below(&rng, 30), 10};
        angle[i] = (uint32_t)rng_below(&rng, 40);
        warps[i] = 2 * launches[i].grid;
    }
    launches_at(&p, launches, angle, N);
    plan_with("photon", &p, 0.05, &plan);
    CHECK_OK(bbv_vectors_make(&p.features->bbvs, BBV_GPU, &v, &e), &e);
    assert_int_equal(v.count, 40);
    index = plan_index_new(&plan, &p, &e);
    for (size_t i = 0; i < N; i++) {
        size_t match = search(&v, v.of, warps, done, count, i); /* launch i has vector i */
        uint64_t chosen = plan.samples[plan_index_find(index, i)].launch;

        assert_int_equal(chosen, match == SIZE_MAX ? i : match);
        if (match == SIZE_MAX)
            done[count++] = i;
    }
    assert_int_equal(plan.stratum_count, count);
    assert_true(count > 50 && count < 1500);
    plan_index_free(index);
    bbv_vectors_release(&v);
    plan_release(&plan);
    profile_release(&p);
    free(launches);
    free(angle);
    free(warps);
    free(done);
}

static void degenerate_profiles(void **state)
{
    static const struct launch launches[] = {{.value = 5000}, {.value = 0}, {.value = 7}};
    static const struct warp_type nothing = {1, 1, {0}};
    struct plan_params params = PLAN_PARAMS_DEFAULT;
    struct profile p;
    struct plan plan;
    struct err e;

    (void)state;
    profile_with(launches, 3, &p);
    CHECK_FAILS(plan_make("photon-ae", &p, &params, &plan, &e), &e, ERR_INVALID, "needs basic-block vectors");
    profile_release(&p);
    launches_of(&p, launches, 3, 0);
    CHECK_FAILS(plan_make("photon", &p, &params, &plan, &e), &e, ERR_INVALID, "launch 0 took time but has no");
    /* launch 1 has value 0, so it is in no stratum */
    p.features->instructions[0] = p.features->instructions[2] = 1;
    plan_with("photon", &p, 0.05, &plan);
    assert_true(plan.zero_launches == 1 && plan.stratum_count == 1);
    plan_release(&plan);
    p.features->bbv_of[2] = add_bbv(p.features, &nothing, 1);
    CHECK_FAILS(plan_make("photon", &p, &params, &plan, &e), &e, ERR_INVALID, "basic-block vector 1 is empty");
    profile_release(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_by_hand),
        cmocka_unit_test(distances_of_the_artifact),
        cmocka_unit_test(a_match_is_scaled_by_instructions),
        cmocka_unit_test(warps_decide_between_matches),
        cmocka_unit_test(nearest_of_equal_warps_then_closest_warps_newest_first),
        cmocka_unit_test(the_fast_way_finds_what_the_search_finds),
        cmocka_unit_test(degenerate_profiles),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
