/* The issue loop, cycle by cycle. Expected numbers are computed by hand from rates and latencies of the design. */
#include "tests/unit/simcore/hand_source.h"

static struct gpu_design *v100, *h100, *turing;

/* Cycles for `n` more steps of an instruction pattern. Runs it twice, with different lengths. */
static uint64_t extra_cycles(void (*pattern)(struct hand *h, uint32_t i), uint32_t threads, uint32_t n,
                             const struct gpu_design *d)
{
    uint64_t cycles[2];

    for (uint32_t run = 0; run < 2; run++) {
        struct hand h;

        hand_init(&h, 1, threads);
        for (uint32_t i = 0; i < 8; i++)
            pattern(&h, i);
        for (uint32_t i = 0; i < n * run; i++)
            for (uint32_t k = 0; k < 8; k++)
                hand_step(&h, k, FULL_MASK);
        cycles[run] = hand_cycles(&h, d);
    }
    return cycles[1] - cycles[0];
}

static void dependent_ffma(struct hand *h, uint32_t i)
{
    (void)i;
    hand_add(h, "FFMA", 4, 4, 5, 6);
}
static void independent_ffma(struct hand *h, uint32_t i)
{
    hand_add(h, "FFMA", 8 + (int)i, 4, 5, 6);
}
static void dependent_imad(struct hand *h, uint32_t i)
{
    (void)i;
    hand_add(h, "IMAD", 4, 4, 5, 6);
}
static void ffma_and_imad(struct hand *h, uint32_t i)
{
    hand_add(h, i % 2 ? "IMAD" : "FFMA", 8 + (int)i, 4, 5, 6);
}
static void imad_and_iadd(struct hand *h, uint32_t i)
{
    hand_add(h, i % 2 ? "IMAD" : "IADD3", 8 + (int)i, 4, 5, 6);
}
static void dependent_dfma(struct hand *h, uint32_t i)
{
    (void)i;
    hand_add(h, "DFMA", 4, 4, 6, 8);
}
static void independent_dfma(struct hand *h, uint32_t i)
{
    hand_add(h, "DFMA", 16 + 2 * (int)i, 4, 6, 8);
}
static void independent_mufu(struct hand *h, uint32_t i)
{
    hand_add(h, "MUFU.RCP", 16 + (int)i, 4, -1, -1);
}
static void zero_register(struct hand *h, uint32_t i)
{
    (void)i;
    hand_add(h, "IADD3", REG_ZERO, REG_ZERO, REG_ZERO, REG_ZERO);
}
static void compare_and_branch(struct hand *h, uint32_t i)
{
    if (i % 2)
        hand_add(h, "BRA", -1, -1, -1, -1);
    else
        hand_add(h, "ISETP.NE.AND", -1, 4, 5, -1);
}
static void tensor_steps(struct hand *h, uint32_t i)
{
    hand_add(h, "HMMA.1688.F32", 16 + (int)i, 4, 6, 8);
}

static void a_warp_issues_as_its_units_allow(void **state)
{
    const struct {
        const char *what;
        void (*pattern)(struct hand *h, uint32_t i);
        uint32_t threads;
        struct gpu_design *const *design;
        uint64_t want; /* cycles for 8 instructions of each warp */
    } cases[] = {
        {"dependent FFMA: latency 4", dependent_ffma, 32, &v100, 8 * 4},
        {"dependent IMAD: latency 5", dependent_imad, 32, &v100, 8 * 5},
        {"independent FFMA, 16 lanes: every second cycle", independent_ffma, 32, &v100, 8 * 2},
        {"independent FFMA, two pipes of 16 lanes: every cycle", independent_ffma, 32, &h100, 8},
        {"FFMA and IMAD on one pipe: every second cycle", ffma_and_imad, 32, &v100, 8 * 2},
        {"IMAD and IADD3 on two pipes: every cycle", imad_and_iadd, 32, &v100, 8},
        {"IMAD on half of the FP32 lanes, FFMA on the others: every cycle", ffma_and_imad, 32, &h100, 8},
        {"five warps: two sit in one sub-core and fill each other's gaps", dependent_ffma, 160, &v100, 8 * 4},
        {"eight warps, independent: two a sub-core share the pipe", independent_ffma, 256, &v100, 2 * 8 * 2},
        {"dependent DFMA: latency 8", dependent_dfma, 32, &v100, 8 * 8},
        {"independent DFMA, 8 lanes: every fourth cycle", independent_dfma, 32, &v100, 8 * 4},
        {"DFMA of four sub-cores on one shared unit of 2 lanes", independent_dfma, 128, &turing, 4 * 8 * 16},
        {"MUFU, 4 lanes: every eighth cycle", independent_mufu, 32, &v100, 8 * 8},
        {"nothing waits for RZ", zero_register, 32, &v100, 8 * 2},
        {"a branch waits for its predicate (4 + 9), then redirects (10)", compare_and_branch, 32, &v100, 4 * 23},
        {"HMMA 16x8x8 on 64 FMA a clock and sub-core", tensor_steps, 32, &turing, 8 * 16},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint64_t got = extra_cycles(cases[i].pattern, cases[i].threads, 10, *cases[i].design);

        if (got != 10 * cases[i].want)
            fail_msg("%s: %llu cycles for ten rounds, want %llu", cases[i].what, (unsigned long long)got,
                     (unsigned long long)(10 * cases[i].want));
    }
}

