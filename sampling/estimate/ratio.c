/* Combined ratios and their jackknife; formulas, sources: ratio.h.
 *
 *     result i of a stratum becomes  m - (n - 1) / N (T_i - mean T_i),   m = mean y + R (X / N - mean x)
 *
 * so that N (N - n) / n times their variance is the stratum's share of V. Assumes: independent draws within strata;
 * x > 0, so that no total of x is 0 when one result is left out. */
#include "sampling/estimate/ratio.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/assert.h"
#include "sampling/math/quantile.h"

#define PLANNED_SHARE 0.5 /* share of the planned variance of residuals that is always included */
#define EXCESS_MAX    6.0 /* a stratum counts at most this many times the mean */
#define LEVEL         0.95
enum { ROUNDS = 20, DF_MIN = 2 };

/* Sums over a kernel's strata: the totals of y and x by expansion, and the true total of x. */
struct pool {
    double y, x, all_x;
};

static struct pool pool_of(const struct aux_stratum *s)
{
    ASSERT(s->n > 0);
    return (struct pool){s->population * aux_mean(s->y, s->n), s->population * aux_mean(s->x, s->n), s->x_total};
}

static void pool_add(struct pool *to, struct pool x)
{
    to->y += x.y;
    to->x += x.x;
    to->all_x += x.all_x;
}

/* The kernel's total without result i. */
static double total_without(const struct aux_stratum *s, const struct pool *k, size_t i, double mean_y,
                            double mean_x)
{
    double step = s->population / ((double)s->n - 1);

    ASSERT_HOT(s->n > 1 && i < s->n);
    return k->all_x * (k->y + step * (mean_y - s->y[i])) / (k->x + step * (mean_x - s->x[i]));
}

/* Replaces the results of a stratum of one kernel. */
static void adjust_ratio(const struct aux_stratum *s, const struct pool *k, double *y)
{
    double mean_y = aux_mean(s->y, s->n), mean_x = aux_mean(s->x, s->n), mean = 0, n = (double)s->n;
    double m = mean_y + k->y / k->x * (s->x_total / s->population - mean_x);

    ASSERT(s->n > 0);
    if (s->n < 2) {
        y[0] = m;
        return;
    }
    for (size_t i = 0; i < s->n; i++)
        mean += total_without(s, k, i, mean_y, mean_x) / n;
    for (size_t i = 0; i < s->n; i++)
        y[i] = m - (n - 1) / s->population * (total_without(s, k, i, mean_y, mean_x) - mean);
}

/* The same for a stratum of several kernels, by the ratio r of all strata; r is treated as constant, as its
 * variance is much smaller. */
static void adjust_shared(const struct aux_stratum *s, double r, double *y)
{
    for (size_t i = 0; i < s->n; i++)
        y[i] += r * (s->x_total / s->population - s->x[i]);
}

int ratio_adjust(struct aux_stratum *s, size_t count, double *values, struct err *e)
{
    struct pool *kernels = mem_zalloc(count, sizeof *kernels, e), all = {0};
    size_t most = 0;
    double *out;

    for (size_t h = 0; kernels && h < count; h++) {
        if (!s[h].n)
            continue;
        ASSERT(s[h].group < count);
        pool_add(&kernels[s[h].group], pool_of(&s[h]));
        pool_add(&all, pool_of(&s[h]));
        most = s[h].n > most ? s[h].n : most;
    }
    out = kernels ? mem_zalloc(most, sizeof *out, e) : NULL;
    for (size_t h = 0; out && h < count; h++) {
        double *y = values + (s[h].y - values);

        if (!s[h].n)
            continue;
        if (s[h].own_factors) {
            adjust_shared(&s[h], all.y / all.x, y);
            continue;
        }
        adjust_ratio(&s[h], &kernels[s[h].group], out);
        for (size_t i = 0; i < s[h].n; i++)
            y[i] = out[i];
    }
    free(kernels);
    free(out);
    return out ? 0 : -1;
}

/* c^2 and its degrees of freedom. */
static double common_square(const struct aux_stratum *s, size_t count, double *df)
{
    double common = INFINITY;

    for (int round = 0; round < ROUNDS; round++) {
        double sum = 0;

        *df = 0;
        for (size_t h = 0; h < count; h++) {
            double own = (double)s[h].n - 1, mean;

            if (!aux_left_to_chance(&s[h]) || s[h].own_factors)
                continue;
            mean = aux_mean(s[h].y, s[h].n);
            sum += fmin(mean > 0 ? aux_residual_squares(&s[h], 0) / (mean * mean) : 0, own * EXCESS_MAX * common);
            *df += own;
        }
        if (*df < DF_MIN)
            return 0;
        common = sum / *df;
    }
    ASSERT(!(common < 0));
    return common;
}

static double least_cv2(const struct aux_stratum *s, double common)
{
    return aux_left_to_chance(s) ? fmax(common, PLANNED_SHARE * s->planned_cv * s->planned_cv) : 0;
}

bool ratio_least_spreads(const struct aux_stratum *s, size_t count, double *cv2)
{
    double df, common = common_square(s, count, &df);

    for (size_t h = 0; h < count; h++)
        cv2[h] = least_cv2(&s[h], common);
    return df >= DF_MIN;
}

struct aux_estimate ratio_min(const struct aux_stratum *s, size_t count, struct aux_estimate a)
{
    double df, common = common_square(s, count, &df), variance = 0;

    if (isnan(a.variance) || df < DF_MIN)
        return a;
    for (size_t h = 0; h < count; h++) {
        double n = (double)s[h].n, mean, square;

        if (!aux_left_to_chance(&s[h]))
            continue;
        mean = aux_mean(s[h].y, s[h].n);
        square = mean * mean * least_cv2(&s[h], common);
        if (s[h].own_factors)
            square = fmax(square, aux_residual_squares(&s[h], 0) / (n - 1));
        variance += s[h].population * (s[h].population - n) / n * square;
    }
    ASSERT(!(variance < 0));
    if (t_factor(LEVEL, df) * sqrt(variance) > aux_half_width(&a, LEVEL)) {
        a.variance = variance;
        a.df = df;
    }
    return a;
}
