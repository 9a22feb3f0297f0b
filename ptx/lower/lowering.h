/* ptx/lower/lowering.h: the state of a function during lowering, shared by the files below. The result is in
 * lower.h.
 *
 * values.c   which values are copies and need no instruction; which ops are dead or become part of others
 * address.c registers plus constants; loads at known positions of the constant bank
 * merge.c    neighbouring loads that become one load
 * branch.c   short branches that become guards
 * atomic.c   atomics of several lanes that become one
 * select.c   the machine instructions of each op, with values as operands
 * unroll.c   several rounds of a loop in one sequence
 * known.c what is constant in each of them
 * schedule.c their order in a segment
 * registers.c assigns registers to values
 * lower.c    calls all of them and fills the table */
#ifndef VIVACE_PTX_LOWER_LOWERING_H
#define VIVACE_PTX_LOWER_LOWERING_H

#include "ptx/code/live.h"
#include "ptx/lower/lower.h"
#include "ptx/lower/machine_forms.h"
#include "ptx/lower/machine_text.h"

#define VALUE_NONE  UINT32_MAX /* no register: a constant, a parameter, zero */
#define VALUE_WORDS 4

enum { TOUCHES_MAX = 2 * PTX_WGMMA_SUMS + 16 };
struct touches {
    uint32_t reads[TOUCHES_MAX], writes[TOUCHES_MAX], read_count, write_count; /* values; guards are reads too */
};

/* A part of a value: `words` words from `word` on. */
struct part {
    uint32_t value; /* VALUE_NONE: no register */
    uint8_t word, words;
};

struct lower_value {
    uint8_t words; /* 32 bits each */
    bool pred;
    bool single;        /* defined by one op without a guard, so it is constant while it is live */
    bool copied;        /* it equals `source`; source VALUE_NONE: it has no register */
    uint32_t defs, def; /* number of ops that write it; one of them */
    uint32_t uses;      /* reads by ops of fate OP_STAYS */
    struct part source;
    struct part address; /* the value as an address: this part plus `offset`; address.words 0: the value itself */
    int64_t offset;
    bool is_static;      /* the address of a variable, known when the program is loaded */
    uint32_t begin, end; /* live range as in struct ptx_range, including the values that it represents; begin >
                          * end: none */
};

/* COPY: its result is another value. JOINED: another op includes it, see `joined`. MERGED: another load includes
 * it. GUARDS: a branch that is removed; its predicate guards the instructions that it would skip. */
enum op_fate { OP_STAYS, OP_COPY, OP_DEAD, OP_JOINED, OP_MERGED, OP_GUARDS };

/* A machine instruction whose operands are values. */
struct mop {
    uint32_t op;     /* PTX op */
    uint32_t opcode; /* index in the table */
    uint16_t width;
    uint16_t round;          /* of an unrolled loop */
    uint8_t latency, memory; /* latency: an estimate for scheduling; memory: enum mop_memory */
    bool accesses, fixed;    /* fixed: no instruction is scheduled across it */
    uint8_t one_lane;        /* an access by one lane: PTX_ACCESSES_ONE, PTX_ACCESSES_ONE_OF_ALL, or 0 */
    uint8_t src_count;
    struct part dst, src[INST_MAX_SRC];
    uint32_t pred_read, pred_write; /* values; VALUE_NONE: none */
    int32_t immediate;              /* -1: none */
};
/* LOADS and STORES: plus enum ptx_space. ORDERS: no memory access is scheduled across it. */
enum mop_memory { MOP_NO_MEMORY, MOP_ORDERS, MOP_LOADS = 16, MOP_STORES = 32 };

struct lowering {
    struct ptx_machine_table *table;
    const struct ptx_code *code;
    const struct ptx_function *f;
    struct ptx_flow flow;
    struct ptx_live live;
    struct lower_value *values; /* the values of `live`, then groups and temporaries */
    size_t value_count, value_capacity;
    uint8_t *fate;     /* for each op */
    uint32_t *joined;  /* for each op: the op that it is joined with, in both directions; PTX_NONE */
    uint32_t *merged;  /* for each op: the op whose wider load is executed here; PTX_NONE */
    uint32_t *group;   /* for that op: the value that its load writes; VALUE_NONE */
    struct part scale; /* for the current segment: a register that contains `scale_bits`; value VALUE_NONE: none
                        * yet */
    uint64_t scale_bits;
    int64_t alu_ahead; /* instructions so far for the integer pipe, less those for the FP32 pipe */
    bool *divergent;   /* for each value: it may differ between lanes */
    bool *joins;       /* for each block: lanes reconverge at its begin (BSYNC) */
    uint8_t *splits;   /* for each block: number of BSSY at its end */
    struct mop *mops;  /* of the current segment */
    size_t mop_count, mop_capacity;
    uint32_t *order; /* scheduled order of `mops` */
    struct mop *all; /* of the whole function, in scheduled order */
    size_t all_count, all_capacity;
    uint32_t registers_max; /* limit */
    struct err *e;
};

