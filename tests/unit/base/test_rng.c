#include "tests/harness/check.h"

#include "base/rng.h"

/* Test vectors that the authors publish with the Random123 library (kat_vectors, philox4x32 10). */
static void the_generator_gives_the_published_vectors(void **state)
{
    static const struct {
        uint32_t counter[4], key[2], out[4];
    } rows[] = {
        {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
        {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
         {0xffffffff, 0xffffffff},
         {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
        {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
         {0xa4093822, 0x299f31d0},
         {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint32_t out[4];

        philox4x32_10(rows[i].counter, rows[i].key, out);
        assert_memory_equal(out, rows[i].out, sizeof out);
    }
}

static void equal_seeds_give_equal_draws_and_others_do_not(void **state)
{
    struct rng a, b, other[3];

    (void)state;
    rng_init(&a, 7, 3, RNG_DRAW);
    rng_init(&b, 7, 3, RNG_DRAW);
    rng_init(&other[0], 8, 3, RNG_DRAW);
    rng_init(&other[1], 7, 4, RNG_DRAW);
    rng_init(&other[2], 7, 3, RNG_BOOTSTRAP);
    for (int i = 0; i < 1000; i++) {
        uint64_t x = rng_u64(&a);

        assert_true(x == rng_u64(&b));
        for (int k = 0; k < 3; k++)
            assert_true(x != rng_u64(&other[k]));
    }
}

static void bounded_draws_stay_below_and_reach_all(void **state)
{
    struct rng r;
    unsigned seen[7] = {0};

    (void)state;
    rng_init(&r, 1, 1, RNG_TEST);
    for (int i = 0; i < 70000; i++)
        seen[rng_below(&r, 7)]++;
    for (int i = 0; i < 7; i++) /* five standard deviations */
        assert_true(fabs(seen[i] - 10000.0) < 5 * sqrt(70000 * (1 / 7.0) * (6 / 7.0)));
    assert_true(rng_below(&r, 1) == 0);
    for (int i = 0; i < 1000; i++)
        assert_true(rng_below(&r, (1ull << 63) + 1) <= 1ull << 63);
}

static void unit_and_normal_draws_have_their_moments(void **state)
{
    struct rng r;
    double sum = 0, normal = 0, square = 0;
    const int n = 200000;

    (void)state;
    rng_init(&r, 2, 0, RNG_TEST);
    for (int i = 0; i < n; i++) {
        double u = rng_unit(&r), z = rng_normal(&r);

        assert_true(u >= 0 && u < 1);
        sum += u;
        normal += z;
        square += z * z;
    }
    assert_true(fabs(sum / n - 0.5) < 5 / sqrt(12.0 * n));
    assert_true(fabs(normal / n) < 5 / sqrt(n));
    assert_true(fabs(square / n - 1) < 5 * sqrt(2.0 / n));
}

/* At each place in a block, and for lengths around that of several blocks. */
static void many_draws_are_those_one_by_one(void **state)
{
    uint64_t out[100];

    (void)state;
    for (size_t before = 0; before < 9; before++)
        for (size_t n = 0; n <= sizeof out / sizeof *out; n++) {
            struct rng one, many;

            rng_init(&one, 7, 9, RNG_TEST);
            for (size_t i = 0; i < before; i++)
                rng_u32(&one);
            many = one;
            rng_fill_u64(&many, out, n);
            for (size_t i = 0; i < n; i++)
                assert_int_equal(out[i], rng_u64(&one));
            assert_int_equal(rng_u32(&many), rng_u32(&one));
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_generator_gives_the_published_vectors),
        cmocka_unit_test(equal_seeds_give_equal_draws_and_others_do_not),
        cmocka_unit_test(bounded_draws_stay_below_and_reach_all),
        cmocka_unit_test(many_draws_are_those_one_by_one),
        cmocka_unit_test(unit_and_normal_draws_have_their_moments),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
