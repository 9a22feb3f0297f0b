/* simcore/sm/opcode_table.h: SASS mnemonics -> what the timing model does with them.
 *
 * The part before the first dot picks a row; the modifiers are looked at where they matter. An opcode that is not
 * in the table is classed by its first letters (U... is uniform, LD... a load, ...), never refused. */
#ifndef VIVACE_SIMCORE_SM_OPCODE_TABLE_H
#define VIVACE_SIMCORE_SM_OPCODE_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "simcore/design.h"

/* What an instruction does; `unit` says where plain arithmetic runs. */
enum op_action {
    ACT_COMPUTE, /* a unit with fixed latency */
    ACT_TENSOR,  /* rate by shape and type */
    ACT_LOAD,
    ACT_STORE,
    ACT_ATOMIC,
    ACT_REDUCTION,
    ACT_ASYNC_COPY,    /* LDGSTS: global to shared, completes in a group */
    ACT_COMMIT,        /* LDGDEPBAR: closes the group */
    ACT_WAIT_GROUP,    /* DEPBAR: waits for all but the last n groups */
    ACT_WAIT_TENSOR,   /* WARPGROUP.DEPBAR and the like: waits for warp-group products */
    ACT_BULK_COPY,     /* UTMA..., UBLK...: copies by descriptor, with fields or without */
    ACT_TENSOR_MEMORY, /* LDTM, STTM: registers from and to tensor memory, behind the products under way */
    ACT_CONSTANT,      /* LDC, ULDC with a register address: through the memory queue */
    ACT_TEXTURE,
    ACT_SHUFFLE,
    ACT_BRANCH,
    ACT_BARRIER,
    ACT_ARRIVE, /* BAR.SYNC and the like; BAR.ARV does not wait */
    ACT_FENCE,
    ACT_INVALIDATE, /* CCTL.IVALL: drops the L1 */
    ACT_NOTHING,    /* issues, and that is all: NOP, EXIT, BSSY, ... */
    ACT_SYNCS,      /* a barrier in shared memory: what exactly is in the trace, or not known */
    ACT_CLUSTER_ARRIVE,
    ACT_CLUSTER_WAIT
};
enum op_space { SPACE_NONE, SPACE_GLOBAL, SPACE_SHARED, SPACE_LOCAL, SPACE_GENERIC };
enum op_flags {
    OP_WRITES_PREDICATE = 1,
    OP_READS_PREDICATE = 2, /* as data: SEL, carry chains */
    OP_GUARDED = 4,         /* as a guard: branches */
    OP_BYPASS_L1 = 8,
    OP_MATRIX = 16,     /* LDSM, STSM: lane addresses are rows of 16 bytes */
    OP_WARP_GROUP = 32, /* asynchronous tensor product of four warps */
    OP_FIELDS = 64,     /* what a trace says of it may be fields (trace/fields.h) */
    OP_REDUCES = 128    /* a copy that changes what is there */
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
    bool known; /* false: classed by its first letters */
    bool typed; /* tensor: the GPU has a rate for this type; false: classed as 16 bit */
    /* tensor instructions only */
    uint32_t tensor_interval; /* cycles on the tensor unit of a sub-core */
    uint32_t tensor_latency;  /* cycles from issue to a dependent issue */
};

void opcode_classify(const char *text, const struct gpu_design *d, struct op_info *out);

/* isa_since.c: the first compute capability, times ten, whose GPUs have this instruction; 0: all that are
 * simulated, or not known. */
uint32_t opcode_since(const char *opcode);

#endif
