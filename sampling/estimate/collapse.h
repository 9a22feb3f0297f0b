/* sampling/estimate/collapse.h: collapsed strata: a variance estimate if strata have one sample each (on request).
 */
#ifndef VIVACE_SAMPLING_COLLAPSE_H
#define VIVACE_SAMPLING_COLLAPSE_H

#include "sampling/estimate/estimator_aux.h"

/* Strata with a single sample are combined in pairs of neighbours in mean within their group; with an odd number
 * the last three form a triple. The variance of a set of L strata with totals Y is L / (L - 1) * sum (Y - mean
 * Y)^2, for a pair (Ya - Yb)^2. It also includes the true difference between the strata, so it is too large rather
 * than too small (Cochran 1977, 5A.12). A stratum that is the only single one of its group is combined with the
 * nearest stratum that has more samples; if there is none, the variance is NaN. order[h]: the mean of stratum h
 * that defines neighbours. */
int collapsed_total(const struct aux_stratum *s, const struct aux_slope *slopes, const double *order, size_t count,
                    struct aux_estimate *out, struct err *e);

#endif
