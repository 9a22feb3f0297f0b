/* ptx/trace/trace_log.c: records the execution of a launch, CTA by CTA. Logs are reused for later launches. */
#include "ptx/trace/trace_log.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "ptx/program/program.h"

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
    l->first_op = t->op_count;
    t->op_count += code->op_count;
    t->functions[t->function_count++] = l;
    return l;
}

/* --- CTAs --- */

static void segments_free(struct ptx_cta_segments *s)
{
    if (!s)
        return;
    free(s->warps);
    free(s->ops);
    free(s->more);
    free(s);
}

static struct ptx_cta_segments *segments_new(uint32_t warps, struct err *e)
{
    struct ptx_cta_segments *s = mem_zalloc(1, sizeof *s, e);

    if (!s)
        return NULL;
    s->warps = mem_zalloc(warps, sizeof *s->warps, e);
    s->ops = s->warps ? mem_zalloc((size_t)warps * PTX_SEGMENT_MAX, sizeof *s->ops, e) : NULL;
    if (!s->ops) {
        segments_free(s);
        return NULL;
    }
    for (uint32_t k = 0; k < warps; k++)
        s->warps[k].ops = s->ops + (size_t)k * PTX_SEGMENT_MAX;
    return s;
}

static struct ptx_cta_segments *take_segments(struct ptx_trace_log *t)
{
    struct ptx_cta_segments *s = t->spare_segments;

    if (s)
        t->spare_segments = s->next;
    else
        s = segments_new(t->warp_count, &t->fault);
    for (uint32_t k = 0; s && k < t->warp_count; k++)
        s->warps[k].segment = s->warps[k].loop = NULL;
    if (s)
        s->more_count = 0;
    return s;
}

static void begin_cta(struct ptx_trace_log *t, const uint32_t id[3])
{
    struct ptx_cta_log *c = t->spare;

    if (c)
        t->spare = c->next;
    else
        c = ptx_cta_log_new(t->warp_count, &t->fault);
    if (c)
        c->segments = take_segments(t);
    if (!c || !c->segments) {
        ptx_cta_log_free(c);
        t->failed = true;
        return;
    }
    ptx_cta_log_clear(c, id);
    c->next = t->open;
    t->open = t->current = c;
}

static void close_segments(struct ptx_trace_log *t, struct ptx_cta_log *c)
{
    if (!c->segments)
        return;
    c->segments->next = t->spare_segments;
    t->spare_segments = c->segments;
    c->segments = NULL;
}

static void end_cta(struct ptx_trace_log *t, struct ptx_cta_log *c)
{
    for (uint32_t k = 0; k < t->warp_count; k++) {
        ptx_trace_conclude(t, k);
        t->instructions += c->warps[k].count;
    }
    if (ptx_cta_log_finish(c, &t->fault))
        t->failed = true;
    close_segments(t, c);
    c->store.trace.index = t->ctas++;
    for (struct ptx_cta_log **p = &t->open; *p; p = &(*p)->next)
        if (*p == c) {
            *p = c->next;
            break;
        }
    c->next = NULL;
    if (t->ready_end)
        t->ready_end->next = c;
    else
        t->ready = c;
    t->ready_end = c;
    t->current = NULL;
}

static bool is_cta(const struct ptx_cta_log *c, const uint32_t id[3])
{
    return memcmp(c->store.trace.id, id, sizeof c->store.trace.id) == 0;
}

static void on_turn(void *ctx, const uint32_t id[3])
{
    struct ptx_trace_log *t = ctx;

    if (t->off || t->failed || (t->current && is_cta(t->current, id)))
        return;
    for (struct ptx_cta_log *c = t->open; c; c = c->next)
        if (is_cta(c, id))
            t->current = c;
}

static void on_cta(void *ctx, const uint32_t id[3], uint32_t warps, bool begins)
{
    struct ptx_trace_log *t = ctx;

    (void)warps;
    if (t->off || t->failed)
        return;
    if (begins)
        begin_cta(t, id);
    else
        end_cta(t, t->current);
}

struct ptx_cta_log *ptx_trace_log_take(struct ptx_trace_log *t)
{
    struct ptx_cta_log *c = t->ready;

    if (!c)
        return NULL;
    t->ready = c->next;
    if (!t->ready)
        t->ready_end = NULL;
    return c;
}

void ptx_trace_log_release_cta(struct ptx_trace_log *t, struct ptx_cta_log *c)
{
    window_file_free_cta(c->filed); /* while its file exists */
    c->filed = NULL;
    c->next = t->spare;
    t->spare = c;
}

/* --- reuse of logs --- */

static void spare_all(struct ptx_trace_log *t, struct ptx_cta_log *c)
{
    while (c) {
        struct ptx_cta_log *next = c->next;

        close_segments(t, c);
        ptx_trace_log_release_cta(t, c);
        c = next;
    }
}

static void log_free(struct ptx_trace_log *t)
{
    while (t->spare) {
        struct ptx_cta_log *next = t->spare->next;

        ptx_cta_log_free(t->spare);
        t->spare = next;
    }
    while (t->spare_segments) {
        struct ptx_cta_segments *next = t->spare_segments->next;

        segments_free(t->spare_segments);
        t->spare_segments = next;
    }
    for (size_t k = 0; k < t->function_count; k++)
        ptx_lowered_free(t->functions[k]);
    free(t->functions);
    ptx_machine_table_release(&t->table);
    free(t);
}

static void free_idle(void *items)
{
    for (struct ptx_trace_log *t = items, *next; t; t = next) {
        next = t->next;
        log_free(t);
    }
}

static struct ptx_trace_log *find_idle(struct ptx_idle *idle, const struct ptx_code *code, uint32_t arch,
                                       uint32_t registers_max, uint32_t warp_count)
{
    struct ptx_trace_log *t = idle->items, *before = NULL;

    for (; t; before = t, t = t->next)
        if (t->code == code && t->table.arch == arch && t->table.registers_max == registers_max &&
            t->warp_count == warp_count) {
            if (before)
                before->next = t->next;
            else
                idle->items = t->next;
            return t;
        }
    return NULL;
}

struct ptx_trace_log *ptx_trace_log_get(struct ptx_program *p, const struct ptx_code *code, uint32_t arch,
                                        uint32_t registers_max, uint32_t warp_count, struct err *e)
{
    struct ptx_trace_log *t = find_idle(ptx_program_idle(p), code, arch, registers_max, warp_count);

    if (t)
        return t;
    t = mem_zalloc(1, sizeof *t, e);
    if (!t)
        return NULL;
    t->observer = (struct ptx_observer){
        .ctx = t, .cta = on_cta, .turn = on_turn, .ran = ptx_trace_ran, .memory = ptx_trace_memory};
    t->code = code;
    t->table.arch = arch;
    t->table.registers_max = registers_max;
    t->warp_count = warp_count;
    return t;
}

void ptx_trace_log_put(struct ptx_program *p, struct ptx_trace_log *t)
{
    struct ptx_idle *idle = ptx_program_idle(p);

    if (!t)
        return;
    spare_all(t, t->open);
    spare_all(t, t->ready);
    t->open = t->ready = t->ready_end = t->current = NULL;
    t->ctas = t->instructions = 0;
    t->off = t->failed = t->files = false;
    window_file_free(t->file);
    t->file = NULL;
    t->next = idle->items;
    idle->items = t;
    idle->free = free_idle;
}
