/* Memory of the simulated GPU: addresses, gaps, zeros, lookups and errors. */
#include <stdbool.h>
#include <stdint.h>

#include "ptx/memory/device_memory.h"
#include "tests/harness/check.h"

static struct device_memory *memory(uint64_t limit)
{
    struct err e;
    struct device_memory *m = device_memory_new(limit, &e);

    if (!m)
        fail_msg("%s", e.text);
    return m;
}

static uint64_t allocate(struct device_memory *m, uint64_t bytes, uint32_t align, const char *label)
{
    uint64_t address = 0;
    struct err e;

    CHECK_OK(device_alloc(m, bytes, align, label, &address, &e), &e);
    return address;
}

/* The same calls give the same addresses, even if the host has mapped the preferred range already. */
static void addresses_do_not_depend_on_the_host(void **state)
{
    struct device_memory *a = memory(1 << 20), *b = memory(1 << 20);
    (void)state;

    for (int i = 0; i < 5; i++) {
        uint64_t x = allocate(a, 100 + 300 * (uint64_t)i, 0, "x");

        assert_true(x == allocate(b, 100 + 300 * (uint64_t)i, 0, "x"));
        assert_true(x >= PTX_GLOBAL_BASE && x % 256 == 0);
        memset(device_bytes(a, x, 100), 1, 100);
        assert_int_equal(*(uint8_t *)device_bytes(b, x, 100), 0);
        assert_true((uint8_t *)device_bytes(b, x, 1) == (uint8_t *)(uintptr_t)x + device_shift(b));
    }
    assert_true(device_shift(a) != device_shift(b));
    device_memory_free(a);
    device_memory_free(b);
}

static void only_what_lies_in_one_allocation_is_found(void **state)
{
    struct device_memory *m = memory(1 << 20);
    uint64_t x = allocate(m, 1000, 0, "x"), y = allocate(m, 24, 4096, "y");
    size_t n;
    (void)state;

    assert_true(y % 4096 == 0);
    assert_non_null(device_bytes(m, x, 1000));
    assert_non_null(device_bytes(m, x + 999, 1));
    assert_non_null(device_bytes(m, x + 1000, 0));
    assert_null(device_bytes(m, x, 1001));
    assert_null(device_bytes(m, x + 1000, 1));
    assert_null(device_bytes(m, x - 1, 2));
    assert_null(device_bytes(m, x + 4, UINT64_MAX - 2));
    assert_null(device_bytes(m, 0, 1));
    assert_null(device_bytes(m, x, y - x + 1)); /* from one allocation into the next */
    assert_string_equal(device_find(m, x + 5000)->label, "y");
    assert_string_equal(device_find(m, y - 1)->label, "x");
    assert_null(device_find(m, x - 1));
    assert_string_equal(device_allocations(m, &n)[1]->label, "y");
    assert_int_equal(n, 2);
    device_memory_free(m);
}

static void what_is_freed_stays_known_and_comes_back_as_zeros(void **state)
{
    struct device_memory *m = memory(1 << 20);
    uint64_t x = allocate(m, 10000, 0, "x"), again;
    uint32_t generation = device_generation(m);
    struct err e;
    size_t n;
    (void)state;

    memset(device_bytes(m, x, 10000), 0x5a, 10000);
    CHECK_OK(device_release(m, x, &e), &e);
    assert_true(device_generation(m) != generation);
    assert_null(device_bytes(m, x, 1));
    assert_true(device_find(m, x)->freed);
    device_allocations(m, &n);
    assert_int_equal(n, 0);
    again = allocate(m, 10000, 0, "y");
    assert_true(again != x); /* freed memory is not reused at once */
    for (int i = 0; i < 10000; i++)
        assert_int_equal(((uint8_t *)device_bytes(m, again, 10000))[i], 0);
    CHECK_FAILS(device_release(m, x, &e), &e, ERR_INVALID, "second time");
    CHECK_FAILS(device_release(m, again + 256, &e), &e, ERR_INVALID, "no allocation begins there");
    device_memory_free(m);
}

