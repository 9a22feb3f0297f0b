/* The order of launches, which must not depend on the order of rows. */
#include "tests/harness/check.h"

#include "base/rng.h"
#include "sampling/math/order.h"
#include "sampling/profile/profile.h"

static const struct profile_row rows[] = {
    /* name, mangled, grid, block, registers, shared, device, process, context, stream, correlation, start, value,
       graph */
    {"gemm<float>(float*)", "_Z4gemm", {4, 1, 1}, {128, 1, 1}, 40, 0, 0, 7, 1, 3, 10, 1000, 50, 0},
    {"add(int*)", NULL, {1, 1, 1}, {32, 1, 1}, 12, 64, 0, 7, 1, 3, 11, 1100, 5, 0},
    {"gemm<float>(float*)", "_Z4gemm", {4, 1, 1}, {128, 1, 1}, 40, 16, 0, 7, 1, 4, 12, 1060, 55, 0},
    {"gemm<float>(float*)", NULL, {8, 1, 1}, {128, 1, 1}, 40, 0, 0, 7, 1, 3, 12, 1300, 99, 0},
    {"add(int*)", NULL, {1, 1, 1}, {32, 1, 1}, 12, 64, 1, 7, 2, 3, 5, 990, 0, 0},
    {"add(int*)", NULL, {1, 1, 1}, {32, 1, 1}, 12, 64, 1, 7, 2, 3, 6, 1500, 7, 0},
};
enum { ROWS = sizeof rows / sizeof *rows };

static void build(const struct profile_row *from, const uint32_t *order, size_t n, struct profile *out)
{
    struct err e;
    struct profile_builder *b = profile_builder_new(PROFILE_NS, 1, &e);

    assert_non_null(b);
    for (size_t i = 0; i < n; i++)
        CHECK_OK(profile_builder_add(b, &from[order[i]], &e), &e);
    CHECK_OK(profile_builder_finish(b, out, &e), &e);
    profile_builder_free(b);
}

static void launches_stand_in_the_order_of_context_correlation_and_start(void **state)
{
    uint32_t order[ROWS] = {5, 3, 1, 0, 4, 2};
    static const uint64_t values[ROWS] = {50, 5, 55, 99, 0, 7};
    static const int64_t starts[ROWS] = {10, 110, 70, 310, 0, 510};
    static const uint32_t kernels[ROWS] = {0, 1, 0, 2, 1, 1};
    struct profile p;

    (void)state;
    build(rows, order, ROWS, &p);
    assert_int_equal(p.count, ROWS);
    for (size_t i = 0; i < ROWS; i++) {
        assert_int_equal(p.value[i], values[i]);
        assert_int_equal(p.start_ns[i], starts[i]);
        assert_int_equal(p.kernel[i], kernels[i]);
    }
    assert_int_equal(p.kernel_count, 3);
    assert_int_equal(p.name_count, 2);
    assert_string_equal(p.kernels[0].name, "gemm<float>(float*)");
    assert_string_equal(p.kernels[0].mangled_name, "_Z4gemm");
    assert_int_equal(p.kernels[0].shared_bytes, 0); /* from the first launch, not from the one with 16 */
    assert_int_equal(p.kernels[2].name_id, p.kernels[0].name_id);
    assert_int_equal(p.context_count, 2);
    assert_int_equal(p.contexts[1].first, 4);
    assert_int_equal(p.contexts[1].count, 2);
    assert_int_equal(profile_context_of(&p, 3), 0);
    assert_int_equal(profile_context_of(&p, 4), 1);
    assert_int_equal(p.stream_count, 3);
    assert_int_equal(p.streams[p.stream[2]].stream, 4);
    assert_int_equal(profile_total(&p), 216);
    /* busy: [10,60) [70,125) of which [110,115) overlaps, [310,409), [510,517) */
    assert_int_equal(profile_makespan_ns(&p), 50 + 55 + 99 + 7);
    profile_release(&p);
}

