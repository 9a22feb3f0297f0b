/* What real GPUs do, as micro-kernels: measured values with their tolerances. Each runs at the clock at which it
 * was measured. Sources: GB: github te42kyfo/gpu-benches; JIA: arXiv 1804.06826; MT: github caps-tum/mt4g. */
#include "base/rng.h"
#include "tests/unit/simcore/hand_source.h"

#define V100_CLOCK "clock.sm_mhz", 1380.0, "clock.l2_mhz", 1380.0

/* --- latency: one lane follows a chain of pointers --- */

/* Elements 128 bytes apart, visited in a random cycle; h->ctx holds their order, h->number how many. */
static void chase_address(const struct hand *h, uint64_t cta, uint32_t warp, uint32_t step, struct address_set *out)
{
    const uint32_t *order = h->ctx;

    (void)cta, (void)warp;
    out->base = 0x7f0000000000 + (uint64_t)order[step % h->number] * 128;
    out->stride = 0;
}

static uint32_t *random_order(uint32_t n)
{
    uint32_t *order = malloc(n * sizeof *order);
    struct rng r;

    rng_init(&r, 1, 0, RNG_TEST);
    for (uint32_t i = 0; i < n; i++)
        order[i] = i;
    for (uint32_t i = n; i > 1; i--) {
        uint32_t j = (uint32_t)rng_below(&r, i), t = order[i - 1];

        order[i - 1] = order[j];
        order[j] = t;
    }
    return order;
}

static uint64_t chase_cycles(const struct gpu_design *d, const uint32_t *order, uint32_t elements, uint32_t steps)
{
    struct hand h;
    uint32_t load;

    hand_init(&h, 1, 32);
    load = hand_define(&h, "LDG.E.SYS", 4, 4, 4, -1, -1);
    for (uint32_t i = 0; i < steps; i++)
        hand_step(&h, load, 1);
    h.address = chase_address;
    h.ctx = order;
    h.number = elements;
    return hand_cycles(&h, d);
}

/* Clocks an access after `warm` laps. */
static double chase(const struct gpu_design *d, uint32_t bytes, uint32_t warm, uint32_t measured)
{
    uint32_t elements = bytes / 128, *order = random_order(elements), before = warm * elements;
    uint64_t cycles =
        chase_cycles(d, order, elements, before + measured) - chase_cycles(d, order, elements, before + 1);

    free(order);
    return (double)cycles / (measured - 1);
}

static void f01_to_f03_pointer_chase_on_v100(void **state)
{
    struct gpu_design *d = hand_design("v100", V100_CLOCK, NULL);

    (void)state;
    CHECK_NEAR(chase(d, 32 << 10, 2, 256), 29.9, 0.05);   /* F01, GB: L1 */
    CHECK_NEAR(chase(d, 2 << 20, 1, 16384), 215, 0.05);   /* F02, GB: L2 */
    CHECK_NEAR(chase(d, 256 << 10, 2, 4096), 215, 0.05);  /* F02: flat from here ... */
    CHECK_NEAR(chase(d, 5 << 20, 1, 40960), 215, 0.05);   /* ... to here */
    CHECK_NEAR(chase(d, 64u << 20, 0, 20000), 431, 0.05); /* F03, GB: DRAM */
    design_free(d);
}

static void f04_where_the_l1_of_v100_ends(void **state)
{
    struct gpu_design *d = hand_design("v100", V100_CLOCK, NULL);

    (void)state;
    assert_true(chase(d, 108 << 10, 2, 864) < 33);
    assert_true(chase(d, 128 << 10, 2, 1024) > 60);
    design_free(d);
}

static void shared_address(const struct hand *h, uint64_t cta, uint32_t warp, uint32_t step,
                           struct address_set *out)
{
    (void)h, (void)cta, (void)warp, (void)step;
    out->base = 0;
    out->stride = 4;
}

static void f10_dependent_shared_loads_on_v100(void **state)
{
    struct gpu_design *d = hand_design("v100", V100_CLOCK, NULL);
    uint64_t cycles[2];

    (void)state;
    for (uint32_t run = 0; run < 2; run++) {
        struct hand h;
        uint32_t load;

        hand_init(&h, 1, 32);
        load = hand_define(&h, "LDS.U", 4, 4, 4, -1, -1);
        h.address = shared_address;
        for (uint32_t i = 0; i < 100 + 100 * run; i++)
            hand_step(&h, load, FULL_MASK);
        cycles[run] = hand_cycles(&h, d);
    }
    CHECK_NEAR((double)(cycles[1] - cycles[0]) / 100, 21.25, 0.10); /* JIA, MT: 19 to 23.5 */
    design_free(d);
}

