/* ptx/lower/lowering.h: a function while it is lowered: what its files share (lower.h is what comes out).
 *
 * values.c   which values are copies of others and need no instruction, which ops are dead or become part of others
 * address.c  registers plus constants, and loads at known places of the constant bank
 * merge.c    neighbouring loads that become one
 * branch.c   short branches that become guards
 * select.c   the machine instructions of each op, with values as operands
 * schedule.c their order in a segment
 * registers.c values to registers
 * lower.c    all of it, and the table */
#ifndef VIVACE_PTX_LOWER_LOWERING_H
#define VIVACE_PTX_LOWER_LOWERING_H

#include "ptx/code/live.h"
#include "ptx/lower/lower.h"

#define VALUE_NONE  UINT32_MAX /* no register: a constant, a parameter, zero */
#define VALUE_WORDS 4

enum { TOUCHES_MAX = 2 * PTX_WGMMA_SUMS + 16 };
struct touches {
    uint32_t reads[TOUCHES_MAX], writes[TOUCHES_MAX], read_count, write_count; /* values; guards among the reads */
};

/* A part of a value: words from `word` on. */
struct part {
    uint32_t value; /* VALUE_NONE: no register */
    uint8_t word, words;
};

struct lower_value {
    uint8_t words; /* 32 bits each */
    bool pred;
    bool single;        /* written by one op, which has no guard: the same wherever it is live */
    bool copied;        /* it is `source`, or with VALUE_NONE no register */
    uint32_t defs, def; /* ops that write it; one of them */
    uint32_t uses;      /* reads by ops that stay */
    struct part source;
    struct part address; /* as an address it is this plus `offset`; address.words 0: itself */
    int64_t offset;
    bool is_static;      /* the address of a variable, known when the program is loaded */
    uint32_t begin, end; /* positions of struct ptx_range, of all that it represents; begin > end: none */
};

/* COPY: its result is another value; JOINED: in `joined`; MERGED: another load does its work; GUARDS: a branch
 * whose predicate guards what it would skip */
enum op_fate { OP_STAYS, OP_COPY, OP_DEAD, OP_JOINED, OP_MERGED, OP_GUARDS };

/* A machine instruction whose operands are values. */
struct mop {
    uint32_t op;     /* PTX */
    uint32_t opcode; /* of the table */
    uint16_t width;
    uint8_t latency, memory; /* latency: a guess for the order; memory: enum mop_memory */
    bool accesses, fixed;    /* fixed: nothing passes it */
    uint8_t src_count;
    struct part dst, src[INST_MAX_SRC];
    uint32_t pred_read, pred_write; /* values; VALUE_NONE */
    int32_t immediate;              /* -1: none */
};
/* LOADS and STORES: plus enum ptx_space. ORDERS: no access to memory passes it. */
enum mop_memory { MOP_NO_MEMORY, MOP_ORDERS, MOP_LOADS = 16, MOP_STORES = 32 };

struct lowering {
    struct ptx_machine_table *table;
    const struct ptx_code *code;
    const struct ptx_function *f;
    struct ptx_flow flow;
    struct ptx_live live;
    struct lower_value *values; /* those of `live`, then groups and temporaries */
    size_t value_count, value_capacity;
    uint8_t *fate;     /* of each op */
    uint32_t *joined;  /* of each op: the op that it becomes part of; of that op the other way round; PTX_NONE */
    uint32_t *merged;  /* of each op: the op whose wider load is made here; PTX_NONE */
    uint32_t *group;   /* of that op: the value that its load writes; VALUE_NONE */
    struct part scale; /* of the segment in work: a register with `scale_bits`; value VALUE_NONE: none yet */
    uint64_t scale_bits;
    bool *joins;      /* of each block: lanes come together at its begin (BSYNC) */
    uint8_t *splits;  /* of each block: how often its lanes are counted at its end for that (BSSY) */
    struct mop *mops; /* of the segment in work */
    size_t mop_count, mop_capacity;
    uint32_t *order; /* of these, when scheduled */
    struct mop *all; /* of the whole function, in order */
    size_t all_count, all_capacity;
    uint32_t registers_most; /* allowed */
    struct err *e;
};

/* values.c */
void lower_touches(const struct lowering *w, uint32_t op, struct touches *out);
int lower_values(struct lowering *w, const struct ptx_segment *segments, uint32_t count);
struct part lower_resolve(const struct lowering *w, uint32_t value);
/* address.c */
void lower_find_addresses(struct lowering *w);
/* Where an address is part of a group now, that is what it is. To be called when groups have been made. */
void lower_settle_addresses(struct lowering *w);
/* Loads of the constant bank at known places are operands. */
void lower_fold_constants(struct lowering *w);
struct lower_place {
    struct part base; /* VALUE_NONE: the place is known */
    int64_t offset;
};
/* Of the op's operand in brackets. False: it has none, or it is no whole register plus a constant. */
bool lower_place_of(const struct lowering *w, uint32_t op, struct lower_place *out);
/* A number known when the kernel is compiled: an immediate operand, the place of a shared variable, a register that
 * has one of them. */
bool lower_constant(const struct lowering *w, const struct ptx_operand *o, int64_t *out);
/* Does the memory op use this value as an address that is another value plus a constant? */
bool lower_is_address(const struct lowering *w, uint32_t op, uint32_t value);
uint32_t lower_new_value(struct lowering *w, uint8_t words); /* VALUE_NONE: no memory */
/* copies.c: of ops that only copy: from where. */
void lower_find_copies(struct lowering *w);
/* The op does nothing but make `value`, which is a part of `source`. */
void lower_copy_of(struct lowering *w, uint32_t op, uint32_t value, struct part source);
const struct ptx_operand *lower_operand(const struct lowering *w, uint32_t op, uint32_t k); /* NULL: it has fewer */
/* The value of an operand that is a whole register; VALUE_NONE. */
uint32_t lower_register_of(const struct lowering *w, const struct ptx_operand *o);
bool lower_is_single(const struct lowering *w, uint32_t value); /* written once */
/* merge.c */
int lower_merge(struct lowering *w, const struct ptx_segment *segments, uint32_t count);
/* branch.c */
int lower_branches(struct lowering *w);
/* select.c: appends the op's machine instructions to w->mops. */
int lower_select(struct lowering *w, uint32_t op);
/* join.c */
/* What op `producer` and the op that reads its result become together; NULL: they stay two. */
const char *lower_join(const struct lowering *w, uint32_t producer, uint32_t consumer);
bool lower_joins_many(const struct lowering *w, uint32_t producer); /* costs nothing in each of several ops */
/* schedule.c: w->order for w->mops, which are those of `s`. */
int lower_schedule(struct lowering *w, const struct ptx_segment *s);
/* registers.c: reg_of[value]: its first register; *used: how many. Segments say where w->all is cut. */
int lower_registers(struct lowering *w, const struct ptx_segment *segments, uint32_t count, uint8_t *reg_of,
                    uint32_t *used);

#endif
