/* ptx/trace/trace_log.h: what a launch executes, kept CTA by CTA as machine instructions. Watches the executor.
 *
 * Of each warp the ops of the segment under way are kept with their lanes and addresses; when the segment ends, or
 * the warp goes on elsewhere, the machine instructions of what was executed follow in the segment's order. */
#ifndef VIVACE_PTX_TRACE_TRACE_LOG_H
#define VIVACE_PTX_TRACE_TRACE_LOG_H

#include "ptx/trace/trace_cta.h"

struct ptx_op_log {
    uint32_t mask, row; /* row: of its addresses in the CTA's store; NO_ADDRESS */
    uint32_t more;      /* one more access of it, in `more` of the CTA; UINT32_MAX: none */
    uint32_t serial;    /* of the segment that this is about */
};

/* A warp's segment under way. Mostly the same lanes execute all of it, but for a branch at its end: then (`even`)
 * the rows of its addresses stand behind those of the warp already, where they will count once it is whole. */
struct ptx_segment_log {
    const struct ptx_segment *segment; /* NULL: none */
    const struct ptx_code *code;
    uint32_t first, next, end; /* its ops that have been executed: [first, next); end: behind its last */
    uint32_t mask, last_mask;  /* if `even`: of all ops but the last, of the last */
    bool even;
    bool guessed;    /* none of its ops has been reported yet; `mask`: of its first access */
    uint32_t serial; /* counts segments */
    const struct ptx_lowered *function;
    struct ptx_op_log *ops; /* PTX_SEGMENT_MAX; unless `even`: those with this serial */
};
/* While a CTA runs. */
struct ptx_cta_segments {
    struct ptx_segment_log *warps;
    struct ptx_op_log *ops;  /* of all of them */
    struct ptx_op_log *more; /* further accesses of one op: to another space, or the next part of a matrix */
    size_t more_count, more_capacity;
    struct ptx_cta_segments *next;
};

struct ptx_trace_log {
    struct ptx_observer observer; /* for the executor */
    const struct ptx_code *code;  /* the kernel */
    struct ptx_machine_table table;
    struct ptx_lowered **functions;
    size_t function_count, function_capacity;
    uint32_t op_count;                     /* of all of them */
    struct ptx_cta_log *open, *spare;      /* CTAs under way; kept for the next */
    struct ptx_cta_log *current;           /* whose turn it is */
    struct ptx_cta_log *ready, *ready_end; /* in the order of their ends */
    struct ptx_cta_segments *spare_segments;
    uint32_t warp_count;         /* of every CTA */
    uint64_t ctas, instructions; /* that are over, and of these */
    bool off;                    /* keeps nothing */
    bool files;                  /* what of a CTA would take too much memory goes to `file` while it runs */
    struct window_file *file;    /* NULL: not yet */
    bool failed;                 /* `fault` says why; nothing is kept any more */
    struct err fault;
    struct ptx_trace_log *next; /* idle */
};

/* For launches of this kernel with this number of warps a CTA; kept by the program when given back, with all it has
 * made. NULL with *e. */
struct ptx_trace_log *ptx_trace_log_get(struct ptx_program *p, const struct ptx_code *code, uint32_t arch,
                                        uint32_t registers_most, uint32_t warp_count, struct err *e);
void ptx_trace_log_put(struct ptx_program *p, struct ptx_trace_log *t);
/* The function's machine code; made on first use. NULL: failed. */
const struct ptx_lowered *ptx_trace_log_function(struct ptx_trace_log *t, const struct ptx_code *code);
bool ptx_trace_log_has(const struct ptx_trace_log *t, const struct ptx_code *code); /* it is made already */
/* The first CTA that is over and has not been taken; NULL: none. Goes back with ptx_trace_log_release_cta(). */
struct ptx_cta_log *ptx_trace_log_take(struct ptx_trace_log *t);
void ptx_trace_log_release_cta(struct ptx_trace_log *t, struct ptx_cta_log *c);
/* A CTA that is over, in windows; the log is released. NULL with *e. */
struct cta_trace *ptx_trace_log_windows(struct ptx_trace_log *t, struct ptx_cta_log *c, struct err *e);

/* --- trace_filed.c: all of the current CTA but what is under way goes to the file --- */
int ptx_trace_file(struct ptx_trace_log *t) MUST_CHECK; /* -1 with t->fault */
/* --- trace_segment.c: for the observer --- */
void ptx_trace_ran(void *ctx, uint32_t warp, const struct ptx_code *code, uint32_t first, uint32_t count,
                   uint32_t mask, uint32_t last_mask);
void ptx_trace_memory(void *ctx, uint32_t warp, const struct ptx_touched *a);
/* What the warp's segment under way, of the current CTA, has come to is finished. */
void ptx_trace_conclude(struct ptx_trace_log *t, uint32_t warp);

#endif
