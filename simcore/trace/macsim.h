/* simcore/trace/macsim.h: traces of MacSim's NVBit tracer, trace version 14. The format, what it leaves out and
 * what is rebuilt: docs/formats/macsim.md. */
#ifndef VIVACE_SIMCORE_TRACE_MACSIM_H
#define VIVACE_SIMCORE_TRACE_MACSIM_H

#include "simcore/trace/inst_source.h"

/* One launch: `path` is the trace.txt of its folder, beside which lie the files of its warps; `shown` is what
 * messages call it. One CTA is in memory at a time, and those not yet released. */
int macsim_open(const char *path, const char *shown, struct inst_source **out, struct err *e);
uint64_t macsim_bytes_in(const struct inst_source *s); /* read from the disk so far */
/* 1: the text begins as a trace.txt of this tracer does, of any version. */
int macsim_recognise(const char *text, size_t n);

#endif
