/* sampling/estimate/gather.h: the results of a plan's samples as strata for the estimators. */
#ifndef VIVACE_SAMPLING_GATHER_H
#define VIVACE_SAMPLING_GATHER_H

#include "sampling/estimate/estimator_aux.h"
#include "sampling/estimate/projection.h"

struct gathered {
    size_t count;
    struct aux_stratum
        *strata; /* as in the plan; a launch drawn several times with replacement occurs several times */
    double *x, *y;
    double *results; /* y before the adjustment of sampling/estimate/ratio.h; NULL: not adjusted */
    size_t values;   /* of x and y */
    bool blank;      /* a stratum has no result */
    bool has_x;      /* every sample has an x */
    enum aux_estimator estimator;
    struct aux_slope *slopes;
    bool sloped; /* slopes are set for strata with results */
    bool
        assisted; /* strata with a single result use the residuals of their kernel (sampling/estimate/assisted.h) */
};

/* y: one value per plan sample, in the order of plan->samples; NaN where there is no result. Strata of one kernel
 * name become groups where the estimator or collapsing needs them. Returns 1; 0 if the estimator lacks an input:
 * profiled values, times (estimator_needs_times()), or kappa; -1 on error. The caller releases *out in every case.
 */
int gather(const struct plan *plan, const double *y, enum projection_estimator estimator,
           const struct projection_options *options, struct gathered *out, struct err *e);
/* Ratios and slopes assume that results are proportional to the profiled values, or linear in them per kernel.
 * Cycles are not so related to instruction counts: coverage was then 57 to 86 %. */
bool estimator_needs_times(enum projection_estimator x);
/* group[plan->stratum_count]: the first stratum of the same kernel name; a stratum of several names is its own
 * group. */
int gather_kernels(const struct plan *plan, size_t *group, struct err *e);
/* values[i] of pairs: b - k a, or NaN where one is missing; returns the number of pairs that are complete.
 * sizes[i]: |b| + |k a|. */
uint64_t gather_pairs(const struct plan *plan, const double *a, const double *b, double k, double *values,
                      double *sizes);
/* gather() for such differences. The plan's spreads are those of totals, so they are not used here. */
int gather_differences(const struct plan *plan, const double *values, const double *sizes, struct gathered *out,
                       struct err *e);
/* gather() for a counter with the given sizes, or for the residuals top - R bottom of a rate R of two counters with
 * sizes |top| + |R bottom|. Their spread: sampling/estimate/counters.c. */
int gather_counters(const struct plan *plan, const double *values, const double *sizes, struct gathered *out,
                    struct err *e);
int gather_residuals(const struct plan *plan, const double *values, const double *sizes, struct gathered *out,
                     struct err *e);
/* Strata of one kernel name become a group; one of several names is its own group. */
int gather_groups(const struct plan *plan, struct gathered *g, struct err *e);
/* For differences and counters. Sets strata[].scale to the mean of `sizes` over the stratum's samples with a value;
 * relative spreads refer to it. The samples' imbalance no longer counts. */
void gather_scales(const struct plan *plan, const double *values, const double *sizes, struct gathered *g);
void gathered_release(struct gathered *g);

#endif
