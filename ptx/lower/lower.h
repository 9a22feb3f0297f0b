/* ptx/lower/lower.h: the machine code of a kernel's functions.
 *
 * Each function becomes segments. A segment is a run of PTX ops that are executed one after the other, with
 * their machine instructions in the order in which a compiler would schedule them. A machine instruction belongs
 * to one PTX op. The lanes that execute the op execute it, and it accesses the op's addresses. */
#ifndef VIVACE_PTX_LOWER_LOWER_H
#define VIVACE_PTX_LOWER_LOWER_H

#include "ptx/code/op.h"
#include "simcore/trace/inst_source.h"

/* The machine instructions of a kernel and of all functions that it calls. */
struct ptx_machine_table {
    uint32_t arch, registers_max; /* limit of registers per thread; 0: 255 */
    struct trace_inst *insts;
    size_t inst_count, inst_capacity;
    char **opcodes;
    size_t opcode_count, opcode_capacity;
};
void ptx_machine_table_release(struct ptx_machine_table *t);
/* Returns the index of this opcode text. UINT32_MAX: no memory. */
uint32_t ptx_machine_opcode(struct ptx_machine_table *t, const char *text, struct err *e);

struct ptx_machine {
    uint32_t inst; /* index in the table */
    uint16_t op;   /* index in the segment */
    bool accesses; /* this instruction has the op's addresses */
};

/* Several rounds of a loop in one sequence of instructions, as an unrolled loop has them. */
struct ptx_unrolled {
    uint32_t rounds, of;           /* it replaces `of` runs: of the previous unrolled form, or of the segment */
    uint32_t first, count, inst;   /* first: while lowering; inst: table index of the first instruction */
    uint32_t row_first, row_count; /* in row_order: for each access, its index in the replaced runs */
    uint32_t last_count;           /* instructions of the branch at its end; 0: these are all rounds */
    bool sole;                     /* the number of rounds is known: no rest remains */
};
enum { UNROLLED_ROWS_MAX = 1024 };

struct ptx_segment {
    uint32_t first_op, op_count;
    uint32_t first, count; /* machine instructions; they are consecutive in the table too */
    uint32_t span;         /* while lowering: instructions with those of the unrolled forms */
    bool aggregates;       /* an atomic's instructions have other lanes than its op: PTX_ACCESSES_ONE */
    bool leaves; /* the branch at the loop's end is executed by the lanes that leave it, not by the others */
    uint32_t unroll_first, unroll_count; /* the segment is a loop: its unrolled forms, by increasing rounds */
    uint32_t inst;                       /* table index of the first */
    uint32_t last_count;                 /* instructions of the last op at the end of the segment */
    bool last_together;                  /* true: these are all instructions of the last op */
    uint32_t access_first, access_count; /* the segment's instructions that have addresses */
    uint32_t access_before;              /* how many of these come before the last `last_count` */
    uint32_t last_access;                /* access of the last op, relative to access_first; or NO_ACCESS */
};
#define NO_ACCESS UINT32_MAX

/* The kind of addresses that an op has. NONE: no machine instruction has addresses. GENERIC: they are in the
 * generic address space. FIELDS: they are fields (trace/fields.h). SOURCE: they are the source of a copy; its
 * destination is not a separate access. */
enum { PTX_ACCESSES_NONE, PTX_ACCESSES, PTX_ACCESSES_GENERIC, PTX_ACCESSES_FIELDS, PTX_ACCESSES_SOURCE };
/* Flags: if all lanes have one address, one lane accesses it; ONE_OF_ALL: only if all lanes of the warp take part.
 */
enum { PTX_ACCESSES_ONE = 16, PTX_ACCESSES_ONE_OF_ALL = 32, PTX_ACCESSES_KIND = 15 };

struct ptx_lowered {
    const struct ptx_code *code;
    uint32_t first_op; /* number of op 0 among the ops of all functions of a trace */
    struct ptx_segment *segments;
    uint32_t segment_count;
    uint32_t *segment_of; /* one for each op */
    struct ptx_machine *machine;
    size_t machine_count, machine_capacity;
    uint32_t *accesses; /* ops (index in the segment) in the order of the machine instructions that access memory */
    size_t access_count, access_capacity;
    struct ptx_unrolled *unrolled;
    size_t unrolled_count, unrolled_capacity;
    uint16_t *row_order;
    size_t row_order_count, row_order_capacity;
    uint8_t *access_of; /* for each op with an access: its index in the segment's accesses */
    uint8_t *accessing; /* for each op: PTX_ACCESSES_..., with flags */
    uint32_t registers; /* per thread: estimate of the compiler's declaration; at least the number in use */
};

/* Lowers the function and adds its instructions to the table. */
int ptx_lower(struct ptx_machine_table *t, const struct ptx_code *code, struct ptx_lowered **out, struct err *e);
void ptx_lowered_free(struct ptx_lowered *l);
/* The part of the code that a compiler would keep: of a loop without a rest, only its unrolled form. Calls `each`
 * with ranges of the table. */
void ptx_lowered_code(const struct ptx_lowered *l, void (*each)(void *ctx, uint32_t inst, uint32_t count),
                      void *ctx);

#endif
