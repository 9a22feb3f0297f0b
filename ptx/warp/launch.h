/* ptx/warp/launch.h: a launch that runs: what its CTAs share. */
#ifndef VIVACE_PTX_WARP_LAUNCH_H
#define VIVACE_PTX_WARP_LAUNCH_H

#include "base/strbuf.h"
#include "ptx/warp/exec_internal.h"
#include "ptx/program/program.h"
#include "ptx/code/shared.h"

/* One call of printf: its text is in `text` of the launch. */
struct ptx_printed {
    uint64_t cta;
    uint32_t warp, lane;
    size_t at, length;
};

struct ptx_prints {
    struct strbuf text;
    struct ptx_printed *calls;
    size_t count, capacity;
};

enum { PTX_PRINT_MAX = 64 << 20, PTX_HEAP_BYTES = 8 << 20, PTX_SHARED_MAX = 256 << 10 };

struct ptx_run {
    struct ptx_program *program;
    struct ptx_launch launch; /* params: a copy */
    struct ptx_exec_options options;
    const struct ptx_code *code;
    struct ptx_shared shared;
    uint64_t ctas, next, end; /* how many there are, the first that has not begun, the first that is not to begin */
    uint32_t cluster_ctas;    /* of a cluster: they begin together */
    uint64_t idle;            /* turns of CTAs in a row in which nothing was stored and none ended */
    struct ptx_cta **resident;
    size_t resident_count, resident_capacity, turn; /* turn: whose it is */
    uint64_t resident_bytes;
    struct ptx_cta *spare;
    struct ptx_prints prints;
    uint64_t
        quiet; /* instructions of CTAs that only wait, since anybody has stored; fewer where registers change */
    struct ptx_exec_stats stats;
    bool stops_inside; /* ptx_run_to(): this is not the end of the launch */
    bool printed;      /* the output has been handed over */
};

/* --- faults.c --- */
/* The module whose function this is. */
const struct ptx_module *ptx_module_of(const struct ptx_run *r, const struct ptx_code *code);

/* --- exec_print.c --- */
/* Adds what printf would print; *count: conversions. -1: a fault. */
int ptx_print_call(struct ptx_warp *w, uint32_t lane, uint64_t format, uint64_t args, int32_t *count);
void ptx_prints_hand_over(struct ptx_run *r);

#endif
