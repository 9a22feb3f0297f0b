/* simcore/sm/fetch.h: instruction caches: an L0 with a stream buffer in each sub-core, an L1 in each SM, and L2.
 *
 *
 * Code is in lines of 128 bytes. A warp requests a line when it enters it, so the simulation cost is one comparison
 * per instruction and one lookup per line. At the start of a kernel, L0 and L1 are empty and the code is in L2. L2
 * contention of instruction fetches is not modelled, because an SM requests only a few lines. Times are SM-local
 * cycles.
 *
 * Sources: Huerta et al., MICRO 2025 (L0, stream buffer behind it); Jia et al., arXiv 1804.06826 (the levels). */
#ifndef VIVACE_SIMCORE_SM_FETCH_H
#define VIVACE_SIMCORE_SM_FETCH_H

#include "simcore/counters.h"

/* The line of a static instruction. If fetching is ideal, all instructions are in line 0, in which a warp begins.
 */
enum { FETCH_LINE_SHIFT = 7, FETCH_LINE_IDEAL = 0 };

enum { FETCH_WAYS = 4 }; /* not published; the cache size matters more */
/* A set-associative cache with LRU replacement. */
struct code_cache {
    uint32_t sets, clock;
    uint32_t *tag; /* line; 0: empty */
    uint32_t *used, *ready;
};
struct stream_buffer {
    uint32_t first, count; /* consecutive lines first, first + 1, ... */
    uint32_t ready[FETCH_STREAM_MAX];
};
struct fetch {
    uint32_t l1_shift; /* log2 of the number of 128-byte lines in a line of L1 */
    uint32_t l1_free;  /* when the port of L1 accepts the next line */
    struct code_cache l1, l0[SUB_CORES];
    struct stream_buffer stream[SUB_CORES];
};

int fetch_init(struct fetch *f, const struct gpu_design *d, struct err *e);
void fetch_release(struct fetch *f);
void fetch_begin(struct fetch *f); /* empties the caches */
/* When sub-core `sub`, which requests the line at t, receives it. */
uint32_t fetch_line(struct fetch *f, const struct gpu_design *d, uint32_t sub, uint32_t line, uint32_t t,
                    struct counters *c);
void fetch_rebase(struct fetch *f, uint32_t cycles); /* local time 0 moves forward */

#endif
