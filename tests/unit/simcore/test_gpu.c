/* Complete launches: CTAs, shared memory, copies in groups, fences, stalls, limits. */
#include "tests/unit/simcore/hand_source.h"

static struct gpu_design *v100;

/* --- CTA scheduling --- */

static void ctas_run_breadth_first_and_in_waves(void **state)
{
    struct hand h;
    struct sim_result r;

    (void)state;
    /* one NOP each; two CTAs of 1024 threads per SM; 161 CTAs: all except one start at once */
    hand_init(&h, 161, 1024);
    hand_add(&h, "NOP", -1, -1, -1, -1);
    hand_run(&h, v100, NULL, &r);
    assert_int_equal(result_counter(&r, "ctas"), 161);
    assert_int_equal(result_counter(&r, "active_sms"), 80);
    assert_int_equal(result_counter(&r, "resident_ctas_limit"), 2);
    assert_int_equal(result_counter(&r, "warps"), 161 * 32);
    /* The slot of CTA 0 is free at 62. It is filled after the 160 CTAs of the first wave (one per cycle), at 160.
     * Then 299 for the turnaround, 62 until its last warp has started, and one cycle of that warp. */
    assert_int_equal(r.cycles - r.launch_cycles, 160 + 299 + 62 + 1);
    assert_int_equal(r.launch_cycles, v100->kernel_cycles);
    sim_result_release(&r);
}

/* A CTA's slot is freed after its stores have read their registers. */
static void a_store_holds_its_ctas_place_until_it_has_read(void **state)
{
    uint64_t cycles[2];
    struct hand h;

    (void)state;
    for (uint32_t i = 0; i < 2; i++) {
        hand_init(&h, 161, 1024);
        hand_add_memory(&h, "STS", 4, -1, 2, 4);
        cycles[i] = hand_cycles(&h, v100);
        v100->read_store += 1000;
    }
    v100->read_store -= 2000;
    assert_int_equal(cycles[1], cycles[0] + 1000);
}

static bool odd_ctas_only(const struct hand *h, uint64_t cta, uint32_t warp, uint32_t step)
{
    (void)h, (void)warp, (void)step;
    return cta % 2;
}

static void empty_ctas_warps_and_kernels_take_nothing(void **state)
{
    struct hand h;
    struct sim_result r;

    (void)state;
    hand_init(&h, 100000, 64);
    hand_add(&h, "NOP", -1, -1, -1, -1);
    h.runs = odd_ctas_only;
    hand_run(&h, v100, NULL, &r);
    assert_int_equal(result_counter(&r, "ctas"), 50000);
    assert_int_equal(result_counter(&r, "empty_ctas"), 50000);
    sim_result_release(&r);
    hand_init(&h, 1000, 64); /* no instructions */
    hand_run(&h, v100, NULL, &r);
    assert_int_equal(r.end, SIM_DONE);
    assert_int_equal(r.cycles, r.launch_cycles);
    assert_int_equal(r.warp_instructions, 0);
    sim_result_release(&r);
    hand_init(&h, 0, 64); /* no CTAs */
    hand_run(&h, v100, NULL, &r);
    assert_int_equal(r.end, SIM_DONE);
    sim_result_release(&r);
}

static void only_resident_ctas_are_in_memory(void **state)
{
    struct hand h;
    struct sim_result r;
    struct err e;

    (void)state;
    hand_init(&h, 5000, 256);
    hand_add(&h, "NOP", -1, -1, -1, -1);
    CHECK_OK(simulate(v100, &h.base, NULL, &r, &e), &e);
    assert_int_equal(h.most_open, 80 * 8);
    assert_int_equal(h.open_ctas, 0);
    sim_result_release(&r);
    inst_source_release(&h.base);
}

static void a_cta_that_does_not_fit_is_refused(void **state)
{
    struct hand h;
    struct sim_result r;
    struct err e;

    (void)state;
    hand_init(&h, 1, 64);
    h.base.info.shared_bytes = 200 << 10;
    hand_add(&h, "NOP", -1, -1, -1, -1);
    CHECK_FAILS(simulate(v100, &h.base, NULL, &r, &e), &e, ERR_INVALID,
                "204800 bytes of shared memory does not fit");
    inst_source_release(&h.base);
    hand_init(&h, 1, 96);
    h.base.info.block[0] = 32; /* the trace has more warps than the block */
    hand_add(&h, "NOP", -1, -1, -1, -1);
    CHECK_FAILS(simulate(v100, &h.base, NULL, &r, &e), &e, ERR_INVALID,
                "has 3 warps, but a block of this kernel has 1");
    inst_source_release(&h.base);
}

