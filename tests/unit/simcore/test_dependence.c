/* The cycle at which a warp's next instruction can issue, at each level of model.dependence. */
#include "tests/unit/simcore/hand_source.h"

enum { NO_BARRIER = 7 };

static struct gpu_design *v100;

static uint32_t bits(uint32_t stall, uint32_t write, uint32_t read, uint32_t wait)
{
    return CONTROL_KNOWN | stall << CONTROL_STALL_SHIFT | 1u << CONTROL_YIELD_SHIFT |
           write << CONTROL_WRITE_BARRIER_SHIFT | read << CONTROL_READ_BARRIER_SHIFT | wait << CONTROL_WAIT_SHIFT;
}

/* Sets control bits on the last added instruction. */
static void with(struct hand *h, uint32_t control)
{
    h->insts[h->base.inst_count - 1].control = control;
}

static uint64_t cycles_at(struct hand *h, enum dependence_level level)
{
    uint64_t cycles;

    v100->model.dependence = level;
    cycles = hand_cycles(h, v100);
    v100->model.dependence = DEPENDENCE_SCOREBOARD;
    return cycles;
}

static void every_lane_its_word(const struct hand *h, uint64_t cta, uint32_t warp, uint32_t step,
                                struct address_set *out)
{
    (void)h, (void)cta, (void)warp, (void)step;
    out->base = 1024;
    out->stride = 4;
}

/* A shared load (23 cycles), an addition that depends on it (4), one that depends on that, and an independent
 * one. */
static void load_and_add(struct hand *h)
{
    hand_init(h, 1, 32);
    h->address = every_lane_its_word;
    hand_add_memory(h, "LDS.U", 4, 4, 2, -1);
    hand_add(h, "IADD3", 5, 4, 4, -1);
    hand_add(h, "IADD3", 6, 5, 5, -1);
    hand_add(h, "FADD", 7, 8, 8, -1);
}

static void levels_wait_for_more_and_more(void **state)
{
    static const struct {
        enum dependence_level level;
        uint64_t want; /* the last of four issues in the cycle before, or the load completes then */
    } cases[] = {
        {DEPENDENCE_NONE, 24},       /* 0, 1, 3 (the pipe accepts one per two cycles), 4; the load at 23 */
        {DEPENDENCE_ONE_LOAD, 27},   /* 0, 23, 25, 26 */
        {DEPENDENCE_SCOREBOARD, 29}, /* 0, 23, 27, 28 */
        {DEPENDENCE_CONTROL, 29},    /* no control bits: the same */
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct hand h;

        load_and_add(&h);
        assert_int_equal(cycles_at(&h, cases[i].level), cases[i].want);
    }
}

static void one_load_waits_for_no_other_load(void **state)
{
    struct hand h;

    (void)state;
    hand_init(&h, 1, 32);
    hand_add(&h, "DADD", 4, 6, 8, -1);
    hand_add(&h, "IADD3", 10, 4, 5, -1);
    assert_int_equal(cycles_at(&h, DEPENDENCE_ONE_LOAD), 2);
    hand_init(&h, 1, 32);
    hand_add(&h, "DADD", 4, 6, 8, -1);
    hand_add(&h, "IADD3", 10, 4, 5, -1);
    assert_int_equal(cycles_at(&h, DEPENDENCE_SCOREBOARD), 9);
}

static void the_stall_count_decides_even_against_the_registers(void **state)
{
    static const uint32_t stalls[] = {1, 2, 4, 6, 15};

    (void)state;
    for (size_t i = 0; i < sizeof stalls / sizeof *stalls; i++) {
        struct hand h;

        hand_init(&h, 1, 32);
        hand_add(&h, "FADD", 4, 4, 4, -1);
        with(&h, bits(stalls[i], NO_BARRIER, NO_BARRIER, 0));
        for (uint32_t k = 0; k < 10; k++)
            hand_step(&h, 0, FULL_MASK);
        /* The pipe accepts one instruction per two cycles, whatever the control bits are. */
        assert_int_equal(cycles_at(&h, DEPENDENCE_CONTROL), 10 * (stalls[i] < 2 ? 2 : stalls[i]) + 1);
    }
}

