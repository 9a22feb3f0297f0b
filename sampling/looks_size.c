/* Pooled variances, and sizes from them: formulas in looks.h.
 *
 * Sizes must not follow a stratum's own luck: where its mean and spread come out low by chance, as they do together
 * in lopsided strata, it would get no more samples, while those that came out high are put right, and the total is
 * too low. With two degrees of freedom for the plan's spread (methods reference 4.5) and means as seen, intervals
 * held the truth in 25 to 50 % of runs on profiles of a hundred strata whose designs spread four times as planned;
 * with what follows in 94 % or more (docs/BENCHMARKS.md). Skewness and kurtosis are taken from the profile, in
 * units of the spread. */
#include "sampling/looks_size.h"

#include <math.h>

#include "sampling/search.h"

#define PRIOR_DF     60.0 /* what a planned spread is worth, times what all strata together show */
#define MOST_EXCESS  6.0  /* a stratum's s^2 counts as this many times the common one at most (looks_size.h) */
#define MEAN_KNOWN   0.05 /* a stratum's own mean counts by half when it is known to this share */
#define MOST_MISSING 1.5  /* beyond that an interval of few degrees of freedom is mostly luck */
#define LAST_MISSING 3.0  /* the same before the last look, where it is all there is to go by */
#define LEAST_STEP   0.95 /* an increment is to make the interval narrower by this factor at least */
#define SURE         1.4  /* normal quantile of 92 % on one side: that the last look keeps the promise */
enum { ROUNDS = 20 };

double look_least_df(const struct plan *plan)
{
    return plan->unit == PROFILE_NS ? SEARCH_LEAST_DF : SEARCH_LEAST_DF_INSTRUCTIONS;
}

static double size_of(const struct aux_stratum *s)
{
    return s->scale > 0 ? s->scale : fabs(aux_mean(s->y, s->n));
}

static double expected_cv(const struct aux_stratum *s, const struct aux_slope *slope)
{
    return slope->b != 0 || s->scale > 0 ? s->residual_cv : s->planned_cv;
}

/* y / x of all strata together: of what the profile says they take. */
static double overall_ratio(const struct plan *plan, const struct gathered *g)
{
    double top = 0, bottom = 0;

    for (size_t h = 0; h < g->count; h++) {
        if (!g->strata[h].n)
            continue;
        top += g->strata[h].population * size_of(&g->strata[h]);
        bottom += (double)plan->strata[h].total;
    }
    return bottom > 0 ? top / bottom : 0;
}

/* Mean y of a stratum, for sizes: drawn towards what the profile says, scaled as all strata are, by how little it
 * is known (Stein's shrinkage). */
static double steady_mean(const struct plan_stratum *from, const struct aux_stratum *s, double ratio, double cv2)
{
    double own = size_of(s), left = 1 - (double)s->n / s->population;
    double known = MEAN_KNOWN * MEAN_KNOWN, luck = cv2 * left / (double)s->n;

    return (known * own + luck * ratio * from->mean) / (known + luck);
}

/* s^2 of a stratum over what was expected; -1: there is none. */
static double excess_of(const struct aux_stratum *s, const struct aux_slope *slope, double *df)
{
    double prior = s->n > 1 ? expected_cv(s, slope) * size_of(s) : 0;

    *df = (double)s->n - 1 - slope->lost;
    return prior > 0 && *df > 0 && (double)s->n < s->population
               ? aux_residual_squares(s, slope->b) / *df / (prior * prior)
               : -1;
}

static double common_excess(const struct gathered *g)
{
    double common = INFINITY;

    for (int round = 0; round < ROUNDS; round++) {
        double sum = 2, weight = 2; /* 1 counts as two degrees of freedom */

        for (size_t h = 0; h < g->count; h++) {
            double df, excess = excess_of(&g->strata[h], &g->slopes[h], &df);

            if (excess < 0)
                continue;
            sum += df * fmin(excess, MOST_EXCESS * common);
            weight += df;
        }
        common = sum / weight;
    }
    return common;
}