/* values.c */
void lower_touches(const struct lowering *w, uint32_t op, struct touches *out);
int lower_values(struct lowering *w, const struct ptx_segment *segments, uint32_t count);
struct part lower_resolve(const struct lowering *w, uint32_t value);
/* address.c */
void lower_find_addresses(struct lowering *w);
/* Addresses that have become part of a group refer to the group. Call it after the groups exist. */
void lower_settle_addresses(struct lowering *w);
/* Loads at known positions of the constant bank become operands of the ops that read them. */
void lower_fold_constants(struct lowering *w);
struct lower_place {
    struct part base; /* VALUE_NONE: the address is known */
    int64_t offset;
};
/* The address of the op's operand in brackets. Returns false if there is none, or if it is not a whole register
 * plus a constant. */
bool lower_place_of(const struct lowering *w, uint32_t op, struct lower_place *out);
/* A number known at compile time: an immediate operand, the offset of a shared variable, or a register that
 * contains one of them. */
bool lower_constant(const struct lowering *w, const struct ptx_operand *o, int64_t *out);
/* The machine instructions of a PTX_DO_FORM; some forms have others for a constant operand. */
const struct ptx_machine_form *lower_form(const struct lowering *w, uint32_t op);
/* Returns true if the memory op uses this value as an address that is another value plus a constant. */
bool lower_is_address(const struct lowering *w, uint32_t op, uint32_t value);
uint32_t lower_new_value(struct lowering *w, uint8_t words); /* VALUE_NONE: no memory */
/* copies.c: finds ops that only copy, and the sources of the copies. */
void lower_find_copies(struct lowering *w);
/* Marks an op that only defines `value`, which is a part of `source`. */
void lower_copy_of(struct lowering *w, uint32_t op, uint32_t value, struct part source);
/* NULL: the op has fewer operands. */
const struct ptx_operand *lower_operand(const struct lowering *w, uint32_t op, uint32_t k);
/* The value of an operand that is a whole register, or VALUE_NONE. */
uint32_t lower_register_of(const struct lowering *w, const struct ptx_operand *o);
bool lower_is_single(const struct lowering *w, uint32_t value); /* written once */
/* merge.c */
int lower_merge(struct lowering *w, const struct ptx_segment *segments, uint32_t count);
/* branch.c */
int lower_branches(struct lowering *w);
/* atomic.c */
/* How the lanes of an atomic are combined. */
enum ptx_aggregation lower_aggregation(const struct lowering *w, uint32_t op);
bool lower_is_unread(const struct lowering *w,
                     uint32_t op); /* true: no op reads the atomic's result, so it is a reduction */
bool lower_is_by_one(const struct lowering *w, uint32_t op); /* its operand is the number 1 */
/* Returns true if the block's branch skips a block with only a branch: the machine has the second one, with the
 * opposite predicate. */
bool lower_inverts(const struct lowering *w, uint32_t block);
/* select.c: appends the op's machine instructions to w->mops. */
int lower_select(struct lowering *w, uint32_t op);
/* join.c */
/* The opcodes of op `producer` joined with the op that reads its result. NULL: they cannot be joined. */
const char *lower_join(const struct lowering *w, uint32_t producer, uint32_t consumer);
bool lower_joins_many(const struct lowering *w, uint32_t producer); /* joining it with several ops costs nothing */
/* schedule.c: sets w->order for w->mops, the instructions of `s`. It uses `least` registers
 * even if fewer values are live at one time. */
int lower_schedule(struct lowering *w, const struct ptx_segment *s, uint32_t least);
/* unroll.c: if the segment is a loop that a compiler unrolls, appends its unrolled forms. w->mops are its
 * instructions in program order, and are lost. */
int lower_unroll(struct lowering *w, struct ptx_lowered *l, struct ptx_segment *s);
bool lower_is_local(const struct lowering *w, const struct ptx_segment *s,
                    uint32_t value); /* only the segment reads the value */
bool lower_reads_as_address(const struct lowering *w, uint32_t op,
                            uint32_t value); /* the segment reads the value as an address only */
/* known.c: for a loop of one segment whose counter is known in each round: what becomes of each op, in out[op -
 * first]. EMITTED: its instructions. KNOWN: none, its result is a constant. SHIFTED: none after round 0, its result
 * there plus a constant is part of addresses. */
enum { LOWER_EMITTED, LOWER_KNOWN, LOWER_SHIFTED };
int lower_find_known(const struct lowering *w, const struct ptx_segment *s, uint32_t counter, uint8_t *out);
/* lower.c: schedules w->mops and appends them to w->all. */
int lower_append(struct lowering *w, const struct ptx_segment *s, uint32_t least);
/* registers.c: reg_of[value]: its first register; *used: number of registers. `l`: has the segments of w->all. */
int lower_registers(struct lowering *w, const struct ptx_lowered *l, uint8_t *reg_of, uint32_t *used);

#endif
