/* simcore/sm/fetch.h: where instructions come from: an L0 a sub-core with a stream buffer, an L1 an SM, and L2.
 *
 * Code is in lines of 128 bytes. A warp that enters another line asks for it; work is one compare an instruction
 * and one look-up a line. A kernel finds L0 and L1 empty and its code in L2, which it has to itself: a handful of
 * lines an SM is no traffic. Times are SM-local cycles.
 * Sources: Huerta et al., MICRO 2025 (L0, stream buffer behind it); Jia et al., arXiv 1804.06826 (the levels). */
#ifndef VIVACE_SIMCORE_SM_FETCH_H
#define VIVACE_SIMCORE_SM_FETCH_H

#include "simcore/counters.h"

/* The line of a static instruction; 0, of everything, where fetching is ideal: a warp is in its line from the
 * start.
 */
enum { FETCH_LINE_SHIFT = 7, FETCH_LINE_IDEAL = 0 };

enum { FETCH_WAYS = 4 }; /* not published; the size decides */
/* One cache: this number of places for each set; what was used longest ago goes first. */
struct code_cache {
    uint32_t sets, clock;
    uint32_t *tag; /* line; 0: empty */
    uint32_t *used, *ready;
};
struct stream_buffer {
    uint32_t first, count; /* lines first, first + 1, ... */
    uint32_t ready[FETCH_STREAM_MAX];
};
struct fetch {
    uint32_t l1_shift; /* lines of 128 bytes in a line of L1 */
    uint32_t l1_free;  /* when L1's port takes the next line */
    struct code_cache l1, l0[SUB_CORES];
    struct stream_buffer stream[SUB_CORES];
};

int fetch_init(struct fetch *f, const struct gpu_design *d, struct err *e);
void fetch_release(struct fetch *f);
void fetch_begin(struct fetch *f); /* empty */
/* When sub-core `sub`, which asks at t, has the line. */
uint32_t fetch_line(struct fetch *f, const struct gpu_design *d, uint32_t sub, uint32_t line, uint32_t t,
                    struct counters *c);
void fetch_rebase(struct fetch *f, uint32_t cycles); /* local time 0 moves forward */

#endif
