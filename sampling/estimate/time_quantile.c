/* Weighted quantiles and Woodruff's intervals; formulas, sources: time_quantile.h. Assumes: a stratum's launches
 * have about the distribution of its samples and the profile. In the tails there are few samples, so the interval
 * is only approximate there. */
#include "sampling/estimate/time_quantile.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/assert.h"
#include "sampling/estimate/gather.h"
#include "sampling/math/quantile.h"

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
    ASSERT(n <= g->values);
    qsort(out, n, sizeof *out, value_compare);
    return n;
}

static double at_share(const struct weighted *sorted, size_t n, double share)
{
    double below = 0, slack = 1e-9 * share; /* tolerance for rounding of weights */

    ASSERT(n > 0 && share > 0);
    for (size_t i = 0; i < n; i++) {
        below += sorted[i].weight;
        if (below >= share - slack)
            return sorted[i].value;
    }
    return sorted[n - 1].value;
}

/* A stratum's samples as densities; width 0: unsmoothed. */
struct smooth {
    const double *y;
    double *logs; /* set if width > 0 */
    size_t n;
    double population, width;
    bool whole;
    double factor; /* t sqrt((1 - n / N) / (n - 1)) */
};

static bool taken_whole(const struct aux_stratum *s)
{
    return !s->with_replacement && (double)s->n >= s->population;
}

static bool is_few(const struct aux_stratum *s)
{
    return !taken_whole(s) && s->n > 1 && s->n < TIME_QUANTILE_FEW;
}

/* Sum of the squared distances of the logarithms from their mean. */
static double squares_of(const double *logs, size_t n)
{
    double mean = 0, squares = 0;

    for (size_t i = 0; i < n; i++)
        mean += logs[i] / (double)n;
    for (size_t i = 0; i < n; i++)
        squares += (logs[i] - mean) * (logs[i] - mean);
    return squares;
}

/* Spread pooled over all strata with few samples: two samples of one stratum may agree by chance. */
static double pooled_spread(const struct gathered *g, const struct smooth *s)
{
    double sum = 0, df = 0;

    for (size_t h = 0; h < g->count; h++)
        if (is_few(&g->strata[h])) {
            sum += squares_of(s[h].logs, s[h].n);
            df += (double)s[h].n - 1;
        }
    ASSERT(!(sum < 0));
    return df > 0 ? sqrt(sum / df) : 0;
}

static double planned_spread(const struct aux_stratum *s)
{
    double mean = 0;

    for (size_t i = 0; i < s->n; i++)
        mean += s->y[i] / (double)s->n;
    return fmax(s->least_spread, s->scale > 0 && mean > 0 ? s->planned_cv * s->scale / mean : s->planned_cv);
}

/* logs: scratch memory, one entry per sample. Returns -1 if a stratum that is not taken whole has one sample. */
static int make_smooth(const struct gathered *g, double level, struct smooth *out, double *logs)
{
    double pooled;

    for (size_t h = 0; h < g->count; h++) {
        const struct aux_stratum *s = &g->strata[h];
        double n = (double)s->n;

        out[h] = (struct smooth){
            .y = s->y, .logs = logs, .n = s->n, .population = s->population, .whole = taken_whole(s)};
        if (!out[h].whole && s->n < 2)
            return -1;
        if (!out[h].whole)
            out[h].factor =
                t_factor(level, n - 1) * sqrt((s->with_replacement ? 1 : 1 - n / s->population) / (n - 1));
        ASSERT(!(out[h].factor < 0));
        for (size_t i = 0; i < s->n; i++)
            *logs++ = log(fmax(s->y[i], DBL_MIN));
    }
    pooled = pooled_spread(g, out);
    for (size_t h = 0; h < g->count; h++) {
        const struct aux_stratum *s = &g->strata[h];
        double n = (double)s->n;

        if (is_few(s))
            out[h].width = 1.06 * pow(n, -0.2) *
                           fmax(fmax(sqrt(squares_of(out[h].logs, s->n) / (n - 1)), pooled), planned_spread(s));
    }
    return 0;
}

/* Standard deviations beyond which a density has a probability of 10^-9. */
#define FAR 6.0

