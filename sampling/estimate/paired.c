/* Two values of each sample: differences and ratios of two totals, whose errors mostly cancel. difference: the
 * total of b - a. ratio R = total b / total a: variance of the total of b - R a, over total a squared (Taylor;
 * Cochran 1977, ch. 6). A rate of two counters of one design is such a ratio too; spread of its residuals:
 * counters.c. */
#include "sampling/estimate/projection.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/assert.h"
#include "sampling/estimate/common_spread.h"
#include "sampling/estimate/effective.h"
#include "sampling/estimate/gather.h"

int gather_differences(const struct plan *plan, const double *values, const double *sizes, struct gathered *out,
                       struct err *e)
{
    int ret = gather(plan, values, PROJECT_AS_PLANNED, &PROJECTION_OPTIONS_DEFAULT, out, e);

    if (ret <= 0)
        return ret;
    gather_scales(plan, values, sizes, out);
    for (size_t h = 0; h < out->count; h++) {
        struct aux_stratum *s = &out->strata[h];
        double planned = s->planned_cv;

        s->common_noise = false;
        if (s->spread == AUX_MODEL)
            s->spread = AUX_SAMPLES;    /* the model is for totals, not for differences */
        s->planned_cv = s->residual_cv; /* the planned spread is for totals, too */
        /* each shape may have its own ratio between designs: sample sizes of interim analyses then use the planned
         * spread (spread_model.c) */
        if (plan->strata[h].mixed_shapes)
            s->residual_cv = planned;
        ASSERT(!(s->planned_cv < 0) && !(s->residual_cv < 0) && !(s->scale < 0));
    }
    common_spread(out->strata, out->count, plan->params.noise_floor);
    return ret;
}

/* gather_differences(), gather_counters(), gather_residuals(). */
typedef int (*gather_fn)(const struct plan *plan, const double *values, const double *sizes, struct gathered *out,
                         struct err *e);

/* noise_df() of the gathered results, with the planned spreads. */
static int df_for_noise(const struct plan *plan, const struct gathered *g, double *df, struct err *e)
{
    struct alloc_stratum *s = mem_zalloc(g->count, sizeof *s, e);
    struct even_stratum *even = mem_zalloc(g->count, sizeof *even, e);
    int ret = s && even ? 0 : -1;

    for (size_t h = 0; ret == 0 && h < g->count; h++) {
        uint64_t n = g->strata[h].n, population = plan->strata[h].population;

        if (plan->with_replacement && population <= n)
            population = n + 1; /* some launches can be unseen */
        ASSERT(n <= population);
        s[h] = (struct alloc_stratum){.population = population, .n = n};
        even[h] = (struct even_stratum){plan->strata[h].mean, g->strata[h].planned_cv};
    }
    if (ret == 0)
        *df = noise_df(s, even, g->count);
    free(s);
    free(even);
    return ret;
}

/* Lowers out->effective to the effective sample size of the gathered values, raises out->hidden, and
 * sets out->noise_df. */
static int what_is_unseen(const struct plan *plan, const struct gathered *g, double level, struct projected *out,
                          struct err *e)
{
    const double *y = g->results ? g->results : g->y;
    bool *unlike = mem_zalloc(g->count, sizeof *unlike, e);

    if (!unlike)
        return -1;
    for (size_t h = 0; h < g->count; h++)
        unlike[h] = stratum_mixes(&plan->strata[h]);
    out->effective = fmin(out->effective, effective_results(g->strata, g->count, y));
    out->hidden = fmax(out->hidden, unseen_in_unlike(g->strata, unlike, g->count, y, level));
    ASSERT(!(out->effective < 0) && !(out->hidden < 0));
    free(unlike);
    return df_for_noise(plan, g, &out->noise_df, e);
}

/* gather_sized: NULL if values are results, otherwise the function for this kind of values with these sizes.
 * unseen: what_is_unseen() of these values at this level; NULL: not needed. */
static int estimate_values(const struct plan *plan, const double *values, gather_fn gather_sized,
                           const double *sizes, struct aux_estimate *out, double level, struct projected *unseen,
                           struct err *e)
{
    struct gathered g;
    int ret = gather_sized ? gather_sized(plan, values, sizes, &g, e)
                           : gather(plan, values, PROJECT_AS_PLANNED, &PROJECTION_OPTIONS_DEFAULT, &g, e);

    *out = (struct aux_estimate){NAN, NAN, NAN};
    if (ret > 0 && !g.blank)
        *out = aux_total(g.strata, g.slopes, g.count);
    if (plan->variance == PLAN_VARIANCE_NONE)
        out->variance = out->df = NAN;
    if (unseen && ret > 0 && !g.blank && what_is_unseen(plan, &g, level, unseen, e) < 0)
        ret = -1;
    gathered_release(&g);
    return ret < 0 ? -1 : 0;
}

uint64_t gather_pairs(const struct plan *plan, const double *a, const double *b, double k, double *values,
                      double *sizes)
{
    uint64_t pairs = 0;

    ASSERT(isfinite(k));
    for (size_t i = 0; i < plan->sample_count; i++) {
        values[i] = isnan(a[i]) || isnan(b[i]) ? NAN : b[i] - k * a[i];
        sizes[i] = fabs(b[i]) + fabs(k * a[i]);
        pairs += !isnan(values[i]);
    }
    return pairs;
}

