/* simcore/trace/cta_runs.h: a CTA in stretches instead of instruction by instruction: what a source has that knows
 * which instructions follow one another anyway, and what the writer of .vtrace wants. */
#ifndef VIVACE_SIMCORE_TRACE_CTA_RUNS_H
#define VIVACE_SIMCORE_TRACE_CTA_RUNS_H

#include "simcore/trace/cta_store.h"

/* Executed instructions that stand one behind the other in the table, all by the same lanes. */
struct warp_run {
    uint32_t inst, count, mask;
    uint32_t row; /* of its first instruction with a width: where in `rows` of the warp; the others follow */
};
struct run_warp {
    const struct warp_run *runs;
    const uint32_t *rows; /* one each executed instruction with a width: index into rows of the CTA; NO_ADDRESS */
    size_t run_count;
};
struct cta_runs {
    const struct run_warp *warps;   /* the number that the trace says */
    const struct address_row *rows; /* base: of the first active lane; list: which of `patterns`, or NO_LIST */
    /* WARP_LANES each: how far the lanes lie from the first active one; 0 where the mask has no bit. The same
     * number is the same pattern, but two may be alike. */
    const uint64_t *patterns;
};

#endif
