/* simcore/trace/vtrace_path.h: which instructions a warp executes and with which lanes, as a .vtrace has it
 * (writing): stretches of instructions that stand one behind the other in the kernel's table. Internal to .vtrace.
 */
#ifndef VIVACE_SIMCORE_TRACE_VTRACE_PATH_H
#define VIVACE_SIMCORE_TRACE_VTRACE_PATH_H

#include "simcore/trace/cta_runs.h"
#include "simcore/trace/vtrace_bytes.h"

struct vtrace_writer;

struct path_segment {
    uint32_t next;              /* the instruction that would prolong it */
    uint32_t mask, mask_before; /* mask_before: what MASK_BEFORE means for the next one with another mask */
    uint32_t count;             /* 0: none begun */
    uint64_t flags, jump;       /* SEGMENT_JUMP, SEGMENT_MASK, and what goes with them */
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

/* The path goes on with `count` instructions from `inst` on. */
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

/* An execution of an instruction that has a width. */
struct path_row {
    uint32_t inst, mask; /* inst: the kernel's number */
    uint32_t row;        /* its place in the warp's rows */
};
/* The path that was written last, as it was given and with what it comes to: mostly the next warp goes the same. */
struct path_memo {
    struct warp_run *runs;
    size_t run_count, run_capacity; /* run_count: 0: none */
    struct path_row *rows;
    size_t row_count, row_capacity;
};

/* The path of a warp of `count` instructions, from its first number on, is in w->warp_path, its rows in w->memo. */
int writer_put_path(struct vtrace_writer *w, const struct inst_source *s, const struct run_warp *r, uint32_t count,
                    struct err *e) MUST_CHECK;
void path_memo_release(struct path_memo *m);

#endif
