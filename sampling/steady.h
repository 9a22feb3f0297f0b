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
 */
#ifndef VIVACE_SAMPLING_STEADY_H
#define VIVACE_SAMPLING_STEADY_H

#include "sampling/estimator_aux.h"

/* Infinite where the plan's spreads (aux_stratum.planned_cv) are not known, or nothing is left to chance. For
 * expansion, with two samples at least in strata that are not taken whole. */
double steady_df(const struct aux_stratum *s, size_t count);

#endif
