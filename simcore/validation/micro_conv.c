/* One-dimensional convolution of floats with a short mask, in four ways: mask and data in global memory ("basic"),
 * mask in constant memory ("constmask"), data through a tile of shared memory with its halo ("tiled") or without
 * ("tiled_cache": what is outside the tile is read again).
 *
 * The measured programs ask a helper that works in double precision whether the thread is within bounds: two
 * conversions and two comparisons a thread, which is what bounds these kernels where the SM has two FP64 lanes. */
#include <string.h>

#include "simcore/gpu.h"
#include "simcore/validation/micro.h"

enum { MASK_ARRAY = 3, SHARED_ARRAY = 15 };

struct shape {
    uint32_t threads, taps, radius;
};

static struct shape shape_of(const struct micro_call *c)
{
    struct shape s = {(uint32_t)micro_option(c, "threads", 512), (uint32_t)micro_option(c, "mask", 5), 0};

    s.radius = s.taps / 2;
    return s;
}

static void conv_address(const struct hand *h, uint64_t cta, uint32_t warp, uint32_t step, struct address_set *out)
{
    const struct trace_inst *t = &h->insts[h->steps[step].inst];

    if (t->immediate < MICRO_ARRAY(SHARED_ARRAY - 1, INT32_MAX)) {
        micro_linear(h, cta, warp, step, out);
        return;
    }
    out->base = (uint64_t)warp * WARP_LANES * 4 + (uint64_t)((int64_t)(int32_t)t->immediate * 4);
    out->stride = 4;
}

/* Which steps only the first warp of a CTA runs (those up to its halo), and which only the last: `number` holds
 * where the two stretches begin and end. */
static bool in(uint64_t number, uint32_t part, uint32_t step)
{
    return step >= (number >> 32 * part & 0xffff) && step < (number >> (32 * part + 16) & 0xffff);
}

static bool halo_runs(const struct hand *h, uint64_t cta, uint32_t warp, uint32_t step)
{
    (void)cta;
    if (in(h->number, 0, step))
        return warp + 1 == h->warps;
    return !in(h->number, 1, step) || warp == 0;
}

static void from_here(struct hand *h, uint32_t part)
{
    h->number |= (uint64_t)h->step_count << 32 * part;
}

static void to_here(struct hand *h, uint32_t part)
{
    h->number |= (uint64_t)h->step_count << (32 * part + 16);
}

static void write_head(struct hand *h, const struct micro_call *c, uint64_t ctas)
{
    struct shape s = shape_of(c);

    hand_init(h, ctas, s.threads);
    h->address = conv_address;
    hand_add(h, "MOV", 1, -1, -1, -1);
    hand_add(h, "S2R", 8, -1, -1, -1);
    hand_add(h, "S2R", 11, -1, -1, -1);
    hand_add(h, "IMAD", 0, 8, 11, -1);
    hand_add(h, "I2F.F64", 24, 0, -1, -1);
    hand_add(h, "I2F.F64", 26, -1, -1, -1);
    hand_add(h, "DSETP.GE.AND", -1, 24, -1, -1);
    hand_add(h, "DSETP.LT.AND", -1, 24, 26, -1);
    hand_add(h, "EXIT", -1, -1, -1, -1);
    h->steps[h->step_count - 1].mask = 0;
    hand_add(h, "MOV", 5, -1, -1, -1);
    hand_add(h, "IMAD", 9, 0, 5, -1);
    hand_add(h, "IMAD.WIDE", 2, 9, 5, -1);
}

static void write_tail(struct hand *h)
{
    hand_add(h, "MOV", 3, -1, -1, -1);
    hand_add(h, "IMAD.WIDE", 14, 0, 3, -1);
    micro_access(h, "STG.E", 4, -1, 14, 7, MICRO_ARRAY(1, 0));
    hand_add(h, "EXIT", -1, -1, -1, -1);
}

/* --- data and mask from global memory, without shared memory --- */

