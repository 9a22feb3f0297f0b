/* The random numbers of launch lists (docs/formats/launch-list.md), for the references of the examples. */
#ifndef VIVACE_EXAMPLES_RANDOM_H
#define VIVACE_EXAMPLES_RANDOM_H

#include <stdint.h>

static inline uint64_t random_bits(uint64_t seed, uint64_t index)
{
    uint64_t z = seed + (index + 1) * 0x9e3779b97f4a7c15ull;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
}
/* "uniform" of type f32 */
static inline float random_float(uint64_t seed, uint64_t index, double low, double high)
{
    return (float)(low + (high - low) * ((double)(random_bits(seed, index) >> 40) / 16777216));
}
/* "uniform" of an unsigned type, from 0 on */
static inline uint32_t random_below(uint64_t seed, uint64_t index, uint32_t end)
{
    return (uint32_t)((unsigned __int128)random_bits(seed, index) * end >> 64);
}

#endif
