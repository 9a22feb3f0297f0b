/* ptx/warp/warp.h: a warp as a set of fragments, with the promises that bring them together again.
 *
 * A fragment is a set of lanes that stand at one op of one activation. Where a branch divides it, its parts share a
 * token: the op where they meet again (the branch's immediate post-dominator) and the lanes that are needed there.
 * A part that comes to its token's op parks; when all needed lanes have parked they go on as one. Parking is for
 * efficiency only: where nothing else in the warp can go on, or somebody spins, parked lanes are let go.
 *
 * An activation is one call of a function: its rows and its place in local memory. Lanes of several fragments share
 * one where they were called together; it ends when the last of its lanes has returned.
 *
 * Whatever ends (an exit, a merge) is done at once, so that these hold at all times:
 *   fragments are disjoint and together are the warp's live lanes;
 *   a token's needed lanes are part of those of its parent; parked lanes are part of the needed ones;
 *   the lanes of an activation are part of those of its parent. */
#ifndef VIVACE_PTX_WARP_WARP_H
#define VIVACE_PTX_WARP_WARP_H

#include "ptx/warp/exec_internal.h"

enum ptx_fragment_state { PTX_READY, PTX_PARKED, PTX_WAITS_SYNC, PTX_WAITS_BARRIER };

struct ptx_fragment {
    uint32_t mask, pc;
    uint32_t token, activation; /* of the warp; token PTX_NONE: none */
    uint8_t state;              /* enum ptx_fragment_state */
    uint32_t waits;             /* lanes at the op they wait at: its member mask, or the barrier's number */
};

struct ptx_token {
    uint32_t join, activation; /* the op of the activation where they meet */
    uint32_t needed, parked;   /* lanes; needed 0: the token is free */
    uint32_t parent;           /* PTX_NONE: none */
};

struct ptx_activation {
    uint32_t lanes; /* 0: free */
    uint32_t module;
    const struct ptx_code *code;
    uint8_t *rows; /* kept for the next call of the same function while free */
    uint32_t *preds;
    uint32_t carry;
    uint32_t parent;          /* PTX_NONE: the kernel */
    uint32_t call, return_pc; /* of the parent: the call, and the op behind it */
    uint32_t frame, depth;
    uint32_t stack_end[PTX_LANES]; /* of each lane's local memory, where code->has_stack */
};

enum { PTX_DEPTH_MAX = 4096, PTX_LOCAL_MAX = 1 << 20 }; /* calls; bytes of local memory a lane */

#define PTX_CALL_BYTES (1u << 30) /* registers of all calls of a CTA */

struct ptx_warp_state {
    struct ptx_fragment fragments[PTX_LANES];
    uint32_t fragment_count;
    uint32_t current; /* the fragment whose registers are in the warp's head; PTX_NONE */
    struct ptx_token *tokens;
    size_t token_count, token_capacity;
    struct ptx_activation *activations;
    size_t activation_count, activation_capacity;
    uint32_t spins;                  /* weighted backward branches since somebody gave way */
    uint64_t stores;                 /* the CTA's at the last backward branch */
    uint64_t spin_hash, spin_stores; /* registers and the CTA's stores when it had spun so often the last time */
    bool polls;                      /* it has read what others may write since then */
    bool waited;                     /* in this turn it came back to a poll with nothing stored, or slept */
    bool moves;                      /* when it had spun so often the last time, registers or memory had changed */
    bool yields;                     /* its turn ends here */
    uint32_t again; /* the fragment that goes on where this turn was interrupted; PTX_NONE: the newest */
};

/* --- warp.c --- */
/* Lanes 0 to threads-1 stand at op 0 of the code; what the warp was before is dropped. */
int ptx_warp_begin(struct ptx_warp *w, uint32_t module, const struct ptx_code *code, uint32_t threads);
void ptx_warp_release(struct ptx_warp *w);
/* A fragment that can run becomes current: the newest, else parked ones are let go. False: all wait. */
bool ptx_warp_pick(struct ptx_warp *w);
/* That fragment becomes current. */
void ptx_warp_enter(struct ptx_warp *w, uint32_t fragment);
/* Puts the state of the current fragment's activation back; there is no current fragment then. */
void ptx_warp_leave(struct ptx_warp *w);
/* The current fragment diverges: `taken` of its lanes go to op `target`, the others to op `other`; all of them meet
 * at `join` (PTX_NONE: nowhere). What goes first stays current. `taken` is a true part of the lanes. */
