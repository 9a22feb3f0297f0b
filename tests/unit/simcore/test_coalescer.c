/* The coalescer and the shared memory banks: compared with simple implementations on random masks, and by hand. */
#include "base/rng.h"
#include "simcore/sm/coalescer.h"
#include "tests/harness/check.h"

static bool lane_touches(uint64_t address, uint32_t width, uint64_t byte)
{
    return byte >= address && byte < address + width;
}

static void check_against_naive(const uint64_t address[WARP_LANES], uint32_t mask, uint32_t width)
{
    struct coalesced got;
    uint64_t lines[2 * WARP_LANES];
    uint32_t count = 0;

    coalesce(address, mask, width, &got);
    for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
        for (uint32_t k = 0; mask >> lane & 1 && k < width; k++) {
            uint64_t line = (address[lane] + k) / 128;
            uint32_t i = 0;

            while (i < count && lines[i] != line)
                i++;
            if (i == count)
                lines[count++] = line;
            if (!k)
                assert_int_equal(got.line[got.of_lane[lane]], line);
        }
    }
    assert_int_equal(got.count, count);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t sectors = 0, full = 0;

        for (uint32_t s = 0; s < 4; s++) {
            uint32_t touched = 0;

            for (uint32_t b = 0; b < 32; b++) {
                bool any = false;

                for (uint32_t lane = 0; lane < WARP_LANES; lane++)
                    any |= mask >> lane & 1 && lane_touches(address[lane], width, lines[i] * 128 + s * 32 + b);
                touched += any;
            }
            sectors |= (uint32_t)(touched != 0) << s;
            full |= (uint32_t)(touched == 32) << s;
        }
        assert_int_equal(got.line[i], lines[i]);
        assert_int_equal(got.sectors[i], sectors);
        assert_int_equal(got.full[i], full);
    }
}

static void lines_and_sectors_are_exact(void **state)
{
    static const uint32_t widths[] = {1, 2, 4, 8, 16, 32, 128};
    struct rng r;

    (void)state;
    rng_init(&r, 5, 0, RNG_TEST);
    for (uint32_t round = 0; round < 3000; round++) {
        uint32_t mask = rng_u32(&r), width = widths[rng_below(&r, 7)];
        uint64_t address[WARP_LANES], base = rng_below(&r, 1ull << 40), span = 1ull << (6 + rng_below(&r, 12));
        bool dense = rng_below(&r, 3) == 0;

        for (uint32_t lane = 0; lane < WARP_LANES; lane++)
            address[lane] = dense ? base + lane * width : base + rng_below(&r, span);
        check_against_naive(address, mask, width);
    }
}

/* The fast path for contiguous runs gives the same result as the general path. */
static void runs_are_coalesced_alike(void **state)
{
    struct rng r;
    unsigned runs = 0;

    (void)state;
    rng_init(&r, 8, 0, RNG_TEST);
    for (uint32_t round = 0; round < 20000; round++) {
        uint32_t width = 1u << rng_below(&r, 8), lanes = 1 + (uint32_t)rng_below(&r, 32);
        uint32_t mask = (lanes == 32 ? UINT32_MAX : (1u << lanes) - 1) << rng_below(&r, 33 - lanes);
        struct lane_addresses a = {
            .kind = ADDRESS_STRIDE, .base = 0x7f0000000000 + rng_below(&r, 4096), .stride = width};
        uint64_t address[WARP_LANES];
        struct coalesced one, two;

        if (rng_below(&r, 8) == 0)
            mask &= rng_u32(&r);
        if (rng_below(&r, 8))
            a.base -= a.base % width;
        if (!lanes_form_run(&a, mask, width))
            continue;
        runs++;
        lanes_expand(&a, mask, address);
        coalesce(address, mask, width, &one);
        coalesce_run(a.base, mask, width, &two);
        assert_int_equal(one.count, two.count);
        for (uint32_t i = 0; i < one.count; i++) {
            assert_int_equal(one.line[i], two.line[i]);
            assert_int_equal(one.sectors[i], two.sectors[i]);
            assert_int_equal(one.full[i], two.full[i]);
        }
        for (uint32_t left = mask; left; left &= left - 1)
            assert_int_equal(one.of_lane[__builtin_ctz(left)], two.of_lane[__builtin_ctz(left)]);
        if (width <= 16)
            assert_int_equal(bank_passes(address, mask, width), bank_passes_min(mask, width));
    }
    assert_true(runs > 10000);
}

