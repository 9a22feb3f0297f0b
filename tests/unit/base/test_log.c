/* base/log: lines in the formats key=value and JSON. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "base/log_repeat.h"

/* The log line of one event without its time. */
static const char *written(const char *value)
{
    static char text[8192];
    char quoted[300], *after;
    int ends[2], kept = dup(STDERR_FILENO);
    ssize_t n;

    assert_int_equal(pipe(ends), 0);
    dup2(ends[1], STDERR_FILENO);
    log_warn("import", "an import failed", "import=%d path=%s error=%s", 7, "a\\b",
             log_quote(value, quoted, sizeof quoted));
    dup2(kept, STDERR_FILENO);
    close(kept);
    close(ends[1]);
    n = read(ends[0], text, sizeof text - 1);
    close(ends[0]);
    assert_true(n > 0);
    text[n] = '\0';
    after = strstr(text, "level");
    assert_non_null(after);
    return after;
}

static void text_is_key_and_value(void **state)
{
    (void)state;
    log_set_json(false);
    assert_string_equal(
        written("it \"stopped\""),
        "level=warn in=import msg=\"an import failed\" import=7 path=a\\b error=\"it \\\"stopped\\\"\"\n");
}

/* Everything that `act` logs. */
static const char *all_written(void (*act)(void))
{
    static char text[8192];
    int ends[2], kept = dup(STDERR_FILENO);
    ssize_t n;

    assert_int_equal(pipe(ends), 0);
    dup2(ends[1], STDERR_FILENO);
    act();
    dup2(kept, STDERR_FILENO);
    close(kept);
    close(ends[1]);
    n = read(ends[0], text, sizeof text - 1);
    close(ends[0]);
    assert_true(n >= 0);
    text[n] = '\0';
    return text;
}

static size_t lines_of(const char *text)
{
    size_t n = 0;

    for (; *text; text++)
        n += *text == '\n';
    return n;
}

static void the_same_five_times(void)
{
    for (int i = 0; i < 5; i++) {
        log_warn("db", "the database is away", "attempt=%d", 1);
        log_info("db", "a step of a story", "step=%d", 1);
    }
    log_warn("db", "the database is away", "attempt=%d", 2);
}

static void what_is_said_again_is_counted(void **state)
{
    const char *text = all_written(the_same_five_times);

    (void)state;
    assert_int_equal(lines_of(text), 1 + 5 + 1); /* events with other fields have their own line */
    assert_null(strstr(text, "repeated"));
    text = all_written(log_end);
    assert_int_equal(lines_of(text), 1);
    assert_non_null(strstr(text, "level=warn in=db msg=\"the database is away\" attempt=1 repeated=4\n"));
    assert_int_equal(lines_of(all_written(log_end)), 0);
}

static unsigned last_repeated;
static char last_body[100];

static void keep(const char *body, unsigned repeated)
{
    snprintf(last_body, sizeof last_body, "%s", body);
    last_repeated = repeated;
}

static void a_count_is_said_after_ten_seconds_or_to_make_room(void **state)
{
    const uint64_t s = 1000000;
    char body[20];

    (void)state;
    log_repeat_end(keep);
    last_repeated = 0;
    assert_false(log_repeat("a", 100 * s, keep));
    assert_true(log_repeat("a", 101 * s, keep));
    assert_true(log_repeat("a", 109 * s, keep));
    assert_int_equal(last_repeated, 0);
    assert_false(log_repeat("a", 110 * s, keep)); /* the interval is over: reported again */
    assert_int_equal(last_repeated, 2);
    assert_true(log_repeat("a", 111 * s, keep));
    last_repeated = 0;
    for (int i = 0; i < 8; i++) {
        snprintf(body, sizeof body, "b%d", i);
        assert_false(log_repeat(body, 112 * s, keep));
    }
    assert_int_equal(last_repeated, 1); /* the oldest entry was replaced */
    assert_string_equal(last_body, "a");
    assert_true(log_repeat("b7", 113 * s, keep));
    log_repeat_end(keep);
    assert_string_equal(last_body, "b7");
}

static void json_has_the_same_in_one_object(void **state)
{
    (void)state;
    log_set_json(true);
    assert_string_equal(
        written("it \"stopped\" at C:\\x = 3\n"),
        "level\":\"warn\",\"in\":\"import\",\"msg\":\"an import failed\",\"import\":\"7\",\"path\":\"a\\\\b\","
        "\"error\":\"it \\\"stopped\\\" at C:\\\\x = 3 \"}\n");
    log_set_json(false);
}

static void a_line_that_was_cut_is_still_an_object(void **state)
{
    char *much = malloc(6000), quoted[6100];

    (void)state;
    assert_non_null(much);
    memset(much, 'x', 5999);
    much[5999] = '\0';
    log_set_json(true);
    {
        int ends[2], kept = dup(STDERR_FILENO);
        static char text[8192];
        ssize_t n;

        assert_int_equal(pipe(ends), 0);
        dup2(ends[1], STDERR_FILENO);
        log_warn("import", "much", "error=%s", log_quote(much, quoted, sizeof quoted));
        dup2(kept, STDERR_FILENO);
        close(kept);
        close(ends[1]);
        n = read(ends[0], text, sizeof text - 1);
        close(ends[0]);
        assert_true(n > 4000);
        assert_memory_equal(text + n - 4, "x\"}\n", 4);
    }
    log_set_json(false);
    free(much);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_is_key_and_value),
        cmocka_unit_test(json_has_the_same_in_one_object),
        cmocka_unit_test(what_is_said_again_is_counted),
        cmocka_unit_test(a_count_is_said_after_ten_seconds_or_to_make_room),
        cmocka_unit_test(a_line_that_was_cut_is_still_an_object),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
