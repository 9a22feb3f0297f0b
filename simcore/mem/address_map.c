#include "simcore/mem/address_map.h"

#include <string.h>

#ifdef __x86_64__
/* Four or eight lines at once, with the same results. */
typedef uint64_t words4 __attribute__((vector_size(4 * sizeof(uint64_t))));
typedef uint32_t halves4 __attribute__((vector_size(4 * sizeof(uint32_t))));
#define WORD         words4
#define WORDS(name)  name##_4
#define HALVES       halves4
#define WORDS_TARGET __attribute__((target("avx2")))
#include "simcore/mem/address_lanes.h"

typedef uint64_t words8 __attribute__((vector_size(8 * sizeof(uint64_t))));
typedef uint32_t halves8 __attribute__((vector_size(8 * sizeof(uint32_t))));
#define WORD         words8
#define WORDS(name)  name##_8
#define HALVES       halves8
#define WORDS_TARGET __attribute__((target("avx512f,avx512dq")))
#include "simcore/mem/address_lanes.h"

static uint8_t words_of_host(void)
{
    if (__builtin_cpu_supports("avx512dq"))
        return 8;
    return __builtin_cpu_supports("avx2") ? 4 : 0;
}
#else
static void locate_lanes_4(const struct address_map *m, const uint64_t line[], uint32_t n,
                           struct address_places *out)
{
    (void)m, (void)line, (void)n, (void)out; /* never called */
}
#define locate_lanes_8 locate_lanes_4
static uint8_t words_of_host(void)
{
    return 0;
}
#endif

/* The terms below the leading one of a primitive polynomial over GF(2) of each degree. */
static const uint16_t primitive[] = {0, 1, 3, 3, 3, 5, 3, 3, 0x1d, 0x11};

/* The remainder of each power of x by the polynomial of degree log2 n. */
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

void address_map_init(struct address_map *m, const struct gpu_design *d, uint32_t sets)
{
    memset(m, 0, sizeof *m);
    m->channels = divisor_of(d->dram_channels);
    m->slices_per_channel = divisor_of(d->l2_slices / d->dram_channels);
    m->lines_per_chunk = divisor_of(d->dram_chunk_bytes / LINE_BYTES);
    m->sets = divisor_of(sets);
    m->banks = divisor_of(d->dram_banks);
    m->lines_per_row = divisor_of(d->dram_row_bytes / LINE_BYTES);
    m->hash = d->model.hash;
    m->shifts = m->hash == HASH_MIX && !m->channels.reciprocal && !m->slices_per_channel.reciprocal &&
                !m->lines_per_chunk.reciprocal && !m->sets.reciprocal && !m->banks.reciprocal &&
                !m->lines_per_row.reciprocal;
    m->words = m->shifts ? words_of_host() : 0;
    if (m->hash == HASH_IPOLY)
        fold_powers(m->fold, d->dram_channels);
}

static uint32_t fold_chunk(const struct address_map *m, uint64_t chunk)
{
    uint32_t sum = 0;

    for (; chunk; chunk &= chunk - 1)
        sum ^= m->fold[__builtin_ctzll(chunk)];
    return sum;
}

/* Place `low` of n, moved on by a hash: spreads numbers so that each run of n that starts at a multiple of n visits
 * every place once, if the hash is one of what lies above. */
static inline uint32_t spread(const struct divisor *n, uint64_t mixed, uint32_t low)
{
    uint32_t hash, place;

    divide(n, mixed, &hash);
    place = low + hash;
    return place < n->n ? place : place - n->n;
}

static void locate_by_divisions(const struct address_map *m, uint64_t line, struct address_place *out)
{
    uint32_t within, slice, column, low;
    uint64_t chunk = divide(&m->lines_per_chunk, line, &within);
    uint64_t below = divide(&m->channels, chunk, &low); /* chunks of this channel below this one */
    uint64_t local_line = below * m->lines_per_chunk.n + within;
    uint64_t row = divide(&m->lines_per_row, local_line, &column), mixed;

    if (m->hash == HASH_MIX) {
        mixed = address_mix(below);
        out->channel = spread(&m->channels, mixed, low);
        within += m->slices_per_channel.n > 1 ? mixed >> 40 : 0;
    } else {
        out->channel = m->hash == HASH_NONE ? low : fold_chunk(m, chunk);
    }
    divide(&m->slices_per_channel, within, &slice);
    out->slice = out->channel * m->slices_per_channel.n + slice;
    below = divide(&m->sets, divide(&m->slices_per_channel, local_line, &low), &low);
    out->set = spread(&m->sets, address_mix(below), low);
    out->row = divide(&m->banks, row, &low);
    out->bank = spread(&m->banks, address_mix(out->row), low);
}

void address_locate(const struct address_map *m, uint64_t line, struct address_place *out)
{
    if (m->shifts)
        address_locate_by_shifts(m, line, out);
    else
        locate_by_divisions(m, line, out);
}

void address_locate_lines(const struct address_map *m, const uint64_t line[], uint32_t n,
                          struct address_places *out)
{
    if (m->words && n > 1) {
        (m->words == 8 ? locate_lanes_8 : locate_lanes_4)(m, line, n, out);
        return;
    }
    for (uint32_t i = 0; i < n; i++) {
        struct address_place p;

        address_locate(m, line[i], &p);
        out->channel[i] = p.channel;
        out->slice[i] = p.slice;
        out->set[i] = p.set;
        out->bank[i] = p.bank;
        out->row[i] = p.row;
    }
}
