/* ptx/code/actions.h: the operands of each action. Decoding fills them in, and execution reads them.
 *
 * args.src[i] and args.dst are rows, or indices in preds if a comment below says "predicate". PTX_NO_ROW: absent.
 * `what` is ptx_access.what of the op's access.
 *
 * Addresses in rows are addresses in the state space of the instruction. For shared and local memory they are bytes
 * from the start of the window; cvta adds and subtracts PTX_SHARED_BASE and PTX_LOCAL_BASE. For global and constant
 * memory they are device addresses; cvta does nothing, because .const variables are allocated like global ones. The
 * address of a variable always comes from a preset row. Only parameters are addressed by an offset alone:
 *   - parameters of the kernel: space PTX_SPACE_PARAM, no base, offset in the parameter block;
 *   - in functions (formal parameters, results, .param variables for calls): space PTX_SPACE_LOCAL, no base, offset
 *     in the frame of the activation, see struct ptx_call. */
#ifndef VIVACE_PTX_CODE_ACTIONS_H
#define VIVACE_PTX_CODE_ACTIONS_H

#include "ptx/code/op.h"

/* PTX_DO_BRANCH_INDEX: src[0]: 32-bit index; target: number of the table (count, then ops).
 * PTX_DO_CALL: access: number of the call (struct ptx_call); target: function of the module. PTX_NONE: src[0]
 * contains the address (64 bits) of a function of the program.
 * PTX_DO_SYSTEM_CALL: access: number of the call; args.imm: enum ptx_system.
 * PTX_DO_SPECIAL: dst; args.imm: enum ptx_special: CLOCK, CLOCK_HI, CLOCK64, GLOBALTIMER, _LO, _HI.
 * PTX_DO_SLEEP: src[0]: nanoseconds, or no row.
 * PTX_DO_LOAD, _STORE, _ATOMIC: struct ptx_access. Atomics: dst (no row: red), src[0]: operand, src[1]: second
 * operand of cas.
 * PTX_DO_TRAP: args.imm: 1: brkpt.
 * PTX_DO_STACK: dst or src[0]: size, or address in local memory; args.imm: enum ptx_stack. */

/* Fields of args.imm: PTX_STACK_WHAT: mask of the operation; PTX_STACK_WIDE: rows have 64 bits; PTX_STACK_ALIGN:
 * first bit of the alignment. */
enum ptx_stack {
    PTX_STACK_ALLOCA,
    PTX_STACK_SAVE,
    PTX_STACK_RESTORE,
    PTX_STACK_WHAT = 3,
    PTX_STACK_WIDE = 4,
    PTX_STACK_ALIGN = 3
};

enum ptx_system {
    PTX_SYS_VPRINTF,
    PTX_SYS_MALLOC,
    PTX_SYS_FREE,
    PTX_SYS_ASSERTFAIL,
    PTX_SYS_LAUNCH_BUFFER, /* memory for the parameters of a launch */
    PTX_SYS_LAUNCH,
    PTX_SYS_CUDA_MALLOC,
    PTX_SYS_CUDA_FREE,
    PTX_SYS_NO_ERROR /* returns 0 */
};

/* PTX_DO_WARP. src[3]: row of the member mask; no row: the form without .sync, which acts on the active lanes.
 * type: PTX_B32 or PTX_B64 (match), or the type of redux. */
enum ptx_warp_what {
    PTX_SHFL_UP, /* dst, dst2: predicate or no row; src[0] value (32 bits), src[1] distance or lane, src[2] c */
    PTX_SHFL_DOWN,
    PTX_SHFL_BFLY,
    PTX_SHFL_IDX,
    PTX_VOTE_ALL, /* dst: predicate; src[0]: predicate (negate bit 0) */
    PTX_VOTE_ANY,
    PTX_VOTE_UNI,
    PTX_VOTE_BALLOT, /* dst: row of 32 bits */
    PTX_MATCH_ANY,   /* dst: mask; src[0] */
    PTX_MATCH_ALL,   /* dst: mask, dst2: predicate or no row */
    PTX_REDUX_ADD,   /* dst, src[0]: 32 bits; f32: access.offset has flags */
    PTX_REDUX_MIN,
    PTX_REDUX_MAX,
    PTX_REDUX_AND,
    PTX_REDUX_OR,
    PTX_REDUX_XOR,
    PTX_ELECT, /* dst: row of 32 bits or no row; dst2: predicate */
    PTX_ACTIVEMASK,
    PTX_BAR_WARP
};