/* --- memory spaces --- */

struct place {
    uint64_t base;
    int64_t stride;
};

static void at_place(const struct hand *h, uint64_t cta, uint32_t warp, uint32_t step, struct address_set *out)
{
    const struct place *p = h->ctx;

    (void)cta, (void)warp;
    out->base = p[step].base;
    out->stride = p[step].stride;
}

static void generic_addresses_find_their_window(void **state)
{
    /* as in recorded traces: local memory below shared memory, both 16 MiB */
    const uint64_t local = 0x7fb055000000, shared = 0x7fb057000000;
    const struct place places[] = {
        {shared + 64, 4}, {shared + (16 << 20) - 128, 4},
        {local + 512, 0}, {shared + (16 << 20), 4},
        {local - 128, 4}, {0x7f0000000000, 4},
    };
    struct hand h;
    struct sim_result r;

    (void)state;
    hand_init(&h, 1, 32);
    h.base.info.shared_base = shared;
    h.base.info.local_base = local;
    h.ctx = places;
    h.address = at_place;
    for (int i = 0; i < 6; i++)
        hand_add_memory(&h, "LD.E", 4, 8 + i, 2, -1);
    hand_run(&h, v100, NULL, &r);
    assert_int_equal(result_counter(&r, "shared_requests"), 2);
    assert_int_equal(result_counter(&r, "local_requests"), 1);
    assert_int_equal(result_counter(&r, "l1_load_requests"), 4);
    sim_result_release(&r);
}

static void local_words_of_neighbours_lie_side_by_side(void **state)
{
    const struct place places[] = {{0xfffdc0, 0}, {0xfffdc0, 0}};
    struct hand h;
    struct sim_result r;

    (void)state;
    hand_init(&h, 1, 32);
    h.ctx = places;
    h.address = at_place;
    hand_add_memory(&h, "STL.64", 8, -1, 2, 4);
    hand_add_memory(&h, "LDL.64", 8, 8, 2, -1);
    hand_run(&h, v100, NULL, &r);
    assert_int_equal(result_counter(&r, "l1_store_sectors"), 8); /* two words of 32 lanes: two lines */
    assert_int_equal(result_counter(&r, "l1_load_sectors"), 8);
    assert_int_equal(result_counter(&r, "l1_load_miss_sectors"), 0); /* the store left the lines in L1 */
    sim_result_release(&r);
}

/* Additional cycles of shared loads with conflicts: each pass occupies the unit for a cycle and delays the
 * result. */
static void shared_conflicts_cost_their_passes(void **state)
{
    static const struct {
        int64_t stride;
        uint32_t passes;
    } cases[] = {{4, 1}, {8, 2}, {32, 8}, {128, 32}, {0, 1}, {132, 1}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct place place = {0, cases[i].stride};
        struct hand h;
        struct sim_result r;

        hand_init(&h, 1, 32);
        h.ctx = &place;
        h.address = at_place;
        hand_add_memory(&h, "LDS.U", 4, 8, 2, -1);
        hand_add(&h, "IADD3", 9, 8, 8, 8); /* waits for the load */
        hand_run(&h, v100, NULL, &r);
        assert_int_equal(result_counter(&r, "shared_passes"), cases[i].passes);
        assert_int_equal(result_counter(&r, "shared_conflicts"), cases[i].passes - 1);
        assert_int_equal(r.cycles - r.launch_cycles, 23 + cases[i].passes - 1 + 1);
        sim_result_release(&r);
    }
}

static void a_wide_result_makes_all_its_registers_wait(void **state)
{
    const struct place places[] = {{0, 16}, {0, 0}};
    struct hand h;
    uint32_t load;

    (void)state;
    hand_init(&h, 1, 32);
    h.ctx = places;
    h.address = at_place;
    load = hand_add_memory(&h, "LDS.U.128", 16, 8, 2, -1);
    h.insts[load].dst_regs = 4;
    hand_add(&h, "IADD3", 20, 11, 20, 20);               /* the last of R8 to R11 */
    assert_int_equal(hand_cycles(&h, v100), 23 + 3 + 1); /* four quarters: four passes */
}

/* --- groups and fences --- */

