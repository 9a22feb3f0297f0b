/* Asynchronous units of an SM: bulk copies, tensor memory products; and the bandwidth of returned data. */
#include "simcore/trace/fields.h"
#include "tests/unit/simcore/hand_source.h"

static void every_lane_its_words(const struct hand *h, uint64_t cta, uint32_t warp, uint32_t step,
                                 struct address_set *out)
{
    (void)cta, (void)warp, (void)step;
    out->base = 0;
    out->stride = h->insts[0].width;
}

/* Clocks per shared load of this number of bytes per lane, with eight warps and many loads in flight. */
static double shared_clocks(const char *gpu, const char *opcode, uint16_t width)
{
    struct gpu_design *d = hand_design(gpu, NULL);
    uint64_t cycles[2];

    for (uint32_t run = 0; run < 2; run++) {
        struct hand h;

        hand_init(&h, 1, 256);
        h.address = every_lane_its_words;
        for (int i = 0; i < 10; i++)
            hand_define(&h, opcode, width, 8 + 4 * i, 2, -1, -1);
        for (uint32_t i = 0; i < 20 + 100 * run; i++)
            hand_step(&h, i % 10, FULL_MASK);
        cycles[run] = hand_cycles(&h, d);
    }
    design_free(d);
    return (double)(cycles[1] - cycles[0]) / (100 * 8);
}

static void shared_memory_has_a_width(void **state)
{
    (void)state;
    /* Turing: 64 bytes per clock; Volta and later chips: 128. On both GeForce chips one instruction per two
     * clocks. */
    CHECK_NEAR(shared_clocks("rtx2080", "LDS.U", 4), 2, 0.01);
    CHECK_NEAR(shared_clocks("rtx2080", "LDS.U.64", 8), 4, 0.01);
    CHECK_NEAR(shared_clocks("rtx2080", "LDS.U.128", 16), 8, 0.01);
    CHECK_NEAR(shared_clocks("rtx3080", "LDS.64", 8), 2, 0.01);
    CHECK_NEAR(shared_clocks("rtx3080", "LDS.128", 16), 4, 0.01);
    CHECK_NEAR(shared_clocks("v100", "LDS.U.128", 16), 4, 0.01);
}

static void a_copy_by_descriptor_is_waited_for_and_counted(void **state)
{
    struct gpu_design *d = hand_design("h100", NULL);
    struct sim_result r;
    struct hand h;

    (void)state;
    hand_init(&h, 1, 32);
    hand_add(&h, "UTMASTG.2D", -1, -1, -1, -1);
    hand_add(&h, "UTMACMDFLUSH", -1, -1, -1, -1);
    hand_add(&h, "DEPBAR.LE", -1, -1, -1, -1);
    hand_add(&h, "NOP", -1, -1, -1, -1);
    hand_run(&h, d, NULL, &r);
    assert_int_equal(r.cycles - r.launch_cycles, d->l2_latency + 1); /* issued at cycle 0 */
    assert_int_equal(result_counter(&r, "bulk_copies"), 1);
    sim_result_release(&r);
    design_free(d);
}

/* Copies 64 lines to global memory. The trace is damaged: such a copy has no barrier. Then a store. */
static void a_damaged_copy(const struct hand *h, uint64_t cta, uint32_t warp, uint32_t step,
                           struct address_set *out)
{
    static const uint64_t field[COPY_FIELDS] = {
        [COPY_LANES] = 1,    [COPY_ROW_BYTES] = 128,       [COPY_ROWS] = COPY_LINES_MAX,
        [COPY_STRIDE] = 128, [COPY_REPORTED_BYTES] = 8192, [COPY_BARRIER] = 1};

    (void)h, (void)cta, (void)warp;
    out->base = 1 << 20;
    out->stride = 4;
    out->is_list = step < 2;
    for (uint32_t k = 0; step < 2 && k < COPY_FIELDS; k++)
        out->lanes[k] = out->base + field[k];
}

