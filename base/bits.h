/* base/bits.h: counting bits. Baseline x86-64 has no POPCNT instruction: compilers call a function there. */
#ifndef VIVACE_BASE_BITS_H
#define VIVACE_BASE_BITS_H

#include <stdint.h>

/* Number of set bits in v, by parallel sums of fields (Warren, Hacker's Delight, 5-1). */
static inline uint32_t bits_count(uint32_t v)
{
#ifdef __POPCNT__
    return (uint32_t)__builtin_popcount(v);
#else
    v -= v >> 1 & 0x55555555u;
    v = (v & 0x33333333u) + (v >> 2 & 0x33333333u);
    v = (v + (v >> 4)) & 0x0f0f0f0fu;
    return (v * 0x01010101u) >> 24;
#endif
}

#endif
