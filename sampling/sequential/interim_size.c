/* Sizes from spreads pooled over all strata (sampling/sequential/spread_model.h). Skewness and kurtosis are taken
 * from the profile, in units of the spread. */
#include "sampling/sequential/interim_size.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/assert.h"
#include "sampling/estimate/ratio.h"
#include "sampling/strata/search.h"
#include "sampling/sequential/spread_model.h"

#define MISSING_MAX  1.5  /* limit: with few degrees of freedom a larger factor is mostly chance */
#define LAST_MISSING 3.0  /* the same before the last analysis, which allows no later correction */
#define STEP_MIN     0.95 /* an increment makes the interval narrower at least by this factor */
#define SURE         2.0 /* one-sided normal quantile of 98 %: probability that the last analysis keeps the promise */
#define NEARLY_SURE  1.2 /* of 88 %: the same for the analysis before the last */
#define MARGIN_MIN   0.5 /* minimum of planned / wanted half-width */
/* The pooled spreads at the last analysis differ from those used for its size; its degrees of freedom and skewness
 * differ too. So it is sized for more degrees of freedom than required, and for less skewness. */
#define LAST_DF       1.3
#define LAST_SKEWNESS 0.7

double interim_min_df(const struct plan *plan)
{
    return plan->unit == PROFILE_NS ? SEARCH_LEAST_DF : SEARCH_LEAST_DF_INSTRUCTIONS;
}

/* A plan by ratio has a minimum spread pooled over all strata (sampling/estimate/ratio.h). If the total's variance
 * is larger with it than with the pooled spreads, sizes use it. Otherwise samples would go to strata with little
 * effect on the interval, and the interval would stay wide. */
static int count_common(const struct gathered *g, const struct spread_model *m, struct alloc_stratum *s,
                        struct err *e)
{
    double *cv2 = mem_zalloc(g->count, sizeof *cv2, e), pooled = 0, common = 0;

    if (!cv2)
        return -1;
    if (ratio_least_spreads(g->strata, g->count, cv2)) {
        for (size_t h = 0; h < g->count; h++) {
            struct alloc_stratum one = s[h];

            if (g->strata[h].own_factors)
                cv2[h] = fmax(cv2[h], m->cv2[h]);
            one.sd = m->mean[h] * sqrt(cv2[h]);
            ASSERT(!(one.sd < 0));
            pooled += allocation_variance(&s[h], s[h].n);
            common += allocation_variance(&one, s[h].n);
        }
        for (size_t h = 0; common > pooled && h < g->count; h++)
            s[h].sd = s[h].seen = m->mean[h] * sqrt(cv2[h]);
    }
    free(cv2);
    return 0;
}

int pooled_strata(const struct plan *plan, const struct gathered *g, const struct interim_shape *shapes,
                  const double *costs, struct alloc_stratum *s, struct even_stratum *even, struct pooled *out,
                  struct err *e)
{
    struct spread_model m;
    int ret = spread_model_fit(plan, g, &m, e);

    ASSERT(g->count > 0);
    for (size_t h = 0; ret == 0 && h < g->count; h++) {
        const struct plan_stratum *from = &plan->strata[h];
        uint64_t done = g->strata[h].n;

        s[h] = (struct alloc_stratum){
            .population = from->population, .cost = costs[h], .least = done ? done : 1, .n = done ? done : 1};
        if (done && from->population > 1)
            s[h].sd = m.mean[h] * fmax(sqrt(m.cv2[h]), g->strata[h].least_spread);
        ASSERT(s[h].n <= s[h].population && s[h].cost > 0 && !(s[h].sd < 0));
        s[h].seen = s[h].sd;
        even[h] = (struct even_stratum){m.mean[h], m.planned_cv[h]};
        if (!shapes || !(from->sd > 0))
            continue;
        s[h].kurtosis = shapes[h].kurtosis;
        s[h].third = shapes[h].third * pow(s[h].sd / fmax(from->sd, from->planned_sd), 3);
    }
    if (ret == 0 && g->strata[0].common_noise)
        ret = count_common(g, &m, s, e);
    *out = (struct pooled){m.excess, m.kurtosis};
    spread_model_release(&m);
    return ret;
}

/* Relative standard deviation of the next half-width. Samples are nested, so the next sample includes the present
 * one: its s^2 on df' degrees of freedom, given the present one on df, varies by 2/df - 2/df', and a half-width by
 * a quarter of that, with df' / df equal to the squared factor by which the interval becomes narrower. Of values
 * with heavy tails s^2 varies by (2 + kurtosis) / df (Cramer, Mathematical Methods of Statistics, 1946, section
 * 27.4). */
static double unsure(double df, double kurtosis, double narrower)
{
    ASSERT(!(narrower > 1));
    return sqrt((1 - narrower * narrower) * (1 + kurtosis / 2) / (2 * fmax(df, 2)));
}

/* The half-width to plan for. With two analyses left after the next one, the expected need is planned; with more
 * analyses left, less than that, because simulated samples cannot be undone. The analysis before the last is sized
 * to keep the promise with a probability of 7 in 8, since the last one alone missed it in one run of seven on
 * h100x2 (5 %, bench/kept). The last one is sized for 49 in 50. If the observed interval is wider than the pooled
 * variances explain, these sizes are too small. Then the planned interval is narrower by the square root of the
 * ratio now / wanted, before the last analysis by the full ratio. The factor is the same for all strata, so that
 * sizes do not follow the chance variation of one stratum. */
static double aim(const struct alloc_stratum *s, size_t count, const struct interim_need *need)
{
    struct alloc_outcome now = allocation_outcome(s, count, need->level);
    double seen = fmax(need->now, 1), missing = fmin(seen, need->left ? MISSING_MAX : LAST_MISSING);
    double off = unsure(now.df, need->kurtosis, fmin(need->wanted / now.half_width, 1 / seen));
    double wanted = fmin(need->wanted, now.half_width / (need->left ? sqrt(missing) : missing));

    if (need->left == 0)
        wanted *= fmax(1 - SURE * off, MARGIN_MIN);
    else if (need->left == 1)
        wanted *= fmax(1 - NEARLY_SURE * off, MARGIN_MIN);
    else if (need->left > 2)
        wanted *= 1 + off;
    return fmin(wanted, now.half_width * STEP_MIN);
}

int size_for(const struct plan *plan, struct alloc_stratum *s, const struct even_stratum *even, size_t count,
             const struct interim_need *need, struct err *e)
{
    struct alloc_goal goal = {.half_width = aim(s, count, need),
                              .level = need->level,
                              .least_df = interim_min_df(plan) * (need->left ? 1 : LAST_DF),
                              .most_skewness = SEARCH_MOST_SKEWNESS * (need->left ? 1 : LAST_SKEWNESS)};
    struct alloc_outcome next;

    ASSERT(need->level > 0 && need->level < 1);
    if (allocate_effective(s, even, count, EFFECTIVE_MIN, NOISE_DF_MIN, e) < 0)
        return -1;
    for (size_t h = 0; h < count; h++)
        s[h].least = s[h].n;
    return allocate_interval(s, count, &goal, &next, e);
}

int size_for_budget(struct alloc_stratum *s, size_t count, double level, double budget, struct err *e)
{
    struct alloc_goal goal = {.half_width = INFINITY, .level = level, .budget = budget};
    struct alloc_outcome out;

    ASSERT(budget >= 0);
    for (size_t h = 0; h < count; h++)
        goal.budget += s[h].cost * (double)s[h].least;
    return allocate_interval(s, count, &goal, &out, e);
}
