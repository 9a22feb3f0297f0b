/* simcore/trace/cta_runs.h: a CTA as runs of consecutive instructions instead of single instructions. Sources that
 * know the runs provide them, and the writer of .vtrace uses them. */
#ifndef VIVACE_SIMCORE_TRACE_CTA_RUNS_H
#define VIVACE_SIMCORE_TRACE_CTA_RUNS_H

#include "simcore/trace/cta_store.h"

/* Executed instructions that are consecutive in the table and have the same active lanes. */
struct warp_run {
    uint32_t inst, count, mask;
    uint32_t row; /* index into `rows` of the warp for its first instruction with a width; the others follow */
};
struct run_warp {
    const struct warp_run *runs;
    const uint32_t
        *rows; /* for each executed instruction with a width: index into rows of the CTA, or NO_ADDRESS */
    size_t run_count;
};
struct cta_runs {
    const struct run_warp *warps; /* indexed by the warp number in the trace */
    /* base: address of the first active lane; list: index into `patterns`, or NO_LIST */
    const struct address_row *rows;
    /* WARP_LANES entries each: address offset of each lane from the first active lane; 0 if the mask bit is clear.
     * Equal numbers mean equal patterns, but two numbers can have the same pattern. */
    const uint64_t *patterns;
};

#endif
