/* Latencies: one lane, or one warp, that waits for each result before it continues. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/rng.h"
#include "simcore/gpu.h"
#include "simcore/validation/micro.h"

#define CHASE_BASE 0x7f0000000000
enum { ELEMENT_BYTES = 128, CHASE_MEASURED = 16384 };

/* --- one lane follows a chain of pointers in a random cycle ---
 * One element a line, or closer with stride=BYTES. The curves of gpu-benches have 64 bytes: each line is touched
 * twice a lap, after two gaps of random length. Where the footprint is a little larger than a cache, LRU then keeps
 * the lines of short gaps; of one element a line it would keep none. */

static void chase_address(const struct hand *h, uint64_t cta, uint32_t warp, uint32_t step, struct address_set *out)
{
    const uint32_t *order = h->ctx;

    (void)cta, (void)warp;
    out->base = CHASE_BASE + order[step % h->number];
    out->stride = 0;
}

/* The offsets of n elements in a random order. */
static uint32_t *random_order(uint32_t n, uint32_t stride_bytes, struct err *e)
{
    uint32_t *order = mem_zalloc(n, sizeof *order, e);
    struct rng r;

    if (!order)
        return NULL;
    rng_init(&r, 1, 0, RNG_TEST);
    for (uint32_t i = 0; i < n; i++)
        order[i] = i * stride_bytes;
    for (uint32_t i = n; i > 1; i--) {
        uint32_t j = (uint32_t)rng_below(&r, i), t = order[i - 1];

        order[i - 1] = order[j];
        order[j] = t;
    }
    return order;
}

struct chase {
    const uint32_t *order;
    uint32_t elements, shared_bytes;
    const char *opcode;
};

static int chase_run(struct micro_call *c, const struct chase *ch, uint32_t steps, uint64_t *cycles, struct err *e)
{
    struct hand h;
    uint32_t load;

    hand_init(&h, 1, 32);
    h.base.info.shared_bytes = ch->shared_bytes;
    load = hand_define(&h, ch->opcode, 4, 4, 4, -1, -1);
    for (uint32_t i = 0; i < steps; i++)
        hand_step(&h, load, 1);
    h.address = chase_address;
    h.ctx = ch->order;
    h.number = ch->elements;
    return micro_cycles(c, &h, cycles, e);
}

/* Clocks an access, after two laps where the footprint can stay in a cache (one where that is L2). */
static int chase_clocks(struct micro_call *c, uint64_t bytes, const char *opcode, double *out, struct err *e)
{
    uint32_t stride = (uint32_t)micro_option(c, "stride", ELEMENT_BYTES);
    struct chase ch = {.elements = (uint32_t)(bytes / stride),
                       .shared_bytes = (uint32_t)micro_option(c, "shared", 0),
                       .opcode = opcode};
    uint32_t laps = bytes <= 512 << 10 ? 2 : bytes <= c->design->l2_bytes + c->design->l2_bytes / 2 ? 1 : 0;
    uint32_t before = laps * ch.elements, measured = ch.elements < CHASE_MEASURED ? ch.elements : CHASE_MEASURED;
    uint32_t *order = random_order(ch.elements, stride, e);
    uint64_t upto[2];
    int ret = -1;

    ch.order = order;
    if (order && chase_run(c, &ch, before + 1, &upto[0], e) == 0 &&
        chase_run(c, &ch, before + 1 + measured, &upto[1], e) == 0) {
        *out = (double)(upto[1] - upto[0]) / measured;
        ret = 0;
    }
    free(order);
    return ret;
}

static int chase(struct micro_call *c, double *out, struct err *e)
{
    return chase_clocks(c, micro_arg(c, 0, 1 << 20), "LDG.E.CA.SYS", out, e);
}

/* Loads of GPU scope bypass L1. */
static int chase_l2(struct micro_call *c, double *out, struct err *e)
{
    return chase_clocks(c, micro_arg(c, 0, 1 << 20), "LDG.E.STRONG.GPU", out, e);
}

/* The largest footprint in KB whose accesses take at most a tenth longer than an L1 hit. */
static int l1_edge(struct micro_call *c, double *out, struct err *e)
{
    uint32_t low = 8, high = c->design->unified_bytes >> 10; /* in KB: the step lies between */

    while (high - low > 1) {
        uint32_t middle = (low + high) / 2;
        double clocks;

        if (chase_clocks(c, (uint64_t)middle << 10, "LDG.E.SYS", &clocks, e) < 0)
            return -1;
        if (clocks <= 1.1 * c->design->l1_latency)
            low = middle;
        else
            high = middle;
    }
    *out = low;
    return 0;
}

