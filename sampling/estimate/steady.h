/* sampling/estimate/steady.h: degrees of freedom that do not rise when a stratum's few samples agree by chance.
 *
 * Satterthwaite's df = V^2 / sum(v_h^2 / df_h) weighs strata by the variances just seen. If one stratum has most of
 * V and only two or three samples, these agree by chance in one case of five. Then V is too small, and df is too
 * large, as it reflects the other strata alone. Both make the interval far too short.
 *
 * So df is computed a second time, with variances that do not depend on chance variation in one stratum:
 *     S_h = mean y_h * sqrt(cv_h^2 + c^2),
 * where cv_h is the relative spread the plan was sized with, and c >= 0 is the relative noise common to all strata
 * beyond it, from the equation sum(df_h (s_h / mean y_h)^2 / (cv_h^2 + c^2)) = sum(df_h), in which strata with many
 * samples have most weight (Mandel and Paule, Analytical Chemistry 42, 1970). The smaller of the two df is used. V
 * is not changed.
 *
 * The profile does not predict the spread of residuals around a slope (ratio, difference, regression) or of
 * differences of two designs. cv_h is then the plan's noise floor; for a stratum shared by kernels of different
 * names it is the planned spread, as these kernels change by different factors on another GPU. s_h is that of the
 * residuals, relative to the mean of y (to `scale` if y is itself a difference). Whether kernels in a shared
 * stratum change differently is not known in advance. So df is computed a third time with the observed spread of
 * shared strata, and c from the other strata alone; otherwise the shared strata could hide that, with noise,
 * another stratum has most of the variance.
 *
 * Assumes: simulated values are noisy in proportion to themselves, by about as much in one stratum as in another.
 */
#ifndef VIVACE_SAMPLING_STEADY_H
#define VIVACE_SAMPLING_STEADY_H

#include <stddef.h>

#include "sampling/estimate/estimator_aux.h"

/* Infinite if there is no sampling error, or a stratum's planned spread is unknown. `slopes` NULL: all 0. */
double steady_df(const struct aux_stratum *s, const struct aux_slope *slopes, size_t count);

/* Writes to sd[count] the S of each stratum that the second computation of df uses (AS_PLANNED in steady.c); 0 for
 * a stratum without sampling error, or if unknown. */
void steady_spreads(const struct aux_stratum *s, const struct aux_slope *slopes, size_t count, double *sd);

#endif
