/* ptx/exec/exec.h: runs one kernel launch: its CTAs one after the other, or several in turns; the warps of a CTA
 * in turns. A warp is a set of fragments: groups of lanes with the same program counter.
 *
 * Deterministic: the same launch gives the same bytes, the same order of observed instructions and the same
 * trace. A CTA runs until it ends, stalls, or has run for a long time. A turn of a warp has at most PTX_TURN
 * instructions. */
#ifndef VIVACE_PTX_EXEC_EXEC_H
#define VIVACE_PTX_EXEC_EXEC_H

#include "ptx/program/program.h"
#include "ptx/warp/options.h"

/* Runs the launch to its end. ERR_SIMULATION with kernel, file:line, CTA, warp, lane and reason: the launch faults
 * (bad or misaligned address, trap, assert, instruction limit, or a deadlock, with the state of the first live
 * warps). After a fault, memory stays as it is. */
int ptx_launch_run(struct ptx_program *p, const struct ptx_launch *l, const struct ptx_exec_options *o,
                   struct ptx_exec_stats *stats, struct err *e);

/* As ptx_launch_run(), one CTA at a time, for callers that process instructions as they are executed (a trace, the
 * timing model). ptx_run_next() runs CTAs in linear order. 1: a CTA has ended, and the observer has received its
 * instructions; 0: all CTAs have ended; -1: error. If CTAs wait for others (grid barriers), one call runs several
 * CTAs in turns. */
struct ptx_run; /* opaque */
struct ptx_run *ptx_run_new(struct ptx_program *p, const struct ptx_launch *l, const struct ptx_exec_options *o,
                            struct err *e);
int ptx_run_next(struct ptx_run *r, struct err *e);
/* Runs a new launch to a point in the middle. CTAs below `cta` run to their end. Each of the next `ctas` CTAs
 * executes this number of warp instructions, or fewer if it ends or waits for others. No other CTA begins.
 * ptx_run_next() continues from there. ERR_INVALID: the launch has no such CTA, or the CTAs below `cta` wait for
 * later ones. */
int ptx_run_to(struct ptx_run *r, uint64_t cta, uint64_t ctas, uint64_t instructions, struct err *e);
const struct ptx_exec_stats *ptx_run_stats(const struct ptx_run *r);
void ptx_run_free(struct ptx_run *r);

#endif
