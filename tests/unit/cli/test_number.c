/* cli/output/number.c, cli/output/table.c: printed numbers, checked against values computed by hand. */
#include "cli/cli.h"
#include "cli/output/table.h"
#include "tests/harness/check.h"

#define NS "\xE2\x80\xAF" /* narrow no-break space between groups of digits */

static const struct {
    double value, half_width;
    const char *want;
} seconds[] = {
    {40.4321, 1.2789, "40.4 ± 1.3 s"},
    {0.0012158, 0.0000015, "1.2158 ± 0.0015 ms"},
    {-0.00012304, 0.000000998, "−123.0 ± 1.0 µs"},
    {1234567, 4321, "1" NS "234" NS "600 ± 4300 s"},
    {5.5, 0, "5.50 ± 0.00 s"},
    {12.3, 150, "12 ± 150 s"}, /* the value keeps two digits when the interval is wide */
    {73.2e-6, 5.9e-3, "73 ± 5900 µs"},
    {171e-6, 7.5e-3, "170 ± 7500 µs"},
    {2.546e-6, 1.3e-3, "2.5 ± 1300 µs"},
    {4.66e-6, 35e-3, "4.7 ± 35" NS "000 µs"},
    {9.51e-3, 0.0404, "9.5 ± 40 ms"},
    {0, 12e-9, "0 ± 12 ns"},
    {5.5, NAN, "5.50 s (interval not known)"},
    {NAN, 1, "–"},
};

static void estimates_end_at_the_same_place(void **state)
{
    char text[CLI_NUMBER];

    (void)state;
    for (size_t i = 0; i < sizeof seconds / sizeof *seconds; i++)
        assert_string_equal(cli_estimate_seconds(seconds[i].value, seconds[i].half_width, text), seconds[i].want);
}

static void shares_have_intervals_in_points(void **state)
{
    char text[CLI_NUMBER];

    (void)state;
    assert_string_equal(cli_estimate_metric(0.7123, 0.0061, "share", text), "71.23 % ± 0.61 points");
    assert_string_equal(cli_estimate_metric(1, 0, "share", text), "100 % ± 0 points");
    assert_string_equal(cli_estimate_metric(0.5, NAN, "share", text), "50 % (interval not known)");
    assert_string_equal(cli_estimate_metric(NAN, NAN, "share", text), "–");
    assert_string_equal(cli_estimate_metric(2.353, 0.087, "instructions a cycle", text), "2.353 ± 0.087");
}

static void other_numbers(void **state)
{
    char text[CLI_NUMBER];

    (void)state;
    assert_string_equal(cli_whole(9999, text), "9999");
    assert_string_equal(cli_whole(10000, text), "10" NS "000");
    assert_string_equal(cli_whole(UINT64_MAX, text), "18" NS "446" NS "744" NS "073" NS "709" NS "551" NS "615");
    assert_string_equal(cli_counted(1, "job", NULL, text), "1 job");
    assert_string_equal(cli_counted(0, "job", NULL, text), "0 jobs");
    assert_string_equal(cli_counted(1, "launch", "launches", text), "1 launch");
    assert_string_equal(cli_counted(12000, "launch", "launches", text), "12" NS "000 launches");
    assert_string_equal(cli_number(0.03121, text), "0.0312");
    assert_string_equal(cli_number(-12345.6, text), "−12" NS "346");
    assert_string_equal(cli_number(7, text), "7");
    assert_string_equal(cli_percent(0.00312, text), "0.31 %");
    assert_string_equal(cli_percent(0.00001, text), "< 0.01 %");
    assert_string_equal(cli_percent(0.95, text), "95 %");
    assert_string_equal(cli_percent(0.99, text), "99 %");
    assert_string_equal(cli_percent(0.9975, text), "99.8 %");
    assert_string_equal(cli_percent(0.999, text), "99.9 %");
    assert_string_equal(cli_percent(-0.999, text), "−99.9 %");
    assert_string_equal(cli_percent(0.9999, text), "99.99 %");
    assert_string_equal(cli_percent(0.9999999980268247, text), "> 99.99 %");
    assert_string_equal(cli_percent(-0.99999, text), "< −99.99 %");
    assert_string_equal(cli_percent(1, text), "100 %");
    assert_string_equal(cli_percent(1 - 1e-15, text), "100 %");
    assert_string_equal(cli_percent(NAN, text), "–");
    assert_string_equal(cli_speedup(412.3, text), "412 ×");
    assert_string_equal(cli_bytes(50331648, text), "48 MiB");
    assert_string_equal(cli_bytes(1023 * 1024.0, text), "1023 KiB");
}

