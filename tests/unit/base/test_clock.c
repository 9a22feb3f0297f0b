#include "tests/harness/check.h"

#include "base/clock.h"

static void times_are_written_as_rfc_3339(void **state)
{
    static const struct {
        wall_us at;
        const char *text;
    } rows[] = {
        {0, "1970-01-01T00:00:00.000000Z"},
        {1, "1970-01-01T00:00:00.000001Z"},
        {-1, "1969-12-31T23:59:59.999999Z"},
        {951782400000000, "2000-02-29T00:00:00.000000Z"},
        {4102444799999999, "2099-12-31T23:59:59.999999Z"},
    };
    char text[CLOCK_RFC3339];

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        clock_format(rows[i].at, text);
        assert_string_equal(text, rows[i].text);
    }
}

static void a_manual_clock_moves_only_when_advanced(void **state)
{
    struct clock c;

    (void)state;
    clock_manual_init(&c, 1000);
    assert_true(clock_now(&c) == 1000 && clock_now(&c) == 1000);
    clock_advance(&c, 61000000);
    assert_true(clock_now(&c) == 61001000);
}

static void the_systems_clocks_run_forward(void **state)
{
    uint64_t before = clock_monotonic_us();
    double cpu = clock_cpu_s();
    volatile uint64_t sum = 0;

    (void)state;
    for (uint64_t i = 0; i < 20000000; i++)
        sum = sum + i;
    assert_true(clock_monotonic_us() > before);
    assert_true(clock_cpu_s() > cpu);
    assert_true(clock_now(&clock_system) > 1700000000000000); /* since 2023 */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_are_written_as_rfc_3339),
        cmocka_unit_test(a_manual_clock_moves_only_when_advanced),
        cmocka_unit_test(the_systems_clocks_run_forward),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
