/* ptx/warp/warp.h: a warp as a set of fragments, and the tokens that reconverge them.
 *
 * A fragment is a set of lanes at one op of one activation. If a branch divides a fragment, its parts share a
 * token. The token has the op where they reconverge (the branch's immediate post-dominator) and the lanes that
 * it needs. A part that reaches its token's op parks. When all needed lanes have parked, they continue as one
 * fragment. Parking only improves speed: parked lanes are released if no other fragment of the warp can
 * continue, or if one spins.
 *
 * An activation is one call of a function: its rows and its frame in local memory. Several fragments share an
 * activation if their lanes were called together. It ends when its last lane has returned.
 *
 * Every end (an exit, a merge) takes effect at once, so these invariants hold at all times:
 *   fragments are disjoint, and together they are the warp's live lanes;
 *   a token's needed lanes are a subset of its parent's; parked lanes are a subset of the needed ones;
 *   the lanes of an activation are a subset of its parent's. */
#ifndef VIVACE_PTX_WARP_WARP_H
#define VIVACE_PTX_WARP_WARP_H

#include "ptx/warp/exec_internal.h"

enum ptx_fragment_state { PTX_READY, PTX_PARKED, PTX_WAITS_SYNC, PTX_WAITS_BARRIER };

struct ptx_fragment {
    uint32_t mask, pc;
    uint32_t token, activation; /* indices in the warp; token PTX_NONE: none */
    uint8_t state;              /* enum ptx_fragment_state */
    uint32_t waits;             /* member mask of the op they wait at, or the barrier's number */
};

struct ptx_token {
    uint32_t join, activation; /* the op of the activation where the fragments reconverge */
    uint32_t needed, parked;   /* lanes; needed 0: the token is free */
    uint32_t parent;           /* PTX_NONE: none */
};

struct ptx_activation {
    uint32_t lanes; /* 0: the activation is free */
    uint32_t module;
    const struct ptx_code *code;
    uint8_t *rows; /* a free activation keeps them for the next call of the same function */
    uint32_t *preds;
    uint32_t carry;
    uint32_t parent;          /* PTX_NONE: the kernel */
    uint32_t call, return_pc; /* in the parent: the call, and the op after it */
    uint32_t frame, depth;
    uint32_t stack_end[PTX_LANES]; /* end of each lane's local memory; used if code->has_stack */
};

enum { PTX_DEPTH_MAX = 4096, PTX_LOCAL_MAX = 1 << 20 }; /* calls; bytes of local memory per lane */

#define PTX_CALL_BYTES (1u << 30) /* maximum bytes of registers of all calls of a CTA */

/* Detects a waiting warp that repeats its state. The state is hashed at each spin check and compared with one
 * earlier hash, which is replaced after 1, 2, 4, ... checks (R. P. Brent, An improved Monte Carlo factorization
 * algorithm, 1980). So a cycle of any length is found. */
struct ptx_spin {
    uint64_t
        progress; /* ptx_progress() at the time of the hash; UINT64_MAX: no hash, or the warp has read a clock */
    uint64_t hash;
    uint32_t checks, limit; /* checks since the hash was taken; it is replaced at `limit` */
    bool repeats;           /* the hash was found again: nothing changes until progress does */
};

/* The registers that influence how the loop at this block continues. */
struct ptx_slice {
    const struct ptx_code *code; /* NULL: none computed */
    uint32_t block;
    bool *needed; /* of each register of the function */
};

struct ptx_warp_state {
    struct ptx_fragment fragments[PTX_LANES];
    uint32_t fragment_count;
    uint32_t current; /* the fragment whose registers are in struct ptx_warp; PTX_NONE */
    struct ptx_token *tokens;
    size_t token_count, token_capacity;
    struct ptx_activation *activations;
    size_t activation_count, activation_capacity;
    uint32_t spins;  /* weighted backward branches since a fragment last gave way */
    uint64_t stores; /* the CTA's count of stores at the last backward branch */
    struct ptx_spin spin;
    struct ptx_slice slice; /* a cache; not in checkpoints */
    bool polls;             /* since the last spin check it has read memory that others may write */
    bool waited;            /* in this turn it repeated a poll without a store in between, or it slept */
    bool yields;            /* its turn ends at this point */
    uint32_t again;         /* the fragment that continues if this turn was interrupted; PTX_NONE: the latest */
};

/* --- warp.c --- */
/* Lanes 0 to threads-1 start at op 0 of the code. Discards the warp's earlier state. */
int ptx_warp_begin(struct ptx_warp *w, uint32_t module, const struct ptx_code *code, uint32_t threads);
void ptx_warp_release(struct ptx_warp *w);
/* Selects the latest fragment that can run as the current fragment. If no fragment can run, releases parked ones.
 * False: all fragments wait. */
