#include "tests/harness/check.h"

#include "base/array.h"
#include "base/csv_cell.h"
#include "base/strbuf.h"

static void it_is_a_string_before_the_first_addition(void **state)
{
    struct strbuf b = STRBUF_INIT;
    char *s;

    (void)state;
    assert_string_equal(b.text, "");
    s = strbuf_detach(&b);
    assert_string_equal(s, "");
    free(s);
    strbuf_release(&b);
}

static void additions_follow_one_another(void **state)
{
    struct strbuf b = STRBUF_INIT;

    (void)state;
    strbuf_adds(&b, "a");
    strbuf_addc(&b, 'b');
    strbuf_add(&b, "cde", 2);
    strbuf_addf(&b, "%d-%s", 7, "x");
    assert_string_equal(b.text, "abcd7-x");
    assert_int_equal(b.length, 7);
    strbuf_clear(&b);
    assert_string_equal(b.text, "");
    assert_true(b.capacity > 0);
    strbuf_release(&b);
    assert_string_equal(b.text, "");
}

static void it_grows_beyond_any_first_guess(void **state)
{
    struct strbuf b = STRBUF_INIT;

    (void)state;
    for (int i = 0; i < 100000; i++)
        strbuf_addf(&b, "%05d", i);
    assert_false(b.failed);
    assert_int_equal(b.length, 500000);
    assert_memory_equal(b.text + 5 * 54321, "54321", 5);
    strbuf_release(&b);
}

static void a_size_that_overflows_fails_once_and_for_all(void **state)
{
    struct strbuf b = STRBUF_INIT;

    (void)state;
    strbuf_adds(&b, "kept");
    strbuf_add(&b, "", SIZE_MAX - 2);
    assert_true(b.failed);
    strbuf_adds(&b, "x");
    assert_string_equal(b.text, "kept");
    assert_null(strbuf_detach(&b));
}

static void fields_of_a_csv_are_quoted_where_they_must_be(void **state)
{
    static const struct {
        const char *what, *text, *want;
    } cases[] = {
        {"plain text is unchanged", "gemm<4> 'x' ; \t", "gemm<4> 'x' ; \t"},
        {"nothing stays nothing", "", ""},
        {"a comma", "f<1, 2>", "\"f<1, 2>\""},
        {"a quote is doubled", "\"", "\"\"\"\""},
        {"every quote is", "say \"a\"", "\"say \"\"a\"\"\""},
        {"line ends", "a\nb", "\"a\nb\""},
        {"old line ends", "a\rb", "\"a\rb\""},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct strbuf b = STRBUF_INIT;

        strbuf_add_csv(&b, cases[i].text);
        if (strcmp(b.text, cases[i].want) != 0)
            fail_msg("%s: %s instead of %s", cases[i].what, b.text, cases[i].want);
        strbuf_release(&b);
    }
}

static void a_cell_is_no_formula(void **state)
{
    static const char *const cases[][2] = {{"=HYPERLINK(\"x\")", "\"'=HYPERLINK(\"\"x\"\")\""},
                                           {"+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0"},
                                           {"-2+3", "'-2+3"},
                                           {"@SUM(1)", "'@SUM(1)"},
                                           {"\tx", "'\tx"},
                                           {"-", "'-"},
                                           {"-1e", "'-1e"},
                                           {"-1.5e-3", "-1.5e-3"},
                                           {"+7", "+7"},
                                           {"-.5", "-.5"},
                                           {"a=b", "a=b"},
                                           {"", ""}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct strbuf b = STRBUF_INIT;

        strbuf_adds(&b, "");
        csv_add_cell(&b, cases[i][0]);
        if (strcmp(b.text ? b.text : "", cases[i][1]) != 0)
            fail_msg("%s: %s instead of %s", cases[i][0], b.text, cases[i][1]);
        strbuf_release(&b);
    }
}

static void arrays_double_and_refuse_what_overflows(void **state)
{
    void *items = NULL;
    size_t capacity = 0;
    struct err e;

    (void)state;
    CHECK_OK(array_reserve(&items, &capacity, 100, 8, &e), &e);
    assert_true(capacity >= 100);
    CHECK_FAILS(array_reserve(&items, &capacity, SIZE_MAX / 4, 8, &e), &e, ERR_NO_MEMORY, "memory");
    CHECK_FAILS(array_reserve(&items, &capacity, SIZE_MAX, 1, &e), &e, ERR_NO_MEMORY, "memory");
    assert_true(capacity >= 100 && items);
    free(items);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_a_string_before_the_first_addition),
        cmocka_unit_test(additions_follow_one_another),
        cmocka_unit_test(it_grows_beyond_any_first_guess),
        cmocka_unit_test(a_size_that_overflows_fails_once_and_for_all),
        cmocka_unit_test(a_cell_is_no_formula),
        cmocka_unit_test(fields_of_a_csv_are_quoted_where_they_must_be),
        cmocka_unit_test(arrays_double_and_refuse_what_overflows),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
