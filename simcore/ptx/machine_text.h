/* simcore/ptx/machine_text.h: the machine opcode of a PTX instruction, as cuobjdump spells it. */
#ifndef VIVACE_SIMCORE_PTX_MACHINE_TEXT_H
#define VIVACE_SIMCORE_PTX_MACHINE_TEXT_H

#include "simcore/ptx/op.h"

enum { PTX_MACHINE_TEXT = 64 };

/* The opcode of op `op`, and bytes a lane of its access (0: none). False: it needs no machine instruction. */
bool ptx_machine_text(const struct ptx_code *c, uint32_t op, uint32_t arch, char out[PTX_MACHINE_TEXT],
                      uint16_t *width);

#endif
