/* simcore/sm/bulk_lines.h: which lines a copy by descriptor touches, from its fields (trace/fields.h). */
#ifndef VIVACE_SIMCORE_SM_BULK_LINES_H
#define VIVACE_SIMCORE_SM_BULK_LINES_H

#include "simcore/mem/mem_port.h"
#include "simcore/sm/coalescer.h"
#include "simcore/sm/opcode_table.h"

/* The lines of one part in global memory, no more than COPY_LINES_MAX. */
void bulk_lines(const uint64_t field[], struct coalesced *out);
/* What it does to them; mix and flags of its opcode. */
enum mem_kind bulk_kind(uint8_t mix, uint8_t flags);

#endif
