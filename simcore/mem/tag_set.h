/* simcore/mem/tag_set.h: the sets of a cache (L1 and L2), with an order of the ways.
 *
 *
 * A set stores, for each way, eight bits of the line number (its mark), and an order of the ways that the
 * replacement policy maintains (replacement/), newest first. Sets of up to 24 ways have the same layout, which is
 * one cache line of the host. A lookup compares eight ways at a time, and a move to the front shifts eight ways at
 * a time. The lines themselves are in an array of the cache: `sets * ways` structs that begin with the uint64_t
 * line number. A set is empty until a kernel first touches it, so emptying a cache costs nothing. */
#ifndef VIVACE_SIMCORE_MEM_TAG_SET_H
#define VIVACE_SIMCORE_MEM_TAG_SET_H

#include <endian.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "base/err.h"
#include "simcore/design.h"
#include "simcore/engine/state_io.h"
#include "simcore/engine/wide.h"

/* TAG_SMALL: maximum number of ways that are compared at once. TAG_USUAL: sets of up to this number of ways have
 * the usual layout, of TAG_USUAL_BYTES. */
enum { TAG_WORD = 8, TAG_PIECE = 16, TAG_SMALL = 32, TAG_USUAL = 24, TAG_USUAL_BYTES = HOST_LINE };
/* For functions that are called once per sector. */
#define TAG_INLINE static inline __attribute__((always_inline))

struct tag_set {
    uint32_t epoch;   /* if it differs from the cache's epoch, the set is empty */
    uint16_t filled;  /* ways 0 to filled - 1 hold lines */
    uint16_t changed; /* number of modified lines, in a write-back cache */
    uint8_t mark[];   /* marks by way; after them the order: way numbers, newest first */
};

struct tag_sets {
    uint32_t sets, ways, epoch;
    uint32_t marks, set_bytes; /* bytes for marks, a multiple of TAG_WORD and at least TAG_USUAL; size of a set */
    bool wide;                 /* way numbers have two bytes */
    uint8_t policy;            /* enum replacement_policy */
    uint8_t *set;
};

/* ways: the maximum ever used, at most UINT16_MAX. memory: tag_sets_bytes(), zeroed and aligned to a cache line of
 * the host; the caller owns it. */
size_t tag_sets_bytes(uint32_t sets, uint32_t ways);
void tag_sets_init(struct tag_sets *t, uint32_t sets, uint32_t ways, uint32_t policy, void *memory);
/* Saves or loads a set of the current epoch (state_io.h); returns its number of lines. */
uint32_t tag_set_state(struct tag_sets *t, uint32_t set, struct state_io *io);

/* Whether the sets have the usual layout and policy. Callers with many lookups then use a copy whose following
 * members are compile-time constants. */
static inline bool tag_is_usual(const struct tag_sets *t)
{
    return t->marks == TAG_USUAL && t->policy == REPLACE_LRU;
}
TAG_INLINE void tag_take_usual(struct tag_sets *copy)
{
    copy->marks = TAG_USUAL;
    copy->set_bytes = TAG_USUAL_BYTES;
    copy->wide = false;
    copy->policy = REPLACE_LRU;
}

static inline struct tag_set *tag_set_at(const struct tag_sets *t, uint32_t set)
{
    return (struct tag_set *)(void *)(t->set + (size_t)set * t->set_bytes);
}

/* The mark of a line number: one byte, repeated in each byte of a word for lookups. */
static inline uint32_t tag_mark(uint64_t line)
{
    return (uint32_t)((line * 0x9e3779b97f4a7c15ull) >> 56) * 0x01010101u;
}

/* For up to TAG_SMALL ways: a mask of the first 32 marks that are equal to this one. Bytes after the marks are also
 * compared; callers ignore their bits. */
TAG_INLINE uint32_t tag_equal_marks(const struct tag_set *s, uint32_t mark)
{
#ifdef __SSE2__
    const __m128i wanted = _mm_set1_epi32((int)mark);
    __m128i low = _mm_loadu_si128((const __m128i *)(const void *)s->mark);
    __m128i high = _mm_loadu_si128((const __m128i *)(const void *)(s->mark + 16));

    return (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(low, wanted)) |
           (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(high, wanted)) << 16;
#else
    uint32_t equal = 0;

    for (uint32_t w = 0; w < TAG_SMALL; w++)
        equal |= (uint32_t)(s->mark[w] == (uint8_t)mark) << w;
    return equal;
#endif
}

/* As tag_equal_marks(), only for ways that hold lines. */
TAG_INLINE uint32_t tag_candidates(const struct tag_set *s, uint32_t mark)
{
    return tag_equal_marks(s, mark) & (uint32_t)((1ull << s->filled) - 1);
}

/* Empties a set that was last used in another epoch. Callers that may change the set must call this first. */
TAG_INLINE void tag_begin(const struct tag_sets *t, struct tag_set *s)
{
    if (__builtin_expect(s->epoch != t->epoch, 0)) {
        s->epoch = t->epoch;
        s->filled = s->changed = 0;
    }
}

