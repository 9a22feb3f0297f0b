#include "tests/harness/check.h"

#include "base/text.h"

static void whole_numbers_are_read_whole_or_refused(void **state)
{
    static const char *const bad[] = {"", " 1", "-1", "+1", "1x", "0x10", "18446744073709551616", "1e3", "1.0"};
    uint64_t x;
    struct err e;

    (void)state;
    CHECK_OK(parse_u64("18446744073709551615", "n", &x, &e), &e);
    assert_true(x == UINT64_MAX);
    CHECK_OK(parse_u64("007", "n", &x, &e), &e);
    assert_true(x == 7);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        CHECK_FAILS(parse_u64(bad[i], "n", &x, &e), &e, ERR_USAGE, "n: ");
}

static void decimal_numbers_are_read_whole_or_refused(void **state)
{
    static const char *const bad[] = {"", " 1", "1,5", "nan", "inf", "1e999", "1.5x"};
    double x;
    struct err e;

    (void)state;
    CHECK_OK(parse_double("-1.25e-3", "x", &x, &e), &e);
    CHECK_NEAR(x, -0.00125, 0);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        CHECK_FAILS(parse_double(bad[i], "x", &x, &e), &e, ERR_USAGE, "x: ");
}

static void shares_are_percent_or_fractions(void **state)
{
    static const char *const bad[] = {"", "0", "0%", "1", "100%", "-5%", "5 %", "five", "5%%"};
    double x;
    struct err e;

    (void)state;
    CHECK_OK(parse_share("5%", "error", &x, &e), &e);
    CHECK_NEAR(x, 0.05, 1e-15);
    CHECK_OK(parse_share("0.05", "error", &x, &e), &e);
    CHECK_NEAR(x, 0.05, 0);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        CHECK_FAILS(parse_share(bad[i], "error", &x, &e), &e, ERR_USAGE, "error: ");
}

static void numbers_are_written_short_and_read_back_equal(void **state)
{
    static const double same[] = {0, 1, -1, 1.0 / 3, 1e300, 5e-324, 123456789.123456789, 0.1 + 0.2};
    char text[NUM_TEXT];

    (void)state;
    assert_string_equal(num_format(0.1, text), "0.1");
    assert_string_equal(num_format(NAN, text), "null");
    assert_string_equal(num_format(-INFINITY, text), "null");
    for (size_t i = 0; i < sizeof same / sizeof *same; i++)
        assert_true(strtod(num_format(same[i], text), NULL) == same[i]);
}

static void durations_and_counts_have_three_digits(void **state)
{
    char text[NUM_TEXT];

    (void)state;
    assert_string_equal(format_duration(5.5349, text), "5.53 s");
    assert_string_equal(format_duration(40e-6, text), "40 µs");
    assert_string_equal(format_duration(1.5e-3, text), "1.5 ms");
    assert_string_equal(format_duration(192, text), "3 min 12 s");
    assert_string_equal(format_estimate(0.0973, 0.00371, text), "97.3 ± 3.7 ms");
    assert_string_equal(format_estimate(40.4123, 1.26, text), "40.4 ± 1.3 s");
    assert_string_equal(format_estimate(2.5e-6, 312e-6, text), "2.5 ± 312 µs");
    assert_string_equal(format_estimate(1.5e-3, 0, text), "1.50 ± 0.00 ms");
    assert_false(estimate_says_nothing(2, 1.99));
    assert_true(estimate_says_nothing(2, 2));
    assert_true(estimate_says_nothing(-2, 32));
    assert_false(estimate_says_nothing(0, 0));
    assert_false(estimate_says_nothing(2, NAN));
    assert_false(estimate_says_nothing(NAN, 1));
    assert_string_equal(format_level(0.95, text), "95 %");
    assert_string_equal(format_level(0.9, text), "90 %");
    assert_string_equal(format_level(1 - 0.05 / 2, text), "97.5 %");
    assert_string_equal(format_level(1 - 0.05 / 11, text), "99.55 %");
    assert_string_equal(format_level(0.99999346, text), "99.99935 %");
    assert_string_equal(format_count(9999, text), "9999");
    assert_string_equal(format_count(1243000, text), "1.24 M");
}

