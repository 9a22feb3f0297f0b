/* simcore/sm/l1.h: the L1 data cache of one SM: 128-byte lines of four sectors, write through, no allocation by
 * stores. A line knows when its newest fill arrives; that stands for MSHRs. Times are SM-local cycles. */
#ifndef VIVACE_SIMCORE_SM_L1_H
#define VIVACE_SIMCORE_SM_L1_H

#include <stdbool.h>

#include "simcore/design.h"
#include "simcore/mem/address_map.h"
#include "simcore/sm/local_time.h"

struct l1_line {
    uint32_t ready; /* when the newest fill arrives; from SM_UNKNOWN on: it is under way (flight.h) */
    uint8_t valid;  /* sectors present or on their way */
};

/* A look-up reads tags, a miss also the times of last use: each lies together, for the host's caches. */
struct l1 {
    uint32_t set_mask, set_shift, ways, clock;
    /* sets * the most ways any carve-out leaves */
    uint64_t *tag;  /* line number + 1; 0: empty */
    uint32_t *used; /* counted in look-ups */
    struct l1_line *lines;
};

/* What a carve-out leaves; at least one. */
uint32_t l1_ways(const struct gpu_design *d, uint32_t carveout_bytes);
int l1_init(struct l1 *c, const struct gpu_design *d, struct err *e);
void l1_release(struct l1 *c);
/* Empty, with what the carve-out leaves of the unified memory. */
void l1_begin(struct l1 *c, const struct gpu_design *d, uint32_t carveout_bytes);
void l1_invalidate(struct l1 *c);
/* The line, allocated if `allocate` and absent; NULL if absent. */
struct l1_line *l1_find(struct l1 *c, uint64_t line, bool allocate);
/* The host begins to fetch what a look-up will need. */
void l1_prefetch(const struct l1 *c, uint64_t line);
/* Local time 0 moves forward by `cycles`. */
void l1_rebase(struct l1 *c, uint32_t cycles);

#endif
