/* sampling/ratio.h: totals by a combined ratio of each kernel to the profiled times, with an interval by the
 * jackknife.
 *
 *     total = sum over kernels of X R,   R = sum N mean y / sum N mean x  over the kernel's strata
 *
 * (Cochran, Sampling Techniques, 1977, section 6.11; Sarndal, Swensson, Wretman, Model Assisted Survey Sampling,
 * 1992, section 7.3). A stratum that kernels of different names share goes by the ratio of all strata together, as
 * it has too few results of each for one of its own.
 *
 * The interval does not come from the residuals y - R x as they are: a launch with a large x draws R towards
 * itself, so its residual is small, and with two or three results in a stratum intervals come out short. Each
 * result is left out once instead (stratified jackknife: Jones, Biometrika 61, 1974; Rao and Wu, J. American
 * Statistical Association 80, 1985):
 *
 *     V = sum over strata of (1 - n / N) (n - 1) / n  sum (T_i - mean T_i)^2,
 *
 * T_i: the total without result i. That counts X over its estimate, how much R depends on each result, and that n -
 * 1 of n are left, with no degree of freedom more lost than a mean loses.
 *
 * It is linear in y: the difference of two designs' totals is the total of their differences. */
#ifndef VIVACE_SAMPLING_RATIO_H
#define VIVACE_SAMPLING_RATIO_H

#include "sampling/estimator_aux.h"

/* Puts values in the place of results such that the plain expansion of them is the total above, and its variance is
 * V. `values` holds the y of all strata; strata of a kernel share `group`, those with `own_factors` are of several
 * kernels; strata without results are skipped. */
int ratio_adjust(struct aux_stratum *s, size_t count, double *values, struct err *e);

/* What the interval counts with at least; `a`, or the variance and degrees of freedom in its place where these make
 * the wider interval at 95 %:
 *
 *     S^2 = m^2 max(c^2, p^2 / 2),   m: mean y;  p: the relative spread planned with, of residuals
 *
 * c: relative spread of residuals that all strata show in common, those of one kernel name (winsorized at six times
 * the mean as in sampling/common_spread.h), on all their degrees of freedom. Two results of the heaviest stratum
 * agree by chance where launches run in one of two modes (20 % twice as long: in 64 % of all samples); what the
 * other strata show then still counts. A stratum of several kernels counts as seen where that is more. */
struct aux_estimate ratio_least(const struct aux_stratum *s, size_t count, struct aux_estimate a);
/* max(c^2, p^2 / 2) of each stratum, in cv2[count]; 0: of one that leaves nothing to chance. False: too few degrees
 * of freedom to know c. */
bool ratio_least_spreads(const struct aux_stratum *s, size_t count, double *cv2);

#endif
