/* Kernels bound by a single resource, on QV100: never faster than the bound, which is computed by hand from the
 * design's numbers, and close to it. */
#include "simcore/mem/address_map.h"
#include "tests/unit/simcore/hand_source.h"

#define ARRAY(n) (0x7f0000000000ull + ((uint64_t)(n) << 36))
#define THREAD   8 /* the register with the thread index; no instruction writes it */

static struct gpu_design *qv100;

/* --- bounds, in SM clocks --- */

static double ghz(void)
{
    return qv100->sm_khz / 1e6;
}

/* Warp instructions of a sub-core that each occupy a unit for this number of clocks. */
static double unit_bound(const struct hand *h, uint64_t insts, uint32_t interval)
{
    return (double)(h->ctas * h->warps) / qv100->sms / SUB_CORES * (double)insts * interval;
}

/* Warp instructions of an SM through its LSU. */
static double lsu_bound(const struct hand *h, uint64_t insts, double clocks)
{
    return (double)(h->ctas * h->warps) / qv100->sms * (double)insts * clocks;
}

/* Bytes read and written. Turnaround between reads and writes adds up to 4 m / 4 = a tenth. */
static double dram_bound(double read, double written)
{
    return (read * qv100->dram_read_65536 + written * qv100->dram_write_65536) / 65536 / (qv100->dram_mbs / 1e3) *
           ghz();
}

/* This number of row activates, spread over all channels. */
static double activate_bound(double activates)
{
    return activates * qv100->dram_t_faw / 4 / (qv100->dram_khz / 1e6) / qv100->dram_channels * ghz();
}

static double l2_bound(double bytes)
{
    return bytes / ((double)qv100->l2_slices * qv100->l2_slice_bytes) * qv100->sm_khz / qv100->l2_khz;
}

static double bytes_of(const struct hand *h, uint64_t accesses, uint32_t bytes)
{
    return (double)(h->ctas * h->warps * accesses) * bytes;
}

static double changed_bytes(void)
{
    return qv100->l2_bytes * (qv100->l2_dirty_65536 / 65536.0);
}

static double most(double a, double b)
{
    return a > b ? a : b;
}

/* --- arithmetic --- */

static void independent(struct hand *h, const char *a, const char *b, uint64_t ctas)
{
    hand_init(h, ctas, 256);
    for (int i = 0; i < 400; i++)
        hand_add(h, i % 2 ? b : a, 16 + i % 16, 16 + i % 16, 4, 5);
}

static double fp32(struct hand *h)
{
    independent(h, "FFMA", "FFMA", 160);
    return unit_bound(h, 400, 2);
}

static double fp32_and_int(struct hand *h)
{
    independent(h, "FFMA", "IADD3", 160);
    return unit_bound(h, 400, 1); /* the scheduler: one per clock */
}

static double mufu(struct hand *h)
{
    independent(h, "MUFU.RCP", "MUFU.EX2", 160);
    return unit_bound(h, 400, 8);
}

static double fp64(struct hand *h)
{
    hand_init(h, 160, 256);
    for (int i = 0; i < 400; i++)
        hand_add(h, "DFMA", 16 + 2 * (i % 16), 16 + 2 * (i % 16), 4, 6);
    return unit_bound(h, 400, 4);
}

static double tensor(struct hand *h)
{
    hand_init(h, 160, 256);
    for (int i = 0; i < 400; i++)
        hand_add(h, "HMMA.884.F32.F32.STEP0", 32 + 2 * (i % 16), 8, 16, 32 + 2 * (i % 16));
    /* a quad of 8x8x4 has four steps of 64 multiply-adds for each of the four: 2 clocks at 512 per SM */
    return unit_bound(h, 400, 2);
}

/* --- from device memory --- */

/* Consecutive lines, `step` selects the array. The lines that a warp of a CTA reads are adjacent. */
static void stream_address(const struct hand *h, uint64_t cta, uint32_t warp, uint32_t step,
                           struct address_set *out)
{
    uint32_t width = h->insts[h->steps[step].inst].width;

    out->base = ARRAY(step) + (cta * h->warps + warp) * WARP_LANES * width;
    out->stride = (int32_t)width;
}

static double stream_read(struct hand *h)
{
    hand_init(h, 700, 256);
    h->address = stream_address;
    for (int i = 0; i < 4; i++)
        hand_add_memory(h, "LDG.E.128", 16, 16 + 4 * i, THREAD, -1);
    return dram_bound(bytes_of(h, 4, 512), 0);
}

static double stream_copy(struct hand *h)
{
    hand_init(h, 2500, 256);
    h->address = stream_address;
    hand_add_memory(h, "LDG.E.128", 16, 16, THREAD, -1);
    hand_add_memory(h, "STG.E.128", 16, -1, THREAD, 16);
    /* the dirty lines that L2 may hold need not be written before the end */
    return dram_bound(bytes_of(h, 1, 512), bytes_of(h, 1, 512) - changed_bytes());
}

