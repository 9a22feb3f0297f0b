/* y = A x of unsigned words, one thread one row, so that the lanes of a load are whole rows apart: x straight from
 * memory, or through a tile of shared memory with an element for each thread of the CTA. The loop over a tile is
 * unrolled four times, as ptxas does where it does not know the count. */
#include <stdlib.h>
#include <string.h>

#include "simcore/gpu.h"
#include "simcore/validation/micro.h"

enum {
    A = 0,
    X = 1,
    Y = 2,
    TILE_OWN = 14,
    TILE_ALL = 15,
    UNROLL = 4,
    COLUMNS_MAX = 4096,
    STEPS_MAX = 8 * COLUMNS_MAX
};

/* The column of A, or the element of x, that a step is about. */
static uint32_t column[STEPS_MAX];

static void matvec_address(const struct hand *h, uint64_t cta, uint32_t warp, uint32_t step,
                           struct address_set *out)
{
    uint64_t array = (uint64_t)h->insts[h->steps[step].inst].immediate >> 32, columns = h->number;
    uint64_t first = (uint64_t)warp * WARP_LANES, row = cta * h->base.info.block[0] + first, at = column[step];

    switch (array) {
    case A: at += row * columns; break;
    case X: at += h->base.info.shared_bytes ? first : 0; break; /* its own for the tile, or one for all */
    case Y: at = row; break;
    case TILE_OWN: at = first; break;
    default: at %= h->base.info.block[0]; break;
    }
    out->base = (array >= TILE_OWN ? 0 : 0x7f0000000000 + (array << 32)) + at * 4;
    if (array == A)
        out->stride = (int64_t)columns * 4;
    else
        out->stride = array == TILE_ALL || (array == X && !h->base.info.shared_bytes) ? 0 : 4;
}

static void about(struct hand *h, uint32_t inst, uint64_t at)
{
    if (h->step_count >= STEPS_MAX)
        abort();
    column[h->step_count] = (uint32_t)at;
    hand_step(h, inst, FULL_MASK);
}

static void write_begin(struct hand *h, const struct micro_call *c, uint64_t ctas)
{
    hand_init(h, ctas, (uint32_t)micro_option(c, "threads", 512));
    h->address = matvec_address;
    h->number = micro_arg(c, 1, COLUMNS_MAX);
    hand_add(h, "S2R", 0, -1, -1, -1);
    hand_add(h, "S2R", 3, -1, -1, -1);
    hand_add(h, "IMAD", 0, 0, 3, -1);
    hand_add(h, "ISETP.GE.AND", -1, 0, -1, -1);
    hand_add(h, "IMAD.WIDE", 2, 0, 5, -1);
}

static uint32_t define(struct hand *h, const char *opcode, int dst, int a, int b, uint32_t array)
{
    uint32_t inst = hand_define(h, opcode, 4, dst, a, b, -1);

    h->insts[inst].immediate = MICRO_ARRAY(array, 0);
    return inst;
}

static void write_matvec(struct hand *h, const struct micro_call *c, uint64_t ctas)
{
    bool shared = strcmp(c->opcode, "shared") == 0;
    uint32_t of_a[UNROLL], of_x[UNROLL], sum[UNROLL], bring, put, barrier, test, branch, add, threads;

    write_begin(h, c, ctas);
    threads = (uint32_t)micro_option(c, "threads", 512);
    h->base.info.shared_bytes = shared ? threads * 4 : 0;
    for (int k = 0; k < UNROLL; k++) {
        of_a[k] = define(h, "LDG.E", 32 + k, 2, -1, A);
        of_x[k] = define(h, shared ? "LDS" : "LDG.E", 40 + k, 6, -1, shared ? TILE_ALL : X);
        sum[k] = hand_define(h, "IMAD", 0, 24, 32 + k, 40 + k, 24);
    }
    bring = define(h, "LDG.E", 20, 8, -1, X);
    put = define(h, "STS", -1, 9, 20, TILE_OWN);
    barrier = hand_define(h, "BAR.SYNC.DEFER_BLOCKING", 0, -1, -1, -1, -1);
    add = hand_define(h, "IADD3", 0, 6, 6, -1, -1);
    test = hand_define(h, "ISETP.NE.AND", 0, -1, 6, -1, -1);
    branch = hand_define(h, "BRA", 0, -1, -1, -1, -1);
    for (uint64_t at = 0; at < h->number; at += UNROLL) {
        if (shared && at % threads == 0) {
            hand_step(h, barrier, FULL_MASK);
            about(h, bring, at);
            about(h, put, at);
            hand_step(h, barrier, FULL_MASK);
        }
        for (uint32_t k = 0; k < UNROLL; k++) {
            about(h, of_a[k], at + k);
            about(h, of_x[k], at + k);
        }
        for (uint32_t k = 0; k < UNROLL; k++)
            hand_step(h, sum[k], FULL_MASK);
        hand_step(h, add, FULL_MASK);
        hand_step(h, add, FULL_MASK);
        hand_step(h, test, FULL_MASK);
        hand_step(h, branch, FULL_MASK);
    }
    about(h, define(h, "STG.E", -1, 2, 24, Y), 0);
    hand_add(h, "EXIT", -1, -1, -1, -1);
}

static int matvec(struct micro_call *c, double *out, struct err *e)
{
    uint64_t rows = micro_arg(c, 1, COLUMNS_MAX), threads = micro_option(c, "threads", 512);

    if (rows > COLUMNS_MAX || rows % threads || threads % WARP_LANES)
        return err_set(e, ERR_INVALID, "N is at most %d, and a multiple of the threads", COLUMNS_MAX);
    return micro_kernel(c, write_matvec, rows / threads, 0, out, NULL, e);
}

const struct micro micro_matvec[] = {
    {"matvec", "naive|shared N [threads=N]", "us",
     "product of a matrix of N x N words and a vector, one thread per row", matvec},
    {NULL, NULL, NULL, NULL, NULL},
};
