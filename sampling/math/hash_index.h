/* sampling/math/hash_index.h: maps a hash to item numbers; the caller stores the items. In memory only. */
#ifndef VIVACE_SAMPLING_HASH_INDEX_H
#define VIVACE_SAMPLING_HASH_INDEX_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct hash_index {
    uint32_t *slots;                   /* item + 1; 0: free */
    uint64_t *hashes;                  /* one per item */
    size_t mask, count, hash_capacity; /* slots: mask + 1 of them, a power of two */
};

/* Adds an item; its number is the previous count. */
int hash_index_add(struct hash_index *x, uint64_t hash, struct err *e);
/* Iterates over the items with this hash: start with *at = hash and call until it returns -1. */
int64_t hash_index_next(const struct hash_index *x, uint64_t hash, size_t *at);
void hash_index_release(struct hash_index *x);

#endif
