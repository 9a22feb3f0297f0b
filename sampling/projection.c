#include "sampling/projection.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "sampling/estimator_aux.h"
#include "sampling/quantile.h"

static const char variance_srs[] = "stratified, finite-population correction, Satterthwaite's t";
static const char variance_floor[] =
    "stratified, finite-population correction, the plan's noise floor, Satterthwaite's t";
static const char variance_replacement[] = "stratified, with replacement, Satterthwaite's t";
static const char warn_no_result[] = "a stratum has no result yet, so there is no projection";
static const char warn_single_plan[] =
    "the plan draws a single sample where invocations differ, so simulated values cannot show their spread: "
    "the interval is unknown, and the plan's promise is about the profile only";
static const char warn_few[] = "a stratum has fewer than two results, so the interval is not known yet";
static const char warn_reweighted[] =
    "some samples have no result; their strata are weighted over those that have, which is right only if they are "
    "missing by chance";

/* The results of the plan's samples as strata for the estimators, with-replacement draws counted as often as drawn.
 */
struct gathered {
    struct aux_stratum *strata;
    double *x, *y;
    bool has_x; /* every sample knows its profiled value */
};

static void gathered_release(struct gathered *g)
{
    free(g->strata);
    free(g->x);
    free(g->y);
}

static int gather(const struct plan *plan, const double *y, struct gathered *g, struct err *e)
{
    size_t draws = 0, at = 0, i = 0;

    *g = (struct gathered){.has_x = true};
    for (size_t k = 0; k < plan->sample_count; k++)
        draws += plan->samples[k].draws;
    g->strata = mem_zalloc(plan->stratum_count, sizeof *g->strata, e);
    g->x = mem_zalloc(draws, sizeof *g->x, e);
    g->y = mem_zalloc(draws, sizeof *g->y, e);
    if (!g->strata || !g->x || !g->y)
        return -1;
    for (size_t h = 0; h < plan->stratum_count; h++) {
        struct aux_stratum *s = &g->strata[h];

        *s = (struct aux_stratum){.population = (double)plan->strata[h].population,
                                  .x_total = (double)plan->strata[h].total,
                                  .x = g->x + at,
                                  .y = g->y + at,
                                  .with_replacement = plan->with_replacement,
                                  .least_spread = plan->params.noise_floor};
        for (; i < plan->sample_count && plan->samples[i].stratum == h; i++) {
            g->has_x = g->has_x && plan->samples[i].value;
            for (uint32_t d = 0; d < plan->samples[i].draws && !isnan(y[i]); d++) {
                g->x[at] = (double)plan->samples[i].value;
                g->y[at++] = y[i];
                s->n++;
            }
        }
    }
    return 0;
}

static void project_stratum(const struct plan_stratum *from, const struct aux_stratum *s, double level,
                            struct projection_stratum *to)
{
    struct aux_estimate one;

    *to = (struct projection_stratum){.population = from->population, .planned = from->samples, .done = s->n};
    if (!s->n) {
        to->mean = to->sd = to->half_width = to->total = to->variance = NAN;
        return;
    }
    one = estimate_expansion(s, 1);
    to->total = one.value;
    to->mean = one.value / s->population;
    to->variance = one.variance;
    to->sd = NAN;
    if (s->n > 1) {
        double squares = 0;

        for (size_t i = 0; i < s->n; i++)
            squares += (s->y[i] - to->mean) * (s->y[i] - to->mean);
        to->sd = sqrt(squares / (double)(s->n - 1));
    }
    to->half_width = NAN;
    if (!isnan(one.variance))
        to->half_width = one.variance > 0 ? t_factor(level, one.df) * sqrt(one.variance) / s->population : 0;
}

static bool singles_planned(const struct plan *plan)
{
    for (size_t h = 0; h < plan->stratum_count; h++)
        if (plan->strata[h].samples < 2 && plan->strata[h].population > 1)
            return true;
    return false;
}

static const char *warning_of(const struct plan *plan, const struct projection *p)
{
    if (isnan(p->value))
        return warn_no_result;
    if (isnan(p->half_width))
        return singles_planned(plan) ? warn_single_plan : warn_few;
    return p->reweighted ? warn_reweighted : NULL;
}

static double half_width_of(const struct aux_estimate *e, double level)
{
    if (isnan(e->variance))
        return NAN;
    return e->variance > 0 ? t_factor(level, e->df) * sqrt(e->variance) : 0;
}

