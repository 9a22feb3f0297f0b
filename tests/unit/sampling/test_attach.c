/* Features and responses from other files: which ones fit a profile, which are refused, and which are kept. */
#include "tests/harness/check.h"

#include "sampling/profile/attach.h"

struct launch {
    const char *name;
    uint32_t grid;
    uint64_t context, value;
};

static void build(const struct launch *l, size_t n, struct profile *out)
{
    struct err e;
    struct profile_builder *b = profile_builder_new(PROFILE_NS, 0, &e);

    assert_non_null(b);
    for (size_t i = 0; i < n; i++) {
        struct profile_row row = {
            .name = l[i].name, .context = l[i].context, .correlation = i, .value = l[i].value};

        for (int d = 0; d < 3 && l[i].grid; d++) {
            row.grid[d] = d ? 1 : l[i].grid;
            row.block[d] = d ? 1 : 32;
        }
        CHECK_OK(profile_builder_add(b, &row, &e), &e);
    }
    CHECK_OK(profile_builder_finish(b, out, &e), &e);
    profile_builder_free(b);
}

/* Instruction counts 100, 101, ... */
static void give_instructions(struct profile *p)
{
    struct err e;

    p->features = features_new(&e);
    assert_non_null(p->features);
    p->features->known = p->count;
    p->features->instructions = calloc(p->count, sizeof *p->features->instructions);
    for (size_t i = 0; i < p->count; i++)
        p->features->instructions[i] = 100 + i;
}

static const struct launch run[] = {
    {"void a<4>(int*)", 1, 1, 10}, {"b(float*)", 2, 1, 20}, {"void a<4>(int*)", 1, 1, 30}, {"b(float*)", 2, 2, 40}};

static void a_list_that_ends_early_is_a_prefix(void **state)
{
    static const struct launch counts[] = {{"a", 1, 0, 0}, {"b", 0, 0, 0}, {KERNEL_ANY, 0, 0, 0}};
    struct profile p, from;
    struct err e;

    (void)state;
    build(run, 4, &p);
    build(counts, 3, &from);
    give_instructions(&from);
    CHECK_OK(attach_features(&p, "p", &from, "counts", &e), &e);
    assert_null(from.features);
    assert_int_equal(p.features->known, 3);
    assert_int_equal(p.features->instructions[2], 102);
    assert_int_equal(p.features->instructions[3], 0);
    profile_release(&p);
    profile_release(&from);
}

static void the_first_difference_is_refused_with_both_sides(void **state)
{
    static const struct launch other[] = {{"a<4>", 1, 0, 0}, {"a<4>", 1, 0, 0}},
                               shape[] = {{"a<4>(int *)", 3, 0, 0}},
                               many[] = {
                                   {"a", 0, 0, 0}, {"b", 0, 0, 0}, {"a", 0, 0, 0}, {"b", 0, 0, 0}, {"a", 0, 0, 0}};
    struct profile p, from;
    struct err e;

    (void)state;
    build(run, 4, &p);
    build(other, 2, &from);
    CHECK_FAILS(attach_features(&p, "p", &from, "counts", &e), &e, ERR_INVALID, "counts has no features");
    give_instructions(&from);
    CHECK_FAILS(
        attach_features(&p, "p", &from, "counts", &e), &e, ERR_CONFLICT,
        "counts does not belong to p: there it is launch 1: a<4> grid (1,1,1) block (32,1,1), but here launch "
        "1: b(float*) grid (2,1,1) block (32,1,1)");
    assert_null(p.features);
    profile_release(&from);
    build(shape, 1, &from);
    give_instructions(&from);
    CHECK_FAILS(attach_features(&p, "p", &from, "counts", &e), &e, ERR_CONFLICT, "grid (3,1,1)");
    profile_release(&from);
    build(many, 5, &from);
    give_instructions(&from);
    CHECK_FAILS(attach_features(&p, "p", &from, "counts", &e), &e, ERR_CONFLICT, "it has 5 launches");
    profile_release(&from);
    profile_release(&p);
}

static void contexts_must_begin_at_the_same_launches(void **state)
{
    static const struct launch same[] = {{"a<4>", 1, 1, 0}, {"b", 2, 1, 0}, {"a<4>", 1, 1, 0}, {"b", 2, 2, 0}},
                               gap[] = {{"a<4>", 1, 1, 0}, {"b", 2, 1, 0}, {"b", 2, 2, 0}};
    struct profile p, from;
    struct err e;

    (void)state;
    build(run, 4, &p);
    build(gap, 3, &from);
    give_instructions(&from);
    CHECK_FAILS(attach_features(&p, "p", &from, "counts", &e), &e, ERR_CONFLICT, "context 1 begins at launch 2");
    profile_release(&from);
    build(same, 4, &from);
    give_instructions(&from);
    CHECK_OK(attach_features(&p, "p", &from, "counts", &e), &e);
    profile_release(&from);
    profile_release(&p);
}

static void what_the_profile_had_stays(void **state)
{
    struct profile p, from;
    struct err e;

    (void)state;
    build(run, 4, &p);
    give_instructions(&p);
    build(run, 2, &from);
    from.features = features_new(&e);
    from.features->known = 2;
    from.features->cta_cov = calloc(2, sizeof(double));
    from.features->cta_cov[1] = 0.5;
    CHECK_OK(attach_features(&p, "p", &from, "f", &e), &e);
    assert_int_equal(p.features->known, 2);
    assert_int_equal(p.features->instructions[1], 101);
    CHECK_NEAR(p.features->cta_cov[1], 0.5, 0);
    CHECK_NEAR(p.features->cta_cov[3], 0, 0);
    profile_release(&p);
    profile_release(&from);
}

static void another_profile_is_a_response(void **state)
{
    /* The same launches in another order: the k-th launch of a kernel matches the k-th of the other profile. */
    static const struct launch other[] = {
        {"b(float*)", 2, 1, 7}, {"a<4>(int*)", 1, 1, 8}, {"a<4>(int*)", 1, 1, 9}, {"b(float*)", 2, 2, 6}};
    static const double want[] = {8, 7, 9, 6};
    struct profile p, q;
    struct err e;

    (void)state;
    build(run, 4, &p);
    build(other, 4, &q);
    CHECK_OK(attach_response(&p, &q, "h100.sqlite", &e), &e);
    assert_int_equal(p.features->response_count, 1);
    assert_string_equal(p.features->responses[0].name, "h100.sqlite");
    for (size_t i = 0; i < 4; i++)
        CHECK_NEAR(p.features->responses[0].values[i], want[i], 0);
    profile_release(&q);
    build(other, 2, &q);
    CHECK_FAILS(attach_response(&p, &q, "short", &e), &e, ERR_CONFLICT, "short: 2 of 4 launches have no partner");
    profile_release(&q);
    build(run, 4, &q); /* features attached later do not remove it */
    give_instructions(&q);
    CHECK_OK(attach_features(&p, "p", &q, "f", &e), &e);
    assert_int_equal(p.features->response_count, 1);
    assert_int_equal(p.features->instructions[3], 103);
    profile_release(&p);
    profile_release(&q);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_list_that_ends_early_is_a_prefix),
        cmocka_unit_test(the_first_difference_is_refused_with_both_sides),
        cmocka_unit_test(contexts_must_begin_at_the_same_launches),
        cmocka_unit_test(what_the_profile_had_stays),
        cmocka_unit_test(another_profile_is_a_response),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
