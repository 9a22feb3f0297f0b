/* sampling/allocate/allocate.h: the sample size of each stratum: minimises sum(cost n) for a required half-width.
 */
#ifndef VIVACE_SAMPLING_ALLOCATE_H
#define VIVACE_SAMPLING_ALLOCATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct alloc_stratum {
    uint64_t population; /* N >= 1 */
    double sd;           /* S, with N - 1 */
    double cost;         /* of one sample, > 0 */
    uint64_t least;      /* 1 .. N */
    uint64_t n;          /* output: sample size */
    double kurtosis;     /* excess kurtosis: heavy tails or two clusters increase the variance of s^2, so degrees of
                            freedom fall */
    double third;    /* third central moment: skewed strata need more samples for a symmetric interval to have its
                        coverage */
    double steady;   /* S for the steady degrees of freedom (sampling/estimate/steady.h); 0: not used */
    double seen;     /* S of the profile with the noise that the interval includes; `sd` may be larger */
    double profiled; /* S of the profile without the noise that an assurance adds to `sd`; not used here */
};

/* Real-valued optimum of sum(cost n) subject to sum(N^2 S^2 / n) <= bound and least <= n <= N (Cochran 1977, Th.
 * 5.6, with the box constraints solved exactly on the right segment of the multiplier instead of by repeated
 * fixing). With the finite-population correction, bound = V0 + sum(N S^2). Returns 1 and n[]; 0 if even a census
 * does not meet the bound, with n = N. */
int allocate_real(const struct alloc_stratum *s, size_t count, double bound, double *n, struct err *e);

/* Integer sizes: starts from the optimum rounded down and adds the unit with the largest reduction of variance per
 * cost until V <= v0 (with finite-population correction). With equal costs this is the exact optimum (Wright 2012).
 */
int allocate_variance(struct alloc_stratum *s, size_t count, double v0, struct err *e);

/* The real optimum under V <= v0, rounded down. */
int allocate_floor(struct alloc_stratum *s, size_t count, double v0, struct err *e);

/* Allocates a fixed total number of units instead of a fixed variance: starts at `least` and adds units by the same
 * priority. */
int allocate_units(struct alloc_stratum *s, size_t count, uint64_t units, struct err *e);

struct alloc_goal {
    double half_width; /* the requested half-width, in the unit of the total */
    double level;      /* of the interval */
    double least_df;
    double most_skewness; /* of the estimated total, in absolute value */
    /* Normal quantile of the probability that the half-width is within the goal, given the random variation of s^2.
     * Used only with `assured`; without it the expected half-width has to meet the goal. */
    bool assured;
    double luck;
    bool known;    /* S is treated as known (from a model): normal quantile instead of t, no minimum of degrees of
                      freedom */
    double budget; /* maximum cost; the half-width is then minimised. 0: no budget */
};
struct alloc_outcome {
    double variance, df, half_width; /* planned; df is infinite if every stratum is taken whole */
    double skewness;                 /* of the estimated total */
    double cost;
    uint64_t units;
    bool met; /* the allocation meets the goal */
};

/* Integer sizes with t_df sqrt(V) <= half_width and at least the required degrees of freedom, both planned. With
 * `assured` the left side is multiplied by sqrt(q / df), where q is the quantile of chi-square on df (Wilson and
 * Hilferty, 1931). Steps: allocate_variance() with the normal quantile; then units are added by reduction of
 * half-width per cost; then unneeded units are removed. With a budget: units are added from `least` by reduction of
 * half-width per cost until the budget is used; `met` is false if `least` alone costs more. */
int allocate_interval(struct alloc_stratum *s, size_t count, const struct alloc_goal *goal,
                      struct alloc_outcome *out, struct err *e);

/* The contribution of a stratum with n units to V: N (N - n) S^2 / n. */
double allocation_variance(const struct alloc_stratum *s, uint64_t n);

/* The planned outcome of an allocation: V = sum(N (N - n) S^2 / n), Satterthwaite's df, t half-width, cost. */
struct alloc_outcome allocation_outcome(const struct alloc_stratum *s, size_t count, double level);

#endif
