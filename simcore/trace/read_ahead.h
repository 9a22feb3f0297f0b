/* simcore/trace/read_ahead.h: a source that reads and decodes CTAs on its own thread, ahead of the caller. The
 * output is the same as without the thread: the same CTAs, tables and repairs at each CTA, and errors at the same
 * position.
 */
#ifndef VIVACE_SIMCORE_TRACE_READ_AHEAD_H
#define VIVACE_SIMCORE_TRACE_READ_AHEAD_H

#include "simcore/trace/inst_source.h"

/* Takes ownership of `inner`, also on failure. The thread starts after some instructions were read, so small
 * kernels do not pay for it. read_ahead.c limits the CTAs and instructions ahead. The caller takes and releases
 * CTAs on one thread, and releases all of them before the source. */
int inst_source_read_ahead(struct inst_source *inner, struct inst_source **out, struct err *e);

/* As inst_source_read_ahead(), but the caller sets the number of instructions read before the thread starts (0 in
 * tests). */
int inst_source_read_ahead_after(struct inst_source *inner, uint64_t instructions, struct inst_source **out,
                                 struct err *e);

#endif
