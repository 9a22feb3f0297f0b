/* simcore/trace/polls.h: loops that poll global memory until another warp has written there (NVArchSim, HPCA 2021,
 * section III-D: "load, compare, branch").
 *
 * A trace records as many rounds of such a loop as the tracer saw. The wrapped source keeps one round, and states
 * what the round waits for: a number of writes by other warps to the polled word. The simulation decides how long
 * the wait is. Traces do not record the values of loads and stores, so the number of writes is inferred: see
 * wanted_writes() in polls.c. */
#ifndef VIVACE_SIMCORE_TRACE_POLLS_H
#define VIVACE_SIMCORE_TRACE_POLLS_H

#include "simcore/trace/inst_source.h"

enum { POLL_WORD_BYTES = 4 };

/* Counts of one warp, while the CTA is read. */
struct poll_own {
    uint64_t warp;        /* the warp that these counts belong to */
    uint64_t all, before; /* the warp's writes to the word: all of them; those before this poll */
    uint32_t polls, nth,
        last; /* the warp's polls of the word: their count; number of this poll, from 1; see poll_own.last */
};
/* A word of global memory that the launch polls. */
struct poll_word {
    uint64_t address; /* a multiple of POLL_WORD_BYTES */
    uint64_t writes;  /* by all warps of the launch, counted by lane; polling atomics do not count */
    uint64_t early;   /* of these, by CTAs before poll_plan.at */
    uint32_t writer;  /* PC of the first instruction that writes it; valid if writes > 0 */
    bool atomics;     /* some of the writes are atomics or reductions */
    struct poll_own own;
    /* state of the simulation (sm/poll.c): */
    bool held;        /* the word is a lock, and a warp holds it */
    uint64_t seen;    /* writes so far */
    uint64_t done;    /* cycle at which they are all complete */
    uint32_t waiting; /* number of warps that wait for it */
};

/* The condition of a poll at one word. */
struct poll_need {
    uint32_t word;   /* index in poll_plan.words */
    bool lock;       /* true: the poll waits until the lock is free, and takes it; false: it waits for `writes` */
    uint64_t writes; /* the number of writes that must be complete; UINT64_MAX: no warp writes the word */
    uint64_t own;    /* of these, writes by the polling warp before the poll */
};
/* One polling instruction of a warp, of which one execution is kept. */
struct poll_wait {
    uint32_t at;          /* index in the warp's instructions */
    uint32_t first, last; /* its needs: first to last - 1 */
    uint32_t pc, end;     /* PC of the load or atomic; PC of the branch that ends the loop */
    bool sure;            /* rounds without success were recorded, or the tracer marked the loop */
};
/* The polls of a CTA; the waits of warp w are warp_first[w] to warp_first[w + 1] - 1. */
struct cta_polls {
    struct poll_wait *waits;
    struct poll_need *needs;
    uint32_t *warp_first;
    struct warp_inst *insts;
    size_t wait_count, wait_capacity, need_count, need_capacity;
};

/* A warp that waits (state of the simulation). */
struct poll_waiter {
    struct poll_need *need;
    const struct poll_wait *wait;
    uint64_t cta; /* index of its CTA in the trace */
    uint16_t sm, slot, warp;
};
/* All words that a launch polls, and the warps that wait. */
struct poll_plan {
    struct poll_word *words;
    size_t count, capacity;
    uint32_t *slots; /* hash table of index + 1; the number of slots is a power of two */
    size_t slot_count;
    uint64_t at;   /* the CTA with the first poll that was read */
    bool begun;    /* the words were passed to the simulation */
    uint64_t from; /* writes by CTAs before this one are not counted, because they count as complete */
    struct poll_waiter *waiters;
    size_t waiter_count, waiter_capacity;
};
struct poll_word *poll_plan_find(const struct poll_plan *p, uint64_t address); /* NULL: not polled */

/* Opens the launch again, to find the writers of polled words. NULL function: not possible; rounds are then left
 * out and nothing waits. */
struct poll_again {
    int (*open)(void *ctx, struct inst_source **out, struct err *e);
    void *ctx;
    /* Only a part of the work is simulated, so words without a writer may have a writer outside it, and no poll
     * waits for them. The source sets it if the trace holds only a part of its grid. */
    bool partial;
};
/* Wraps `inner`, which the caller releases after the wrapper. NULL: out of memory. */
struct inst_source *poll_source_new(struct inst_source *inner, const struct poll_again *again, struct err *e);

/* --- in poll_scan.c: polling loops of one warp --- */
enum poll_class {
    POLL_BRANCH = 1,
    POLL_LOAD = 2,     /* a load or atomic that can poll */
    POLL_ATOMIC = 4,   /* this load or atomic is an atomic */
    POLL_WRITE = 8,    /* a store, atomic or reduction */
    POLL_STOP = 16,    /* cannot be part of a polling loop */
    POLL_TEST = 32,    /* writes a predicate */
    POLL_STRONG = 64,  /* a load or atomic with a scope: volatile or relaxed, as in polls */
    POLL_LOOK = 128,   /* a strong load, or a branch that may close a polling loop */
    POLL_COUNTS = 256, /* an atomic or reduction on global memory */
    POLL_UNSEEN = 512  /* writes memory without addresses of lanes: a bulk copy, a surface */
};
struct poll_scan {
    uint16_t *class; /* of each static instruction: POLL_... */
    uint8_t *vain;   /* of each branch: a measure of executions that ended no polling loop */
    size_t count, class_capacity, vain_capacity, looks; /* looks: instructions with POLL_LOOK */
    bool can_poll, strong; /* can_poll: at least one instruction can poll; strong: one of these has a scope */
};
/* A poll found in a warp: index in the kept instructions. */
struct poll_found {
    uint32_t at;
    uint32_t end;        /* PC of the branch */
    uint32_t rounds;     /* recorded executions */
    bool marked, likely; /* marked: by the tracer; likely: a poll by its scope and the code that follows it */
};
struct poll_kept {
    struct warp_inst *insts;
    struct poll_found *found;
    size_t inst_count, inst_capacity, found_count, found_capacity;
    uint64_t dropped; /* instructions of rounds that were left out */
};
int poll_scan_extend(struct poll_scan *s, const struct inst_source *source, struct err *e);
void poll_scan_release(struct poll_scan *s);
/* Appends the kept instructions of the warp to k->insts, and its polls to k->found, with positions from the warp's
 * first instruction on. 0: the warp polls nothing, and nothing was appended; 1: it polls; -1: error. */
int poll_scan_warp(struct poll_scan *s, const struct inst_source *source, const struct cta_trace *cta,
                   const struct cta_warp *w, struct poll_kept *k, struct err *e);
/* Writes the address of each active lane. False: not recorded, or fields. */
bool poll_lanes(const struct inst_source *source, const struct cta_trace *cta, const struct warp_inst *wi,
                uint64_t address[WARP_LANES]);

#endif
