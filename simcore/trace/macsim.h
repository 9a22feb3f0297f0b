/* simcore/trace/macsim.h: reader for traces of MacSim's NVBit tracer, trace version 14. docs/formats/macsim.md
 * describes the format, its missing facts and their reconstruction. */
#ifndef VIVACE_SIMCORE_TRACE_MACSIM_H
#define VIVACE_SIMCORE_TRACE_MACSIM_H

#include "simcore/trace/inst_source.h"

/* Opens one launch. `path` is the trace.txt of its folder, which also holds the files of its warps; `shown` is its
 * name in messages. In memory are the current CTA and the CTAs not yet released. */
int macsim_open(const char *path, const char *shown, struct inst_source **out, struct err *e);
uint64_t macsim_bytes_in(const struct inst_source *s); /* bytes read from the disk so far */
/* 1: the text begins like a trace.txt of this tracer, of any version. */
int macsim_recognise(const char *text, size_t n);

#endif
