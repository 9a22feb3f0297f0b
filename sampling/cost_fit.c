/* seconds = fixed + per_unit value by relative least squares with Huber's weights; formula, sources: cost_fit.h.
 * Assumes: seconds scatter in proportion to themselves, and jobs share machines of about the same speed. */
#include "sampling/cost_fit.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"

#define MAD_TO_SD 1.4826 /* of normal residuals */
#define HUBER     1.345  /* 95 % as efficient as least squares where residuals are normal */
enum { ROUNDS = 30 };

struct line {
    double fixed, per_unit;
};

static double residual(const struct cost_point *p, const struct line *l)
{
    return (l->fixed + l->per_unit * p->value) / p->seconds - 1;
}

static double squares(const struct cost_point *p, const double *weight, size_t count, const struct line *l)
{
    double sum = 0;

    for (size_t i = 0; i < count; i++)
        sum += weight[i] * residual(&p[i], l) * residual(&p[i], l);
    return sum;
}

/* Weighted least squares of a / s + b v / s = 1 under a, b >= 0. */
static struct line fit(const struct cost_point *p, const double *weight, size_t count)
{
    double aa = 0, ab = 0, bb = 0, a1 = 0, b1 = 0, determinant;
    struct line both, best;

    for (size_t i = 0; i < count; i++) {
        double a = 1 / p[i].seconds, b = p[i].value / p[i].seconds;

        aa += weight[i] * a * a;
        ab += weight[i] * a * b;
        bb += weight[i] * b * b;
        a1 += weight[i] * a;
        b1 += weight[i] * b;
    }
    determinant = aa * bb - ab * ab;
    if (determinant > 1e-12 * aa * bb) {
        both = (struct line){(a1 * bb - b1 * ab) / determinant, (b1 * aa - a1 * ab) / determinant};
        if (both.fixed >= 0 && both.per_unit >= 0)
            return both;
    }
    best = (struct line){a1 / aa, 0};
    both = (struct line){0, bb > 0 ? b1 / bb : 0};
    return squares(p, weight, count, &both) < squares(p, weight, count, &best) ? both : best;
}

static int double_compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return x < y ? -1 : x > y;
}

static double median_residual(const struct cost_point *p, size_t count, const struct line *l, double *scratch)
{
    for (size_t i = 0; i < count; i++)
        scratch[i] = fabs(residual(&p[i], l));
    qsort(scratch, count, sizeof *scratch, double_compare);
    return count % 2 ? scratch[count / 2] : (scratch[count / 2 - 1] + scratch[count / 2]) / 2;
}

static struct line fit_robustly(const struct cost_point *p, size_t count, double *weight, double *scratch)
{
    struct line l;

    for (size_t i = 0; i < count; i++)
        weight[i] = 1;
    l = fit(p, weight, count);
    for (int round = 0; round < ROUNDS; round++) {
        double scale = MAD_TO_SD * median_residual(p, count, &l, scratch);

        if (!(scale > 1e-12))
            break;
        for (size_t i = 0; i < count; i++)
            weight[i] = fmin(1, HUBER * scale / fmax(fabs(residual(&p[i], &l)), 1e-300));
        l = fit(p, weight, count);
    }
    return l;
}

int cost_fit(const struct cost_point *points, size_t count, struct cost_fit *out, struct err *e)
{
    struct cost_point *kept = mem_zalloc(count, sizeof *kept, e);
    double *weight = mem_zalloc(count, sizeof *weight, e), *scratch = mem_zalloc(count, sizeof *scratch, e);
    struct line l;
    int ret = -1;

    *out = (struct cost_fit){0};
    if (!kept || !weight || !scratch)
        goto out;
    for (size_t i = 0; i < count; i++)
        if (points[i].seconds > 0 && isfinite(points[i].seconds) && points[i].value >= 0 &&
            isfinite(points[i].value))
            kept[out->used++] = points[i];
    if (out->used < 2) {
        err_set(e, ERR_INVALID, "the cost of a simulation cannot be fitted: %zu have a time, and it takes two",
                out->used);
        goto out;
    }
    l = fit_robustly(kept, out->used, weight, scratch);
    out->fixed = l.fixed;
    out->per_unit = l.per_unit;
    out->typical_error = median_residual(kept, out->used, &l, scratch);
    ret = 0;
out:
    free(kept);
    free(weight);
    free(scratch);
    return ret;
}
