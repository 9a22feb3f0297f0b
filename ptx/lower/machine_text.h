/* ptx/lower/machine_text.h: machine opcodes of PTX instructions that are not forms, spelled as in cuobjdump. */
#ifndef VIVACE_PTX_LOWER_MACHINE_TEXT_H
#define VIVACE_PTX_LOWER_MACHINE_TEXT_H

#include "ptx/code/op.h"

enum { PTX_MACHINE_TEXT = 256 };

struct ptx_machine_text {
    char opcodes[PTX_MACHINE_TEXT]; /* in order, separated by spaces; empty: no instruction */
    uint16_t width;                 /* bytes per lane of the accesses */
    uint32_t access;                /* index of the opcode that has the op's addresses; PTX_NONE */
    int32_t immediate;              /* immediate of the last instruction; -1: none */
};
/* An atomic whose address is the same in all lanes: ptxas combines the operands of the lanes, and one lane accesses
 * memory. COUNTED: the operand is the same too, and is multiplied by the number of lanes. REDUCED: one instruction
 * combines the operands (sm_80 and later, no result). SCANNED: shuffles do, and give each lane its result; only if
 * all lanes take part. */
enum ptx_aggregation { PTX_AGGREGATES_NOT, PTX_AGGREGATES_COUNTED, PTX_AGGREGATES_REDUCED, PTX_AGGREGATES_SCANNED };
struct ptx_machine_how {
    uint32_t arch;
    uint32_t bytes; /* bytes per lane, including loads that are merged into it; 0: the op's own size */
    bool unread;    /* atomic: no op reads its result */
    bool by_one;    /* atomic: its operand is the number 1 */
    enum ptx_aggregation aggregation; /* atomic */
};
void ptx_machine_text(const struct ptx_code *c, uint32_t op, const struct ptx_machine_how *how,
                      struct ptx_machine_text *out);

#endif
