/* C = A B of unsigned words, n x n, one thread one output, CTAs of 16 x 16 threads: straight from memory, or
 * through tiles of shared memory whose size the compiler does not know. Both loops are unrolled 16 times, as ptxas
 * does. */
#include <string.h>

#include "simcore/gpu.h"
#include "simcore/validation/micro.h"

enum { EDGE = 16, A = 0, B = 1, C = 2, TILE_A = 14, TILE_B = 15 };

/* A kernel is a head, a body that runs n / 16 times, and a tail. `number` holds n and where the body begins; `ctx`
 * its length in steps. */
static uint64_t turn_of(const struct hand *h, uint32_t step)
{
    uint64_t head = h->number >> 32, body = (uint64_t)(uintptr_t)h->ctx;

    return step < head || !body ? 0 : (step - head) / body;
}

/* Lanes 0..15 of a warp are one row of the tile, 16..31 the next. An immediate says which array, and the k (0..15)
 * of the element within the turn; 16: the element that the thread itself brings into a tile. */
static void matmul_address(const struct hand *h, uint64_t cta, uint32_t warp, uint32_t step,
                           struct address_set *out)
{
    const struct trace_inst *t = &h->insts[h->steps[step].inst];
    uint64_t n = h->number & 0xffffffff, tiles = n / EDGE, k = (uint64_t)(t->immediate & 31);
    uint64_t x0 = cta % tiles * EDGE, y0 = cta / tiles * EDGE, array = (uint64_t)t->immediate >> 32;
    uint64_t at_k = turn_of(h, step) * EDGE;

    out->is_list = true;
    for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
        uint64_t tx = lane % EDGE, ty = warp * 2 + lane / EDGE, at;

        switch (array) {
        case A: at = (y0 + ty) * n + at_k + (k < EDGE ? k : tx); break;
        case B: at = (at_k + (k < EDGE ? k : ty)) * n + x0 + tx; break;
        case C: at = (y0 + ty) * n + x0 + tx; break;
        case TILE_A: at = ty * EDGE + (k < EDGE ? k : tx); break;
        default: at = (uint64_t)EDGE * EDGE + (k < EDGE ? k : ty) * EDGE + tx; break;
        }
        out->lanes[lane] = array >= TILE_A ? at * 4 : 0x7f0000000000 + (array << 32) + at * 4;
    }
}

static void integers(struct hand *h, uint32_t count, int reg)
{
    for (uint32_t i = 0; i < count; i++)
        hand_add(h, i % 2 ? "IMAD" : "IADD3", reg + (int)(i % 4), reg + (int)((i + 3) % 4), 5, -1);
}

/* Ends the body, which began at step `head`, and runs it for all of n. */
static void turns(struct hand *h, size_t head, uint64_t n)
{
    size_t body = h->step_count - head;

    for (uint64_t turn = 1; turn < n / EDGE; turn++)
        for (size_t i = 0; i < body; i++)
            hand_step(h, h->steps[head + i].inst, h->steps[head + i].mask);
    h->number = n | (uint64_t)head << 32;
    h->ctx = (const void *)(uintptr_t)body;
}

static void write_begin(struct hand *h, uint64_t ctas)
{
    hand_init(h, ctas, EDGE * EDGE);
    h->address = matmul_address;
    hand_add(h, "MOV", 1, -1, -1, -1);
    for (int i = 0; i < 4; i++)
        hand_add(h, "S2R", i, -1, -1, -1);
    hand_add(h, "IMAD", 0, 0, 1, -1);
    hand_add(h, "ISETP.GE.AND", -1, 0, -1, -1);
    hand_add(h, "IMAD", 3, 2, 3, -1);
    hand_add(h, "ISETP.GE.OR", -1, 3, -1, -1);
    hand_add(h, "EXIT", -1, -1, -1, -1);
    h->steps[h->step_count - 1].mask = 0;
    integers(h, 12, 4);
}

