/* sampling/estimate/common_spread.h: shrinks each stratum's spread of differences towards a pooled spread.
 *
 * The profile does not predict the spread of residuals of pairs (b - k a), and strata have only two or three
 * samples. Simulated cycles take few distinct values. If the launches of a stratum take four values, two samples
 * agree in one case of four; they then show no spread and the stratum's variance is missing. If they differ,
 * Student's t on one degree of freedom makes the interval several times too wide. Pooling over all strata gives a
 * better estimate:
 *
 *     S^2 = (d c^2 m^2 + (n - 1) s^2) / (d + n - 1),
 *
 * with m the size of the pairs (`scale`), c the pooled relative spread, and d the degrees of freedom that c counts
 * as (Smyth, Statistical Applications in Genetics and Molecular Biology 3, 2004: moderated t; Efron and Morris, J.
 * American Statistical Association 68, 1973: shrinkage of many variances). d is 16 where s is less than c m and 1
 * where it is more: agreement may be chance, a large difference is evidence. Above s^2 = 6 c^2 m^2 the reduction
 * stays at its value there, 5 c^2 m^2 / n (limited translation: Efron and Morris, J. American Statistical
 * Association 66, 1971). A stratum with a large spread among strata with almost none thus keeps nearly all of its
 * s^2; without the limit, d = 1 would halve it at one degree of freedom, and also the total's variance.
 *
 * c^2 is the mean of (s / m)^2 by degrees of freedom, in which each stratum counts at most six times the mean
 * (Huber's winsorizing, as in sampling/sequential/spread_model.h). Strata shared by kernels of different names have
 * a separate c, as each kernel changes by its own factor on another design. A class with only one stratum is not
 * shrunk. No stratum is shrunk if c is at most the minimum f described next.
 *
 * S^2 is at least (f m)^2, with f one fiftieth of the plan's noise floor, because equal samples do not prove that
 * all launches are equal (Hanley and Lippman-Hand, J. American Medical Association 249, 1983). f is only a minimum:
 * no spread is shrunk towards it.
 *
 * Degrees of freedom are those of s^2 alone. Smyth's method adds d, which is correct if the true variances follow a
 * scaled inverse chi-square distribution around (c m)^2. Those of kernels vary more, and with d added the coverage
 * of intervals is 84 to 88 % (docs/design/differences-and-counters.md). The two values of d were chosen on
 * examples/tiny-gpt. */
#ifndef VIVACE_SAMPLING_COMMON_SPREAD_H
#define VIVACE_SAMPLING_COMMON_SPREAD_H

#include "sampling/estimate/estimator_aux.h"

/* The spread of the simulator's counters uses `expected_cv` and `keeps_excess`: counters.c. */

/* Sets s[].common_sd to c m, or to 0 if the stratum is not shrunk, and s[].least_common_sd to f m, or to 0 if the
 * stratum has no sampling error. noise_floor: that of the plan, as a share of the mean. */
void common_spread(struct aux_stratum *s, size_t count, double noise_floor);

/* S^2 from s^2 on df degrees of freedom, as above. */
double common_spread_square(const struct aux_stratum *s, double square, double df);

#endif
