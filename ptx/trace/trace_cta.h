/* ptx/trace/trace_cta.h: the execution of one CTA, stored as runs of instructions (cta_runs.h). They are
 * expanded to single instructions only on request.
 *
 * Most accesses of an op repeat the distances between the lanes. Such accesses share one pattern, and each
 * stores only a base address. */
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
    size_t open; /* number of the last runs that ptx_cta_log_file() leaves; else 0 */
    uint32_t *rows;
    size_t row_count, row_capacity;
    uint64_t count;          /* number of instructions */
    struct warp_inst *insts; /* the expanded instructions; NULL before */
    size_t inst_capacity;
};
struct ptx_cta_log {
    struct cta_store store; /* must be first: rows of addresses, and the reader's view */
    struct cta_runs runs;
    struct run_warp *run_warps;
    struct ptx_warp_log *warps;
    uint64_t *patterns; /* PTX_LANES distances each */
    size_t pattern_count, pattern_capacity;
    uint32_t *last; /* for each op by its number in the trace: its last pattern, or NO_LIST */
    size_t last_count, last_capacity;
    struct ptx_cta_segments *segments; /* NULL: the CTA has ended */
    /* For a long CTA: the part before the runs in memory (simcore/trace/window_file.h). NULL: all of it is in
     * memory. */
    struct cta_trace *filed;
    struct ptx_cta_log *next; /* in a list of CTAs */
};

struct ptx_cta_log *ptx_cta_log_new(uint32_t warps, struct err *e);
void ptx_cta_log_free(struct ptx_cta_log *c); /* c may be NULL */
/* Resets the log for the next CTA. */
void ptx_cta_log_clear(struct ptx_cta_log *c, const uint32_t id[3]);
/* Makes room for one more row of addresses. */
int ptx_cta_log_grow(struct ptx_cta_log *c, struct err *e) MUST_CHECK;
/* Finds or adds the pattern of these addresses of op `number`. `first`: the first address. If the addresses have
 * a constant stride, sets r->stride and leaves NO_LIST. If the addresses are a pattern already, the caller has
 * checked that it is not the op's last one. */
int ptx_cta_log_find(struct ptx_cta_log *c, uint32_t number, const struct ptx_touched *a, uint64_t first,
                     struct address_row *r, struct err *e) MUST_CHECK;
/* Returns true if the addresses match the last pattern of op `number`. */
static inline bool ptx_cta_log_is_last(const struct ptx_cta_log *c, uint32_t number, const uint64_t at[PTX_LANES],
                                       uint64_t first)
{
    return number < c->last_count && c->last[number] != NO_LIST &&
           ptx_lane_ops()->apart(at, first, c->patterns + (size_t)c->last[number] * PTX_LANES);
}
/* Returns true if the addresses can be a pattern without a change: all lanes are active and the addresses are
 * scattered. */
static inline bool ptx_cta_log_is_pattern(const struct ptx_touched *a)
{
    return a->lie == PTX_LIE_SCATTERED && a->mask == UINT32_MAX;
}
/* Adds one access of op `number` as a row. *row: its index. `base` is added to the addresses. */
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
/* Makes room for this number of further runs and rows of the warp. */
int ptx_warp_log_grow(struct ptx_warp_log *w, size_t runs, size_t rows, struct err *e) MUST_CHECK;
static inline bool ptx_warp_log_has_room(const struct ptx_warp_log *w, size_t runs, size_t rows)
{
    return w->run_count + runs <= w->run_capacity && w->row_count + rows <= w->row_capacity;
}
static inline int ptx_warp_log_reserve(struct ptx_warp_log *w, size_t runs, size_t rows, struct err *e)
{
    return ptx_warp_log_has_room(w, runs, rows) ? 0 : ptx_warp_log_grow(w, runs, rows, e);
}
/* Appends an instruction. It extends the previous run if possible. `row`: its addresses; used only if the
 * instruction has a width. */
int ptx_warp_log_add(struct ptx_warp_log *w, const struct trace_inst *table, uint32_t inst, uint32_t mask,
                     uint32_t row, struct err *e) MUST_CHECK;
/* Appends the warps' runs, with the addresses of their rows, to c->filed. The caller then removes them from
 * memory. */
int ptx_cta_log_file(struct ptx_cta_log *c, struct window_file *f, const struct trace_inst *table,
                     struct err *e) MUST_CHECK;
/* The CTA has ended: makes its runs available to the reader. ERR_TOO_LARGE. */
int ptx_cta_log_finish(struct ptx_cta_log *c, struct err *e) MUST_CHECK;
/* Makes a finished CTA available as single instructions. */
int ptx_cta_log_expand(struct ptx_cta_log *c, const struct trace_inst *table, struct err *e) MUST_CHECK;

#endif
