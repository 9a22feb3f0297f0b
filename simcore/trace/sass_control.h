/* simcore/trace/sass_control.h: what the compiler decided for each instruction (stall count, yield, barriers,
 * reuse), taken from a disassembly with encodings, as `cuobjdump -sass` and `nvdisasm -hex` print it (NVIDIA, "CUDA
 * Binary Utilities"). Traces hold none of it.
 *
 * The bits lie in 105 to 125 of the 128 of an instruction since Volta (Jia et al., "Dissecting the NVIDIA Volta GPU
 * Architecture via Microbenchmarking", section 2.1). Earlier architectures have other encodings: ERR_UNSUPPORTED.
 */
#ifndef VIVACE_SIMCORE_TRACE_SASS_CONTROL_H
#define VIVACE_SIMCORE_TRACE_SASS_CONTROL_H

#include "base/stream.h"
#include "simcore/trace/inst_source.h"

struct sass_control; /* opaque: the functions of a disassembly */
/* Reads to the end of the stream, which the caller closes. */
int sass_control_read(struct stream *s, struct sass_control **out, struct err *e);
void sass_control_free(struct sass_control *c);
size_t sass_control_functions(const struct sass_control *c);
/* inst_source.h's control word of the instruction whose upper 64 bits these are. */
uint32_t sass_control_word(uint64_t upper);

/* What was found for the static instructions of one kernel. */
struct sass_control_match {
    uint64_t known;    /* instructions that have their control word now */
    uint64_t missing;  /* no such PC in the function: a called function's code, most often */
    uint64_t mismatch; /* another opcode is at that PC */
    bool function;     /* the disassembly holds the kernel's function */
};
/* The same source with control words. Takes over `inner`, also on failure; `c` must live longer. *match is filled
 * while CTAs are read. */
int sass_control_source(struct inst_source *inner, const struct sass_control *c, struct sass_control_match *match,
                        struct inst_source **out, struct err *e);

#endif