static void a_wait_is_for_all_but_the_newest_groups(void **state)
{
    static const struct {
        int64_t allowed;
        bool waits;
    } cases[] = {{0, true}, {1, false}};
    uint64_t cycles[2];

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        const struct place places[] = {{0x7f0000000000, 4}, {0, 0}, {0, 0}};
        struct hand h;
        uint32_t wait;

        hand_init(&h, 1, 32);
        h.ctx = places;
        h.address = at_place;
        hand_add_memory(&h, "LDGSTS.E.BYPASS.LTC128B.128", 16, -1, 2, 3);
        hand_add(&h, "LDGDEPBAR", -1, -1, -1, -1);
        wait = hand_add(&h, "DEPBAR.LE", -1, -1, -1, -1);
        h.insts[wait].has_immediate = true;
        h.insts[wait].immediate = cases[i].allowed;
        hand_add(&h, "EXIT", -1, -1, -1, -1);
        cycles[i] = hand_cycles(&h, v100);
    }
    assert_true(cycles[0] > 400); /* a DRAM access */
    assert_true(cycles[1] < 10);  /* the only group may stay open */
}

static void a_fence_waits_for_the_stores_of_its_warp(void **state)
{
    const struct place places[] = {{0x7f0000000000, 4}};
    uint64_t cycles[2];

    (void)state;
    for (uint32_t fence = 0; fence < 2; fence++) {
        struct hand h;

        hand_init(&h, 1, 32);
        h.ctx = places;
        h.address = at_place;
        hand_add_memory(&h, "STG.E.SYS", 4, -1, 2, 4);
        hand_add(&h, fence ? "MEMBAR.SC.GPU" : "NOP", -1, -1, -1, -1);
        for (int i = 0; i < 5; i++)
            hand_add(&h, "FFMA", 4, 4, 4, 4);
        cycles[fence] = hand_cycles(&h, v100);
    }
    /* Without a fence the arithmetic overlaps with the store. */
    assert_in_range(cycles[1] - cycles[0], 10, 18);
}

/* --- deadlocks --- */

static bool half_of_the_warps(const struct hand *h, uint64_t cta, uint32_t warp, uint32_t step)
{
    (void)h, (void)cta;
    return step != 1 || warp == 0;
}

static void an_incomplete_barrier_is_reported(void **state)
{
    struct hand h;
    struct sim_result r;
    uint32_t bar;

    (void)state;
    hand_init(&h, 3, 128);
    hand_add(&h, "NOP", -1, -1, -1, -1);
    bar = hand_add(&h, "BAR.SYNC.DEFER_BLOCKING", -1, -1, -1, -1);
    h.insts[bar].has_immediate = true;
    h.insts[bar].immediate = 64; /* expects two warps; only one arrives */
    hand_add(&h, "EXIT", -1, -1, -1, -1);
    h.runs = half_of_the_warps;
    hand_run(&h, v100, NULL, &r);
    assert_int_equal(r.end, SIM_STALLED);
    assert_non_null(r.report);
    assert_non_null(strstr(r.report, "deadlock, no warp can continue: 3 CTAs are resident, 0 have finished"));
    assert_non_null(strstr(r.report, "SM 1, CTA 1 (1,0,0): 1 of 4 warps have not exited"));
    assert_non_null(strstr(r.report, "warp 0 at a barrier for 64 threads: 1 of 2 warps arrived"));
    sim_result_release(&r);
}

static void a_counted_barrier_lets_its_warps_go(void **state)
{
    struct hand h;
    struct sim_result r;
    uint32_t bar;

    (void)state;
    hand_init(&h, 1, 128);
    bar = hand_add(&h, "BAR.SYNC", -1, -1, -1, -1);
    h.insts[bar].has_immediate = true;
    h.insts[bar].immediate = 64;
    hand_add(&h, "EXIT", -1, -1, -1, -1);
    hand_run(&h, v100, NULL, &r);
    assert_int_equal(r.end, SIM_DONE);
    assert_int_equal(result_counter(&r, "barriers"), 2);
    sim_result_release(&r);
}

static void the_cycle_limit_ends_a_simulation(void **state)
{
    const struct sim_options o = {.limit_cycles = 5000};
    struct hand h;
    struct sim_result r;

    (void)state;
    hand_init(&h, 100000, 64);
    hand_add_memory(&h, "LDG.E", 4, 4, 2, -1);
    hand_add(&h, "IADD3", 4, 4, 4, 4);
    hand_run(&h, v100, &o, &r);
    assert_int_equal(r.end, SIM_CYCLE_LIMIT);
    assert_in_range(r.cycles, 5000, 5100);
    assert_non_null(strstr(r.report, "the cycle limit was reached"));
    sim_result_release(&r);
}