/* Many launches with few distinct ids, so that all kinds of ties occur, in random order. */
static void the_order_of_rows_does_not_matter(void **state)
{
    enum { N = 5000 };
    struct profile_row *many = calloc(N, sizeof *many);
    uint32_t *order = calloc(N, sizeof *order);
    char first[SHA256_HEX] = "", hex[SHA256_HEX];
    struct rng r;
    struct err e;

    (void)state;
    rng_init(&r, 20, 0, RNG_TEST);
    for (size_t i = 0; i < N; i++) {
        many[i] = rows[rng_below(&r, ROWS)];
        many[i].device = (int32_t)(many[i].context = rng_below(&r, 3));
        many[i].correlation = rng_below(&r, 700) + (many[i].context == 2 ? (uint64_t)1 << 40 : 0);
        many[i].start_ns = (int64_t)rng_below(&r, 5) - 2;
        many[i].value = rng_below(&r, 4);
        many[i].registers = many[i].shared_bytes = 0;
        many[i].mangled_name = NULL;
        order[i] = (uint32_t)i;
    }
    for (int round = 0; round < 4; round++) {
        struct profile p;

        build(many, order, N, &p);
        for (size_t i = 1; i < p.count; i++)
            assert_true(profile_context_of(&p, i) >= profile_context_of(&p, i - 1));
        CHECK_OK(profile_hash(&p, hex, &e), &e);
        if (round)
            assert_string_equal(hex, first);
        strcpy(first, hex);
        profile_release(&p);
        for (size_t i = N - 1; i > 0; i--) {
            size_t j = rng_below(&r, i + 1);
            uint32_t swap = order[i];

            order[i] = order[j];
            order[j] = swap;
        }
    }
    free(many);
    free(order);
}

static void the_hash_sees_every_column(void **state)
{
    uint32_t order[ROWS] = {0, 1, 2, 3, 4, 5};
    char before[SHA256_HEX], after[SHA256_HEX];
    struct profile p;
    struct err e;

    (void)state;
    build(rows, order, ROWS, &p);
    CHECK_OK(profile_hash(&p, before, &e), &e);
    strcpy(p.format, "kineto");
    CHECK_OK(profile_hash(&p, after, &e), &e);
    assert_string_equal(before, after); /* the hash does not cover the source of the data */
    p.value[3]++;
    CHECK_OK(profile_hash(&p, after, &e), &e);
    assert_string_not_equal(before, after);
    p.value[3]--;
    p.start_ns[3]++;
    CHECK_OK(profile_hash(&p, after, &e), &e);
    assert_string_not_equal(before, after);
    profile_release(&p);
}

static void what_does_not_fit_is_refused(void **state)
{
    struct profile_row row = rows[0];
    struct profile_builder *b;
    struct profile p;
    struct err e;

    (void)state;
    b = profile_builder_new(PROFILE_NS, 1, &e);
    CHECK_FAILS(profile_builder_finish(b, &p, &e), &e, ERR_INVALID, "no kernel launch");
    profile_builder_free(b);

    b = profile_builder_new(PROFILE_WARP_INSTRUCTIONS, 0, &e);
    row.value = UINT64_MAX;
    CHECK_OK(profile_builder_add(b, &row, &e), &e);
    CHECK_OK(profile_builder_add(b, &row, &e), &e);
    CHECK_FAILS(profile_builder_finish(b, &p, &e), &e, ERR_INVALID, "2^64");
    profile_builder_free(b);

    b = profile_builder_new(PROFILE_NS, 1, &e);
    row.value = 1;
    row.start_ns = INT64_MIN;
    CHECK_OK(profile_builder_add(b, &row, &e), &e);
    row.start_ns = INT64_MAX;
    CHECK_OK(profile_builder_add(b, &row, &e), &e);
    CHECK_FAILS(profile_builder_finish(b, &p, &e), &e, ERR_INVALID, "292 years");
    profile_builder_free(b);
}

