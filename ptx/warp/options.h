/* ptx/warp/options.h: a launch, its execution options, its observers and its counts. */
#ifndef VIVACE_PTX_WARP_OPTIONS_H
#define VIVACE_PTX_WARP_OPTIONS_H

#include "ptx/code/op.h"

enum { PTX_CLUSTER_MAX = 16 }; /* CTAs of a cluster: maximum of a GPC (CUDA C++ guide, clusters) */
struct ptx_launch {
    uint32_t module, function;              /* a kernel entry */
    uint32_t grid[3], block[3], cluster[3]; /* cluster: 0: the kernel's own (.reqnctapercluster), else none */
    uint32_t shared_bytes;                  /* dynamic shared memory */
    uint32_t envreg[4]; /* %envreg0 to 3: values that a runtime passes to a kernel besides its parameters */
    const void *params; /* param_bytes of the function, in its layout */
    uint32_t param_bytes;
};

struct ptx_watch;
struct ptx_shadow;

/* The address pattern of an access, if the executor has determined it. */
enum ptx_lie { PTX_LIE_UNKNOWN, PTX_LIE_STRIDED, PTX_LIE_SCATTERED };
/* Addresses of one access, with generic addresses resolved. Global and constant memory: device addresses. Other
 * spaces: bytes from the begin of the space. Local memory: the lane's own offset. */
struct ptx_touched {
    const struct ptx_code *code;
    uint32_t op; /* index in the code */
    enum ptx_space space;
    enum ptx_lie lie;
    uint32_t mask;
    int64_t stride;     /* STRIDED: bytes between lanes; else 0 */
    const uint64_t *at; /* PTX_LANES addresses; valid for lanes of the mask */
    bool fields;        /* the values are fields of a copy or barrier (trace/fields.h), not addresses */
};

/* Events that an observer receives. Any member may be NULL. */
struct ptx_observer {
    void *ctx;
    /* A CTA begins or has ended. warps: its number of warps. */
    void (*cta)(void *ctx, const uint32_t id[3], uint32_t warps, bool begins);
    /* The following events belong to this CTA. Called before each of its turns. */
    void (*turn)(void *ctx, const uint32_t id[3]);
    /* Warp `warp` of the CTA has executed op `op` of `code` with these lanes (after the guard; 0: no lane).
     * Called before memory() of the same op, in the warp's program order. */
    void (*executed)(void *ctx, uint32_t warp, const struct ptx_code *code, uint32_t op, uint32_t mask);
    /* Like executed(), for `count` ops from `first` on: all with the lanes `mask`, the last one with
     * `last_mask`. It makes fewer calls. Ops that change the control flow, the first op of each turn, and ops
     * whose lanes differ from the previous op are reported when they begin. Other ops are reported at the latest
     * when the warp leaves its block (ptx_op.reports). Their memory() may come first, but only after all ops of
     * other blocks are reported. */
    void (*ran)(void *ctx, uint32_t warp, const struct ptx_code *code, uint32_t first, uint32_t count,
                uint32_t mask, uint32_t last_mask);
    /* The addresses of an op; called once for each space that it accesses. */
    void (*memory)(void *ctx, uint32_t warp, const struct ptx_touched *a);
};

/* Where operations happened that the manual leaves undefined, outside of strict mode. Each place is reported once,
 * the first PTX_WARNED_MAX of them. */
enum { PTX_WARNED_MAX = 16 };
struct ptx_warnings {
    void (*say)(void *ctx, const char *text); /* kernel, file and line, CTA, warp, lane, what happened */
    void *ctx;
    struct {
        const struct ptx_code *code;
        uint32_t op;
    } places[PTX_WARNED_MAX];
    uint32_t count;
};

struct ptx_exec_options {
    uint64_t limit_instructions; /* warp instructions of the launch; 0: 2^40 */
    bool strict;                 /* report operations that the manual leaves undefined */
    bool taken_first;            /* a diverged branch runs its target first: results must not depend on the order */
    uint32_t sms;                /* %nsmid; 0: 80 */
    const struct ptx_observer *observer;
    struct ptx_shadow *shadow;     /* strict mode: memory that was never written (shadow.h); NULL: all memory
                                    * counts as written */
    const struct ptx_watch *watch; /* watch.h: tools that inspect warps; NULL: none */
    /* Receives the printf output in order of CTA, warp and lane when the launch ends. NULL: the output is
     * dropped and counted. */
    void (*print)(void *ctx, const char *text, size_t n);
    void *print_ctx;
    struct ptx_warnings *warnings; /* NULL: they are only counted */
};

struct ptx_exec_stats {
    uint64_t warp_instructions, lane_instructions, ctas, divergent_branches, barriers, undefined;
};

#endif
