/* simcore/mem/tag_set.h: the sets of a cache whose lines go in the order of their last use (L1 and L2).
 *
 * A set keeps, for each way, eight bits of its line's number and its neighbours in the order of use, all in a line
 * or two of the host's cache: a look-up compares eight ways at a time and moves one to the front in a few steps.
 * The lines themselves lie elsewhere, in the cache's own array: `sets * ways` structs that begin with the uint64_t
 * number of the line. A set is empty until a kernel first touches it, so emptying a cache costs nothing. */
#ifndef VIVACE_SIMCORE_MEM_TAG_SET_H
#define VIVACE_SIMCORE_MEM_TAG_SET_H

#include <endian.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/err.h"
#include "simcore/engine/state_io.h"

enum { TAG_WORD = 8 };
/* For who looks up once a sector. */
#define TAG_INLINE static inline __attribute__((always_inline))

struct tag_set {
    uint32_t epoch;          /* a set that shows another one than the cache is empty */
    uint16_t filled;         /* ways 0 to filled - 1 hold lines */
    uint16_t newest, oldest; /* in the order of use */
    uint16_t changed;        /* lines that the cache has to write back, where it does so */
    uint8_t mark[];          /* by way; behind them the links: a way's neighbours in that order */
};

struct tag_sets {
    uint32_t sets, ways, epoch;
    uint32_t marks, set_bytes; /* room for marks, a multiple of TAG_WORD; size of a set */
    bool wide;                 /* links of two bytes */
    uint8_t *set;
};

/* ways: the most the cache will ever have; at most UINT16_MAX. */
int tag_sets_init(struct tag_sets *t, uint32_t sets, uint32_t ways, struct err *e);
void tag_sets_release(struct tag_sets *t);
/* Saves a set of the current epoch, or loads it (state_io.h); returns how many lines it holds. */
uint32_t tag_set_state(struct tag_sets *t, uint32_t set, struct state_io *io);

static inline struct tag_set *tag_set_at(const struct tag_sets *t, uint32_t set)
{
    return (struct tag_set *)(void *)(t->set + (size_t)set * t->set_bytes);
}

/* What a set keeps of a line's number. */
static inline uint8_t tag_mark(uint64_t line)
{
    return (uint8_t)((line * 0x9e3779b97f4a7c15ull) >> 56);
}

/* The first way from `from` on (a multiple of TAG_WORD) whose mark is that of the line; `ways` if there is none. A
 * byte of `zero` has its top bit set where the marks agree (and perhaps in a byte above). */
TAG_INLINE uint32_t tag_next_mark(const struct tag_sets *t, const struct tag_set *s, uint64_t line, uint32_t from)
{
    const uint64_t ones = 0x0101010101010101ull, wanted = ones * tag_mark(line);
    const uint8_t *mark = s->mark + from, *end = s->mark + (s->epoch == t->epoch ? s->filled : 0);

    for (; mark < end; mark += TAG_WORD) {
        uint64_t word, zero;

        memcpy(&word, mark, TAG_WORD);
        word = le64toh(word) ^ wanted;
        zero = (word - ones) & ~word & ones << 7;
        if (zero) {
            const uint8_t *at = mark + __builtin_ctzll(zero) / 8;

            return at < end ? (uint32_t)(at - s->mark) : t->ways; /* else a mark of what the set once held */
        }
    }
    return t->ways;
}

/* The way of a set that holds a line; `ways` if none does. `lines`: those of the set, each so many bytes. A byte of
 * `zero` has its top bit set where the marks agree (and perhaps in a byte above, which the line's number then
 * refutes). */
TAG_INLINE uint32_t tag_find(const struct tag_sets *t, const struct tag_set *s, const void *lines,
                             size_t line_bytes, uint64_t line)
{
    const uint64_t ones = 0x0101010101010101ull, wanted = ones * tag_mark(line);
    const uint8_t *mark = s->mark, *end = mark + (s->epoch == t->epoch ? s->filled : 0);

    for (; mark < end; mark += TAG_WORD) {
        uint64_t word, zero, number;

        memcpy(&word, mark, TAG_WORD);
        word = le64toh(word) ^ wanted;
        for (zero = (word - ones) & ~word & ones << 7; __builtin_expect(zero != 0, 0); zero &= zero - 1) {
            const uint8_t *at = mark + __builtin_ctzll(zero) / 8;
            uint32_t w = (uint32_t)(at - s->mark);

            if (at >= end) /* a mark of what the set once held */
                break;
            memcpy(&number, (const unsigned char *)lines + w * line_bytes, sizeof number);
            if (number == line)
                return w;
        }
    }
    return t->ways;
}