static void a_copy_to_memory_that_names_a_barrier_holds_nothing_up(void **state)
{
    static const char *const designs[] = {"h100", "h100:detailed"};

    (void)state;
    for (size_t k = 0; k < 2; k++) {
        struct gpu_design *d;
        struct sim_result r;
        struct hand h;
        struct err e;

        CHECK_OK(design_load(designs[k], &d, &e), &e);
        hand_init(&h, 1, 32);
        h.address = a_damaged_copy;
        hand_define(&h, "UTMASTG.2D", FIELDS_WIDTH, -1, -1, -1, -1);
        hand_step(&h, 0, (1u << COPY_FIELDS) - 1);
        hand_step(&h, 0, (1u << COPY_FIELDS) - 1);
        hand_add_memory(&h, "STG.E", 4, -1, 2, 4);
        hand_run(&h, d, NULL, &r);
        assert_int_equal(r.end, SIM_DONE);
        assert_int_equal(result_counter(&r, "bulk_sectors"), 2 * 4 * COPY_LINES_MAX);
        sim_result_release(&r);
        design_free(d);
    }
}

/* Warp 0 copies 64 lines. Warp 1 starts a little later and makes a chain of dependent loads of other lines. */
static void a_copy_and_loads(const struct hand *h, uint64_t cta, uint32_t warp, uint32_t step,
                             struct address_set *out)
{
    static const uint64_t field[COPY_FIELDS] = {
        [COPY_LANES] = 1, [COPY_ROW_BYTES] = 128, [COPY_ROWS] = COPY_LINES_MAX, [COPY_STRIDE] = 128};

    (void)h, (void)cta;
    out->base = (warp + 1) * (1ull << 24) + step * 8192;
    out->stride = 4;
    out->is_list = warp == 0;
    for (uint32_t k = 0; warp == 0 && k < COPY_FIELDS; k++)
        out->lanes[k] = out->base + field[k];
}

static bool loads_only(const struct hand *h, uint64_t cta, uint32_t warp, uint32_t step)
{
    (void)h, (void)cta;
    return warp == 1 && step >= 1;
}

static bool copy_and_loads(const struct hand *h, uint64_t cta, uint32_t warp, uint32_t step)
{
    (void)h, (void)cta;
    return (warp == 0) == (step < 1);
}

static void loads_do_not_wait_for_what_a_copy_has_yet_to_ask(void **state)
{
    struct gpu_design *d;
    uint64_t cycles[2];
    struct err e;

    (void)state;
    CHECK_OK(design_load("h100:detailed", &d, &e), &e);
    for (uint32_t k = 0; k < 2; k++) {
        struct hand h;

        hand_init(&h, 1, 64);
        h.address = a_copy_and_loads;
        h.runs = k ? copy_and_loads : loads_only;
        hand_define(&h, "UTMALDG.2D", FIELDS_WIDTH, -1, -1, -1, -1);
        hand_step(&h, 0, (1u << COPY_FIELDS) - 1);
        for (uint32_t i = 0; i < 8; i++)
            hand_add(&h, "FADD", 4, 4, 4, -1);
        for (uint32_t i = 0; i < 4; i++)
            hand_add_memory(&h, "LDG.E", 4, 4, 4, -1);
        cycles[k] = hand_cycles(&h, d);
    }
    printf("  loads alone: %llu cycles, beside a copy %llu\n", (unsigned long long)cycles[0],
           (unsigned long long)cycles[1]);
    assert_in_range(cycles[1], cycles[0], cycles[0] + 100);
    design_free(d);
}

static void tensor_memory_is_read_behind_its_products(void **state)
{
    struct gpu_design *d = hand_design("b200", NULL);
    uint32_t product = 128 * 256 * 16 / 4096 + d->tensor_latency;
    struct hand h;

    (void)state;
    hand_init(&h, 1, 32);
    hand_add(&h, "UTCHMMA", -1, -1, -1, -1);
    hand_add(&h, "LDTM.x2", 4, -1, -1, -1);
    hand_add(&h, "FADD", 5, 4, 4, -1);
    assert_int_equal(hand_cycles(&h, d), product + d->unit[CLASS_SHUFFLE].latency + 1);
    hand_init(&h, 1, 32);
    hand_add(&h, "LDTM.x2", 4, -1, -1, -1);
    hand_add(&h, "FADD", 5, 4, 4, -1);
    assert_int_equal(hand_cycles(&h, d), d->unit[CLASS_SHUFFLE].latency + 1);
    design_free(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shared_memory_has_a_width),
        cmocka_unit_test(a_copy_by_descriptor_is_waited_for_and_counted),
        cmocka_unit_test(a_copy_to_memory_that_names_a_barrier_holds_nothing_up),
        cmocka_unit_test(loads_do_not_wait_for_what_a_copy_has_yet_to_ask),
        cmocka_unit_test(tensor_memory_is_read_behind_its_products),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