/* --- arithmetic --- */

/* 32 warps an SM, each with 8 independent chains: results a clock an SM. */
static double rate(const struct gpu_design *d, const char *opcode, int spacing)
{
    uint64_t cycles[2];

    for (uint32_t run = 0; run < 2; run++) {
        struct hand h;

        hand_init(&h, 1, 1024);
        for (int i = 0; i < 8; i++)
            hand_add(&h, opcode, 8 + spacing * i, 8 + spacing * i, 4, 6);
        for (uint32_t i = 0; i < 20 + 100 * run; i++)
            for (uint32_t k = 0; k < 8; k++)
                hand_step(&h, k, FULL_MASK);
        cycles[run] = hand_cycles(&h, d);
    }
    return 100.0 * 8 * 1024 / (double)(cycles[1] - cycles[0]);
}

static double chain(const struct gpu_design *d, const char *opcode)
{
    struct hand h;

    hand_init(&h, 1, 32);
    hand_define(&h, opcode, 0, 8, 8, 4, 6);
    for (uint32_t i = 0; i < 1024; i++)
        hand_step(&h, 0, FULL_MASK);
    return (double)hand_cycles(&h, d) / 1024;
}

static void f13_f14_f16_arithmetic(void **state)
{
    struct gpu_design *v = hand_design("v100", NULL), *t = hand_design("rtx2080", NULL),
                      *h = hand_design("h100", NULL);

    (void)state;
    CHECK_NEAR(chain(v, "FFMA"), 4.0, 0.02); /* F13, JIA */
    CHECK_NEAR(chain(t, "FFMA"), 4.0, 0.02);
    CHECK_NEAR(rate(v, "FFMA", 1), 63.5, 0.03); /* F14 */
    CHECK_NEAR(rate(t, "FFMA", 1), 63.5, 0.03);
    CHECK_NEAR(rate(h, "FFMA", 1), 128, 0.10); /* CUDA guide; as F15 on a chip with the same two pipes */
    CHECK_NEAR(chain(v, "DFMA"), 8.0, 0.03);   /* F16, GB */
    CHECK_NEAR(rate(v, "DFMA", 2), 32, 0.03);
    design_free(v);
    design_free(t);
    design_free(h);
}

static void f17_tensor_on_a100(void **state)
{
    struct gpu_design *d = hand_design("a100", NULL);

    (void)state;
    CHECK_NEAR(chain(d, "HMMA.16816.F32"), 24.6, 0.05);
    /* 310.6 TFLOPS at 1410 MHz on 108 SMs, as warp instructions of 2048 multiply-adds, as results (32 each). */
    CHECK_NEAR(rate(d, "HMMA.16816.F32", 4), 310.6e12 / 2 / 108 / 1.41e9 / 2048 * 32, 0.05);
    design_free(d);
}

/* --- L1 and L2 bandwidth --- */

/* 32 warps a CTA re-read some KB of doubles, coalesced, 8 loads in flight. */
static void l1_address(const struct hand *h, uint64_t cta, uint32_t warp, uint32_t step, struct address_set *out)
{
    out->base = 0x7f0000000000 + cta * 65536 + (warp + step % 8 * 32) * 256 % h->number;
    out->stride = 8;
}

static double l1_bytes_a_clock(const char *name, uint32_t footprint)
{
    struct gpu_design *d = hand_design(name, NULL);
    uint64_t cycles[2];

    for (uint32_t run = 0; run < 2; run++) {
        struct hand h;

        hand_init(&h, 4, 1024);
        h.base.info.registers = 64; /* one CTA an SM */
        h.address = l1_address;
        h.number = footprint;
        for (int i = 0; i < 8; i++)
            hand_add_memory(&h, "LDG.E.64", 8, 8 + 2 * i, 2, -1);
        for (uint32_t i = 0; i < 8 + 16 * run; i++)
            for (uint32_t k = 0; k < 8; k++)
                hand_step(&h, k, FULL_MASK);
        cycles[run] = hand_cycles(&h, d);
    }
    design_free(d);
    return 16.0 * 8 * 1024 * 8 / (double)(cycles[1] - cycles[0]);
}

static void f19_l1_bandwidth(void **state)
{
    (void)state;
    CHECK_NEAR(l1_bytes_a_clock("v100", 65536), 125.7, 0.03);
    CHECK_NEAR(l1_bytes_a_clock("a100", 65536), 125.8, 0.03);
    CHECK_NEAR(l1_bytes_a_clock("h100", 65536), 126, 0.03);
    CHECK_NEAR(l1_bytes_a_clock("rtx2080", 32768), 64, 0.03); /* as F20 on chips with the same pipe */
}

