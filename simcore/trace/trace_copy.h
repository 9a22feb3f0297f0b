/* simcore/trace/trace_copy.h: copies and memsets that stand between the launches of a recorded run. Kernel lists of
 * Accel-Sim have those to the device (docs/formats/accel-sim.md); .vtrace files keep them. */
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
    uint64_t before;         /* how many launches stand before it, of all contexts */
    uint64_t address, bytes; /* in the GPU's memory: what is written, or read for the host */
};
/* A list of them, in the order in which they stand. */
struct trace_copies {
    struct trace_copy *items;
    size_t count, capacity;
};

/* "MemcpyHtoD,0x00007f0000000000,4096", and the same with DtoH, DtoD and Memset: 1 with *out but for context and
 * place; 0: another line. Of DtoD the address is where it goes; where it comes from is not said. */
int trace_copy_parse(const char *line, struct trace_copy *out);
int trace_copies_add(struct trace_copies *list, const struct trace_copy *c, struct err *e);

#endif
