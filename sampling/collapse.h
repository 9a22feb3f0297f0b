/* sampling/collapse.h: a variance where strata have one sample each (on request). */
#ifndef VIVACE_SAMPLING_COLLAPSE_H
#define VIVACE_SAMPLING_COLLAPSE_H

#include "sampling/estimator_aux.h"

/* Strata with a single sample are taken together with the one nearest in mean among those of their group, an odd
 * one making a triple, and their totals Y are held against each other: L / (L - 1) * sum (Y - mean Y)^2 over a set
 * of L, which for a pair is (Ya - Yb)^2. It counts the difference of what they stand for as well, so it is too
 * large rather than too small (Cochran 1977, 5A.12). A single one that is alone in its group joins a stratum with
 * more samples; where there is none either, the variance stays NaN. order[h]: the mean by which strata are
 * neighbours. */
int collapsed_total(const struct aux_stratum *s, const struct aux_slope *slopes, const double *order, size_t count,
                    struct aux_estimate *out, struct err *e);

#endif
