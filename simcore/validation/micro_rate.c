/* Rates of the execution units, and of shared memory. */
#include <stdlib.h>
#include <string.h>

#include "simcore/validation/micro.h"

enum { CHAINS = 8, UNROLL = 4 };

/* --- 4 x 8 warps on one SM, each with 8 independent chains, in a loop that the compiler unrolled four times --- */

static void write_rate(struct hand *h, const struct micro_call *c, uint64_t repeats)
{
    uint32_t first = 0, loop = 0;

    hand_init(h, 1, 1024);
    h->base.info.registers = 64;
    for (int i = 0; i < CHAINS; i++) {
        uint32_t inst = hand_define(h, c->opcode, 0, 8 + 4 * i, 8 + 4 * i, 4, 6);

        first = i ? first : inst;
    }
    for (uint64_t i = 0; i < repeats; i++) {
        for (uint32_t k = 0; k < UNROLL * CHAINS; k++)
            hand_step(h, first + k % CHAINS, FULL_MASK);
        micro_loop_end(h, &loop);
    }
}

/* Results a clock an SM. */
static int rate(struct micro_call *c, double *out, struct err *e)
{
    double cycles;

    if (micro_slope(c, write_rate, 4, 16, &cycles, e) < 0)
        return -1;
    *out = UNROLL * CHAINS * 1024 / cycles;
    return 0;
}

/* Straight code of one thread: 64 FFMAs R10 = Ra x Rb + R10 with stall count 1 behind five moves, with a even and b
 * a number of registers further on. They run once, so their code is cold. (SJ, register bank conflicts) */
static int straight_ffma(struct micro_call *c, double *out, struct err *e)
{
    enum { BEFORE = 5, FFMAS = 64 };
    int apart = (int)micro_arg(c, 0, 1);
    uint64_t cycles[2];

    for (int run = 0; run < 2; run++) {
        struct hand h;

        hand_init(&h, 1, 1);
        h.base.info.registers = 224;
        for (int i = 0; i < BEFORE + FFMAS * run; i++) {
            int a = 10 + (i - BEFORE) * 2;
            uint32_t inst =
                i < BEFORE ? hand_add(&h, "MOV", 1, -1, -1, -1) : hand_add(&h, "FFMA", 10, a, a + apart, 10);

            h.insts[inst].control = CONTROL_KNOWN | (i < BEFORE ? 2u : 1u) << CONTROL_STALL_SHIFT |
                                    1u << CONTROL_YIELD_SHIFT | 7u << CONTROL_WRITE_BARRIER_SHIFT |
                                    7u << CONTROL_READ_BARRIER_SHIFT;
        }
        if (micro_cycles(c, &h, &cycles[run], e) < 0)
            return -1;
    }
    *out = (double)(cycles[1] - cycles[0]) / FFMAS;
    return 0;
}

/* The same of tensor instructions, in 10^12 operations a second over all SMs: OPCODE, FMAs an instruction. */
static int tflops(struct micro_call *c, double *out, struct err *e)
{
    if (rate(c, out, e) < 0)
        return -1;
    *out = *out / 32 * 2 * (double)micro_arg(c, 1, 2048) * c->design->sms * micro_ghz(c->design) / 1e3;
    return 0;
}

/* Two kinds of instruction in turn: how much of each other's time do they take? Results of both a clock an SM. */
static void write_mix(struct hand *h, const struct micro_call *c, uint64_t repeats)
{
    uint32_t loop = 0;

    hand_init(h, 1, 1024);
    h->base.info.registers = 64;
    for (int i = 0; i < CHAINS; i++)
        hand_define(h, c->arg[i % 2], 0, 8 + 4 * i, 8 + 4 * i, 4, 6);
    for (uint64_t i = 0; i < repeats; i++) {
        for (uint32_t k = 0; k < UNROLL * CHAINS; k++)
            hand_step(h, k % CHAINS, FULL_MASK);
        micro_loop_end(h, &loop);
    }
}

static int mix(struct micro_call *c, double *out, struct err *e)
{
    double cycles;

    if (c->argc < 2)
        return err_set(e, ERR_INVALID, "`mix` needs two opcodes");
    if (micro_slope(c, write_mix, 4, 16, &cycles, e) < 0)
        return -1;
    *out = UNROLL * CHAINS * 1024 / cycles;
    return 0;
}

/* --- shared memory: 32 warps read, each lane `width` bytes, lanes `stride` words apart --- */

static void spaced(const struct hand *h, uint64_t cta, uint32_t warp, uint32_t step, struct address_set *out)
{
    (void)cta, (void)warp, (void)step;
    out->base = 0;
    out->stride = (int64_t)h->number;
}

static const char *wide_load(uint64_t width)
{
    return width == 16 ? "LDS.U.128" : width == 8 ? "LDS.U.64" : "LDS.U";
}

static void write_shared(struct hand *h, const struct micro_call *c, uint64_t repeats)
{
    uint64_t width = micro_option(c, "width", 4), stride = micro_option(c, "stride", 1);
    uint32_t loop = 0;

    hand_init(h, 1, 1024);
    h->base.info.registers = 64;
    h->address = spaced;
    h->number = width * stride;
    for (int i = 0; i < CHAINS; i++) {
        uint32_t inst = hand_define(h, wide_load(width), (uint16_t)width, 8 + 4 * i, 2, -1, -1);

        h->insts[inst].dst_regs = (uint8_t)(width / 4);
    }
    for (uint64_t i = 0; i < repeats; i++) {
        for (uint32_t k = 0; k < CHAINS; k++)
            hand_step(h, k, FULL_MASK);
        micro_loop_end(h, &loop);
    }
}

static int shared_clocks(struct micro_call *c, double *out, struct err *e)
{
    if (micro_slope(c, write_shared, 8, 32, out, e) < 0)
        return -1;
    *out /= CHAINS * 32;
    return 0;
}

static int shared_bytes(struct micro_call *c, double *out, struct err *e)
{
    if (shared_clocks(c, out, e) < 0)
        return -1;
    *out = 32.0 * (double)micro_option(c, "width", 4) / *out;
    return 0;
}

const struct micro micro_rate[] = {
    {"rate", "OPCODE", "results a clock an SM", "32 warps an SM, each with 8 independent chains", rate},
    {"straight_ffma", "APART", "clocks",
     "64 FFMAs of one thread run once; their second source lies a number of registers behind the first",
     straight_ffma},
    {"tflops", "OPCODE FMAS", "TFLOPS", "the same for an instruction of that many multiply-adds, all SMs", tflops},
    {"mix", "OPCODE OPCODE", "results a clock an SM", "two kinds of instruction in turn", mix},
    {"shared_clocks", "[width=BYTES] [stride=N]", "clocks",
     "a warp's load from shared memory, lanes N elements apart, 32 warps", shared_clocks},
    {"shared_bytes", "[width=BYTES]", "bytes a clock an SM", "the same without conflicts, as bandwidth",
     shared_bytes},
    {NULL, NULL, NULL, NULL, NULL},
};
