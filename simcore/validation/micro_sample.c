/* Kernels of the CUDA samples and of Rodinia whose counters were read on a V100, written again from what they
 * compute: grids, access patterns and instruction counts follow from the algorithm and from the counters
 * themselves. */
#include <stdio.h>
#include <string.h>

#include "simcore/gpu.h"
#include "simcore/mem/address_map.h"
#include "simcore/validation/micro.h"
#include "simcore/validation/micro_sample.h"

/* An instruction that only the lanes of `mask` run. */
static void masked(struct hand *h, uint32_t mask)
{
    h->steps[h->step_count - 1].mask = mask;
}

static void integers(struct hand *h, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        hand_add(h, i % 2 ? "IMAD" : "LOP3.LUT", 4 + (int)(i % 4), 4 + (int)((i + 2) % 4), 3, -1);
}

/* --- quasirandomGenerator: 128 CTAs of 128 x 3 threads; 64 numbers a thread, 31 table words held in registers ---
 */

enum { QUASI_ROWS = 64, QUASI_BITS = 31, QUASI_N = 1 << 20, QUASI_CTAS = 128, QUASI_WARPS = 4 };

static void quasi_address(const struct hand *h, uint64_t cta, uint32_t warp, uint32_t step, struct address_set *out)
{
    uint64_t row = (step - h->number) / ((h->step_count - h->number) / QUASI_ROWS), dimension = warp / QUASI_WARPS;
    uint64_t thread = cta * QUASI_WARPS * WARP_LANES + (uint64_t)(warp % QUASI_WARPS) * WARP_LANES;

    out->base = 0x7f0000000000 + (dimension * QUASI_N + row * QUASI_CTAS * QUASI_WARPS * WARP_LANES + thread) * 4;
    out->stride = 4;
}

static void write_quasi(struct hand *h)
{
    uint32_t first;
    size_t body;

    hand_init(h, QUASI_CTAS, 3 * QUASI_WARPS * WARP_LANES);
    h->base.info.registers = 48;
    h->address = quasi_address;
    for (int i = 0; i < 3; i++)
        hand_add(h, "S2R", i, -1, -1, -1);
    integers(h, 6);
    for (int i = 0; i < QUASI_BITS; i++)
        hand_add(h, "LDC", 10 + i, 2, -1, -1);
    h->number = h->step_count;
    first = (uint32_t)h->step_count;
    for (int i = 0; i < QUASI_BITS; i++) { /* test a bit, take the word or not, next bit */
        hand_add(h, "LOP3.LUT", -1, 4, -1, -1);
        hand_add(h, "LOP3.LUT", 5, 5, 10 + i, -1);
        hand_add(h, "SHF.R.U32.HI", 4, 4, -1, -1);
    }
    integers(h, 4);
    hand_add(h, "I2F.U32", 6, 5, -1, -1);
    hand_add(h, "FMUL", 6, 6, -1, -1);
    hand_add(h, "ISETP.GE.U32.AND", -1, 4, -1, -1);
    micro_access(h, "STG.E.SYS", 4, -1, 2, 6, 0);
    hand_add(h, "BRA", -1, -1, -1, -1);
    body = h->step_count - first;
    for (uint32_t row = 1; row < QUASI_ROWS; row++)
        for (size_t i = 0; i < body; i++)
            hand_step(h, h->steps[first + i].inst, FULL_MASK);
}

/* --- backprop, layerforward: 4096 CTAs of 16 x 16 threads, 65536 inputs and 16 hidden units --- */

enum { EDGE = 16, ROW = EDGE + 1, INPUTS = 1, WEIGHTS = 2, SUMS = 3, NODE = 14, TILE = 15 };
#define COLUMN_0 0x00010001u /* the lanes with x = 0: a warp is two rows of 16 */

/* An immediate: which array; for TILE, how many rows further down, and 16: transposed. */
static void layer_address(const struct hand *h, uint64_t cta, uint32_t warp, uint32_t step, struct address_set *out)
{
    int64_t immediate = h->insts[h->steps[step].inst].immediate;
    uint64_t array = (uint64_t)immediate >> 32, down = (uint64_t)immediate & 31;

    out->is_list = true;
    for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
        uint64_t x = lane % EDGE, y = warp * 2 + lane / EDGE, at;

        switch (array) {
        case INPUTS: at = EDGE * cta + y + 1; break;
        case WEIGHTS: at = (uint64_t)ROW * EDGE * cta + ROW * y + x + 1 + ROW; break;
        case SUMS: at = cta * EDGE + y; break;
        case NODE: at = y; break;
        default: at = EDGE + (down == EDGE ? x * EDGE + y : (y + down) * EDGE + x); break;
        }
        out->lanes[lane] = array >= NODE ? at * 4 : 0x7f0000000000 + (array << 32) + at * 4;
    }
}

/* In turn p of the sum over a column, rows that are multiples of p add: a warp whose rows are not runs nothing.
 * Steps of turn p carry p in the instruction's pc. */