enum { PTX_REDUX_ABS = 1, PTX_REDUX_NAN = 2 };

/* PTX_DO_BARRIER. src[0]: barrier, src[1]: number of threads or no row, 32 bits. src[2]: predicate of red (negate
 * bit 2). dst: row of 32 bits (popc) or predicate (and, or). */
enum { PTX_CLUSTER_BARRIER = 16 }; /* number of barrier.cluster, which has no operands; PTX barriers are 0 to 15 */
enum ptx_barrier_what {
    PTX_BARRIER_SYNC,
    PTX_BARRIER_ARRIVE,
    PTX_BARRIER_POPC,
    PTX_BARRIER_AND,
    PTX_BARRIER_OR,
    PTX_BARRIER_CLUSTER_ARRIVE,
    PTX_BARRIER_CLUSTER_WAIT
};

/* PTX_DO_MATRIX. args.imm: number of the struct ptx_matrix (MMA, LOAD, STORE); 1: .trans (LDMATRIX, STMATRIX,
 * MOVMATRIX). Fragments have the register layout of mma.sync, for wmma too:
 *   - A and B: a register of all lanes holds 8 rows of A (8 columns of B) and 4 p values of k, if a register holds
 *     p values. Lane 4 g + t holds row g and values t p to t p + p - 1. The next register holds the next 8 rows.
 *     After the last row, the next register holds the next 4 p values of k.
 *   - C and D: lane 4 g + t holds row g, columns 2 t and 2 t + 1 of each block of 8 x 8 values. Blocks are in
 *     column-major order.
 * The address is in the access, as for a load. Observers see the addresses of each register of LOAD and STORE. */
enum ptx_matrix_what {
    PTX_MATRIX_MMA = 64, /* above enum ptx_warp_what, because waiting lanes are matched by it */
    PTX_MATRIX_LOAD,     /* wmma.load: values of matrix.rows[part]; src[0]: stride in values (32 bits) or no row */
    PTX_MATRIX_STORE,
    PTX_MATRIX_LDMATRIX, /* values: one row per matrix */
    PTX_MATRIX_STMATRIX,
    PTX_MATRIX_MOVMATRIX, /* dst, src[0] */
    PTX_MATRIX_WGMMA      /* args.imm: number of the struct ptx_wgmma */
};

/* PTX_DO_TEXTURE. base: row of the handle (64 bits). src: coordinates, 32 bits each, the layer first. values: rows
 * of the results, or of the values to store. args.imm: dimensions, then flags. The two bits from
 * PTX_TEXTURE_CHANNEL on are the channel (GATHER) or the behaviour outside the edges (surfaces). QUERY: imm: 0 to
 * 2: size of this dimension; 3: layers. */
enum ptx_texture_what {
    PTX_TEXTURE_FETCH,
    PTX_TEXTURE_GATHER,
    PTX_TEXTURE_QUERY,
    PTX_SURFACE_LOAD, /* x in bytes */
    PTX_SURFACE_STORE
};
enum { PTX_TEXTURE_DIMS = 3, PTX_TEXTURE_LAYERED = 4, PTX_TEXTURE_WHOLE = 8, PTX_TEXTURE_CHANNEL = 4 };
enum { PTX_SURFACE_TRAP, PTX_SURFACE_CLAMP, PTX_SURFACE_ZERO };

/* PTX_DO_ATOMIC. vector > 1: `values` are the operands; `values` of the next access are the results. Otherwise the
 * access is as for a load (one value per lane; value_bits: of dst and sources). args.imm: 1: .noftz. */
enum ptx_atomic_what {
    PTX_ATOM_ADD, /* integers of 32 and 64 bits, f16 f16x2 bf16 bf16x2 f32 f64 */
    PTX_ATOM_MIN, /* integers; f16 and bf16 kinds */
    PTX_ATOM_MAX,
    PTX_ATOM_INC, /* u32 */
    PTX_ATOM_DEC,
    PTX_ATOM_AND, /* 32 and 64 bits */
    PTX_ATOM_OR,
    PTX_ATOM_XOR,
    PTX_ATOM_EXCH, /* 32, 64, 128 bits */
    PTX_ATOM_CAS   /* 16, 32, 64, 128 bits; compares src[0], writes src[1] */
};

