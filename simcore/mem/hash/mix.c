/* simcore/mem/hash/mix.c: rotates the channels by a mixing function of the higher address bits. Balanced for every
 * number of channels; distributes power-of-two strides. */
#include "simcore/mem/hash/hash.h"

static uint32_t mix_channel(const struct address_map *m, uint64_t chunk, uint64_t below, uint32_t low,
                            uint32_t *turn)
{
    uint64_t mixed = address_mix(below);

    (void)chunk;
    *turn = m->slices_per_channel.n > 1 ? (uint32_t)(mixed >> 40) : 0;
    return address_spread(&m->channels, mixed, low);
}

const struct address_hash_ops address_hash_mix = {.name = "mix", .channel = mix_channel};
