/* Weighted quantiles and Woodruff's intervals; formulas, source: time_quantile.h. Assumes: the share of launches
 * below a value is near normal, which few samples in the tails make doubtful: there the interval is a rough one. */
#include "sampling/time_quantile.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "sampling/gather.h"

struct weighted {
    double value, weight;
};

static int value_compare(const void *a, const void *b)
{
    const struct weighted *x = a, *y = b;

    return x->value < y->value ? -1 : x->value > y->value;
}

/* All results with their weights, sorted; 0 when a stratum has none. */
static size_t spread_out(const struct gathered *g, struct weighted *out, double *all)
{
    size_t n = 0;

    *all = 0;
    for (size_t h = 0; h < g->count; h++) {
        const struct aux_stratum *s = &g->strata[h];

        if (!s->n)
            return 0;
        *all += s->population;
        for (size_t i = 0; i < s->n; i++)
            out[n++] = (struct weighted){s->y[i], s->population / (double)s->n};
    }
    qsort(out, n, sizeof *out, value_compare);
    return n;
}

static double at_share(const struct weighted *sorted, size_t n, double share)
{
    double below = 0, slack = 1e-9 * share; /* weights add up to whole launches but for rounding */

    for (size_t i = 0; i < n; i++) {
        below += sorted[i].weight;
        if (below >= share - slack)
            return sorted[i].value;
    }
    return sorted[n - 1].value;
}

/* Half-width of the number of launches at or below v. */
static double share_half_width(struct gathered *g, const double *results, double v, double level)
{
    struct aux_estimate x;

    for (size_t i = 0; i < g->values; i++)
        g->y[i] = results[i] <= v;
    for (size_t h = 0; h < g->count; h++) /* what is known of times is nothing of shares */
        g->strata[h].least_spread = g->strata[h].planned_cv = g->strata[h].residual_cv = 0;
    x = aux_total(g->strata, NULL, g->count);
    return aux_half_width(&x, level);
}

static int quantiles_of(struct gathered *g, bool drawn, double level, struct time_quantile *out, size_t count,
                        struct err *e)
{
    struct weighted *sorted = mem_zalloc(g->values, sizeof *sorted, e);
    double *results = mem_zalloc(g->values, sizeof *results, e), all;
    size_t n = 0;

    if (sorted && results)
        n = spread_out(g, sorted, &all);
    for (size_t i = 0; n && i < g->values; i++)
        results[i] = g->y[i];
    for (size_t k = 0; n && k < count; k++) {
        double off;

        out[k].value = at_share(sorted, n, out[k].p * all);
        off = drawn ? share_half_width(g, results, out[k].value, level) : NAN;
        if (isnan(off))
            continue;
        out[k].low = at_share(sorted, n, fmax(out[k].p * all - off, 0));
        out[k].high = at_share(sorted, n, fmin(out[k].p * all + off, all));
    }
    free(results);
    free(sorted);
    return sorted && results ? 0 : -1;
}

int time_quantiles(const struct plan *plan, const double *y, double level, struct time_quantile *out, size_t count,
                   struct err *e)
{
    struct gathered g;
    int ret;

    if (plan->estimator != PLAN_EXPANSION)
        return err_set(e, ERR_INVALID,
                       "samples of method %s stand for instructions, so there are no quantiles of times",
                       plan->method);
    for (size_t k = 0; k < count; k++)
        out[k] = (struct time_quantile){out[k].p, NAN, NAN, NAN};
    ret = gather(plan, y, PROJECT_EXPANSION, &PROJECTION_OPTIONS_DEFAULT, &g, e);
    if (ret > 0)
        ret = quantiles_of(&g, plan->variance == PLAN_VARIANCE_SAMPLES, level, out, count, e);
    gathered_release(&g);
    return ret < 0 ? -1 : 0;
}
