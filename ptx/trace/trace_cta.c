#include "ptx/trace/trace_cta.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/* --- begin and end --- */

void ptx_cta_log_free(struct ptx_cta_log *c)
{
    if (!c)
        return;
    for (uint32_t k = 0; c->warps && k < c->store.trace.warp_count; k++) {
        free(c->warps[k].runs);
        free(c->warps[k].rows);
        free(c->warps[k].insts);
    }
    free(c->warps);
    free(c->run_warps);
    free(c->patterns);
    free(c->last);
    free(c->store.trace.warps);
    free(c->store.rows);
    free(c->store.lanes);
    window_file_free_cta(c->filed);
    free(c);
}

struct ptx_cta_log *ptx_cta_log_new(uint32_t warps, struct err *e)
{
    struct ptx_cta_log *c = mem_zalloc(1, sizeof *c, e);

    if (!c)
        return NULL;
    c->store.trace.warp_count = warps;
    c->warps = mem_zalloc(warps, sizeof *c->warps, e);
    c->run_warps = c->warps ? mem_zalloc(warps, sizeof *c->run_warps, e) : NULL;
    c->store.trace.warps = c->run_warps ? mem_zalloc(warps, sizeof *c->store.trace.warps, e) : NULL;
    if (c->store.trace.warps)
        return c;
    ptx_cta_log_free(c);
    return NULL;
}

void ptx_cta_log_clear(struct ptx_cta_log *c, const uint32_t id[3])
{
    memcpy(c->store.trace.id, id, sizeof c->store.trace.id);
    c->store.trace.opaque = &c->store;
    c->store.row_count = c->store.lane_count = c->pattern_count = c->last_count = 0;
    for (uint32_t k = 0; k < c->store.trace.warp_count; k++)
        c->warps[k].run_count = c->warps[k].row_count = c->warps[k].count = c->warps[k].open = 0;
    window_file_free_cta(c->filed);
    c->filed = NULL;
}

/* --- accesses --- */

/* The index of op `number`'s last pattern. NULL: no memory. */
static uint32_t *last_of(struct ptx_cta_log *c, uint32_t number, struct err *e)
{
    if (number >= c->last_count) {
        if (array_reserve((void **)&c->last, &c->last_capacity, number + 1, sizeof *c->last, e))
            return NULL;
        while (c->last_count <= number)
            c->last[c->last_count++] = NO_LIST;
    }
    return &c->last[number];
}

/* Adds a pattern as the last one of its op. */
static int add_pattern(struct ptx_cta_log *c, uint32_t number, const uint64_t at[PTX_LANES], uint64_t first,
                       uint32_t *out, struct err *e)
{
    uint32_t *last = last_of(c, number, e);
    uint64_t *p;

    if (!last || array_reserve((void **)&c->patterns, &c->pattern_capacity, c->pattern_count + 1,
                               PTX_LANES * sizeof *c->patterns, e))
        return -1;
    p = c->patterns + c->pattern_count * PTX_LANES;
    for (uint32_t l = 0; l < PTX_LANES; l++)
        p[l] = at[l] - first;
    *out = *last = (uint32_t)c->pattern_count++;
    return 0;
}

/* Returns true if the addresses of the mask's lanes have a constant stride. Called if the executor has not
 * tested it. */
static bool in_a_row(const uint64_t at[PTX_LANES], uint32_t mask, int64_t *stride)
{
    uint32_t first = (uint32_t)__builtin_ctz(mask), rest = mask & (mask - 1);

    *stride = 0;
    if (rest) {
        uint32_t second = (uint32_t)__builtin_ctz(rest);

        *stride = (int64_t)(at[second] - at[first]) / (int64_t)(second - first);
    }
    return ptx_lane_ops()->strided(at, mask, at[first] - first * (uint64_t)*stride, (uint64_t)*stride);
}

int ptx_cta_log_find(struct ptx_cta_log *c, uint32_t number, const struct ptx_touched *a, uint64_t first,
                     struct address_row *r, struct err *e)
{
    uint64_t at[PTX_LANES];

    if (a->lie == PTX_LIE_UNKNOWN && in_a_row(a->at, a->mask, &r->stride))
        return 0;
    if (ptx_cta_log_is_pattern(a))
        return add_pattern(c, number, a->at, first, &r->list, e);
    for (uint32_t l = 0; l < PTX_LANES; l++) /* lanes outside the mask get the first address */
        at[l] = a->mask >> l & 1 ? a->at[l] : first;
    if (!ptx_cta_log_is_last(c, number, at, first))
        return add_pattern(c, number, at, first, &r->list, e);
    r->list = c->last[number];
    return 0;
}

int ptx_cta_log_grow(struct ptx_cta_log *c, struct err *e)
{
    struct cta_store *s = &c->store;

    return array_reserve((void **)&s->rows, &s->row_capacity, s->row_count + 1, sizeof *s->rows, e);
}

/* --- runs --- */

int ptx_warp_log_grow(struct ptx_warp_log *w, size_t runs, size_t rows, struct err *e)
{
    if ((!w->runs || w->run_count + runs > w->run_capacity) &&
        array_reserve((void **)&w->runs, &w->run_capacity, w->run_count + runs, sizeof *w->runs, e))
        return -1;
    if (w->row_count + rows > w->row_capacity &&
        array_reserve((void **)&w->rows, &w->row_capacity, w->row_count + rows, sizeof *w->rows, e))
        return -1;
    return 0;
}