static void names_are_cleaned_and_then_equal(void **state)
{
    struct profile_row row = rows[0];
    uint32_t order[3] = {0, 1, 2};
    struct profile_row three[3] = {row, row, row};
    struct profile p;

    (void)state;
    three[0].name = "k\xff";
    three[1].name = "k\x01";
    three[2].name = "k?";
    build(three, order, 3, &p);
    assert_int_equal(p.name_count, 1);
    assert_string_equal(p.kernels[0].name, "k?");
    profile_release(&p);
}

static void rows_are_sorted_stably_whatever_the_width_of_the_keys(void **state)
{
    static const struct {
        size_t n;
        uint64_t range;
    } cases[] = {
        {2, 2}, {40, 5}, {300, 3}, {3000, 1u << 20}, {20000, UINT64_MAX}, {20000, 7},
    };

    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        size_t n = cases[c].n;
        uint64_t *key = calloc(n, sizeof *key);
        uint32_t *order = calloc(n, sizeof *order), *scratch = calloc(n, sizeof *scratch);
        struct order_key by = {.wide = key, .flip = (uint64_t)1 << 63};
        struct order_pair *pairs = calloc(2 * n, sizeof *pairs);
        struct rng r;

        rng_init(&r, c, 0, RNG_TEST);
        for (size_t i = 0; i < n; i++) {
            key[i] = rng_below(&r, cases[c].range) - cases[c].range / 2;
            order[i] = (uint32_t)i;
        }
        order_rows(order, scratch, n, &by);
        for (size_t i = 0; i < n; i++)
            pairs[i] = (struct order_pair){key[i] ^ by.flip, (uint32_t)i};
        order_pairs(pairs, pairs + n, n);
        for (size_t i = 1; i < n; i++) {
            int64_t a = (int64_t)key[order[i - 1]], b = (int64_t)key[order[i]];

            assert_true(a < b || (a == b && order[i - 1] < order[i]));
            assert_int_equal(pairs[i].row, order[i]);
        }
        free(key);
        free(order);
        free(scratch);
        free(pairs);
    }
}

/* Rows that are in launch order already are not sorted. The result must be the same. */
static void rows_in_order_and_rows_in_any_order_are_the_same_profile(void **state)
{
    enum { N = 999 };
    static struct profile_row many[N];
    static uint32_t order[N];
    char hash[3][SHA256_HEX];
    struct profile p;
    struct err e;

    (void)state;
    for (uint32_t i = 0; i < N; i++) {
        many[i] = rows[i % 3 + i % 2];
        many[i].process = 5 + i / 500;
        many[i].context = 3 + i / 250;
        many[i].device = 0;
        many[i].stream = i * 7 % 4;
        many[i].correlation = i % 250 * 3 + (i > 700 ? UINT32_MAX : 0);
        many[i].start_ns = 5000 + i * 7919 % 1009;
        order[i] = i;
    }
    for (int k = 0; k < 3; k++) {
        for (uint32_t i = 0; i < N && k; i++)
            order[i] = k == 1 ? N - 1 - i : i * 100 % N;
        build(many, order, N, &p);
        assert_int_equal(p.context_count, 4);
        assert_true(p.contexts[1].first == 250 && p.contexts[1].count == 250 && p.contexts[3].count == 249);
        CHECK_OK(profile_hash(&p, hash[k], &e), &e);
        assert_string_equal(hash[k], hash[0]);
        profile_release(&p);
    }
}

/* Two contexts. First: calls 1 and 2, a graph of three kernels (id 3), call 4, a graph of one kernel (id 5), call
 * 6. Second: a graph first, a call, and two launches without ids. */
