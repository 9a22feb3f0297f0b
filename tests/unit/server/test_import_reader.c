/* server/domain/import/import_reader.h: what the server makes of the output and the end of a process that reads a
 * foreign file. A shell plays that process. */
#include <string.h>

#include "server/domain/import/import_reader.h"
#include "server/platform/config.h"
#include "tests/harness/check.h"

static int reads(const char *script, bool killed_passes, struct strbuf *report, struct err *e)
{
    static const struct server_config config = {.import_memory_bytes = UINT64_C(1) << 30};
    const char *const argv[] = {"/bin/sh", "-c", script, NULL};
    const struct import_reading r = {.report = report, .killed_passes = killed_passes};
    struct farm farm = {.config = &config};

    return import_read_by(&farm, argv, 1 << 20, &r, e);
}

static void fails(const char *script, enum err_code code, const char *text)
{
    struct strbuf report = STRBUF_INIT;
    struct err e = {0};

    assert_int_equal(reads(script, false, &report, &e), -1);
    assert_string_equal(err_name(e.code), err_name(code));
    if (!strstr(e.text, text))
        fail_msg("%s: %s", script, e.text);
    strbuf_release(&report);
}

static void reports_and_errors(void **state)
{
    struct strbuf report = STRBUF_INIT;
    struct err e = {0};

    (void)state;
    CHECK_OK(reads("printf '\\n@p 1 2\\n@r {}\\n'", false, &report, &e), &e);
    assert_string_equal(report.text, "{}");
    strbuf_release(&report);
    fails("printf '@e malformed\\n@t line 3 is no number\\n'; exit 65", ERR_MALFORMED, "line 3 is no number");
    fails("echo it fell; exit 3", ERR_INVALID, "ended with code 3: it fell");
    fails("kill -SEGV $$", ERR_INVALID, "ended by signal 11");
}

/* Texts of errors are UTF-8 without control characters, also where they are cut in a character. */
static void texts_of_the_process_are_not_trusted(void **state)
{
    struct strbuf report = STRBUF_INIT;
    struct err e = {0};

    (void)state;
    assert_int_equal(reads("printf '@e invalid\\n@t a\\377b\\033c\\n@h d\\302\\n'; exit 65", false, &report, &e),
                     -1);
    assert_string_equal(e.text, "a?b?c");
    assert_string_equal(e.hint, "d?");
    assert_int_equal(reads("printf '@e invalid\\n@t %478s\\303\\274\\n' x; exit 65", false, &report, &e), -1);
    assert_int_equal(strlen(e.text), 479);
    assert_string_equal(e.text + 477, "x?");
    strbuf_release(&report);
}

/* Callers try again after errors of the server's own. No file may cause that. */
static void no_file_is_read_again_for_ever(void **state)
{
    struct strbuf report = STRBUF_INIT;
    struct err e = {0};

    (void)state;
    fails("printf '@e busy\\n@t x\\n'; exit 65", ERR_INVALID, "x");
    fails("printf '@e database\\n@t x\\n'; exit 65", ERR_INVALID, "x");
    fails("printf '@e unavailable\\n@t x\\n'; exit 65", ERR_INVALID, "x");
    fails("printf '@e no_memory\\n@t out of memory\\n'; exit 71", ERR_TOO_LARGE, "import-memory");
    assert_int_equal(reads("kill -KILL $$", true, &report, &e), -1);
    assert_int_equal(e.code, ERR_UNAVAILABLE);
    strbuf_release(&report);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reports_and_errors),
        cmocka_unit_test(texts_of_the_process_are_not_trusted),
        cmocka_unit_test(no_file_is_read_again_for_ever),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
