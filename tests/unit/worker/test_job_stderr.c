/* worker/job_stderr.h: each job gets its own stderr, even if it is read early or late. */
#include "tests/harness/check.h"

#include <stdlib.h>
#include <string.h>

#include "worker/job_stderr.h"

static struct job_stderr s;

static void add(const char *text)
{
    job_stderr_add(&s, text, strlen(text));
}

static void holds(const char *job, const char *wanted)
{
    char *text = job_stderr_text(&s, job);

    if (wanted) {
        assert_non_null(text);
        assert_string_equal(text, wanted);
    } else {
        assert_null(text);
    }
    free(text);
}

static void each_job_has_its_own(void **state)
{
    (void)state;
    memset(&s, 0, sizeof s);
    holds("a", NULL);
    add("before\n");
    add("\x1e"
        "a\none\n\x1e"
        "b\n\x1e"
        "c\nthree\n");
    holds("a", "one\n");
    holds("b", NULL);
    holds("c", "three\n");
    holds("never begun", "before\n");
}

static void a_mark_may_come_in_pieces(void **state)
{
    (void)state;
    memset(&s, 0, sizeof s);
    add("\x1e");
    add("ab");
    add("c");
    holds("abc", NULL);
    add("\none");
    holds("abc", "one");
    add("\x1e"
        "d\ntwo"); /* the previous line has no line end */
    holds("abc", "one");
    holds("d", "two");
}

static void what_is_no_mark_is_text(void **state)
{
    char text[200];

    (void)state;
    memset(&s, 0, sizeof s);
    memset(text, 'x', sizeof text);
    text[0] = JOB_STDERR_MARK;
    job_stderr_add(&s, text, sizeof text);
    text[0] = '?';
    text[sizeof text - 1] = '\0';
    {
        char *kept = job_stderr_text(&s, "a");

        assert_non_null(kept);
        assert_int_equal(strlen(kept), sizeof text);
        assert_memory_equal(kept, text, sizeof text - 1);
        free(kept);
    }
    for (int i = 0; i < 2 * SIM_PACK_MAX; i++) /* more marks than a pack has jobs: the extra marks are ignored */
        add("\x1e"
            "a\n");
    assert_int_equal(s.part_count, SIM_PACK_MAX);
}

static void of_much_the_last_whole_lines_are_kept(void **state)
{
    char *text;

    (void)state;
    memset(&s, 0, sizeof s);
    add("\x1e"
        "a\n");
    for (int i = 0; i < JOB_STDERR_KEPT / 7 + 100; i++)
        add("a\001line\n");
    add("end");
    text = job_stderr_text(&s, "a");
    assert_non_null(text);
    assert_true(strlen(text) <= JOB_STDERR_KEPT);
    assert_int_equal(text[0], 'a'); /* not in the middle of a line */
    assert_null(strchr(text, '\001'));
    assert_string_equal(text + strlen(text) - 4, "\nend");
    free(text);
    add("\x1e"
        "b\n");
    for (int i = 0; i < JOB_STDERR_KEPT / 5 + 100; i++)
        add("line\n");
    holds("a", NULL); /* all text was dropped */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_job_has_its_own),
        cmocka_unit_test(a_mark_may_come_in_pieces),
        cmocka_unit_test(what_is_no_mark_is_text),
        cmocka_unit_test(of_much_the_last_whole_lines_are_kept),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
