/* ptx/warp/options.h: what a launch is, how it runs, who watches it, and what is counted. */
#ifndef VIVACE_PTX_WARP_OPTIONS_H
#define VIVACE_PTX_WARP_OPTIONS_H

#include "ptx/code/op.h"

enum { PTX_CLUSTER_MAX = 16 }; /* CTAs of a cluster: the most that a GPC takes (CUDA C++ guide, clusters) */
struct ptx_launch {
    uint32_t module, function;              /* an entry */
    uint32_t grid[3], block[3], cluster[3]; /* cluster: 0: as the kernel says (.reqnctapercluster), else alone */
    uint32_t shared_bytes;                  /* dynamic */
    uint32_t envreg[4]; /* %envreg0 to 3: what a runtime reports a kernel beside its parameters */
    const void *params; /* param_bytes of the function, laid out */
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
    bool fields;        /* what is notified of copies and barriers (trace/fields.h), beside their addresses */
};

/* What an observer is notified of. Any member may be NULL. */
struct ptx_observer {
    void *ctx;
    /* A CTA begins or has ended; warps: how many it has. */
    void (*cta)(void *ctx, const uint32_t id[3], uint32_t warps, bool begins);
    /* What follows is of this CTA: reported before each of its turns. */
    void (*turn)(void *ctx, const uint32_t id[3]);
    /* Warp `warp` of the CTA has executed op `op` of `code` with these lanes (guard applied; 0: all were off).
     * Called before memory() of the same op, in program order of the warp. */
    void (*executed)(void *ctx, uint32_t warp, const struct ptx_code *code, uint32_t op, uint32_t mask);
    /* The same of `count` ops from `first` on, all with these lanes, the last one with `last_mask`: for who wants
     * few calls. Those that change the flow, the first of each turn and those that are executed by other lanes than
     * the op before are reported when they begin, others when the warp leaves its block (ptx_op.reports) at the
     * latest: memory() of them may come first, when all of other blocks has been reported. */
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

#endif
