/* Converts a plan and its results to strata for estimator_aux.h: N, X, the n available results with their x, and
 * the planned spread. A missing result is left out; its stratum's mean is that of the available results (weights N
 * / n).
 *
 * Assumes: results are missing at random, independent of their values. Ratios and slopes are pooled over strata of
 * one kernel name; a stratum of several names is its own group. */
#include "sampling/estimate/gather.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "sampling/estimate/assisted.h"
#include "sampling/estimate/ratio.h"

void gathered_release(struct gathered *g)
{
    free(g->strata);
    free(g->x);
    free(g->y);
    free(g->results);
    free(g->slopes);
    *g = (struct gathered){0};
}

/* Whether this is the ratio that the plan was made for. */
static bool is_planned_ratio(const struct plan *plan, enum projection_estimator x)
{
    return plan->estimator == PLAN_RATIO && (x == PROJECT_AS_PLANNED || x == PROJECT_RATIO);
}

static enum aux_estimator aux_of(const struct plan *plan, enum projection_estimator x)
{
    if (is_planned_ratio(plan, x))
        return AUX_EXPANSION; /* over values adjusted by ratio_adjust() */
    switch (x) {
    case PROJECT_AS_PLANNED: break;
    case PROJECT_EXPANSION: return AUX_EXPANSION;
    case PROJECT_RATIO: return AUX_RATIO;
    case PROJECT_SEPARATE_RATIO: return AUX_RATIO_SEPARATE;
    case PROJECT_DIFFERENCE: return AUX_DIFFERENCE;
    case PROJECT_REGRESSION: return AUX_REGRESSION;
    }
    return plan->estimator == PLAN_INSTRUCTION_RATIO ? AUX_RATIO_SEPARATE : AUX_EXPANSION;
}

/* --- groups --- */

struct named {
    const char *name; /* NULL: a stratum of several names, its own group */
    size_t stratum;
};

static int named_compare(const void *a, const void *b)
{
    const struct named *x = a, *y = b;
    int order = !x->name || !y->name ? !x->name - !y->name : strcmp(x->name, y->name);

    return order ? order : x->stratum < y->stratum ? -1 : x->stratum > y->stratum;
}

int gather_kernels(const struct plan *plan, size_t *group, struct err *e)
{
    struct named *list = mem_zalloc(plan->stratum_count, sizeof *list, e);
    size_t first = 0;

    if (!list)
        return -1;
    for (size_t h = 0; h < plan->stratum_count; h++)
        list[h] = (struct named){plan->strata[h].mixed_names ? NULL : plan->strata[h].kernel_name, h};
    qsort(list, plan->stratum_count, sizeof *list, named_compare);
    for (size_t i = 0; i < plan->stratum_count; i++) {
        if (!list[i].name || !list[first].name || strcmp(list[i].name, list[first].name) != 0)
            first = i;
        ASSERT(list[first].stratum <= list[i].stratum);
        group[list[i].stratum] = list[first].stratum;
    }
    free(list);
    return 0;
}

int gather_groups(const struct plan *plan, struct gathered *g, struct err *e)
{
    size_t *group = mem_zalloc(plan->stratum_count, sizeof *group, e);
    int ret = group ? gather_kernels(plan, group, e) : -1;

    for (size_t h = 0; ret == 0 && h < plan->stratum_count; h++)
        g->strata[h].group = group[h];
    free(group);
    return ret;
}

/* --- samples --- */

static enum aux_spread spread_of(const struct plan *plan)
{
    return plan->variance == PLAN_VARIANCE_SUCCESSIVE ? AUX_SUCCESSIVE
           : plan->variance == PLAN_VARIANCE_MODEL    ? AUX_MODEL
                                                      : AUX_SAMPLES;
}

/* The profile's spread (the planned one, with its floor), scaled by the ratio of results to profiled values. */
static double model_sd(const struct plan_stratum *from, double y_mean, double value_mean)
{
    double sd = from->planned_sd > 0 ? from->planned_sd : from->sd;

    ASSERT(!(sd < 0));
    return value_mean > 0 ? sd * fabs(y_mean) / value_mean : NAN;
}

