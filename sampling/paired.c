/* Two values of each sample: differences and ratios of two totals, whose errors mostly cancel (methods.md 4.9).
 * difference: the total of b - a. ratio R = total b / total a: variance of the total of b - R a, over total a
 * squared (Taylor; Cochran 1977, ch. 6). */
#include "sampling/projection.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "sampling/gather.h"

/* values[i] of pairs: b - k a, or NaN where one is missing */
static void combine(const struct plan *plan, const double *a, const double *b, double k, double *out)
{
    for (size_t i = 0; i < plan->sample_count; i++)
        out[i] = isnan(a[i]) || isnan(b[i]) ? NAN : b[i] - k * a[i];
}

static int estimate_pairs(const struct plan *plan, const double *values, struct aux_estimate *out, struct err *e)
{
    struct gathered g;

    *out = (struct aux_estimate){NAN, NAN, NAN};
    if (gather(plan, values, GATHER_PLANNED, &g, e) < 0)
        return -1;
    for (size_t h = 0; h < g.count; h++) /* the model is about totals: it does not know how designs differ */
        g.strata[h].spread = g.strata[h].spread == AUX_MODEL ? AUX_SAMPLES : g.strata[h].spread;
    if (!g.blank && aux_estimate(planned_estimator(plan), g.strata, g.count, 0, out, e) < 0) {
        gathered_release(&g);
        return -1;
    }
    if (plan->variance == PLAN_VARIANCE_NONE)
        out->variance = out->df = NAN;
    gathered_release(&g);
    return 0;
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
    out->difference_half_width = aux_half_width(&difference, level);
    out->ratio = total_b.value / total_a;
    combine(plan, a, b, out->ratio, values);
    if (estimate_pairs(plan, values, &residual, e) < 0)
        goto out;
    out->ratio_half_width = aux_half_width(&residual, level) / fabs(total_a);
    out->df = difference.df;
    out->distinguishable = fabs(out->difference) > out->difference_half_width; /* false for NaN */
    ret = 0;
out:
    free(values);
    return ret;
}