/* --- every pair of an SM and a line: what the floor plan of the network makes of L2's latency --- */

enum { PAIR_LOADS = 8, PAIR_LINES = 64 };

static void one_line(const struct hand *h, uint64_t cta, uint32_t warp, uint32_t step, struct address_set *out)
{
    (void)cta, (void)warp, (void)step;
    out->base = CHASE_BASE + h->number * ELEMENT_BYTES;
    out->stride = 0;
}

/* Only the last CTA does anything; those before fill the SMs before its own. */
static bool only_last(const struct hand *h, uint64_t cta, uint32_t warp, uint32_t step)
{
    (void)warp;
    return cta + 1 == h->ctas || step + 1 == h->step_count;
}

static int pair_clocks(struct micro_call *c, uint32_t sm, uint32_t line, double *out, struct err *e)
{
    uint64_t time[2];

    for (uint32_t run = 0; run < 2; run++) {
        struct hand h;
        uint32_t load;

        hand_init(&h, sm + 1, 32);
        h.address = one_line;
        h.runs = only_last;
        h.number = line;
        load = hand_define(&h, "LDG.E.STRONG.GPU", 4, 4, 4, -1, -1);
        for (uint32_t i = 0; i < 1 + PAIR_LOADS * run; i++)
            hand_step(&h, load, 1);
        hand_add(&h, "EXIT", -1, 4, -1, -1);
        if (micro_cycles(c, &h, &time[run], e) < 0)
            return -1;
    }
    *out = (double)(time[1] - time[0]) / PAIR_LOADS;
    return 0;
}

/* mean, least or most clocks of an L2 hit over SMs (every third) and lines. */
static int l2_pairs(struct micro_call *c, double *out, struct err *e)
{
    double sum = 0, least = 1e9, most = 0, clocks;
    uint32_t pairs = 0;

    for (uint32_t sm = 0; sm < c->design->sms; sm += 3)
        for (uint32_t line = 0; line < PAIR_LINES; line++, pairs++) {
            if (pair_clocks(c, sm, line * 17, &clocks, e) < 0)
                return -1;
            sum += clocks;
            least = clocks < least ? clocks : least;
            most = clocks > most ? clocks : most;
        }
    *out = strcmp(c->opcode, "least") == 0 ? least : strcmp(c->opcode, "most") == 0 ? most : sum / pairs;
    return 0;
}

/* --- one warp, one chain of dependent instructions --- */

static void shared_address(const struct hand *h, uint64_t cta, uint32_t warp, uint32_t step,
                           struct address_set *out)
{
    (void)h, (void)cta, (void)warp, (void)step;
    out->base = 0;
    out->stride = 4;
}

static void write_chain(struct hand *h, const struct micro_call *c, uint64_t repeats)
{
    bool memory = strncmp(c->opcode, "LDS", 3) == 0 || strncmp(c->opcode, "ATOMS", 5) == 0;
    uint32_t op;

    hand_init(h, 1, 32);
    h->address = shared_address;
    op = hand_define(h, c->opcode, memory ? 4 : 0, 8, 8, memory ? -1 : 4, memory ? -1 : 6);
    for (uint64_t i = 0; i < repeats; i++)
        hand_step(h, op, FULL_MASK);
}

static int chain(struct micro_call *c, double *out, struct err *e)
{
    return micro_slope(c, write_chain, 64, 1024, out, e);
}

const struct micro micro_latency[] = {
    {"chase", "BYTES [stride=BYTES] [shared=BYTES]", "clocks",
     "one lane follows pointers 128 bytes apart, or that many, in a random cycle", chase},
    {"chase_l2", "BYTES", "clocks", "the same with loads that bypass L1", chase_l2},
    {"l1_edge", "", "KB", "the largest footprint that L1 still holds", l1_edge},
    {"l2_pairs", "mean|least|most", "clocks", "L2 hits over pairs of an SM and a line", l2_pairs},
    {"chain", "OPCODE", "clocks", "one warp, each instruction needs the result of the one before", chain},
    {NULL, NULL, NULL, NULL, NULL},
};
