/* simcore/mem/hash/hash.h: what a DRAM address hash is: how chunks of addresses spread over the memory channels. A
 * hash is a file of its own with a struct address_hash_ops, and a line in ADDRESS_HASHES (simcore/components.h). */
#ifndef VIVACE_SIMCORE_MEM_HASH_HASH_H
#define VIVACE_SIMCORE_MEM_HASH_HASH_H

#include "simcore/mem/address_map.h"

struct address_hash_ops {
    const char *name;
    bool power_of_two;                   /* it needs such a number of channels */
    void (*init)(struct address_map *m); /* once the map knows its channels; or NULL */
    /* The channel of a chunk, which is below * channels + low; each number of `low` must give another. *turn: the
     * lines of the chunk begin with this slice of the channel, modulo their number. */
    uint32_t (*channel)(const struct address_map *m, uint64_t chunk, uint64_t below, uint32_t low, uint32_t *turn);
};

/* By enum hash_level: X(MIX, mix, ...) is address_hash_mix, in mix.c. */
#define X(enumerator, name, what) extern const struct address_hash_ops address_hash_##name;
ADDRESS_HASHES(X)
#undef X
const struct address_hash_ops *address_hash(uint32_t level); /* address_map.c */

#endif