/* The largest number of distinct words in a bank, over the groups of lanes that are served together. */
static uint32_t naive_passes(const uint64_t address[WARP_LANES], uint32_t mask, uint32_t width)
{
    uint32_t words = (width + 3) / 4, together = 32 / words, sum = 0;
    bool by_1 = words == 2 || words == 4, by_2 = by_1;

    for (uint32_t lane = 0; lane < 32; lane++) {
        by_1 = by_1 && (~(mask >> lane & mask >> (lane ^ 1)) & 1 || address[lane] == address[lane ^ 1]);
        by_2 = by_2 && (~(mask >> lane & mask >> (lane ^ 2)) & 1 || address[lane] == address[lane ^ 2]);
    }
    if (by_1 || by_2)
        together *= 2;
    for (uint32_t first = 0; first < 32; first += together) {
        uint32_t most = 0;

        for (uint32_t bank = 0; bank < 32; bank++) {
            uint64_t seen[64];
            uint32_t n = 0;

            for (uint32_t lane = first; lane < first + together; lane++) {
                for (uint32_t k = 0; mask >> lane & 1 && k < words; k++) {
                    uint64_t word = address[lane] / 4 + k;
                    uint32_t i = 0;

                    while (i < n && seen[i] != word)
                        i++;
                    if (word % 32 == bank && i == n)
                        seen[n++] = word;
                }
            }
            most = n > most ? n : most;
        }
        sum += most;
    }
    return sum;
}

static void bank_passes_are_exact(void **state)
{
    static const uint32_t widths[] = {1, 4, 8, 16};
    struct rng r;

    (void)state;
    rng_init(&r, 6, 0, RNG_TEST);
    for (uint32_t round = 0; round < 3000; round++) {
        uint32_t mask = rng_u32(&r) | rng_u32(&r), width = widths[rng_below(&r, 4)];
        uint64_t address[WARP_LANES], span = 1ull << (3 + rng_below(&r, 10));

        for (uint32_t lane = 0; lane < WARP_LANES; lane++)
            address[lane] = rng_below(&r, span) * (width < 4 ? 1 : width);
        for (uint32_t lane = 0, apart = 1 + round / 2 % 2; round % 2 && lane < WARP_LANES; lane++)
            address[lane] = address[lane & ~apart];
        assert_int_equal(bank_passes(address, mask, width), naive_passes(address, mask, width));
        if (width <= BANK_BYTES)
            assert_true(bank_passes(address, mask, width) <= busiest_bank(address, mask));
    }
}

/* The arithmetic result equals the count over lanes, whenever the fast path applies; it applies to all usual
 * patterns. */
static void strided_passes_are_those_of_the_lanes(void **state)
{
    static const uint32_t widths[] = {1, 2, 4, 8, 12, 16, 32, 128};
    uint32_t known = 0;
    struct rng rng;

    (void)state;
    rng_init(&rng, 7, 0, RNG_TEST);
    for (uint32_t i = 0; i < 20000; i++) {
        uint32_t width = widths[rng_below(&rng, 8)], first = (uint32_t)rng_below(&rng, WARP_LANES);
        uint32_t mask = (uint32_t)(((2ull << rng_below(&rng, WARP_LANES - first)) - 1) << first);
        struct lane_addresses a = {.kind = ADDRESS_STRIDE,
                                   .base = rng_below(&rng, 4096) * (rng_below(&rng, 8) ? 4 : 1),
                                   .stride = (int64_t)rng_below(&rng, 600) * (rng_below(&rng, 8) ? 4 : 1)};
        uint64_t address[WARP_LANES];
        uint32_t passes;

        if (!rng_below(&rng, 10))
            mask &= rng_u32(&rng);
        lanes_expand(&a, mask, address);
        passes = bank_passes_strided(&a, mask, width);
        if (passes)
            assert_int_equal(passes, bank_passes(address, mask, width));
        known += passes != 0;
        if (a.base % 4 == 0 && a.stride % 4 == 0 && width <= 4 && mask && !((mask + (mask & -mask)) & mask))
            assert_true(passes);
    }
    assert_true(known > 4000);
}

