/* Launches that began with empty caches: the result is between empty and fully warm caches; which differences
 * between designs are significant then. */
#include "tests/harness/check.h"

#include <math.h>

#include "sampling/estimate/across.h"
#include "sampling/checks/cache_bounds.h"
#include "tests/unit/sampling/plan_by_hand.h"

enum { N = 4 };
static const uint64_t all[] = {N}, some[] = {100}, four[] = {N};

/* Four launches of four, so that every interval is a point; in kilocycles. */
static const struct {
    const char *what;
    double a[N], a_warm[N], b[N], b_warm[N];
    bool distinguishable, reversible;
} cases[] = {
    {"apart whatever the caches held",
     {10, 10, 10, 10},
     {9, 9, 9, 9},
     {20, 20, 20, 20},
     {15, 15, 15, 15},
     true,
     false},
    {"b below a where both are warm", {10, 10, 10, 10}, {9, 9, 9, 9}, {12, 12, 12, 12}, {8, 8, 8, 8}, false, true},
    {"b below a where only b is warm",
     {10, 10, 10, 10},
     {9, 9, 9, 9},
     {11, 11, 11, 11},
     {9.5, 9.5, 9.5, 9.5},
     false,
     true},
    {"b faster, not where only a is warm", {10, 10, 10, 10}, {8, 8, 8, 8}, {9, 9, 9, 9}, {7, 7, 7, 7}, false, true},
    {"equal where both are warm", {10, 10, 10, 10}, {9, 9, 9, 9}, {12, 12, 12, 12}, {9, 9, 9, 9}, false, true},
    {"totals agree, each launch is in a state of its own",
     {10, 10, 10, 10},
     {10, 10, 10, 10},
     {9, 13, 9, 13},
     {13, 9, 13, 9},
     false,
     true},
    {"one launch is not known", {10, 10, 10, 10}, {9, 9, NAN, 9}, {20, 20, 20, 20}, {15, 15, 15, 15}, false, true},
    {"equal with empty caches", {10, 10, 10, 10}, {9, 9, 9, 9}, {10, 10, 10, 10}, {8, 8, 8, 8}, false, false},
    {"known caches", {10, 10, 10, 10}, {10, 10, 10, 10}, {12, 12, 12, 12}, {12, 12, 12, 12}, true, false},
};

static void only_what_holds_in_every_cache_state_is_a_difference(void **state)
{
    struct plan plan;
    struct err e;

    (void)state;
    plan_by_hand(&plan, all, all, 1);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct bounded_values v[] = {{cases[i].a, cases[i].a_warm, NULL},
                                           {cases[i].b, cases[i].b_warm, NULL}};
        const double *const y[] = {cases[i].a, cases[i].b};
        struct comparisons several;
        struct comparison c;

        CHECK_OK(comparison_make(&plan, y[0], y[1], 0.95, &c, &e), &e);
        CHECK_OK(cache_bounds_check(&plan, &v[0], &v[1], &c, &e), &e);
        CHECK_OK(comparisons_make(&plan, y, 2, 0, 0.95, &several, &e), &e);
        CHECK_OK(cache_bounds_check_all(&plan, v, &several, &e), &e);
        if (c.distinguishable != cases[i].distinguishable || c.cache_reversible != cases[i].reversible)
            fail_msg("%s: %d %d", cases[i].what, c.distinguishable, c.cache_reversible);
        assert_int_equal(several.totals[1].distinguishable, c.distinguishable);
        assert_int_equal(several.totals[1].cache_reversible, c.cache_reversible);
        assert_int_equal(several.kernels[1].distinguishable, c.distinguishable);
        assert_int_equal(several.kernels[1].cache_reversible, c.cache_reversible);
        comparisons_release(&several);
    }
    plan_release(&plan);
}

/* With warm caches the interval of the difference contains zero: 1 +- 3.18 * 1.63 / 2 for each launch. With empty
 * caches each difference is 4. */
static void an_interval_that_holds_zero_where_it_is_warm_is_no_difference(void **state)
{
    static const double a[N] = {10, 10, 10, 10}, b[N] = {14, 14, 14, 14}, b_warm[N] = {9, 13, 10.5, 11.5};
    const struct bounded_values v[] = {{a, a, NULL}, {b, b_warm, NULL}};
    struct comparison c;
    struct plan plan;
    struct err e;

    (void)state;
    plan_by_hand(&plan, some, four, 1);
    CHECK_OK(comparison_make(&plan, a, b_warm, 0.95, &c, &e), &e);
    assert_true(c.difference > 0 && !c.distinguishable);
    CHECK_OK(comparison_make(&plan, a, b, 0.95, &c, &e), &e);
    assert_true(c.distinguishable);
    CHECK_OK(cache_bounds_check(&plan, &v[0], &v[1], &c, &e), &e);
    assert_true(c.cache_reversible && !c.distinguishable);
    plan_release(&plan);
}

