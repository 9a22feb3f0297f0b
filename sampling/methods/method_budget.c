/* Random sampling up to a cost: launches are drawn one by one, without replacement, until their cost reaches the
 * budget. The random baseline of Allegro (Chung, Na, Kim, MLArchSys 2024), where the budget is the whole time
 * divided by the speedup to compare with.
 *
 *     n = the first with cost(k_1) + .. + cost(k_n) >= budget;   total = N mean of the n
 *
 * The budget is the share params->budget of the cost of simulating everything; without one, the share n / N that
 * `srs` needs for the error. Cost is the profiled value, or the cost model's seconds. The draw that reaches the
 * budget belongs to the sample, as published. Long launches are more likely to be that draw, so the mean is too
 * large by about cv^2 / n (from E(1/n) in Wald's identity, cv of the cost). If that exceeds a tenth of the promised
 * half-width, the plan has a caution. Otherwise the formulas of `srs` apply with that n. */
#include <stdio.h>
#include <stdlib.h>

#include "base/hash.h"
#include "sampling/methods/method.h"
#include "sampling/strata/random_sample.h"

#define BIAS_WORTH_SAYING 0.1 /* of the half-width; coverage of a 95 % interval stays above 94.5 % below it */

/* Draws launches in random order until the budget is used: the first steps of a Fisher-Yates shuffle. Draws at
 * least two launches, if there are two. */
static uint64_t draw(const struct profile *p, const struct plan_params *params, uint32_t *ids, uint64_t count,
                     double budget)
{
    static const char stream[] = "budget";
    double spent = 0;
    uint64_t n = 0;
    struct rng r;

    rng_init(&r, params->seed, hash_fnv1a(stream, sizeof stream), RNG_DRAW);
    while (n < count && (n < 2 || spent < budget)) {
        random_next(&r, ids, n, count);
        spent += plan_cost(params, 1, (double)p->value[ids[n]]);
        n++;
    }
    return n;
}

static void caution_bias(const struct random_population *all, uint64_t n, struct strata *s)
{
    double cv = all->sd / all->mean, left = 1 - (double)n / (double)all->count;
    double bias = cv * cv / (double)n * left;

    if (!s->caution[0] && bias > BIAS_WORTH_SAYING * s->promised_error)
        snprintf(s->caution, sizeof s->caution,
                 "Stopping at a cost favours long launches at the end. With %llu draws, projections are about %.2g "
                 "%% too large on average.",
                 (unsigned long long)n, 100 * bias);
}

static int budget_redraw(const struct profile *p, const struct plan_params *params, struct strata *out,
                         struct err *e)
{
    const struct random_frame *frame = out->kept;
    const struct random_population *all = &frame->all;
    double share = params->budget;
    uint32_t *ids = random_frame_copy(frame, e);
    uint64_t n;
    int ret;

    if (!ids)
        return -1;
    strata_clear(out);
    if (share <= 0)
        share = (double)random_size(all, params) / (double)all->count;
    n = draw(p, params, ids, all->count, share * plan_cost(params, (double)all->count, (double)all->total));
    random_finish(all, n, params, out);
    caution_bias(all, n, out);
    snprintf(out->note, sizeof out->note, "Drawn until %.4g %% of the cost of simulating everything was reached%s.",
             100 * share,
             params->budget > 0 ? "" : ", the cost that srs needs for the error (no budget was given)");
    ret = strata_add_chosen(out, p, 0, 0, 0, out->groups.run_count, ids, n, e);
    free(ids);
    return ret;
}

static int budget_stratify(const struct profile *p, const struct plan_params *params, struct strata *out,
                           struct err *e)
{
    return random_frame_make(p, out, e) ? budget_redraw(p, params, out, e) : -1;
}

const struct method method_budget = {
    .name = "budget",
    .title = "Random, up to a cost",
    .takes = TAKES_BUDGET | TAKES_SHARE,
    .sentence = "Draws launches one by one at random until they cost a given share of the whole (or what the error "
                "needs). This is Allegro's random baseline.",
    .draws_itself = true,
    .stratify = budget_stratify,
    .redraw = budget_redraw,
};
