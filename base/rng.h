/* base/rng.h: the seeded generator. All randomness that can change a result comes from it.
 *
 * Counter-based (Philox4x32-10: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3",
 * SC'11), so a draw depends only on (seed, stream, purpose, number of draws before): not on threads, input
 * order or the host. Each stratum has its own stream and each purpose its own number, so that a new stratum or a
 * new purpose does not change any other draw. */
#ifndef VIVACE_BASE_RNG_H
#define VIVACE_BASE_RNG_H

#include <stddef.h>
#include <stdint.h>

enum rng_purpose {
    RNG_DRAW = 1,
    RNG_EVALUATE = 2,
    RNG_BOOTSTRAP = 3,
    RNG_CLUSTER = 4,
    RNG_EXAMPLE = 5,
    RNG_MAKESPAN = 6,
    RNG_ASSURANCE = 7,
    RNG_TEST = 99
};

struct rng {
    uint32_t key[2], counter[4], block[4];
    unsigned used; /* words of `block` that were already returned */
};

void rng_init(struct rng *r, uint64_t seed, uint64_t stream, enum rng_purpose purpose);
uint32_t rng_u32(struct rng *r);
uint64_t rng_u64(struct rng *r);
uint64_t rng_below(struct rng *r, uint64_t n); /* uniform in 0..n-1, without bias; n >= 1 */
double rng_unit(struct rng *r);                /* uniform in [0,1), 53 bits */
/* The next n values of rng_u64(), in less time than one by one. */
void rng_fill_u64(struct rng *r, uint64_t *out, size_t n);
/* The value of rng_unit() for a value of rng_u64(). */
static inline double rng_unit_of(uint64_t x)
{
    return (double)(x >> 11) * 0x1p-53;
}
double rng_normal(struct rng *r); /* mean 0, standard deviation 1 */

/* One block of the generator, for tests against its published vectors. */
void philox4x32_10(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4]);

#endif