/* The same for any number of ways, one by one. */
uint32_t tag_find_slowly(uint32_t ways, const struct tag_set *s, const void *lines, size_t line_bytes,
                         uint64_t line, uint32_t mark);

/* The way that holds a line with this mark, in a set of this epoch; `ways` if none does. `lines`: the lines of the
 * set, each of line_bytes bytes. */
TAG_INLINE uint32_t tag_find(const struct tag_sets *t, const struct tag_set *s, const void *lines,
                             size_t line_bytes, uint64_t line, uint32_t mark)
{
    if (__builtin_expect(t->marks > TAG_SMALL, 0))
        return tag_find_slowly(t->ways, s, lines, line_bytes, line, mark);
    for (uint32_t left = tag_candidates(s, mark); left; left &= left - 1) {
        uint32_t w = (uint32_t)__builtin_ctz(left);
        uint64_t number;

        memcpy(&number, (const unsigned char *)lines + w * line_bytes, sizeof number);
        if (number == line)
            return w;
    }
    return t->ways;
}

static inline uint64_t tag_word(const uint8_t *at)
{
    uint64_t word;

    memcpy(&word, at, sizeof word);
    return le64toh(word);
}
static inline void tag_put_word(uint8_t *at, uint64_t word)
{
    word = htole64(word);
    memcpy(at, &word, sizeof word);
}

/* For an order with two-byte numbers: moves way w from position `place` to the front. */
void tag_wide_to_front(uint8_t *order, uint32_t place, uint32_t w);

/* The way at a position of the order; 0: the newest. */
TAG_INLINE uint32_t tag_in_order(const struct tag_sets *t, const struct tag_set *s, uint32_t place)
{
    const uint8_t *order = s->mark + t->marks;

    return t->wide ? (uint32_t)(order[2 * place] | order[2 * place + 1] << 8) : order[place];
}

/* Makes way w, which is in the order, the newest. */
TAG_INLINE void tag_use(const struct tag_sets *t, struct tag_set *s, uint32_t w)
{
    const uint64_t ones = 0x0101010101010101ull;
    uint8_t *order = s->mark + t->marks;
    uint64_t carry = w;
    uint32_t place = 0;

    if (__builtin_expect(t->wide, 0)) {
        while (tag_in_order(t, s, place) != w)
            place++;
        tag_wide_to_front(order, place, w);
        return;
    }
    for (;; order += TAG_WORD) {
        uint64_t word = tag_word(order), differ = word ^ ones * w, zero = (differ - ones) & ~differ & ones << 7;
        uint64_t moved = word << 8 | carry, upto;

        if (zero) { /* its lowest set bit is the top bit of w's byte */
            upto = ((zero & -zero) << 1) - 1;
            tag_put_word(order, (moved & upto) | (word & ~upto));
            return;
        }
        tag_put_word(order, moved);
        carry = word >> 56;
    }
}

/* Puts way w in front of the order, which does not contain w. Each position receives the previous byte, at most 32
 * bytes in two pieces that can overlap. Positions after the ways are undefined. */
TAG_INLINE void tag_push(const struct tag_sets *t, uint8_t *order, uint32_t w)
{
    unsigned char first[TAG_PIECE], last[TAG_PIECE];

    if (__builtin_expect(t->marks > TAG_SMALL, 0)) {
        memmove(order + 1, order, t->marks - 1);
    } else {
        memcpy(first, order - 1, sizeof first);
        memcpy(last, order + t->marks - 1 - TAG_PIECE, sizeof last);
        memcpy(order + t->marks - TAG_PIECE, last, sizeof last);
        memcpy(order, first, sizeof first);
    }
    order[0] = (uint8_t)w;
}

/* Moves way w, the last of the order or the one just filled, to the front. */
TAG_INLINE void tag_put_first(const struct tag_sets *t, struct tag_set *s, uint32_t w)
{
    uint8_t *order = s->mark + t->marks;

    if (__builtin_expect(t->wide, 0))
        tag_wide_to_front(order, s->filled - 1u, w);
    else
        tag_push(t, order, w);
}

/* For host prefetching: the way that replacement_take() will probably return, and the way that a lookup will
 * probably find. If there is no candidate, or with more than TAG_SMALL ways, the second is equal to the first. */
TAG_INLINE uint32_t tag_next(const struct tag_sets *t, const struct tag_set *s)
{
    return s->filled < t->ways ? s->filled : tag_in_order(t, s, t->ways - 1);
}
TAG_INLINE uint32_t tag_guess(const struct tag_sets *t, const struct tag_set *s, uint32_t mark)
{
    uint32_t found = t->marks > TAG_SMALL ? 0 : tag_candidates(s, mark);

    return found ? (uint32_t)__builtin_ctz(found) : tag_next(t, s);
}

/* Prefetches the set into the host's cache. Always inlined: gcc assumes that a function that only prefetches has no
 * effect, and removes calls of it. */
TAG_INLINE void tag_prefetch(const struct tag_sets *t, uint32_t set)
{
    const uint8_t *s = t->set + (size_t)set * t->set_bytes;

    __builtin_prefetch(s, 1);
    if (t->set_bytes > HOST_LINE)
        __builtin_prefetch(s + t->set_bytes - 1, 1);
}

#endif