/* Planned spread of results. In a plan with a ratio planned_sd is that of residuals, so the profile's sd is a
 * minimum. */
static double planned_sd(const struct plan *plan, size_t h)
{
    const struct plan_stratum *s = &plan->strata[h];

    return plan->estimator == PLAN_RATIO ? fmax(s->planned_sd, s->sd) : s->planned_sd;
}

/* Fills stratum h from samples[begin .. end); returns how many values it wrote. */
static size_t fill_stratum(const struct plan *plan, const double *y, size_t h, size_t begin, size_t end,
                           bool instructions, struct gathered *g, size_t at)
{
    const struct plan_stratum *from = &plan->strata[h];
    struct aux_stratum *s = &g->strata[h];
    double values = 0;

    ASSERT(begin <= end && end <= plan->sample_count);
    s->group = h;
    s->population = (double)from->population;
    s->x_total = (double)(instructions ? from->auxiliary : from->total);
    s->x = g->x + at;
    s->y = g->y + at;
    s->with_replacement = plan->with_replacement;
    s->least_spread = plan->params.noise_floor;
    s->spread = spread_of(plan);
    s->planned_cv = plan->variance == PLAN_VARIANCE_SAMPLES ? planned_sd(plan, h) / from->mean : 0;
    s->own_factors = from->mixed_names;
    s->residual_cv = from->mixed_names ? s->planned_cv : fmin(s->planned_cv, plan->params.noise_floor);
    for (size_t i = begin; i < end; i++) {
        const struct plan_sample *sample = &plan->samples[i];
        uint64_t x = instructions ? sample->auxiliary : sample->value;

        g->has_x = g->has_x && x;
        for (uint32_t d = 0; d < sample->draws && !isnan(y[i]); d++) {
            g->x[at + s->n] = (double)x;
            g->y[at + s->n++] = y[i];
            values += (double)sample->value;
        }
    }
    ASSERT(plan->with_replacement || s->n <= from->population);
    ASSERT(!(s->planned_cv < 0) && !(s->residual_cv < 0));
    g->blank |= !s->n;
    if (s->n && s->spread == AUX_MODEL)
        s->model_sd = model_sd(from, aux_mean(s->y, s->n), values / (double)s->n);
    return s->n;
}

static int lay_out(const struct plan *plan, const double *y, bool instructions, struct gathered *g, struct err *e)
{
    size_t draws = 0, begin = 0;

    for (size_t k = 0; k < plan->sample_count; k++)
        draws += plan->samples[k].draws;
    g->count = plan->stratum_count;
    g->strata = mem_zalloc(g->count, sizeof *g->strata, e);
    g->slopes = mem_zalloc(g->count, sizeof *g->slopes, e);
    g->x = mem_zalloc(draws, sizeof *g->x, e);
    g->y = mem_zalloc(draws, sizeof *g->y, e);
    if (!g->strata || !g->slopes || !g->x || !g->y)
        return -1;
    for (size_t h = 0; h < plan->stratum_count; h++) {
        size_t end = begin;

        while (end < plan->sample_count && plan->samples[end].stratum == h)
            end++;
        g->values += fill_stratum(plan, y, h, begin, end, instructions, g, g->values);
        begin = end;
    }
    ASSERT(begin == plan->sample_count && g->values <= draws);
    return 0;
}

void gather_scales(const struct plan *plan, const double *values, const double *sizes, struct gathered *g)
{
    for (size_t h = 0; h < g->count; h++) {
        g->strata[h].scale = 0;
        g->strata[h].unlike = false;
    }
    for (size_t i = 0; i < plan->sample_count; i++) {
        struct aux_stratum *s = &g->strata[plan->samples[i].stratum];

        ASSERT(plan->samples[i].stratum < g->count && !(sizes[i] < 0));
        if (!isnan(values[i]))
            s->scale += plan->samples[i].draws * sizes[i] / (double)s->n;
    }
}

