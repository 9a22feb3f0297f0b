/* simcore/mem/l2.h: the slices of the L2: sectored 128-byte lines, write-back.
 *
 *
 * This file has the tags. The memory path models bandwidth and DRAM. A set is reset when a kernel first touches it
 * (tag_set.h). */
#ifndef VIVACE_SIMCORE_MEM_L2_H
#define VIVACE_SIMCORE_MEM_L2_H

#include "simcore/design.h"
#include "simcore/engine/event_queue.h"
#include "simcore/mem/address_map.h"
#include "simcore/mem/replacement/replacement.h"

struct l2_line {
    uint64_t number; /* line number; undefined in a way that was never filled */
    /* masks of sectors; partial: partly written, the other bytes are only in DRAM */
    uint64_t valid : 8, dirty : 4, partial : 4;
    uint64_t ready : 48; /* arrival time of the newest fill in picoseconds; no overflow for four minutes */
};

struct l2 {
    uint32_t slices, sets, ways, epoch;
    uint32_t dirty_ways, fetch_sectors; /* maximum modified lines of a set; sectors that a miss fetches together */
    struct tag_sets tags;               /* set i of slice k: k * sets + i */
    struct l2_line *lines;
    char *memory; /* memory of both arrays */
};

/* The result of a line lookup. */
struct l2_lookup {
    size_t line;           /* index of the line, which is allocated if it was absent */
    bool present;          /* the line was present */
    uint8_t evicted_dirty; /* sectors to write back */
    uint64_t evicted;      /* line number */
};

int l2_init(struct l2 *c, const struct gpu_design *d, struct err *e);
void l2_release(struct l2 *c);
static inline void l2_begin(struct l2 *c, uint32_t epoch)
{
    c->epoch = c->tags.epoch = epoch;
}
static inline __attribute__((always_inline)) void l2_find(struct l2 *c, uint32_t slice, uint32_t set, uint64_t line,
                                                          uint32_t mark, struct l2_lookup *out)
{
    uint32_t index = slice * c->sets + set, w;
    struct tag_set *s = tag_set_at(&c->tags, index);
    size_t first = (size_t)index * c->ways;
    struct l2_line *lines = c->lines + first;
    bool full;

    *out = (struct l2_lookup){0};
    tag_begin(&c->tags, s);
    w = tag_find(&c->tags, s, lines, sizeof *lines, line, mark);
    out->present = w < c->ways;
    if (out->present) {
        replacement_hit(&c->tags, s, w);
    } else {
        w = replacement_take(&c->tags, s, mark, &full);
        if (full &&
            s->changed) { /* else the evicted line is not read, because it is probably not in the host's cache */
            out->evicted = lines[w].number;
            out->evicted_dirty = lines[w].dirty;
            s->changed = (uint16_t)(s->changed - (lines[w].dirty != 0));
        }
        lines[w] = (struct l2_line){.number = line};
    }
    out->line = first + w;
}

/* Cleans the modified line of set s that is last in the replacement order. lines[0] is the first line of the set.
 * The cache is passed as a copy, so that the caller can keep it in registers. */
void l2_clean_oldest(struct l2 c, struct tag_set *s, struct l2_line *lines, struct l2_lookup *out);
/* Marks sectors of the line as modified. If the set then has too many modified lines, the last one in the
 * replacement order is cleaned: out->evicted_dirty receives its sectors, out->evicted its number. It stays in the
 * cache. */
TAG_INLINE void l2_change(const struct l2 *c, uint32_t slice, uint32_t set, size_t line, uint8_t sectors,
                          struct l2_lookup *out)
{
    uint32_t index = slice * c->sets + set;
    struct tag_set *s = tag_set_at(&c->tags, index);

    if (!c->lines[line].dirty && ++s->changed > c->dirty_ways)
        l2_clean_oldest(*c, s, c->lines + (size_t)index * c->ways, out);
    c->lines[line].dirty |= sectors;
}
/* The index of a line, or L2_ABSENT; changes nothing. */
#define L2_ABSENT SIZE_MAX
size_t l2_peek(const struct l2 *c, uint32_t slice, uint32_t set, uint64_t line);
/* Prefetches the set into the host's cache. */
TAG_INLINE void l2_prefetch(const struct l2 *c, uint32_t slice, uint32_t set)
{
    tag_prefetch(&c->tags, slice * c->sets + set);
}
/* Prefetches the entry of a line with this mark. The set must be in the host's cache. */
TAG_INLINE void l2_prefetch_line(const struct l2 *c, uint32_t slice, uint32_t set, uint32_t mark)
{
    uint32_t index = slice * c->sets + set, w = tag_guess(&c->tags, tag_set_at(&c->tags, index), mark);

    __builtin_prefetch(&c->lines[(size_t)index * c->ways + w], 1);
}

#endif
