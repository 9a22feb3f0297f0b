/* simcore/ptx/trace_log.h: what a launch executes, kept CTA by CTA as machine instructions. Watches the executor.
 *
 * Of each warp the ops of the segment under way are kept with their lanes and addresses; when the segment ends, or
 * the warp goes on elsewhere, the machine instructions of what was executed follow in the segment's order. */
#ifndef VIVACE_SIMCORE_PTX_TRACE_LOG_H
#define VIVACE_SIMCORE_PTX_TRACE_LOG_H

#include "simcore/ptx/exec.h"
#include "simcore/ptx/lower.h"
#include "simcore/trace/cta_store.h"

struct ptx_op_log {
    uint32_t mask, row; /* row: of its addresses in the CTA's store; NO_ADDRESS */
    uint32_t more;      /* one more access of it, in `more` of the CTA; UINT32_MAX: none */
};
/* A further access of one op: to another space, or the next part of a matrix. */
struct ptx_more_log {
    uint32_t mask, row, more;
};

struct ptx_warp_log {
    const struct ptx_lowered *function; /* of the segment under way */
    const struct ptx_segment *segment;  /* NULL: none */
    uint32_t first, next;               /* its ops that have been executed */
    struct ptx_op_log ops[PTX_SEGMENT_MAX];
    struct warp_inst *insts; /* finished */
    size_t count, capacity;
};

struct ptx_cta_log {
    uint32_t id[3], warp_count;
    struct ptx_warp_log *warps;
    struct ptx_more_log *more;
    size_t more_count, more_capacity;
    struct cta_store *store;
    struct ptx_cta_log *next; /* in the list that it is in */
};

struct ptx_trace_log {
    struct ptx_observer observer; /* for the executor */
    struct ptx_machine_table table;
    struct ptx_lowered **functions;
    size_t function_count, function_capacity;
    struct ptx_cta_log *open, *spare;     /* CTAs under way; kept for the next */
    struct ptx_cta_log *current;          /* whose turn it is */
    struct cta_store *ready, **ready_end; /* in the order of their ends, by next_free */
    struct cta_pool pool;
    uint64_t ctas, instructions; /* that are over, and of these */
    bool off;                    /* keeps nothing */
    bool failed;                 /* `fault` says why; nothing is kept any more */
    struct err fault;
};

/* In place: the observer points to it. */
void ptx_trace_log_init(struct ptx_trace_log *t, uint32_t arch);
void ptx_trace_log_release(struct ptx_trace_log *t);
/* The function's machine code; made on first use. NULL: failed. */
const struct ptx_lowered *ptx_trace_log_function(struct ptx_trace_log *t, const struct ptx_code *code);
bool ptx_trace_log_has(const struct ptx_trace_log *t, const struct ptx_code *code); /* it is made already */
/* The first CTA that is over and has not been taken; NULL: none. Goes back to the pool. */
struct cta_store *ptx_trace_log_take(struct ptx_trace_log *t);

#endif
