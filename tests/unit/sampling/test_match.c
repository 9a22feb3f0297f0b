/* Finds the corresponding launches of two profiles. */
#include "tests/harness/check.h"

#include "sampling/profile/match.h"

#define GEMM "void ns::gemm<(int)4>(float*)"

struct launch {
    const char *name;
    uint32_t grid;
    uint64_t context;
    int32_t device;
};

/* Values are 10, 20, ... in launch order. */
static void build(const struct launch *l, size_t n, struct profile *out)
{
    struct err e;
    struct profile_builder *b = profile_builder_new(PROFILE_NS, 0, &e);

    assert_non_null(b);
    for (size_t i = 0; i < n; i++) {
        struct profile_row row = {.name = l[i].name,
                                  .grid = {l[i].grid, 1, 1},
                                  .block = {32, 1, 1},
                                  .context = l[i].context,
                                  .device = l[i].device,
                                  .correlation = i,
                                  .value = 10 * (i + 1)};

        if (l[i].grid == 0)
            memset(row.grid, 0, sizeof row.grid), memset(row.block, 0, sizeof row.block);
        CHECK_OK(profile_builder_add(b, &row, &e), &e);
    }
    CHECK_OK(profile_builder_finish(b, out, &e), &e);
    profile_builder_free(b);
}

static void check(const struct launch *a, size_t a_count, const struct launch *b, size_t b_count,
                  const uint64_t *want, struct match *m)
{
    struct profile p, q;
    struct err e;

    build(a, a_count, &p);
    build(b, b_count, &q);
    CHECK_OK(match_profiles(&p, &q, m, &e), &e);
    for (size_t i = 0; i < a_count; i++)
        if (m->of[i] != want[i])
            fail_msg("launch %zu: got %lld, want %lld", i, (long long)m->of[i], (long long)want[i]);
    profile_release(&p);
    profile_release(&q);
}
#define N(a_) (sizeof(a_) / sizeof *(a_))

static void the_kth_goes_with_the_kth_of_the_same_kernel(void **state)
{
    /* B spells its kernel names as another tool does, and has another launch order. */
    static const struct launch a[] = {{GEMM, 1, 0, 0}, {"add(int*)", 1, 0, 0}, {GEMM, 1, 0, 0}, {GEMM, 2, 0, 0}};
    static const struct launch b[] = {
        {"add(int *)", 1, 0, 0}, {"ns::gemm<4>", 2, 0, 0}, {"ns::gemm<4>", 1, 0, 0}, {"ns::gemm<4>", 1, 0, 0}};
    static const uint64_t want[] = {2, 0, 3, 1};
    struct match m;

    (void)state;
    check(a, N(a), b, N(b), want, &m);
    assert_int_equal(m.matched, 4);
    assert_true(m.by_context && m.by_shape && !m.short_names);
    assert_int_equal(m.a.unmatched + m.b.unmatched, 0);
    match_release(&m);
}

static void what_does_not_match_is_counted_by_reason(void **state)
{
    static const struct launch a[] = {
        {GEMM, 1, 0, 0}, {GEMM, 1, 0, 0}, {GEMM, 1, 0, 0}, {GEMM, 7, 0, 0}, {"only_a(int)", 1, 0, 0}};
    static const struct launch b[] = {{GEMM, 1, 0, 0}, {GEMM, 9, 0, 0}, {"x(int)", 1, 0, 0}, {"x(int)", 1, 0, 0}};
    static const uint64_t want[] = {0, MATCH_NONE, MATCH_NONE, MATCH_NONE, MATCH_NONE};
    struct match m;

    (void)state;
    check(a, N(a), b, N(b), want, &m);
    assert_int_equal(m.matched, 1);
    assert_int_equal(m.a.unmatched, 4);
    assert_int_equal(m.a.unmatched_value, 20 + 30 + 40 + 50);
    assert_int_equal(m.a.count[MATCH_FEWER_LAUNCHES], 2);
    /* both launches are of one kernel: the first is the example */
    assert_int_equal(m.a.example_count[MATCH_FEWER_LAUNCHES], 1);
    assert_int_equal(m.a.examples[MATCH_FEWER_LAUNCHES][0], 1);
    assert_int_equal(m.a.count[MATCH_NO_SHAPE], 1);
    assert_int_equal(m.a.examples[MATCH_NO_SHAPE][0], 3);
    assert_int_equal(m.a.count[MATCH_NO_KERNEL], 1);
    assert_int_equal(m.b.unmatched, 3);
    assert_int_equal(m.b.unmatched_value, 20 + 30 + 40);
    assert_int_equal(m.b.count[MATCH_NO_KERNEL], 2);
    assert_int_equal(m.b.count[MATCH_NO_SHAPE], 1);
    match_release(&m);
}

static void contexts_pair_by_device(void **state)
{
    /* Process or context numbers differ from run to run: in B device 1 has the lower one. */
    static const struct launch a[] = {{GEMM, 1, 5, 0}, {GEMM, 1, 5, 0}, {GEMM, 1, 6, 1}};
    static const struct launch b[] = {{GEMM, 1, 2, 1}, {GEMM, 1, 3, 0}, {GEMM, 1, 3, 0}};
    static const uint64_t want[] = {1, 2, 0};
    struct match m;

    (void)state;
    check(a, N(a), b, N(b), want, &m);
    assert_true(m.by_context);
    match_release(&m);
}

static void other_numbers_of_contexts_count_over_all(void **state)
{
    static const struct launch a[] = {{GEMM, 1, 5, 0}, {GEMM, 1, 6, 1}, {GEMM, 1, 6, 1}};
    static const struct launch b[] = {{GEMM, 1, 1, 0}, {GEMM, 1, 1, 0}};
    static const uint64_t want[] = {0, 1, MATCH_NONE};
    struct match m;

    (void)state;
    check(a, N(a), b, N(b), want, &m);
    assert_false(m.by_context);
    match_release(&m);
}

static void short_names_and_missing_shapes_are_enough(void **state)
{
    static const struct launch a[] = {{GEMM, 4, 0, 0}, {"(anonymous namespace)::add<a::b<3> >(int*)", 1, 0, 0}};
    static const struct launch b[] = {{"add", 0, 0, 0}, {"gemm", 0, 0, 0}};
    static const uint64_t want[] = {1, 0};
    struct match m;

    (void)state;
    check(a, N(a), b, N(b), want, &m);
    assert_true(m.short_names);
    assert_false(m.by_shape);
    match_release(&m);
}

static void a_launch_is_named_within_its_room(void **state)
{
    static const struct launch a[] = {{GEMM, 4, 0, 0}};
    char out[MATCH_LAUNCH];
    struct profile p;

    (void)state;
    build(a, 1, &p);
    assert_string_equal(match_launch_text(&p, 0, out), "launch 0: " GEMM " grid (4,1,1) block (32,1,1)");
    profile_release(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_kth_goes_with_the_kth_of_the_same_kernel),
        cmocka_unit_test(what_does_not_match_is_counted_by_reason),
        cmocka_unit_test(contexts_pair_by_device),
        cmocka_unit_test(other_numbers_of_contexts_count_over_all),
        cmocka_unit_test(short_names_and_missing_shapes_are_enough),
        cmocka_unit_test(a_launch_is_named_within_its_room),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