static void valid_utf8_ends_at_the_first_bad_byte(void **state)
{
    static const struct {
        const char *bytes;
        size_t valid;
    } rows[] = {{"abc", 3},
                {"a\xc3\xa4", 3},
                {"a\xc3", 1},
                {"\xc0\x80", 0},
                {"\xed\xa0\x80", 0}, /* surrogate */
                {"\xf0\x9f\x98\x80", 4},
                {"\xf4\x90\x80\x80", 0},
                {"a\xff", 1},
                {"\xe2\x82", 0}};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(utf8_valid_prefix(rows[i].bytes, strlen(rows[i].bytes)), rows[i].valid);
}

static void text_is_cut_between_characters_and_mended_where_it_was_not(void **state)
{
    static const struct {
        const char *from, *to;
    } rows[] = {{"", ""},
                {"plain", "plain"},
                {"a\xc3\xa4", "a\xc3\xa4"},
                {"a\xc3", "a"},                 /* truncated at the end */
                {"\xc3) b", ") b"},             /* truncated inside a sentence */
                {"\xf0\x9f\x98 \xe2\x82", " "}, /* three of four bytes, two of three bytes */
                {"a\xff\xc0\x80", "a???"},      /* bytes that occur in no character */
                {"\xed\xa0\x80", "???"}};       /* a complete surrogate, which is not a character */
    static const size_t cuts[] = {0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 10};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char s[16];

        snprintf(s, sizeof s, "%s", rows[i].from);
        utf8_mend(s);
        assert_string_equal(s, rows[i].to);
    }
    for (size_t most = 0; most < sizeof cuts / sizeof *cuts; most++) /* characters of 1, 2, 3 and 4 bytes */
        assert_int_equal(utf8_cut("a\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80", most), cuts[most]);
    assert_int_equal(utf8_cut("a\xff b", 4), 1); /* nothing after the first invalid byte */
}

static void what_cannot_be_printed_becomes_a_question_mark(void **state)
{
    char s[] = "a\x01"
               "b\xff\xc3\xa4\x7f\n";
    char u[] = "x\xc2\x9b"
               "1m\xe2\x80\xae"
               "y\xe2\x81\xa6\xd8\x9c\xc2\xa0";

    (void)state;
    text_sanitize(s);
    assert_string_equal(s, "a?b?\xc3\xa4??");
    text_sanitize((char *)(uintptr_t) "fine"); /* constants must not be modified */
    /* CSI as one character, right-to-left override, isolate and Arabic letter mark are replaced; a no-break space
     * is kept */
    text_sanitize(u);
    assert_string_equal(u, "x?1m?y??\xc2\xa0");
}

static void prefixes_and_suffixes(void **state)
{
    (void)state;
    assert_true(str_is("kernel-1", 6, "kernel") && str_is("", 0, ""));
    assert_false(str_is("kernel-1", 6, "kern") || str_is("kernel-1", 4, "kernel"));
    assert_true(str_starts("kernel-1", "kernel") && !str_starts("ker", "kernel"));
    assert_true(str_ends("a.xz", ".xz") && !str_ends("xz", ".xz") && str_ends("a", ""));
}

static void a_typo_is_answered_with_the_nearest_name(void **state)
{
    static const char *const names[] = {"listen", "http-threads", "wait"};

    (void)state;
    assert_string_equal(text_nearest("lisen", names, 3), "listen");
    assert_string_equal(text_nearest("http-tread", names, 3), "http-threads");
    assert_string_equal(text_nearest("http-t", names, 3), "http-threads"); /* a prefix of it */
    assert_null(text_nearest("completely-else", names, 3));
    assert_int_equal(text_distance("kitten", "sitting"), 3);
    assert_true(text_distance("a", "a-name-of-sixty-four-letters-that-nothing-of-ours-will-ever-have") == SIZE_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_numbers_are_read_whole_or_refused),
        cmocka_unit_test(decimal_numbers_are_read_whole_or_refused),
        cmocka_unit_test(shares_are_percent_or_fractions),
        cmocka_unit_test(numbers_are_written_short_and_read_back_equal),
        cmocka_unit_test(durations_and_counts_have_three_digits),
        cmocka_unit_test(valid_utf8_ends_at_the_first_bad_byte),
        cmocka_unit_test(text_is_cut_between_characters_and_mended_where_it_was_not),
        cmocka_unit_test(what_cannot_be_printed_becomes_a_question_mark),
        cmocka_unit_test(prefixes_and_suffixes),
        cmocka_unit_test(a_typo_is_answered_with_the_nearest_name),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
