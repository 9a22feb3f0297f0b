/* simcore/ptx/trace_log.c: executed ops to executed machine instructions. */
#include "simcore/ptx/trace_log.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

#define NO_MORE UINT32_MAX

/* --- functions --- */

bool ptx_trace_log_has(const struct ptx_trace_log *t, const struct ptx_code *code)
{
    for (size_t k = 0; k < t->function_count; k++)
        if (t->functions[k]->code == code)
            return true;
    return false;
}

const struct ptx_lowered *ptx_trace_log_function(struct ptx_trace_log *t, const struct ptx_code *code)
{
    struct ptx_lowered *l;

    for (size_t k = 0; k < t->function_count; k++)
        if (t->functions[k]->code == code)
            return t->functions[k];
    if (array_reserve((void **)&t->functions, &t->function_capacity, t->function_count + 1, sizeof(void *),
                      &t->fault) ||
        ptx_lower(&t->table, code, &l, &t->fault)) {
        t->failed = true;
        return NULL;
    }
    t->functions[t->function_count++] = l;
    return l;
}

/* --- a warp --- */

static int reserve(struct ptx_trace_log *t, struct ptx_warp_log *w, size_t n)
{
    if (w->count + n <= w->capacity)
        return 0;
    if (array_reserve((void **)&w->insts, &w->capacity, w->count + n, sizeof *w->insts, &t->fault) == 0)
        return 0;
    t->failed = true;
    return -1;
}

/* A machine instruction that accesses memory, once for each access of its op. */
static void add_access(struct ptx_trace_log *t, const struct ptx_cta_log *c, struct ptx_warp_log *w, uint32_t inst,
                       const struct ptx_op_log *op)
{
    w->insts[w->count++] = (struct warp_inst){inst, op->mask, op->row};
    for (uint32_t k = op->more; k != NO_MORE; k = c->more[k].more) {
        if (reserve(t, w, PTX_SEGMENT_MAX))
            return;
        w->insts[w->count++] = (struct warp_inst){inst, c->more[k].mask, c->more[k].row};
    }
}

/* What the segment under way has come to is finished. */
static void conclude(struct ptx_trace_log *t, const struct ptx_cta_log *c, struct ptx_warp_log *w)
{
    const struct ptx_segment *s = w->segment;
    const struct ptx_machine *m;
    uint32_t first, next;

    w->segment = NULL;
    if (!s || reserve(t, w, (size_t)s->count + PTX_SEGMENT_MAX))
        return;
    m = &w->function->machine[s->first];
    first = w->first - s->first_op;
    next = w->next - s->first_op;
    for (uint32_t k = 0; k < s->count; k++) {
        const struct ptx_op_log *op = &w->ops[m[k].op];

        if (m[k].op < first || m[k].op >= next)
            continue;
        if (m[k].accesses && op->row != NO_ADDRESS) {
            add_access(t, c, w, m[k].inst, op);
            if (reserve(t, w, s->count))
                return;
        } else {
            w->insts[w->count++] = (struct warp_inst){m[k].inst, op->mask, NO_ADDRESS};
        }
    }
}

static void on_executed(void *ctx, uint32_t warp, const struct ptx_code *code, uint32_t op, uint32_t mask)
{
    struct ptx_trace_log *t = ctx;
    struct ptx_warp_log *w;
    const struct ptx_segment *s;

    if (t->off || t->failed)
        return;
    w = &t->current->warps[warp];
    s = w->segment;
    if (!s || op != w->next || op == s->first_op + s->op_count || w->function->code != code) {
        conclude(t, t->current, w);
        if (!w->function || w->function->code != code)
            w->function = ptx_trace_log_function(t, code);
        if (!w->function || t->failed)
            return;
        s = w->segment = &w->function->segments[w->function->segment_of[op]];
        w->first = w->next = op;
    }
    w->ops[op - s->first_op] = (struct ptx_op_log){mask, NO_ADDRESS, NO_MORE};
    w->next = op + 1; /* at the segment's end, too: its addresses are still to be told */
}

/* --- addresses --- */

/* One row for the lanes of the mask: a stride where they have one. */
static void describe(const uint64_t address[PTX_LANES], uint32_t mask, uint64_t base, struct address_set *out)
{
    uint32_t first = (uint32_t)__builtin_ctz(mask);
    uint64_t stride = 0, off = 0;

    out->base = address[first] + base;
    if (mask & (mask - 1)) {
        uint32_t second = (uint32_t)__builtin_ctz(mask & (mask - 1));

        stride = (uint64_t)((int64_t)(address[second] - address[first]) / (int64_t)(second - first));
    }
    out->stride = (int64_t)stride;
    for (uint32_t l = first; l < PTX_LANES; l++)
        off |= (address[l] - address[first] - (l - first) * stride) & -(uint64_t)(mask >> l & 1);
    out->is_list = off != 0;
    for (uint32_t l = 0; out->is_list && l < PTX_LANES; l++)
        out->lanes[l] = mask >> l & 1 ? address[l] + base : 0;
}

static uint64_t window_base(const struct ptx_warp_log *w, uint32_t op, enum ptx_space space)
{
    const struct ptx_op *o = &w->function->code->ops[op];
    const struct ptx_access *a = &w->function->code->accesses[o->access];

    if (a->space != PTX_GENERIC)
        return 0;
    return space == PTX_SPACE_SHARED ? PTX_SHARED_BASE : space == PTX_SPACE_LOCAL ? PTX_LOCAL_BASE : 0;
}

