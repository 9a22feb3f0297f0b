#include "base/rng.h"

#include <math.h>
#include <stdbool.h>

void philox4x32_10(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4])
{
    uint32_t c[4] = {counter[0], counter[1], counter[2], counter[3]};
    uint32_t k0 = key[0], k1 = key[1];

    for (int round = 0; round < 10; round++) {
        uint64_t p0 = (uint64_t)0xD2511F53u * c[0], p1 = (uint64_t)0xCD9E8D57u * c[2];
        uint32_t next[4] = {(uint32_t)(p1 >> 32) ^ c[1] ^ k0, (uint32_t)p1, (uint32_t)(p0 >> 32) ^ c[3] ^ k1,
                            (uint32_t)p0};

        for (int i = 0; i < 4; i++)
            c[i] = next[i];
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    for (int i = 0; i < 4; i++)
        out[i] = c[i];
}

void rng_init(struct rng *r, uint64_t seed, uint64_t stream, enum rng_purpose purpose)
{
    /* The purpose is the upper half of the counter's 64-bit block number: each purpose has 2^32 blocks. */
    *r = (struct rng){
        .key = {(uint32_t)seed, (uint32_t)(seed >> 32)},
        .counter = {0, (uint32_t)purpose, (uint32_t)stream, (uint32_t)(stream >> 32)},
        .used = 4,
    };
}

uint32_t rng_u32(struct rng *r)
{
    if (r->used == 4) {
        philox4x32_10(r->counter, r->key, r->block);
        r->counter[0]++;
        r->used = 0;
    }
    return r->block[r->used++];
}

uint64_t rng_u64(struct rng *r)
{
    uint64_t high = rng_u32(r);

    return high << 32 | rng_u32(r);
}

uint64_t rng_below(struct rng *r, uint64_t n)
{
    uint64_t limit =
        UINT64_MAX - UINT64_MAX % n; /* a multiple of n: values above it would favour small remainders */
    uint64_t x;

    do
        x = rng_u64(r);
    while (x >= limit);
    return x % n;
}

double rng_unit(struct rng *r)
{
    return rng_unit_of(rng_u64(r));
}

/* Blocks that are computed side by side: their rounds do not wait for each other. */
#define LANES 8

static inline __attribute__((always_inline)) void next_blocks(struct rng *r, uint32_t word[4][LANES])
{
    uint32_t k0 = r->key[0], k1 = r->key[1];

    for (uint32_t l = 0; l < LANES; l++) {
        word[0][l] = r->counter[0] + l;
        for (int w = 1; w < 4; w++)
            word[w][l] = r->counter[w];
    }
    for (int round = 0; round < 10; round++) {
        for (int l = 0; l < LANES; l++) {
            uint64_t p0 = (uint64_t)0xD2511F53u * word[0][l], p1 = (uint64_t)0xCD9E8D57u * word[2][l];

            word[0][l] = (uint32_t)(p1 >> 32) ^ word[1][l] ^ k0;
            word[1][l] = (uint32_t)p1;
            word[2][l] = (uint32_t)(p0 >> 32) ^ word[3][l] ^ k1;
            word[3][l] = (uint32_t)p0;
        }
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    r->counter[0] += LANES;
}

/* Fills `out` with whole groups of blocks and returns how many numbers it wrote. */
static inline __attribute__((always_inline)) size_t fill_groups(struct rng *r, uint64_t *out, size_t n)
{
    const size_t made = sizeof(uint32_t[4][LANES]) / sizeof *out;
    uint32_t word[4][LANES];
    size_t i = 0;

    for (; n - i >= made; i += made) {
        next_blocks(r, word);
        for (int l = 0; l < LANES; l++) {
            out[i + 2 * (size_t)l] = (uint64_t)word[0][l] << 32 | word[1][l];
            out[i + 2 * (size_t)l + 1] = (uint64_t)word[2][l] << 32 | word[3][l];
        }
    }
    return i;
}

/* The same code for CPUs with 32 wide registers: five times as fast there. The numbers are equal. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
__attribute__((target("avx512f,avx512dq,avx512vl"), optimize("O3"))) static size_t
fill_wide(struct rng *r, uint64_t *out, size_t n)
{
    return fill_groups(r, out, n);
}

static bool has_wide(void)
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl");
}
#else
#define fill_wide  fill_groups
#define has_wide() false
#endif

void rng_fill_u64(struct rng *r, uint64_t *out, size_t n)
{
    size_t i = 0;

    while (i < n && r->used != 4)
        out[i++] = rng_u64(r);
    i += has_wide() ? fill_wide(r, out + i, n - i) : fill_groups(r, out + i, n - i);
    while (i < n)
        out[i++] = rng_u64(r);
}

double rng_normal(struct rng *r)
{
    double u = 1.0 - rng_unit(r), v = rng_unit(r); /* Box and Muller 1958; u in (0,1] */

    return sqrt(-2.0 * log(u)) * cos(6.283185307179586 * v);
}
