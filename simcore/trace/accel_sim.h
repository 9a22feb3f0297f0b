/* simcore/trace/accel_sim.h: the SASS traces of Accel-Sim, all versions, plain or compressed, streamed.
 * The format is described in docs/formats/accel-sim.md. */
#ifndef VIVACE_SIMCORE_TRACE_ACCEL_SIM_H
#define VIVACE_SIMCORE_TRACE_ACCEL_SIM_H

#include "base/stream.h"
#include "simcore/trace/inst_source.h"

/* One kernel file: .traceg, of which one CTA is in memory at a time (and those not yet released), or raw .trace
 * whose warps are interleaved, which is held whole, in 28 bytes an instruction. Takes over the stream, also on
 * failure. */
int accel_sim_open(struct stream *s, struct inst_source **out, struct err *e);
/* The same over a stream that the caller keeps, as bundle_walk() hands out. */
int accel_sim_open_over(struct stream *s, struct inst_source **out, struct err *e);
int accel_sim_open_path(const char *path, struct inst_source **out, struct err *e);
/* Of a source of accel_sim_open() or trace_file_open(), before the first CTA: a warp that has more or fewer
 * instructions than its `insts` says, else an error with its line, is then taken as it is and counted in
 * repairs.damaged_warps. A file that ends early stays an error. */
void accel_sim_tolerate(struct inst_source *s);

/* Header only: shape and name, without reading the body. *out is released by kernel_info_release(). */
int accel_sim_read_info(struct stream *s, struct kernel_info *out, struct err *e);
void kernel_info_release(struct kernel_info *k);
int kernel_info_copy(struct kernel_info *to, const struct kernel_info *from, struct err *e); /* with its name */

/* Counts what a kernel file holds by its `insts =` lines (or instruction lines), fast: no instruction is parsed. */
struct trace_counts {
    uint64_t warp_instructions, ctas, warps;
};
/* Reads the rest of the stream after the header that *info was filled from. */
int accel_sim_count(struct stream *s, struct kernel_info *info, struct trace_counts *out, struct err *e);

#endif
