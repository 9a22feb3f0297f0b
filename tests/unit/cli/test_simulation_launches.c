/* The launch numbers of traces, of which some can be missing. */
#include "cli/simulate/simulation.h"
#include "tests/harness/check.h"

static void check_numbers(struct bundle_kernel *kernels, size_t n, const uint64_t *want)
{
    struct simulation s = {.bundle = {.count = n, .kernels = kernels}};
    struct err e;

    CHECK_OK(simulation_number_launches(&s, &e), &e);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(s.launches[i].launch, want[i]);
    free(s.launches);
}

static void missing_launches_do_not_move_later_contexts(void **state)
{
    /* Three lists of two kernels each. Missing: the second kernel of the first, all of the second. */
    struct bundle_kernel some[] = {{.context = 0, .before = 0, .order = 0},
                                   {.context = 2, .before = 4, .order = 0},
                                   {.context = 2, .before = 4, .order = 1}};
    struct bundle_kernel unlisted[] = {{.context = 0, .order = 0}, {.context = 0, .order = 1}, {.context = 1}};

    (void)state;
    check_numbers(some, 3, (const uint64_t[]){0, 4, 5});
    check_numbers(unlisted, 3, (const uint64_t[]){0, 1, 2});
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(missing_launches_do_not_move_later_contexts)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
