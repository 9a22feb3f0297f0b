/* server/domain/project/turns.c: every run with new results is projected in turn, for any number of runs. */
#include "tests/harness/check.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "server/domain/project/turns.h"

#define RUNS 20

static const char *name(unsigned n)
{
    static char text[UUID_TEXT];

    snprintf(text, sizeof text, "00000000-0000-7000-8000-%012u", n);
    return text;
}

static void the_one_that_is_due_the_longest_comes_first(void **state)
{
    char id[UUID_TEXT];
    struct turns *t;
    struct err e;

    (void)state;
    CHECK_OK(turns_new(&t, &e), &e);
    assert_false(turns_take(t, id));
    for (unsigned n = 0; n < 3; n++)
        turns_wait(t, name(n), 0);
    for (unsigned n = 0; n < 3; n++) { /* put back so that the first one due comes last */
        assert_true(turns_take(t, id));
        assert_string_equal(id, name(n));
        turns_back(t, id, 300 - 100 * n);
    }
    for (unsigned n = 0; n < 3; n++)
        turns_wait(t, name(n), 150); /* 200 and 300 are not due */
    assert_int_equal(turns_waiting(t), 1);
    for (unsigned n = 0; n < 3; n++)
        turns_wait(t, name(n), 300);
    assert_int_equal(turns_waiting(t), 3);
    for (unsigned n = 3; n-- > 0;) {
        assert_true(turns_take(t, id));
        assert_string_equal(id, name(n));
    }
    turns_free(t);
}

/* More runs than projection workers, all with new results at all times: each run is projected once before any is
 * projected twice. */
static void nothing_is_skipped(void **state)
{
    unsigned times[RUNS] = {0};
    char id[UUID_TEXT];
    struct turns *t;
    struct err e;

    (void)state;
    CHECK_OK(turns_new(&t, &e), &e);
    for (uint64_t now = 1; now <= 10 * RUNS; now++) {
        unsigned least = UINT_MAX, most = 0, n;

        for (n = RUNS; n-- > 0;)
            turns_wait(t, name(n), now);
        assert_true(turns_take(t, id));
        times[strtoul(id + 24, NULL, 10)]++;
        turns_back(t, id, now);
        for (n = 0; n < RUNS; n++) {
            least = times[n] < least ? times[n] : least;
            most = times[n] > most ? times[n] : most;
        }
        assert_true(most - least <= 1);
    }
    assert_int_equal(times[0], 10);
    turns_free(t);
}

static void who_hurries_does_not_rest(void **state)
{
    char id[UUID_TEXT];
    struct turns *t;
    struct err e;

    (void)state;
    CHECK_OK(turns_new(&t, &e), &e);
    turns_wait(t, name(1), 0);
    assert_true(turns_take(t, id));
    turns_back(t, id, 1000);
    turns_wait(t, id, 10);
    assert_int_equal(turns_waiting(t), 0);
    turns_hurry(t, id);
    turns_wait(t, id, 10);
    assert_true(turns_take(t, id));
    turns_hurry(t, id); /* while it is being projected: perhaps without its last results */
    turns_back(t, id, 1000);
    turns_wait(t, id, 10);
    assert_true(turns_take(t, id));
    turns_back(t, id, 1000); /* once only */
    turns_wait(t, id, 10);
    assert_false(turns_take(t, id));
    turns_wait(t, id, 1000);
    assert_true(turns_take(t, id));
    assert_int_equal(turns_back_failed(t, id, 2000), 1);
    turns_hurry(t, id); /* a projection that fails keeps its pause */
    turns_wait(t, id, 1500);
    assert_false(turns_take(t, id));
    turns_hurry(t, name(2)); /* unknown */
    turns_free(t);
}

static void a_run_in_hand_does_not_wait_and_is_not_dropped(void **state)
{
    char id[UUID_TEXT], other[UUID_TEXT];
    struct last_published *published;
    struct turns *t;
    struct err e;

    (void)state;
    CHECK_OK(turns_new(&t, &e), &e);
    turns_wait(t, name(1), 0);
    assert_true(turns_take(t, id));
    turns_wait(t, id, 1000);
    assert_false(turns_take(t, other)); /* never two workers on one run */
    turns_forget_unseen(t);
    turns_back(t, id, 500);
    turns_wait(t, id, 499); /* if it had been dropped, it would be due at once */
    assert_false(turns_take(t, other));

    published = turns_seen(t, id);
    assert_non_null(published);
    published->version = 7;
    turns_forget_unseen(t);
    assert_int_equal(turns_seen(t, id)->version, 7); /* it was seen, so it is kept */
    turns_forget_unseen(t);
    turns_forget_unseen(t);
    assert_int_equal(turns_seen(t, id)->version, 0); /* it was dropped and is new */
    turns_free(t);
}

/* A projection that the database refuses is counted at each failure until the run is projected or dropped. */
static void failures_in_a_row_are_counted(void **state)
{
    char id[UUID_TEXT];
    struct turns *t;
    struct err e;

    (void)state;
    CHECK_OK(turns_new(&t, &e), &e);
    for (unsigned k = 1; k <= TURNS_FAILURES_MAX; k++) {
        turns_wait(t, name(1), k);
        assert_true(turns_take(t, id));
        assert_int_equal(turns_failing(t), 0);
        assert_int_equal(turns_back_failed(t, id, 0), k);
    }
    assert_int_equal(turns_failing(t), 1);
    turns_wait(t, name(1), 9);
    assert_true(turns_take(t, id));
    turns_back(t, id, 0);
    assert_int_equal(turns_failing(t), 0);
    turns_free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_one_that_is_due_the_longest_comes_first),
        cmocka_unit_test(nothing_is_skipped),
        cmocka_unit_test(who_hurries_does_not_rest),
        cmocka_unit_test(a_run_in_hand_does_not_wait_and_is_not_dropped),
        cmocka_unit_test(failures_in_a_row_are_counted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
