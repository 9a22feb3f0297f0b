/* simcore/mem/hash/hash.h: the interface of a DRAM address hash, which distributes chunks of addresses over the
 * memory channels. A hash is a file with a struct address_hash_ops, and a line in ADDRESS_HASHES
 * (simcore/components.h). */
#ifndef VIVACE_SIMCORE_MEM_HASH_HASH_H
#define VIVACE_SIMCORE_MEM_HASH_HASH_H

#include "simcore/mem/address_map.h"

struct address_hash_ops {
    const char *name;
    bool power_of_two;                   /* the number of channels must be a power of two */
    void (*init)(struct address_map *m); /* called when the map knows its channels; or NULL */
    /* The channel of the chunk, where chunk = below * channels + low. Different values of `low` must give different
     * channels. *turn: the slice of the channel, modulo the number of slices, that holds the first line of the
     * chunk.
     */
    uint32_t (*channel)(const struct address_map *m, uint64_t chunk, uint64_t below, uint32_t low, uint32_t *turn);
};

/* Indexed by enum hash_level: X(MIX, mix, ...) is address_hash_mix, in mix.c. */
#define X(enumerator, name, what) extern const struct address_hash_ops address_hash_##name;
ADDRESS_HASHES(X)
#undef X
const struct address_hash_ops *address_hash(uint32_t level); /* address_map.c */

#endif
