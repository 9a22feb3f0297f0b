/* simcore/mem/hash/ipoly.c: the channel is the chunk number as a polynomial over GF(2), modulo a primitive
 * polynomial (Rau, Pseudo-randomly interleaved memory, ISCA 1991). For powers of two. */
#include "simcore/mem/hash/hash.h"

/* The terms below the leading one of a primitive polynomial over GF(2) of each degree. */
static const uint16_t primitive[] = {0, 1, 3, 3, 3, 5, 3, 3, 0x1d, 0x11};

/* Computes the remainder of each power of x modulo the polynomial of degree log2 n. */
static void fold_powers(uint16_t fold[64], uint32_t n)
{
    uint32_t degree = (uint32_t)__builtin_ctz(n), rest = 1 % n;

    for (uint32_t i = 0; i < 64; i++) {
        fold[i] = (uint16_t)rest;
        rest <<= 1;
        if (rest & n)
            rest = (rest ^ primitive[degree]) & (n - 1);
    }
}

static void ipoly_init(struct address_map *m)
{
    fold_powers(m->fold, m->channels.n);
}

static uint32_t fold_chunk(const struct address_map *m, uint64_t chunk)
{
    uint32_t sum = 0;

    for (; chunk; chunk &= chunk - 1)
        sum ^= m->fold[__builtin_ctzll(chunk)];
    return sum;
}

static uint32_t ipoly_channel(const struct address_map *m, uint64_t chunk, uint64_t below, uint32_t low,
                              uint32_t *turn)
{
    (void)below, (void)low;
    *turn = 0;
    return fold_chunk(m, chunk);
}

const struct address_hash_ops address_hash_ipoly = {
    .name = "ipoly", .power_of_two = true, .init = ipoly_init, .channel = ipoly_channel};