static void far_address(const struct hand *h, uint64_t cta, uint32_t warp, uint32_t step, struct address_set *out)
{
    uint64_t n = (cta * h->warps + warp) * h->step_count + step;

    out->is_list = true;
    for (uint32_t i = 0; i < WARP_LANES; i++)
        out->lanes[i] = ARRAY(1) + address_mix(n * WARP_LANES + i) % (1 << 25) * 32;
}

static double gather(struct hand *h)
{
    hand_init(h, 160, 256);
    h->address = far_address;
    for (int i = 0; i < 4; i++)
        hand_add_memory(h, "LDG.E", 4, 16 + i, THREAD, -1);
    return activate_bound(bytes_of(h, 4, 32)); /* each sector is in another row */
}

static void stride_address(const struct hand *h, uint64_t cta, uint32_t warp, uint32_t step,
                           struct address_set *out)
{
    out->base = ARRAY(step) + (cta * h->warps + warp) * WARP_LANES * (uint64_t)h->number;
    out->stride = (int32_t)h->number;
}

/* One sector per access, and one row per access when the stride exceeds a row. */
static double strides(struct hand *h, uint64_t bytes)
{
    double rows = (double)bytes / qv100->dram_row_bytes;

    hand_init(h, 160, 256);
    h->address = stride_address;
    h->number = bytes;
    for (int i = 0; i < 4; i++)
        hand_add_memory(h, "LDG.E", 4, 16 + i, THREAD, -1);
    return most(dram_bound(bytes_of(h, 4, WARP_LANES * SECTOR_BYTES), 0),
                activate_bound(bytes_of(h, 4, WARP_LANES) * (rows < 1 ? rows : 1)));
}

static double stride_128(struct hand *h)
{
    return strides(h, 128);
}

static double stride_4096(struct hand *h)
{
    return strides(h, 4096);
}

/* --- reuse --- */

static void near_address(const struct hand *h, uint64_t cta, uint32_t warp, uint32_t step, struct address_set *out)
{
    uint64_t lines = h->number / 512;

    out->base = ARRAY(2) + (address_mix((cta * h->warps + warp) * 1000 + step) % lines) * 512;
    out->stride = 16;
}

static double from_l2(struct hand *h)
{
    hand_init(h, 640, 256);
    h->address = near_address;
    h->number = 2 << 20;
    for (int i = 0; i < 16; i++)
        hand_add_memory(h, "LDG.E.128.STRONG.GPU", 16, 16 + 4 * i, THREAD, -1);
    return l2_bound(bytes_of(h, 16, 512));
}

/* 16 KB per SM: CTA i runs on SM i in the first wave. */
static void same_address(const struct hand *h, uint64_t cta, uint32_t warp, uint32_t step, struct address_set *out)
{
    (void)h;
    out->base = ARRAY(2) + ((cta % qv100->sms * 8 + warp) * 16 + step % 16) * 128;
    out->stride = 4;
}

static double from_l1(struct hand *h)
{
    hand_init(h, 640, 256);
    h->address = same_address;
    for (int i = 0; i < 200; i++)
        hand_add_memory(h, "LDG.E", 4, 16 + i % 16, THREAD, -1);
    return lsu_bound(h, 200, 128.0 / qv100->l1_bytes);
}

/* --- shared memory --- */

static void bank_address(const struct hand *h, uint64_t cta, uint32_t warp, uint32_t step, struct address_set *out)
{
    (void)cta, (void)warp, (void)step;
    out->stride = (int32_t)(4 * h->number);
}

static double conflicts(struct hand *h, uint64_t ways)
{
    hand_init(h, 320, 256);
    h->address = bank_address;
    h->base.info.shared_bytes = 16 << 10;
    h->number = ways;
    for (int i = 0; i < 100; i++)
        hand_add_memory(h, "LDS", 4, 16 + i % 16, THREAD, -1);
    return lsu_bound(h, 100, (double)ways);
}

static double no_conflict(struct hand *h)
{
    return conflicts(h, 1);
}

static double two_ways(struct hand *h)
{
    return conflicts(h, 2);
}

static double thirty_two_ways(struct hand *h)
{
    return conflicts(h, 32);
}

/* A tile of the product: 8 x 8 sums per thread; for each k, two times two reads of 16 bytes. */
static double tiled_product(struct hand *h)
{
    hand_init(h, 160, 256);
    h->address = bank_address;
    h->number = 0; /* all threads read the same word: no conflicts */
    h->base.info.shared_bytes = 32 << 10;
    h->base.info.registers = 128;
    for (int k = 0; k < 6; k++) {
        for (int i = 0; i < 4; i++)
            hand_add_memory(h, "LDS.U.128", 16, 12 + 4 * i, THREAD, -1);
        for (int i = 0; i < 64; i++)
            hand_add(h, "FFMA", 32 + i, 12 + i / 8, 20 + i % 8, 32 + i);
    }
    for (int lap = 0; lap < 3; lap++)
        for (uint32_t i = 0; i < 6 * 68; i++)
            hand_step(h, i, FULL_MASK);
    return unit_bound(h, 1536 /* 4 laps of 6 times 64 */, 2);
}

/* --- stencils --- */

/* Five points of a plane of 4096 x n floats: above, left, center, right, below. The result goes to another plane.
 */
