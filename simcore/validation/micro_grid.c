/* Kernels on a plane of floats (z = x + y), and what a CTA too many costs. */
#include <string.h>

#include "simcore/gpu.h"
#include "simcore/validation/micro.h"

enum { EDGE = 16 };

/* CTAs of 16 x 16 threads over n x n floats, row-major. Threads count along rows, or ("column") across them. */
static void plane_address(const struct hand *h, uint64_t cta, uint32_t warp, uint32_t step, struct address_set *out)
{
    uint64_t n = h->number, across = n / EDGE, array = (uint64_t)h->insts[h->steps[step].inst].immediate;
    uint64_t x0 = cta % across * EDGE, y0 = cta / across * EDGE + (uint64_t)warp * 2;

    out->is_list = true;
    for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
        uint64_t x = x0 + lane % EDGE, y = y0 + lane / EDGE;

        out->lanes[lane] = 0x7f0000000000 + (array << 32) + (h->ctx ? x * n + y : y * n + x) * 4;
    }
}

/* What a thread of a plane does first: its column and its row, each compared with the edge. */
static void write_plane_head(struct hand *h)
{
    hand_add(h, "MOV", 1, -1, -1, -1);
    hand_add(h, "S2R", 3, -1, -1, -1);
    hand_add(h, "S2R", 2, -1, -1, -1);
    hand_add(h, "S2R", 0, -1, -1, -1);
    hand_add(h, "S2R", 5, -1, -1, -1);
    hand_add(h, "IMAD", 3, 3, 2, -1);
    hand_add(h, "ISETP.GE.AND", -1, 3, -1, -1);
    hand_add(h, "IMAD", 0, 0, 5, -1);
    hand_add(h, "ISETP.GE.OR", -1, 0, -1, -1);
    hand_add(h, "EXIT", -1, -1, -1, -1);
    h->steps[h->step_count - 1].mask = 0;
}

static void write_add2d(struct hand *h, const struct micro_call *c, uint64_t ctas)
{
    hand_init(h, ctas, EDGE * EDGE);
    h->base.info.registers = 12;
    h->address = plane_address;
    h->number = micro_arg(c, 1, 8192);
    h->ctx = strcmp(c->opcode, "column") == 0 ? c : NULL;
    write_plane_head(h);
    hand_add(h, "MOV", 7, -1, -1, -1);
    hand_add(h, "IMAD", 0, 3, 0, -1);
    hand_add(h, "IMAD.WIDE", 4, 0, 7, -1);
    hand_add(h, "IMAD.WIDE", 2, 0, 7, -1);
    micro_access(h, "LDG.E", 4, 8, 4, -1, 0);
    micro_access(h, "LDG.E", 4, 9, 2, -1, 1);
    hand_add(h, "IMAD.WIDE", 6, 0, 7, -1);
    hand_add(h, "FADD", 9, 8, 9, -1);
    micro_access(h, "STG.E", 4, -1, 6, 9, 2);
    hand_add(h, "EXIT", -1, -1, -1, -1);
}

static int add2d(struct micro_call *c, double *out, struct err *e)
{
    uint64_t across = micro_arg(c, 1, 8192) / EDGE;

    return micro_kernel(c, write_add2d, across * across, (uint64_t)EDGE * EDGE * 12, out, NULL, e);
}

/* --- a CTA too many --- */

static void write_busy(struct hand *h, const struct micro_call *c, uint64_t ctas)
{
    uint32_t op;

    (void)c;
    hand_init(h, ctas, 256);
    op = hand_define(h, "FFMA", 0, 8, 8, 4, 6);
    for (uint32_t i = 0; i < 600; i++) /* long enough that the first CTA's cold code is a small part */
        hand_step(h, op, FULL_MASK);
}

static int busy_cycles(struct micro_call *c, uint64_t ctas, uint64_t *cycles, struct err *e)
{
    struct hand h;

    write_busy(&h, c, ctas);
    return micro_cycles(c, &h, cycles, e);
}

/* Time that one CTA beyond a full wave adds, as a part of what a CTA takes alone. */
static int tail(struct micro_call *c, double *out, struct err *e)
{
    const struct kernel_info k = {.block = {256, 1, 1}, .registers = 32};
    uint64_t full = design_wave_ctas(c->design, &k), alone, whole, more;

    if (busy_cycles(c, 1, &alone, e) < 0 || busy_cycles(c, full, &whole, e) < 0 ||
        busy_cycles(c, full + 1, &more, e) < 0)
        return -1;
    *out = (double)(more - whole) / (double)alone;
    return 0;
}

const struct micro micro_grid[] = {
    {"add2d", "row|column N", "us", "z = x + y on N x N floats, CTAs of 16 x 16 threads", add2d},
    {"tail", "", "CTAs", "what one CTA beyond a full wave costs, in times of a CTA alone", tail},
    {NULL, NULL, NULL, NULL, NULL},
};