static double pooled_sd(const struct plan_stratum *from, const struct aux_stratum *s, const struct aux_slope *slope,
                        double ratio, double excess)
{
    double df = (double)s->n - 1 - slope->lost, cv = expected_cv(s, slope), squares;
    double mean = steady_mean(from, s, ratio, excess * cv * cv), prior = cv * mean;

    squares = df > 0 ? aux_residual_squares(s, slope->b) : 0;
    return fmax(s->least_spread * mean,
                sqrt((PRIOR_DF * excess * prior * prior + squares) / (PRIOR_DF + fmax(df, 0))));
}

double pooled_strata(const struct plan *plan, const struct gathered *g, const struct look_shape *shapes,
                     const double *costs, struct alloc_stratum *s)
{
    double excess = common_excess(g), ratio = overall_ratio(plan, g);

    for (size_t h = 0; h < g->count; h++) {
        const struct plan_stratum *from = &plan->strata[h];
        uint64_t done = g->strata[h].n;

        s[h] = (struct alloc_stratum){
            .population = from->population, .cost = costs[h], .least = done ? done : 1, .n = done ? done : 1};
        if (done)
            s[h].sd = from->population > 1 ? pooled_sd(from, &g->strata[h], &g->slopes[h], ratio, excess) : 0;
        s[h].seen = s[h].sd;
        if (!shapes || !(from->sd > 0))
            continue;
        s[h].kurtosis = shapes[h].kurtosis;
        s[h].third = shapes[h].third * pow(s[h].sd / fmax(from->sd, from->planned_sd), 3);
    }
    return excess;
}

/* How far the next half-width may be off, as a share. Samples are nested, so what is seen next holds what is seen
 * now: its s^2 on df' degrees of freedom, given the present one on df, varies by 2/df - 2/df', and a half-width by
 * a quarter of that, with df' / df as many times as the interval is to become narrower, squared. */
static double unsure(double df, double narrower)
{
    return sqrt((1 - narrower * narrower) / (2 * fmax(df, 2)));
}

/* The half-width to plan for. While two looks are left or none is sized for, what seems needed; with more of them
 * less is asked for, as what is simulated cannot be taken back; before the last one so much more that it keeps the
 * promise eleven times of twelve. Where the interval seen is wider than the pooled variances explain, these are too
 * hopeful: then they are to promise an interval that is narrower than now by the square root of what is missing, at
 * the end by all of it. That is asked of all strata alike: sizes must not follow one stratum's luck here either. */
static double aim(const struct alloc_stratum *s, size_t count, const struct look_need *need)
{
    struct alloc_outcome now = allocation_outcome(s, count, need->level);
    double seen = fmax(need->now, 1), missing = fmin(seen, need->left ? MOST_MISSING : LAST_MISSING);
    double off = unsure(now.df, fmin(need->wanted / now.half_width, 1 / seen));
    double wanted = fmin(need->wanted, now.half_width / (need->left ? sqrt(missing) : missing));

    if (need->left == 0)
        wanted *= 1 - SURE * off;
    else if (need->left > 2)
        wanted *= 1 + off;
    return fmin(wanted, now.half_width * LEAST_STEP);
}

int size_for(const struct plan *plan, struct alloc_stratum *s, size_t count, const struct look_need *need,
             struct err *e)
{
    struct alloc_goal goal = {.half_width = aim(s, count, need),
                              .level = need->level,
                              .least_df = look_least_df(plan),
                              .most_skewness = SEARCH_MOST_SKEWNESS};
    struct alloc_outcome next;

    return allocate_interval(s, count, &goal, &next, e);
}

int size_for_budget(struct alloc_stratum *s, size_t count, double level, double budget, struct err *e)
{
    struct alloc_goal goal = {.half_width = INFINITY, .level = level, .budget = budget};
    struct alloc_outcome out;

    for (size_t h = 0; h < count; h++)
        goal.budget += s[h].cost * (double)s[h].least;
    return allocate_interval(s, count, &goal, &out, e);
}
