/* simcore/trace/accel_sim.h: the SASS traces of Accel-Sim, all versions, plain or compressed, streamed.
 * The format is described in docs/formats/accel-sim.md. */
#ifndef VIVACE_SIMCORE_TRACE_ACCEL_SIM_H
#define VIVACE_SIMCORE_TRACE_ACCEL_SIM_H

#include "base/stream.h"
#include "simcore/trace/inst_source.h"

/* Opens one kernel file. Of a grouped file (.traceg), the current CTA and the CTAs not yet released are in memory.
 * A raw file (.trace) interleaves its warps and is held in memory as a whole, 28 bytes per instruction. Takes
 * ownership of the stream, also on failure. */
int accel_sim_open(struct stream *s, struct inst_source **out, struct err *e);
/* As accel_sim_open(), for a stream that the caller closes, for example one from bundle_walk(). */
int accel_sim_open_over(struct stream *s, struct inst_source **out, struct err *e);
int accel_sim_open_path(const char *path, struct inst_source **out, struct err *e);
/* For a source of accel_sim_open() or trace_file_open(), before the first CTA. By default, a warp with more or
 * fewer instructions than its `insts` states is an error with its line number. After this call, the warp is
 * accepted and counted in repairs.damaged_warps. A file that ends early stays an error. */
void accel_sim_tolerate(struct inst_source *s);

/* Reads only the header: shape and name. *out is released by kernel_info_release(). */
int accel_sim_read_info(struct stream *s, struct kernel_info *out, struct err *e);
void kernel_info_release(struct kernel_info *k);
/* copies the name, too */
int kernel_info_copy(struct kernel_info *to, const struct kernel_info *from, struct err *e);

/* Counts the content of a kernel file from its `insts =` lines (or instruction lines), without parsing
 * instructions.
 */
struct trace_counts {
    uint64_t warp_instructions, ctas, warps;
};
/* Reads the rest of the stream after the header that *info was filled from. */
int accel_sim_count(struct stream *s, struct kernel_info *info, struct trace_counts *out, struct err *e);

#endif
