/* ptx/lower/lower.h: what the functions of a kernel become in machine code.
 *
 * Each function becomes segments: runs of PTX ops that are executed one after the other, with the machine
 * instructions that do their work, in the order in which a compiler would schedule them. A machine instruction
 * belongs to one PTX op: it is executed by the lanes that execute the op, and accesses its addresses. */
#ifndef VIVACE_PTX_LOWER_LOWER_H
#define VIVACE_PTX_LOWER_LOWER_H

#include "ptx/code/op.h"
#include "simcore/trace/inst_source.h"

/* The machine instructions of a kernel and all that it calls. */
struct ptx_machine_table {
    uint32_t arch, registers_most; /* a thread may have; 0: 255 */
    struct trace_inst *insts;
    size_t inst_count, inst_capacity;
    char **opcodes;
    size_t opcode_count, opcode_capacity;
};
void ptx_machine_table_release(struct ptx_machine_table *t);
/* The index of this opcode text; UINT32_MAX: no memory. */
uint32_t ptx_machine_opcode(struct ptx_machine_table *t, const char *text, struct err *e);

struct ptx_machine {
    uint32_t inst; /* in the table */
    uint16_t op;   /* counted from the first of the segment */
    bool accesses; /* has the op's addresses */
};

struct ptx_segment {
    uint32_t first_op, op_count;
    uint32_t first, count; /* machine instructions; they stand behind one another in the table, too: */
    uint32_t inst;         /* the first there */
    uint32_t last_count;   /* of its last op, those that stand last */
    bool last_together;    /* they are all of that op */
    uint32_t access_first, access_count; /* of those that have addresses */
    uint32_t access_before;              /* of these: before the `last_count` */
    uint32_t last_access;                /* that of its last op, counted from access_first; NO_ACCESS */
};
#define NO_ACCESS UINT32_MAX

/* Has an op addresses for some machine instruction? Those of GENERIC are of the generic space, those of FIELDS are
 * fields (trace/fields.h), those of SOURCE what a copy reads: where it writes to is no access of its own. */
enum { PTX_ACCESSES_NONE, PTX_ACCESSES, PTX_ACCESSES_GENERIC, PTX_ACCESSES_FIELDS, PTX_ACCESSES_SOURCE };

struct ptx_lowered {
    const struct ptx_code *code;
    uint32_t first_op; /* its ops are numbered from here on among those of all functions of a trace */
    struct ptx_segment *segments;
    uint32_t segment_count;
    uint32_t *segment_of; /* of each op */
    struct ptx_machine *machine;
    size_t machine_count, machine_capacity;
    uint32_t *accesses; /* the ops, counted from the first of the segment, in the order of the machine's */
    size_t access_count, access_capacity;
    uint8_t *access_of; /* of each op that has one: which of the segment's */
    uint8_t *accessing; /* of each op: PTX_ACCESSES_... */
    uint32_t registers; /* a thread: an estimate of what a compiler declares, never less than are named */
};

/* Adds the function's instructions to the table. */
int ptx_lower(struct ptx_machine_table *t, const struct ptx_code *code, struct ptx_lowered **out, struct err *e);
void ptx_lowered_free(struct ptx_lowered *l);

#endif