/* `taps` taps at once, as the unrolled loop has them: bounds of each, all loads, then the sums. */
static void write_direct(struct hand *h, const struct shape *s, uint32_t first, uint32_t taps, bool constant)
{
    for (uint32_t k = 0; k < taps; k++) {
        if (k)
            hand_add(h, "IADD3", 21, 9, -1, -1);
        hand_add(h, "ISETP.GE.AND", -1, k ? 21 : 9, -1, -1);
        hand_add(h, "ISETP.LT.OR", -1, k ? 21 : 9, -1, -1);
    }
    hand_add(h, "MOV", 4, 6, -1, -1);
    for (uint32_t k = 0; k < taps; k++) {
        int64_t offset = (int64_t)(first + k) - s->radius;

        micro_access(h, "LDG.E", 4, (int)(12 + k), 2, -1, MICRO_ARRAY(0, offset));
        if (constant) {
            hand_add(h, "LDC", (int)(16 + k), 6, -1, -1);
        } else {
            micro_access(h, "LDG.E", 4, (int)(16 + k), 4, -1, MICRO_ARRAY(MASK_ARRAY, first + k));
        }
    }
    hand_add(h, "IADD3", 10, 10, -1, -1);
    hand_add(h, "IADD3", 6, 6, -1, -1);
    hand_add(h, "ISETP.NE.AND", -1, 10, -1, -1);
    hand_add(h, "IADD3", 9, 9, -1, -1);
    for (uint32_t k = 0; k < taps; k++)
        hand_add(h, "FFMA", 7, (int)(12 + k), (int)(16 + k), 7);
    hand_add(h, "BRA", -1, -1, -1, -1);
}

/* A word of the mask is the same for all lanes. */
static void mask_address(const struct hand *h, uint64_t cta, uint32_t warp, uint32_t step, struct address_set *out)
{
    const struct trace_inst *t = &h->insts[h->steps[step].inst];
    bool mask = t->immediate >= MICRO_ARRAY(MASK_ARRAY, 0);

    micro_linear(h, mask ? 0 : cta, mask ? 0 : warp, step, out);
    if (mask)
        out->stride = 0;
}

static void write_straight(struct hand *h, const struct micro_call *c, uint64_t ctas)
{
    bool constant = strcmp(c->opcode, "constmask") == 0;
    struct shape s = shape_of(c);
    uint32_t at = 0;

    write_head(h, c, ctas);
    h->address = mask_address;
    for (; s.taps - at >= 4; at += 4)
        write_direct(h, &s, at, 4, constant);
    for (; at < s.taps; at++)
        write_direct(h, &s, at, 1, constant);
    write_tail(h);
}

/* --- through shared memory --- */

/* One part of the halo: `lanes` lanes of one warp load it and store it into the tile. */
static void write_halo(struct hand *h, uint32_t part, uint32_t lanes, int64_t from, int64_t into)
{
    uint32_t mask = part ? (1u << lanes) - 1 : ~(FULL_MASK >> lanes);

    hand_add(h, "ISETP.GE.AND", -1, 11, -1, -1);
    hand_add(h, "BSSY", -1, -1, -1, -1);
    hand_add(h, "BRA", -1, -1, -1, -1);
    from_here(h, part);
    hand_add(h, "IMAD.WIDE", 4, 9, 5, -1);
    h->steps[h->step_count - 1].mask = mask;
    micro_access(h, "LDG.E", 4, 6, 4, -1, from);
    h->steps[h->step_count - 1].mask = mask;
    micro_access(h, "STS", 4, -1, 9, 6, into);
    h->steps[h->step_count - 1].mask = mask;
    to_here(h, part);
    hand_add(h, "BSYNC", -1, -1, -1, -1);
}

static void write_tiled(struct hand *h, const struct micro_call *c, uint64_t ctas)
{
    struct shape s = shape_of(c);
    int64_t r = s.radius, past = s.threads;

    write_head(h, c, ctas);
    h->base.info.shared_bytes = (s.threads + s.taps - 1) * 4;
    h->runs = halo_runs;
    write_halo(h, 0, s.radius, MICRO_ARRAY(0, -past), MICRO_ARRAY(SHARED_ARRAY, r - past));
    micro_access(h, "LDG.E", 4, 6, 2, -1, MICRO_ARRAY(0, 0));
    micro_access(h, "STS", 4, -1, 9, 6, MICRO_ARRAY(SHARED_ARRAY, r));
    write_halo(h, 1, s.radius, MICRO_ARRAY(0, past), MICRO_ARRAY(SHARED_ARRAY, r + past));
    hand_add(h, "BAR.SYNC.DEFER_BLOCKING", -1, -1, -1, -1);
    for (uint32_t k = 0; k < s.taps; k++)
        micro_access(h, "LDS", 4, (int)(12 + k), 9, -1, MICRO_ARRAY(SHARED_ARRAY, k));
    for (uint32_t k = 0; k < s.taps; k++) {
        hand_add(h, "ULDC", -1, -1, -1, -1);
        hand_add(h, "FFMA", 7, (int)(12 + k), 7, -1);
    }
    hand_add(h, "BRA", -1, -1, -1, -1);
    write_tail(h);
}

