/* simcore/sm/opcode_internal.h: declarations that opcode_table.c and opcode_tensor.c share. */
#ifndef VIVACE_SIMCORE_SM_OPCODE_INTERNAL_H
#define VIVACE_SIMCORE_SM_OPCODE_INTERNAL_H

#include "simcore/sm/opcode_table.h"

/* Whether `want` is one of the dot-separated modifiers. */
bool opcode_has(const char *modifiers, const char *want);
/* Sets the rate and the latency of a tensor instruction. */
void opcode_classify_tensor(const char *name, const char *modifiers, const struct gpu_design *d,
                            struct op_info *out);

#endif
