/* simcore/mem/l2.h: the slices of the L2: sectored 128-byte lines, least recently used, write-back.
 *
 * The tags answer; bandwidth and DRAM are whoever's drives the path. A slice's sets are reset when a kernel first
 * touches them. What a look-up reads of a set lies in one line of the host's cache: eight bits of each tag to find
 * the way, which the line itself then confirms, and the ways in order of use. */
#ifndef VIVACE_SIMCORE_MEM_L2_H
#define VIVACE_SIMCORE_MEM_L2_H

#include "simcore/design.h"
#include "simcore/engine/event_queue.h"
#include "simcore/mem/address_map.h"

struct l2_line {
    uint64_t number;               /* of the line; says nothing in a way that was not filled yet */
    sim_time_ps ready;             /* when the newest fill arrives */
    uint8_t valid, dirty, partial; /* masks of sectors; partial: written in part, the rest is still in DRAM */
};

struct l2_set {
    uint32_t epoch;         /* a set that shows another one than the L2 is empty */
    uint16_t filled, dirty; /* ways 0 to filled - 1 hold lines, so many of them changed ones */
    /* a byte for each way: the ways in order of use, the newest first; behind them the marks, by way */
    uint8_t way[];
};

struct l2 {
    uint32_t slices, sets, ways, epoch;
    uint32_t dirty_ways, fetch_sectors; /* the most changed lines of a set; what a miss fetches together */
    uint32_t set_bytes, marks;          /* size of a set; where its marks begin in `way` */
    uint8_t *set;
    struct l2_line *lines;
};

/* What looking up a line brought to light. */
struct l2_lookup {
    size_t line;           /* index of the line, allocated if need be */
    bool present;          /* it was there */
    uint8_t evicted_dirty; /* sectors to write back */
    uint64_t evicted;      /* line number */
};

int l2_init(struct l2 *c, const struct gpu_design *d, struct err *e);
void l2_release(struct l2 *c);
static inline void l2_begin(struct l2 *c, uint32_t epoch)
{
    c->epoch = epoch;
}
void l2_find(struct l2 *c, uint32_t slice, uint32_t set, uint64_t line, struct l2_lookup *out);
/* Sectors of the line have changed. Where that makes one changed line too many, the one not used for longest is
 * written back: its sectors in out->evicted_dirty, its number in out->evicted; it stays, unchanged. */
void l2_change(struct l2 *c, uint32_t slice, uint32_t set, size_t line, uint8_t sectors, struct l2_lookup *out);
/* The index of a line that is there, else L2_ABSENT; changes nothing. */
#define L2_ABSENT SIZE_MAX
size_t l2_peek(const struct l2 *c, uint32_t slice, uint32_t set, uint64_t line);
/* The host begins to fetch what a look-up will need: the set; and once that is there, the way that goes next. */
static inline void l2_prefetch(const struct l2 *c, uint32_t slice, uint32_t set)
{
    __builtin_prefetch(c->set + ((size_t)slice * c->sets + set) * c->set_bytes, 1);
}
void l2_prefetch_way(const struct l2 *c, uint32_t slice, uint32_t set);

#endif
