/* ptx/exec/exec.h: running one kernel launch: its CTAs one after the other or a few side by side, their warps in
 * turns, each warp a set of fragments.
 *
 * Deterministic: the same launch gives the same bytes, the same order of observed instructions and the same trace.
 * A CTA runs until it blocks or ends; its warps take turns of a fixed quantum. */
#ifndef VIVACE_PTX_EXEC_EXEC_H
#define VIVACE_PTX_EXEC_EXEC_H

#include "ptx/program/program.h"
#include "ptx/warp/options.h"

/* Runs the launch to its end. ERR_SIMULATION with kernel, file:line, CTA, warp, lane and reason where it faults
 * (bad or misaligned address, trap, assert, limit, every warp blocked: who waits for what). Memory is as the fault
 * left it. */
int ptx_launch_run(struct ptx_program *p, const struct ptx_launch *l, const struct ptx_exec_options *o,
                   struct ptx_exec_stats *stats, struct err *e);

/* The same, a CTA at a time, for those who take instructions as they come (a trace, the timing model): next() runs
 * CTAs in linear order. 1: a CTA was run to its end (its instructions went to the observer); 0: no more; -1. CTAs
 * that wait for others (grid barriers) make it run several before it answers. */
struct ptx_run; /* opaque */
struct ptx_run *ptx_run_new(struct ptx_program *p, const struct ptx_launch *l, const struct ptx_exec_options *o,
                            struct err *e);
int ptx_run_next(struct ptx_run *r, struct err *e);
/* From the begin of a launch to a point inside: CTAs below `cta` run to their end, `ctas` of them from there on
 * this number of instructions each (fewer where they end or wait for others), nothing else has begun.
 * ptx_run_next() goes on. ERR_INVALID: it has no such CTA, or those below wait for later ones. */
int ptx_run_to(struct ptx_run *r, uint64_t cta, uint64_t ctas, uint64_t instructions, struct err *e);
const struct ptx_exec_stats *ptx_run_stats(const struct ptx_run *r);
void ptx_run_free(struct ptx_run *r);

#endif
