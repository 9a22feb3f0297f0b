/* simcore/mem/replacement/replacement.h: the replacement policies of L1 and L2, and the selection by the
 * design (l1.replacement, l2.replacement).
 *
 * A policy is three functions in a file of its name:
 *
 *   void NAME_hit(const struct tag_sets *t, struct tag_set *s, uint32_t w);
 *       Way w was looked up and holds the line.
 *   uint32_t NAME_victim(const struct tag_sets *t, const struct tag_set *s);
 *       The set is full: returns the way whose line is evicted.
 *   void NAME_fill(const struct tag_sets *t, struct tag_set *s, uint32_t w);
 *       Way w has a new line: the victim's, or one that was empty.
 *
 * Each set keeps its ways in an order (tag_set.h: tag_in_order, tag_use, tag_put_first), which L2 also uses to
 * clean modified lines: the last line is cleaned first. The functions are inline, because they are called once per
 * sector. A new policy is a file, its include below, and a line in REPLACEMENT_POLICIES (simcore/components.h). */
#ifndef VIVACE_SIMCORE_MEM_REPLACEMENT_REPLACEMENT_H
#define VIVACE_SIMCORE_MEM_REPLACEMENT_REPLACEMENT_H

#include "simcore/mem/replacement/lru.h"

TAG_INLINE void replacement_hit(const struct tag_sets *t, struct tag_set *s, uint32_t w)
{
#define X(enumerator, name, what)                                                                                  \
    if (t->policy == REPLACE_##enumerator) {                                                                       \
        name##_hit(t, s, w);                                                                                       \
        return;                                                                                                    \
    }
    REPLACEMENT_POLICIES(X)
#undef X
}

TAG_INLINE uint32_t replacement_victim(const struct tag_sets *t, const struct tag_set *s)
{
#define X(enumerator, name, what)                                                                                  \
    if (t->policy == REPLACE_##enumerator)                                                                         \
        return name##_victim(t, s);
    REPLACEMENT_POLICIES(X)
#undef X
    return 0;
}

TAG_INLINE void replacement_fill(const struct tag_sets *t, struct tag_set *s, uint32_t w)
{
#define X(enumerator, name, what)                                                                                  \
    if (t->policy == REPLACE_##enumerator) {                                                                       \
        name##_fill(t, s, w);                                                                                      \
        return;                                                                                                    \
    }
    REPLACEMENT_POLICIES(X)
#undef X
}

/* Selects a way for a new line with this mark in a set of this epoch: an empty way (*full is false), or the
 * victim's.
 */
TAG_INLINE uint32_t replacement_take(const struct tag_sets *t, struct tag_set *s, uint32_t mark, bool *full)
{
    uint32_t w;

    *full = s->filled == t->ways;
    w = *full ? replacement_victim(t, s) : s->filled++;
    s->mark[w] = (uint8_t)mark;
    replacement_fill(t, s, w);
    return w;
}

#endif
