#include "simcore/mem/address_map.h"

#include <string.h>

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

void address_locate(const struct address_map *m, uint64_t line, struct address_place *out)
{
    uint32_t within, slice, column, low, unused;
    uint64_t chunk = divide(&m->lines_per_chunk, line, &within);
    uint64_t below = divide(&m->channels, chunk, &low); /* chunks of this channel below this one */
    uint64_t local_line = below * m->lines_per_chunk.n + within;
    uint64_t row = divide(&m->lines_per_row, local_line, &column);

    if (m->hash == HASH_MIX) {
        out->channel = address_spread(chunk, &m->channels);
        within += m->slices_per_channel.n > 1 ? address_mix(below) >> 40 : 0;
    } else {
        out->channel = m->hash == HASH_NONE ? low : fold_chunk(m, chunk);
    }
    divide(&m->slices_per_channel, within, &slice);
    out->slice = out->channel * m->slices_per_channel.n + slice;
    out->set = address_spread(divide(&m->slices_per_channel, local_line, &unused), &m->sets);
    out->bank = address_spread(row, &m->banks);
    out->row = divide(&m->banks, row, &unused);
}
