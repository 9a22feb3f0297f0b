/* Instruction caches and the ports of the register file, cycle by cycle. */
#include "simcore/sm/fetch.h"
#include "tests/unit/simcore/hand_source.h"

static struct gpu_design *v100, *turing;

enum { L2 = 215, L1 = 30 }; /* of V100 */

/* --- instruction caches --- */

static void open_caches(struct fetch *f)
{
    struct err e;

    v100->model.fetch = FETCH_CACHED;
    CHECK_OK(fetch_init(f, v100, &e), &e);
    v100->model.fetch = FETCH_IDEAL;
    fetch_begin(f);
}

static void a_line_comes_from_l2_then_is_there(void **state)
{
    struct counters c = {0};
    struct fetch f;

    (void)state;
    open_caches(&f);
    assert_int_equal(fetch_line(&f, v100, 0, 10, 100, &c), 100 + L2);
    assert_int_equal(fetch_line(&f, v100, 0, 10, 400, &c), 400);
    /* L1 has it now and another sub-core requests it. L1's line of 256 bytes holds lines 9 and 10. */
    assert_int_equal(fetch_line(&f, v100, 1, 10, 400, &c), 400 + L1);
    assert_int_equal(c.fetch_l0_misses, 2);
    fetch_release(&f);
}

static void code_behind_a_miss_is_fetched_ahead(void **state)
{
    struct counters c = {0};
    struct fetch f;

    (void)state;
    open_caches(&f);
    assert_int_equal(fetch_line(&f, v100, 0, 11, 0, &c), L2);
    /* The instruction buffer requests when the line has arrived: line 12 came with it, line 13 comes from L2 as
     * the second request. */
    assert_int_equal(fetch_line(&f, v100, 0, 12, L2 + 16, &c), L2 + L1);
    assert_int_equal(fetch_line(&f, v100, 0, 13, L2 + 48, &c), L2 + 2 + L2);
    for (uint32_t i = 14; i < 61; i++)
        assert_int_equal(fetch_line(&f, v100, 0, i, 2000 + i * 100, &c), 2000 + i * 100);
    assert_int_equal(c.fetch_l0_misses, 1);
    assert_int_equal(c.fetch_l0_prefetched, 49);
    /* A jump elsewhere starts again. */
    assert_int_equal(fetch_line(&f, v100, 0, 1000, 10000, &c), 10000 + L2);
    assert_int_equal(fetch_line(&f, v100, 0, 500, 20000, &c), 20000 + L2);
    fetch_release(&f);
}

static void caches_hold_what_fits(void **state)
{
    uint32_t l0_lines = v100->fetch_l0_bytes / 128, l1_lines = v100->fetch_l1_bytes / 128;
    struct counters c = {0};
    struct fetch f;

    (void)state;
    open_caches(&f);
    for (uint32_t lap = 0; lap < 2; lap++)
        for (uint32_t i = 0; i < l0_lines; i++)
            assert_true(fetch_line(&f, v100, 0, 1 + i, 10000 * (lap + 1) + 500 * i, &c) >= 10000 || lap == 0);
    assert_int_equal(c.fetch_l0_misses + c.fetch_l0_prefetched, l0_lines); /* in the second lap all lines hit */
    memset(&c, 0, sizeof c);
    for (uint32_t lap = 0; lap < 2; lap++)
        for (uint32_t i = 0; i < l1_lines - v100->fetch_stream; i++)
            (void)fetch_line(&f, v100, 1, 1 + i, 10000000 * (lap + 1) + 500 * i, &c);
    /* Each line of L1 was requested once from L2, except those that sub-core 0 had fetched. */
    assert_true(c.fetch_l1_misses <= l1_lines / 2);
    assert_true(c.fetch_l0_misses + c.fetch_l0_prefetched > l1_lines); /* L0 is too small for all lines */
    fetch_release(&f);
}

static void time_moves_on(void **state)
{
    struct counters c = {0};
    struct fetch f;

    (void)state;
    open_caches(&f);
    (void)fetch_line(&f, v100, 0, 10, 1000, &c);
    fetch_rebase(&f, 900);
    assert_int_equal(fetch_line(&f, v100, 0, 10, 150, &c), 100 + L2);
    assert_int_equal(fetch_line(&f, v100, 0, 12, 150, &c), 100 + L2 + L2);
    fetch_release(&f);
}

/* Straight code of one warp: 64 instructions in 8 lines. */
static void a_kernel_waits_for_its_code(void **state)
{
    struct sim_result r;
    struct hand h;

    (void)state;
    hand_init(&h, 1, 32);
    for (uint32_t i = 0; i < 64; i++)
        hand_add(&h, "NOP", -1, -1, -1, -1);
    v100->model.fetch = FETCH_CACHED;
    hand_run(&h, v100, NULL, &r);
    v100->model.fetch = FETCH_IDEAL;
    /* Line 1 at 215, line 2 at 245, line 3 at 432 (215 + 2 + 215). Then one line per 8 cycles until line 8, which
     * was requested 12 cycles after line 2. */
    assert_int_equal(r.cycles - r.launch_cycles, L2 + 2 + L2 + 6 * 8);
    assert_int_equal(result_counter(&r, "slots_fetch"), L2 + (L2 + L1 - (L2 + 8)) + (2 * L2 + 2 - (L2 + L1 + 8)));
    assert_int_equal(result_counter(&r, "fetch_l0_misses"), 1);
    assert_int_equal(result_counter(&r, "fetch_l0_prefetched"), 7);
    sim_result_release(&r);
}