static bool sub_core_0_runs_all(const struct hand *h, uint64_t cta, uint32_t warp, uint32_t step)
{
    (void)h, (void)cta;
    return warp % SUB_CORES == 0 || step == 0;
}

/* Three warps of one sub-core with four instructions each, all ready at once. With a greedy policy they end at 4,
 * 8 and 12, with round robin at 10, 11 and 12. The nine other warps take one cycle each, in turn, in their
 * sub-cores. */
static void policies_differ_in_who_goes_first(void **state)
{
    static const struct {
        enum sched_policy policy;
        uint32_t last;
        uint64_t warp_cycles;
    } cases[] = {{SCHED_CGGTY, 0, 24}, {SCHED_GTO, 2, 24}, {SCHED_LRR, 2, 33}};

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        struct gpu_design *d = hand_design("v100", "launch.warp_cycles", 0.0, NULL);
        struct simulator *s;
        struct hand h;
        struct err e;
        struct sim_result r;

        d->scheduler = cases[i].policy;
        s = simulator_new(d, &e);
        hand_init(&h, 1, 12 * 32);
        for (int k = 0; k < 4; k++)
            hand_add(&h, "NOP", -1, -1, -1, -1);
        h.runs = sub_core_0_runs_all;
        CHECK_OK(simulator_run(s, &h.base, NULL, &r, &e), &e);
        check_identities(&r);
        assert_int_equal(s->sms[0].sub[0].last, cases[i].last);
        assert_int_equal(result_counter(&r, "warp_cycles"), cases[i].warp_cycles + 3 * (1 + 2 + 3));
        sim_result_release(&r);
        inst_source_release(&h.base);
        simulator_free(s);
        design_free(d);
    }
}

static void warps_start_one_after_the_other(void **state)
{
    struct hand h;

    (void)state;
    hand_init(&h, 1, 1024);
    hand_add(&h, "NOP", -1, -1, -1, -1);
    /* Warp 31 can issue 62 cycles after the first warp and exits in that cycle. */
    assert_int_equal(hand_cycles(&h, v100), 63);
}

static void an_instruction_without_lanes_only_takes_a_slot(void **state)
{
    struct hand h;
    struct sim_result r;

    (void)state;
    hand_init(&h, 1, 32);
    hand_add_memory(&h, "LDG.E", 4, 8, 2, -1);
    h.steps[0].mask = 0;
    hand_add(&h, "IADD3", 9, 8, 8, 8);
    hand_run(&h, v100, NULL, &r);
    assert_int_equal(r.cycles - r.launch_cycles, 2);
    assert_int_equal(result_counter(&r, "predicated_off"), 1);
    assert_int_equal(result_counter(&r, "l1_load_requests"), 0);
    sim_result_release(&r);
}

static void barrier_waits_for_the_slowest_warp(void **state)
{
    struct hand h;

    (void)state;
    hand_init(&h, 1, 64);
    hand_add(&h, "BAR.SYNC", -1, -1, -1, -1);
    hand_add(&h, "NOP", -1, -1, -1, -1);
    /* Warp 1 arrives at 2. Both continue 20 cycles later, in different sub-cores: the last exit is in cycle 22. */
    assert_int_equal(hand_cycles(&h, v100), 23);
}

static bool only_warp_0_after_first(const struct hand *h, uint64_t cta, uint32_t warp, uint32_t step)
{
    (void)h, (void)cta;
    return warp == 0 || step == 0;
}

static void a_warp_that_exited_counts_as_arrived(void **state)
{
    struct hand h;
    struct sim_result r;

    (void)state;
    hand_init(&h, 1, 128);
    hand_add(&h, "NOP", -1, -1, -1, -1);
    hand_add(&h, "BAR.SYNC", -1, -1, -1, -1);
    hand_add(&h, "EXIT", -1, -1, -1, -1);
    h.runs = only_warp_0_after_first;
    hand_run(&h, v100, NULL, &r);
    assert_int_equal(r.end, SIM_DONE);
    /* Warp 0 waits from cycle 1. Warp 3 exits in cycle 6, so warp 0 continues at 26. */
    assert_int_equal(r.cycles - r.launch_cycles, 27);
    assert_int_equal(result_counter(&r, "barriers_left_by_exit"), 1);
    sim_result_release(&r);
}

static int set_up(void **state)
{
    (void)state;
    v100 = hand_design("v100", NULL);
    h100 = hand_design("h100", NULL);
    turing = hand_design("rtx2080", NULL);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    design_free(v100);
    design_free(h100);
    design_free(turing);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_warp_issues_as_its_units_allow),
        cmocka_unit_test(policies_differ_in_who_goes_first),
        cmocka_unit_test(warps_start_one_after_the_other),
        cmocka_unit_test(an_instruction_without_lanes_only_takes_a_slot),
        cmocka_unit_test(barrier_waits_for_the_slowest_warp),
        cmocka_unit_test(a_warp_that_exited_counts_as_arrived),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
