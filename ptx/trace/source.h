/* ptx/trace/source.h: a launch of a PTX kernel as a source of executed machine instructions, for a .vtrace file
 * or for the timing model.
 *
 * The launch is executed CTA by CTA while it is read. After all is read, memory contains its results. PTX
 * functions are lowered to machine code as a compiler would do (lower.h): one table of instructions with
 * registers for the kernel and all functions that it calls. Values of atomics, flags and clocks are those of our
 * execution order. */
#ifndef VIVACE_PTX_TRACE_SOURCE_H
#define VIVACE_PTX_TRACE_SOURCE_H

#include "ptx/exec/exec.h"
#include "simcore/trace/inst_source.h"

struct ptx_source_options {
    uint32_t arch;      /* target of the machine code: 70, 75, 80, 86, 89, 90; 0: 80 */
    uint32_t registers; /* per thread, if known (ptxas -v); 0: estimated */
    uint64_t id;        /* launch number in the trace, from 1, as in other tracers */
    uint64_t stream;
};

/* Checks the launch as ptx_run_new() does. `exec` may be NULL. The source needs the observer: ERR_INVALID if
 * `exec` has one. Parameters are copied. The program and the data that the options point to must outlive the
 * source. next_cta() returns a fault of the kernel. */
int ptx_source_new(struct ptx_program *p, const struct ptx_launch *l, const struct ptx_exec_options *exec,
                   const struct ptx_source_options *o, struct inst_source **out, struct err *e);
struct ptx_checkpoint;
/* Starts at a checkpoint; the requirements are those of ptx_checkpoint_resume(). For CTAs that were running, the
 * source has the instructions from the checkpoint on. They begin with the barriers that the warps wait at, so
 * that all warps of a CTA execute the same number of barriers. CTAs that had ended are missing. */
int ptx_source_resume(const struct ptx_checkpoint *c, struct ptx_program *p, const struct ptx_launch *l,
                      const struct ptx_exec_options *exec, const struct ptx_source_options *o,
                      struct inst_source **out, struct err *e);
/* For a source of ptx_source_new(): counts of the execution up to now. */
const struct ptx_exec_stats *ptx_source_stats(const struct inst_source *s);
/* Number of machine instructions of the CTAs that have ended. */
uint64_t ptx_source_instructions(const struct inst_source *s);
/* Executes the rest of the launch without recording it, for callers that stop reading early but need the
 * results. */
int ptx_source_finish(struct inst_source *s, struct err *e);

#endif
