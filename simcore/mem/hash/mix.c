/* simcore/mem/hash/mix.c: channels moved on by a mixing function of what lies above them: balanced for every number
 * of channels; strides of powers of two are spread. */
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
