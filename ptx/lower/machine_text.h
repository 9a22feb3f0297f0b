/* ptx/lower/machine_text.h: machine opcodes of PTX instructions that are no forms, as cuobjdump spells them. */
#ifndef VIVACE_PTX_LOWER_MACHINE_TEXT_H
#define VIVACE_PTX_LOWER_MACHINE_TEXT_H

#include "ptx/code/op.h"

enum { PTX_MACHINE_TEXT = 256 };

struct ptx_machine_text {
    char opcodes[PTX_MACHINE_TEXT]; /* in order, a space between; empty: nothing */
    uint16_t width;                 /* bytes a lane of the accesses */
    uint32_t access;                /* which of the opcodes has the op's addresses; PTX_NONE */
    int32_t immediate;              /* of the last; -1: none */
};
struct ptx_machine_how {
    uint32_t arch;
    uint32_t bytes; /* a lane, of a load that does the work of others, too; 0: its own */
    bool unread;    /* of an atomic: nothing reads what it returns */
};
void ptx_machine_text(const struct ptx_code *c, uint32_t op, const struct ptx_machine_how *how,
                      struct ptx_machine_text *out);

#endif