static void the_limit_holds_and_says_what_is_in_use(void **state)
{
    struct device_memory *m = memory(4096);
    uint64_t x = allocate(m, 4000, 0, "x"), y;
    struct err e;
    (void)state;

    CHECK_FAILS(device_alloc(m, 1, 0, "y", &y, &e), &e, ERR_NO_SPACE, "4096 of 4096 bytes");
    CHECK_FAILS(device_alloc(m, UINT64_MAX, 0, "y", &y, &e), &e, ERR_NO_SPACE, "do not fit");
    CHECK_FAILS(device_alloc(m, 1, 8192, "y", &y, &e), &e, ERR_INVALID, "8192");
    CHECK_FAILS(device_alloc(m, 1, 768, "y", &y, &e), &e, ERR_INVALID, "a power of two");
    CHECK_OK(device_release(m, x, &e), &e);
    allocate(m, 4096, 0, "z");
    device_memory_free(m);
    assert_null(device_memory_new(UINT64_MAX, &e));
    assert_non_null(strstr(e.text, "more than the address range"));
}

/* Allocation continues after all addresses have been used once. Reused memory is zero. */
static void addresses_are_used_again_when_the_range_is_used_up(void **state)
{
    const uint64_t big = 3ull << 30;
    struct device_memory *m = memory(4ull << 30);
    uint64_t small = allocate(m, 8192, 0, "small"), first = 0, seen = 0;
    struct err e;
    (void)state;

    for (int i = 0; i < 60; i++) { /* 180 GiB of addresses */
        uint64_t x = allocate(m, big, 0, "big");
        uint8_t *b = device_bytes(m, x, big);

        assert_non_null(b);
        assert_int_equal(b[0] | b[big - 1] | b[big / 2], 0);
        b[0] = b[big - 1] = b[big / 2] = 7;
        first = i == 0 ? x : first;
        seen += x == first;
        assert_string_equal(device_find(m, x)->label, "big");
        assert_false(device_find(m, x)->freed);
        CHECK_OK(device_release(m, x, &e), &e);
    }
    assert_true(seen > 1);
    assert_non_null(device_bytes(m, small, 8192));
    device_memory_free(m);
}

/* Many small allocations, freed in another order, compared with a simple list of live ones. */
static void many_live_and_freed_ranges_are_reported_apart(void **state)
{
    enum { N = 6000 };
    static uint64_t at[N];
    static bool live[N];
    struct device_memory *m = memory(64 << 20);
    uint64_t random = 1;
    struct err e;
    (void)state;

    for (int i = 0; i < N; i++) {
        at[i] = allocate(m, 64 + (uint64_t)i % 700, 0, "a");
        live[i] = true;
    }
    for (int i = 0; i < 2 * N; i++) {
        size_t k;

        random = random * 6364136223846793005ull + 1442695040888963407ull;
        k = (random >> 33) % N;
        if (live[k])
            CHECK_OK(device_release(m, at[k], &e), &e);
        live[k] = false;
    }
    for (size_t i = 0; i < N; i++) {
        uint64_t bytes = 64 + (uint64_t)i % 700;

        assert_true((device_bytes(m, at[i], bytes) != NULL) == live[i]);
        assert_null(device_bytes(m, at[i], bytes + 1));
    }
    device_memory_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(addresses_do_not_depend_on_the_host),
        cmocka_unit_test(only_what_lies_in_one_allocation_is_found),
        cmocka_unit_test(what_is_freed_stays_known_and_comes_back_as_zeros),
        cmocka_unit_test(the_limit_holds_and_says_what_is_in_use),
        cmocka_unit_test(addresses_are_used_again_when_the_range_is_used_up),
        cmocka_unit_test(many_live_and_freed_ranges_are_reported_apart),
    };
    return cmocka_run_group_tests_name("the GPU's memory", tests, NULL, NULL);
}
