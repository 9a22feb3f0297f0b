/* sampling/systematic.h: every K-th launch, around the circle.
 *
 * Launches stand in a circle, in launch order. A start takes launch r and every K-th after it, floor(N / K) in all,
 * passing the end (circular systematic sampling: Lahiri; Cochran, Sampling Techniques, 1977, section 8.1). With r
 * uniform every launch has the same chance, also where K does not divide N, so N times the mean is unbiased, and
 * how many are taken does not depend on r. */
#ifndef VIVACE_SAMPLING_SYSTEMATIC_H
#define VIVACE_SAMPLING_SYSTEMATIC_H

#include <stdint.h>

#include "base/rng.h"

/* The i-th launch of a start: (start + i step) mod count. All below 2^32. */
static inline uint64_t systematic_place(uint64_t start, uint64_t step, uint64_t i, uint64_t count)
{
    return (start + i * step) % count;
}

/* Two starts, both uniform, that share no launch: the second is at a distance from the first that is uniform
 * among those at which they do not meet. step >= 3. */
void systematic_starts(struct rng *r, uint64_t count, uint64_t step, uint64_t starts[2]);

/* The exact variance, over all starts, of count * (mean of one start): what the design is worth on these values.
 * `values` in launch order. */
double systematic_variance(const uint64_t *values, uint64_t count, uint64_t step);

/* A prime near `wanted` that does not walk in the pace of the values: of the eight nearest (the smaller first), the
 * first whose design is not much worse than random order (1.5 times its variance), or the best of them. A workload
 * that repeats every K launches (layers, decode steps), or every K / 2, shows exactly there; primes are in step
 * with the fewest rhythms, also with those that only the simulated values will have. mean_square: S^2 of the
 * values. *variance: of that step. 3 <= wanted < count. */
uint64_t systematic_step(const uint64_t *values, uint64_t count, uint64_t wanted, double mean_square,
                         double *variance);

#endif