/* Share of the stratum at or below v; log_v: log of v. */
static double share_below(const struct smooth *s, double v, double log_v)
{
    double below = 0;

    for (size_t i = 0; i < s->n; i++) {
        double off = s->width > 0 ? log_v - s->logs[i] : v - s->y[i];

        if (fabs(off) >= FAR * s->width)
            below += off >= 0;
        else
            below += normal_probability(off / s->width);
    }
    return below / (double)s->n;
}

enum side { LEAST = -1, MOST = 1 };

/* The bound (lower or upper) on the number of launches at or below v. */
static double launches_below(const struct smooth *s, size_t count, double v, double level, enum side side)
{
    double sum = 0, squares = 0, log_v = log(v);

    for (size_t h = 0; h < count; h++) {
        double p = share_below(&s[h], v, log_v), half = 0;

        ASSERT_HOT(p >= 0 && p <= 1 + 1e-9);
        if (!s[h].whole)
            half = s[h].population * fmin(s[h].factor * sqrt(p * (1 - p)), level * (side == LEAST ? p : 1 - p));
        sum += s[h].population * p;
        squares += half * half;
    }
    return sum + side * sqrt(squares);
}

/* The least v whose bound reaches `wanted`, to nine digits. */
static double read_back(const struct smooth *s, size_t count, double wanted, double level, enum side side)
{
    double low = INFINITY, high = 0;

    for (size_t h = 0; h < count; h++)
        for (size_t i = 0; i < s[h].n; i++) {
            low = fmin(low, s[h].y[i] * exp(-FAR * s[h].width) * (1 - 1e-9));
            high = fmax(high, s[h].y[i] * exp(FAR * s[h].width));
        }
    ASSERT(!(low > high));
    while (high - low > 1e-9 * high) {
        double middle = low + (high - low) / 2;

        if (launches_below(s, count, middle, level, side) < wanted)
            low = middle;
        else
            high = middle;
    }
    return high;
}

static int quantiles_of(const struct gathered *g, bool drawn, double level, struct time_quantile *out, size_t count,
                        struct err *e)
{
    struct weighted *sorted = mem_zalloc(g->values, sizeof *sorted, e);
    struct smooth *smooth = mem_zalloc(g->count + 1, sizeof *smooth, e);
    double *logs = mem_zalloc(g->values + 1, sizeof *logs, e), all;
    size_t n = 0;

    if (sorted && smooth && logs)
        n = spread_out(g, sorted, &all);
    drawn = drawn && n && make_smooth(g, level, smooth, logs) == 0;
    for (size_t k = 0; n && k < count; k++) {
        double wanted = out[k].p * all * (1 - 1e-9); /* tolerance for rounding of weights */

        out[k].value = at_share(sorted, n, out[k].p * all);
        if (!drawn)
            continue;
        out[k].low = fmin(out[k].value, read_back(smooth, g->count, wanted, level, MOST));
        out[k].high = fmax(out[k].value, read_back(smooth, g->count, wanted, level, LEAST));
        ASSERT(out[k].low <= out[k].value && out[k].value <= out[k].high);
    }
    free(logs);
    free(smooth);
    free(sorted);
    return sorted && smooth && logs ? 0 : -1;
}

int time_quantiles(const struct plan *plan, const double *y, double level, struct time_quantile *out, size_t count,
                   struct err *e)
{
    struct gathered g;
    int ret;

    if (plan->estimator == PLAN_INSTRUCTION_RATIO)
        return err_set(e, ERR_INVALID,
                       "samples of method %s represent instructions, so there are no quantiles of times",
                       plan->method);
    ASSERT(level > 0 && level < 1);
    for (size_t k = 0; k < count; k++)
        out[k] = (struct time_quantile){out[k].p, NAN, NAN, NAN};
    ret = gather(plan, y, PROJECT_EXPANSION, &PROJECTION_OPTIONS_DEFAULT, &g, e);
    if (ret > 0)
        ret = quantiles_of(&g, plan->variance == PLAN_VARIANCE_SAMPLES, level, out, count, e);
    gathered_release(&g);
    return ret < 0 ? -1 : 0;
}
