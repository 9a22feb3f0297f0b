#include "sampling/estimator_aux.h"

#include <math.h>

static double mean(const double *v, size_t n)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += v[i];
    return sum / (double)n;
}

/* Adds what a stratum leaves to chance: N (N - n) / n times the variance of its residuals y - b x, which have
 * sum(residual^2) = `squares` around their mean and `df` degrees of freedom. */
static void add_doubt(struct aux_estimate *e, const struct aux_stratum *s, double squares, double df)
{
    double n = (double)s->n, left = s->with_replacement ? s->population : s->population - n, v;

    if (left <= 0 || s->population <= 1)
        return;
    if (df <= 0) {
        e->variance = NAN;
        return;
    }
    v = s->population * left / n * squares / df;
    e->variance += v;
    e->df += v * v / df; /* the lower half of Satterthwaite's fraction, until finish() */
}

static struct aux_estimate finish(struct aux_estimate e)
{
    e.df = e.variance > 0 ? e.variance * e.variance / e.df : isnan(e.variance) ? NAN : INFINITY;
    return e;
}

/* sum of squares of (y - mean y) - b (x - mean x) */
static double residual_squares(const struct aux_stratum *s, double b)
{
    double mean_x = b != 0 ? mean(s->x, s->n) : 0, mean_y = mean(s->y, s->n), sum = 0;

    for (size_t i = 0; i < s->n; i++) {
        double r = s->y[i] - mean_y - (b != 0 ? b * (s->x[i] - mean_x) : 0);

        sum += r * r;
    }
    return sum;
}

struct aux_estimate estimate_expansion(const struct aux_stratum *s, size_t count)
{
    struct aux_estimate e = {0};

    for (size_t h = 0; h < count; h++) {
        double y = mean(s[h].y, s[h].n), df = (double)s[h].n - 1, least = s[h].least_spread * y;

        e.value += s[h].population * y;
        add_doubt(&e, &s[h], fmax(residual_squares(&s[h], 0), df * least * least), df);
    }
    return finish(e);
}

struct aux_estimate estimate_ratio_combined(const struct aux_stratum *s, size_t count)
{
    double top = 0, bottom = 0, x_total = 0;
    struct aux_estimate e = {0};

    for (size_t h = 0; h < count; h++) {
        top += s[h].population * mean(s[h].y, s[h].n);
        bottom += s[h].population * mean(s[h].x, s[h].n);
        x_total += s[h].x_total;
    }
    e.coefficient = top / bottom;
    e.value = e.coefficient * x_total;
    for (size_t h = 0; h < count; h++)
        add_doubt(&e, &s[h], residual_squares(&s[h], e.coefficient), (double)s[h].n - 1);
    return finish(e);
}

struct aux_estimate estimate_ratio_separate(const struct aux_stratum *s, size_t count)
{
    struct aux_estimate e = {.coefficient = NAN};

    for (size_t h = 0; h < count; h++) {
        double r = mean(s[h].y, s[h].n) / mean(s[h].x, s[h].n);

        e.value += s[h].x_total * r;
        add_doubt(&e, &s[h], residual_squares(&s[h], r), (double)s[h].n - 1);
    }
    return finish(e);
}

struct aux_estimate estimate_difference(const struct aux_stratum *s, size_t count, double kappa)
{
    struct aux_estimate e = {.coefficient = kappa};

    for (size_t h = 0; h < count; h++) {
        e.value += kappa * s[h].x_total + s[h].population * (mean(s[h].y, s[h].n) - kappa * mean(s[h].x, s[h].n));
        add_doubt(&e, &s[h], residual_squares(&s[h], kappa), (double)s[h].n - 1);
    }
    return finish(e);
}

struct aux_estimate estimate_regression(const struct aux_stratum *s, size_t count)
{
    struct aux_estimate e = {0};
    double xy = 0, xx = 0;

    for (size_t h = 0; h < count; h++) {
        double mean_x = mean(s[h].x, s[h].n), mean_y = mean(s[h].y, s[h].n);

        for (size_t i = 0; i < s[h].n; i++) {
            xy += (s[h].x[i] - mean_x) * (s[h].y[i] - mean_y);
            xx += (s[h].x[i] - mean_x) * (s[h].x[i] - mean_x);
        }
    }
    e.coefficient = xx > 0 ? xy / xx : 0;
    for (size_t h = 0; h < count; h++) {
        double n = (double)s[h].n, x_mean = s[h].x_total / s[h].population;

        e.value += s[h].population * (mean(s[h].y, s[h].n) + e.coefficient * (x_mean - mean(s[h].x, s[h].n)));
        /* with one stratum the slope is its own and costs it a degree; shared by several, a part of one */
        add_doubt(&e, &s[h], residual_squares(&s[h], e.coefficient), n - 1 - 1 / (double)count);
    }
    return finish(e);
}
