/* sampling/common_spread.h: spreads of differences, drawn towards what all strata show in common.
 *
 * Residuals of pairs (b - k a) have lost what the profile says about their spread, and strata have two or three
 * samples. Simulated cycles take few values: where the launches of a stratum take four, two samples agree every
 * fourth time and show no spread at all, and then its variance is missing; where they do not, Student's t on one
 * degree of freedom makes the interval several times too wide. All strata together say more:
 *
 *     S^2 = (d c^2 m^2 + (n - 1) s^2) / (d + n - 1),
 *
 * with m the size of the pairs (`scale`), c their relative spread in common, and d what that is worth in degrees of
 * freedom (Smyth, Statistical Applications in Genetics and Molecular Biology 3, 2004: moderated t; Efron and
 * Morris, J. American Statistical Association 68, 1973: shrinkage of many variances). d is 16 where s is less than
 * c m and 1 where it is more: samples that agree may do so by luck, samples that do not have shown something.
 * Beyond s^2 = 6 c^2 m^2 no more is taken away than there: 5 c^2 m^2 / n (limited translation: Efron and Morris, J.
 * American Statistical Association 66, 1971). A stratum that spreads among others that agree keeps nearly all of
 * its s^2; with one degree of freedom d = 1 would halve it, and the total's variance with it.
 *
 * c^2 is the mean of (s / m)^2 by degrees of freedom, in which no stratum counts as more than six times the mean
 * (Huber's winsorizing, as in sampling/spread_model.h). Strata that kernels of different names share have a c of
 * their own, as kernels answer to another design by factors of their own; where there is but one stratum, or one
 * such, it counts as seen. So do all where c is no more than the least below.
 *
 * Whatever they show and however many there are, S^2 counts as (f m)^2 at least, with f a fiftieth of the plan's
 * noise floor, because samples that agree to the last digit do not say that all launches do (Hanley and
 * Lippman-Hand, J. American Medical Association 249, 1983). It is a least alone: nothing is drawn towards it.
 *
 * Degrees of freedom are those of s^2 alone. Smyth's would be d more, which is right where true spreads scatter
 * around c m as an inverse chi square; those of kernels scatter more, and intervals with d more hold in 84 to 88 %
 * (docs/design/differences-and-counters.md). The two values of d were chosen on examples/tiny-gpt. */
#ifndef VIVACE_SAMPLING_COMMON_SPREAD_H
#define VIVACE_SAMPLING_COMMON_SPREAD_H

#include "sampling/estimator_aux.h"

/* How far the simulator's counters spread is another matter: counters.c, by `expected_cv` and `keeps_excess`. */

/* Sets s[].common_sd: c m, or 0 where s counts as seen; and s[].least_common_sd: f m, or 0 where nothing is left to
 * chance. noise_floor: the plan's, as a share. */
void common_spread(struct aux_stratum *s, size_t count, double noise_floor);

/* S^2 from s^2 on df degrees of freedom, as above. */
double common_spread_square(const struct aux_stratum *s, double square, double df);

#endif
