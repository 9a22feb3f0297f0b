/* sampling/assisted.h: what results of a kernel's strata show beyond the profile, where each has a single one.
 *
 * A single result shows no spread of its own. But r = y / x, result over profiled time, can be held against that of
 * the kernel's other strata:
 *
 *     s_k^2 = sum (r - mean r)^2 / (n_k - 1)  over all results of kernel k,
 *     S^2 = (the profile's spread, scaled)^2 + (s_k x)^2
 *
 * is what a stratum with one result counts with ("model-assisted": Sarndal, Swensson, Wretman, Model Assisted
 * Survey Sampling, 1992, chapter 6, has such residuals; pooling them over strata of one sample is ours). A kernel
 * with one result in all takes the relative spread that the others have in common. A stratum of several kernels was
 * planned with factors of their own and takes nothing. Assumes: beyond the profile, launches of one kernel spread
 * alike in proportion to their time. A behaviour that none of a kernel's results shows is in none of its strata. */
#ifndef VIVACE_SAMPLING_ASSISTED_H
#define VIVACE_SAMPLING_ASSISTED_H

#include "sampling/estimator_aux.h"

/* Fills residual_sd, residual_df and residual_share of strata with a single result. kernel[h]: the first stratum of
 * the same kernel. Returns 1 where residuals are known, 0 where no kernel has two results. */
int assisted_residuals(struct aux_stratum *s, const size_t *kernel, size_t count, struct err *e);

#endif
