#include "simcore/mem/address_map.h"

void address_locate(const struct address_map *m, uint64_t line, struct address_place *out)
{
    uint32_t within, slice, column, unused;
    uint64_t chunk = divide(&m->lines_per_chunk, line, &within);
    uint64_t below = divide(&m->channels, chunk, &unused); /* chunks of this channel below this one */
    uint64_t local_line = below * m->lines_per_chunk.n + within;
    uint64_t row = divide(&m->lines_per_row, local_line, &column);

    out->channel = address_spread(chunk, &m->channels);
    divide(&m->slices_per_channel, within, &slice);
    out->slice = out->channel * m->slices_per_channel.n + slice;
    out->set = address_spread(divide(&m->slices_per_channel, local_line, &unused), &m->sets);
    out->bank = address_spread(row, &m->banks);
    out->row = divide(&m->banks, row, &unused);
}
