/* simcore/mem/replacement/lru.h: least recently used: evicts the line that was unused for the longest time. */
#ifndef VIVACE_SIMCORE_MEM_REPLACEMENT_LRU_H
#define VIVACE_SIMCORE_MEM_REPLACEMENT_LRU_H

#include "simcore/mem/tag_set.h"

TAG_INLINE void lru_hit(const struct tag_sets *t, struct tag_set *s, uint32_t w)
{
    tag_use(t, s, w);
}

TAG_INLINE uint32_t lru_victim(const struct tag_sets *t, const struct tag_set *s)
{
    return tag_in_order(t, s, t->ways - 1);
}

TAG_INLINE void lru_fill(const struct tag_sets *t, struct tag_set *s, uint32_t w)
{
    tag_put_first(t, s, w);
}

#endif
