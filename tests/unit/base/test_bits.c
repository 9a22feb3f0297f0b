#include "tests/harness/check.h"

#include "base/bits.h"

static void every_bit_counts_once(void **state)
{
    (void)state;
    assert_int_equal(bits_count(0), 0);
    assert_int_equal(bits_count(UINT32_MAX), 32);
    for (uint32_t a = 0; a < 32; a++)
        for (uint32_t b = 0; b < 32; b++)
            assert_int_equal(bits_count(1u << a | 1u << b), a == b ? 1 : 2);
}

static void runs_of_any_length_count(void **state)
{
    (void)state;
    for (uint32_t from = 0; from < 32; from++)
        for (uint32_t n = 0; from + n < 32; n++)
            assert_int_equal(bits_count(((1u << n) - 1) << from), n);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_bit_counts_once),
        cmocka_unit_test(runs_of_any_length_count),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
