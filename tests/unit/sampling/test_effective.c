/* The part of the total that samples may miss completely, computed by hand. */
#include "tests/harness/check.h"

#include "sampling/estimate/effective.h"

/* Three kernels. The first has two sampled strata with 60 and 20 % of the time. The second has 10 % of the time,
 * and two of its eight launches are sampled. The third is a census. */
static void the_kernel_that_can_hide_most(void **state)
{
    static const struct alloc_stratum s[] = {{.population = 600, .n = 30},
                                             {.population = 200, .n = 10},
                                             {.population = 8, .n = 2},
                                             {.population = 4, .n = 4}};
    static const struct even_stratum even[] = {{10, 0}, {10, 0}, {125, 0}, {250, 0}};
    static const size_t group[] = {0, 0, 2, 3};
    struct unseen_kernel k;
    struct err e;

    (void)state;
    CHECK_OK(unseen_in_kernels(s, even, group, 4, 0.95, &k, &e), &e);
    assert_int_equal(k.group, 2); /* n_eff = 1 / (1 / 2 - 1 / 8) */
    CHECK_NEAR(k.share, 1 - pow(0.05, 0.375), 1e-12);
    CHECK_NEAR(k.moves, 0.1 * k.share, 1e-12);
    /* the first kernel: 40 of 800 launches, with equal probability */
    assert_true(0.8 * unseen_share(40 / 0.95, 0.95) < k.moves);
    CHECK_OK(unseen_in_kernels(s + 3, even + 3, group, 1, 0.95, &k, &e), &e);
    assert_true(k.moves == 0 && k.share == 0);
}

/* With replacement a stratum may have more draws than launches. That hides nothing, and it does not make up for
 * another stratum of the kernel: 2 of 20 launches leave unseen what they leave unseen alone, at half the weight. */
static void more_draws_than_launches(void **state)
{
    static const size_t group[] = {0, 0};
    const struct alloc_stratum s[] = {{.population = 20, .n = 2}, {.population = 20, .n = 200}};
    const struct even_stratum even[] = {{1, 0}, {1, 0}};
    struct unseen_kernel k;
    struct err e;

    (void)state;
    CHECK_OK(unseen_in_kernels(s, even, group, 2, 0.95, &k, &e), &e);
    CHECK_NEAR(k.share, unseen_share(4 / (1 / 2.0 - 1 / 20.0), 0.95), 1e-12);
    CHECK_NEAR(k.moves, k.share, 1e-12);
}

/* 40 effective results: with 5 % probability a share of 7.2 % of the accesses is unseen. If all of these missed,
 * they would be more than a fifth of the misses where fewer than 36 % miss. */
static void misses_that_no_result_has(void **state)
{
    double share = unseen_share(40, 0.95);

    (void)state;
    assert_true(part_known(5.01 * share * 1000, 1000, 40, 0, 0.95));
    assert_false(part_known(4.99 * share * 1000, 1000, 40, 0, 0.95));
    assert_false(part_known(0, 1000, 1e6, 0, 0.95));
    assert_true(part_known(0, 1000, INFINITY, 0, 0.95)); /* every launch is simulated */
    /* launches of shapes that no sample has may miss, too: a tenth of the accesses is a fifth of half of them */
    assert_true(part_known(501, 1000, 1e6, 0.1, 0.95));
    assert_false(part_known(499, 1000, 1e6, 0.1, 0.95));
}

/* The one launch of nine that is missing is not known from the other eight. */
static void a_stratum_that_is_nearly_whole(void **state)
{
    static const double y[] = {10, 10, 10, 10, 10, 10, 10, 10, 10};
    struct aux_stratum s = {.population = 9, .n = 8};

    (void)state;
    CHECK_NEAR(effective_results(&s, 1, y), 8, 1e-12);
    s.n = 9;
    assert_true(isinf(effective_results(&s, 1, y)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_kernel_that_can_hide_most),
        cmocka_unit_test(more_draws_than_launches),
        cmocka_unit_test(misses_that_no_result_has),
        cmocka_unit_test(a_stratum_that_is_nearly_whole),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