int ptx_warp_split(struct ptx_warp *w, uint32_t taken, uint32_t target, uint32_t other, uint32_t join,
                   bool taken_first);
/* The current fragment has come to its token's op. */
void ptx_warp_park(struct ptx_warp *w);
/* The op at which the current fragment parks; PTX_NONE. */
uint32_t ptx_warp_stop(const struct ptx_warp *w);
/* `lanes`, a true part of the current fragment's, become a fragment of their own, listed before it, which is
 * where the current one was when it became current. */
struct ptx_fragment *ptx_warp_insert(struct ptx_warp *w, uint32_t lanes);
/* The current fragment goes to another activation. */
void ptx_warp_move(struct ptx_warp *w, uint32_t activation, uint32_t pc);
/* A fragment that leaves an activation no longer belongs to the tokens inside it. */
void ptx_warp_leave_tokens_of(struct ptx_warp *w, struct ptx_fragment *f, uint32_t activation);
/* These lanes of the current fragment end; the others go on behind the op. */
void ptx_warp_exit(struct ptx_warp *w, uint32_t lanes);
/* A fragment spins or sleeps: the others of its warp come first, parked ones too. False: there are none. */
bool ptx_warp_give_way(struct ptx_warp *w);
/* Ready fragments that stand at one place with one token become one. */
void ptx_warp_merge(struct ptx_warp *w);
/* Where the current fragment and what becomes of it meet again: a token of its own, or the one that it has for that
 * op already. PTX_NONE: no memory, reported. */
uint32_t ptx_token_new(struct ptx_warp *w, uint32_t join);

/* --- exec_call.c --- */
/* A new activation of the code, rows and presets filled; PTX_NONE: a fault. */
uint32_t ptx_activation_new(struct ptx_warp *w, uint32_t module, const struct ptx_code *code, uint32_t parent,
                            uint32_t lanes);
/* Rows and predicates for the code, all zero; those it has are kept where they are of the same code. */
int ptx_activation_rows(struct ptx_warp *w, struct ptx_activation *a, const struct ptx_code *code);
int ptx_do_call(struct ptx_warp *w, const struct ptx_op *op, uint32_t mask);
void ptx_do_return(struct ptx_warp *w, uint32_t mask);
int ptx_local_reserve(struct ptx_warp *w, uint32_t bytes);

/* --- exec_stack.c --- */
int ptx_do_stack(struct ptx_warp *w, const struct ptx_op *op, uint32_t mask);
void ptx_stack_begin(struct ptx_activation *a);
/* Behind all local memory that these lanes use in it. */
uint32_t ptx_stack_end(const struct ptx_activation *a, uint32_t lanes);

/* --- exec_preset.c --- */
int ptx_fill_presets(struct ptx_warp *w, const struct ptx_activation *a);

/* --- exec_system.c --- */
int ptx_do_system(struct ptx_warp *w, const struct ptx_op *op, uint32_t mask);

/* --- exec_warp.c --- */
/* The lanes do it, or wait for others (there may be no current fragment then). -1: a fault. */
int ptx_do_warp(struct ptx_warp *w, const struct ptx_op *op, uint32_t mask);
/* Matrix instructions: all lanes that live come to the same op. */
int ptx_do_matrix(struct ptx_warp *w, const struct ptx_op *op, uint32_t mask);
/* Waiting lanes whose partners are all there, or gone, do what they wait for. Not with a current fragment. */
int ptx_warp_sync_retry(struct ptx_warp *w);

/* --- exec_run.c --- */
/* A turn of the warp begins: what the last one left behind is dropped. */
void ptx_warp_turn_begin(struct ptx_warp *w);
/* Runs the warp for `quantum` instructions of its turn, or until that ends early because it yields or nothing of it
 * can go on. -1: a fault; *used: instructions. */
int ptx_warp_turn(struct ptx_warp *w, uint32_t quantum, uint32_t *used);
/* exec_spin.c. The current fragment has spun for long: a loop without an end is a fault (-1, reported), one that
 * repeats itself a wait. */
int ptx_warp_spun(struct ptx_warp *w);

#endif