static void a_write_barrier_holds_until_the_result_is_there(void **state)
{
    struct hand h;

    (void)state;
    load_and_add(&h);
    h.insts[0].control = bits(2, 3, NO_BARRIER, 0);
    h.insts[1].control = bits(1, NO_BARRIER, NO_BARRIER, 1 << 3);
    h.insts[2].control = bits(1, NO_BARRIER, NO_BARRIER, 0);
    h.insts[3].control = bits(1, NO_BARRIER, NO_BARRIER, 0);
    /* 0, 23 (the counter), 25 (the pipe), 26 */
    assert_int_equal(cycles_at(&h, DEPENDENCE_CONTROL), 27);
    /* Another counter is zero: 0, 2 (stall), 4, 5, and 15 after each of two more, after the load's end at 23. */
    load_and_add(&h);
    h.insts[0].control = bits(2, 3, NO_BARRIER, 0);
    for (uint32_t i = 1; i < 4; i++)
        h.insts[i].control = bits(i < 3 ? 1 : 15, NO_BARRIER, NO_BARRIER, 1 << 2);
    hand_add(&h, "FADD", 7, 8, 8, -1);
    with(&h, bits(15, NO_BARRIER, NO_BARRIER, 0));
    hand_add(&h, "FADD", 7, 8, 8, -1);
    with(&h, bits(1, NO_BARRIER, NO_BARRIER, 0));
    assert_int_equal(cycles_at(&h, DEPENDENCE_CONTROL), 5 + 2 * 15 + 1);
}

static void a_barrier_of_an_arithmetic_unit(void **state)
{
    struct hand h;

    (void)state;
    hand_init(&h, 1, 32);
    hand_add(&h, "MUFU.RCP", 4, 4, -1, -1);
    with(&h, bits(1, 0, NO_BARRIER, 0));
    hand_add(&h, "FADD", 5, 4, 4, -1);
    with(&h, bits(1, NO_BARRIER, NO_BARRIER, 1));
    assert_int_equal(cycles_at(&h, DEPENDENCE_CONTROL), 18 + 1);
}

/* An instruction that overwrites a store's data waits until the store has read it: 14, 16 or 20 cycles by width. */
static void a_read_barrier_holds_until_the_registers_are_read(void **state)
{
    static const struct {
        const char *opcode;
        uint16_t width;
        uint64_t want;
    } cases[] = {{"STS", 4, 14}, {"STS.64", 8, 16}, {"STS.128", 16, 20}, {"LDS.U", 4, 11}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bool load = cases[i].opcode[0] == 'L';
        struct hand h;

        hand_init(&h, 1, 32);
        h.address = every_lane_its_word;
        hand_add_memory(&h, cases[i].opcode, cases[i].width, load ? 8 : -1, 2, load ? -1 : 4);
        with(&h, bits(1, NO_BARRIER, 5, 0));
        hand_add(&h, "MOV", 4, -1, -1, -1);
        with(&h, bits(15, NO_BARRIER, NO_BARRIER, 1 << 5));
        hand_add(&h, "MOV", 5, -1, -1, -1); /* after the load has ended */
        with(&h, bits(1, NO_BARRIER, NO_BARRIER, 0));
        assert_int_equal(cycles_at(&h, DEPENDENCE_CONTROL), cases[i].want + 15 + 1);
    }
}

static void a_clear_yield_bit_lets_another_warp_go(void **state)
{
    for (uint32_t yield = 0; yield < 2; yield++) {
        uint32_t control =
            (bits(1, NO_BARRIER, NO_BARRIER, 0) & ~(1u << CONTROL_YIELD_SHIFT)) | (!yield) << CONTROL_YIELD_SHIFT;
        struct hand h;

        (void)state;
        hand_init(&h, 1, 32);
        for (uint32_t i = 0; i < 4; i++) {
            hand_add(&h, "NOP", -1, -1, -1, -1);
            with(&h, control);
        }
        assert_int_equal(cycles_at(&h, DEPENDENCE_CONTROL), yield ? 7 : 4);
    }
}