bool ptx_warp_pick(struct ptx_warp *w);
/* Makes the given fragment the current one. */
void ptx_warp_enter(struct ptx_warp *w, uint32_t fragment);
/* Writes the current fragment's registers back to its activation. Afterwards there is no current fragment. */
void ptx_warp_leave(struct ptx_warp *w);
/* The current fragment diverges: the lanes `taken` continue at op `target`, the others at op `other`. All
 * reconverge at `join` (PTX_NONE: nowhere). The part that runs first stays current. `taken` is a proper subset
 * of the lanes. */
int ptx_warp_split(struct ptx_warp *w, uint32_t taken, uint32_t target, uint32_t other, uint32_t join,
                   bool taken_first);
/* The current fragment has reached its token's op. */
void ptx_warp_park(struct ptx_warp *w);
/* The op at which the current fragment parks; PTX_NONE. */
uint32_t ptx_warp_stop(const struct ptx_warp *w);
/* Splits `lanes`, a proper subset of the current fragment's lanes, off into a separate fragment. It is inserted
 * before the current one in the list. Its pc is the one at which the current fragment became current. */
struct ptx_fragment *ptx_warp_insert(struct ptx_warp *w, uint32_t lanes);
/* Moves the current fragment to another activation. */
void ptx_warp_move(struct ptx_warp *w, uint32_t activation, uint32_t pc);
/* Removes a fragment that leaves an activation from the tokens of that activation. */
void ptx_warp_leave_tokens_of(struct ptx_warp *w, struct ptx_fragment *f, uint32_t activation);
/* These lanes of the current fragment end. The others continue after the op. */
void ptx_warp_exit(struct ptx_warp *w, uint32_t lanes);
/* A fragment spins or sleeps: the other fragments of its warp run first, including parked ones. False: there are
 * none. */
bool ptx_warp_give_way(struct ptx_warp *w);
/* Merges ready fragments that are at the same op with the same token. */
void ptx_warp_merge(struct ptx_warp *w);
/* Returns a token at which the current fragment and its parts reconverge: a new one, or its current token if
 * that is for the same op. PTX_NONE: no memory, error is set. */
uint32_t ptx_token_new(struct ptx_warp *w, uint32_t join);

/* --- exec_call.c --- */
/* Creates an activation of the code, with rows and presets filled. PTX_NONE: a fault. */
uint32_t ptx_activation_new(struct ptx_warp *w, uint32_t module, const struct ptx_code *code, uint32_t parent,
                            uint32_t lanes);
/* Allocates rows and predicates for the code and sets them to zero. Reuses existing ones if they belong to the
 * same code. */
int ptx_activation_rows(struct ptx_warp *w, struct ptx_activation *a, const struct ptx_code *code);
int ptx_do_call(struct ptx_warp *w, const struct ptx_op *op, uint32_t mask);
void ptx_do_return(struct ptx_warp *w, uint32_t mask);
int ptx_local_reserve(struct ptx_warp *w, uint32_t bytes);

/* --- exec_stack.c --- */
int ptx_do_stack(struct ptx_warp *w, const struct ptx_op *op, uint32_t mask);
void ptx_stack_begin(struct ptx_activation *a);
/* The end of all local memory that these lanes use in the activation. */
uint32_t ptx_stack_end(const struct ptx_activation *a, uint32_t lanes);

/* --- exec_preset.c --- */
int ptx_fill_presets(struct ptx_warp *w, const struct ptx_activation *a);

/* --- exec_system.c --- */
int ptx_do_system(struct ptx_warp *w, const struct ptx_op *op, uint32_t mask);

/* --- exec_warp.c --- */
/* The lanes execute the op, or wait for others (there may be no current fragment afterwards). -1: a fault. */
int ptx_do_warp(struct ptx_warp *w, const struct ptx_op *op, uint32_t mask);
/* Matrix instructions: all live lanes must execute the same op. */
int ptx_do_matrix(struct ptx_warp *w, const struct ptx_op *op, uint32_t mask);
/* Waiting lanes whose partners have all arrived or ended execute their op. The warp must have no current
 * fragment. */
int ptx_warp_sync_retry(struct ptx_warp *w);

/* --- exec_run.c --- */
/* Begins a turn of the warp and resets the state of the last turn. */
void ptx_warp_turn_begin(struct ptx_warp *w);
/* Runs the warp for `quantum` instructions of its turn. Stops earlier if it yields or no fragment can continue.
 * *used: instructions executed. -1: a fault. */
int ptx_warp_turn(struct ptx_warp *w, uint32_t quantum, uint32_t *used);
/* exec_spin.c: the current fragment has spun for long. An endless loop is a fault (-1, reported). A loop that
 * repeats its state is a wait. */
int ptx_warp_spun(struct ptx_warp *w);
/* A spin check of a warp that sleeps. -1: no memory, reported. */
int ptx_spin_check(struct ptx_warp *w);
/* exec_slice.c: for each register, whether it influences how the loop around this block continues; the loop is in
 * the current function. The result is valid until the next call. NULL: no memory, reported. */
const bool *ptx_slice_of(struct ptx_warp *w, uint32_t block);
/* The warp will repeat its state for ever unless another warp stores something. */
bool ptx_warp_repeats(const struct ptx_warp *w);

#endif
