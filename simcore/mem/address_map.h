/* simcore/mem/address_map.h: maps an address to memory channel, L2 slice, set and DRAM row.
 *
 *
 * A chunk of consecutive bytes is in one channel. Its lines alternate over the slices of that channel. A mixing
 * function chooses the first slice, so that a stride of whole chunks visits all slices. The channel of chunk c
 * among N is (c mod N + h(c / N)) mod N. This is balanced for every N: sequential addresses visit all channels once
 * every N chunks, and the mixing function h distributes power-of-two strides. Sets and banks are chosen the same
 * way.
 *
 *
 * This is the hash "mix"; alternatives for studies are in hash/. */
#ifndef VIVACE_SIMCORE_MEM_ADDRESS_MAP_H
#define VIVACE_SIMCORE_MEM_ADDRESS_MAP_H

#include <stdbool.h>

#include "simcore/design.h"

enum { LINE_SHIFT = 7, LINE_BYTES = 128, SECTOR_BYTES = 32, LINE_SECTORS = 4 };
/* Lines that the host can map at once; maximum lines of one instruction. */
enum { ADDRESS_LANES = 8, ADDRESS_PLACES_MAX = 64 };
/* The set uses these bits of its hash and higher ones; the channel uses the lowest bits. If both used the same
 * bits, lines of a channel at power-of-two distances would map to few sets. */
enum { SET_HASH_SHIFT = 20 };

/* Division by a constant: a shift for powers of two, else a multiplication by 2^64 / n, rounded down, whose
 * quotient is at most one too low. */
struct divisor {
    uint64_t reciprocal; /* 0: a power of two */
    uint32_t n, shift;
};

static inline struct divisor divisor_of(uint32_t n)
{
    return (struct divisor){n & (n - 1) ? UINT64_MAX / n : 0, n, (uint32_t)__builtin_ctz(n)};
}

static inline uint64_t divide(const struct divisor *d, uint64_t x, uint32_t *rest)
{
    uint64_t q, r, above;

    if (!d->reciprocal) {
        *rest = (uint32_t)x & (d->n - 1);
        return x >> d->shift;
    }
    q = (uint64_t)(((unsigned __int128)x * d->reciprocal) >> 64);
    r = x - q * d->n;
    above = r >= d->n; /* for a hash x both cases are equally likely, so a branch would be slow */
    *rest = (uint32_t)(r - above * d->n);
    return q + above;
}

struct address_hash_ops;
struct address_map {
    struct divisor channels, slices_per_channel, lines_per_chunk, sets, banks, lines_per_row;
    const struct address_hash_ops *hash; /* the hash of the channel (hash/hash.h) */
    bool shifts;                         /* all divisors are powers of two, and the hash is "mix" */
    uint8_t words;                       /* if `shifts`: words of the host's vectors; 0: no vectors */
    uint16_t fold[64];                   /* ipoly: the remainder of each power of x */
};

struct address_place {
    uint32_t channel, slice, set, bank;
    uint64_t row;
};

/* The locations of many lines, as arrays. */
struct address_places {
    uint32_t channel[ADDRESS_PLACES_MAX], slice[ADDRESS_PLACES_MAX], set[ADDRESS_PLACES_MAX],
        bank[ADDRESS_PLACES_MAX];
    uint64_t row[ADDRESS_PLACES_MAX];
};

static inline struct address_place address_place_of(const struct address_places *p, uint32_t i)
{
    return (struct address_place){p->channel[i], p->slice[i], p->set[i], p->bank[i], p->row[i]};
}

/* The number of sectors (of four) in a mask. */
static inline uint32_t sector_count(uint8_t mask)
{
    static const uint8_t counts[1 << LINE_SECTORS] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};

    return counts[mask];
}

/* Adds a hash to position `low` of n. Each aligned run of n numbers visits every position once, if the hash depends
 * only on the higher bits. */
static inline uint32_t address_spread(const struct divisor *n, uint64_t mixed, uint32_t low)
{
    uint32_t hash, place;

    divide(n, mixed, &hash);
    place = low + hash;
    return place < n->n ? place : place - n->n;
}

#define WORD         uint64_t
#define WORDS(name)  name
#define WORDS_INLINE static inline
#include "simcore/mem/address_words.h"
#undef WORD
#undef WORDS
#undef WORDS_INLINE

/* Makes the map of a design with this number of sets per L2 slice. */
void address_map_init(struct address_map *m, const struct gpu_design *d, uint32_t sets);
void address_locate(const struct address_map *m, uint64_t line, struct address_place *out);
/* As address_locate(), if all divisions are shifts. */
static inline void address_locate_by_shifts(const struct address_map *m, uint64_t line, struct address_place *out)
{
    const struct address_parts p = address_by_shifts(m, line);

    *out = (struct address_place){(uint32_t)p.channel, (uint32_t)p.slice, (uint32_t)p.set, (uint32_t)p.bank, p.row};
}
/* As address_locate(), for n lines, at most ADDRESS_PLACES_MAX. Both arrays need capacity for a multiple of
 * ADDRESS_LANES, which is accessed completely. */
void address_locate_lines(const struct address_map *m, const uint64_t line[], uint32_t n,
                          struct address_places *out);

#endif
