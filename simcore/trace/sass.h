/* simcore/trace/sass.h: what the text of a SASS opcode says about its operands. Recorded traces name only the first
 * register of a group and lose destinations that stand behind a predicate; here both are put right. */
#ifndef VIVACE_SIMCORE_TRACE_SASS_H
#define VIVACE_SIMCORE_TRACE_SASS_H

#include "simcore/trace/inst_source.h"

struct sass_repair {
    bool destination; /* was recorded as the first source */
    bool group;       /* at least one operand is more than the register that is named */
    bool unknown;     /* no document names the opcode */
    bool width;       /* the opcode says another width than the tracer printed */
};

/* Bytes that one lane of this memory instruction touches from each address; `printed` is the tracer's opinion,
 * taken where the opcode says nothing. */
uint16_t sass_access_width(const char *opcode, unsigned printed);
/* Completes the operands in *i (dst_count, dst, src_count, src as recorded; width set). */
struct sass_repair sass_complete(const char *opcode, struct trace_inst *i);
/* One more execution of an instruction that was repaired so. */
static inline void trace_repairs_count(struct trace_repairs *to, struct sass_repair r)
{
    to->destination_from_source += r.destination;
    to->register_group += r.group;
    to->access_width += r.width;
    to->unknown_opcode += r.unknown;
}
/* Whether NVIDIA's documents name this opcode (its part before the first dot). Others are carried as they are. */
bool sass_opcode_known(const char *opcode);

/* Whether a loop that polls may have it beside its load or wait: branches, sleeps and predicates, which change
 * nothing that others see. */
bool sass_may_poll(const char *opcode);

#endif
