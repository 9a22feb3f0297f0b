/* Pooled variances, and sizes from them: formulas in looks.h.
 *
 * Assumes: what the plan expected of a stratum's spread, relative to its mean, is worth two samples. Skewness and
 * kurtosis are taken from the profile, in units of the spread. */
#include "sampling/looks_size.h"

#include <math.h>

#include "sampling/search.h"

#define PRIOR_DF   2.0  /* what a planned spread is worth (methods reference 4.5) */
#define LEAST_STEP 0.95 /* an increment is to make the interval narrower by this factor at least */

double look_least_df(const struct plan *plan)
{
    return plan->unit == PROFILE_NS ? SEARCH_LEAST_DF : SEARCH_LEAST_DF_INSTRUCTIONS;
}

/* S as the plan expected it, in the unit of y. */
static double expected_sd(const struct aux_stratum *s, const struct aux_slope *slope)
{
    double scale = s->scale > 0 ? s->scale : fabs(aux_mean(s->y, s->n));

    return (slope->b != 0 ? s->residual_cv : s->planned_cv) * scale;
}

static double pooled_sd(const struct aux_stratum *s, const struct aux_slope *slope)
{
    double df = (double)s->n - 1 - slope->lost, prior = expected_sd(s, slope);
    double floor = s->least_spread * fabs(aux_mean(s->y, s->n));
    double squares = df > 0 ? aux_residual_squares(s, slope->b) : 0;

    return fmax(floor, sqrt((PRIOR_DF * prior * prior + squares) / (PRIOR_DF + fmax(df, 0))));
}

void pooled_strata(const struct plan *plan, const struct gathered *g, const struct look_shape *shapes,
                   const double *costs, struct alloc_stratum *s)
{
    for (size_t h = 0; h < g->count; h++) {
        const struct plan_stratum *from = &plan->strata[h];
        uint64_t done = g->strata[h].n;

        s[h] = (struct alloc_stratum){
            .population = from->population, .cost = costs[h], .least = done ? done : 1, .n = done ? done : 1};
        if (done)
            s[h].sd = from->population > 1 ? pooled_sd(&g->strata[h], &g->slopes[h]) : 0;
        s[h].seen = s[h].sd;
        if (!shapes || !(from->sd > 0))
            continue;
        s[h].kurtosis = shapes[h].kurtosis;
        s[h].third = shapes[h].third * pow(s[h].sd / fmax(from->sd, from->planned_sd), 3);
    }
}

static struct alloc_goal goal_of(const struct plan *plan, double wanted, double level)
{
    return (struct alloc_goal){.half_width = wanted,
                               .level = level,
                               .least_df = look_least_df(plan),
                               .most_skewness = SEARCH_MOST_SKEWNESS};
}

int size_for(const struct plan *plan, struct alloc_stratum *s, size_t count, double wanted, double level,
             struct err *e)
{
    struct alloc_goal goal = goal_of(plan, wanted, level);
    struct alloc_outcome now = allocation_outcome(s, count, level), next;

    if (now.half_width <= wanted) /* the results lie wider apart than expected: go on from what is expected */
        goal.half_width = fmin(wanted, now.half_width * LEAST_STEP);
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
