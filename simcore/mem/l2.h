/* simcore/mem/l2.h: the slices of the L2: sectored 128-byte lines, least recently used, write-back.
 *
 * The tags answer; bandwidth and DRAM are memory.c's. A slice's sets are reset when a kernel first touches them. */
#ifndef VIVACE_SIMCORE_MEM_L2_H
#define VIVACE_SIMCORE_MEM_L2_H

#include "simcore/design.h"
#include "simcore/engine/event_queue.h"
#include "simcore/mem/address_map.h"

struct l2_line {
    sim_time_ps ready;             /* when the newest fill arrives */
    uint8_t valid, dirty, partial; /* masks of sectors; partial: written in part, the rest is still in DRAM */
};

struct l2 {
    uint32_t slices, sets, ways, epoch;
    uint32_t *set_epoch; /* a set that shows another epoch is empty */
    uint32_t *clock;     /* a slice; never reset: only its order matters */
    uint64_t *tag;       /* line number + 1; 0: empty */
    uint32_t *used;      /* time of the last use, counted in accesses of the slice */
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
/* The index of a line that is there, else L2_ABSENT; changes nothing. */
#define L2_ABSENT SIZE_MAX
size_t l2_peek(const struct l2 *c, uint32_t slice, uint32_t set, uint64_t line);

#endif
