/* sampling/across.h: two runs held against each other, each with a plan of its own.
 *
 * Where the strata are the same and one plan's launches are among the other's (the same plan, or one that grew out
 * of it), they are pairs and sampling/paired.c says how they differ. Otherwise the totals are taken as independent:
 *
 *     var(B - A) = var A + var B,   var(B / A) = (var B + (B / A)^2 var A) / A^2
 *
 * with Satterthwaite's degrees of freedom (Cochran, Sampling Techniques, 1977, ch. 5 and 6; Taylor for the ratio).
 * Launches that both plans happen to have make such a difference less doubtful than this says, never more: the two
 * values of one launch rise and fall together. */
#ifndef VIVACE_SAMPLING_ACROSS_H
#define VIVACE_SAMPLING_ACROSS_H

#include "sampling/projection.h"

/* out[a->sample_count]: y of b's samples in the order of a's, NaN where b has no such launch. False: the
 * plans drew other launches or have other strata, and out is not to be used. */
bool across_pairs(const struct plan *a, const struct plan *b, const double *y, double *out);

/* From the totals of both; paired_on is 0. Half-widths are NaN where one of the totals has none. */
struct comparison across_unpaired(const struct projection *a, const struct projection *b, double level);

#endif
