/* ptx/warp/cta.h: a CTA: its warps in turns, its barriers. */
#ifndef VIVACE_PTX_WARP_CTA_H
#define VIVACE_PTX_WARP_CTA_H

#include "base/strbuf.h"
#include "ptx/warp/warp.h"

/* A warp arrives when all its lanes that live have; it then counts as whole. */
struct ptx_barrier {
    uint32_t expected;             /* warps; 0: all that live */
    uint32_t arrived;              /* warps, with those that do not wait */
    uint32_t warps;                /* which have arrived, a bit each */
    uint32_t lanes[PTX_WARPS_MAX]; /* of warps that are not all here yet */
    uint32_t count;                /* of lanes whose predicate held, for red */
    bool all, any;
};

/* A round, in which every live warp has its turn. It may be interrupted and goes on as if it had not been. */
struct ptx_round {
    uint32_t warp;      /* whose turn it is */
    uint32_t turn;      /* instructions that it has */
    uint32_t left;      /* of these; 0: it has not begun */
    uint64_t used, all; /* instructions of this round; of those before, since the CTA's turn began */
    uint64_t stores;    /* the CTA's when the warp's turn began */
    bool waits;         /* the warps that ran only waited */
    bool moves;         /* registers of one that ran changed while it waited */
    bool released;      /* warps that waited at a barrier */
};

struct ptx_cta_state {
    struct ptx_warp warps[PTX_WARPS_MAX];
    uint32_t warp_count, live_warps;
    struct ptx_round round;
    bool moves;                  /* of the round that ended last, see struct ptx_round */
    uint32_t turn;               /* instructions of a turn that begins now */
    uint64_t executed, pause_at; /* instructions since it began; it stops at that number (UINT64_MAX: no) */
    struct ptx_barrier barriers[PTX_BARRIERS];
    uint32_t barriers_used; /* those with lanes or warps, a bit each */
    /* barrier.cluster: lanes that have arrived since all of the cluster last had. */
    uint32_t cluster_arrived[PTX_WARPS_MAX];
};

/* Warp instructions of a warp's turn. Behind a barrier turns are short until all have had one, and then twice as
 * long in each round: where one warp has gone n instructions, no other has gone more than 2 n and a short turn.
 * Kernels that write again what others read behind the barrier, and lack a second one, run on a GPU
 * because warps go on side by side there: softmax_autoregressive_backward_kernel of llm.c does so, some 60
 * instructions behind it. */
enum { PTX_TURN = 4096, PTX_TURN_FIRST = 16 };

enum ptx_cta_turn { PTX_CTA_ENDED, PTX_CTA_STALLED, PTX_CTA_RUNS, PTX_CTA_PAUSED, PTX_CTA_FAULT };

/* --- cta.c --- */
/* For CTAs of this launch; begun and ended many times. NULL with *e. */
struct ptx_cta *ptx_cta_new(struct ptx_run *r, struct err *e);
void ptx_cta_free(struct ptx_cta *c);
uint64_t ptx_cta_bytes(const struct ptx_cta *c); /* that it takes, roughly */
int ptx_cta_begin(struct ptx_cta *c, uint64_t number);
/* Runs its warps in turns until it ends, until all of them only wait for others, for a long while, or to where it
 * is to stop. */
enum ptx_cta_turn ptx_cta_run(struct ptx_cta *c);

/* --- barrier.c --- */
int ptx_do_barrier(struct ptx_warp *w, const struct ptx_op *op, uint32_t mask);
/* Some lanes of the warp have ended: barriers may be complete without them. Not with a current fragment. */
void ptx_barriers_retry(struct ptx_warp *w);

/* Those of the warp that wait at the barrier go on. */
void ptx_barrier_release_warp(struct ptx_warp *w, uint32_t number);

/* --- faults.c --- */
/* Nothing goes on any more, for that reason: says which warps wait for what. */
int ptx_dead_end(struct ptx_cta *c, const char *why);
/* What warp w waits for, in a few words. */
void ptx_describe_warp(const struct ptx_warp *w, struct strbuf *b);

#endif
