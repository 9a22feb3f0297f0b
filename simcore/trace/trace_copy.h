/* simcore/trace/trace_copy.h: copies and memsets between the launches of a recorded run. Accel-Sim kernel lists
 * contain those to the device (docs/formats/accel-sim.md). .vtrace files store them. */
#ifndef VIVACE_SIMCORE_TRACE_TRACE_COPY_H
#define VIVACE_SIMCORE_TRACE_TRACE_COPY_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

enum trace_copy_kind {
    TRACE_COPY_TO_DEVICE,
    TRACE_COPY_TO_HOST,
    TRACE_COPY_DEVICE,
    TRACE_MEMSET,
    TRACE_COPY_KINDS
};
struct trace_copy {
    enum trace_copy_kind kind;
    uint64_t context;        /* CUDA context or GPU */
    uint64_t before;         /* number of launches before it, over all contexts */
    uint64_t address, bytes; /* in GPU memory: the range that is written, or that is read for the host */
};
/* A list of copies, in program order. */
struct trace_copies {
    struct trace_copy *items;
    size_t count, capacity;
};

/* Parses "MemcpyHtoD,0x00007f0000000000,4096", and such lines with DtoH, DtoD or Memset. 1: *out is filled except
 * context and position; 0: another line. For DtoD, the address is the destination; the format does not state the
 * source. */
int trace_copy_parse(const char *line, struct trace_copy *out);
int trace_copies_add(struct trace_copies *list, const struct trace_copy *c, struct err *e);

#endif
