/* simcore/sm/access.h: one memory instruction on its way through the SM: between memory_inst.c and
 * loads.c, stores.c, bulk.c. */
#ifndef VIVACE_SIMCORE_SM_ACCESS_H
#define VIVACE_SIMCORE_SM_ACCESS_H

#include "simcore/sm/sm.h"

struct access {
    struct sm *sm;
    struct warp *warp;
    struct counters *count; /* of the warp's launch */
    const struct static_inst *in;
    uint32_t slot, mask, width, t;
    uint32_t node; /* in event mode, once it has to wait for something */
    bool run;      /* the lanes form one gapless run: no conflicts */
    struct lane_addresses lanes;
    uint64_t address[WARP_LANES];
    struct coalesced lines;
    uint32_t mark[COALESCED_MAX]; /* of each line, in L1 and L2 (tag_set.h) */
    uint32_t set[COALESCED_MAX];  /* of each line in L1 */
    struct mem_batch asked;       /* of L2, together */
    bool placed;                  /* where each line lives in L2 is known */
    /* of a load, by line: that of L1 that it fills, or NULL, and when what was there before is to be used */
    struct l1_line *fills[COALESCED_MAX];
    uint32_t ready[COALESCED_MAX];
};

/* Keeps the load/store unit busy from `start` for this number of 1/256 cycles; returns them in whole cycles. */
uint32_t lsu_occupy(struct sm *sm, uint32_t start, uint32_t busy_256);

/* loads.c, stores.c: the lines of a in L1 and on to L2, from `start` on; each occupies the unit. Loads return when
 * the last is there, 0 where the end of the instruction will say; stores and reductions, when L2 has taken the
 * last. `keep`: a store allocates in L1. */
uint32_t load_lines(struct access *a, uint32_t start);
uint32_t store_lines(struct access *a, uint32_t start, bool keep);
uint32_t atomic_lines(struct access *a, uint32_t start);

/* bulk.c: what an instruction with fields does that address generation has handed on at `start`. */
void do_fields(struct access *a, const struct warp_inst *wi, uint32_t start);
/* This number of bytes of another SM's shared memory, asked for at `start`: when they are there. */
uint32_t remote_shared(struct sm *sm, uint32_t start, uint32_t bytes);

#endif
