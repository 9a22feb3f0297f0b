/* simcore/mem/slice.h: what a slice of the L2 does with a request: hits, fills, merges, evictions, and the counts.
 *
 * Decisions only, no time: whoever drives the memory path (reserve.c, or event by event) asks at the moment at
 * which the request stands at the tags, and then takes the time that the answer costs. */
#ifndef VIVACE_SIMCORE_MEM_SLICE_H
#define VIVACE_SIMCORE_MEM_SLICE_H

#include "simcore/mem/l2.h"
#include "simcore/mem/memory.h"

struct slice_step {
    size_t line;        /* index of the line in l2.lines; another request may evict it later */
    uint64_t evicted;   /* number of the line that had to go or to be cleaned, where write_back is not 0 */
    uint8_t write_back; /* its changed sectors, which go to DRAM first */
    uint8_t fetch; /* sectors of the request's line that come from DRAM before it goes on, and their neighbours */
};

/* Looks the request up in the slice its place names, and leaves the line as it will be once everything has arrived:
 * the sectors to fetch count as valid. When they are there is the line's `ready`, which the caller keeps. */
void slice_decide(struct l2 *c, struct mem_counters *count, const struct mem_request *r,
                  const struct address_place *place, struct slice_step *out);

/* The same for a read in the asker's partition, where that is not the address's home: it keeps a copy. `fetch` is
 * what home is to be asked for (a MEM_FAR_READ); copies are never changed, so they are never written back. */
void slice_decide_copy(struct l2 *c, struct mem_counters *count, const struct mem_request *r,
                       const struct address_place *own, struct slice_step *out);
/* Home has changed these sectors: the copy that the other partition may have loses them. */
void slice_forget_copy(struct l2 *c, const struct address_place *own, uint64_t line, uint8_t sectors);

#endif