/* The order of use as links, in bytes where all ways can be told apart by them: then a set of sixteen is one line
 * of the host's cache. A way's link is the one used before it, then the one used after it; nothing at the ends. */
#define TAG_ORDER(name, number)                                                                                    \
    TAG_INLINE void tag_use_##name(const struct tag_sets *t, struct tag_set *s, uint32_t w)                        \
    {                                                                                                              \
        number(*link)[2] = (number(*)[2])(void *)(s->mark + t->marks), before = link[w][0], after = link[w][1];    \
                                                                                                                   \
        if (s->oldest == w)                                                                                        \
            s->oldest = after;                                                                                     \
        else                                                                                                       \
            link[before][1] = after;                                                                               \
        link[after][0] = before;                                                                                   \
        link[w][0] = (number)s->newest;                                                                            \
        link[s->newest][1] = (number)w;                                                                            \
        s->newest = (uint16_t)w;                                                                                   \
    }                                                                                                              \
    TAG_INLINE void tag_add_##name(const struct tag_sets *t, struct tag_set *s, uint32_t w)                        \
    {                                                                                                              \
        number(*link)[2] = (number(*)[2])(void *)(s->mark + t->marks);                                             \
                                                                                                                   \
        link[w][0] = (number)s->newest;                                                                            \
        link[s->newest][1] = (number)w;                                                                            \
        s->newest = (uint16_t)w;                                                                                   \
    }
TAG_ORDER(byte, uint8_t)
TAG_ORDER(wide, uint16_t)
#undef TAG_ORDER

/* The way used before w (side 0) or after it (1); none at the ends. */
static inline uint32_t tag_neighbour(const struct tag_sets *t, const struct tag_set *s, uint32_t w, uint32_t side)
{
    uint16_t wide;

    if (!t->wide)
        return s->mark[t->marks + 2 * w + side];
    memcpy(&wide, s->mark + t->marks + 4 * w + 2 * side, sizeof wide);
    return wide;
}

/* Way w, which is in the order, becomes the newest. */
TAG_INLINE void tag_use(const struct tag_sets *t, struct tag_set *s, uint32_t w)
{
    if (s->newest == w)
        return;
    if (t->wide)
        tag_use_wide(t, s, w);
    else
        tag_use_byte(t, s, w);
}

/* A way for a line that is not there, which becomes the newest: the next in turn while there are empty ones (*full
 * is false then), else the one not used for longest. */
TAG_INLINE uint32_t tag_take(const struct tag_sets *t, struct tag_set *s, uint64_t line, bool *full)
{
    uint32_t w;

    if (s->epoch != t->epoch) {
        s->epoch = t->epoch;
        s->filled = s->newest = s->oldest = s->changed = 0;
    }
    *full = s->filled == t->ways;
    if (*full) {
        w = s->oldest;
        tag_use(t, s, w);
    } else {
        w = s->filled++;
        if (t->wide)
            tag_add_wide(t, s, w);
        else
            tag_add_byte(t, s, w);
    }
    s->mark[w] = tag_mark(line);
    return w;
}

/* The host begins to fetch the set. */
static inline void tag_prefetch(const struct tag_sets *t, uint32_t set)
{
    const uint8_t *s = t->set + (size_t)set * t->set_bytes;

    __builtin_prefetch(s, 1);
    if (t->set_bytes > 64)
        __builtin_prefetch(s + t->set_bytes - 1, 1);
}

/* The way that looking a line up will probably lead to, so that the host may fetch it: the first whose mark agrees,
 * else the one that tag_take() would give. */
TAG_INLINE uint32_t tag_guess(const struct tag_sets *t, const struct tag_set *s, uint64_t line)
{
    uint32_t w = tag_next_mark(t, s, line, 0);

    if (w < t->ways)
        return w;
    return s->epoch == t->epoch ? (s->filled == t->ways ? s->oldest : s->filled) : 0;
}

#endif
