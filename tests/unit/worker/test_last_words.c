/* worker/last_words.c: whose words are whose, though words and ends of jobs come through two pipes. */
#include "tests/harness/check.h"

#include <stdlib.h>
#include <string.h>

#include "worker/last_words.h"

static struct last_words w;

static void says(const char *wanted)
{
    char *text = last_words_text(&w);

    if (wanted)
        assert_non_null(text);
    else
        assert_null(text);
    if (text)
        assert_string_equal(text, wanted);
    free(text);
}

static void each_job_has_its_own(void **state)
{
    (void)state;
    memset(&w, 0, sizeof w);
    says(NULL);
    last_words_add(&w, "one\n", 4);
    says("one\n");
    last_words_next_job(&w, false);
    says(NULL);
    last_words_add(&w, "two\n", 4);
    says("two\n");
}

/* Read late, a crash's words went to the first of three jobs: the one that died finds them behind two silent ones.
 */
static void words_that_came_early_are_found_behind_silent_jobs(void **state)
{
    (void)state;
    memset(&w, 0, sizeof w);
    last_words_add(&w, "about to crash\n", 15);
    for (int i = 0; i < 3; i++)
        last_words_next_job(&w, i > 0);
    says(NULL);
    w.job = w.earlier;
    says("about to crash\n");
}

/* They are perhaps another team's: of jobs that ended one by one, each silent one has none. */
static void words_do_not_go_to_jobs_long_after(void **state)
{
    (void)state;
    memset(&w, 0, sizeof w);
    last_words_add(&w, "a warning\n", 10);
    for (int i = 0; i < 3; i++)
        last_words_next_job(&w, false);
    w.job = w.earlier;
    says(NULL);
}

static void of_many_words_the_last_whole_lines_are_kept(void **state)
{
    char *text;

    (void)state;
    memset(&w, 0, sizeof w);
    for (int i = 0; i < LAST_WORDS_KEPT / 8 + 100; i++)
        last_words_add(&w, "a\001line\n", 7);
    last_words_add(&w, "end", 3);
    text = last_words_text(&w);
    assert_non_null(text);
    assert_true(strlen(text) <= LAST_WORDS_KEPT);
    assert_int_equal(text[0], 'a'); /* not in the middle of a line */
    assert_null(strchr(text, '\001'));
    assert_string_equal(text + strlen(text) - 4, "\nend");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_job_has_its_own),
        cmocka_unit_test(words_that_came_early_are_found_behind_silent_jobs),
        cmocka_unit_test(words_do_not_go_to_jobs_long_after),
        cmocka_unit_test(of_many_words_the_last_whole_lines_are_kept),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
