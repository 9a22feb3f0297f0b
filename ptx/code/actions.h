/* ptx/code/actions.h: where the operands of each action lie: what decoding fills in and running reads.
 *
 * args.src[i] and args.dst are rows, or places in preds where this says "predicate"; PTX_NO_ROW: there is none.
 * `what` is ptx_access.what of the op's access.
 *
 * Addresses in rows are addresses in the space of the instruction: bytes from its window's begin for shared and
 * local memory (cvta adds and removes PTX_SHARED_BASE and PTX_LOCAL_BASE), device addresses for global and constant
 * memory (cvta is the identity: .const variables are allocated like global ones). A variable's address always comes
 * from a preset row; only parameters are reached by offset alone:
 *   - of the kernel: space PTX_SPACE_PARAM, no base, offset in the parameter block;
 *   - inside functions (formal parameters, results, .param variables for calls): space PTX_SPACE_LOCAL, no base,
 *     offset in the frame of the activation, see struct ptx_call. */
#ifndef VIVACE_PTX_CODE_ACTIONS_H
#define VIVACE_PTX_CODE_ACTIONS_H

#include "ptx/code/op.h"

/* PTX_DO_BRANCH_INDEX: src[0]: 32-bit index; target: number of the table: count, ops.
 * PTX_DO_CALL: access: number of the call (struct ptx_call); target: function of the module; PTX_NONE: src[0] has
 *   the address (64 bits) of a function of the program.
 * PTX_DO_SYSTEM_CALL: access: number of the call; args.imm: enum ptx_system.
 * PTX_DO_SPECIAL: dst, args.imm: enum ptx_special: CLOCK, CLOCK_HI, CLOCK64, GLOBALTIMER, _LO, _HI.
 * PTX_DO_SLEEP: src[0]: nanoseconds, or no row.
 * PTX_DO_LOAD, _STORE, _ATOMIC: struct ptx_access; atomics: dst (no row: red), src[0] operand, src[1] of cas.
 * PTX_DO_TRAP: args.imm: 1: brkpt.
 * PTX_DO_STACK: dst or src[0]: size, address in local memory; args.imm: enum ptx_stack. */

/* Bits of args.imm: what; 64-bit rows; from PTX_STACK_ALIGN on: the alignment. */
enum ptx_stack {
    PTX_STACK_ALLOCA,
    PTX_STACK_SAVE,
    PTX_STACK_RESTORE,
    PTX_STACK_WHAT = 3,
    PTX_STACK_WIDE = 4,
    PTX_STACK_ALIGN = 3
};

enum ptx_system { PTX_SYS_VPRINTF, PTX_SYS_MALLOC, PTX_SYS_FREE, PTX_SYS_ASSERTFAIL };

/* PTX_DO_WARP. src[3]: row of the member mask; no row: the form without .sync, which acts on the lanes at hand.
 * type: PTX_B32 or PTX_B64 (match), the type of redux. */
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
enum { PTX_CLUSTER_BARRIER = 16 }; /* barrier.cluster: no operands; programs name 0 to 15 */
enum ptx_barrier_what {
    PTX_BARRIER_SYNC,
    PTX_BARRIER_ARRIVE,
    PTX_BARRIER_POPC,
    PTX_BARRIER_AND,
    PTX_BARRIER_OR,
    PTX_BARRIER_CLUSTER_ARRIVE,
    PTX_BARRIER_CLUSTER_WAIT
};

/* PTX_DO_MATRIX. args.imm: number of the struct ptx_matrix (MMA, LOAD, STORE), 1: .trans (LDMATRIX, STMATRIX,
 * MOVMATRIX). A fragment's place in the registers is that of mma.sync, of wmma as well:
 *   8 rows of A, or columns of B, and 4 registers' worth of k fill one register of all lanes: lane 4 g + t holds
 * row g, values t * p to t * p + p - 1 of that stretch of k, p values a register; stretches of k follow each other,
 * in each the blocks of 8 rows; 8 x 8 of C or D: row g, columns 2 t and 2 t + 1; down the blocks of a column of
 * blocks first. Addresses: access as of a load; observers see those of each register of LOAD and STORE. */
enum ptx_matrix_what {
    PTX_MATRIX_MMA = 64, /* beyond enum ptx_warp_what: lanes that wait for each other compare these */
    PTX_MATRIX_LOAD,     /* wmma.load: values of matrix.rows[part]; src[0]: stride in values (32 bits) or no row */
    PTX_MATRIX_STORE,
    PTX_MATRIX_LDMATRIX, /* values: one row each matrix */
    PTX_MATRIX_STMATRIX,
    PTX_MATRIX_MOVMATRIX, /* dst, src[0] */
    PTX_MATRIX_WGMMA      /* args.imm: number of the struct ptx_wgmma */
};

