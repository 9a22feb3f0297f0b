/* Compares several designs with a baseline; formulas, rule for simultaneous intervals, sources: comparisons.h,
 * paired.c.
 *
 * Per kernel: the same formulas over its strata alone, also for the pooled spread (common_spread.h); the ratio's
 * residuals are those from the kernel's own ratio. Assumes: strata are drawn from independently, so an estimate for
 * a kernel uses its own strata alone. */
#include "sampling/estimate/comparisons.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "sampling/estimate/common_spread.h"
#include "sampling/estimate/gather.h"

const char comparisons_rule[] = "The stated level holds for all intervals of a table together. Each of m intervals "
                                "is at 1\u00a0\u2212\u00a0(1\u00a0\u2212\u00a0level)\u00a0/\u00a0m (Bonferroni).";

struct grouping {
    size_t *of;    /* per stratum: its kernel */
    size_t *first; /* per kernel: its first stratum */
    size_t count;
};

static int find_kernels(const struct plan *plan, struct grouping *g, struct err *e)
{
    g->of = mem_zalloc(plan->stratum_count, sizeof *g->of, e);
    g->first = mem_zalloc(plan->stratum_count, sizeof *g->first, e);
    if (!g->of || !g->first)
        return -1;
    for (size_t h = 0; h < plan->stratum_count; h++) {
        const struct plan_stratum *s = &plan->strata[h];
        size_t k = 0;

        while (k < g->count &&
               (s->mixed_names || strcmp(plan->strata[g->first[k]].kernel_name, s->kernel_name) != 0))
            k++;
        if (k == g->count)
            g->first[g->count++] = h;
        g->of[h] = k;
    }
    ASSERT(g->count <= plan->stratum_count);
    return 0;
}

struct comparer {
    const struct plan *plan;
    const double *a, *b; /* baseline, design */
    struct grouping kernels;
    double *values, *sizes;
    struct aux_stratum *strata; /* of one kernel */
    struct aux_slope *slopes;
};

static int comparer_init(struct comparer *c, struct err *e)
{
    c->values = mem_zalloc(c->plan->sample_count, sizeof *c->values, e);
    c->sizes = mem_zalloc(c->plan->sample_count, sizeof *c->sizes, e);
    c->strata = mem_zalloc(c->plan->stratum_count, sizeof *c->strata, e);
    c->slopes = mem_zalloc(c->plan->stratum_count, sizeof *c->slopes, e);
    return c->values && c->sizes && c->strata && c->slopes ? find_kernels(c->plan, &c->kernels, e) : -1;
}

static void comparer_release(struct comparer *c)
{
    free(c->values);
    free(c->sizes);
    free(c->strata);
    free(c->slopes);
    free(c->kernels.of);
    free(c->kernels.first);
}

/* The total of c->values over one kernel's strata; NaN if a stratum has no pair. */
static struct aux_estimate kernel_total(struct comparer *c, const struct gathered *g, size_t kernel)
{
    struct aux_estimate unknown = {NAN, NAN, NAN}, x;
    size_t n = 0;

    for (size_t h = 0; h < g->count; h++) {
        if (c->kernels.of[h] != kernel)
            continue;
        if (!g->strata[h].n)
            return unknown;
        c->slopes[n] = g->slopes[h];
        c->strata[n++] = g->strata[h];
    }
    common_spread(c->strata, n, c->plan->params.noise_floor);
    ASSERT(n > 0);
    x = aux_total(c->strata, c->slopes, n);
    if (c->plan->variance == PLAN_VARIANCE_NONE)
        x.variance = x.df = NAN;
    return x;
}

