/* simcore/trace/vtrace_path.h: encodes the path of a warp (writing): segments of instructions that are consecutive
 * in the kernel's table, with their active lanes. Internal to .vtrace. */
#ifndef VIVACE_SIMCORE_TRACE_VTRACE_PATH_H
#define VIVACE_SIMCORE_TRACE_VTRACE_PATH_H

#include "simcore/trace/cta_runs.h"
#include "simcore/trace/vtrace_bytes.h"

struct vtrace_writer;

struct path_segment {
    uint32_t next;              /* the instruction that would extend the segment */
    uint32_t mask, mask_before; /* mask_before: the value of MASK_BEFORE at the next change of the mask */
    uint32_t count;             /* 0: no segment has begun */
    uint64_t flags, jump;       /* SEGMENT_JUMP, SEGMENT_MASK, and their values */
    uint64_t mask_number;
};

static inline struct path_segment path_begin(void)
{
    return (struct path_segment){.mask = UINT32_MAX};
}

static inline void path_put(struct strbuf *b, const struct path_segment *g)
{
    put_number(b, (uint64_t)g->count << SEGMENT_COUNT_SHIFT | g->flags);
    if (g->flags & SEGMENT_JUMP)
        put_number(b, g->jump);
    if (g->flags & SEGMENT_MASK)
        put_number(b, g->mask_number);
}

static inline void path_set_mask(struct path_segment *g, uint32_t mask)
{
    g->flags |= SEGMENT_MASK;
    g->mask_number = mask == 0                ? (uint64_t)MASK_ZERO
                     : mask == g->mask_before ? (uint64_t)MASK_BEFORE
                                              : (uint64_t)MASK_OTHER + (uint32_t)~mask;
    g->mask_before = g->mask;
    g->mask = mask;
}

/* Extends the path by `count` instructions, beginning with `inst`. */
static inline void path_step(struct strbuf *b, struct path_segment *g, uint32_t inst, uint32_t count, uint32_t mask)
{
    if (g->count && inst == g->next && mask == g->mask) {
        g->count += count;
        g->next += count;
        return;
    }
    if (g->count)
        path_put(b, g);
    g->flags = inst == g->next ? 0 : SEGMENT_JUMP;
    g->jump = zigzag((int64_t)inst - g->next);
    if (mask != g->mask)
        path_set_mask(g, mask);
    g->next = inst + count;
    g->count = count;
}

/* One execution of an instruction with a width. */
struct path_row {
    uint32_t inst, mask; /* inst: number in the kernel's table */
    uint32_t row;        /* index in the warp's rows */
};
/* The last path, as input and as encoded. The next warp mostly has the same path. */
struct path_memo {
    struct warp_run *runs;
    size_t run_count, run_capacity; /* run_count 0: empty */
    struct path_row *rows;
    size_t row_count, row_capacity;
};

/* Encodes the path of a warp with `count` instructions to w->warp_path, and its rows to w->memo. */
int writer_put_path(struct vtrace_writer *w, const struct inst_source *s, const struct run_warp *r, uint32_t count,
                    struct err *e) MUST_CHECK;
void path_memo_release(struct path_memo *m);

#endif
