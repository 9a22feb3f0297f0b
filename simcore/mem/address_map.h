/* simcore/mem/address_map.h: address -> memory channel, L2 slice, set and DRAM row.
 *
 * A chunk of consecutive bytes is in one channel; its lines alternate over the slices of that channel, from one
 * that a mixing function chooses, so that a stride of whole chunks visits all slices. The channel of chunk c
 * among N is (c mod N + h(c / N)) mod N: balanced for every N, sequential addresses visit all channels once every
 * N chunks, and power-of-two strides are spread by the mixing function h. Sets and banks are chosen the same way.
 *
 * That is the hash "mix"; other choices of the channel, for studies, are files in hash/. */
#ifndef VIVACE_SIMCORE_MEM_ADDRESS_MAP_H
#define VIVACE_SIMCORE_MEM_ADDRESS_MAP_H

#include <stdbool.h>

#include "simcore/design.h"

enum { LINE_SHIFT = 7, LINE_BYTES = 128, SECTOR_BYTES = 32, LINE_SECTORS = 4 };
/* Lines that the host can map at once; lines of one instruction. */
enum { ADDRESS_LANES = 8, ADDRESS_PLACES_MAX = 64 };
/* The set takes these bits of its hash and those above. The channel takes the lowest: a set chosen by the same bits
 * of the same number would put all lines of a channel that lie a power of two apart into few sets. */
enum { SET_HASH_SHIFT = 20 };

/* Division by a number that is known early: a shift for powers of two, else a multiplication by 2^64 / n, rounded
 * down, whose quotient is at most one too low. */
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
    above = r >= d->n; /* as likely as not where x is a hash: no branch */
    *rest = (uint32_t)(r - above * d->n);
    return q + above;
}

struct address_hash_ops;
struct address_map {
    struct divisor channels, slices_per_channel, lines_per_chunk, sets, banks, lines_per_row;
    const struct address_hash_ops *hash; /* how the channel is chosen (hash/hash.h) */
    bool shifts;                         /* all of them are powers of two, and the hash is the mixing one */
    uint8_t words;                       /* and the host has vectors of this number of words; else 0 */
    uint16_t fold[64];                   /* ipoly: the remainder of each power of x */
};

struct address_place {
    uint32_t channel, slice, set, bank;
    uint64_t row;
};

/* The places of many lines, part by part. */
struct address_places {
    uint32_t channel[ADDRESS_PLACES_MAX], slice[ADDRESS_PLACES_MAX], set[ADDRESS_PLACES_MAX],
        bank[ADDRESS_PLACES_MAX];
    uint64_t row[ADDRESS_PLACES_MAX];
};

static inline struct address_place address_place_of(const struct address_places *p, uint32_t i)
{
    return (struct address_place){p->channel[i], p->slice[i], p->set[i], p->bank[i], p->row[i]};
}

/* How many of a line's four sectors a mask names. */
static inline uint32_t sector_count(uint8_t mask)
{
    static const uint8_t counts[1 << LINE_SECTORS] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};

    return counts[mask];
}

/* Place `low` of n, moved on by a hash: spreads numbers so that each run of n that starts at a multiple of n visits
 * every place once, if the hash is one of what lies above. */
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

/* The map of a design; its L2 has this number of sets in a slice. */
void address_map_init(struct address_map *m, const struct gpu_design *d, uint32_t sets);
void address_locate(const struct address_map *m, uint64_t line, struct address_place *out);
/* The same where all divisions are shifts. */
static inline void address_locate_by_shifts(const struct address_map *m, uint64_t line, struct address_place *out)
{
    const struct address_parts p = address_by_shifts(m, line);

    *out = (struct address_place){(uint32_t)p.channel, (uint32_t)p.slice, (uint32_t)p.set, (uint32_t)p.bank, p.row};
}
/* The same for n lines, at most ADDRESS_PLACES_MAX. Both have room for a multiple of ADDRESS_LANES, all of which is
 * touched. */
void address_locate_lines(const struct address_map *m, const uint64_t line[], uint32_t n,
                          struct address_places *out);

#endif
