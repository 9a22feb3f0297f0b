/* simcore/trace/sass.h: derives operands from the text of a SASS opcode. Recorded traces name only the first
 * register of a group, and they lose destinations after a predicate. Both are repaired here. */
#ifndef VIVACE_SIMCORE_TRACE_SASS_H
#define VIVACE_SIMCORE_TRACE_SASS_H

#include "simcore/trace/inst_source.h"

struct sass_repair {
    bool destination; /* was recorded as the first source */
    bool group;       /* at least one operand is a group, of which the trace names the first register */
    bool unknown;     /* an undocumented opcode */
    bool width;       /* the opcode states another width than the tracer */
};

/* The bytes that one lane of this memory instruction accesses at each address. `printed` is the tracer's width,
 * used if the opcode states none. */
uint16_t sass_access_width(const char *opcode, unsigned printed);
/* Completes the operands in *i (dst_count, dst, src_count and src as recorded; width set). */
struct sass_repair sass_complete(const char *opcode, struct trace_inst *i);
/* Counts one more execution of an instruction with these repairs. */
static inline void trace_repairs_count(struct trace_repairs *to, struct sass_repair r)
{
    to->destination_from_source += r.destination;
    to->register_group += r.group;
    to->access_width += r.width;
    to->unknown_opcode += r.unknown;
}
/* Whether NVIDIA's documents name this opcode (the part before the first dot). */
bool sass_opcode_known(const char *opcode);

/* Whether a polling loop may contain the opcode beside its load or wait: branches, sleeps and predicate operations,
 * which have no effect outside the warp. */
bool sass_may_poll(const char *opcode);

/* The name of an operand: R7, RZ, or with `other` (trace_inst.other_src) UR4, P0, UP1. */
#define REGISTER_NAME_BYTES 8
void register_name(uint8_t reg, uint8_t other, char out[REGISTER_NAME_BYTES]);

#endif
