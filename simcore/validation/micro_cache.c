/* L1 and L2: bandwidth, strides. */
#include "simcore/validation/micro.h"

#include "simcore/gpu.h"

#define BUFFER 0x7f0000000000
enum { LOADS = 8 };

static const char *load_of(uint64_t width)
{
    return width == 16 ? "LDG.E.128" : width == 8 ? "LDG.E.64" : "LDG.E";
}

/* Eight independent loads of `width` bytes a lane, run `repeats` times with the loop's own instructions. */
static void write_loads(struct hand *h, const char *opcode, uint64_t width, uint64_t repeats)
{
    uint32_t loop = 0;

    h->base.info.registers = 64; /* one CTA of 1024 threads an SM */
    for (int i = 0; i < LOADS; i++) {
        uint32_t inst = hand_define(h, opcode, (uint16_t)width, 8 + 4 * i, 2, -1, -1);

        h->insts[inst].dst_regs = (uint8_t)((width + 3) / 4);
    }
    for (uint64_t i = 0; i < repeats; i++) {
        for (uint32_t k = 0; k < LOADS; k++)
            hand_step(h, k, FULL_MASK);
        micro_loop_end(h, &loop);
    }
}

/* --- every SM re-reads a part of its own: `number` bytes a lane, `ctx` bytes in all --- */

static void own_address(const struct hand *h, uint64_t cta, uint32_t warp, uint32_t step, struct address_set *out)
{
    uint64_t row = 32 * h->number; /* bytes a warp reads at once */
    uint64_t bytes = (uint64_t)(uintptr_t)h->ctx;

    out->base = BUFFER + cta * bytes + (warp + step % (LOADS + 3) * 32) * row % bytes;
    out->stride = (int64_t)h->number;
}

static void write_l1bw(struct hand *h, const struct micro_call *c, uint64_t repeats)
{
    uint64_t width = micro_arg(c, 0, 8), most = c->design->unified_bytes * 2ull / 3;
    uint64_t bytes = micro_option(c, "bytes", most < 65536 ? 32768 : 65536);

    hand_init(h, 4, 1024);
    h->address = own_address;
    h->number = width;
    h->ctx = (const void *)(uintptr_t)bytes;
    write_loads(h, load_of(width), width, repeats);
}

/* Bytes a clock an SM. */
static int l1bw(struct micro_call *c, double *out, struct err *e)
{
    double cycles;

    if (micro_slope(c, write_l1bw, 16, 32, &cycles, e) < 0)
        return -1;
    *out = 32.0 * 32 * LOADS * (double)micro_arg(c, 0, 8) / cycles;
    return 0;
}

/* --- 4-byte loads, lanes `stride` words apart, L1-resident --- */

static void stride_address(const struct hand *h, uint64_t cta, uint32_t warp, uint32_t step,
                           struct address_set *out)
{
    (void)cta;
    out->base = BUFFER + (uint64_t)(warp % 2) * 32 * h->number * 4 + (uint64_t)(step % (LOADS + 3)) * 16;
    out->stride = (int64_t)h->number * 4;
}

static void write_stride(struct hand *h, const struct micro_call *c, uint64_t repeats)
{
    hand_init(h, 1, 1024);
    h->address = stride_address;
    h->number = micro_arg(c, 0, 1);
    write_loads(h, "LDG.E", 4, repeats);
}

/* Clocks a warp load. */
static int stride(struct micro_call *c, double *out, struct err *e)
{
    if (micro_slope(c, write_stride, 4, 16, out, e) < 0)
        return -1;
    *out /= LOADS * 32;
    return 0;
}

/* --- all SMs read one buffer, L1 bypassed; each CTA another part in turn --- */

enum { L2_THREADS = 512, L2_LOADS = 4, L2_BLOCK = L2_THREADS * 8 };

static uint64_t l2_ctas(const struct gpu_design *d)
{
    const struct kernel_info k = {.block = {L2_THREADS, 1, 1}, .registers = 32};

    return design_wave_ctas(d, &k);
}

static void l2_address(const struct hand *h, uint64_t cta, uint32_t warp, uint32_t step, struct address_set *out)
{
    out->base = BUFFER + ((cta * 37 + step) * L2_BLOCK + (uint64_t)warp * 256) % h->number;
    out->stride = 8;
}

static void write_l2bw(struct hand *h, const struct micro_call *c, uint64_t repeats)
{
    hand_init(h, l2_ctas(c->design), L2_THREADS);
    h->address = l2_address;
    h->number = micro_arg(c, 0, 2 << 20);
    for (int i = 0; i < L2_LOADS; i++) {
        uint32_t inst = hand_define(h, "LDG.E.64.STRONG.GPU", 8, 8 + 2 * i, 2, -1, -1);

        h->insts[inst].dst_regs = 2;
    }
    for (uint64_t i = 0; i < repeats; i++)
        for (uint32_t k = 0; k < L2_LOADS; k++)
            hand_step(h, k, FULL_MASK);
}

/* GB/s; the buffer has been read twice before. */
static int l2bw(struct micro_call *c, double *out, struct err *e)
{
    uint64_t a_turn = l2_ctas(c->design) * L2_BLOCK * L2_LOADS;
    uint64_t warm = 2 * micro_arg(c, 0, 2 << 20) / a_turn + 2;
    double cycles;

    if (micro_slope(c, write_l2bw, warm, 6, &cycles, e) < 0)
        return -1;
    *out = (double)a_turn / cycles * micro_ghz(c->design);
    return 0;
}

static int l2_bytes(struct micro_call *c, double *out, struct err *e)
{
    if (l2bw(c, out, e) < 0)
        return -1;
    *out /= micro_ghz(c->design);
    return 0;
}

const struct micro micro_cache[] = {
    {"l1bw", "WIDTH [bytes=N]", "bytes a clock an SM", "every SM re-reads its own part from L1, coalesced", l1bw},
    {"stride", "WORDS", "clocks", "a warp's 4-byte load from L1, lanes that many words apart", stride},
    {"l2bw", "BYTES", "GB/s", "all SMs read one buffer in L2", l2bw},
    {"l2_bytes", "BYTES", "bytes a clock", "the same, a clock of the SMs", l2_bytes},
    {NULL, NULL, NULL, NULL, NULL},
};
