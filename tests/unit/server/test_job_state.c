/* tests/unit/server/test_job_state.c: the state of a job after an attempt ends. Budgets and delays are those of
 * the table of outcomes. Expected numbers are computed by hand from it. */
#include "server/store/repo/job_state.h"
#include "tests/harness/check.h"

#define SECOND      INT64_C(1000000)
#define NOW         (INT64_C(1700000000) * SECOND)
#define MIDDLE_DICE 200 /* of 0 .. 400: no jitter */

static const struct {
    const char *what;
    struct job_budgets before;
    enum attempt_end_kind kind;
    enum attempt_outcome outcome;
    int dead_sessions;
    enum job_state to;
    int64_t wait_s; /* set when the state is READY */
    const char *failure;
    struct job_budgets after;
} cases[] = {
    {"success", {0}, END_REPORTED, OUTCOME_OK, 0, JOB_DONE, 0, NULL, {0}},
    {"a drained worker costs nothing",
     {.failures = 2},
     END_REPORTED,
     OUTCOME_RELEASED,
     0,
     JOB_READY,
     0,
     NULL,
     {.failures = 2}},
    {"a damaged trace is final", {0}, END_REPORTED, OUTCOME_BAD_INPUT, 0, JOB_FAILED, 0, "bad_input", {0}},
    {"an unknown format is final", {0}, END_REPORTED, OUTCOME_UNSUPPORTED, 0, JOB_FAILED, 0, "unsupported", {0}},
    {"a trace that does not fit is final", {0}, END_REPORTED, OUTCOME_MISMATCH, 0, JOB_FAILED, 0, "mismatch", {0}},
    {"a deadlock is final", {0}, END_REPORTED, OUTCOME_DEADLOCK, 0, JOB_FAILED, 0, "deadlock", {0}},
    {"too many cycles are final", {0}, END_REPORTED, OUTCOME_LIMIT_CYCLES, 0, JOB_FAILED, 0, "limit_cycles", {0}},
    {"a first crash", {0}, END_REPORTED, OUTCOME_CRASH, 0, JOB_READY, 10, NULL, {.failures = 1}},
    {"a second crash", {.failures = 1}, END_REPORTED, OUTCOME_CRASH, 0, JOB_READY, 10, NULL, {.failures = 2}},
    {"a third crash", {.failures = 2}, END_REPORTED, OUTCOME_CRASH, 0, JOB_FAILED, 0, "crash", {.failures = 3}},
    {"a forbidden call counts as a crash",
     {.failures = 2},
     END_REPORTED,
     OUTCOME_SANDBOX,
     0,
     JOB_FAILED,
     0,
     "sandbox",
     {.failures = 3}},
    {"memory doubles",
     {.memory_class = 1, .failures = 1},
     END_REPORTED,
     OUTCOME_MEMORY,
     0,
     JOB_READY,
     0,
     NULL,
     {.memory_class = 2, .failures = 2}},
    {"time doubles once",
     {0},
     END_REPORTED,
     OUTCOME_TIMEOUT,
     0,
     JOB_READY,
     0,
     NULL,
     {.time_class = 1, .failures = 1}},
    {"a second time-out",
     {.time_class = 1, .failures = 1},
     END_REPORTED,
     OUTCOME_TIMEOUT,
     0,
     JOB_FAILED,
     0,
     "timeout",
     {.time_class = 1, .failures = 2}},
    {"a blob out of reach waits 5 s", {0}, END_REPORTED, OUTCOME_FETCH, 0, JOB_READY, 5, NULL, {.troubles = 1}},
    {"then 10 s", {.troubles = 1}, END_REPORTED, OUTCOME_FETCH, 0, JOB_READY, 10, NULL, {.troubles = 2}},
    {"at most 10 minutes", {.troubles = 9}, END_REPORTED, OUTCOME_DISK, 0, JOB_READY, 600, NULL, {.troubles = 10}},
    {"an eleventh trouble",
     {.troubles = 10},
     END_REPORTED,
     OUTCOME_DISK,
     0,
     JOB_FAILED,
     0,
     "disk",
     {.troubles = 11}},
    {"troubles do not eat failures",
     {.failures = 2, .troubles = 3},
     END_REPORTED,
     OUTCOME_FETCH,
     0,
     JOB_READY,
     40,
     NULL,
     {.failures = 2, .troubles = 4}},
    {"a dead worker", {0}, END_LOST, OUTCOME_OK, 1, JOB_READY, 1, NULL, {.losses = 1}},
    {"three dead workers are poison",
     {.losses = 2},
     END_LOST,
     OUTCOME_OK,
     3,
     JOB_FAILED,
     0,
     "poison",
     {.losses = 3}},
    {"overdue six times", {.losses = 5}, END_OVERDUE, OUTCOME_OK, 0, JOB_FAILED, 0, "lost", {.losses = 6}},
    {"losses do not eat failures",
     {.failures = 2, .losses = 1},
     END_LOST,
     OUTCOME_OK,
     2,
     JOB_READY,
     1,
     NULL,
     {.failures = 2, .losses = 2}},
};

