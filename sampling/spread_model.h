/* sampling/spread_model.h: how far results of strata spread, as all strata show it together.
 *
 * A plan knows a relative spread p_h of each stratum, from the profile. On a design, or where results are noisy,
 * the strata spread otherwise, in one of two ways, or both: more or less in proportion (the design reacts more
 * strongly to what makes launches differ), or by noise that all launches have in common:
 *
 *     cv_h^2 = scale^2 p_h^2 + noise^2,      scale, noise >= 0
 *
 * Both are fitted to (s_h / m_h)^2 on n_h - 1 degrees of freedom: weighted least squares with the weights
 * df / cv_h^4 of such variances, again and again (McCullagh, Nelder, Generalized Linear Models, 1989, ch. 9), with
 * scale = 1 as two degrees of freedom beforehand. A single stratum counts with six times the variance that such a
 * fit of all strata gives it at most (Huber's winsorizing, one step: repeated, it would take away a behaviour that
 * fewer than a sixth of the strata show).
 *
 * m_h is a stratum's mean, as the others have it: y / x of its kernel's other strata, drawn towards that of all
 * other kernels by how little it is known; kernels differ between GPUs by about 40 % (Stein's shrinkage). A size
 * that followed the stratum's own mean or variance would be small where these came out low by chance, so that the
 * total stays low: totals were biased by -0.8 % and intervals held in 83 % where 20 % of the launches take twice as
 * long (resnet50, 2 %, bench/promise), against -0.1 % and 94 % with the others' alone. Counts of instructions say
 * little of a stratum's cycles, which differ by factors: there its own mean counts as well.
 *
 * How heavy the tails of results are, all strata show together, too: the fourth moment of residuals over m_h cv_h.
 * With d the deviations of n values from their mean,
 *
 *     E sum d^4 = (n - 1) / n^2 ((n^2 - 3 n + 3) mu_4 + 3 (2 n - 3) sigma^4)
 *
 * (Cramer, Mathematical Methods of Statistics, 1946, section 27.4). It counts by what it is beyond the standard
 * error that as many normal values would have. Strata of several kernels do not count: these answer to another GPU
 * by factors of their own, which is no tail. */
#ifndef VIVACE_SAMPLING_SPREAD_MODEL_H
#define VIVACE_SAMPLING_SPREAD_MODEL_H

#include "sampling/gather.h"

struct spread_model {
    double scale2, noise2; /* scale^2, noise^2 */
    double excess;      /* fitted variances over planned ones, mean by degrees of freedom; 1 where none are known */
    double kurtosis;    /* of residuals, in excess of a normal one's; 0: not seen */
    double *mean;       /* per stratum: m_h */
    double *cv2;        /* per stratum: cv_h^2 */
    double *planned_cv; /* per stratum: p_h */
};
/* g: with slopes where it has any: then residuals around them are what spreads. To be released in any case. */
int spread_model_fit(const struct plan *plan, const struct gathered *g, struct spread_model *out, struct err *e);
void spread_model_release(struct spread_model *m);

#endif
