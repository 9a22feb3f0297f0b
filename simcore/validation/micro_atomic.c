/* Atomics: reductions of all warps on a few words, and what a returning one takes. */
#include "simcore/validation/micro.h"

#include "simcore/gpu.h"

#define WORDS 0x7f0000000000
enum { REPEATS = 16 };

/* Lane i works on word i mod `number`. */
static void few_words(const struct hand *h, uint64_t cta, uint32_t warp, uint32_t step, struct address_set *out)
{
    (void)cta, (void)warp, (void)step;
    out->is_list = true;
    for (uint32_t lane = 0; lane < WARP_LANES; lane++)
        out->lanes[lane] = WORDS + lane % h->number * 4;
}

/* The same in lines of each warp's own. */
static void own_words(const struct hand *h, uint64_t cta, uint32_t warp, uint32_t step, struct address_set *out)
{
    few_words(h, cta, warp, step, out);
    for (uint32_t lane = 0; lane < WARP_LANES; lane++)
        out->lanes[lane] += (cta * h->warps + warp) * 128;
}

static void write_reductions(struct hand *h, const struct micro_call *c, uint64_t repeats)
{
    hand_init(h, micro_option(c, "ctas", c->design->sms), (uint32_t)micro_option(c, "threads", 256));
    h->address = micro_option(c, "own", 0) ? own_words : few_words;
    h->number = micro_arg(c, 0, 1);
    hand_define(h, "RED.E.ADD.STRONG.GPU", 4, -1, 2, 5, -1);
    for (uint64_t k = 0; k < repeats; k++)
        hand_step(h, 0, FULL_MASK);
}

/* Nanoseconds a warp instruction, whole GPU. */
static int atomic(struct micro_call *c, double *out, struct err *e)
{
    uint64_t warps = micro_option(c, "ctas", c->design->sms) * ((micro_option(c, "threads", 256) + 31) / 32);

    if (micro_slope(c, write_reductions, 4, REPEATS, out, e) < 0)
        return -1;
    *out /= (double)warps * micro_ghz(c->design);
    return 0;
}

static void write_returning(struct hand *h, const struct micro_call *c, uint64_t repeats)
{
    (void)c;
    hand_init(h, 1, 32);
    h->address = few_words;
    h->number = 1;
    hand_define(h, "ATOMG.E.ADD.STRONG.GPU", 4, 4, 4, 5, -1);
    for (uint64_t k = 0; k < repeats; k++)
        hand_step(h, 0, 1);
}

static void one_shared_word(const struct hand *h, uint64_t cta, uint32_t warp, uint32_t step,
                            struct address_set *out)
{
    (void)h, (void)cta, (void)warp, (void)step;
    out->base = out->stride = 0;
}

static void write_shared_atomics(struct hand *h, const struct micro_call *c, uint64_t repeats)
{
    hand_init(h, 1, (uint32_t)micro_option(c, "threads", 512));
    h->base.info.shared_bytes = 2048;
    h->address = one_shared_word;
    hand_define(h, c->design->compute_capability < 80 ? "ATOMS.ADD" : "ATOMS.POPC.INC.32", 4, -1, 2, -1, -1);
    for (uint64_t k = 0; k < repeats; k++)
        hand_step(h, 0, FULL_MASK);
}

/* Clocks a warp instruction, one SM. */
static int shared_atomic(struct micro_call *c, double *out, struct err *e)
{
    if (micro_slope(c, write_shared_atomics, 4, REPEATS, out, e) < 0)
        return -1;
    *out /= (double)micro_option(c, "threads", 512) / WARP_LANES;
    return 0;
}

static int atomic_latency(struct micro_call *c, double *out, struct err *e)
{
    return micro_slope(c, write_returning, 4, 64, out, e);
}

const struct micro micro_atomic[] = {
    {"atomic", "WORDS [threads=N] [ctas=N] [own=1]", "ns a warp instruction",
     "every warp adds to that many words of one line, or of a line of its own", atomic},
    {"shared_atomic", "[threads=N]", "clocks a warp instruction", "all lanes of all warps add to one shared word",
     shared_atomic},
    {"atomic_latency", "", "clocks", "one lane waits for each atomic's old value", atomic_latency},
    {NULL, NULL, NULL, NULL, NULL},
};