static void kernels_are_judged_one_by_one(void **state)
{
    static const uint64_t two[] = {2, 2};
    static const double a[N] = {10, 10, 10, 10}, b[N] = {20, 20, 11, 11}, b_warm[N] = {19, 19, 9, 9};
    const struct bounded_values v[] = {{a, a, NULL}, {b, b_warm, NULL}};
    const double *const y[] = {a, b};
    struct comparisons c;
    struct plan plan;
    struct err e;

    (void)state;
    plan_by_hand(&plan, two, two, 2);
    plan.strata[1].kernel_name[0] = 'm';
    CHECK_OK(comparisons_make(&plan, y, 2, 0, 0.95, &c, &e), &e);
    assert_true(c.kernels[2].distinguishable && c.kernels[3].distinguishable);
    CHECK_OK(cache_bounds_check_all(&plan, v, &c, &e), &e);
    assert_true(c.totals[1].distinguishable && !c.totals[1].cache_reversible);
    assert_true(c.kernels[2].distinguishable && !c.kernels[2].cache_reversible);
    assert_true(!c.kernels[3].distinguishable && c.kernels[3].cache_reversible);
    comparisons_release(&c);
    plan_release(&plan);
}

static void totals_of_two_plans_are_judged_in_seconds(void **state)
{
    static const double a[N] = {10, 10.1, 10, 10.1}, b[N] = {24, 24.1, 24, 24.1},
                        b_little[N] = {22, 22.1, 22, 22.1}, b_warm[N] = {18, 18.1, 18, 18.1};
    struct projection pa, pb;
    struct plan plan;
    struct err e;

    (void)state;
    plan_by_hand(&plan, some, four, 1);
    for (int reversed = 0; reversed < 2; reversed++) {
        /* b runs at twice the clock */
        const struct bounded_total x = {&plan, {a, a, NULL}, 1, 0.95},
                                   z = {&plan, {b, reversed ? b_warm : b_little, NULL}, 0.5, 0.95};
        struct comparison c;

        CHECK_OK(projection_make(&plan, a, 0.95, &pa, &e), &e);
        CHECK_OK(projection_make(&plan, b, 0.95, &pb, &e), &e);
        pb.value /= 2;
        pb.half_width /= 2;
        pb.variance /= 4;
        c = across_unpaired(&pa, &pb, 0.95);
        assert_true(c.difference > 0 && c.distinguishable);
        CHECK_OK(cache_bounds_check_unpaired(&x, &z, &c, &e), &e);
        assert_int_equal(c.distinguishable, !reversed);
        assert_int_equal(c.cache_reversible, reversed);
        projection_release(&pa);
        projection_release(&pb);
    }
    plan_release(&plan);
}

static void a_total_has_both_ends(void **state)
{
    static const double y[N] = {10, 12, 10, 12}, warm[N] = {7, 9, 7, 9}, unknown[N] = {7, NAN, 7, 9};
    const struct bounded_values v = {y, warm, NULL}, not_known = {y, unknown, NULL};
    const struct projection_options o = {.level = 0.95};
    struct projection empty, p;
    struct warm_bound x;
    struct plan plan;
    struct err e;

    (void)state;
    plan_by_hand(&plan, some, four, 1);
    CHECK_OK(projection_make_with(&plan, y, &o, &empty, &e), &e);
    CHECK_OK(projection_make_with(&plan, warm, &o, &p, &e), &e);
    assert_int_equal(warm_bound_make(&plan, &v, &o, &empty, &x, &e), 1);
    CHECK_NEAR(x.value, 800, 1e-9); /* 100 launches of 8 */
    CHECK_NEAR(x.half_width, p.half_width, 1e-9);
    CHECK_NEAR(x.low, 800 - p.half_width, 1e-9);
    CHECK_NEAR(x.high, 1100 + empty.half_width, 1e-9);
    assert_int_equal(warm_bound_make(&plan, &not_known, &o, &empty, &x, &e), 0);
    assert_true(isnan(x.value) && isnan(x.half_width) && isnan(x.low) && isnan(x.high));
    projection_release(&empty);
    projection_release(&p);
    plan_release(&plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_what_holds_in_every_cache_state_is_a_difference),
        cmocka_unit_test(an_interval_that_holds_zero_where_it_is_warm_is_no_difference),
        cmocka_unit_test(kernels_are_judged_one_by_one),
        cmocka_unit_test(totals_of_two_plans_are_judged_in_seconds),
        cmocka_unit_test(a_total_has_both_ends),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