static int stop_soon(void *ctx, uint64_t cycles, uint64_t warp_instructions)
{
    uint64_t *calls = ctx;

    assert_true(cycles > 0 && warp_instructions >= 2000000);
    return ++*calls == 2;
}

static void progress_can_stop_a_simulation(void **state)
{
    uint64_t calls = 0;
    const struct sim_options o = {.progress = stop_soon, .progress_ctx = &calls};
    struct hand h;
    struct sim_result r;
    struct err e;

    (void)state;
    hand_init(&h, 100000, 1024);
    hand_add(&h, "NOP", -1, -1, -1, -1);
    hand_add(&h, "NOP", -1, -1, -1, -1);
    CHECK_FAILS(simulate(v100, &h.base, &o, &r, &e), &e, ERR_SIMULATION, "stopped on request");
    assert_int_equal(calls, 2);
    inst_source_release(&h.base);
}

static void unknown_opcodes_are_classed_and_counted(void **state)
{
    struct hand h;
    struct sim_result r;

    (void)state;
    hand_init(&h, 1, 32);
    hand_add(&h, "UFROB3.X", -1, -1, -1, -1);
    hand_add(&h, "QUUX", 4, 5, 6, -1);
    hand_add(&h, "QUUX", 4, 5, 6, -1);
    hand_add(&h, "", 4, 5, 6, -1);
    hand_add_memory(&h, "LDX.E", 4, 8, 2, -1);
    hand_add_memory(&h, "LDG.E", 4, 9, 2, -1);
    h.insts[5].width = 0;                                /* a load without addresses */
    hand_add(&h, "HGMMA.64x256x16.F32", -1, 24, -1, -1); /* a type without a rate on Volta is still timed */
    hand_add(&h, "DMMA.884", 30, 31, 32, -1);
    hand_add(&h, "MOV", 33, 32, -1, -1);
    hand_add(&h, "EXIT", -1, -1, -1, -1);
    hand_run(&h, v100, NULL, &r);
    assert_int_equal(r.end, SIM_DONE);
    assert_int_equal(result_counter(&r, "unknown_instructions"), 5);
    assert_int_equal(result_counter(&r, "warp_instructions_uniform"), 1);
    assert_int_equal(result_counter(&r, "warp_instructions_load"), 2);
    assert_int_equal(result_counter(&r, "memory_without_addresses"), 1);
    assert_int_equal(result_counter(&r, "untyped_tensor"), 1);
    sim_result_release(&r);
}

static void a_kernel_of_mostly_unknown_opcodes_is_refused(void **state)
{
    struct hand h;
    struct sim_result r;
    struct err e;

    (void)state;
    hand_init(&h, 1, 32);
    hand_add(&h, "EXIT", -1, -1, -1, -1);
    hand_add(&h, "0", -1, -1, -1, -1);
    hand_add(&h, "QUUX", -1, -1, -1, -1);
    CHECK_FAILS(simulate(v100, &h.base, NULL, &r, &e), &e, ERR_UNSUPPORTED,
                "2 of 3 instructions of this kernel have opcodes that the simulator does not know, such as `0`");
    inst_source_release(&h.base);
}

static int set_up(void **state)
{
    (void)state;
    v100 = hand_design("v100", NULL);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    design_free(v100);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ctas_run_breadth_first_and_in_waves),
        cmocka_unit_test(a_store_holds_its_ctas_place_until_it_has_read),
        cmocka_unit_test(empty_ctas_warps_and_kernels_take_nothing),
        cmocka_unit_test(only_resident_ctas_are_in_memory),
        cmocka_unit_test(a_cta_that_does_not_fit_is_refused),
        cmocka_unit_test(generic_addresses_find_their_window),
        cmocka_unit_test(local_words_of_neighbours_lie_side_by_side),
        cmocka_unit_test(shared_conflicts_cost_their_passes),
        cmocka_unit_test(a_wide_result_makes_all_its_registers_wait),
        cmocka_unit_test(a_wait_is_for_all_but_the_newest_groups),
        cmocka_unit_test(a_fence_waits_for_the_stores_of_its_warp),
        cmocka_unit_test(an_incomplete_barrier_is_reported),
        cmocka_unit_test(a_counted_barrier_lets_its_warps_go),
        cmocka_unit_test(the_cycle_limit_ends_a_simulation),
        cmocka_unit_test(progress_can_stop_a_simulation),
        cmocka_unit_test(unknown_opcodes_are_classed_and_counted),
        cmocka_unit_test(a_kernel_of_mostly_unknown_opcodes_is_refused),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