static void launches_of_one_call_are_kept_together(void **state)
{
    static const struct {
        uint64_t context, correlation;
        int64_t start_ns;
        int graph;
    } calls[] = {{1, 1, 10, 0}, {1, 2, 20, 0}, {1, 3, 34, 0}, {1, 3, 30, 0}, {1, 3, 32, 0},
                 {1, 4, 40, 0}, {1, 5, 50, 1}, {1, 6, 60, 0}, {2, 1, 15, 0}, {2, 1, 14, 0},
                 {2, 2, 25, 0}, {2, 0, 9, 0},  {2, 0, 8, 0}};
    enum { N = sizeof calls / sizeof *calls };
    static const uint64_t place[N] = {0, 1, 2, 2, 2, 2, 3, 3, 0, 1, 2, 2, 2}; /* calls of the context before it */
    struct profile_row many[N];
    uint32_t order[N];
    struct profile p;
    size_t context;
    struct err e;

    (void)state;
    for (size_t i = 0; i < N; i++) {
        many[i] = rows[0];
        many[i].context = calls[i].context;
        many[i].correlation = calls[i].correlation;
        many[i].start_ns = calls[i].start_ns;
        many[i].graph = calls[i].graph;
        order[i] = (uint32_t)(N - 1 - i);
    }
    build(many, order, N, &p);
    assert_int_equal(p.tie_count, 4);
    assert_true(p.ties[0].first == 2 && p.ties[0].count == 3 && p.ties[0].graph && p.ties[0].graphs_before == 0);
    assert_true(p.ties[1].first == 6 && p.ties[1].count == 1 && p.ties[1].graph && p.ties[1].graphs_before == 3);
    assert_true(p.ties[2].first == 8 && p.ties[2].count == 2 && !p.ties[2].graph && p.ties[2].graphs_before == 0);
    assert_true(p.ties[3].first == 10 && p.ties[3].count == 2 && p.ties[3].graph);
    /* within a graph sorted by start time; times are relative to the earliest start, 8 */
    assert_int_equal(p.start_ns[2] + 8, 30);
    assert_int_equal(p.start_ns[4] + 8, 34);
    for (uint64_t i = 0; i < N; i++)
        assert_int_equal(profile_call_order(&p, i), place[i]);
    assert_null(profile_tie_of(&p, 1));
    assert_ptr_equal(profile_tie_of(&p, 4), &p.ties[0]);
    assert_null(profile_tie_of(&p, 5));
    assert_int_equal(profile_calls(&p, 0), 4);
    assert_int_equal(profile_calls(&p, 1), 3);
    for (uint64_t i = 0; i < N; i++) {
        const struct profile_tie *t = profile_tie_of(&p, i);

        if (!t || !t->graph)
            assert_int_equal(profile_at_call_order(&p, profile_context_of(&p, i), place[i]), i);
    }
    assert_true(profile_at_call_order(&p, 0, 4) == UINT64_MAX);
    assert_true(profile_at_call_order(&p, 1, 3) == UINT64_MAX);
    assert_true(profile_at_call_order(&p, 1, UINT64_MAX) == UINT64_MAX);
    CHECK_FAILS(profile_choose_context(&p, -1, &context, &e), &e, ERR_INVALID, "2 contexts");
    CHECK_FAILS(profile_choose_context(&p, 2, &context, &e), &e, ERR_INVALID, "no context 2");
    CHECK_OK(profile_choose_context(&p, 1, &context, &e), &e);
    assert_int_equal(context, 1);
    profile_release(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(launches_stand_in_the_order_of_context_correlation_and_start),
        cmocka_unit_test(the_order_of_rows_does_not_matter),
        cmocka_unit_test(rows_in_order_and_rows_in_any_order_are_the_same_profile),
        cmocka_unit_test(launches_of_one_call_are_kept_together),
        cmocka_unit_test(the_hash_sees_every_column),
        cmocka_unit_test(what_does_not_fit_is_refused),
        cmocka_unit_test(names_are_cleaned_and_then_equal),
        cmocka_unit_test(rows_are_sorted_stably_whatever_the_width_of_the_keys),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