static bool layer_runs(const struct hand *h, uint64_t cta, uint32_t warp, uint32_t step)
{
    uint32_t turn = h->insts[h->steps[step].inst].pc;

    (void)cta;
    return turn < 4 || turn > EDGE || warp * 2 % turn == 0;
}

static void write_sum(struct hand *h, uint32_t p)
{
    uint32_t at;

    integers(h, 8);
    hand_add(h, "ISETP.NE.AND", -1, 8, -1, -1);
    at = micro_access(h, "LDS", 4, 9, 10, -1, MICRO_ARRAY(TILE, 0));
    masked(h, 0xffff);
    micro_access(h, "LDS", 4, 11, 10, -1, MICRO_ARRAY(TILE, p / 2));
    masked(h, 0xffff);
    hand_add(h, "FADD", 9, 9, 11, -1);
    masked(h, 0xffff);
    micro_access(h, "STS", 4, -1, 10, 9, MICRO_ARRAY(TILE, 0));
    masked(h, 0xffff);
    for (; at < h->base.inst_count; at++)
        h->insts[at].pc = p;
    hand_add(h, "BAR.SYNC", -1, -1, -1, -1);
}

static void write_layer(struct hand *h)
{
    hand_init(h, 4096, EDGE * EDGE);
    h->base.info.shared_bytes = (EDGE + EDGE * EDGE) * 4;
    h->address = layer_address;
    h->runs = layer_runs;
    for (int i = 0; i < 3; i++)
        hand_add(h, "S2R", i, -1, -1, -1);
    integers(h, 6);
    micro_access(h, "LDG.E.SYS", 4, 8, 2, -1, MICRO_ARRAY(INPUTS, 0));
    masked(h, COLUMN_0);
    micro_access(h, "STS", 4, -1, 10, 8, MICRO_ARRAY(NODE, 0));
    masked(h, COLUMN_0);
    hand_add(h, "BAR.SYNC", -1, -1, -1, -1);
    micro_access(h, "LDG.E.SYS", 4, 9, 2, -1, MICRO_ARRAY(WEIGHTS, 0));
    integers(h, 20);
    for (int i = 0; i < 4; i++)
        hand_add(h, i % 2 ? "F2I" : "MUFU.RCP", 12 + i, 12 + i, -1, -1);
    micro_access(h, "STS", 4, -1, 10, 9, MICRO_ARRAY(TILE, 0));
    hand_add(h, "BAR.SYNC", -1, -1, -1, -1);
    micro_access(h, "LDS", 4, 8, 10, -1, MICRO_ARRAY(NODE, 0));
    micro_access(h, "LDS", 4, 9, 10, -1, MICRO_ARRAY(TILE, 0));
    hand_add(h, "FMUL", 9, 9, 8, -1);
    micro_access(h, "STS", 4, -1, 10, 9, MICRO_ARRAY(TILE, 0));
    hand_add(h, "BAR.SYNC", -1, -1, -1, -1);
    for (uint32_t p = 2; p <= EDGE; p *= 2)
        write_sum(h, p);
    micro_access(h, "LDS", 4, 9, 10, -1, MICRO_ARRAY(TILE, 0));
    micro_access(h, "STG.E.SYS", 4, -1, 2, 9, MICRO_ARRAY(WEIGHTS, 0));
    hand_add(h, "BAR.SYNC", -1, -1, -1, -1);
    micro_access(h, "LDS", 4, 9, 10, -1, MICRO_ARRAY(TILE, EDGE));
    masked(h, COLUMN_0);
    micro_access(h, "STG.E.SYS", 4, -1, 2, 9, MICRO_ARRAY(SUMS, 0));
    masked(h, COLUMN_0);
}

/* --- histogram64: 4370 CTAs of 64 threads; 15 loads of 16 bytes a thread, each byte counted in shared memory ---
 */

enum { HIST_THREADS = 64, HIST_LOADS = 15, HIST_CTAS = 4370, HIST_DATA = 1, HIST_OUT = 2 };

/* Counters of a byte each: value * 64 + a place of the thread's own; four threads share a word. */
static uint64_t hist_counter(uint64_t value, uint32_t thread)
{
    return value * HIST_THREADS + ((thread & 15) << 2 | (thread & 48) >> 4);
}

