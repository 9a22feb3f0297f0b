/* simcore/mem/hash/none.c: chunks are assigned to channels in turn; power-of-two strides use only few channels. */
#include "simcore/mem/hash/hash.h"

static uint32_t none_channel(const struct address_map *m, uint64_t chunk, uint64_t below, uint32_t low,
                             uint32_t *turn)
{
    (void)m, (void)chunk, (void)below;
    *turn = 0;
    return low;
}

const struct address_hash_ops address_hash_none = {.name = "none", .channel = none_channel};