static void on_memory(void *ctx, uint32_t warp, enum ptx_space space, const uint64_t address[PTX_LANES],
                      uint32_t mask)
{
    struct ptx_trace_log *t = ctx;
    struct ptx_cta_log *c;
    struct ptx_warp_log *w;
    struct ptx_op_log *op;
    struct address_set set;
    uint32_t row;

    if (t->off || t->failed || !mask)
        return;
    c = t->current;
    w = &c->warps[warp];
    if (!w->segment)
        return;
    describe(address, mask, window_base(w, w->next - 1, space), &set);
    op = &w->ops[w->next - 1 - w->segment->first_op];
    if (cta_store_add_addresses(c->store, &set, &row, &t->fault)) {
        t->failed = true;
        return;
    }
    if (op->row == NO_ADDRESS) {
        op->row = row;
        op->mask = mask;
        return;
    }
    if (array_reserve((void **)&c->more, &c->more_capacity, c->more_count + 1, sizeof *c->more, &t->fault)) {
        t->failed = true;
        return;
    }
    c->more[c->more_count] = (struct ptx_more_log){mask, row, op->more};
    op->more = (uint32_t)c->more_count++;
}

/* --- CTAs --- */

static void cta_log_free(struct ptx_cta_log *c)
{
    if (!c)
        return;
    for (uint32_t k = 0; c->warps && k < c->warp_count; k++)
        free(c->warps[k].insts);
    free(c->warps);
    free(c->more);
    cta_store_free(c->store);
    free(c);
}

static struct ptx_cta_log *cta_log_new(uint32_t warps, struct err *e)
{
    struct ptx_cta_log *c = mem_zalloc(1, sizeof *c, e);

    if (!c)
        return NULL;
    c->warp_count = warps;
    c->warps = mem_zalloc(warps, sizeof *c->warps, e);
    if (c->warps)
        return c;
    cta_log_free(c);
    return NULL;
}

static void begin_cta(struct ptx_trace_log *t, const uint32_t id[3], uint32_t warps)
{
    struct ptx_cta_log *c = t->spare;

    if (c)
        t->spare = c->next;
    else
        c = cta_log_new(warps, &t->fault);
    if (c)
        c->store = cta_pool_take(&t->pool, warps, &t->fault);
    if (!c || !c->store) {
        cta_log_free(c);
        t->failed = true;
        return;
    }
    memcpy(c->id, id, sizeof c->id);
    c->more_count = 0;
    for (uint32_t k = 0; k < warps; k++) {
        c->warps[k].segment = NULL;
        c->warps[k].count = 0;
    }
    c->next = t->open;
    t->open = t->current = c;
}

/* What its warps have executed goes into its store, which is ready then. */
static void end_cta(struct ptx_trace_log *t, struct ptx_cta_log *c)
{
    struct cta_store *s = c->store;

    for (uint32_t k = 0; k < c->warp_count; k++) {
        struct ptx_warp_log *w = &c->warps[k];

        conclude(t, c, w);
        cta_store_begin_warp(s, k);
        for (size_t i = 0; i < w->count; i++)
            if (cta_store_add(s, w->insts[i].inst, w->insts[i].mask, w->insts[i].address, &t->fault)) {
                t->failed = true;
                return;
            }
        cta_store_end_warp(s, k);
        t->instructions += w->count;
    }
    cta_store_finish(s);
    memcpy(s->trace.id, c->id, sizeof s->trace.id);
    s->trace.index = t->ctas++;
    s->next_free = NULL;
    *t->ready_end = s;
    t->ready_end = &s->next_free;
    c->store = NULL;
}

static void on_turn(void *ctx, const uint32_t id[3])
{
    struct ptx_trace_log *t = ctx;

    if (t->off || t->failed || (t->current && memcmp(t->current->id, id, sizeof t->current->id) == 0))
        return;
    for (struct ptx_cta_log *c = t->open; c; c = c->next)
        if (memcmp(c->id, id, sizeof c->id) == 0)
            t->current = c;
}

static void on_cta(void *ctx, const uint32_t id[3], uint32_t warps, bool begins)
{
    struct ptx_trace_log *t = ctx;

    if (t->off || t->failed)
        return;
    if (begins) {
        begin_cta(t, id, warps);
        return;
    }
    end_cta(t, t->current);
    for (struct ptx_cta_log **p = &t->open; *p; p = &(*p)->next)
        if (*p == t->current) {
            *p = t->current->next;
            break;
        }
    t->current->next = t->spare;
    t->spare = t->current;
    t->current = NULL;
}

/* --- the whole --- */

void ptx_trace_log_init(struct ptx_trace_log *t, uint32_t arch)
{
    *t = (struct ptx_trace_log){.observer = {t, on_cta, on_turn, on_executed, on_memory}};
    t->table.arch = arch;
    t->ready_end = &t->ready;
}

struct cta_store *ptx_trace_log_take(struct ptx_trace_log *t)
{
    struct cta_store *s = t->ready;

    if (!s)
        return NULL;
    t->ready = s->next_free;
    if (!t->ready)
        t->ready_end = &t->ready;
    s->next_free = NULL;
    return s;
}

static void free_list(struct ptx_cta_log *c)
{
    while (c) {
        struct ptx_cta_log *next = c->next;

        cta_log_free(c);
        c = next;
    }
}

void ptx_trace_log_release(struct ptx_trace_log *t)
{
    struct cta_store *s;

    while ((s = ptx_trace_log_take(t)))
        cta_store_free(s);
    free_list(t->open);
    free_list(t->spare);
    for (size_t k = 0; k < t->function_count; k++)
        ptx_lowered_free(t->functions[k]);
    free(t->functions);
    cta_pool_release(&t->pool);
    ptx_machine_table_release(&t->table);
}
