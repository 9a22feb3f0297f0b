/* simcore/mem/tag_set.h: the sets of a cache whose ways are kept in an order (L1 and L2).
 *
 * A set keeps, for each way, eight bits of its line's number, and the ways in the order that the replacement policy
 * gives them (replacement/), newest first: sets of up to 24
 * ways have one shape, which takes one line of the host's cache. A look-up compares eight ways at a time, and
 * eight move on together when one comes to the front. The lines themselves lie elsewhere, in the cache's own array:
 * `sets * ways` structs that begin with the uint64_t number of the line. A set is empty until a kernel first
 * touches it, so emptying a cache costs nothing. */
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

/* TAG_SMALL: up to this number of ways is compared at once. TAG_USUAL: sets of up to this number have the usual
 * shape, and this number of bytes. */
enum { TAG_WORD = 8, TAG_PIECE = 16, TAG_SMALL = 32, TAG_USUAL = 24, TAG_USUAL_BYTES = HOST_LINE };
/* For who looks up once a sector. */
#define TAG_INLINE static inline __attribute__((always_inline))

struct tag_set {
    uint32_t epoch;   /* a set that shows another one than the cache is empty */
    uint16_t filled;  /* ways 0 to filled - 1 hold lines */
    uint16_t changed; /* lines that the cache has to write back, where it does so */
    uint8_t mark[];   /* by way; behind them the order: numbers of ways, the newest first */
};

struct tag_sets {
    uint32_t sets, ways, epoch;
    uint32_t marks, set_bytes; /* room for marks, a multiple of TAG_WORD and TAG_USUAL at least; size of a set */
    bool wide;                 /* numbers of two bytes */
    uint8_t policy;            /* enum replacement_policy */
    uint8_t *set;
};

/* ways: the most the cache will ever have; at most UINT16_MAX. memory: zeroed, tag_sets_bytes() of it, on a line of
 * the host's cache; it stays the caller's. */
size_t tag_sets_bytes(uint32_t sets, uint32_t ways);
void tag_sets_init(struct tag_sets *t, uint32_t sets, uint32_t ways, uint32_t policy, void *memory);
/* Saves a set of the current epoch, or loads it (state_io.h); returns how many lines it holds. */
uint32_t tag_set_state(struct tag_sets *t, uint32_t set, struct state_io *io);

/* Have they the usual shape and policy? Who looks up once a sector is then compiled apart with a copy of which all
 * that follows is constant. */
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

/* What a set keeps of a line's number: a byte, here in each byte of a word, as look-ups want it. */
static inline uint32_t tag_mark(uint64_t line)
{
    return (uint32_t)((line * 0x9e3779b97f4a7c15ull) >> 56) * 0x01010101u;
}

/* Up to TAG_SMALL ways: a bit for each of the first 32 marks that is this one. What lies behind the marks is
 * compared, too, for nothing. */
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

/* The same, of ways that hold lines. */
TAG_INLINE uint32_t tag_candidates(const struct tag_set *s, uint32_t mark)
{
    return tag_equal_marks(s, mark) & (uint32_t)((1ull << s->filled) - 1);
}

/* A set that was last used in another epoch becomes empty: callers that may change it ask for that first. */
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

/* The way of a set of this epoch that holds a line, whose mark this is; `ways` if none does. `lines`: those of the
 * set, each of this number of bytes. */
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

/* An order with numbers of two bytes: way w, at place `place` of it, comes to the front. */
void tag_wide_to_front(uint8_t *order, uint32_t place, uint32_t w);

/* The way at a place of the order of use; 0: the newest. */
TAG_INLINE uint32_t tag_in_order(const struct tag_sets *t, const struct tag_set *s, uint32_t place)
{
    const uint8_t *order = s->mark + t->marks;

    return t->wide ? (uint32_t)(order[2 * place] | order[2 * place + 1] << 8) : order[place];
}

/* Way w, which is in the order, becomes the newest. */
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

        if (zero) { /* its lowest bit is the top one of w's byte */
            upto = ((zero & -zero) << 1) - 1;
            tag_put_word(order, (moved & upto) | (word & ~upto));
            return;
        }
        tag_put_word(order, moved);
        carry = word >> 56;
    }
}

/* Way w goes before all others of the order, and none that counts is w. Each place of it gets what lies a byte
 * before it, at most 32 bytes in two pieces that may overlap; what gets into places behind the ways does not
 * matter. */
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

/* Way w, the last of the order or the one that was just filled, comes to its front. */
TAG_INLINE void tag_put_first(const struct tag_sets *t, struct tag_set *s, uint32_t w)
{
    uint8_t *order = s->mark + t->marks;

    if (__builtin_expect(t->wide, 0))
        tag_wide_to_front(order, s->filled - 1u, w);
    else
        tag_push(t, order, w);
}

/* For the host to fetch: the way that replacement_take() will most probably give, and the one that a look-up will
 * most probably find, or else (and of more than TAG_SMALL ways always) that one. */
TAG_INLINE uint32_t tag_next(const struct tag_sets *t, const struct tag_set *s)
{
    return s->filled < t->ways ? s->filled : tag_in_order(t, s, t->ways - 1);
}
TAG_INLINE uint32_t tag_guess(const struct tag_sets *t, const struct tag_set *s, uint32_t mark)
{
    uint32_t found = t->marks > TAG_SMALL ? 0 : tag_candidates(s, mark);

    return found ? (uint32_t)__builtin_ctz(found) : tag_next(t, s);
}

/* The host begins to fetch the set. Inlined whatever it costs: gcc holds a function that only fetches ahead to do
 * nothing, and drops calls of it. */
TAG_INLINE void tag_prefetch(const struct tag_sets *t, uint32_t set)
{
    const uint8_t *s = t->set + (size_t)set * t->set_bytes;

    __builtin_prefetch(s, 1);
    if (t->set_bytes > HOST_LINE)
        __builtin_prefetch(s + t->set_bytes - 1, 1);
}

#endif
