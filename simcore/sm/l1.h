/* simcore/sm/l1.h: the L1 data cache of one SM: 128-byte lines of four sectors, write-through, no allocation by
 * stores. A line stores the arrival time of its newest fill, which models MSHRs. Times are SM-local cycles. */
#ifndef VIVACE_SIMCORE_SM_L1_H
#define VIVACE_SIMCORE_SM_L1_H

#include <stdbool.h>

#include "simcore/design.h"
#include "simcore/mem/address_map.h"
#include "simcore/mem/replacement/replacement.h"
#include "simcore/sm/local_time.h"

struct l1_line {
    uint64_t number; /* undefined in a way that was never filled */
    uint32_t ready;  /* arrival time of the newest fill; SM_UNKNOWN or more: the fill is in flight (flight.h) */
    uint8_t valid;   /* sectors that are present or in flight */
};

struct l1 {
    uint32_t set_mask, set_shift, ways;
    struct tag_sets tags;
    struct l1_line *lines; /* sets * maximum ways over all carve-outs */
};

/* The ways that a carve-out leaves to L1; at least one. */
uint32_t l1_ways(const struct gpu_design *d, uint32_t carveout_bytes);
/* memory: l1_bytes(), zeroed and aligned to a cache line of the host; the caller owns it. */
size_t l1_bytes(const struct gpu_design *d);
void l1_init(struct l1 *c, const struct gpu_design *d, void *memory);
/* Empties the cache and sets its size to the unified memory minus the carve-out. */
void l1_begin(struct l1 *c, const struct gpu_design *d, uint32_t carveout_bytes);
void l1_invalidate(struct l1 *c);
/* The set of a line. */
static inline uint32_t l1_set(const struct l1 *c, uint64_t line)
{
    return (uint32_t)(line + address_mix(line >> c->set_shift)) & c->set_mask;
}
/* Finds the line with this mark (tag_set.h). If absent: allocates it if `allocate`, else returns NULL. */
static inline __attribute__((always_inline)) struct l1_line *l1_find(struct l1 *c, uint32_t set, uint64_t line,
                                                                     uint32_t mark, bool allocate)
{
    struct tag_set *s = tag_set_at(&c->tags, set);
    struct l1_line *lines = c->lines + (size_t)set * c->ways;
    uint32_t w;
    bool full;

    tag_begin(&c->tags, s);
    w = tag_find(&c->tags, s, lines, sizeof *lines, line, mark);
    if (w < c->ways) {
        replacement_hit(&c->tags, s, w);
    } else {
        if (!allocate)
            return NULL;
        w = replacement_take(&c->tags, s, mark, &full);
        lines[w] = (struct l1_line){.number = line};
    }
    return &lines[w];
}
/* Prefetches the set into the host's cache. */
TAG_INLINE void l1_prefetch(const struct l1 *c, uint32_t set)
{
    tag_prefetch(&c->tags, set);
}
/* Prefetches the entry of a line with this mark. The set must be in the host's cache. */
TAG_INLINE void l1_prefetch_place(const struct l1 *c, uint32_t set, uint32_t mark)
{
    uint32_t w = tag_guess(&c->tags, tag_set_at(&c->tags, set), mark);

    __builtin_prefetch(&c->lines[(size_t)set * c->ways + w], 1);
}
/* Moves local time 0 forward by `cycles`. */
void l1_rebase(struct l1 *c, uint32_t cycles);

#endif
