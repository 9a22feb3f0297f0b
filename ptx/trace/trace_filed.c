/* ptx/trace/trace_filed.c: writes a long CTA to a file while it runs. Rows of the current segments stay in
 * memory. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "ptx/trace/trace_log.h"

/* The rows that stay in memory, and their patterns. */
struct staying {
    struct address_row *rows;
    size_t row_count, row_capacity;
    uint64_t *patterns;
    size_t pattern_count, pattern_capacity;
};

/* Keeps row *row in memory and stores its new number in *row. */
static int keep_row(struct staying *k, const struct ptx_cta_log *c, uint32_t *row, struct err *e)
{
    struct address_row r;

    if (*row == NO_ADDRESS)
        return 0;
    r = c->store.rows[*row];
    if (array_reserve((void **)&k->rows, &k->row_capacity, k->row_count + 1, sizeof *k->rows, e))
        return -1;
    if (r.list != NO_LIST) {
        if (array_reserve((void **)&k->patterns, &k->pattern_capacity, k->pattern_count + 1,
                          PTX_LANES * sizeof *k->patterns, e))
            return -1;
        memcpy(k->patterns + k->pattern_count * PTX_LANES, c->patterns + (size_t)r.list * PTX_LANES,
               PTX_LANES * sizeof *k->patterns);
        r.list = (uint32_t)k->pattern_count++;
    }
    k->rows[k->row_count] = r;
    *row = (uint32_t)k->row_count++;
    return 0;
}

static int keep_op(struct staying *k, const struct ptx_cta_log *c, struct ptx_op_log *op, struct err *e)
{
    if (keep_row(k, c, &op->row, e))
        return -1;
    for (uint32_t i = op->more; i != UINT32_MAX; i = c->segments->more[i].more)
        if (keep_row(k, c, &c->segments->more[i].row, e))
            return -1;
    return 0;
}

/* Number of the warp's last runs that are rounds of an unrolled loop and may be joined with later rounds. */
static size_t open_runs(const struct ptx_segment_log *s, const struct ptx_warp_log *w)
{
    const struct ptx_segment *loop = s->loop;
    size_t n = 0;

    for (; loop && n < w->run_count; n++) {
        const struct ptx_unrolled *u = &s->function->unrolled[loop->unroll_first];
        const struct warp_run *r = &w->runs[w->run_count - 1 - n];
        bool joins = r->inst == loop->inst && r->count == loop->count;

        for (uint32_t k = 0; k + 1 < loop->unroll_count; k++)
            joins |= r->inst == u[k].inst && r->count == u[k].count;
        if (!joins || r->mask != w->runs[w->run_count - 1].mask)
            break;
    }
    return n;
}

/* Moves the rounds of an unrolled loop to the begin of the warp's runs. *rows: number of their rows. */
static int keep_rounds(struct staying *k, const struct ptx_cta_log *c, uint32_t warp, uint32_t *rows, struct err *e)
{
    struct ptx_warp_log *w = &c->warps[warp];
    uint32_t first = w->open ? w->runs[w->run_count - w->open].row : (uint32_t)w->row_count;

    *rows = (uint32_t)w->row_count - first;
    for (size_t i = 0; i < w->open; i++) {
        w->runs[i] = w->runs[w->run_count - w->open + i];
        w->runs[i].row -= first;
    }
    for (uint32_t i = 0; i < *rows; i++) {
        w->rows[i] = w->rows[first + i];
        if (keep_row(k, c, &w->rows[i], e))
            return -1;
    }
    return 0;
}

/* Removes the warp's runs, except rounds of an unrolled loop. Afterwards the rows of these and of the warp's
 * current segment are at the begin of its rows. */
static int keep_segment(struct staying *k, const struct ptx_cta_log *c, uint32_t warp, struct err *e)
{
    struct ptx_segment_log *s = &c->segments->warps[warp];
    struct ptx_warp_log *w = &c->warps[warp];
    uint32_t count = s->segment && s->even ? s->segment->access_count : 0, rounds;

    if (keep_rounds(k, c, warp, &rounds, e))
        return -1;
    for (uint32_t i = 0; i < count; i++) {
        w->rows[rounds + i] = w->rows[w->row_count + i];
        if (keep_row(k, c, &w->rows[rounds + i], e))
            return -1;
    }
    for (uint32_t i = 0; s->segment && !s->even && i < PTX_SEGMENT_MAX; i++)
        if (s->ops[i].serial == s->serial && keep_op(k, c, &s->ops[i], e))
            return -1;
    w->run_count = w->open;
    w->row_count = rounds;
    w->open = 0;
    return 0;
}

static void replace_rows(struct ptx_cta_log *c, const struct staying *k)
{
    free(c->store.rows);
    free(c->patterns);
    c->store.rows = k->rows;
    c->store.row_count = k->row_count;
    c->store.row_capacity = k->row_capacity;
    c->patterns = k->patterns;
    c->pattern_count = k->pattern_count;
    c->pattern_capacity = k->pattern_capacity;
    c->last_count = 0;
}

static int file_runs(struct ptx_trace_log *t, struct ptx_cta_log *c, struct err *e)
{
    if (!t->file)
        t->file = window_file_new(e);
    return t->file ? ptx_cta_log_file(c, t->file, t->table.insts, e) : -1;
}

int ptx_trace_file(struct ptx_trace_log *t)
{
    struct ptx_cta_log *c = t->current;
    struct staying k = {.rows = NULL};

    for (uint32_t w = 0; w < t->warp_count; w++)
        c->warps[w].open = open_runs(&c->segments->warps[w], &c->warps[w]);
    if (file_runs(t, c, &t->fault))
        return -1;
    for (uint32_t w = 0; w < t->warp_count; w++)
        if (keep_segment(&k, c, w, &t->fault)) {
            free(k.rows);
            free(k.patterns);
            return -1;
        }
    replace_rows(c, &k);
    return 0;
}

struct cta_trace *ptx_trace_log_windows(struct ptx_trace_log *t, struct ptx_cta_log *c, struct err *e)
{
    struct cta_trace *cta = NULL;

    if (file_runs(t, c, e) == 0 && window_file_finish(c->filed, e) == 0) {
        cta = c->filed;
        c->filed = NULL;
        cta->index = c->store.trace.index;
        memcpy(cta->id, c->store.trace.id, sizeof cta->id);
    }
    ptx_trace_log_release_cta(t, c);
    return cta;
}
