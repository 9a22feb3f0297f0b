/* sampling/effective.h: how many launches a stratified sample is worth, and what it can miss altogether.
 *
 * Where all launches vary alike, relative to their mean, a sample of n_h of N_h launches in each stratum is worth
 * as much as
 *
 *     n_eff = (sum N_h m_h)^2 / sum (N_h m_h)^2 (1 / n_h - 1 / N_h)
 *
 * launches of one even population (effective sample size; Kish, Survey Sampling, 1965, section 11.7; with the
 * finite-population correction). A behaviour that launches show by chance, with a share p of the time, is unseen in
 * them with probability (1 - p)^n_eff: such a sample then says nothing of it, neither in its total nor in its
 * spread.
 *
 * Of strata that spread widely anyway a sample says little about whether all launches vary by noise beyond that.
 * Noise of relative size c makes cv_h^2 of a stratum p_h^2 + c^2, so what its n_h - 1 degrees of freedom say of c^2
 * (Fisher's information, of a variance: df / 2 cv^4) is as much as
 *
 *     sum (n_h - 1) (c^2 / (p_h^2 + c^2))^2
 *
 * degrees of freedom of quiet strata would. c is 20 % (a fifth of the launches at twice the time make 33 %), or
 * where noise makes the variance of the total four times what was planned, if that is more: less changes little
 * there. */
#ifndef VIVACE_SAMPLING_EFFECTIVE_H
#define VIVACE_SAMPLING_EFFECTIVE_H

#include "sampling/allocate.h"
#include "sampling/estimator_aux.h"

/* What a stratum's size goes by here. */
struct even_stratum {
    double mean; /* m_h */
    double cv;   /* p_h: relative spread that was planned */
};

/* Infinite where every stratum is taken whole. */
double effective_samples(const struct alloc_stratum *s, const struct even_stratum *of, size_t count);
/* Degrees of freedom that common noise is seen on; infinite where every stratum is taken whole. */
double noise_df(const struct alloc_stratum *s, const struct even_stratum *of, size_t count);
/* The largest share of the time that is unseen with 1 - confidence: 20 effective samples, 0.95: 0.139. 0: none. */
double unseen_share(double effective, double confidence);
/* Of the total of y, which has the results of the strata one after the other; 0: all are 0. */
double effective_results(const struct aux_stratum *s, size_t count, const double *y);
/* A behaviour of a fifth shows in the samples, at this confidence. */
bool effective_enough(double effective, double confidence);
/* The kernel whose launches can hide most: with 1 - confidence a share of them, by their time, is in none of its
 * samples; if these take twice as long, the total moves by `moves` of it. Several kernels that share a stratum
 * count as one. Behaviours of one kernel are more likely to be missed than those of all, and no interval shows it:
 * where `moves` was more than the error asked for, runs on made-up kernels, a quarter of which had 5 to 20 % of
 * launches twice as long, held in 57 to 93 %, elsewhere in 92 to 95 (docs/sampling.md). */
struct unseen_kernel {
    size_t group; /* as in `group`: the first stratum of each stratum's kernel */
    double share, moves;
};
int unseen_in_kernels(const struct alloc_stratum *s, const struct even_stratum *of, const size_t *group,
                      size_t count, double confidence, struct unseen_kernel *out, struct err *e);
/* Raises n, from `least` up, at low cost, until effective_samples() and noise_df() are what is wanted. */
int allocate_effective(struct alloc_stratum *s, const struct even_stratum *of, size_t count, double effective,
                       double df, struct err *e);

#endif
