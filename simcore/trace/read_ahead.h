/* simcore/trace/read_ahead.h: a source that reads and decodes CTAs on a thread of its own, ahead of the caller that
 * takes them. What is given out does not depend on it: same CTAs, same tables and repairs at each CTA, errors in
 * their place. */
#ifndef VIVACE_SIMCORE_TRACE_READ_AHEAD_H
#define VIVACE_SIMCORE_TRACE_READ_AHEAD_H

#include "simcore/trace/inst_source.h"

/* Takes over `inner`, also on failure. The thread starts once the first CTAs show that the kernel is worth one, so
 * small kernels cost nothing; at most the numbers of CTAs and instructions that read_ahead.c says are ahead at a
 * time. The caller takes and gives back CTAs on one thread; all are given back before the source is released. */
int inst_source_read_ahead(struct inst_source *inner, struct inst_source **out, struct err *e);

/* The same, with the instructions that are read before the thread starts (tests: 0). */
int inst_source_read_ahead_after(struct inst_source *inner, uint64_t instructions, struct inst_source **out,
                                 struct err *e);

#endif