static void write_end(struct hand *h)
{
    hand_add(h, "MOV", 2, -1, -1, -1);
    hand_add(h, "IMAD", 3, 3, 0, -1);
    hand_add(h, "IMAD.WIDE", 2, 3, 2, -1);
    micro_access(h, "STG.E", 4, -1, 2, 24, MICRO_ARRAY(C, 0));
    hand_add(h, "EXIT", -1, -1, -1, -1);
}

static void write_naive(struct hand *h, const struct micro_call *c, uint64_t ctas)
{
    size_t head;

    write_begin(h, ctas);
    head = h->step_count;
    integers(h, 2, 12);
    /* All loads of a turn, eight of each array ahead of the sums that need them. */
    for (int k = 0; k < EDGE; k++) {
        hand_add(h, "IMAD.WIDE", 8, 7, 8, -1);
        micro_access(h, "LDG.E", 4, 32 + k % 8, 12, -1, MICRO_ARRAY(A, k));
        micro_access(h, "LDG.E", 4, 40 + k % 8, 8, -1, MICRO_ARRAY(B, k));
        if (k >= 7)
            hand_add(h, "IMAD", 24, 32 + (k - 7) % 8, 40 + (k - 7) % 8, 24);
    }
    for (int k = 1; k < 8; k++)
        hand_add(h, "IMAD", 24, 32 + k, 40 + k, 24);
    integers(h, 3, 12);
    hand_add(h, "ISETP.GT.AND", -1, 5, -1, -1);
    hand_add(h, "BRA", -1, -1, -1, -1);
    turns(h, head, micro_arg(c, 1, 512));
    write_end(h);
}

/* Four of a tile's 16 products: the addresses, the words, the sums. */
static void write_products(struct hand *h, int k)
{
    integers(h, 6, 12);
    for (int i = 0; i < 4; i++) {
        micro_access(h, "LDS", 4, 32 + i, 12 + i % 4, -1, MICRO_ARRAY(TILE_A, k + i));
        micro_access(h, "LDS", 4, 40 + i, 12 + i % 4, -1, MICRO_ARRAY(TILE_B, k + i));
    }
    for (int i = 0; i < 4; i++)
        hand_add(h, "IMAD", 24, 32 + i, 40 + i, 24);
}

static void write_tiled(struct hand *h, const struct micro_call *c, uint64_t ctas)
{
    size_t head;

    write_begin(h, ctas);
    h->base.info.shared_bytes = 2 * EDGE * EDGE * 4;
    head = h->step_count;
    integers(h, 14, 12);
    for (int i = 0; i < 4; i++)
        hand_add(h, "ISETP.GE.AND", -1, 12 + i, -1, -1);
    for (uint32_t array = A; array <= B; array++)
        micro_access(h, "LDG.E", 4, (int)(20 + array), 12, -1, MICRO_ARRAY(array, EDGE));
    integers(h, 4, 12);
    for (uint32_t array = A; array <= B; array++)
        micro_access(h, "STS", 4, -1, 13, (int)(20 + array), MICRO_ARRAY(TILE_A + array, EDGE));
    hand_add(h, "BAR.SYNC.DEFER_BLOCKING", -1, -1, -1, -1);
    integers(h, 4, 12);
    hand_add(h, "BRA", -1, -1, -1, -1);
    for (int k = 0; k < EDGE; k += 4)
        write_products(h, k);
    hand_add(h, "ISETP.NE.AND", -1, 12, -1, -1);
    hand_add(h, "BRA", -1, -1, -1, -1);
    hand_add(h, "BAR.SYNC.DEFER_BLOCKING", -1, -1, -1, -1);
    hand_add(h, "BRA", -1, -1, -1, -1);
    turns(h, head, micro_arg(c, 1, 512));
    write_end(h);
}

static int matmul(struct micro_call *c, double *out, struct err *e)
{
    uint64_t tiles = micro_arg(c, 1, 512) / EDGE;

    return micro_kernel(c, strcmp(c->opcode, "tiled") == 0 ? write_tiled : write_naive, tiles * tiles, 0, out, NULL,
                        e);
}

const struct micro micro_matmul[] = {
    {"matmul", "naive|tiled N", "us", "product of N x N words, one thread one output", matmul},
    {NULL, NULL, NULL, NULL, NULL},
};