static void each_end_leads_where_the_table_says(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct job_move m = job_after_attempt(&cases[i].before, cases[i].kind, cases[i].outcome,
                                              cases[i].dead_sessions, MIDDLE_DICE, NOW);

        if (m.to != cases[i].to)
            fail_msg("%s: became %s, not %s", cases[i].what, job_state_name(m.to), job_state_name(cases[i].to));
        if (m.to == JOB_READY && m.ready_at - NOW != cases[i].wait_s * SECOND)
            fail_msg("%s: waits %.3f s, not %lld s", cases[i].what, (double)(m.ready_at - NOW) / SECOND,
                     (long long)cases[i].wait_s);
        if (m.to == JOB_FAILED && strcmp(m.failure, cases[i].failure) != 0)
            fail_msg("%s: failed as %s, not %s", cases[i].what, m.failure, cases[i].failure);
        if (memcmp(&m.budgets, &cases[i].after, sizeof m.budgets) != 0)
            fail_msg("%s: budgets are %d %d %d, classes %d %d", cases[i].what, m.budgets.failures,
                     m.budgets.troubles, m.budgets.losses, m.budgets.memory_class, m.budgets.time_class);
        assert_true(job_may_become(JOB_LEASED, m.to));
    }
}

static void back_offs_are_spread_by_a_fifth(void **state)
{
    const struct job_budgets before = {.troubles = 2}; /* 20 s */
    int64_t least = INT64_MAX, most = 0;

    (void)state;
    for (uint64_t jitter_seed = 0; jitter_seed < 1000; jitter_seed++) {
        struct job_move m = job_after_attempt(&before, END_REPORTED, OUTCOME_FETCH, 0, jitter_seed, NOW);
        int64_t wait = m.ready_at - NOW;

        least = wait < least ? wait : least;
        most = wait > most ? wait : most;
    }
    assert_int_equal(least, 16 * SECOND);
    assert_int_equal(most, 24 * SECOND);
}

static void the_drawing_is_kept(void **state)
{
    static const struct {
        enum job_state from;
        const char *to; /* first letters: Blocked Ready Leased Done Failed Cancelled */
    } moves[] = {{JOB_BLOCKED, "RDC"}, {JOB_READY, "BLDFC"}, {JOB_LEASED, "BRDFC"},
                 {JOB_DONE, "BFC"},    {JOB_FAILED, "BD"},   {JOB_CANCELLED, ""}};
    enum job_state s;

    (void)state;
    for (size_t i = 0; i < sizeof moves / sizeof moves[0]; i++) {
        for (int to = 0; to < JOB_STATE_COUNT; to++) {
            bool want = strchr(moves[i].to, "BRLDFC"[to]) != NULL;

            if (job_may_become(moves[i].from, (enum job_state)to) != want)
                fail_msg("%s -> %s", job_state_name(moves[i].from), job_state_name((enum job_state)to));
        }
    }
    assert_int_equal(job_state_from_name("leased", &s), 0);
    assert_int_equal(s, JOB_LEASED);
    assert_int_equal(job_state_from_name("lost", &s), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_end_leads_where_the_table_says),
        cmocka_unit_test(back_offs_are_spread_by_a_fifth),
        cmocka_unit_test(the_drawing_is_kept),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
