/* Open addressing, doubled when half full. The caller compares items with equal hashes. */
#include "sampling/math/hash_index.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/assert.h"

static int hash_index_grow(struct hash_index *x, struct err *e)
{
    size_t slots = x->slots ? (x->mask + 1) * 2 : 256;
    uint32_t *fresh = mem_zalloc(slots, sizeof *fresh, e);

    if (!fresh)
        return -1;
    for (size_t i = 0; i < x->count; i++) {
        size_t at = x->hashes[i] & (slots - 1);

        while (fresh[at])
            at = (at + 1) & (slots - 1);
        fresh[at] = (uint32_t)i + 1;
    }
    free(x->slots);
    x->slots = fresh;
    x->mask = slots - 1;
    return 0;
}

int hash_index_add(struct hash_index *x, uint64_t hash, struct err *e)
{
    size_t at;

    if (x->count >= UINT32_MAX - 1)
        return err_set(e, ERR_TOO_LARGE, "more than 4 thousand million distinct kernels, contexts or streams");
    if (array_reserve((void **)&x->hashes, &x->hash_capacity, x->count + 1, sizeof *x->hashes, e) < 0)
        return -1;
    if ((!x->slots || x->count * 2 > x->mask) && hash_index_grow(x, e) < 0)
        return -1;
    ASSERT(x->count * 2 <= x->mask); /* a free slot ends the search */
    for (at = hash & x->mask; x->slots[at]; at = (at + 1) & x->mask)
        continue;
    x->hashes[x->count] = hash;
    x->slots[at] = (uint32_t)++x->count;
    return 0;
}

int64_t hash_index_next(const struct hash_index *x, uint64_t hash, size_t *at)
{
    if (!x->slots)
        return -1;
    for (*at &= x->mask; x->slots[*at]; *at = (*at + 1) & x->mask) {
        uint32_t item = x->slots[*at] - 1;

        if (x->hashes[item] == hash) {
            *at += 1;
            return item;
        }
    }
    return -1;
}

void hash_index_release(struct hash_index *x)
{
    free(x->slots);
    free(x->hashes);
}