/* A tap whose lanes read the tile, but those outside read memory: few lanes of the CTA's first or last warp. */
static void write_cached_tap(struct hand *h, int64_t offset)
{
    uint32_t outside = (uint32_t)(offset < 0 ? -offset : offset), part = offset < 0 ? 1 : 0;
    uint32_t mask = part ? (1u << outside) - 1 : ~(FULL_MASK >> outside);

    hand_add(h, "BSSY", -1, -1, -1, -1);
    hand_add(h, "ISETP.GE.AND", -1, 9, -1, -1);
    hand_add(h, "ISETP.LT.OR", -1, 9, -1, -1);
    hand_add(h, "BRA", -1, -1, -1, -1);
    hand_add(h, "ISETP.LT.AND", -1, 9, -1, -1);
    hand_add(h, "ISETP.GE.OR", -1, 9, -1, -1);
    hand_add(h, "BRA", -1, -1, -1, -1);
    if (offset) {
        uint32_t load = hand_define(h, "LDG.E.EDGE", 4, 10, 2, -1, -1),
                 sum = hand_define(h, "FFMA", 0, 7, 10, 7, -1);

        h->insts[load].immediate = MICRO_ARRAY(0, offset);
        hand_step(h, load, mask);
        hand_step(h, sum, mask);
    }
    micro_access(h, "LDS", 4, 10, 9, -1, MICRO_ARRAY(SHARED_ARRAY, offset));
    hand_add(h, "ULDC", -1, -1, -1, -1);
    hand_add(h, "FFMA", 7, 10, 7, -1);
    hand_add(h, "BSYNC", -1, -1, -1, -1);
    hand_add(h, "IADD3", 9, 9, -1, -1);
}

/* Lanes outside the tile are only in the first warp (offset before the thread) or in the last. */
static bool edge_runs(const struct hand *h, uint64_t cta, uint32_t warp, uint32_t step)
{
    (void)cta;
    if (h->steps[step].mask == FULL_MASK || !h->steps[step].mask)
        return true;
    return h->steps[step].mask & 1 ? warp == 0 : warp + 1 == h->warps;
}

static void write_tiled_cache(struct hand *h, const struct micro_call *c, uint64_t ctas)
{
    struct shape s = shape_of(c);

    write_head(h, c, ctas);
    h->base.info.shared_bytes = s.threads * 4;
    h->runs = edge_runs;
    micro_access(h, "LDG.E", 4, 6, 2, -1, MICRO_ARRAY(0, 0));
    micro_access(h, "STS", 4, -1, 9, 6, MICRO_ARRAY(SHARED_ARRAY, 0));
    hand_add(h, "BAR.SYNC.DEFER_BLOCKING", -1, -1, -1, -1);
    for (uint32_t k = 0; k < s.taps; k++)
        write_cached_tap(h, (int64_t)k - s.radius);
    hand_add(h, "BRA", -1, -1, -1, -1);
    write_tail(h);
}

static int conv1d(struct micro_call *c, double *out, struct err *e)
{
    uint32_t threads = shape_of(c).threads;
    micro_kernel_fn *write = strcmp(c->opcode, "tiled") == 0         ? write_tiled
                             : strcmp(c->opcode, "tiled_cache") == 0 ? write_tiled_cache
                                                                     : write_straight;

    return micro_kernel(c, write, micro_arg(c, 1, 64 << 20) / threads, threads * 8ull, out, NULL, e);
}

const struct micro micro_conv[] = {
    {"conv1d", "basic|constmask|tiled|tiled_cache N [mask=N] [threads=N]", "us", "convolution of N floats", conv1d},
    {NULL, NULL, NULL, NULL, NULL},
};
