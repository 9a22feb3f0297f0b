/* simcore/sm/opcode_table.h: maps SASS mnemonics to actions of the timing model.
 *
 * The part before the first dot selects a row; modifiers count where they change the timing. An opcode that is not
 * in the table is classified by its first letters (U... is uniform, LD... a load, ...) and never rejected. */
#ifndef VIVACE_SIMCORE_SM_OPCODE_TABLE_H
#define VIVACE_SIMCORE_SM_OPCODE_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "simcore/design.h"

/* The action of an instruction; `unit` is the pipe of plain arithmetic. */
enum op_action {
    ACT_COMPUTE, /* a unit with fixed latency */
    ACT_TENSOR,  /* rate depends on shape and type */
    ACT_LOAD,
    ACT_STORE,
    ACT_ATOMIC,
    ACT_REDUCTION,
    ACT_ASYNC_COPY,    /* LDGSTS: global to shared, completes in a group */
    ACT_COMMIT,        /* LDGDEPBAR: closes the group */
    ACT_WAIT_GROUP,    /* DEPBAR: waits for all but the last n groups */
    ACT_WAIT_TENSOR,   /* WARPGROUP.DEPBAR and similar: waits for warp-group products */
    ACT_BULK_COPY,     /* UTMA..., UBLK...: bulk copies by descriptor, with or without fields */
    ACT_TENSOR_MEMORY, /* LDTM, STTM: moves between registers and tensor memory, after the pending products */
    ACT_CONSTANT,      /* LDC, ULDC with a register address: through the memory queue */
    ACT_TEXTURE,
    ACT_SHUFFLE,
    ACT_BRANCH,
    ACT_BARRIER,
    ACT_ARRIVE, /* BAR.SYNC and similar; BAR.ARV does not wait */
    ACT_FENCE,
    ACT_INVALIDATE, /* CCTL.IVALL: drops the L1 */
    ACT_NOTHING,    /* only takes an issue slot: NOP, EXIT, BSSY, ... */
    ACT_SYNCS,      /* an operation on a barrier in shared memory, which the trace may state */
    ACT_CLUSTER_ARRIVE,
    ACT_CLUSTER_WAIT
};
enum op_space { SPACE_NONE, SPACE_GLOBAL, SPACE_SHARED, SPACE_LOCAL, SPACE_GENERIC };
enum op_flags {
    OP_WRITES_PREDICATE = 1,
    OP_READS_PREDICATE = 2, /* reads a predicate as data: SEL, carry chains */
    OP_GUARDED = 4,         /* reads a predicate as a guard: branches */
    OP_BYPASS_L1 = 8,
    OP_MATRIX = 16,     /* LDSM, STSM: lane addresses are rows of 16 bytes */
    OP_WARP_GROUP = 32, /* asynchronous tensor product of four warps */
    OP_FIELDS = 64,     /* a trace can have fields for it (trace/fields.h) */
    OP_REDUCES = 128,   /* a copy that reduces into its destination */
    OP_COUNTS = 128     /* of ATOMS: lanes on one word are counted, and the word is changed once */
};

/* The classes of the instruction mix in the counters. */
/* clang-format off */
#define OP_MIX(X) \
    X(FP32, "fp32", "single-precision arithmetic and compares") \
    X(FP16, "fp16", "half-precision pairs") \
    X(FP64, "fp64", "double-precision arithmetic") \
    X(INT, "int", "integer, logic, move and select") \
    X(SFU, "sfu", "transcendental functions, conversions and bit counts") \
    X(TENSOR, "tensor", "matrix products") \
    X(UNIFORM, "uniform", "uniform datapath") \
    X(CONTROL, "control", "branches, exits, predicates and the like") \
    X(LOAD, "load", "loads from global, local and generic addresses") \
    X(STORE, "store", "stores to global, local and generic addresses") \
    X(SHARED, "shared", "loads, stores and matrix moves of shared memory") \
    X(ATOMIC, "atomic", "atomics and reductions") \
    X(CONSTANT, "constant", "loads from constant memory") \
    X(TEXTURE, "texture", "texture and surface accesses") \
    X(SYNC, "sync", "barriers, fences and waits") \
    X(OTHER, "other", "all else")
/* clang-format on */
enum op_mix {
#define X(name, text, sentence) MIX_##name,
    OP_MIX(X)
#undef X
        MIX_COUNT
};

struct op_info {
    uint8_t action, unit, space, flags, mix;
    bool known; /* false: classified by its first letters */
    bool typed; /* tensor: the GPU has a rate for this type; false: classified as 16 bit */
    /* for tensor instructions only: */
    uint32_t tensor_interval; /* cycles for which it occupies the tensor unit of a sub-core */
    uint32_t tensor_latency;  /* cycles from issue to a dependent issue */
};

void opcode_classify(const char *text, const struct gpu_design *d, struct op_info *out);

/* In isa_since.c: the first compute capability, times ten, that has this instruction; 0: all simulated GPUs have
 * it, or unknown. */
uint32_t opcode_since(const char *opcode);

#endif
