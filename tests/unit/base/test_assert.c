#include "tests/harness/check.h"

#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/assert.h"

static void nothing_is_written_where_it_is_true(void **state)
{
    int evaluated = 0;

    (void)state;
    ASSERT(++evaluated == 1);
    assert_int_equal(evaluated, 1);
}

static void a_false_one_names_its_place_and_ends_the_program(void **state)
{
    int pipe_ends[2], status;
    char text[512] = "";
    ssize_t n;
    pid_t child;

    (void)state;
    assert_int_equal(pipe(pipe_ends), 0);
    child = fork();
    if (child == 0) {
        signal(SIGABRT, SIG_DFL);
        dup2(pipe_ends[1], 2);
        ASSERT(1 + 1 == 3);
        _exit(0);
    }
    close(pipe_ends[1]);
    n = read(pipe_ends[0], text, sizeof text - 1);
    close(pipe_ends[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
    assert_true(n > 0);
    assert_non_null(strstr(text, "test_assert.c:"));
    assert_non_null(strstr(text, "(1 + 1 == 3) is false"));
}

static void inner_loops_are_checked_in_sanitized_builds(void **state)
{
    int evaluated = 0;

    (void)state;
    ASSERT_HOT(++evaluated == 1);
#ifdef ASSERT_HOT_ON
    assert_int_equal(evaluated, 1);
#else
    assert_int_equal(evaluated, 0);
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_written_where_it_is_true),
        cmocka_unit_test(a_false_one_names_its_place_and_ends_the_program),
        cmocka_unit_test(inner_loops_are_checked_in_sanitized_builds),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
