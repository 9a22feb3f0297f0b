/* ptx/trace/trace_log.h: records the execution of a launch as machine instructions, CTA by CTA. It is an
 * observer of the executor.
 *
 * For each warp it records the ops of the current segment with their lanes and addresses. When the segment ends,
 * or the warp continues elsewhere, the machine instructions of the executed ops are appended in the order of the
 * segment. */
#ifndef VIVACE_PTX_TRACE_TRACE_LOG_H
#define VIVACE_PTX_TRACE_TRACE_LOG_H

#include "ptx/trace/trace_cta.h"

struct ptx_op_log {
    uint32_t mask, row; /* row: index of its addresses in the CTA's store; NO_ADDRESS */
    uint32_t more;      /* index of the op's next access in `more` of the CTA; UINT32_MAX: none */
    uint32_t serial;    /* of the segment that this record belongs to */
};

/* A warp's current segment. In most cases the same lanes execute all of it, except for a branch at its end
 * (`even`). The rows of its addresses are then stored directly after the warp's rows, and become part of them
 * when the segment is complete. */
struct ptx_segment_log {
    const struct ptx_segment *segment; /* NULL: none */
    const struct ptx_code *code;
    uint32_t first, next, end; /* executed ops: [first, next); end: one after its last op */
    uint32_t mask, last_mask;  /* if `even`: mask of all ops except the last; mask of the last op */
    bool even;
    bool guessed;    /* an access came before the first report of its ops; `mask` is that of the access */
    uint32_t serial; /* number of the segment */
    const struct ptx_lowered *function;
    const struct ptx_segment *loop; /* the last loop with unrolled forms, in `function`; NULL: none */
    struct ptx_op_log *ops; /* PTX_SEGMENT_MAX records; used if not `even`; only records with this serial are
                             * valid */
};
/* State of a CTA while it runs. */
struct ptx_cta_segments {
    struct ptx_segment_log *warps;
    struct ptx_op_log *ops;  /* of all warps */
    struct ptx_op_log *more; /* further accesses of an op: to another space, or the next part of a matrix */
    size_t more_count, more_capacity;
    struct ptx_cta_segments *next;
};

struct ptx_trace_log {
    struct ptx_observer observer; /* passed to the executor */
    const struct ptx_code *code;  /* of the kernel */
    struct ptx_machine_table table;
    struct ptx_lowered **functions;
    size_t function_count, function_capacity;
    uint32_t op_count;                     /* of all functions */
    struct ptx_cta_log *open, *spare;      /* running CTAs; free logs for later CTAs */
    struct ptx_cta_log *current;           /* the CTA whose turn it is */
    struct ptx_cta_log *ready, *ready_end; /* in the order of their ends */
    struct ptx_cta_segments *spare_segments;
    uint32_t warp_count;         /* warps per CTA */
    uint64_t ctas, instructions; /* CTAs that have ended, and their instructions */
    bool off;                    /* recording is off */
    bool files;                  /* a CTA that needs too much memory is written to `file` while it runs */
    struct window_file *file;    /* NULL: not opened yet */
    bool failed;                 /* `fault` is the reason; recording has stopped */
    struct err fault;
    struct ptx_trace_log *next; /* in the list of unused logs */
};

/* Returns a log for launches of this kernel with `warp_count` warps per CTA. The program keeps a returned log
 * with its lowered functions for later launches. NULL: *e is set. */
struct ptx_trace_log *ptx_trace_log_get(struct ptx_program *p, const struct ptx_code *code, uint32_t arch,
                                        uint32_t registers_max, uint32_t warp_count, struct err *e);
void ptx_trace_log_put(struct ptx_program *p, struct ptx_trace_log *t);
/* The function's machine code, lowered on first use. NULL: failed. */
const struct ptx_lowered *ptx_trace_log_function(struct ptx_trace_log *t, const struct ptx_code *code);
bool ptx_trace_log_has(const struct ptx_trace_log *t, const struct ptx_code *code); /* true: it has been lowered */
/* Removes the first CTA that has ended. NULL: none. The caller returns it with ptx_trace_log_release_cta(). */
struct ptx_cta_log *ptx_trace_log_take(struct ptx_trace_log *t);
void ptx_trace_log_release_cta(struct ptx_trace_log *t, struct ptx_cta_log *c);
/* Converts an ended CTA to windows and releases its log. NULL: *e is set. */
struct cta_trace *ptx_trace_log_windows(struct ptx_trace_log *t, struct ptx_cta_log *c, struct err *e);

/* --- trace_filed.c: writes the current CTA to the file, except its current segments --- */
int ptx_trace_file(struct ptx_trace_log *t) MUST_CHECK; /* -1 with t->fault */
/* --- trace_segment.c: for the observer --- */
void ptx_trace_ran(void *ctx, uint32_t warp, const struct ptx_code *code, uint32_t first, uint32_t count,
                   uint32_t mask, uint32_t last_mask);
void ptx_trace_memory(void *ctx, uint32_t warp, const struct ptx_touched *a);
/* Finishes the current segment of a warp of the current CTA. */
void ptx_trace_conclude(struct ptx_trace_log *t, uint32_t warp);

#endif