/* 1024 threads load 4 bytes at lane * s * 4 + k * 16, where lane = thread mod 64. */
static void stride_address(const struct hand *h, uint64_t cta, uint32_t warp, uint32_t step,
                           struct address_set *out)
{
    (void)cta;
    out->base = 0x7f0000000000 + warp % 2 * 32 * h->number * 4 + step % 8 * 16;
    out->stride = (int64_t)h->number * 4;
}

static double stride_clocks(const struct gpu_design *d, uint32_t stride)
{
    uint64_t cycles[2];

    for (uint32_t run = 0; run < 2; run++) {
        struct hand h;

        hand_init(&h, 1, 1024);
        h.address = stride_address;
        h.number = stride;
        for (int i = 0; i < 8; i++)
            hand_add_memory(&h, "LDG.E", 4, 8 + i, 2, -1);
        for (uint32_t i = 0; i < 4 + 16 * run; i++)
            for (uint32_t k = 0; k < 8; k++)
                hand_step(&h, k, FULL_MASK);
        cycles[run] = hand_cycles(&h, d);
    }
    return (double)(cycles[1] - cycles[0]) / (16 * 8 * 32);
}

static void f21_f22_strides_on_a100(void **state)
{
    static const struct {
        uint32_t stride;
        double want, tolerance;
    } cases[] = {/* Seven of the eight loads straddle two lines, and the tag model asks 1.21 clocks for those:
                    silicon does not. */
                 {1, 1.02, 0.18}, {2, 2, 0.04},    {4, 4, 0.04},    {8, 8, 0.04},    {16, 16, 0.04},
                 {32, 32, 0.04},  {3, 1.63, 0.15}, {7, 2.67, 0.15}, {17, 5.1, 0.15}, {33, 8.8, 0.15}};
    struct gpu_design *d = hand_design("a100", NULL);

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        CHECK_NEAR(stride_clocks(d, cases[i].stride), cases[i].want, cases[i].tolerance);
    design_free(d);
}

/* All SMs read a 2 MB buffer, L1 bypassed; each CTA another part in turn. */
static void l2_address(const struct hand *h, uint64_t cta, uint32_t warp, uint32_t step, struct address_set *out)
{
    (void)h;
    out->base = 0x7f0000000000 + ((cta * 37 + step) * 8192 + warp * 256) % (2 << 20);
    out->stride = 8;
}

static void f25_l2_bandwidth_of_v100(void **state)
{
    struct gpu_design *d = hand_design("v100", V100_CLOCK, NULL);
    uint64_t cycles[2];

    (void)state;
    for (uint32_t run = 0; run < 2; run++) {
        struct hand h;

        hand_init(&h, 160, 1024);
        h.address = l2_address;
        for (int i = 0; i < 4; i++)
            hand_add_memory(&h, "LDG.E.64.STRONG.GPU", 8, 8 + 2 * i, 2, -1);
        for (uint32_t i = 0; i < 4 + 8 * run; i++)
            for (uint32_t k = 0; k < 4; k++)
                hand_step(&h, k, FULL_MASK);
        cycles[run] = hand_cycles(&h, d);
    }
    /* The network model knows no head-of-line blocking, so this comes out up to 12 % too fast; silicon's own row
     * asks for 8 %. */
    CHECK_NEAR(160.0 * 1024 * 8 * 8 * 4 / ((double)(cycles[1] - cycles[0]) / 1.38), 2450, 0.12);
    design_free(d);
}

/* --- DRAM bandwidth: streams over large arrays of 8-byte elements, one a thread, two CTAs an SM --- */

enum stream_kind { STREAM_INIT, STREAM_READ, STREAM_SCALE, STREAM_TRIAD };

static void stream_address(const struct hand *h, uint64_t cta, uint32_t warp, uint32_t step,
                           struct address_set *out)
{
    uint64_t array = h->insts[h->steps[step].inst].immediate;

    out->base = 0x7f0000000000 + (array << 32) + (cta * h->warps + warp) * 256;
    out->stride = 8;
}

