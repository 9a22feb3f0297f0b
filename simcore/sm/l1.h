/* simcore/sm/l1.h: the L1 data cache of one SM: 128-byte lines of four sectors, write through, no allocation by
 * stores. A line knows when its newest fill arrives; that models MSHRs. Times are SM-local cycles. */
#ifndef VIVACE_SIMCORE_SM_L1_H
#define VIVACE_SIMCORE_SM_L1_H

#include <stdbool.h>

#include "simcore/design.h"
#include "simcore/mem/address_map.h"
#include "simcore/mem/replacement/replacement.h"
#include "simcore/sm/local_time.h"

struct l1_line {
    uint64_t number; /* says nothing in a way that was not filled yet */
    uint32_t ready;  /* when the newest fill arrives; from SM_UNKNOWN on: it is under way (flight.h) */
    uint8_t valid;   /* sectors present or on their way */
};

struct l1 {
    uint32_t set_mask, set_shift, ways;
    struct tag_sets tags;
    struct l1_line *lines; /* sets * the most ways any carve-out leaves */
};

/* What a carve-out leaves; at least one. */
uint32_t l1_ways(const struct gpu_design *d, uint32_t carveout_bytes);
/* memory: zeroed, l1_bytes() of it, on a line of the host's cache; it stays the caller's. */
size_t l1_bytes(const struct gpu_design *d);
void l1_init(struct l1 *c, const struct gpu_design *d, void *memory);
/* Empty, with what the carve-out leaves of the unified memory. */
void l1_begin(struct l1 *c, const struct gpu_design *d, uint32_t carveout_bytes);
void l1_invalidate(struct l1 *c);
/* The set of a line. */
static inline uint32_t l1_set(const struct l1 *c, uint64_t line)
{
    return (uint32_t)(line + address_mix(line >> c->set_shift)) & c->set_mask;
}
/* The line, whose mark this is (tag_set.h), allocated if `allocate` and absent; NULL if absent. */
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
/* The host begins to fetch the set. */
TAG_INLINE void l1_prefetch(const struct l1 *c, uint32_t set)
{
    tag_prefetch(&c->tags, set);
}
/* The set is there: the host begins to fetch the place in it of a line of this mark. */
TAG_INLINE void l1_prefetch_place(const struct l1 *c, uint32_t set, uint32_t mark)
{
    uint32_t w = tag_guess(&c->tags, tag_set_at(&c->tags, set), mark);

    __builtin_prefetch(&c->lines[(size_t)set * c->ways + w], 1);
}
/* Local time 0 moves forward by `cycles`. */
void l1_rebase(struct l1 *c, uint32_t cycles);

#endif