bool estimator_needs_times(enum projection_estimator x)
{
    return x == PROJECT_RATIO || x == PROJECT_SEPARATE_RATIO || x == PROJECT_REGRESSION;
}

/* Slopes of separate strata are found even if other strata have no results yet. */
static int find_slopes(struct gathered *g, bool pooled, double kappa, struct err *e)
{
    int ret = 0;

    ASSERT(g->count > 0);
    g->sloped = !g->blank || !pooled;
    if (!g->blank)
        return aux_slopes(g->estimator, g->strata, g->count, kappa, g->slopes, e);
    for (size_t h = 0; g->sloped && ret == 0 && h < g->count; h++)
        if (g->strata[h].n)
            ret = aux_slopes(g->estimator, &g->strata[h], 1, kappa, &g->slopes[h], e);
    return ret;
}

/* Adjusts results by the plan's ratio. The planned spread of residuals is then the one that the plan was sized
 * with. */
static int gather_adjust(const struct plan *plan, struct gathered *g, struct err *e)
{
    g->results = mem_zalloc(g->values, sizeof *g->results, e);
    if (!g->results || gather_groups(plan, g, e) < 0)
        return -1;
    ASSERT(plan->estimator == PLAN_RATIO);
    memcpy(g->results, g->y, g->values * sizeof *g->y);
    for (size_t h = 0; h < g->count; h++) {
        g->strata[h].planned_cv = plan->strata[h].planned_sd / plan->strata[h].mean;
        g->strata[h].common_noise = true;
    }
    return ratio_adjust(g->strata, g->count, g->y, e);
}

/* Sets the residual terms of strata with single samples, if the plan's variance is from a model. */
static int assist(const struct plan *plan, struct gathered *g, struct err *e)
{
    size_t *kernel = mem_zalloc(plan->stratum_count, sizeof *kernel, e);
    int ret = kernel ? gather_kernels(plan, kernel, e) : -1;

    if (ret == 0)
        ret = assisted_residuals(g->strata, kernel, g->count, e);
    g->assisted = ret > 0;
    free(kernel);
    return ret < 0 ? -1 : 0;
}

/* Strata of unlike launches show by their planned values how unlike their samples are. Only for totals: counters
 * have a common spread for such strata (counters.c), and a difference of two designs is not in proportion to the
 * time. */
static void expect_imbalance(const struct plan *plan, struct gathered *g)
{
    for (size_t h = 0; h < g->count; h++)
        g->strata[h].unlike = g->strata[h].n > 1 && stratum_unlike(&plan->strata[h], plan->unit);
}

int gather(const struct plan *plan, const double *y, enum projection_estimator estimator,
           const struct projection_options *options, struct gathered *out, struct err *e)
{
    enum aux_estimator aux = aux_of(plan, estimator);
    bool pooled = aux == AUX_RATIO || aux == AUX_REGRESSION;
    bool instructions = estimator == PROJECT_AS_PLANNED && plan->estimator == PLAN_INSTRUCTION_RATIO;

    *out = (struct gathered){.has_x = true, .estimator = aux};
    if (lay_out(plan, y, instructions, out, e) < 0)
        return -1;
    if ((aux != AUX_EXPANSION && !out->has_x) || (aux == AUX_DIFFERENCE && !(options->kappa > 0)) ||
        (plan->unit != PROFILE_NS && estimator_needs_times(estimator)))
        return 0;
    if (plan->variance == PLAN_VARIANCE_MODEL && aux == AUX_EXPANSION && out->has_x && assist(plan, out, e) < 0)
        return -1;
    if (is_planned_ratio(plan, estimator)) {
        if (!out->has_x)
            return 0;
        if (gather_adjust(plan, out, e) < 0)
            return -1;
    }
    if (aux == AUX_EXPANSION && !is_planned_ratio(plan, estimator) && out->has_x)
        expect_imbalance(plan, out);
    if ((pooled || options->collapse) && gather_groups(plan, out, e) < 0)
        return -1;
    return find_slopes(out, pooled, options->kappa, e) < 0 ? -1 : 1;
}