static void instructions_without_bits_are_counted(void **state)
{
    struct sim_result r;
    struct hand h;

    (void)state;
    load_and_add(&h);
    h.insts[3].control = bits(1, NO_BARRIER, NO_BARRIER, 0);
    v100->model.dependence = DEPENDENCE_CONTROL;
    hand_run(&h, v100, NULL, &r);
    v100->model.dependence = DEPENDENCE_SCOREBOARD;
    /* The last instruction of a warp has no successor. */
    assert_int_equal(result_counter(&r, "control_unknown"), 3);
    sim_result_release(&r);
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

/* --- operands that Accel-Sim 2.0 records --- */

/* The cycles of a chain: each instruction writes register `dst` and reads `src`, both as in trace_inst.other_src.
 */
static uint64_t chain_cycles(struct gpu_design *d, const char *opcode, uint8_t dst, uint8_t src)
{
    struct hand h;

    hand_init(&h, 1, 32);
    for (int i = 0; i < 100; i++) {
        hand_add(&h, opcode, -1, REG_ZERO, -1, -1);
        h.insts[i].other_dst = dst;
        h.insts[i].other_src[0] = src;
    }
    return hand_cycles(&h, d);
}

static void uniform_registers_and_predicates_are_waited_for(void **state)
{
    struct gpu_design *d = hand_design("h100", NULL);
    uint8_t ur4 = 1 + OTHER_UNIFORM + 4, ur5 = ur4 + 1, p2 = 1 + OTHER_PREDICATE + 2;

    (void)state;
    assert_true(chain_cycles(d, "UIADD3", ur4, ur4) >
                chain_cycles(d, "UIADD3", ur4, ur5) + 99u * (d->unit[CLASS_UNIFORM].latency - 4));
    assert_true(chain_cycles(d, "ISETP.NE.AND", p2, p2) > chain_cycles(d, "ISETP.NE.AND", p2, 0));
    design_free(d);
}

/* Two products in a group of their own, then a wait for all but `allowed` of the groups. */
static uint64_t product_cycles(struct gpu_design *d, uint8_t group, int64_t allowed)
{
    struct hand h;

    hand_init(&h, 1, 128);
    for (int i = 0; i < 2; i++) {
        hand_add(&h, "HGMMA.64x256x16.F32.BF16", -1, REG_ZERO, -1, -1);
        h.insts[i].group = group;
    }
    hand_add(&h, "WARPGROUP.DEPBAR.LE", -1, -1, -1, -1);
    h.insts[2].immediate = allowed;
    h.insts[2].has_immediate = true;
    hand_add(&h, "MOV", 4, -1, -1, -1);
    return hand_cycles(&h, d);
}

static void a_wait_for_products_leaves_the_newest_groups_open(void **state)
{
    struct gpu_design *d = hand_design("h100", NULL);
    uint64_t all = product_cycles(d, GROUP_COMMITS, 0);

    (void)state;
    assert_true(product_cycles(d, GROUP_COMMITS, 1) < all);
    assert_true(product_cycles(d, GROUP_COMMITS, 2) < product_cycles(d, GROUP_COMMITS, 1));
    assert_int_equal(product_cycles(d, GROUP_UNKNOWN, 1), all); /* groups are not known: a wait is for all */
    design_free(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(levels_wait_for_more_and_more),
        cmocka_unit_test(one_load_waits_for_no_other_load),
        cmocka_unit_test(the_stall_count_decides_even_against_the_registers),
        cmocka_unit_test(a_write_barrier_holds_until_the_result_is_there),
        cmocka_unit_test(a_barrier_of_an_arithmetic_unit),
        cmocka_unit_test(a_read_barrier_holds_until_the_registers_are_read),
        cmocka_unit_test(a_clear_yield_bit_lets_another_warp_go),
        cmocka_unit_test(uniform_registers_and_predicates_are_waited_for),
        cmocka_unit_test(a_wait_for_products_leaves_the_newest_groups_open),
        cmocka_unit_test(instructions_without_bits_are_counted),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