int ptx_warp_log_add(struct ptx_warp_log *w, const struct trace_inst *table, uint32_t inst, uint32_t mask,
                     uint32_t row, struct err *e)
{
    struct warp_run *end;

    if (ptx_warp_log_reserve(w, 1, 1, e))
        return -1;
    end = w->runs + w->run_count;
    if (w->run_count && end[-1].inst + end[-1].count == inst && end[-1].mask == mask) {
        end[-1].count++;
    } else {
        *end = (struct warp_run){inst, 1, mask, (uint32_t)w->row_count};
        w->run_count++;
    }
    if (table[inst].width)
        w->rows[w->row_count++] = row;
    w->count++;
    return 0;
}

/* --- long CTAs --- */

/* Converts the addresses of a row to the format of the window file. */
static void get_addresses(const struct ptx_cta_log *c, uint32_t row, struct address_set *a)
{
    const struct address_row *r = &c->store.rows[row];

    *a = (struct address_set){.is_list = r->list != NO_LIST, .base = r->base, .stride = r->stride};
    for (uint32_t l = 0; a->is_list && l < PTX_LANES; l++)
        a->lanes[l] = r->base + c->patterns[(size_t)r->list * PTX_LANES + l];
}

static int file_warp(const struct ptx_cta_log *c, uint32_t warp, const struct trace_inst *table, struct err *e)
{
    const struct ptx_warp_log *w = &c->warps[warp];
    struct address_set a;

    for (size_t i = 0; i < w->run_count - w->open; i++) {
        const struct warp_run *r = &w->runs[i];
        const uint32_t *row = w->rows + r->row;

        for (uint32_t k = 0; k < r->count; k++) {
            const struct warp_inst x = {.inst = r->inst + k, .mask = r->mask};
            bool has_row = table[x.inst].width && *row++ != NO_ADDRESS;

            if (has_row)
                get_addresses(c, row[-1], &a);
            if (window_file_add(c->filed, warp, &x, has_row ? &a : NULL, e) < 0)
                return -1;
        }
    }
    return 0;
}

int ptx_cta_log_file(struct ptx_cta_log *c, struct window_file *f, const struct trace_inst *table, struct err *e)
{
    if (!c->filed)
        c->filed = window_file_cta(f, c->store.trace.warp_count, e);
    if (!c->filed)
        return -1;
    for (uint32_t k = 0; k < c->store.trace.warp_count; k++)
        if (file_warp(c, k, table, e) < 0)
            return -1;
    return 0;
}

/* --- for readers --- */

int ptx_cta_log_finish(struct ptx_cta_log *c, struct err *e)
{
    for (uint32_t k = 0; k < c->store.trace.warp_count; k++) {
        const struct ptx_warp_log *w = &c->warps[k];

        if (w->count > UINT32_MAX)
            return err_set(e, ERR_TOO_LARGE, "a warp has more than 2^32 instructions");
        c->run_warps[k] = (struct run_warp){w->runs, w->rows, w->run_count};
        c->store.trace.warps[k] = (struct cta_warp){.count = (uint32_t)w->count};
    }
    c->runs = (struct cta_runs){c->run_warps, c->store.rows, c->patterns};
    c->store.trace.runs = &c->runs;
    return 0;
}

static int expand_warp(struct ptx_warp_log *w, const struct trace_inst *table, struct err *e)
{
    struct warp_inst *to;

    if (array_reserve((void **)&w->insts, &w->inst_capacity, (size_t)w->count, sizeof *w->insts, e))
        return -1;
    to = w->insts;
    for (size_t i = 0; i < w->run_count; i++) {
        const struct warp_run *r = &w->runs[i];
        const uint32_t *row = w->rows + r->row;

        for (uint32_t k = 0; k < r->count; k++)
            *to++ = (struct warp_inst){r->inst + k, r->mask, table[r->inst + k].width ? *row++ : NO_ADDRESS};
    }
    return 0;
}

/* Gives each row with a pattern its own address list. */
static int expand_rows(struct ptx_cta_log *c, struct err *e)
{
    struct cta_store *s = &c->store;

    for (size_t i = 0; i < s->row_count; i++) {
        struct address_row *r = &s->rows[i];
        const uint64_t *p;

        if (r->list == NO_LIST)
            continue;
        if (array_reserve((void **)&s->lanes, &s->lane_capacity, s->lane_count + PTX_LANES, sizeof *s->lanes, e))
            return -1;
        p = c->patterns + (size_t)r->list * PTX_LANES;
        for (uint32_t l = 0; l < PTX_LANES; l++)
            s->lanes[s->lane_count + l] = r->base + p[l];
        r->list = (uint32_t)(s->lane_count / PTX_LANES);
        s->lane_count += PTX_LANES;
    }
    return 0;
}

int ptx_cta_log_expand(struct ptx_cta_log *c, const struct trace_inst *table, struct err *e)
{
    c->store.trace.runs = NULL;
    if (expand_rows(c, e))
        return -1;
    for (uint32_t k = 0; k < c->store.trace.warp_count; k++) {
        if (expand_warp(&c->warps[k], table, e))
            return -1;
        c->store.trace.warps[k].insts = c->warps[k].insts;
        c->store.trace.warps[k].ready = c->store.trace.warps[k].count;
    }
    return 0;
}
