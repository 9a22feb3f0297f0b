/* Groups: every launch with a value is in exactly one group, sorted by value and id, with one sorting thread or
 * two. */
#include "sampling/profile/groups.h"

#include "base/rng.h"
#include "tests/harness/check.h"

static const struct profile *compared;

static uint32_t name_of(uint32_t row)
{
    return compared->kernels[compared->kernel[row]].name_id;
}

static int by_name_value_id(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    if (name_of(x) != name_of(y))
        return name_of(x) < name_of(y) ? -1 : 1;
    if (compared->value[x] != compared->value[y])
        return compared->value[x] < compared->value[y] ? -1 : 1;
    return x < y ? -1 : x > y;
}

/* n launches of `names` kernels with up to `values` distinct values. The first kernel has most of them. Some are
 * 0. */
static void make_profile(struct profile *p, size_t n, unsigned names, uint64_t values)
{
    struct profile_row row = {.grid = {1, 1, 1}, .block = {32, 1, 1}};
    struct err e;
    struct profile_builder *b = profile_builder_new(PROFILE_NS, 0, &e);
    struct rng r;

    assert_non_null(b);
    rng_init(&r, names, values, RNG_TEST);
    for (size_t i = 0; i < n; i++) {
        char name[16];

        snprintf(name, sizeof name, "k%u", rng_below(&r, 2) ? 0 : (unsigned)rng_below(&r, names));
        row.name = name;
        row.correlation = i + 1;
        row.value = rng_below(&r, values);
        CHECK_OK(profile_builder_add(b, &row, &e), &e);
    }
    CHECK_OK(profile_builder_finish(b, p, &e), &e);
    profile_builder_free(b);
}

static void check_groups(const struct profile *p, const struct groups *g, const uint32_t *want, size_t n)
{
    size_t run = 0;

    assert_int_equal(g->row_count, n);
    assert_memory_equal(g->rows, want, n * sizeof *want);
    for (size_t k = 0; k < g->count; k++) {
        assert_true(g->items[k].run_begin == run && g->items[k].run_end > run);
        assert_true(k == 0 || g->items[k].key > g->items[k - 1].key);
        for (; run < g->items[k].run_end; run++) {
            assert_true(g->runs[run].first < g->runs[run + 1].first);
            assert_true(run == g->items[k].run_begin || g->runs[run].value > g->runs[run - 1].value);
            for (uint32_t i = g->runs[run].first; i < g->runs[run + 1].first; i++)
                if (p->value[g->rows[i]] != g->runs[run].value || name_of(g->rows[i]) != g->items[k].key)
                    fail_msg("row %u is in group %zu, run %zu", g->rows[i], k, run);
        }
    }
    assert_int_equal(run, g->run_count);
    assert_int_equal(g->runs[run].first, n);
}

static void groups_are_sorted_and_complete(void **state)
{
    static const struct {
        size_t n;
        unsigned names;
        uint64_t values;
    } cases[] = {{1, 1, 9}, {5000, 7, 40}, {700000, 9, 300}, {600000, 2, 1u << 30}, {700000, 1, 50}};

    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        uint32_t *want = calloc(cases[c].n, sizeof *want);
        struct profile p;
        struct groups g;
        struct err e;
        size_t n = 0;

        make_profile(&p, cases[c].n, cases[c].names, cases[c].values);
        compared = &p;
        for (uint32_t i = 0; i < p.count; i++)
            if (p.value[i])
                want[n++] = i;
        qsort(want, n, sizeof *want, by_name_value_id);
        CHECK_OK(groups_make(&p, GROUP_NAME, &g, &e), &e);
        check_groups(&p, &g, want, n);
        groups_release(&g);
        profile_release(&p);
        free(want);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(groups_are_sorted_and_complete),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
