/* server/platform/net/rate_limit.c: token buckets, with results computed by hand. */
#include "tests/harness/check.h"

#include "server/platform/net/rate_limit.h"

#define SECOND UINT64_C(1000000)

static void a_bucket_empties_and_fills(void **state)
{
    struct rate rate = {.a_second = 2, .burst = 5};
    struct rate_limit *l;
    struct rate_state s;
    uint64_t now = 1000 * SECOND;
    struct err e;

    (void)state;
    CHECK_OK(rate_limit_new(&l, &e), &e);
    for (unsigned i = 0; i < 5; i++) {
        s = rate_take(l, "a", rate, now);
        assert_false(s.refused);
        assert_int_equal(s.left, 4 - i);
    }
    s = rate_take(l, "a", rate, now);
    assert_true(s.refused);
    assert_int_equal(s.wait_s, 1);
    assert_false(rate_take(l, "b", rate, now).refused); /* the bucket of another key is full */
    assert_true(rate_take(l, "a", rate, now + SECOND / 2 - 1).refused);
    assert_false(rate_take(l, "a", rate, now + SECOND / 2).refused); /* half a second adds one call */
    assert_true(rate_take(l, "a", rate, now + SECOND / 2).refused);
    s = rate_peek(l, "a", rate, now + 100 * SECOND); /* never more than the burst size */
    assert_int_equal(s.left, 5);
    assert_int_equal(rate_peek(l, "a", rate, now + 100 * SECOND).left, 5); /* peeking takes no token */
    rate_limit_free(l);
}

static void slow_rates_tell_how_long(void **state)
{
    struct rate rate = {.a_second = 1, .burst = 1};
    struct rate_limit *l;
    struct err e;

    (void)state;
    CHECK_OK(rate_limit_new(&l, &e), &e);
    assert_false(rate_take(l, "a", rate, SECOND).refused);
    assert_true(rate_take(l, "a", rate, SECOND + 1).wait_s >= 1);
    assert_false(rate_take(l, "a", (struct rate){0, 0}, SECOND + 1).limited); /* no limit */
    rate_limit_free(l);
}

/* A flood of addresses does not give an active key a new bucket: idle buckets are replaced first. */
static void a_flood_does_not_wash_a_bucket_clean(void **state)
{
    struct rate rate = {.a_second = 1, .burst = 100};
    struct rate_limit *l;
    char key[32];
    struct err e;

    (void)state;
    CHECK_OK(rate_limit_new(&l, &e), &e);
    for (int i = 0; i < 100; i++)
        assert_false(rate_take(l, "guesser", rate, SECOND).refused);
    for (int i = 0; i < 100000; i++) {
        snprintf(key, sizeof key, "10.%d.%d.%d", i >> 16, i >> 8 & 255, i & 255);
        rate_take(l, key, rate, SECOND);
    }
    assert_true(rate_take(l, "guesser", rate, SECOND).refused);
    rate_limit_free(l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bucket_empties_and_fills),
        cmocka_unit_test(slow_rates_tell_how_long),
        cmocka_unit_test(a_flood_does_not_wash_a_bucket_clean),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
