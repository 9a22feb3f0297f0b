/* ptx/exec/exec.h: running one kernel launch: its CTAs one after the other or a few side by side, their warps in
 * turns, each warp a set of fragments.
 *
 * Deterministic: the same launch gives the same bytes, the same order of observed instructions and the same trace.
 * A CTA runs until it blocks or ends; its warps take turns of a fixed quantum. */
#ifndef VIVACE_PTX_EXEC_EXEC_H
#define VIVACE_PTX_EXEC_EXEC_H

#include "ptx/memory/device_memory.h"
#include "ptx/code/op.h"

/* A module in a context: variables have addresses, functions are decoded when first needed. */
struct ptx_program; /* opaque */
struct ptx_program *ptx_program_new(struct device_memory *memory, struct err *e);
void ptx_program_free(struct ptx_program *p);
/* Products and sums that the assembler may fuse are fused (contract.h) in functions decoded from now on. */
void ptx_program_contract(struct ptx_program *p, bool on);
/* Takes the module over (also on error). Global and constant variables are allocated and initialised; .extern names
 * are looked up among the modules already loaded. *module: its number. */
int ptx_program_load(struct ptx_program *p, struct ptx_module *m, uint32_t *module, struct err *e);
const struct ptx_module *ptx_program_module(const struct ptx_program *p, uint32_t module);
/* The decoded function; decodes it on first use. NULL with *e: its fault. */
const struct ptx_code *ptx_program_code(struct ptx_program *p, uint32_t module, uint32_t function, struct err *e);
/* Address and size of a global or constant variable; ERR_NOT_FOUND. */
int ptx_program_symbol(const struct ptx_program *p, uint32_t module, const char *name, uint64_t *address,
                       uint64_t *bytes, struct err *e);

enum { PTX_CLUSTER_MOST = 16 }; /* CTAs of a cluster: as many as a GPC takes at most (CUDA C++ guide, clusters) */
struct ptx_launch {
    uint32_t module, function;              /* an entry */
    uint32_t grid[3], block[3], cluster[3]; /* cluster: 0: as the kernel says (.reqnctapercluster), else alone */
    uint32_t shared_bytes;                  /* dynamic */
    uint32_t envreg[4];                     /* %envreg0 to 3: what a runtime tells a kernel beside its parameters */
    const void *params;                     /* param_bytes of the function, laid out */
    uint32_t param_bytes;
};

struct ptx_watch;
struct ptx_shadow;

/* How the lanes of an access lie, as far as it was found out on the way. */
enum ptx_lie { PTX_LIE_UNKNOWN, PTX_LIE_STRIDED, PTX_LIE_SCATTERED };
/* Addresses of one access, after a generic address was resolved: device addresses for global and constant memory,
 * else bytes from the begin of the space; local memory as the lane counts it. */
struct ptx_touched {
    const struct ptx_code *code;
    uint32_t op; /* of the code */
    enum ptx_space space;
    enum ptx_lie lie;
    uint32_t mask;
    int64_t stride;     /* STRIDED: from lane to lane; else 0 */
    const uint64_t *at; /* PTX_LANES, valid where the mask has a bit */
    bool fields;        /* what is told of copies and barriers (trace/fields.h), beside their addresses */
};

/* What somebody who watches is told. Any member may be NULL. */
struct ptx_observer {
    void *ctx;
    /* A CTA begins or has ended; warps: how many it has. */
    void (*cta)(void *ctx, const uint32_t id[3], uint32_t warps, bool begins);
    /* What follows is of this CTA: told before each of its turns. */
    void (*turn)(void *ctx, const uint32_t id[3]);
    /* Warp `warp` of the CTA has executed op `op` of `code` with these lanes (guard applied; 0: all were off).
     * Called before memory() of the same op, in program order of the warp. */
    void (*executed)(void *ctx, uint32_t warp, const struct ptx_code *code, uint32_t op, uint32_t mask);
    /* The same of `count` ops from `first` on, all with these lanes, the last one with `last_mask`: for who wants
     * few calls. Those that change the flow, the first of each turn and those that are executed by other lanes than
     * the op before are told when they begin, others when the warp leaves its block (ptx_op.tells) at the latest:
     * memory() of them may come first, when all of other blocks has been told. */
    void (*ran)(void *ctx, uint32_t warp, const struct ptx_code *code, uint32_t first, uint32_t count,
                uint32_t mask, uint32_t last_mask);
    /* Its addresses; once for each space that they go to. */
    void (*memory)(void *ctx, uint32_t warp, const struct ptx_touched *a);
};

struct ptx_exec_options {
    uint64_t limit_instructions; /* warp instructions of the launch; 0: 2^40 */
    bool strict;                 /* report what the manual leaves undefined */
    bool taken_first;            /* a diverged branch runs its target first: results must not depend on it */
    uint32_t sms;                /* %nsmid; 0: 80 */
    const struct ptx_observer *observer;
    struct ptx_shadow *shadow;     /* strict mode: what was never written (shadow.h); NULL: everything was */
    const struct ptx_watch *watch; /* watch.h: tools that look into warps; NULL: none */
    /* printf output, in CTA, warp, lane order, when the launch ends; NULL: dropped and counted */
    void (*print)(void *ctx, const char *text, size_t n);
    void *print_ctx;
};

struct ptx_exec_stats {
    uint64_t warp_instructions, lane_instructions, ctas, divergent_branches, barriers, undefined;
};

/* Runs the launch to its end. ERR_SIMULATION with kernel, file:line, CTA, warp, lane and reason where it faults
 * (bad or misaligned address, trap, assert, limit, every warp blocked: who waits for what). Memory is as the fault
 * left it. */
int ptx_launch_run(struct ptx_program *p, const struct ptx_launch *l, const struct ptx_exec_options *o,
                   struct ptx_exec_stats *stats, struct err *e);

/* The same, a CTA at a time, for those who take instructions as they come (a trace, the timing model): next() runs
 * CTAs in linear order. 1: a CTA was run to its end (its instructions went to the observer); 0: no more; -1. CTAs
 * that wait for others (grid barriers) make it run several before it answers. */
struct ptx_run; /* opaque */
struct ptx_run *ptx_run_new(struct ptx_program *p, const struct ptx_launch *l, const struct ptx_exec_options *o,
                            struct err *e);
int ptx_run_next(struct ptx_run *r, struct err *e);
/* From the begin of a launch to a point inside: CTAs below `cta` run to their end, `ctas` of them from there on so
 * many instructions each (fewer where they end or wait for others), nothing else has begun. ptx_run_next() goes on.
 * ERR_INVALID: it has no such CTA, or those below wait for later ones. */
int ptx_run_to(struct ptx_run *r, uint64_t cta, uint64_t ctas, uint64_t instructions, struct err *e);
const struct ptx_exec_stats *ptx_run_stats(const struct ptx_run *r);
void ptx_run_free(struct ptx_run *r);

#endif
