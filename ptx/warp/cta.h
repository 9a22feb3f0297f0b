/* ptx/warp/cta.h: a CTA: runs its warps in turns, and implements its barriers. */
#ifndef VIVACE_PTX_WARP_CTA_H
#define VIVACE_PTX_WARP_CTA_H

#include "base/strbuf.h"
#include "ptx/warp/warp.h"

/* A warp arrives at a barrier when all its live lanes have arrived. */
struct ptx_barrier {
    uint32_t expected;             /* warps; 0: all live warps */
    uint32_t arrived;              /* warps, including those that do not wait */
    uint32_t warps;                /* warps that have arrived, one bit each */
    uint32_t lanes[PTX_WARPS_MAX]; /* arrived lanes of incomplete warps */
    uint32_t count;                /* for red: lanes whose predicate was true */
    bool all, any;
};

/* A round gives each live warp one turn. It may be interrupted; an interruption has no effect on the results. */
struct ptx_round {
    uint32_t warp;      /* the warp whose turn it is */
    uint32_t turn;      /* instructions of the turn */
    uint32_t left;      /* remaining instructions of the turn; 0: it has not begun */
    uint64_t used, all; /* instructions of this round; instructions of earlier rounds since the CTA's turn began */
    uint64_t stores;    /* the CTA's count of stores when the warp's turn began */
    bool waits;         /* all warps that ran were only waiting */
    bool moves;         /* a waiting warp is not known to repeat its state */
    bool released;      /* a barrier has released warps */
};

struct ptx_cta_state {
    struct ptx_warp warps[PTX_WARPS_MAX];
    uint32_t warp_count, live_warps;
    struct ptx_round round;
    bool moves;                  /* of the last complete round, see struct ptx_round */
    uint32_t turn;               /* length of the next warp turns, in instructions */
    uint64_t executed, pause_at; /* instructions since the CTA began; it pauses at pause_at (UINT64_MAX: never) */
    struct ptx_barrier barriers[PTX_BARRIERS];
    uint32_t barriers_used; /* barriers with arrived lanes or warps, one bit each */
    /* barrier.cluster: lanes that have arrived in the current phase. */
    uint32_t cluster_arrived[PTX_WARPS_MAX];
};

/* Warp instructions of a warp's turn. After a barrier turns are short until every warp has had one. Then they
 * double in each round. If one warp has executed n instructions after the barrier, no other warp has executed
 * more than 2 n plus a short turn. Reason: some kernels lack a second barrier before they overwrite data that
 * other warps read after the first one. They work on a GPU because warps progress at a similar rate. Example:
 * softmax_autoregressive_backward_kernel of llm.c overwrites some 60 instructions after the barrier. */
enum { PTX_TURN = 4096, PTX_TURN_FIRST = 16 };

enum ptx_cta_turn { PTX_CTA_ENDED, PTX_CTA_STALLED, PTX_CTA_RUNS, PTX_CTA_PAUSED, PTX_CTA_FAULT };

/* --- cta.c --- */
/* Creates a CTA object for this launch. It is reused for many CTAs. NULL: *e is set. */
struct ptx_cta *ptx_cta_new(struct ptx_run *r, struct err *e);
void ptx_cta_free(struct ptx_cta *c);
uint64_t ptx_cta_bytes(const struct ptx_cta *c); /* memory in use, approximate */
int ptx_cta_begin(struct ptx_cta *c, uint64_t number);
/* Runs the warps in turns until the CTA ends, until all warps have only waited for a long time, or until the
 * pause point. */
enum ptx_cta_turn ptx_cta_run(struct ptx_cta *c);

/* --- barrier.c --- */
int ptx_do_barrier(struct ptx_warp *w, const struct ptx_op *op, uint32_t mask);
/* Reports the fields of the barrier op at w->pc to the observer, if the barrier has a number or counts warps. */
void ptx_barrier_report(const struct ptx_warp *w, uint32_t number, uint32_t expected, uint32_t mask);
/* Some lanes of the warp have ended. Releases barriers that are complete without them. The warp must have no
 * current fragment. */
void ptx_barriers_retry(struct ptx_warp *w);

/* Releases the fragments of the warp that wait at the barrier. */
void ptx_barrier_release_warp(struct ptx_warp *w, uint32_t number);

/* --- faults.c --- */
/* No warp can continue, for the reason `why`. Sets an error that lists which warps wait for which event. */
int ptx_dead_end(struct ptx_cta *c, const char *why);
/* Appends a short description of the event that warp w waits for. */
void ptx_describe_warp(const struct ptx_warp *w, struct strbuf *b);

#endif
