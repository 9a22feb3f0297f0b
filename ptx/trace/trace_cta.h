/* ptx/trace/trace_cta.h: what one CTA has executed, kept in stretches (cta_runs.h); made into instructions one by
 * one only for who asks for these.
 *
 * Most accesses of an op repeat how far its lanes lie apart: then they share one pattern, and only a base is kept.
 */
#ifndef VIVACE_PTX_TRACE_TRACE_CTA_H
#define VIVACE_PTX_TRACE_TRACE_CTA_H

#include "ptx/exec/exec.h"
#include "ptx/forms/forms_lanes.h"
#include "ptx/lower/lower.h"
#include "simcore/trace/cta_runs.h"
#include "simcore/trace/window_file.h"

struct ptx_cta_segments;

struct ptx_warp_log {
    struct warp_run *runs;
    size_t run_count, run_capacity;
    uint32_t *rows;
    size_t row_count, row_capacity;
    uint64_t count;          /* instructions */
    struct warp_inst *insts; /* these, once they have been made */
    size_t inst_capacity;
};
struct ptx_cta_log {
    struct cta_store store; /* first: rows of addresses, and what the reader sees */
    struct cta_runs runs;
    struct run_warp *run_warps;
    struct ptx_warp_log *warps;
    uint64_t *patterns; /* PTX_LANES each */
    size_t pattern_count, pattern_capacity;
    uint32_t *last; /* of each op that has a pattern, by its number in the trace: the last one; NO_LIST */
    size_t last_count, last_capacity;
    struct ptx_cta_segments *segments; /* NULL: it is over */
    /* A long CTA: what came before those in memory (simcore/trace/window_file.h); NULL: it is whole. */
    struct cta_trace *filed;
    struct ptx_cta_log *next; /* in the list that it is in */
};

struct ptx_cta_log *ptx_cta_log_new(uint32_t warps, struct err *e);
void ptx_cta_log_free(struct ptx_cta_log *c); /* NULL is fine */
/* As new, for the next CTA. */
void ptx_cta_log_clear(struct ptx_cta_log *c, const uint32_t id[3]);
/* Room for one more row of addresses. */
int ptx_cta_log_grow(struct ptx_cta_log *c, struct err *e) MUST_CHECK;
/* Which pattern these addresses of op `number` have, whose first is `first`; *stride, and NO_LIST, where they lie
 * in a row after all. Where they are a pattern as they are, it is not the op's last. */
int ptx_cta_log_find(struct ptx_cta_log *c, uint32_t number, const struct ptx_touched *a, uint64_t first,
                     struct address_row *r, struct err *e) MUST_CHECK;
/* Is it the pattern that op `number` had before? */
static inline bool ptx_cta_log_is_last(const struct ptx_cta_log *c, uint32_t number, const uint64_t at[PTX_LANES],
                                       uint64_t first)
{
    return number < c->last_count && c->last[number] != NO_LIST &&
           ptx_lane_ops()->apart(at, first, c->patterns + (size_t)c->last[number] * PTX_LANES);
}
/* Are its addresses a pattern as they are? */
static inline bool ptx_cta_log_is_pattern(const struct ptx_touched *a)
{
    return a->lie == PTX_LIE_SCATTERED && a->mask == UINT32_MAX;
}
/* One access of op `number`: a row of the CTA, whose index is *row; `base` is added to the addresses. */
static inline int ptx_cta_log_add_access(struct ptx_cta_log *c, uint32_t number, const struct ptx_touched *a,
                                         uint64_t base, uint32_t *row, struct err *e)
{
    struct cta_store *s = &c->store;
    uint64_t first = a->at[__builtin_ctz(a->mask)];
    struct address_row *r;

    if (s->row_count == s->row_capacity && ptx_cta_log_grow(c, e))
        return -1;
    r = &s->rows[s->row_count];
    *r = (struct address_row){first + base, a->stride, NO_LIST};
    if (ptx_cta_log_is_pattern(a) && ptx_cta_log_is_last(c, number, a->at, first))
        r->list = c->last[number];
    else if (a->lie != PTX_LIE_STRIDED && ptx_cta_log_find(c, number, a, first, r, e))
        return -1;
    *row = (uint32_t)s->row_count++;
    return 0;
}
/* Room for this number of further runs and rows of the warp. */
int ptx_warp_log_grow(struct ptx_warp_log *w, size_t runs, size_t rows, struct err *e) MUST_CHECK;
static inline bool ptx_warp_log_has_room(const struct ptx_warp_log *w, size_t runs, size_t rows)
{
    return w->run_count + runs <= w->run_capacity && w->row_count + rows <= w->row_capacity;
}
static inline int ptx_warp_log_reserve(struct ptx_warp_log *w, size_t runs, size_t rows, struct err *e)
{
    return ptx_warp_log_has_room(w, runs, rows) ? 0 : ptx_warp_log_grow(w, runs, rows, e);
}
/* Appends an instruction, which prolongs the run before it where it can. `row`: of its addresses; counts only where
 * the instruction has a width. */
int ptx_warp_log_add(struct ptx_warp_log *w, const struct trace_inst *table, uint32_t inst, uint32_t mask,
                     uint32_t row, struct err *e) MUST_CHECK;
/* Its runs, with the addresses of their rows, go behind those in c->filed. The caller then takes them out. */
int ptx_cta_log_file(struct ptx_cta_log *c, struct window_file *f, const struct trace_inst *table,
                     struct err *e) MUST_CHECK;
/* The CTA is over: shows it in stretches. ERR_TOO_LARGE. */
int ptx_cta_log_finish(struct ptx_cta_log *c, struct err *e) MUST_CHECK;
/* Shows a finished one instruction by instruction. */
int ptx_cta_log_expand(struct ptx_cta_log *c, const struct trace_inst *table, struct err *e) MUST_CHECK;

#endif
