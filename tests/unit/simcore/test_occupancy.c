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
        {"one warp counts as four when registers are dealt out", "v100", 32, 255, 0, 2, 0},
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
        cmocka_unit_test(what_does_not_fit_is_refused_with_the_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