static void hist_address(const struct hand *h, uint64_t cta, uint32_t warp, uint32_t step, struct address_set *out)
{
    const struct trace_inst *t = &h->insts[h->steps[step].inst];
    uint64_t thread = (uint64_t)warp * WARP_LANES, array = (uint64_t)t->immediate >> 32,
             k = (uint64_t)t->immediate & 255;

    out->stride = t->width;
    if (array == HIST_DATA) {
        uint64_t load = (step - (h->number & 0xffff)) / (h->number >> 16);

        out->base = 0x7f0000000000 + ((load * HIST_CTAS + cta) * HIST_THREADS + thread) * 16;
    } else if (array == HIST_OUT) {
        out->base = 0x7f8000000000 + (cta * HIST_THREADS + thread) * 4;
    } else if (array == TILE && t->width == 4) { /* clearing: rows of words */
        out->base = (k * HIST_THREADS + thread) * 4;
    } else if (array == TILE) { /* summing up: a thread's own row, begun at a word of its own */
        out->is_list = true;
        for (uint32_t lane = 0; lane < WARP_LANES; lane++)
            out->lanes[lane] = (thread + lane) * HIST_THREADS + (((uint64_t)(lane & 15) * 4 + k) & 63);
    } else { /* random values; the load and the store behind it go to the same counter */
        out->is_list = true;
        for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
            uint64_t turn = (step - (h->number & 0xffff)) / (h->number >> 16);
            uint64_t value = address_mix(((cta * 64 + thread + lane) * 16 + turn) * 16 + k) & 63;

            out->lanes[lane] = hist_counter(value, (uint32_t)thread + lane);
        }
    }
}

static void write_histogram(struct hand *h)
{
    uint32_t first;
    size_t body;

    hand_init(h, HIST_CTAS, HIST_THREADS);
    h->base.info.shared_bytes = HIST_THREADS * 64;
    h->base.info.registers = 36;
    h->address = hist_address;
    hand_add(h, "S2R", 2, -1, -1, -1);
    for (uint32_t k = 0; k < 16; k++)
        micro_access(h, "STS", 4, -1, 2, 3, MICRO_ARRAY(TILE, k));
    hand_add(h, "BAR.SYNC", -1, -1, -1, -1);
    first = (uint32_t)h->step_count;
    micro_access(h, "LDG.E.128.SYS", 16, 8, 2, -1, MICRO_ARRAY(HIST_DATA, 0));
    for (uint32_t k = 0; k < 16; k++) {
        hand_add(h, "SHF.R.U32.HI", 16, 8 + (int)(k / 4), -1, -1);
        hand_add(h, "LOP3.LUT", 16, 16, -1, -1);
        hand_add(h, "IMAD.IADD", 16, 16, 3, -1);
        micro_access(h, "LDS.U.U8", 1, 17, 16, -1, MICRO_ARRAY(NODE, k));
        hand_add(h, "IADD3", 17, 17, -1, -1);
        micro_access(h, "STS.U8", 1, -1, 16, 17, MICRO_ARRAY(NODE, k));
    }
    integers(h, 2);
    hand_add(h, "ISETP.GE.U32.AND", -1, 4, -1, -1);
    hand_add(h, "BRA", -1, -1, -1, -1);
    body = h->step_count - first;
    h->number = first | body << 16;
    for (uint32_t turn = 1; turn < HIST_LOADS; turn++)
        for (size_t i = 0; i < body; i++)
            hand_step(h, h->steps[first + i].inst, FULL_MASK);
    hand_add(h, "BAR.SYNC", -1, -1, -1, -1);
    for (uint32_t k = 0; k < 64; k++) {
        micro_access(h, "LDS.U.U8", 1, 18 + (int)(k % 8), 2, -1, MICRO_ARRAY(TILE, k));
        hand_add(h, "IADD3", 17, 17, 18 + (int)(k % 8), -1);
    }
    micro_access(h, "STG.E.SYS", 4, -1, 2, 17, MICRO_ARRAY(HIST_OUT, 0));
}

/* --- counters and times --- */

static const struct {
    const char *name;
    void (*write)(struct hand *h);
} samples[] = {{"quasirandom", write_quasi},
               {"layerforward", write_layer},
               {"histogram64", write_histogram},
               {"fwt", micro_write_fwt}};

/* A counter of a whole run, or the sum of two ("a+b"). */
static int counter(struct micro_call *c, double *out, struct err *e)
{
    struct sim_result r;
    struct hand h;
    size_t i = 0;
    char first[64];
    const char *plus;

    while (i < sizeof samples / sizeof *samples && strcmp(samples[i].name, c->opcode) != 0)
        i++;
    if (i == sizeof samples / sizeof *samples || c->argc < 2)
        return err_set(e, ERR_INVALID, "`counter` needs a kernel that is known and a counter, not `%s`", c->opcode);
    samples[i].write(&h);
    if (micro_run(c, &h, &r, e) < 0)
        return -1;
    plus = strchr(c->arg[1], '+');
    snprintf(first, sizeof first, "%.*s", (int)strcspn(c->arg[1], "+"), c->arg[1]);
    *out = (double)micro_counter(&r, first) + (plus ? (double)micro_counter(&r, plus + 1) : 0);
    sim_result_release(&r);
    return 0;
}

const struct micro micro_sample[] = {
    {"counter", "quasirandom|layerforward|histogram64|fwt COUNTER[+COUNTER]", "",
     "a counter of a kernel of the CUDA samples or of Rodinia", counter},
    {NULL, NULL, NULL, NULL, NULL},
};