static void stencil_address(const struct hand *h, uint64_t cta, uint32_t warp, uint32_t step,
                            struct address_set *out)
{
    static const int64_t away[] = {-16384, -4, 0, 4, 16384};
    uint64_t x = cta % 16 * 256 + warp * 32ull, y = cta / 16 + 1;

    out->base =
        step < 5 ? ARRAY(1) + (uint64_t)((int64_t)(y * 16384 + x * 4) + away[step]) : ARRAY(2) + y * 16384 + x * 4;
    out->stride = 4;
    (void)h;
}

static double stencil(struct hand *h)
{
    hand_init(h, 6400 /* 400 rows */, 256);
    h->address = stencil_address;
    for (int i = 0; i < 5; i++)
        hand_add_memory(h, "LDG.E", 4, 16 + i, THREAD, -1);
    for (int i = 0; i < 4; i++)
        hand_add(h, "FADD", 20, 20, 16 + i, -1);
    hand_add_memory(h, "STG.E", 4, -1, THREAD, 20);
    return dram_bound(bytes_of(h, 1, 128), bytes_of(h, 1, 128) - changed_bytes());
}

/* --- uneven load --- */

static bool first_cta_only(const struct hand *h, uint64_t cta, uint32_t warp, uint32_t step)
{
    (void)h, (void)warp;
    return cta == 0 || step < 400;
}

/* One CTA has ten times the work, and the launch waits for it. */
static double imbalance(struct hand *h)
{
    hand_init(h, 80, 256);
    h->runs = first_cta_only;
    for (int i = 0; i < 400; i++)
        hand_add(h, "FFMA", 16 + i % 16, 16 + i % 16, 4, 5);
    for (int lap = 1; lap < 40; lap++)
        for (uint32_t i = 0; i < 400; i++)
            hand_step(h, i, FULL_MASK);
    return 40 * 400.0 * 2 * 8 / SUB_CORES;
}

/* One warp per sub-core; each instruction depends on the previous one. */
static double occupancy(struct hand *h)
{
    hand_init(h, 80, 128);
    for (int i = 0; i < 400; i++)
        hand_add(h, "FFMA", 16, 16, 4, 5);
    for (int lap = 1; lap < 20; lap++)
        for (uint32_t i = 0; i < 400; i++)
            hand_step(h, i, FULL_MASK);
    return 20 * 400.0 * 4;
}

static void one_word(const struct hand *h, uint64_t cta, uint32_t warp, uint32_t step, struct address_set *out)
{
    (void)h, (void)cta, (void)warp, (void)step;
    out->base = ARRAY(3);
    out->stride = 0;
}

static double atomics(struct hand *h)
{
    hand_init(h, 80, 256);
    h->address = one_word;
    for (int i = 0; i < 4; i++)
        hand_add_memory(h, "RED.E.ADD", 4, -1, THREAD, 16);
    return (double)(80 * 8 * 4) * WARP_LANES * qv100->l2_atomic_lane * qv100->sm_khz / qv100->l2_khz;
}

/* above: how far a kernel may exceed its bound, including its start and end. */
static const struct {
    const char *name;
    double (*make)(struct hand *h);
    double above;
} rooflines[] = {
    {"FFMA", fp32, 0.15},
    {"FFMA and IADD3", fp32_and_int, 0.15},
    {"MUFU", mufu, 0.15},
    {"DFMA", fp64, 0.15},
    {"tensor", tensor, 0.15},
    {"stream, read", stream_read, 0.15},
    {"stream, copy", stream_copy, 0.15},
    {"gather", gather, 0.15},
    {"stride of 128 bytes", stride_128, 0.15},
    {"stride of 4096 bytes", stride_4096, 0.15},
    {"reuse from L2", from_l2, 0.2},
    {"reuse from L1", from_l1, 0.15},
    {"shared", no_conflict, 0.15},
    {"bank conflicts, 2", two_ways, 0.15},
    {"bank conflicts, 32", thirty_two_ways, 0.15},
    {"tiled product", tiled_product, 0.15},
    {"stencil", stencil, 0.25},
    {"imbalance", imbalance, 0.15},
    {"occupancy", occupancy, 0.15},
    {"atomics on a word", atomics, 0.15},
};

static void nothing_is_faster_than_its_bound_and_all_come_near(void **state)
{
    int wrong = 0;

    (void)state;
    for (size_t i = 0; i < sizeof rooflines / sizeof *rooflines; i++) {
        struct hand h;
        double bound = rooflines[i].make(&h), over = (double)hand_cycles(&h, qv100) / bound - 1;
        bool off = over < -0.001 || over > rooflines[i].above;

        print_message("  %-24s %9.0f clocks at least, %+6.1f %%%s\n", rooflines[i].name, bound, 100 * over,
                      off ? "  OFF" : "");
        wrong += off;
    }
    assert_int_equal(wrong, 0);
}

static int set_up(void **state)
{
    (void)state;
    qv100 = hand_design("qv100", NULL);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    design_free(qv100);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_is_faster_than_its_bound_and_all_come_near)};

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
