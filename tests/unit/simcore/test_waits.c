/* Warps that wait for each other in a cycle, and results that are never used. Both memory paths. */
#include "tests/unit/simcore/hand_source.h"

static struct gpu_design *design[2]; /* reserve path, event path */

static uint32_t add_barrier(struct hand *h, uint32_t threads)
{
    uint32_t bar = hand_add(h, "BAR.SYNC", -1, -1, -1, -1);

    h->insts[bar].has_immediate = true;
    h->insts[bar].immediate = threads;
    return bar;
}

/* Steps 1 and 2: warp 0 arrives at one barrier first, warp 1 at the other. */
static bool in_a_circle(const struct hand *h, uint64_t cta, uint32_t warp, uint32_t step)
{
    (void)h, (void)cta;
    return step == 0 || step > 3 || (warp == 0 ? step < 3 : step != 1);
}

static void a_circle_of_warps_is_reported_with_both(void **state)
{
    (void)state;
    for (int mode = 0; mode < 2; mode++) {
        struct sim_result r;
        struct hand h;

        hand_init(&h, 2, 64);
        hand_add_memory(&h, "LDG.E", 4, 4, 2, -1); /* in flight while they arrive at the barrier */
        add_barrier(&h, 63);
        add_barrier(&h, 64);
        add_barrier(&h, 63);
        hand_add(&h, "EXIT", -1, -1, -1, -1);
        h.runs = in_a_circle;
        hand_run(&h, design[mode], NULL, &r);
        assert_int_equal(r.end, SIM_STALLED);
        assert_non_null(strstr(r.report, "deadlock, no warp can continue: 2 CTAs are resident, 0 have finished"));
        assert_non_null(strstr(r.report, "SM 1, CTA 1 (1,0,0): 2 of 2 warps have not exited"));
        assert_non_null(strstr(r.report, "warp 0 at a barrier for 63 threads: 1 of 2 warps arrived"));
        assert_non_null(strstr(r.report, "warp 1 at a barrier for 64 threads: 1 of 2 warps arrived"));
        assert_null(strstr(r.report, "can still issue"));
        sim_result_release(&r);
    }
}

/* The same without the cycle ends. */
static bool in_a_row(const struct hand *h, uint64_t cta, uint32_t warp, uint32_t step)
{
    (void)h, (void)cta, (void)warp;
    return step != 3;
}

static void the_same_barriers_in_one_order_end(void **state)
{
    (void)state;
    for (int mode = 0; mode < 2; mode++) {
        struct sim_result r;
        struct hand h;

        hand_init(&h, 2, 64);
        hand_add_memory(&h, "LDG.E", 4, 4, 2, -1);
        add_barrier(&h, 63);
        add_barrier(&h, 64);
        add_barrier(&h, 63);
        hand_add(&h, "EXIT", -1, -1, -1, -1);
        h.runs = in_a_row;
        hand_run(&h, design[mode], NULL, &r);
        assert_int_equal(r.end, SIM_DONE);
        assert_int_equal(result_counter(&r, "barriers"), 4);
        sim_result_release(&r);
    }
}

/* --- results that are never used --- */

static void a_line_a_warp(const struct hand *h, uint64_t cta, uint32_t warp, uint32_t step, struct address_set *out)
{
    out->base = 0x7f0000000000 + ((cta * h->warps + warp) * 16 + step) * 128;
    out->stride = 4;
}

static void write_loads(struct hand *h, uint64_t ctas, bool looked_at, bool with_exit)
{
    hand_init(h, ctas, 256);
    h->address = a_line_a_warp;
    for (int i = 0; i < 4; i++)
        hand_add_memory(h, "LDG.E", 4, 8 + i, 2, -1);
    for (int i = 0; i < 4 && looked_at; i++)
        hand_add(h, "FADD", 20, 20, 8 + i, -1);
    if (with_exit)
        hand_add(h, "EXIT", -1, -1, -1, -1);
}

static void a_warp_is_not_over_before_its_loads_are(void **state)
{
    (void)state;
    for (int mode = 0; mode < 2; mode++) {
        for (uint64_t ctas = 1; ctas <= 3000; ctas = ctas * 30 + 300) {
            uint64_t looked, unseen, bare;
            struct hand h;

            write_loads(&h, ctas, true, true);
            looked = hand_cycles(&h, design[mode]);
            write_loads(&h, ctas, false, true);
            unseen = hand_cycles(&h, design[mode]);
            write_loads(&h, ctas, false, false); /* the last load is the warp's last instruction */
            bare = hand_cycles(&h, design[mode]);
            assert_true(unseen > 400); /* one DRAM access */
            assert_in_range(unseen, looked * 0.97 - 20, looked + 1);
            assert_in_range(bare, unseen * 0.99 - 4, unseen * 1.01 + 1);
        }
    }
}

static void both_ways_agree_on_unused_loads(void **state)
{
    uint64_t cycles[2];

    (void)state;
    for (int mode = 0; mode < 2; mode++) {
        struct hand h;

        write_loads(&h, 2000, false, true);
        cycles[mode] = hand_cycles(&h, design[mode]);
    }
    assert_in_range(cycles[1], cycles[0] * 0.99, cycles[0] * 1.01);
}

/* A warp that waits only for its load has not exited. After its exit the barrier is complete. */
static bool warp_1_goes(const struct hand *h, uint64_t cta, uint32_t warp, uint32_t step)
{
    (void)h, (void)cta;
    return warp == 0 || step == 0;
}

static void a_barrier_ends_once_the_others_are_gone(void **state)
{
    (void)state;
    for (int mode = 0; mode < 2; mode++) {
        struct sim_result r;
        struct hand h;

        hand_init(&h, 90, 64);
        h.address = a_line_a_warp;
        hand_add_memory(&h, "LDG.E", 4, 4, 2, -1);
        hand_add(&h, "BAR.SYNC", -1, -1, -1, -1);
        hand_add(&h, "EXIT", -1, -1, -1, -1);
        h.runs = warp_1_goes;
        hand_run(&h, design[mode], NULL, &r);
        assert_int_equal(r.end, SIM_DONE);
        assert_int_equal(result_counter(&r, "ctas"), 90);
        sim_result_release(&r);
    }
}

static int set_up(void **state)
{
    (void)state;
    for (int mode = 0; mode < 2; mode++)
        design[mode] = hand_design("v100", NULL);
    design[1]->model.memory = MEMORY_EVENT;
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    for (int mode = 0; mode < 2; mode++)
        design_free(design[mode]);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_circle_of_warps_is_reported_with_both),
        cmocka_unit_test(the_same_barriers_in_one_order_end),
        cmocka_unit_test(a_warp_is_not_over_before_its_loads_are),
        cmocka_unit_test(both_ways_agree_on_unused_loads),
        cmocka_unit_test(a_barrier_ends_once_the_others_are_gone),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