static void bank_conflicts_by_hand(void **state)
{
    static const struct {
        const char *what;
        uint32_t stride_bytes, width, mask, want, least;
    } cases[] = {
        {"neighbouring words", 4, 4, UINT32_MAX, 1, 1},
        {"one word for all: a broadcast", 0, 4, UINT32_MAX, 1, 1},
        {"every second word", 8, 4, UINT32_MAX, 2, 1},
        {"every 32nd word: one bank", 128, 4, UINT32_MAX, 32, 1},
        {"every 32nd word, half the lanes", 128, 4, 0xffff, 16, 1},
        {"every 33rd word: padded", 132, 4, UINT32_MAX, 1, 1},
        {"every third word", 12, 4, UINT32_MAX, 1, 1},
        {"bytes of eight words", 1, 1, UINT32_MAX, 1, 1},
        {"doubles: two halves", 8, 8, UINT32_MAX, 2, 2},
        {"doubles in one bank pair", 128, 8, UINT32_MAX, 32, 2},
        {"16 bytes a lane: four quarters", 16, 16, UINT32_MAX, 4, 4},
        {"16 bytes a lane, one quarter active", 16, 16, 0xff, 1, 1},
        {"a broadcast of 8 bytes", 0, 8, UINT32_MAX, 1, 2},
        {"a broadcast of 16 bytes", 0, 16, UINT32_MAX, 2, 4},
        {"a broadcast of 32 bytes", 0, 32, UINT32_MAX, 8, 8},
        {"doubles for every second lane: one pass for all", 8, 8, 0x55555555, 2, 1},
        {"nobody", 4, 4, 0, 0, 0},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint64_t address[WARP_LANES];

        for (uint32_t lane = 0; lane < WARP_LANES; lane++)
            address[lane] = 4096 + lane * (uint64_t)cases[i].stride_bytes;
        if (bank_passes(address, cases[i].mask, cases[i].width) != cases[i].want)
            fail_msg("%s: %u passes, want %u", cases[i].what, bank_passes(address, cases[i].mask, cases[i].width),
                     cases[i].want);
        assert_int_equal(bank_passes_min(cases[i].mask, cases[i].width), cases[i].least);
    }
}

static void the_busiest_word_by_hand(void **state)
{
    uint64_t address[WARP_LANES];

    (void)state;
    for (uint32_t lane = 0; lane < WARP_LANES; lane++)
        address[lane] = lane < 20 ? 64 : 4 * lane;
    assert_int_equal(busiest_word(address, UINT32_MAX), 20);
    assert_int_equal(busiest_word(address, 0xfff00001), 1);
    assert_int_equal(busiest_word(address, 0), 0);
    assert_int_equal(busiest_bank(address, UINT32_MAX), 20);
    assert_int_equal(busiest_bank(address, 0xfff00000), 1);
    assert_int_equal(busiest_bank(address, 0), 0);
}

static void strides_expand_from_the_first_active_lane(void **state)
{
    const struct lane_addresses a = {.kind = ADDRESS_STRIDE, .base = 1000, .stride = -8};
    uint64_t address[WARP_LANES];

    (void)state;
    lanes_expand(&a, 0xf0, address);
    assert_int_equal(address[4], 1000);
    assert_int_equal(address[7], 1000 - 24);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_and_sectors_are_exact),
        cmocka_unit_test(runs_are_coalesced_alike),
        cmocka_unit_test(strided_passes_are_those_of_the_lanes),
        cmocka_unit_test(bank_passes_are_exact),
        cmocka_unit_test(bank_conflicts_by_hand),
        cmocka_unit_test(the_busiest_word_by_hand),
        cmocka_unit_test(strides_expand_from_the_first_active_lane),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
