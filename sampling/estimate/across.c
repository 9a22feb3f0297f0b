/* Two runs with two plans; formulas: across.h. */
#include "sampling/estimate/across.h"

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "sampling/estimate/estimator_aux.h"
#include "sampling/math/quantile.h"

static bool same_stratum(const struct plan_stratum *a, const struct plan_stratum *b)
{
    return a->population == b->population && a->total == b->total && a->low == b->low && a->high == b->high &&
           a->mixed_names == b->mixed_names && strcmp(a->kernel_name, b->kernel_name) == 0 &&
           memcmp(a->grid, b->grid, sizeof a->grid) == 0 && memcmp(a->block, b->block, sizeof a->block) == 0;
}

static bool same_strata(const struct plan *a, const struct plan *b)
{
    if (strcmp(a->profile_sha256, b->profile_sha256) != 0 || a->stratum_count != b->stratum_count ||
        a->with_replacement || b->with_replacement || a->representative != b->representative ||
        a->estimator != b->estimator || a->variance != b->variance)
        return false;
    for (size_t h = 0; h < a->stratum_count; h++)
        if (!same_stratum(&a->strata[h], &b->strata[h]))
            return false;
    return true;
}

static bool across_before(const struct plan_sample *a, const struct plan_sample *b)
{
    return a->stratum != b->stratum ? a->stratum < b->stratum : a->launch < b->launch;
}

/* Merges both sample lists, which are sorted by stratum, then launch. Returns the number of pairs. */
static size_t across_walk(const struct plan *a, const struct plan *b, const double *y, double *out)
{
    size_t found = 0, j = 0;

    for (size_t i = 0; i < a->sample_count; i++) {
        while (j < b->sample_count && across_before(&b->samples[j], &a->samples[i]))
            j++;
        out[i] = NAN;
        if (j < b->sample_count && !across_before(&a->samples[i], &b->samples[j])) {
            out[i] = y[j];
            found++;
        }
    }
    ASSERT(found <= a->sample_count && found <= b->sample_count);
    return found;
}

static bool same_samples(const struct plan *a, const struct plan *b)
{
    if (strcmp(a->profile_sha256, b->profile_sha256) != 0 || a->sample_count != b->sample_count)
        return false;
    for (size_t i = 0; i < a->sample_count; i++)
        if (a->samples[i].launch != b->samples[i].launch || a->samples[i].stratum != b->samples[i].stratum ||
            a->samples[i].draws != b->samples[i].draws || a->samples[i].weight != b->samples[i].weight)
            return false;
    return true;
}

bool across_pairs(const struct plan *a, const struct plan *b, const double *y, double *out)
{
    size_t found;

    if (same_samples(a, b)) {
        for (size_t i = 0; i < a->sample_count; i++)
            out[i] = y[i];
        return true;
    }
    if (!same_strata(a, b))
        return false;
    found = across_walk(a, b, y, out);
    return found == (a->sample_count < b->sample_count ? a->sample_count : b->sample_count);
}

static double half_width(double variance, double df, double level)
{
    const struct aux_estimate x = {.value = 0, .variance = variance, .df = df};

    ASSERT(!(variance < 0) && !(df < 0));
    return aux_half_width(&x, level);
}

static double joint_df(double va, double dfa, double vb, double dfb)
{
    struct aux_sum sum = {0};

    aux_sum_add(&sum, va, dfa);
    aux_sum_add(&sum, vb, dfb);
    return aux_sum_df(&sum);
}

struct comparison across_unpaired(const struct projection *a, const struct projection *b, double level)
{
    double z = normal_quantile((1 + level) / 2), ratio = b->value / a->value, va = a->variance, vb = b->variance,
           ra = ratio * ratio * va;
    struct comparison c = {.difference = b->value - a->value, .level = level, .ratio = NAN};

    ASSERT(level > 0 && level < 1 && !(va < 0) && !(vb < 0));
    c.difference_half_width = c.ratio_half_width = c.df = NAN;
    if (isfinite(ratio))
        c.ratio = ratio;
    if (isnan(a->half_width) || isnan(b->half_width))
        return c;
    c.df = joint_df(va, a->df, vb, b->df);
    c.difference_half_width = half_width(va + vb, c.df, level) + z * hypot(a->within, b->within);
    c.ratio_half_width =
        (half_width(ra + vb, joint_df(ra, a->df, vb, b->df), level) + z * hypot(ratio * a->within, b->within)) /
        fabs(a->value);
    ASSERT(!(c.difference_half_width < 0) && !(c.ratio_half_width < 0));
    c.distinguishable = comparison_real(c.difference, c.difference_half_width, c.ratio, c.ratio_half_width);
    return c;
}
