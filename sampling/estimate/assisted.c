/* Residuals of single results, pooled by kernel; formula, limits: assisted.h.
 *
 * Degrees of freedom: strata of a kernel share s_k^2, so their variances v are one term (sum v)^2 / (n_k - 1) of
 * Satterthwaite's sum. Stratum h contributes v_h sum(v) / (n_k - 1) to it, stored as residual_share. */
#include "sampling/estimate/assisted.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/assert.h"

struct pool {
    double n, ratios, squares; /* results, mean of r, squares of r around it */
    double variance;           /* of its strata with a single result, by residuals */
};

static bool assisted_counts(const struct aux_stratum *s)
{
    return s->n > 0 && !s->own_factors;
}

static bool is_single(const struct aux_stratum *s)
{
    return assisted_counts(s) && s->n == 1 && s->population > 1;
}

static void pool_ratios(const struct aux_stratum *s, const size_t *kernel, size_t count, struct pool *pools)
{
    for (size_t h = 0; h < count; h++)
        for (size_t i = 0; assisted_counts(&s[h]) && i < s[h].n; i++) {
            struct pool *p = &pools[kernel[h]];
            double r = s[h].y[i] / s[h].x[i], step = r - p->ratios;

            p->n++;
            p->ratios += step / p->n;
            p->squares += step * (r - p->ratios);
            ASSERT(kernel[h] < count && !(p->squares < 0));
        }
}

/* Square of the relative spread pooled over kernels, and its degrees of freedom. */
static double common_square(const struct pool *pools, size_t count, double *df)
{
    double sum = 0;

    *df = 0;
    for (size_t k = 0; k < count; k++) {
        if (pools[k].n < 2 || pools[k].ratios == 0)
            continue;
        sum += pools[k].squares / (pools[k].ratios * pools[k].ratios);
        *df += pools[k].n - 1;
    }
    ASSERT(*df >= 0 && !(sum < 0));
    return *df > 0 ? sum / *df : 0;
}

int assisted_residuals(struct aux_stratum *s, const size_t *kernel, size_t count, struct err *e)
{
    struct pool *pools = mem_zalloc(count, sizeof *pools, e);
    double df, common;

    if (!pools)
        return -1;
    pool_ratios(s, kernel, count, pools);
    common = common_square(pools, count, &df);
    for (size_t h = 0; df > 0 && h < count; h++) {
        struct pool *p = &pools[kernel[h]];

        if (!is_single(&s[h]))
            continue;
        s[h].residual_df = p->n > 1 ? p->n - 1 : df;
        s[h].residual_sd = p->n > 1 ? s[h].x[0] * sqrt(p->squares / (p->n - 1)) : fabs(s[h].y[0]) * sqrt(common);
        s[h].residual_share = s[h].population * (s[h].population - 1) * s[h].residual_sd * s[h].residual_sd;
        p->variance += s[h].residual_share;
        ASSERT(s[h].residual_df > 0 && !(s[h].residual_sd < 0));
    }
    for (size_t h = 0; h < count; h++)
        if (s[h].residual_share > 0) {
            s[h].residual_share /= pools[kernel[h]].variance;
            ASSERT(!(s[h].residual_share > 1)); /* those of a kernel add up to 1 */
        }
    free(pools);
    return df > 0 ? 1 : 0;
}
