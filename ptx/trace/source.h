/* ptx/trace/source.h: a launch of a PTX kernel as a source of executed machine instructions: for a .vtrace file
 * or straight into the timing model.
 *
 * The launch is executed CTA by CTA while it is read; read to its end, memory holds its results. What a PTX
 * function becomes in machine code is worked out as a compiler would (lower.h): one table of instructions with
 * registers for the kernel and all it calls. Values of atomics, flags and clocks are those of our order of
 * execution. */
#ifndef VIVACE_PTX_TRACE_SOURCE_H
#define VIVACE_PTX_TRACE_SOURCE_H

#include "ptx/exec/exec.h"
#include "simcore/trace/inst_source.h"

struct ptx_source_options {
    uint32_t arch;      /* whose machine code is imitated: 70, 75, 80, 86, 89, 90; 0: 80 */
    uint32_t registers; /* a thread, where known (ptxas -v); 0: estimated */
    uint64_t id;        /* launch number in the trace, from 1, as tracers number */
    uint64_t stream;
};

/* Checks the launch as ptx_run_new() does. `exec` may be NULL; its observer is taken by the source: ERR_INVALID
 * where it is set. Parameters are copied; program and what the options point at must outlive the source. A fault of
 * the kernel is what next_cta() answers. */
int ptx_source_new(struct ptx_program *p, const struct ptx_launch *l, const struct ptx_exec_options *exec,
                   const struct ptx_source_options *o, struct inst_source **out, struct err *e);
struct ptx_checkpoint;
/* From a checkpoint on (ptx_checkpoint_resume() says what must be as it was): of the CTAs in flight comes what they
 * execute from here on, and first the barriers they wait at, so that all warps of a CTA still meet as often; CTAs
 * that had ended do not come. */
int ptx_source_resume(const struct ptx_checkpoint *c, struct ptx_program *p, const struct ptx_launch *l,
                      const struct ptx_exec_options *exec, const struct ptx_source_options *o,
                      struct inst_source **out, struct err *e);
/* Of a source of ptx_source_new(): what has been executed so far. */
const struct ptx_exec_stats *ptx_source_stats(const struct inst_source *s);
uint64_t ptx_source_instructions(const struct inst_source *s); /* machine instructions of the CTAs that are over */
/* Executes the rest without keeping it. For callers that stop reading early but wants the results. */
int ptx_source_finish(struct inst_source *s, struct err *e);

#endif