/* Totals of b - ratio a per kernel; ratio NULL: of b - k a. */
static int kernel_totals(struct comparer *c, double k, const double *ratio, struct aux_estimate *out, struct err *e)
{
    struct gathered g;
    int ret;

    for (size_t i = 0; i < c->plan->sample_count; i++) {
        double factor = ratio ? ratio[c->kernels.of[c->plan->samples[i].stratum]] : k;

        if (isnan(factor))
            factor = 0;
        c->values[i] = isnan(c->a[i]) || isnan(c->b[i]) ? NAN : c->b[i] - factor * c->a[i];
        c->sizes[i] = fabs(c->b[i]) + fabs(factor * c->a[i]);
    }
    ret = gather_differences(c->plan, c->values, c->sizes, &g, e);
    for (size_t i = 0; ret > 0 && i < c->kernels.count; i++)
        out[i] = kernel_total(c, &g, i);
    gathered_release(&g);
    return ret < 0 ? -1 : 0;
}

static int compare_kernels(struct comparer *c, double level, struct kernel_comparison *out, struct err *e)
{
    size_t count = c->kernels.count;
    struct aux_estimate *b = mem_zalloc(count, sizeof *b, e), *d = mem_zalloc(count, sizeof *d, e),
                        *r = mem_zalloc(count, sizeof *r, e);
    double *ratio = mem_zalloc(count, sizeof *ratio, e);
    int ret = -1;

    if (!b || !d || !r || !ratio || kernel_totals(c, 0, NULL, b, e) < 0 || kernel_totals(c, 1, NULL, d, e) < 0)
        goto out;
    for (size_t k = 0; k < count; k++)
        ratio[k] = b[k].value / (b[k].value - d[k].value);
    if (kernel_totals(c, 0, ratio, r, e) < 0)
        goto out;
    for (size_t k = 0; k < count; k++) {
        const struct plan_stratum *s = &c->plan->strata[c->kernels.first[k]];
        double below = b[k].value - d[k].value;

        out[k] = (struct kernel_comparison){.kernel = s->mixed_names ? "" : s->kernel_name,
                                            .stratum = c->kernels.first[k],
                                            .baseline = below,
                                            .total = b[k].value,
                                            .difference = d[k].value,
                                            .difference_half_width = aux_half_width(&d[k], level),
                                            .ratio = isfinite(ratio[k]) ? ratio[k] : NAN,
                                            .ratio_half_width = aux_half_width(&r[k], level) / fabs(below)};
        ASSERT(!(out[k].difference_half_width < 0) && !(out[k].ratio_half_width < 0));
        out[k].distinguishable =
            comparison_real(out[k].difference, out[k].difference_half_width, out[k].ratio, out[k].ratio_half_width);
    }
    ret = 0;
out:
    free(b);
    free(d);
    free(r);
    free(ratio);
    return ret;
}

int comparisons_make(const struct plan *plan, const double *const *y, size_t designs, size_t baseline, double level,
                     struct comparisons *out, struct err *e)
{
    struct comparer c = {.plan = plan};
    double miss = 1 - level;
    int ret = -1;

    *out = (struct comparisons){.baseline = baseline, .design_count = designs, .level = level};
    if (designs < 2 || baseline >= designs)
        return err_set(e, ERR_INVALID, "a comparison needs at least two designs, one of them the baseline");
    if (comparer_init(&c, e) < 0)
        goto out;
    out->kernel_count = c.kernels.count;
    out->total_level = 1 - miss / (double)(designs - 1);
    out->kernel_level = 1 - miss / (double)((designs - 1) * c.kernels.count);
    ASSERT(out->total_level > 0 && out->total_level < 1 && out->kernel_level > 0 && out->kernel_level < 1);
    out->totals = mem_zalloc(designs, sizeof *out->totals, e);
    out->kernels = mem_zalloc(designs * c.kernels.count, sizeof *out->kernels, e);
    if (!out->totals || !out->kernels)
        goto out;
    for (size_t d = 0; d < designs; d++) {
        c.a = y[baseline];
        c.b = y[d];
        if (comparison_make(plan, c.a, c.b, out->total_level, &out->totals[d], e) < 0 ||
            compare_kernels(&c, out->kernel_level, &out->kernels[d * c.kernels.count], e) < 0)
            goto out;
    }
    ret = 0;
out:
    comparer_release(&c);
    if (ret < 0)
        comparisons_release(out);
    return ret;
}

void comparisons_release(struct comparisons *c)
{
    free(c->totals);
    free(c->kernels);
    *c = (struct comparisons){0};
}
