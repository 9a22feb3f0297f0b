/* simcore/ptx/actions.h: where the operands of each action lie: what decoding fills in and running reads.
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
#ifndef VIVACE_SIMCORE_PTX_ACTIONS_H
#define VIVACE_SIMCORE_PTX_ACTIONS_H

#include "simcore/ptx/op.h"

/* PTX_DO_BRANCH_INDEX: src[0]: 32-bit index; target: number of the table: count, ops.
 * PTX_DO_CALL: access: number of the call (struct ptx_call); target: function of the module; PTX_NONE: src[0] has
 *   the address (64 bits) of a function of the program.
 * PTX_DO_SYSTEM_CALL: access: number of the call; args.imm: enum ptx_system.
 * PTX_DO_SPECIAL: dst, args.imm: enum ptx_special: CLOCK, CLOCK_HI, CLOCK64, GLOBALTIMER, _LO, _HI.
 * PTX_DO_SLEEP: src[0]: nanoseconds, or no row.
 * PTX_DO_LOAD, _STORE, _ATOMIC: struct ptx_access; atomics: dst (no row: red), src[0] operand, src[1] of cas.
 * PTX_DO_TRAP: args.imm: 1: brkpt. */

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
    PTX_REDUX_ADD,   /* dst, src[0]: 32 bits */
    PTX_REDUX_MIN,
    PTX_REDUX_MAX,
    PTX_REDUX_AND,
    PTX_REDUX_OR,
    PTX_REDUX_XOR,
    PTX_ELECT, /* dst: row of 32 bits or no row; dst2: predicate */
    PTX_ACTIVEMASK,
    PTX_BAR_WARP
};

/* PTX_DO_BARRIER. src[0]: barrier, src[1]: number of threads or no row, 32 bits. src[2]: predicate of red (negate
 * bit 2). dst: row of 32 bits (popc) or predicate (and, or). */
enum ptx_barrier_what { PTX_BARRIER_SYNC, PTX_BARRIER_ARRIVE, PTX_BARRIER_POPC, PTX_BARRIER_AND, PTX_BARRIER_OR };

#endif
