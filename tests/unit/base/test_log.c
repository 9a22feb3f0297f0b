/* base/log: lines as key=value and as JSON. */
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

/* What one event writes, without its time. */
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
        cmocka_unit_test(a_line_that_was_cut_is_still_an_object),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
