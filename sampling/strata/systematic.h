/* sampling/strata/systematic.h: every K-th launch, around the circle.
 *
 * Launches are arranged in a circle, in launch order. A start takes launch r and every K-th launch after it,
 * floor(N / K) in total, continuing at the beginning after the last launch (circular systematic sampling: Lahiri;
 * Cochran, Sampling Techniques, 1977, section 8.1). With r uniform every launch has the same probability, even if K
 * does not divide N. So N times the mean is unbiased, and the sample size does not depend on r. */
#ifndef VIVACE_SAMPLING_SYSTEMATIC_H
#define VIVACE_SAMPLING_SYSTEMATIC_H

#include <stdint.h>

#include "base/rng.h"

/* The i-th launch of a start: (start + i step) mod count. All below 2^32. */
static inline uint64_t systematic_place(uint64_t start, uint64_t step, uint64_t i, uint64_t count)
{
    return (start + i * step) % count;
}

/* Two starts, both uniform, that share no launch: the distance of the second from the first is uniform among the
 * distances without a common launch. step >= 3. */
void systematic_starts(struct rng *r, uint64_t count, uint64_t step, uint64_t starts[2]);

/* The exact variance, over all starts, of count * (mean of one start): the precision of systematic sampling for
 * these values. `values` in launch order. */
double systematic_variance(const uint64_t *values, uint64_t count, uint64_t step);

/* Chooses a prime step near `wanted` that is not related to a period of the values: of the eight nearest primes
 * (the smaller first) the first with a variance of at most 1.5 times that of random order, or else the best. A
 * period of K or K / 2 launches in the workload (layers, decode steps) gives a large variance. A prime is a
 * multiple of the fewest periods, including those that only the simulated values have. mean_square: S^2 of the
 * values. *variance: of that step. 3 <= wanted < count. */
uint64_t systematic_step(const uint64_t *values, uint64_t count, uint64_t wanted, double mean_square,
                         double *variance);

#endif
