/* simcore/sm/bulk_lines.h: computes the lines that a bulk copy by descriptor touches, from its fields
 * (trace/fields.h). */
#ifndef VIVACE_SIMCORE_SM_BULK_LINES_H
#define VIVACE_SIMCORE_SM_BULK_LINES_H

#include "simcore/mem/mem_port.h"
#include "simcore/sm/coalescer.h"
#include "simcore/sm/opcode_table.h"

/* The lines of one part in global memory, at most COPY_LINES_MAX. */
void bulk_lines(const uint64_t field[], struct coalesced *out);
/* The kind of memory access; mix and flags are those of its opcode. */
enum mem_kind bulk_kind(uint8_t mix, uint8_t flags);

#endif
