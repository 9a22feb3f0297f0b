/* sampling/steady.h: degrees of freedom that do not rise when a stratum's few samples agree by chance.
 *
 * Satterthwaite's df = V^2 / sum(v_h^2 / df_h) weighs strata by the variances just seen. Where one stratum makes
 * most of V and has two or three samples, these agree by chance every fifth time: V comes out small, and df large,
 * as if the other strata, well sampled and quiet, were all there is. Such intervals are far too short, twice over.
 *
 * So df is taken a second time, with variances that do not depend on one stratum's luck:
 *     S_h = mean y_h * sqrt(cv_h^2 + c^2),
 * where cv_h is the relative spread the plan was sized with, and c >= 0 the relative noise that simulated values
 * show beyond it in common: sum(df_h (s_h / mean y_h)^2 / (cv_h^2 + c^2)) = sum(df_h), which steady strata decide
 * (the estimating equation of Mandel and Paule, Analytical Chemistry 42, 1970). The smaller of the two df counts. V
 * itself is what was seen.
 *
 * Residuals around a slope (ratio, difference, regression) and differences of two designs have lost what the
 * profile says about their spread: cv_h is then the plan's noise floor, and where kernels of different names share
 * a stratum what was planned with there, as they answer to another GPU by factors of their own. s_h is that of the
 * residuals, relative to the mean of y (`scale` where y is itself a difference). Whether kernels that share a
 * stratum do answer differently is not known beforehand, so df is taken once more as if all they do is what was
 * seen, c from the other strata alone: else they could hide that noise makes some other stratum the heavy one.
 *
 * Assumes: simulated values are noisy in proportion to themselves, by about as much in one stratum as in another.
 */
#ifndef VIVACE_SAMPLING_STEADY_H
#define VIVACE_SAMPLING_STEADY_H

#include <stddef.h>

#include "sampling/estimator_aux.h"

/* Infinite where nothing is left to chance, or some stratum's planned spread is not known. `slopes` NULL: all 0. */
double steady_df(const struct aux_stratum *s, const struct aux_slope *slopes, size_t count);

/* S of each stratum as those of AS_PLANNED degrees of freedom go by, sd[count]; 0: of a stratum that leaves nothing
 * to chance, or where nothing is known. */
void steady_spreads(const struct aux_stratum *s, const struct aux_slope *slopes, size_t count, double *sd);

#endif
