#include "ingest/decimal.h"

#include "tests/harness/check.h"

static void scales_without_rounding_in_between(void **state)
{
    static const struct {
        const char *text;
        int shift;
        int64_t want;
    } cases[] = {
        {"0", 3, 0},
        {"71", 3, 71000},
        {"1712195495505582.988", 3, INT64_C(1712195495505582988)}, /* 19 digits: more than a double can represent */
        {"4.928", 3, 4928},
        {"4.9284", 3, 4928},
        {"4.9285", 3, 4929},
        {"4.9284999999999999999999999999", 3, 4928},
        {"0.0004", 3, 0},
        {"0.0005", 3, 1},
        {"-0.0005", 3, -1},
        {"-12.5", 0, -13},
        {"1e3", 0, 1000},
        {"1.5e3", 0, 1500},
        {"1.5E-3", 3, 2},
        {"1695835573023613e-6", 9, INT64_C(1695835573023613000)},
        {".5", 1, 5},
        {"5.", 1, 50},
        {"0e999999", 3, 0},
        {"0.000e5000", 3, 0},
        {"1e-5000", 3, 0},
        {"9223372036854775807", 0, INT64_MAX},
        {"0.049", 6, 49000},
        {"1234567890123456", 2, 123456789012345600},
        {"123456789012345678", 0, 123456789012345678},
        {"1234567890123456789", 0, 1234567890123456789},
        {"12345678.87654321", 0, 12345679},
        {"12345678.49999999", 0, 12345678},
        {"1234.56785", 4, 12345679},
        {"0.00000000000000005", 0, 0},
        {"000000000000000000000000000042", 0, 42},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int64_t got = -77;

        if (decimal_scaled(cases[i].text, strlen(cases[i].text), cases[i].shift, &got) < 0 || got != cases[i].want)
            fail_msg("%s x 10^%d: got %lld, want %lld", cases[i].text, cases[i].shift, (long long)got,
                     (long long)cases[i].want);
    }
}

static void refuses_what_is_no_number(void **state)
{
    static const char *const cases[] = {"",
                                        "-",
                                        ".",
                                        "e5",
                                        "1e",
                                        "1e+",
                                        "1,5",
                                        "1234,678",
                                        "123/",
                                        "12:45",
                                        "1234567:",
                                        "/2345678",
                                        "1234.567x",
                                        "1 ",
                                        " 1",
                                        "0x10",
                                        "1.2.3",
                                        "nan",
                                        "inf",
                                        "1-",
                                        "--1",
                                        "1e5x",
                                        "9223372036854775808",
                                        "1e19",
                                        "1e999999999999"};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int64_t got;

        if (decimal_scaled(cases[i], strlen(cases[i]), 0, &got) == 0)
            fail_msg("\"%s\" was read as %lld", cases[i], (long long)got);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scales_without_rounding_in_between),
        cmocka_unit_test(refuses_what_is_no_number),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