/* PTX_DO_TEXTURE. base: row of the handle (64 bits); src: coordinates (the layer first; 32 bits each); values: rows
 * of the results, or of what is stored. args.imm: dimensions, then flags; from PTX_TEXTURE_CHANNEL on two bits:
 * which channel (GATHER), what happens beyond the edges (surfaces). QUERY: imm: 0 to 2 size along it, 3 layers. */
enum ptx_texture_what {
    PTX_TEXTURE_FETCH,
    PTX_TEXTURE_GATHER,
    PTX_TEXTURE_QUERY,
    PTX_SURFACE_LOAD, /* x in bytes */
    PTX_SURFACE_STORE
};
enum { PTX_TEXTURE_DIMS = 3, PTX_TEXTURE_LAYERED = 4, PTX_TEXTURE_WHOLE = 8, PTX_TEXTURE_CHANNEL = 4 };
enum { PTX_SURFACE_TRAP, PTX_SURFACE_CLAMP, PTX_SURFACE_ZERO };

/* PTX_DO_ATOMIC: vector > 1: values are the operands, those of the access behind it the results. Else: access as of
 * a load (one value a lane; value_bits: of dst and sources); args.imm: 1: .noftz. */
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

/* atomics.c: can it be done to this type? For decoding, so that what cannot is reported before anything runs. */
bool ptx_atomic_known(uint8_t what, uint8_t type);

/* PTX_DO_ASYNC: space, base, base_bits, offset of the access: what is written, or the barrier (shared or generic);
 * none where there is no address. */
enum ptx_async_what {
    PTX_CP_ASYNC, /* vector: bytes (4, 8, 16); values[0]: row of the source's global address (64 bits), plus
                     args.imm as int32; src[0]: row of src-size (32 bits) or no row; src[1]: predicate ignore-src
                     (negate bit 1) or no row */
    PTX_CP_ASYNC_COMMIT,
    PTX_CP_ASYNC_WAIT,     /* args.imm: groups that may be pending */
    PTX_CP_ASYNC_WAIT_ALL, /* those that are not committed, too */
    PTX_CP_ASYNC_ARRIVE,   /* cp.async.mbarrier.arrive; args.imm: 1: .noinc */
    PTX_MBARRIER_INIT,     /* src[0]: count (32 bits) */
    PTX_MBARRIER_INVAL,
    PTX_MBARRIER_ARRIVE,      /* dst: row of 64 bits or no row; src[0]: count (32 bits) or no row */
    PTX_MBARRIER_ARRIVE_DROP, /* the same */
    PTX_MBARRIER_ARRIVE_TX,   /* .expect_tx: src[0]: bytes (32 bits) */
    PTX_MBARRIER_DROP_TX,     /* the same for arrive_drop */
    PTX_MBARRIER_EXPECT_TX,   /* src[0]: bytes */
    PTX_MBARRIER_COMPLETE_TX,
    PTX_MBARRIER_TEST,          /* test_wait and try_wait; dst: predicate; src[0]: state (64 bits) */
    PTX_MBARRIER_TEST_PARITY,   /* src[0]: parity (32 bits) */
    PTX_MBARRIER_PENDING_COUNT, /* dst: 32 bits; src[0]: state (64 bits) */
    PTX_CP_BULK,                /* three accesses from the op's on: to, from, barrier; src[0]: bytes (32 bits);
                                   args.imm: 1: the barrier counts them; src[1]: which CTAs of the cluster get
                                   them (16 bits) or no row */
    PTX_CP_BULK_REDUCE,         /* the same; what and type of the second access: the atomic that is done */
    PTX_TENSOR_LOAD,            /* three accesses from the op's on: shared memory, the map (generic; values: rows of
                                   the coordinates, 32 bits), barrier; src[1] as of CP_BULK */
    PTX_TENSOR_STORE,           /* the same without a barrier: to the tensor */
    PTX_TENSOR_REDUCE,          /* the same; args.imm: the atomic that is done */
    PTX_ASYNC_STORE,            /* two accesses: the barrier, where the values go; src[1]: bytes (32 bits) */
    PTX_ASYNC_REDUCE,           /* the same; the second as of an atomic, with src[0] */
    PTX_CLUSTER_MAPA,           /* dst, src[0]: of type; src[1]: rank (32 bits) */
    PTX_CLUSTER_RANK            /* dst: 32 bits; src[0]: of type */
};

/* Bits of ptx_access.hints. They change no value; traces carry them. */
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