/* --- ports of the register file --- */

/* Clocks per FFMA in a long independent sequence of one warp. */
static double ffma_clocks(const struct gpu_design *d, int a, int b, int c, uint32_t reuse)
{
    uint64_t cycles[2];

    for (uint32_t run = 0; run < 2; run++) {
        struct hand h;

        hand_init(&h, 1, 32);
        for (int i = 0; i < 8; i++) {
            hand_add(&h, "FFMA", 200 + 2 * i, a + 8 * i, b + 8 * i, c < 0 ? -c : c + 8 * i);
            h.insts[i].control = CONTROL_KNOWN | 1u << CONTROL_STALL_SHIFT | 1u << CONTROL_YIELD_SHIFT |
                                 7u << CONTROL_WRITE_BARRIER_SHIFT | 7u << CONTROL_READ_BARRIER_SHIFT |
                                 reuse << CONTROL_REUSE_SHIFT;
        }
        for (uint32_t i = 0; i < 10 + 100 * run; i++)
            for (uint32_t k = 0; k < 8; k++)
                hand_step(&h, k, FULL_MASK);
        cycles[run] = hand_cycles(&h, d);
    }
    return (double)(cycles[1] - cycles[0]) / 800;
}

static void three_sources_in_one_bank_take_three_cycles(void **state)
{
    /* one FFMA per cycle, so that port conflicts are visible */
    struct gpu_design *h100 = hand_design("h100", NULL);

    (void)state;
    h100->model.dependence = DEPENDENCE_CONTROL;
    CHECK_NEAR(ffma_clocks(h100, 2, 4, 6, 0), 1, 0.001); /* ideal */
    h100->model.regfile = REGFILE_BANKED;
    CHECK_NEAR(ffma_clocks(h100, 2, 4, 6, 0), 3, 0.001); /* all registers even */
    CHECK_NEAR(ffma_clocks(h100, 2, 4, 7, 0), 2, 0.001); /* two registers even */
    /* R198 always in the third slot, and kept in the reuse cache */
    CHECK_NEAR(ffma_clocks(h100, 2, 4, -198, 4), 2, 0.001);
    CHECK_NEAR(ffma_clocks(h100, 2, 4, -198, 0), 3, 0.001); /* not kept in the reuse cache */
    design_free(h100);
}

static void reads_of_turing_hide_behind_its_pipe(void **state)
{
    (void)state;
    turing->model.dependence = DEPENDENCE_CONTROL;
    turing->model.regfile = REGFILE_BANKED;
    CHECK_NEAR(ffma_clocks(turing, 2, 4, 7, 0), 2, 0.001); /* one FFMA per two cycles anyway */
    CHECK_NEAR(ffma_clocks(turing, 2, 4, 6, 0), 3, 0.001);
}

static void waiting_for_ports_has_its_reason(void **state)
{
    struct sim_result r;
    struct hand h;

    (void)state;
    hand_init(&h, 1, 32);
    for (int i = 0; i < 4; i++)
        hand_add(&h, "FFMA", 101 + 2 * i, 2 + 8 * i, 4 + 8 * i, 6 + 8 * i);
    turing->model.regfile = REGFILE_BANKED;
    hand_run(&h, turing, NULL, &r);
    assert_int_equal(r.cycles - r.launch_cycles, 3 * 3 + 1);
    assert_int_equal(result_counter(&r, "slots_registers"), 6);
    assert_int_equal(result_counter(&r, "slots_unit"), 0); /* a gap is attributed to the reason that ends it */
    sim_result_release(&r);
}

static int set_up(void **state)
{
    (void)state;
    v100 = hand_design("v100", NULL);
    turing = hand_design("rtx2080", NULL);
    assert_int_equal(v100->l2_latency, L2);
    assert_int_equal(v100->fetch_l1_latency, L1);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    design_free(v100);
    design_free(turing);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_comes_from_l2_then_is_there),
        cmocka_unit_test(code_behind_a_miss_is_fetched_ahead),
        cmocka_unit_test(caches_hold_what_fits),
        cmocka_unit_test(time_moves_on),
        cmocka_unit_test(a_kernel_waits_for_its_code),
        cmocka_unit_test(three_sources_in_one_bank_take_three_cycles),
        cmocka_unit_test(reads_of_turing_hide_behind_its_pipe),
        cmocka_unit_test(waiting_for_ports_has_its_reason),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