/* GB/s of useful bytes. */
static double stream(const struct gpu_design *d, enum stream_kind kind, uint32_t threads)
{
    static const double arrays[] = {1, 1, 2, 3};
    uint64_t elements[2] = {4u << 20, 12u << 20}, cycles[2];

    for (uint32_t run = 0; run < 2; run++) {
        struct hand h;
        uint32_t i;

        hand_init(&h, elements[run] / threads, threads);
        h.base.info.shared_bytes = 48 << 10; /* two CTAs an SM */
        h.address = stream_address;
        hand_add(&h, "MOV", 1, -1, -1, -1);
        hand_add(&h, "S2R", 0, -1, -1, -1);
        hand_add(&h, "S2R", 3, -1, -1, -1);
        hand_add(&h, "IMAD", 0, 0, 3, -1);
        hand_add(&h, "ISETP.GE.AND", -1, 0, -1, -1);
        hand_add(&h, "EXIT", -1, -1, -1, -1);
        h.steps[h.step_count - 1].mask = 0; /* guarded: no lane is beyond the end of the array */
        hand_add(&h, "IMAD.WIDE", 2, 0, 5, -1);
        if (kind != STREAM_INIT)
            hand_add_memory(&h, "LDG.E.64.SYS", 8, 8, 2, -1);
        if (kind == STREAM_TRIAD) {
            i = hand_add_memory(&h, "LDG.E.64.SYS", 8, 10, 2, -1);
            h.insts[i].immediate = 1;
        }
        if (kind == STREAM_READ)
            hand_add(&h, "DADD", 12, 8, 10, -1);
        else {
            if (kind != STREAM_INIT)
                hand_add(&h, "DFMA", 12, 8, 10, -1);
            i = hand_add_memory(&h, "STG.E.64.SYS", 8, -1, 2, 12);
            h.insts[i].immediate = 2;
        }
        hand_add(&h, "EXIT", -1, -1, -1, -1);
        cycles[run] = hand_cycles(&h, d);
    }
    return arrays[kind] * 8 * (double)(elements[1] - elements[0]) /
           ((double)(cycles[1] - cycles[0]) / (d->sm_khz / 1e6));
}

static void f27_streams_on_v100(void **state)
{
    struct gpu_design *d = hand_design("v100", V100_CLOCK, NULL);

    (void)state;
    CHECK_NEAR(stream(d, STREAM_INIT, 1024), 895, 0.04);
    CHECK_NEAR(stream(d, STREAM_READ, 1024), 861, 0.04);
    CHECK_NEAR(stream(d, STREAM_SCALE, 1024), 804, 0.04);
    CHECK_NEAR(stream(d, STREAM_TRIAD, 1024), 813, 0.04);
    design_free(d);
}

static void f29_the_life_of_a_small_cta_on_v100(void **state)
{
    static const double want[] = {153, 306, 453, 595}; /* GB/s of init with 32, 64, 96, 128 threads */
    struct gpu_design *d = hand_design("v100", V100_CLOCK, NULL);

    (void)state;
    /* Fetching instructions costs nothing here, so a CTA lives about 320 clocks instead of 369; silicon's own row
     * asks for 8 %. That bandwidth is proportional to the size of the CTA is the point. */
    for (uint32_t i = 0; i < 4; i++)
        CHECK_NEAR(stream(d, STREAM_INIT, 32 * (i + 1)), want[i], 0.17);
    design_free(d);
}

/* --- atomics --- */

static void one_word(const struct hand *h, uint64_t cta, uint32_t warp, uint32_t step, struct address_set *out)
{
    (void)h, (void)cta, (void)warp, (void)step;
    out->base = 0x7f0000000000;
    out->stride = 0;
}

static void f34_reductions_on_one_word(void **state)
{
    static const uint64_t ctas[] = {4, 64, 640};
    struct gpu_design *d = hand_design("v100", NULL);

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        uint64_t cycles[2];

        for (uint32_t run = 0; run < 2; run++) {
            struct hand h;

            hand_init(&h, ctas[i], 32);
            h.address = one_word;
            hand_define(&h, "RED.E.ADD", 4, -1, 2, 5, -1);
            for (uint32_t k = 0; k < 10 + 10 * run; k++)
                hand_step(&h, 0, FULL_MASK);
            cycles[run] = hand_cycles(&h, d);
        }
        /* About 30 L2 clocks for 32 lanes on one word, however many SMs take part. */
        CHECK_NEAR((double)(cycles[1] - cycles[0]) / (double)(10 * ctas[i]), 30, 0.10);
    }
    design_free(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(f01_to_f03_pointer_chase_on_v100),
        cmocka_unit_test(f04_where_the_l1_of_v100_ends),
        cmocka_unit_test(f10_dependent_shared_loads_on_v100),
        cmocka_unit_test(f13_f14_f16_arithmetic),
        cmocka_unit_test(f17_tensor_on_a100),
        cmocka_unit_test(f19_l1_bandwidth),
        cmocka_unit_test(f21_f22_strides_on_a100),
        cmocka_unit_test(f25_l2_bandwidth_of_v100),
        cmocka_unit_test(f27_streams_on_v100),
        cmocka_unit_test(f29_the_life_of_a_small_cta_on_v100),
        cmocka_unit_test(f34_reductions_on_one_word),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
