/* sampling/estimate/assisted.h: variance of strata that have a single result, from the residuals of all results of
 * the same kernel.
 *
 * A single result gives no variance. But its ratio r = y / x (result over profiled time) can be compared with the
 * ratios of the kernel's other strata:
 *
 *     s_k^2 = sum (r - mean r)^2 / (n_k - 1)  over all results of kernel k,
 *     S^2 = (the profile's spread, scaled)^2 + (s_k x)^2
 *
 * is used as the variance of a stratum with one result ("model-assisted": Sarndal, Swensson, Wretman, Model
 * Assisted Survey Sampling, 1992, chapter 6, has such residuals; pooling them over strata of one sample is our
 * choice). A kernel with a single result uses the pooled relative spread of the other kernels. A stratum of several
 * kernels gets no residual term: its plan already allows for a different factor of each kernel. Assumes: beyond the
 * profile, launches of one kernel have the same relative spread. A behaviour that occurs in no result of a kernel
 * is not included in any of its strata. */
#ifndef VIVACE_SAMPLING_ASSISTED_H
#define VIVACE_SAMPLING_ASSISTED_H

#include "sampling/estimate/estimator_aux.h"

/* Fills residual_sd, residual_df and residual_share of strata with a single result. kernel[h]: the first stratum of
 * the same kernel. Returns 1 where residuals are known, 0 where no kernel has two results. */
int assisted_residuals(struct aux_stratum *s, const size_t *kernel, size_t count, struct err *e);

#endif
