/* sampling/strata/assurance.h: the probability that the half-width of a projection is within the requested error.
 *
 * A plan without an assurance is sized so that its expected half-width equals the error if simulated values spread
 * as the profile does. The half-width then exceeds the error in half of all draws, and in nearly all draws if
 * values have noise that the profile does not contain. With an assurance of 90 % (tolerance probability: Kupper and
 * Hafner, The American Statistician 43, 1989) sizes are chosen so that the half-width that the projection reports
 * from simulated values is within the error in 90 of 100 cases, over random draws and over a prior for the design
 * (as in O'Hagan, Stevens and Campbell, Pharmaceutical Statistics 4, 2005):
 *
 *     y = factor(name) factor(shape) (m_h + scale (x - m_h)) exp(noise e - noise^2 / 2),   e normal, per launch
 *
 * log scale   normal, mean 0, standard deviation 0.2: common to all strata
 * log noise   normal, median 2 %, standard deviation 1.5: common to all launches; one design in ten has more than
 *             13.7 %
 * factors 1/2 .. 2 per kernel name, 0.9 .. 1.1 per shape, evenly in logarithms, as sampling/strata/search.c has
 * them
 *
 * Source: `bench/spread_prior` over 5 GPU designs of tiny-gpt, bfs, a PyTorch training loop and Rodinia's bfs, each
 * planned on every design and simulated on every other, and over steps or devices of four recordings: the excess
 * over the planned spread is worth a common noise of 1 % in the median, 12.8 % in one case of four and 14.8 % in
 * one of ten; where there is no excess, standard errors are 0.80 to 1.03 times as planned (10 % and 50 %). Other
 * weights of strata alone make 0.93 to 1.08 (10 % and 90 %), so the factors are on the safe side.
 *
 * Not included: a second mode of launches, heavy tails, and noise above `assured_noise`, at which the probability
 * falls below the requested one; the plan reports this limit. Counts of instructions predict cycles too poorly: no
 * assurance is given for them. */
#ifndef VIVACE_SAMPLING_ASSURANCE_H
#define VIVACE_SAMPLING_ASSURANCE_H

#include "sampling/strata/search.h"
#include "sampling/plan/strata.h"

/* The noise used to cut strata and to compute their first sizes: the prior's quantile at this probability; 0 for 0.
 */
double assurance_noise(double assurance);

/* The strata of a slicing that was sized: sizes[at[h]] is that of stratum h. */
struct assured_sizes {
    struct alloc_stratum *sizes;
    const size_t *at;
    size_t count;
};
/* Sizes of strata and slicing are raised or lowered until the probability is at least params->assurance, without a
 * budget; fills assured, assured_noise, promised_error (the half-width that is met with that probability) and what
 * is to be reported in note or caution. *outcome: that of the last sizes. */
int assurance_size(const struct profile *p, const struct plan_params *params, const struct alloc_goal *goal,
                   const struct assured_sizes *of, struct strata *s, struct alloc_outcome *outcome, struct err *e);

#endif
