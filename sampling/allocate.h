/* sampling/allocate.h: how many samples each stratum gets. Minimise sum(cost n) so that the half-width holds. */
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
    uint64_t n;          /* the answer */
    double kurtosis;     /* excess: heavy tails, or two clusters, make s^2 unsteady: fewer degrees of freedom */
    double third;    /* third central moment: skewed strata need more samples for a symmetric interval to hold */
    double steady;   /* S that steady degrees of freedom go by (sampling/steady.h); 0: they are not looked at */
    double seen;     /* S as seen in the profile, with the noise that the interval counts with; `sd` may be more */
    double profiled; /* S by the profile, where `sd` has the noise of an assurance on top; not used here */
};

/* Real-valued optimum of sum(cost n) subject to sum(N^2 S^2 / n) <= bound and least <= n <= N (Cochran 1977,
 * Th. 5.6, with the box constraints solved exactly on the right segment of the multiplier instead of by repeated
 * fixing). With the finite-population correction, bound = V0 + sum(N S^2). 1 and n[]; 0: not even a census meets
 * it, n = N. */
int allocate_real(const struct alloc_stratum *s, size_t count, double bound, double *n, struct err *e);

/* Whole numbers: from the rounded-down optimum, units are added by gain of variance per cost until V <= v0 (with
 * finite-population correction). With equal costs this is the exact optimum (Wright 2012). */
int allocate_variance(struct alloc_stratum *s, size_t count, double v0, struct err *e);

/* The real optimum under V <= v0, rounded down. */
int allocate_floor(struct alloc_stratum *s, size_t count, double v0, struct err *e);

/* A fixed number of units in all instead of a fixed variance, from `least` upwards by the same priorities. */
int allocate_units(struct alloc_stratum *s, size_t count, uint64_t units, struct err *e);

struct alloc_goal {
    double half_width; /* wanted, in the unit of the total */
    double level;      /* of the interval */
    double least_df;
    double most_skewness; /* of the estimated total, in absolute value */
    /* Normal quantile of the probability that the half-width comes out within what is wanted, by the luck of s^2;
     * not looked at unless `assured`: then the half-width is that expected. */
    bool assured;
    double luck;
    bool known;    /* S is taken as known (a model): the normal quantile instead of t, no degrees of freedom */
    double budget; /* most to spend; the half-width is then made as small as it gets. 0: no such limit */
};
struct alloc_outcome {
    double variance, df, half_width; /* planned; df infinite when all is taken whole */
    double skewness;                 /* of the estimated total */
    double cost;
    uint64_t units;
    bool met; /* the goal is kept */
};

/* Whole numbers such that t_df sqrt(V) <= half_width and the degrees of freedom are there, all as planned (assured:
 * such that sqrt(q / df) times that is, with q the quantile of chi-square on df, Wilson and Hilferty, 1931):
 * allocate_variance() with the normal quantile, then units by drop of half-width per cost, then those that turned
 * out to be spare go. With a budget: from `least` upwards by drop of half-width per cost, as long as it lasts; not
 * met where `least` alone costs more. */
int allocate_interval(struct alloc_stratum *s, size_t count, const struct alloc_goal *goal,
                      struct alloc_outcome *out, struct err *e);

/* What a stratum with n units adds to V: N (N - n) S^2 / n. */
double allocation_variance(const struct alloc_stratum *s, uint64_t n);

/* What an allocation promises: V = sum(N (N - n) S^2 / n), Satterthwaite's df, t half-width, cost. */
struct alloc_outcome allocation_outcome(const struct alloc_stratum *s, size_t count, double level);

#endif
