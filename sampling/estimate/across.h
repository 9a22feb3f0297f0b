/* sampling/estimate/across.h: compares two runs that have different plans.
 *
 * If both plans have the same strata and the samples of one are a subset of the other's (the same plan, or a later,
 * larger version of it), the samples form matched pairs: sampling/estimate/paired.c. Otherwise the totals are
 * treated as independent:
 *
 *     var(B - A) = var A + var B,   var(B / A) = (var B + (B / A)^2 var A) / A^2
 *
 * with Satterthwaite's degrees of freedom (Cochran, Sampling Techniques, 1977, ch. 5 and 6; Taylor for the ratio).
 * If both plans contain some of the same launches, this variance is too large, never too small: the two values of
 * one launch are positively correlated. */
#ifndef VIVACE_SAMPLING_ACROSS_H
#define VIVACE_SAMPLING_ACROSS_H

#include "sampling/estimate/projection.h"

/* out[a->sample_count]: y of b's samples in the order of a's, NaN where b has no such launch. Returns false if the
 * plans have different strata or samples; out is then not valid. */
bool across_pairs(const struct plan *a, const struct plan *b, const double *y, double *out);

/* Compares the two totals as independent; paired_on is 0. Half-widths are NaN if one of the totals has no
 * half-width. */
struct comparison across_unpaired(const struct projection *a, const struct projection *b, double level);

#endif
