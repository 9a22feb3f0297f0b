/* simcore/sm/opcode_internal.h: between opcode_table.c and opcode_tensor.c. */
#ifndef VIVACE_SIMCORE_SM_OPCODE_INTERNAL_H
#define VIVACE_SIMCORE_SM_OPCODE_INTERNAL_H

#include "simcore/sm/opcode_table.h"

/* Is `want` one of the dot-separated modifiers? */
bool opcode_has(const char *modifiers, const char *want);
/* Fills in rate and latency of a tensor instruction. */
void opcode_classify_tensor(const char *name, const char *modifiers, const struct gpu_design *d,
                            struct op_info *out);

#endif