static void count_results(const struct plan *plan, const double *y, struct projection *out)
{
    out->planned = plan->sample_count;
    for (size_t i = 0; i < plan->sample_count; i++)
        out->done += !isnan(y[i]);
    out->complete = out->done == out->planned;
    out->reweighted = !out->complete;
}

int projection_make(const struct plan *plan, const double *y, double level, struct projection *out, struct err *e)
{
    struct gathered g;
    struct aux_estimate all = {NAN, NAN, NAN, NAN}, ratio = all;
    bool blank = false;
    int ret = -1;

    *out = (struct projection){.level = level};
    out->strata = mem_zalloc(plan->stratum_count, sizeof *out->strata, e);
    if (gather(plan, y, &g, e) < 0 || !out->strata)
        goto out;
    out->stratum_count = plan->stratum_count;
    count_results(plan, y, out);
    for (size_t h = 0; h < plan->stratum_count; h++) {
        project_stratum(&plan->strata[h], &g.strata[h], level, &out->strata[h]);
        blank |= !g.strata[h].n;
    }
    if (!blank) {
        all = estimate_expansion(g.strata, plan->stratum_count);
        if (g.has_x)
            ratio = estimate_ratio_combined(g.strata, plan->stratum_count);
    }
    out->value = all.value;
    out->variance = all.variance;
    out->df = all.df;
    out->half_width = half_width_of(&all, level);
    out->cross_check = isnan(ratio.variance) ? NAN : ratio.value;
    out->cross_check_half_width = half_width_of(&ratio, level);
    for (size_t h = 0; h < plan->stratum_count; h++)
        out->strata[h].variance_share = out->variance > 0      ? out->strata[h].variance / out->variance
                                        : isnan(out->variance) ? NAN
                                                               : 0;
    out->variance_method = plan->with_replacement         ? variance_replacement
                           : plan->params.noise_floor > 0 ? variance_floor
                                                          : variance_srs;
    out->warning = warning_of(plan, out);
    ret = 0;
out:
    gathered_release(&g);
    if (ret < 0)
        projection_release(out);
    return ret;
}

void projection_release(struct projection *p)
{
    free(p->strata);
    p->strata = NULL;
    p->stratum_count = 0;
}

/* --- two designs --- */

/* values[i] of pairs: b - k a, or NaN where one is missing */
static void combine(const struct plan *plan, const double *a, const double *b, double k, double *out)
{
    for (size_t i = 0; i < plan->sample_count; i++)
        out[i] = isnan(a[i]) || isnan(b[i]) ? NAN : b[i] - k * a[i];
}

static int estimate_pairs(const struct plan *plan, const double *values, struct aux_estimate *out, struct err *e)
{
    struct gathered g;
    int ret = gather(plan, values, &g, e);

    *out = (struct aux_estimate){NAN, NAN, NAN, NAN};
    for (size_t h = 0; ret == 0 && h < plan->stratum_count; h++)
        if (!g.strata[h].n)
            goto out;
    if (ret == 0)
        *out = estimate_expansion(g.strata, plan->stratum_count);
out:
    gathered_release(&g);
    return ret;
}

int comparison_make(const struct plan *plan, const double *a, const double *b, double level, struct comparison *out,
                    struct err *e)
{
    double *values = mem_zalloc(plan->sample_count, sizeof *values, e);
    struct aux_estimate difference, total_b, residual;
    double total_a;
    int ret = -1;

    *out = (struct comparison){.level = level};
    if (!values)
        return -1;
    combine(plan, a, b, 1, values);
    for (size_t i = 0; i < plan->sample_count; i++)
        out->paired_on += !isnan(values[i]);
    if (estimate_pairs(plan, values, &difference, e) < 0)
        goto out;
    combine(plan, a, b, 0, values);
    if (estimate_pairs(plan, values, &total_b, e) < 0)
        goto out;
    total_a = total_b.value - difference.value;
    out->difference = difference.value;
    out->difference_half_width = half_width_of(&difference, level);
    out->ratio = total_b.value / total_a;
    combine(plan, a, b, out->ratio, values);
    if (estimate_pairs(plan, values, &residual, e) < 0)
        goto out;
    out->ratio_half_width = half_width_of(&residual, level) / fabs(total_a);
    out->df = difference.df;
    out->distinguishable = fabs(out->difference) > out->difference_half_width; /* false for NaN */
    ret = 0;
out:
    free(values);
    return ret;
}
