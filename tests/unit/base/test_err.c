#include "tests/harness/check.h"

#include <errno.h>

static void context_grows_in_front(void **state)
{
    struct err e;

    (void)state;
    assert_int_equal(err_set(&e, ERR_INVALID, "stratum %d: no launches", 3), -1);
    assert_int_equal(err_wrap(&e, "plan %d", 71), -1);
    assert_string_equal(e.text, "plan 71: stratum 3: no launches");
    assert_int_equal(e.code, ERR_INVALID);
}

static void a_hint_survives_wrapping_and_ends_with_the_next_error(void **state)
{
    struct err e;

    (void)state;
    err_set(&e, ERR_IO, "a");
    err_hint(&e, "do %s", "this");
    err_wrap(&e, "b");
    assert_string_equal(e.hint, "do this");
    err_set(&e, ERR_IO, "c");
    assert_string_equal(e.hint, "");
}

static void long_texts_are_cut_between_characters(void **state)
{
    struct err e;
    char text[1001];

    (void)state;
    for (int i = 0; i < 1000; i += 2)
        memcpy(text + i, "\xc3\xa4", 2); /* ä */
    text[1000] = '\0';
    err_set(&e, ERR_INVALID, "x%s", text);
    assert_true(strlen(e.text) < sizeof e.text);
    assert_int_equal(strlen(e.text) % 2, 1); /* x, and complete characters */
    err_wrap(&e, "%s", text);
    assert_int_equal(strlen(e.text) % 2, 0);
}

/* "%.5s" of printf counts bytes, and user input may be invalid UTF-8. */
static void a_name_cut_within_a_sentence_leaves_no_half_character(void **state)
{
    struct err e;

    (void)state;
    err_set(&e, ERR_INVALID, "kernel %.4s) is not %.3s", "a\xc3\xa9\xc3\xa9", "\xe2\x82\xac\xe2\x82\xac");
    assert_string_equal(e.text, "kernel a\xc3\xa9) is not \xe2\x82\xac");
    err_hint(&e, "say %.2s, not k\xff", "\xe2\x82\xac");
    assert_string_equal(e.hint, "say , not k?");
    err_wrap(&e, "%.1s", "\xc3\xa9");
    assert_string_equal(e.text, ": kernel a\xc3\xa9) is not \xe2\x82\xac");
}

static void errno_becomes_a_kind(void **state)
{
    static const struct {
        int errnum;
        enum err_code code;
    } rows[] = {{ENOSPC, ERR_NO_SPACE},  {EDQUOT, ERR_NO_SPACE}, {EFBIG, ERR_NO_SPACE}, {ENOENT, ERR_NOT_FOUND},
                {ENOMEM, ERR_NO_MEMORY}, {EIO, ERR_IO},          {EACCES, ERR_IO}};
    struct err e;

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        err_set_errno(&e, rows[i].errnum, "cannot write %s", "f");
        assert_int_equal(e.code, rows[i].code);
        assert_memory_equal(e.text, "cannot write f: ", 16);
    }
    err_set_errno(&e, EACCES, "the sandbox");
    assert_string_equal(e.hint, "");
    err_set_errno(&e, EACCES, "f.json");
    assert_non_null(strstr(e.hint, "`ls -ld` shows them"));
    err_set_errno(&e, ENOENT, "f");
    assert_string_equal(e.hint, "");
}

static void every_kind_has_a_name_a_status_and_an_exit_code(void **state)
{
    (void)state;
    assert_int_equal(err_exit_code(ERR_NONE), 0);
    assert_int_equal(err_sim_exit_code(ERR_NONE), 0);
    assert_int_equal(err_sim_exit_code(ERR_NO_SPACE), EXIT_TRY_AGAIN);
    assert_int_equal(err_sim_exit_code(ERR_NOT_FOUND), SIM_EXIT_BAD_INPUT);
    for (int c = ERR_NONE + 1; c < ERR_CODE_COUNT; c++) {
        assert_true(err_http_status(c) >= 400 && err_http_status(c) < 600);
        assert_true(err_exit_code(c) >= 64 && err_exit_code(c) < 80);
        assert_true((err_sim_exit_code(c) >= SIM_EXIT_USAGE && err_sim_exit_code(c) <= SIM_EXIT_MEMORY) ||
                    err_sim_exit_code(c) == EXIT_TRY_AGAIN);
        for (int other = c + 1; other < ERR_CODE_COUNT; other++)
            assert_string_not_equal(err_name(c), err_name(other));
    }
    assert_int_equal(err_exit_code(ERR_CODE_COUNT), err_exit_code(ERR_INTERNAL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(context_grows_in_front),
        cmocka_unit_test(a_hint_survives_wrapping_and_ends_with_the_next_error),
        cmocka_unit_test(long_texts_are_cut_between_characters),
        cmocka_unit_test(a_name_cut_within_a_sentence_leaves_no_half_character),
        cmocka_unit_test(errno_becomes_a_kind),
        cmocka_unit_test(every_kind_has_a_name_a_status_and_an_exit_code),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
