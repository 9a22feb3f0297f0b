/* worker/verdict.h: every way in which vivace-sim can end, and the outcome of the job. */
#include <signal.h>

#include "tests/harness/check.h"
#include "worker/verdict.h"

#define MIB (UINT64_C(1) << 20)

static const struct {
    const char *what;
    struct sim_exit end; /* status, signal, stop, time, peak, limit */
    enum attempt_outcome want;
    const char *part; /* of the message */
} cases[] = {
    {"exit 0 without an end line", {0, 0, STOP_NONE, 0, 0, 0}, OUTCOME_CRASH, "without a result or an error"},
    {"usage: versions differ", {2, 0, STOP_NONE, 0, 0, 0}, OUTCOME_CRASH, "different versions"},
    {"bad input", {3, 0, STOP_NONE, 0, 0, 0}, OUTCOME_BAD_INPUT, "cannot be read"},
    {"unsupported", {4, 0, STOP_NONE, 0, 0, 0}, OUTCOME_UNSUPPORTED, "does not have"},
    {"mismatch", {5, 0, STOP_NONE, 0, 0, 0}, OUTCOME_MISMATCH, "does not fit the design"},
    {"deadlock", {6, 0, STOP_NONE, 0, 0, 0}, OUTCOME_DEADLOCK, "never finish"},
    {"cycle limit", {7, 0, STOP_NONE, 0, 0, 0}, OUTCOME_LIMIT_CYCLES, "limit of cycles"},
    {"memory, said by the simulator", {8, 0, STOP_NONE, 0, 0, 0}, OUTCOME_MEMORY, "more memory"},
    {"try again", {75, 0, STOP_NONE, 0, 0, 0}, OUTCOME_DISK, "at this time"},
    {"an unknown code", {99, 0, STOP_NONE, 0, 0, 0}, OUTCOME_CRASH, "99"},
    {"segmentation fault", {0, SIGSEGV, STOP_NONE, 0, 0, 0}, OUTCOME_CRASH, "crashed: Segmentation"},
    {"abort", {0, SIGABRT, STOP_NONE, 0, 0, 0}, OUTCOME_CRASH, "crashed: Abort"},
    {"sandbox", {0, SIGSYS, STOP_NONE, 0, 0, 0}, OUTCOME_SANDBOX, "forbids"},
    {"processor time", {0, SIGXCPU, STOP_NONE, 0, 0, 0}, OUTCOME_TIMEOUT, "processor time"},
    {"killed at its memory limit", {0, SIGKILL, STOP_NONE, 0, 900 * MIB, 1024 * MIB}, OUTCOME_MEMORY, "900 MiB"},
    {"killed far below it", {0, SIGKILL, STOP_NONE, 0, 100 * MIB, 1024 * MIB}, OUTCOME_CRASH, "from outside"},
    {"killed, no limit", {0, SIGKILL, STOP_NONE, 0, 900 * MIB, 0}, OUTCOME_CRASH, "from outside"},
    {"our SIGTERM at the deadline", {0, SIGTERM, STOP_DEADLINE, 60, 0, 0}, OUTCOME_TIMEOUT, "60 s"},
    {"our SIGKILL after it", {0, SIGKILL, STOP_DEADLINE, 60, 0, 0}, OUTCOME_TIMEOUT, "60 s"},
    {"it used the deadline to exit", {7, 0, STOP_DEADLINE, 60, 0, 0}, OUTCOME_TIMEOUT, "60 s"},
    {"given back", {0, SIGKILL, STOP_RELEASE, 0, 900 * MIB, 1024 * MIB}, OUTCOME_RELEASED, "returned to the queue"},
    {"not wanted any more", {0, SIGKILL, STOP_ABORT, 0, 0, 0}, OUTCOME_RELEASED, "returned to the queue"},
};

static void each_end_has_its_outcome(void **state)
{
    char message[200];

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        enum attempt_outcome got = sim_verdict(&cases[i].end, message, sizeof message);

        if (got != cases[i].want || !strstr(message, cases[i].part))
            fail_msg("%s: got %s \"%s\", want %s with \"%s\"", cases[i].what, attempt_outcome_name(got), message,
                     attempt_outcome_name(cases[i].want), cases[i].part);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_end_has_its_outcome)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
