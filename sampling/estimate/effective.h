/* sampling/estimate/effective.h: effective size of a stratified sample, and the share of launches that can be
 * missing from it.
 *
 * If all launches have the same relative variation, a sample of n_h of N_h launches in each stratum is equivalent
 * to
 *
 *     n_eff = (sum N_h m_h)^2 / sum (N_h m_h)^2 (1 / n_h - 1 / N_h)
 *
 * launches of one homogeneous population (effective sample size; Kish, Survey Sampling, 1965, section 11.7; with
 * the finite-population correction). If launches show a behaviour at random, with a share p of the time, the sample
 * contains none of them with probability (1 - p)^n_eff. Then neither the estimated total nor its variance reflects
 * the behaviour.
 *
 * Strata with a wide planned spread give little information about additional noise common to all launches. With
 * noise of relative size c, cv_h^2 of a stratum is p_h^2 + c^2. So the information about c^2 in its n_h - 1 degrees
 * of freedom (Fisher information of a variance: df / 2 cv^4) equals that of
 *
 *     sum (n_h - 1) (c^2 / (p_h^2 + c^2))^2
 *
 * degrees of freedom of strata without planned spread. c is 20 % (a fifth of the launches at twice the time give 33
 * %), or the noise that makes the variance of the total four times the planned one, if that is larger: less noise
 * has little effect there. */
#ifndef VIVACE_SAMPLING_EFFECTIVE_H
#define VIVACE_SAMPLING_EFFECTIVE_H

#include "sampling/allocate/allocate.h"
#include "sampling/estimate/estimator_aux.h"

/* Least effective sample size and least noise degrees of freedom at which a promise counts as kept. All of more
 * than 20 samples miss a behaviour of a fifth of all launches with a probability of 1 % (0.8^20). */
#define EFFECTIVE_MIN 10.0
#define NOISE_DF_MIN  20.0

/* The properties of a stratum that determine its size here. */
struct even_stratum {
    double mean; /* m_h */
    double cv;   /* p_h: planned relative spread */
};

/* Infinite where every stratum is taken whole. */
double effective_samples(const struct alloc_stratum *s, const struct even_stratum *of, size_t count);
/* Effective degrees of freedom for an estimate of common noise; infinite if every stratum is taken whole. */
double noise_df(const struct alloc_stratum *s, const struct even_stratum *of, size_t count);
/* The largest share p of the time that is missing from the sample with probability 1 - confidence; e.g. 20
 * effective samples, 0.95: 0.139. 0: none. */
double unseen_share(double effective, double confidence);
/* Effective sample size of the total of y, which has the results stratum by stratum; 0 if all are 0, infinite if
 * every stratum is taken whole. Without the finite-population correction: the one launch of nine that is missing
 * may differ from the other eight, and is missing in one draw of nine. Strata taken whole have no missing launch.
 */
double effective_results(const struct aux_stratum *s, size_t count, const double *y);
/* The share of the total of y that strata of unlike launches (unlike[h]) may hide, with probability 1 - confidence:
 * the sum of their totals times unseen_share() of their own samples. */
double unseen_in_unlike(const struct aux_stratum *s, const bool *unlike, size_t count, const double *y,
                        double confidence);
/* The largest share that may be unseen where an interval is promised: a fifth. */
#define UNSEEN_MAX 0.2
/* Whether a behaviour of a fifth of the launches is in one of `effective` results (or degrees of freedom of their
 * residuals) with at least this probability. 13.5 are enough at 95 %. */
bool effective_enough(double effective, double confidence);
/* Whether a part of a whole is known although a launch may have any share of its whole as that part: the share of
 * the whole that may be unseen, with the effective sample size of the whole and `hidden` of it in strata of unlike
 * launches (unseen_in_unlike()), is at most a fifth of the part. This is so for counters that depend on caches.
 * Equal launches find all of their data in L2, or none of it, depending on the launches before. If none of the few
 * that find nothing is in the sample, the results are even and seem to be enough. */
bool part_known(double part, double whole, double effective, double hidden, double confidence);
/* The kernel whose unsampled launches can change the total most. With probability 1 - confidence its samples
 * contain none of a share of its launches (by time); if those launches take twice as long, the total changes by the
 * fraction `moves`. Kernels that share a stratum count as one. A behaviour of one kernel is more likely to be
 * missed than one of all kernels, and no interval includes it. On synthetic kernels, a quarter of which had 5 to 20
 * % of launches twice as long, the coverage was 57 to 93 % if `moves` exceeded the requested error, and 92 to 95 %
 * otherwise (docs/sampling.md). */
struct unseen_kernel {
    size_t group; /* as in `group`: the first stratum of each stratum's kernel */
    double share, moves;
};
int unseen_in_kernels(const struct alloc_stratum *s, const struct even_stratum *of, const size_t *group,
                      size_t count, double confidence, struct unseen_kernel *out, struct err *e);
/* Raises n from `least` by the most useful samples per cost until effective_samples() and noise_df() reach their
 * targets. */
int allocate_effective(struct alloc_stratum *s, const struct even_stratum *of, size_t count, double effective,
                       double df, struct err *e);

#endif
