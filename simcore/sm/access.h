/* simcore/sm/access.h: state of one memory instruction in the SM, shared by memory_inst.c, loads.c, stores.c and
 * bulk.c. */
#ifndef VIVACE_SIMCORE_SM_ACCESS_H
#define VIVACE_SIMCORE_SM_ACCESS_H

#include "simcore/sm/sm.h"

struct access {
    struct sm *sm;
    struct warp *warp;
    struct counters *count; /* counters of the warp's launch */
    const struct static_inst *in;
    uint32_t slot, mask, width, t;
    uint32_t node; /* event mode: its node, from the moment it has to wait for something */
    bool run;      /* the lanes form one contiguous run: no bank conflicts */
    struct lane_addresses lanes;
    uint64_t address[WARP_LANES];
    struct coalesced lines;
    uint32_t mark[COALESCED_MAX]; /* mark of each line, in L1 and L2 (tag_set.h) */
    uint32_t set[COALESCED_MAX];  /* L1 set of each line */
    struct mem_batch asked;       /* the requests to L2, sent together */
    bool placed;                  /* the L2 location of each line is known */
    /* of a load, by line: the L1 line that it fills, or NULL; and when data that was already present can be used */
    struct l1_line *fills[COALESCED_MAX];
    uint32_t ready[COALESCED_MAX];
};

/* lsu.c: occupies the load/store unit from `start` for this number of 1/256 cycles. Returns the duration in whole
 * cycles.
 */
uint32_t lsu_occupy(struct sm *sm, uint32_t start, uint32_t busy_256);

/* In loads.c and stores.c: sends the lines of a through L1 and to L2, from `start` on; each line occupies the unit.
 * Loads return when the last line arrives, or 0 if the end of the instruction reports it. Stores and reductions
 * return when L2 has accepted the last line. `keep`: a store allocates in L1. */
uint32_t load_lines(struct access *a, uint32_t start);
uint32_t store_lines(struct access *a, uint32_t start, bool keep);
uint32_t atomic_lines(struct access *a, uint32_t start);

/* In bulk.c: executes an instruction with fields, which address generation passed on at `start`. */
void do_fields(struct access *a, const struct warp_inst *wi, uint32_t start);
/* Reads this number of bytes from another SM's shared memory, requested at `start`. Returns when they arrive. */
uint32_t remote_shared(struct sm *sm, uint32_t start, uint32_t bytes);

#endif