/* atomics.c: does this operation exist for this type? Decoding calls it, so a missing one is reported before
 * execution. */
bool ptx_atomic_known(uint8_t what, uint8_t type);

/* PTX_DO_ASYNC. space, base, base_bits, offset of the access: the destination address, or the barrier (shared or
 * generic). Unused if the instruction has no address. */
enum ptx_async_what {
    PTX_CP_ASYNC, /* vector: bytes (4, 8, 16); values[0]: row of the source's global address (64 bits), plus
                     args.imm as int32; src[0]: row of src-size (32 bits) or no row; src[1]: predicate ignore-src
                     (negate bit 1) or no row */
    PTX_CP_ASYNC_COMMIT,
    PTX_CP_ASYNC_WAIT,     /* args.imm: groups that may be pending */
    PTX_CP_ASYNC_WAIT_ALL, /* groups that are not committed, too */
    PTX_CP_ASYNC_ARRIVE,   /* cp.async.mbarrier.arrive; args.imm: 1: .noinc */
    PTX_MBARRIER_INIT,     /* src[0]: count (32 bits) */
    PTX_MBARRIER_INVAL,
    PTX_MBARRIER_ARRIVE,      /* dst: row of 64 bits or no row; src[0]: count (32 bits) or no row */
    PTX_MBARRIER_ARRIVE_DROP, /* as MBARRIER_ARRIVE */
    PTX_MBARRIER_ARRIVE_TX,   /* .expect_tx: src[0]: bytes (32 bits) */
    PTX_MBARRIER_DROP_TX,     /* as MBARRIER_ARRIVE_TX, for arrive_drop */
    PTX_MBARRIER_EXPECT_TX,   /* src[0]: bytes */
    PTX_MBARRIER_COMPLETE_TX,
    PTX_MBARRIER_TEST,          /* test_wait and try_wait; dst: predicate; src[0]: state (64 bits) */
    PTX_MBARRIER_TEST_PARITY,   /* src[0]: parity (32 bits) */
    PTX_MBARRIER_PENDING_COUNT, /* dst: 32 bits; src[0]: state (64 bits) */
    PTX_CP_BULK, /* three accesses, starting with the op's: destination, source, barrier; src[0]: bytes (32 bits);
                    args.imm: 1: the barrier counts them; src[1]: mask of the destination CTAs of the cluster (16
                    bits) or no row */
    PTX_CP_BULK_REDUCE, /* as CP_BULK; what and type of the second access: the atomic operation */
    PTX_TENSOR_LOAD, /* three accesses, starting with the op's: shared memory, the tensor map (generic; values: rows
                        of the coordinates, 32 bits), barrier; src[1] as for CP_BULK */
    PTX_TENSOR_STORE,  /* as TENSOR_LOAD, without a barrier; copies to the tensor */
    PTX_TENSOR_REDUCE, /* as TENSOR_STORE; args.imm: the atomic operation */
    PTX_ASYNC_STORE,   /* two accesses: the barrier, the destination; src[1]: bytes (32 bits) */
    PTX_ASYNC_REDUCE,  /* as ASYNC_STORE; the second access as for an atomic, with src[0] */
    PTX_CLUSTER_MAPA,  /* dst, src[0]: of type; src[1]: rank (32 bits) */
    PTX_CLUSTER_RANK   /* dst: 32 bits; src[0]: of type */
};

/* Bits of ptx_access.hints. They change no value. Traces contain them. */
enum ptx_hint {
    PTX_HINT_NC = 1 << 0, /* ld.global.nc: through the read-only path */
    PTX_HINT_CA = 1 << 1,
    PTX_HINT_CG = 1 << 2,
    PTX_HINT_CS = 1 << 3,
    PTX_HINT_CV = 1 << 4,
    PTX_HINT_LU = 1 << 5,
    PTX_HINT_WB = 1 << 6,
    PTX_HINT_WT = 1 << 7,
    PTX_HINT_VOLATILE = 1 << 8,
    PTX_HINT_RELAXED = 1 << 9,
    PTX_HINT_ACQUIRE = 1 << 10,
    PTX_HINT_RELEASE = 1 << 11,
    PTX_HINT_SCOPE_CTA = 1 << 12,
    PTX_HINT_SCOPE_CLUSTER = 1 << 13,
    PTX_HINT_SCOPE_GPU = 1 << 14,
    PTX_HINT_SCOPE_SYS = 1 << 15
};

#endif
