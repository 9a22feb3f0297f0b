/* sampling/gather.h: the results of a plan's samples as strata for the estimators. */
#ifndef VIVACE_SAMPLING_GATHER_H
#define VIVACE_SAMPLING_GATHER_H

#include "sampling/estimator_aux.h"
#include "sampling/projection.h"

struct gathered {
    size_t count;
    struct aux_stratum *strata; /* as in the plan; draws with replacement stand there as often as drawn */
    double *x, *y;
    double *results; /* y before it was adjusted (sampling/ratio.h); NULL: it was not */
    size_t values;   /* of x and y */
    bool blank;      /* a stratum has no result */
    bool has_x;      /* every sample knows its x */
    enum aux_estimator estimator;
    struct aux_slope *slopes;
    bool sloped;   /* strata with results know their slopes */
    bool assisted; /* single results count with the residuals of their kernel (sampling/assisted.h) */
};

/* y: one value a plan sample, in the order of plan->samples; NaN where there is no result. Strata of one kernel
 * name become groups where the estimator or collapsing needs them. 1, or 0 when the estimator lacks what it needs:
 * profiled values, times for those that estimator_needs_times(), or kappa. To be released in any case. */
int gather(const struct plan *plan, const double *y, enum projection_estimator estimator,
           const struct projection_options *options, struct gathered *out, struct err *e);
/* Ratios and slopes against the profiled values take for granted that results follow these in proportion, or along
 * one line a kernel. Cycles do not follow counts of instructions so: such intervals held the total in 57 to 86 %.
 */
bool estimator_needs_times(enum projection_estimator x);
/* group[plan->stratum_count]: the first stratum of the same kernel name; a stratum of several names is on its own.
 */
int gather_kernels(const struct plan *plan, size_t *group, struct err *e);
/* values[i] of pairs: b - k a, or NaN where one is missing; returns how many are not. sizes[i]: |b| + |k a|. */
uint64_t gather_pairs(const struct plan *plan, const double *a, const double *b, double k, double *values,
                      double *sizes);
/* gather() of such differences: what the plan knows about the spread of totals, it does not know of them. */
int gather_differences(const struct plan *plan, const double *values, const double *sizes, struct gathered *out,
                       struct err *e);
/* gather() of a counter of about these sizes, or of the residuals top - R bottom of a rate R of two counters, of
 * |top| + |R bottom| as sizes: how they spread (sampling/counters.c). */
int gather_counters(const struct plan *plan, const double *values, const double *sizes, struct gathered *out,
                    struct err *e);
int gather_residuals(const struct plan *plan, const double *values, const double *sizes, struct gathered *out,
                     struct err *e);
/* Strata of one kernel name become a group; one of several names is on its own. */
int gather_groups(const struct plan *plan, struct gathered *g, struct err *e);
/* What values are relative to: the mean of `sizes` over a stratum's samples, as strata[].scale. */
void gather_scales(const struct plan *plan, const double *values, const double *sizes, struct gathered *g);
void gathered_release(struct gathered *g);

#endif
