/* sampling/sequential/spread_model.h: models the spread of results within strata, fitted to all strata together.
 *
 * A plan knows a relative spread p_h of each stratum, from the profile. On a design the spread differs from that in
 * two ways: by a common factor (the design reacts more or less strongly to the differences between launches), and
 * by noise of the same relative size in all launches:
 *
 *     cv_h^2 = scale^2 p_h^2 + noise^2,      scale, noise >= 0
 *
 * Both are fitted to (s_h / m_h)^2 on n_h - 1 degrees of freedom: iterated weighted least squares with the weights
 * df / cv_h^4 of such variances (McCullagh, Nelder, Generalized Linear Models, 1989, ch. 9), with a prior of scale
 * = 1 worth two degrees of freedom. The variance of a stratum counts at most six times the value fitted to all
 * strata (Huber's winsorizing, one step: repeated steps would remove a behaviour that fewer than a sixth of the
 * strata show).
 *
 * m_h is a stratum's mean predicted from the other strata: y / x of its kernel's other strata, shrunk towards that
 * of all other kernels according to its variance; kernels' ratios differ between GPUs by about 40 % (Stein's
 * shrinkage). Sizes from the stratum's own mean or variance would be small if these are low by chance, and the
 * total would stay low. With 20 % of the launches at twice the time, that gave a bias of -0.8 % and a coverage of
 * 83 %; with the other strata alone -0.1 % and 94 % (resnet50, 2 %, bench/promise). Instruction counts predict a
 * stratum's cycles poorly (by factors), so there its own mean is used too.
 *
 * The kurtosis of results is pooled over all strata too, from the fourth moment of residuals / (m_h cv_h). With d
 * the deviations of n values from their mean,
 *
 *     E sum d^4 = (n - 1) / n^2 ((n^2 - 3 n + 3) mu_4 + 3 (2 n - 3) sigma^4)
 *
 * (Cramer, Mathematical Methods of Statistics, 1946, section 27.4). Only the part above the standard error for the
 * same number of normal values is used. Strata of several kernels are excluded: their kernels change by different
 * factors on another GPU, which is not a heavy tail. */
#ifndef VIVACE_SAMPLING_SPREAD_MODEL_H
#define VIVACE_SAMPLING_SPREAD_MODEL_H

#include "sampling/estimate/gather.h"

struct spread_model {
    double scale2, noise2; /* scale^2, noise^2 */
    double excess;      /* fitted / planned variances, mean weighted by degrees of freedom; 1 if none are known */
    double kurtosis;    /* excess kurtosis of residuals; 0: no evidence */
    double *mean;       /* per stratum: m_h */
    double *cv2;        /* per stratum: cv_h^2 */
    double *planned_cv; /* per stratum: p_h */
};
/* g: if it has slopes, the spread is that of residuals around them. The caller releases *out in every case. */
int spread_model_fit(const struct plan *plan, const struct gathered *g, struct spread_model *out, struct err *e);
void spread_model_release(struct spread_model *m);

#endif
