/* CTAs per SM, computed by hand from the limits of each compute capability. */
#include "tests/unit/simcore/hand_source.h"

static void occupancy_by_hand(void **state)
{
    static const struct {
        const char *what, *gpu;
        uint32_t threads, registers, shared, want, carveout_kb;
    } cases[] = {
        {"limited by CTAs", "v100", 32, 16, 0, 32, 0},
        {"limited by warps: 64 / 8", "v100", 256, 32, 0, 8, 0},
        {"a warp of 33 threads is two", "v100", 33, 16, 0, 32, 0},
        {"registers: 16384 / (64 * 32 * 2) a sub-core", "v100", 256, 64, 0, 4, 0},
        {"registers: 65 a thread round up to 2304 a warp", "v100", 256, 65, 0, 3, 0},
        {"a CTA of one warp takes registers of one sub-core: 4 * 16384 / 8192", "v100", 32, 255, 0, 8, 0},
        {"five warps are not rounded up to eight: 4 * 8 / 5", "v100", 160, 64, 0, 6, 0},
        {"a CTA of one warp on 8.6, limited by CTAs", "rtx3080", 4, 34, 16, 16, 32},
        {"shared: 96 KB / 20 KB", "v100", 64, 32, 20 << 10, 4, 96},
        {"shared, but fewer by warps: 2 * 10 KB fit in 32", "v100", 1024, 32, 10 << 10, 2, 32},
        {"the smallest carve-out that holds all", "v100", 1024, 32, 3 << 10, 2, 8},
        {"on 7.5 half the warps", "rtx2080", 256, 32, 0, 4, 32},
        {"on 8.0 the system takes 1 KB a CTA: 164 / 41", "a100", 64, 32, 40 << 10, 4, 164},
        {"on 9.0: 228 / 101", "h100", 128, 32, 100 << 10, 2, 228},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct gpu_design *d = hand_design(cases[i].gpu, NULL);
        struct kernel_info k = {.block = {cases[i].threads, 1, 1},
                                .grid = {1, 1, 1},
                                .registers = cases[i].registers,
                                .shared_bytes = cases[i].shared};
        struct occupancy got;
        struct err e;

        CHECK_OK(occupancy_of(d, &k, &got, &e), &e);
        if (got.ctas != cases[i].want || got.carveout_bytes != cases[i].carveout_kb << 10)
            fail_msg("%s: %u CTAs and %u bytes, want %u and %u KB", cases[i].what, got.ctas, got.carveout_bytes,
                     cases[i].want, cases[i].carveout_kb);
        design_free(d);
    }
}

static void room_beside_other_kernels_counts_their_registers(void **state)
{
    struct gpu_design *d = hand_design("v100", NULL);
    struct kernel_info one = {.block = {32, 1, 1}, .grid = {1, 1, 1}, .registers = 128},
                       five = {.block = {160, 1, 1}, .grid = {1, 1, 1}, .registers = 64};
    struct sm_room used = {0};
    struct occupancy a, b;
    struct err e;

    (void)state;
    CHECK_OK(occupancy_of(d, &one, &a, &e), &e);
    CHECK_OK(occupancy_of(d, &five, &b, &e), &e);
    assert_int_equal(a.ctas, 16); /* warps of 4096 registers */
    for (uint32_t left = 16; left > 0; left--) {
        assert_int_equal(occupancy_room(d, &used, 0, &a), left);
        occupancy_take(&used, &a.cta);
    }
    assert_int_equal(occupancy_room(d, &used, 0, &a), 0);
    assert_int_equal(occupancy_room(d, &used, 0, &b), 0);
    for (uint32_t i = 0; i < 3; i++)
        occupancy_give(&used, &a.cta);
    assert_int_equal(occupancy_room(d, &used, 0, &b), 1); /* 6 warps of 2048 registers are free */
    design_free(d);
}

static void what_does_not_fit_is_refused_with_the_limit(void **state)
{
    static const struct {
        uint32_t block[3], registers, shared;
        const char *says;
    } cases[] = {
        {{1025, 2, 1}, 32, 0, "does not fit into an SM of v100, which holds 64 warps"},
        {{0, 1, 1}, 32, 0, "(0,1,1)"},
        {{65536, 65536, 4294967295u}, 32, 0, "does not fit"},
        {{1024, 1, 1}, 255, 0, "has 65536 registers"},
        {{544, 1, 1}, 100, 0, "has 65536 registers"}, /* 17 warps, checked as 20 */
        {{32, 1, 1}, 32, 97 << 10, "gives a CTA at most 98304"},
        {{32, 1, 1}, 4000000000u, 0, "registers"},
    };
    struct gpu_design *d = hand_design("v100", NULL);

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct kernel_info k = {
            .grid = {1, 1, 1}, .registers = cases[i].registers, .shared_bytes = cases[i].shared};
        struct err e;

        memcpy(k.block, cases[i].block, sizeof k.block);
        CHECK_FAILS(design_fits(d, &k, &e), &e, ERR_INVALID, cases[i].says);
    }
    design_free(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(occupancy_by_hand),
        cmocka_unit_test(room_beside_other_kernels_counts_their_registers),
        cmocka_unit_test(what_does_not_fit_is_refused_with_the_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