static void promise(struct projected *x, double level)
{
    ASSERT(level > 0 && level < 1 && !(x->half_width < 0));
    x->promised = !isnan(x->half_width) && effective_enough(x->effective, level) && x->hidden <= UNSEEN_MAX &&
                  effective_enough(x->noise_df, level);
}

static int total_of(const struct plan *plan, const double *y, double level, gather_fn gather_sized,
                    struct projected *out, struct err *e)
{
    struct aux_estimate x;

    *out = (struct projected){.value = NAN, .half_width = NAN, .effective = INFINITY, .noise_df = INFINITY};
    for (size_t i = 0; i < plan->sample_count; i++)
        out->results += !isnan(y[i]);
    ASSERT(out->results <= plan->sample_count);
    if (estimate_values(plan, y, gather_sized, y, &x, level, out, e) < 0)
        return -1;
    out->value = x.value;
    out->half_width = aux_half_width(&x, level);
    out->df = x.df;
    promise(out, level);
    return 0;
}

int projected_total(const struct plan *plan, const double *y, double level, struct projected *out, struct err *e)
{
    return total_of(plan, y, level, NULL, out, e);
}

int projected_counter(const struct plan *plan, const double *y, double level, struct projected *out, struct err *e)
{
    return total_of(plan, y, level, gather_counters, out, e);
}

/* If top / bottom is a share (top <= bottom in every result), counts what is unseen of bottom - top too. */
static int count_rest(const struct plan *plan, const double *top, const double *bottom, double *values,
                      double *sizes, double level, struct projected *out, struct err *e)
{
    struct aux_estimate rest;
    bool share = true;

    gather_pairs(plan, top, bottom, 1, values, sizes);
    for (size_t i = 0; i < plan->sample_count; i++)
        share &= !(values[i] < 0);
    return share ? estimate_values(plan, values, NULL, NULL, &rest, level, out, e) : 0;
}

static int ratio_of(const struct plan *plan, const double *top, const double *bottom, double level,
                    gather_fn residuals, struct projected *out, struct err *e)
{
    double *values = mem_zalloc(plan->sample_count, sizeof *values, e);
    double *sizes = mem_zalloc(plan->sample_count, sizeof *sizes, e);
    struct aux_estimate above, below, residual;
    int ret = -1;

    *out = (struct projected){.value = NAN, .half_width = NAN, .effective = INFINITY, .noise_df = INFINITY};
    if (!values || !sizes)
        goto out;
    out->results = gather_pairs(plan, bottom, top, 0, values, sizes); /* number of samples with both values */
    if (estimate_values(plan, values, NULL, NULL, &above, level, out, e) < 0)
        goto out;
    gather_pairs(plan, top, bottom, 0, values, sizes);
    if (estimate_values(plan, values, NULL, NULL, &below, level, out, e) < 0 ||
        count_rest(plan, top, bottom, values, sizes, level, out, e) < 0)
        goto out;
    out->value = above.value / below.value;
    if (isfinite(out->value)) {
        gather_pairs(plan, bottom, top, out->value, values, sizes);
        if (estimate_values(plan, values, residuals, sizes, &residual, level, NULL, e) < 0)
            goto out;
        out->half_width = aux_half_width(&residual, level) / fabs(below.value);
        out->df = residual.df;
        promise(out, level);
    } else {
        out->value = NAN;
    }
    ret = 0;
out:
    free(values);
    free(sizes);
    return ret;
}

int projected_ratio(const struct plan *plan, const double *top, const double *bottom, double level,
                    struct projected *out, struct err *e)
{
    return ratio_of(plan, top, bottom, level, gather_differences, out, e);
}

int projected_rate(const struct plan *plan, const double *top, const double *bottom, double level,
                   struct projected *out, struct err *e)
{
    return ratio_of(plan, top, bottom, level, gather_residuals, out, e);
}

bool comparison_real(double difference, double half_width, double ratio, double ratio_half_width)
{
    bool known = !isnan(ratio) && !isnan(ratio_half_width);

    ASSERT(!(half_width < 0) && !(ratio_half_width < 0));
    return fabs(difference) > half_width && (!known || fabs(ratio - 1) > ratio_half_width);
}

int comparison_make(const struct plan *plan, const double *a, const double *b, double level, struct comparison *out,
                    struct err *e)
{
    double *values = mem_zalloc(plan->sample_count, sizeof *values, e);
    double *sizes = mem_zalloc(plan->sample_count, sizeof *sizes, e);
    struct aux_estimate difference;
    struct projected ratio;
    int ret = -1;

    *out = (struct comparison){.level = level};
    if (!values || !sizes)
        goto out;
    out->paired_on = gather_pairs(plan, a, b, 1, values, sizes);
    if (estimate_values(plan, values, gather_differences, sizes, &difference, level, NULL, e) == 0 &&
        projected_ratio(plan, b, a, level, &ratio, e) == 0) {
        out->difference = difference.value;
        out->difference_half_width = aux_half_width(&difference, level);
        out->ratio = ratio.value;
        out->ratio_half_width = ratio.half_width;
        out->df = difference.df;
        ASSERT(out->paired_on <= plan->sample_count && !(out->difference_half_width < 0));
        out->distinguishable =
            comparison_real(out->difference, out->difference_half_width, out->ratio, out->ratio_half_width);
        ret = 0;
    }
out:
    free(values);
    free(sizes);
    return ret;
}
