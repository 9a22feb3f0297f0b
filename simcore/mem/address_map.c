#include "simcore/mem/address_map.h"

#include <string.h>

#include "simcore/mem/hash/hash.h"

#ifdef __x86_64__
/* Four or eight lines at once, with the same results as one by one. */
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

const struct address_hash_ops *address_hash(uint32_t level)
{
    static const struct address_hash_ops *const hashes[] = {
#define X(enumerator, name, what) &address_hash_##name,
        ADDRESS_HASHES(X)
#undef X
    };

    return hashes[level];
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
    m->hash = address_hash(d->model.hash);
    m->shifts = m->hash == &address_hash_mix && !m->channels.reciprocal && !m->slices_per_channel.reciprocal &&
                !m->lines_per_chunk.reciprocal && !m->sets.reciprocal && !m->banks.reciprocal &&
                !m->lines_per_row.reciprocal;
    m->words = m->shifts ? words_of_host() : 0;
    if (m->hash->init)
        m->hash->init(m);
}

static void locate_by_divisions(const struct address_map *m, uint64_t line, struct address_place *out)
{
    uint32_t within, slice, column, low, turn;
    uint64_t chunk = divide(&m->lines_per_chunk, line, &within);
    uint64_t below = divide(&m->channels, chunk, &low); /* number of chunks of this channel with lower addresses */
    uint64_t local_line = below * m->lines_per_chunk.n + within;
    uint64_t row = divide(&m->lines_per_row, local_line, &column);

    out->channel = m->hash->channel(m, chunk, below, low, &turn);
    within += turn;
    divide(&m->slices_per_channel, within, &slice);
    out->slice = out->channel * m->slices_per_channel.n + slice;
    below = divide(&m->sets, divide(&m->slices_per_channel, local_line, &low), &low);
    out->set = address_spread(&m->sets, address_mix(below) >> SET_HASH_SHIFT, low);
    out->row = divide(&m->banks, row, &low);
    out->bank = address_spread(&m->banks, address_mix(out->row), low);
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
