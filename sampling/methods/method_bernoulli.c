/* Bernoulli sampling: every launch is kept with probability p, independently of the others. The random baseline of
 * STEM+ROOT (Chung, Na, Kang, Kim, MICRO 2025: p = 0.1 % for large workloads, 10 % for Rodinia).
 *
 *     total = N mean of the kept launches (Hajek);   V given n = N^2 (1 - n/N) S^2 / n
 *
 * Source: Saerndal, Swensson, Wretman, Model Assisted Survey Sampling (1992), chapter 3. The number kept is random;
 * given it, every set of n launches is as likely as any other, so the formulas of `srs` apply with that n, and the
 * mean is unbiased. (The estimator sum / p would include the variance of n too.) p is the given share, or the
 * sample size of `srs` for the error divided by N. Half of the seeds then keep fewer launches than `srs` needs and
 * have a wider interval. Fewer than two launches give no variance; then two are drawn at random instead. The random
 * numbers are drawn in launch order from one stream, so a larger p keeps all launches of a smaller p. */
#include <stdio.h>
#include <stdlib.h>

#include "base/hash.h"
#include "sampling/methods/method.h"
#include "sampling/strata/random_sample.h"

#define COINS 256 /* random numbers that are made at once */

/* Moves the kept ids to the front and returns their number. If fewer than `least` are kept, draws `least` at random
 * from all. */
static uint64_t toss(uint32_t *ids, uint64_t count, double p, uint64_t least, uint64_t seed)
{
    static const char coins[] = "bernoulli", instead[] = "bernoulli, too few";
    uint64_t coin[COINS], kept = 0;
    struct rng r;

    rng_init(&r, seed, hash_fnv1a(coins, sizeof coins), RNG_DRAW);
    for (uint64_t i = 0; i < count; i++) {
        uint32_t id = ids[i];

        if (i % COINS == 0)
            rng_fill_u64(&r, coin, count - i < COINS ? (size_t)(count - i) : COINS);
        if (rng_unit_of(coin[i % COINS]) >= p)
            continue;
        ids[i] = ids[kept];
        ids[kept++] = id;
    }
    if (kept >= least)
        return kept;
    rng_init(&r, seed, hash_fnv1a(instead, sizeof instead), RNG_DRAW);
    for (kept = 0; kept < least; kept++)
        random_next(&r, ids, kept, count);
    return kept;
}

static int bernoulli_redraw(const struct profile *p, const struct plan_params *params, struct strata *out,
                            struct err *e)
{
    const struct random_frame *frame = out->kept;
    const struct random_population *all = &frame->all;
    uint32_t *ids = random_frame_copy(frame, e);
    uint64_t n;
    double share;
    int ret;

    if (!ids)
        return -1;
    strata_clear(out);
    share = params->share > 0 ? params->share : (double)random_size(all, params) / (double)all->count;
    n = toss(ids, all->count, share, all->count < 2 ? 1 : 2, params->seed);
    snprintf(out->note, sizeof out->note, "Each launch was kept with probability %.4g %%: %llu of %llu.",
             100 * share, (unsigned long long)n, (unsigned long long)all->count);
    random_finish(all, n, params, out);
    ret = strata_add_chosen(out, p, 0, 0, 0, out->groups.run_count, ids, n, e);
    free(ids);
    return ret;
}

static int bernoulli_stratify(const struct profile *p, const struct plan_params *params, struct strata *out,
                              struct err *e)
{
    return random_frame_make(p, out, e) ? bernoulli_redraw(p, params, out, e) : -1;
}

const struct method method_bernoulli = {
    .name = "bernoulli",
    .title = "Random, by coin",
    .takes = TAKES_SHARE,
    .sentence = "Keeps every launch with the same probability (a given share, or what the error needs). So the "
                "number of samples is random, too.",
    .draws_itself = true,
    .stratify = bernoulli_stratify,
    .redraw = bernoulli_redraw,
};
