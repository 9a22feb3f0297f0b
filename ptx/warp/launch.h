/* ptx/warp/launch.h: a running launch: the state that its CTAs share. */
#ifndef VIVACE_PTX_WARP_LAUNCH_H
#define VIVACE_PTX_WARP_LAUNCH_H

#include "base/strbuf.h"
#include "ptx/warp/exec_internal.h"
#include "ptx/program/program.h"
#include "ptx/code/shared.h"

/* One call of printf. Its text is in `text` of the launch. */
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
    uint64_t ctas, next, end; /* total; first that has not begun; first that must not begin */
    uint32_t cluster_ctas;    /* CTAs in a cluster; they begin together */
    uint64_t idle;            /* consecutive CTA turns without a store and without an end of a CTA */
    struct ptx_cta **resident;
    size_t resident_count, resident_capacity, turn; /* turn: the CTA whose turn it is */
    uint64_t resident_bytes;
    struct ptx_cta *spare;
    struct ptx_prints prints;
    uint64_t quiet;    /* instructions of CTAs that only repeat their state, since any other turn of a CTA */
    uint64_t progress; /* turns of CTAs that have stored something */
    struct ptx_exec_stats stats;
    bool stops_inside; /* ptx_run_to(): the run stops before the end of the launch */
    bool printed;      /* the printf output has been passed on */
};

/* --- faults.c --- */
/* The module that contains the function. */
const struct ptx_module *ptx_module_of(const struct ptx_run *r, const struct ptx_code *code);

/* --- exec_print.c --- */
/* Adds the output of a printf call. *count: number of conversions. -1: a fault. */
int ptx_print_call(struct ptx_warp *w, uint32_t lane, uint64_t format, uint64_t args, int32_t *count);
void ptx_prints_hand_over(struct ptx_run *r);

#endif
