/* server/store/blob/s3_guard.c: when calls are refused, and when a call may try again. */
#include "tests/harness/check.h"

#include "server/store/blob/s3_guard.h"

#define SECOND UINT64_C(1000000)

static int enter(struct s3_guard *g, bool probe, uint64_t now)
{
    struct err e;
    int ret = s3_guard_enter(g, probe, "http://store", now, &e);

    if (ret < 0) {
        assert_int_equal(e.code, ERR_UNAVAILABLE);
        assert_non_null(strstr(e.text, "http://store"));
    }
    return ret;
}

static uint64_t open_it(struct s3_guard *g)
{
    uint64_t now = 1000 * SECOND;

    s3_guard_init(g);
    for (int i = 0; i < S3_GUARD_FAILURES; i++) {
        assert_int_equal(enter(g, false, now), 0);
        s3_guard_left(g, "silence", now);
    }
    return now;
}

static void it_opens_after_failures_in_a_row(void **state)
{
    struct s3_guard g;
    struct s3_facts f;
    uint64_t now = SECOND;

    (void)state;
    s3_guard_init(&g);
    for (int i = 0; i < 10 * S3_GUARD_FAILURES; i++) { /* a success in between resets the count */
        assert_int_equal(enter(&g, false, now), 0);
        s3_guard_left(&g, i % S3_GUARD_FAILURES == S3_GUARD_FAILURES - 1 ? NULL : "silence", now);
    }
    s3_guard_facts(&g, now, &f);
    assert_true(f.answers);
    s3_guard_release(&g);
    now = open_it(&g);
    assert_int_equal(enter(&g, false, now), -1);
    assert_int_equal(enter(&g, true, now + S3_GUARD_TRY_S * SECOND - 1), -1);
    s3_guard_facts(&g, now + 2 * SECOND, &f);
    assert_false(f.answers);
    assert_true(f.silent_s == 2);
    assert_int_equal(f.opened, 1);
    assert_int_equal(f.refused, 2);
    s3_guard_release(&g);
}

static void one_probe_at_a_time_decides(void **state)
{
    struct s3_guard g;
    struct s3_facts f;
    uint64_t now = open_it(&g) + S3_GUARD_TRY_S * SECOND;
    struct err e;

    (void)state;
    assert_true(s3_guard_due(&g, 1, now));
    assert_int_equal(enter(&g, true, now), 0);
    assert_false(s3_guard_due(&g, 1, now + SECOND));
    assert_int_equal(enter(&g, true, now + 100 * SECOND), -1); /* while the probe is running */
    assert_int_equal(enter(&g, false, now + 100 * SECOND), -1);
    s3_guard_left(&g, "silence", now + 100 * SECOND);
    now += 100 * SECOND;
    assert_int_equal(enter(&g, true, now), 0); /* the last probe began long ago */
    assert_int_equal(s3_guard_ask(&g, "http://store", now, &e), -1);
    s3_guard_left(&g, NULL, now);
    assert_int_equal(enter(&g, false, now), 0);
    assert_int_equal(s3_guard_ask(&g, "http://store", now, &e), 0);
    s3_guard_facts(&g, now, &f);
    assert_true(f.answers);
    assert_int_equal(f.opened, 1);
    s3_guard_release(&g);
}

/* `vivace-server scrub` has no probing thread, so one of its calls is the probe. */
static void a_call_is_the_probe_when_there_are_no_probes(void **state)
{
    struct s3_guard g;
    uint64_t now = open_it(&g);

    (void)state;
    assert_int_equal(enter(&g, false, now + S3_GUARD_ALONE_S * SECOND - 1), -1);
    assert_int_equal(enter(&g, false, now + S3_GUARD_ALONE_S * SECOND), 0);
    s3_guard_left(&g, NULL, now + S3_GUARD_ALONE_S * SECOND);
    assert_int_equal(enter(&g, false, now + S3_GUARD_ALONE_S * SECOND), 0);
    s3_guard_release(&g);
}

static void an_unused_store_is_probed_periodically(void **state)
{
    struct s3_guard g;
    uint64_t now = 1000 * SECOND;

    (void)state;
    s3_guard_init(&g);
    assert_true(s3_guard_due(&g, 30 * SECOND, now));
    assert_int_equal(enter(&g, false, now), 0);
    s3_guard_left(&g, NULL, now);
    assert_false(s3_guard_due(&g, 30 * SECOND, now + 30 * SECOND - 1));
    assert_true(s3_guard_due(&g, 30 * SECOND, now + 30 * SECOND));
    s3_guard_release(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_opens_after_failures_in_a_row),
        cmocka_unit_test(one_probe_at_a_time_decides),
        cmocka_unit_test(a_call_is_the_probe_when_there_are_no_probes),
        cmocka_unit_test(an_unused_store_is_probed_periodically),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
