/* sampling/estimate/ratio.h: estimates totals by a combined ratio of each kernel to the profiled times, with a
 * jackknife interval.
 *
 *     total = sum over kernels of X R,   R = sum N mean y / sum N mean x  over the kernel's strata
 *
 * (Cochran, Sampling Techniques, 1977, section 6.11; Sarndal, Swensson, Wretman, Model Assisted Survey Sampling,
 * 1992, section 7.3). A stratum shared by kernels of different names uses the ratio of all strata together, as it
 * has too few results for a separate ratio.
 *
 * The interval is not computed from the residuals y - R x directly: a launch with a large x pulls R towards its own
 * ratio, so its residual is small, and with two or three results per stratum intervals are too short. Instead each
 * result is left out once (stratified jackknife: Jones, Biometrika 61, 1974; Rao and Wu, J. American Statistical
 * Association 80, 1985):
 *
 *     V = sum over strata of (1 - n / N) (n - 1) / n  sum (T_i - mean T_i)^2,
 *
 * T_i: the total without result i. This includes the factor X / estimated X, the influence of each result on R, and
 * the reduction from n to n - 1 results. V has one degree of freedom less, as with a mean.
 *
 * The estimated total is linear in y: the difference of two designs' totals is the total of their differences. */
#ifndef VIVACE_SAMPLING_RATIO_H
#define VIVACE_SAMPLING_RATIO_H

#include "sampling/estimate/estimator_aux.h"

/* Replaces results by values whose plain expansion is the total above, with the variance V. `values` holds the y of
 * all strata; strata of a kernel share `group`, those with `own_factors` are of several kernels; strata without
 * results are skipped. */
int ratio_adjust(struct aux_stratum *s, size_t count, double *values, struct err *e);

/* Minimum variance of the interval. Returns `a`, or the variance and degrees of freedom from the following S if
 * these give the wider interval at 95 %:
 *
 *     S^2 = m^2 max(c^2, p^2 / 2),   m: mean y;  p: the relative spread planned with, of residuals
 *
 * c: relative spread of residuals pooled over all strata of one kernel name (winsorized at six times the mean as in
 * sampling/estimate/common_spread.h), on all their degrees of freedom. If launches run in one of two modes, the two
 * results of the heaviest stratum often agree by chance (with 20 % at twice the time: in 64 % of all samples); the
 * spread of the other strata still counts. A stratum of several kernels uses its own spread if that is larger. */
struct aux_estimate ratio_min(const struct aux_stratum *s, size_t count, struct aux_estimate a);
/* max(c^2, p^2 / 2) of each stratum, in cv2[count]; 0 for a stratum without sampling error. Returns false if there
 * are too few degrees of freedom to estimate c. */
bool ratio_least_spreads(const struct aux_stratum *s, size_t count, double *cv2);

#endif
