/* Launches simulated with empty and with warmed caches: which launches are selected, and the resulting error of
 * the total. */
#include "tests/harness/check.h"

#include <math.h>

#include "sampling/checks/cache_error.h"

#define LENGTH(a) (sizeof(a) / sizeof *(a))

static const double totals[] = {100, 600, NAN, 300};
static const struct cache_strata strata = {totals, 4, 1000};

/* By hand: stratum 1 takes (9 + 18) / (10 + 20) = 0.9 of its time with warm caches, stratum 3 takes 1.1. With 900
 * of 1000 in known strata the change is 600 * -0.1 + 300 * 0.1 = -30. */
static void weighs_by_strata(void **state)
{
    static const struct cache_pair pairs[] = {{1, 10, 9}, {3, 50, 55}, {1, 20, 18}},
                                   apart[] = {{1, 10, 7}, {1, 20, 20}};
    struct cache_error x;

    (void)state;
    cache_error_weigh(pairs, 3, &strata, &x);
    assert_int_equal(x.launches, 3);
    CHECK_NEAR(x.share, 0.9, 1e-12);
    CHECK_NEAR(x.relative, -30.0 / 900, 1e-12);
    CHECK_NEAR(x.least, -0.1, 1e-12);
    CHECK_NEAR(x.most, 0.1, 1e-12);
    cache_error_weigh(apart, 2, &strata, &x); /* -0.1 together */
    CHECK_NEAR(x.least, -0.3, 1e-12);
    CHECK_NEAR(x.most, 0, 1e-12);
}

/* A stratum without a total gives no estimate of the whole. */
static void says_nothing_of_nothing(void **state)
{
    static const struct cache_pair unknown[] = {{2, 10, 20}};
    struct cache_error x;

    (void)state;
    cache_error_weigh(NULL, 0, &strata, &x);
    assert_int_equal(x.launches, 0);
    CHECK_NEAR(x.relative, 0, 0);
    cache_error_weigh(unknown, 1, &strata, &x);
    assert_int_equal(x.launches, 1);
    CHECK_NEAR(x.share, 0, 0);
    CHECK_NEAR(x.relative, 0, 0);
}

static void chooses_strata_in_turn(void **state)
{
    static const struct cache_candidate all[] = {{0, 5}, {1, 10}, {1, 30}, {3, 7},
                                                 {3, 7}, {2, 99}, {1, 20}, {9, 1000} /* no such stratum */};
    static const size_t want[] = {2, 3, 0, 5, 6, 4, 1};
    size_t out[20], n = 0;
    struct err e;

    (void)state;
    assert_int_equal(cache_error_choose(all, LENGTH(all), &strata, 20, out, &n, &e), 0);
    assert_int_equal(n, LENGTH(want));
    for (size_t i = 0; i < n; i++)
        assert_int_equal(out[i], want[i]);
    assert_int_equal(cache_error_choose(all, LENGTH(all), &strata, 3, out, &n, &e), 0);
    assert_int_equal(n, 3);
    assert_int_equal(cache_error_choose(all, 0, &strata, 3, out, &n, &e), 0);
    assert_int_equal(n, 0);
}

/* One small change is not enough, because the next distance at which launches share data may be larger. */
static void a_window_settles_after_two_still_doublings(void **state)
{
    struct cache_window w = {.before = CACHE_ERROR_BEFORE, .wanted = 48};

    (void)state;
    cache_window_changed(&w, NAN);
    assert_false(cache_window_settled(&w));
    cache_window_changed(&w, 0);
    assert_false(cache_window_settled(&w));
    cache_window_changed(&w, 0.4);
    cache_window_changed(&w, 0.004);
    assert_false(cache_window_settled(&w));
    cache_window_changed(&w, -0.004);
    assert_true(cache_window_settled(&w));
    w.missing = 1;
    assert_false(cache_window_settled(&w));
}

static void a_window_that_holds_all_is_settled(void **state)
{
    struct cache_window w = {.before = CACHE_ERROR_BEFORE, .wanted = 12, .whole = true};

    (void)state;
    assert_true(cache_window_settled(&w));
    assert_false(cache_window_unknown(&w));
    w.missing = 6;
    assert_false(cache_window_settled(&w));
    assert_false(cache_window_unknown(&w));
    w.missing = 7;
    assert_true(cache_window_unknown(&w));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weighs_by_strata),
        cmocka_unit_test(says_nothing_of_nothing),
        cmocka_unit_test(chooses_strata_in_turn),
        cmocka_unit_test(a_window_settles_after_two_still_doublings),
        cmocka_unit_test(a_window_that_holds_all_is_settled),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