static void widths_are_those_of_a_terminal(void **state)
{
    (void)state;
    assert_int_equal(table_width("abc"), 3);
    assert_int_equal(table_width("1.2 µs ± 3"), 10);
    assert_int_equal(table_width("e\xCC\x81"), 1);                /* e and a combining accent */
    assert_int_equal(table_width("\xE6\xBC\xA2\xE5\xAD\x97"), 4); /* two ideographs */
    assert_int_equal(table_width("\xff\xfe"), 2);                 /* invalid UTF-8: each byte has width 1 */
}

static void print(struct table *t, bool csv, char *out, size_t size)
{
    FILE *f = tmpfile();
    struct err e;
    size_t n;

    CHECK_OK(table_print(t, csv, f, &e), &e);
    rewind(f);
    n = fread(out, 1, size - 1, f);
    out[n] = '\0';
    fclose(f);
}

static void tables_align_and_csv_is_exact(void **state)
{
    static const struct table_column columns[] = {{"kernel", "kernel", false, true},
                                                  {"time", "time_s", true, false},
                                                  {NULL, "note", false, false},
                                                  {"unused", NULL, false, false}};
    char out[2000];
    struct table t;

    (void)state;
    table_init(&t, columns, 4);
    table_text(&t, "a, \"b\"");
    table_number(&t, 1.5e-6, "1.50 µs");
    table_text(&t, "x");
    table_text(&t, "-");
    table_text(&t, "long name");
    table_number(&t, NAN, "–");
    table_text(&t, "line\nbreak");
    table_text(&t, "-");
    print(&t, false, out, sizeof out);
    assert_string_equal(out, "kernel        time  unused\n"
                             "a, \"b\"     1.50 µs  -\n"
                             "long name        –  -\n");
    print(&t, true, out, sizeof out);
    assert_string_equal(out, "kernel,time_s,note\r\n"
                             "\"a, \"\"b\"\"\",1.5e-06,x\r\n"
                             "long name,,\"line\nbreak\"\r\n");
    table_release(&t);
}

static void a_long_name_gives_way_in_its_middle(void **state)
{
    static const struct table_column columns[] = {{"kernel", "kernel", false, true}, {"n", "n", true, false}};
    char name[401], out[2000];
    struct table t;

    (void)state;
    memset(name, 'x', 400);
    memcpy(name, "begin", 5);
    memcpy(name + 397, "end", 4);
    table_init(&t, columns, 2);
    table_text(&t, name);
    table_count(&t, 12345);
    print(&t, false, out, sizeof out);
    assert_non_null(strstr(out, "\nbegin"));
    assert_non_null(strstr(out, "\xE2\x80\xA6"));
    assert_non_null(strstr(out, "end  12" NS "345\n"));
    assert_int_equal(table_width(strchr(out, '\n') + 1), 160 + 1); /* the line and its line end */
    print(&t, true, out, sizeof out);
    assert_non_null(strstr(out, name)); /* CSV is never truncated */
    table_release(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(estimates_end_at_the_same_place),
        cmocka_unit_test(shares_have_intervals_in_points),
        cmocka_unit_test(other_numbers),
        cmocka_unit_test(widths_are_those_of_a_terminal),
        cmocka_unit_test(tables_align_and_csv_is_exact),
        cmocka_unit_test(a_long_name_gives_way_in_its_middle),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
