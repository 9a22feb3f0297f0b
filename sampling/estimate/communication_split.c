/* Strata are drawn independently, so totals and variances of both parts are sums over their strata; degrees of
 * freedom are Satterthwaite's, limited to those of the whole total. */
#include "sampling/estimate/communication_split.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/assert.h"
#include "sampling/profile/communication.h"
#include "sampling/estimate/estimator_aux.h"
#include "sampling/math/quantile.h"

static int communication_split_count(const struct profile *profile, struct communication_split *out, struct err *e)
{
    bool *talks = mem_zalloc(profile->kernel_count, sizeof *talks, e);

    if (!talks)
        return -1;
    for (size_t k = 0; k < profile->kernel_count; k++)
        talks[k] = communication_library(profile->kernels[k].name) != NULL;
    for (size_t i = 0; i < profile->count; i++) {
        if (!talks[profile->kernel[i]])
            continue;
        out->launches += profile->value[i] > 0;
        out->profiled += profile->value[i];
    }
    ASSERT(out->launches <= profile->count);
    free(talks);
    return 0;
}

static double half_width(const struct aux_sum *sum, const struct projection *p)
{
    return sum->variance == 0     ? 0
           : !(sum->variance > 0) ? NAN
                                  : t_factor(p->level, fmin(aux_sum_df(sum), p->df)) * sqrt(sum->variance);
}

int communication_split_make(const struct profile *profile, const struct plan *plan, const struct projection *p,
                             struct communication_split *out, struct err *e)
{
    struct aux_sum sums[2] = {{0, 0}, {0, 0}};
    double totals[2] = {0, 0};
    uint64_t apart = 0;

    *out = (struct communication_split){0};
    if (communication_split_count(profile, out, e) < 0)
        return -1;
    if (!out->launches || isnan(p->value))
        return 0;
    for (size_t h = 0; h < plan->stratum_count; h++) {
        const struct plan_stratum *from = &plan->strata[h];
        const struct projection_stratum *s = &p->strata[h];
        int talks = !from->mixed_names && communication_library(from->kernel_name) != NULL;

        apart += talks ? from->population : 0;
        totals[talks] += s->total;
        if (s->variance != 0)
            aux_sum_add(&sums[talks], s->variance, s->done > 1 ? (double)(s->done - 1) : p->df);
    }
    if (apart != out->launches)
        return 0;
    out->value = totals[1];
    out->half_width = half_width(&sums[1], p);
    out->other = totals[0];
    out->other_half_width = half_width(&sums[0], p);
    ASSERT(!(out->half_width < 0) && !(out->other_half_width < 0));
    return 1;
}
