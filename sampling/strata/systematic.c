/* Every K-th launch; formula, source: systematic.h. The variance over all starts r, exact on the profile:
 *
 *     V = N^2 mean over r of (mean of the start's values - mean)^2
 *
 * Assumes: simulated values follow the launch order as the profile's do; K is prime, so that few periods of a
 * workload divide it. */
#include "sampling/strata/systematic.h"

#include <math.h>
#include <stdbool.h>

#include "base/assert.h"

#define STEPS_TRIED    8
#define NOT_MUCH_WORSE 1.5 /* variance relative to random order; our choice: at most a quarter more half-width */
#define PRIMES_ABOVE   50

void systematic_starts(struct rng *r, uint64_t count, uint64_t step, uint64_t starts[2])
{
    uint64_t take = count / step, apart;

    ASSERT(take > 0);
    starts[0] = rng_below(r, count);
    do { /* the starts have common launches if their distance is a multiple of the step, below `take` steps, in
            either direction */
        apart = rng_below(r, count);
    } while ((apart % step == 0 && apart / step < take) ||
             ((count - apart) % step == 0 && (count - apart) / step < take));
    starts[1] = (starts[0] + apart) % count;
}

static uint64_t common_factor(uint64_t a, uint64_t b)
{
    while (b) {
        uint64_t rest = a % b;

        a = b;
        b = rest;
    }
    return a;
}

double systematic_variance(const uint64_t *values, uint64_t count, uint64_t step)
{
    uint64_t take = count / step, circles = common_factor(count, step), total = 0;
    double mean, sum = 0;

    ASSERT(take > 0 && circles > 0);
    for (uint64_t i = 0; i < count; i++)
        total += values[i];
    mean = (double)total / (double)count;
    for (uint64_t circle = 0; circle < circles; circle++) { /* steps of K form this number of cycles */
        uint64_t head = circle, tail = circle, window = 0;

        for (uint64_t i = 0; i < take; i++) {
            window += values[head];
            head = (head + step) % count;
        }
        for (uint64_t start = 0; start < count / circles; start++) {
            double d = (double)window / (double)take - mean;

            sum += d * d;
            window += values[head] - values[tail];
            head = (head + step) % count;
            tail = (tail + step) % count;
        }
    }
    return sum * (double)count; /* count^2 times the mean square */
}

static bool is_prime(uint64_t n)
{
    for (uint64_t d = 2; d * d <= n; d++)
        if (n % d == 0)
            return false;
    return n >= 2;
}

uint64_t systematic_step(const uint64_t *values, uint64_t count, uint64_t wanted, double mean_square,
                         double *variance)
{
    double n = (double)count;
    uint64_t best = 0;
    unsigned tried = 0;

    *variance = INFINITY;
    for (uint64_t off = 0; off < count && tried < STEPS_TRIED; off++) {
        const uint64_t near[2] = {wanted - off, wanted + off};

        for (int side = off == 0; side < 2; side++) {
            uint64_t rounds;
            double take, v;

            if (near[side] < 3 || near[side] > count ||
                !is_prime(near[side])) /* a wrap below 0 gives a value above count */
                continue;
            rounds = count / near[side];
            take = (double)rounds;
            v = systematic_variance(values, count, near[side]);
            tried++;
            if (v < *variance) {
                *variance = v;
                best = near[side];
            }
            if (v <= NOT_MUCH_WORSE * n * (n - take) / take * mean_square)
                return best;
        }
    }
    return best;
}
