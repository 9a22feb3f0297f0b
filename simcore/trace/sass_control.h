/* simcore/trace/sass_control.h: scheduling control bits of each instruction (stall count, yield, barriers, reuse).
 * They come from a disassembly with encodings, as printed by `cuobjdump -sass` and `nvdisasm -hex` (NVIDIA, "CUDA
 * Binary Utilities"). Traces do not contain them.
 *
 *
 * They are bits 105 to 125 of the 128-bit encoding since Volta (Jia et al., "Dissecting the NVIDIA Volta GPU
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
/* Returns the control word (inst_source.h) for the upper 64 bits of an instruction's encoding. */
uint32_t sass_control_word(uint64_t upper);

/* The result of matching a kernel's static instructions with the disassembly. */
struct sass_control_match {
    uint64_t known;    /* instructions with a control word */
    uint64_t missing;  /* instructions whose PC is not in the function; most often code of a called function */
    uint64_t mismatch; /* instructions with another opcode at their PC */
    bool function;     /* the disassembly holds the kernel's function */
};
/* Returns the same source with control words. Takes ownership of `inner`, also on failure; `c` must outlive the
 * source. *match is updated while CTAs are read. */
int sass_control_source(struct inst_source *inner, const struct sass_control *c, struct sass_control_match *match,
                        struct inst_source **out, struct err *e);

#endif
