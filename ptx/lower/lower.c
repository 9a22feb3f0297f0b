/* ptx/lower/lower.c: lowers functions to machine instructions. */
#include "ptx/lower/lower.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "ptx/code/actions.h"
#include "ptx/lower/lowering.h"
#include "simcore/trace/fields.h"

enum { PC_BYTES = 16 }; /* size of a machine instruction since Volta */

/* --- the table --- */

void ptx_machine_table_release(struct ptx_machine_table *t)
{
    for (size_t k = 0; k < t->opcode_count; k++)
        free(t->opcodes[k]);
    free(t->opcodes);
    free(t->insts);
    *t = (struct ptx_machine_table){0};
}

uint32_t ptx_machine_opcode(struct ptx_machine_table *t, const char *text, struct err *e)
{
    for (size_t k = 0; k < t->opcode_count; k++)
        if (strcmp(t->opcodes[k], text) == 0)
            return (uint32_t)k;
    if (array_reserve((void **)&t->opcodes, &t->opcode_capacity, t->opcode_count + 1, sizeof *t->opcodes, e))
        return UINT32_MAX;
    t->opcodes[t->opcode_count] = mem_strdup(text, e);
    return t->opcodes[t->opcode_count] ? (uint32_t)t->opcode_count++ : UINT32_MAX;
}

/* --- segments --- */

/* A segment is a block, or a part of a block that is too long. */
static int make_segments(struct ptx_lowered *l, struct err *e)
{
    const struct ptx_code *c = l->code;
    uint32_t n = 0;

    for (uint32_t b = 0; b < c->block_count; b++)
        n += (c->blocks[b].count + PTX_SEGMENT_MAX - 1) / PTX_SEGMENT_MAX;
    l->segments = mem_zalloc(n + 1, sizeof *l->segments, e);
    l->segment_of = mem_zalloc(c->op_count + 1, sizeof *l->segment_of, e);
    if (!l->segments || !l->segment_of)
        return -1;
    for (uint32_t b = 0; b < c->block_count; b++) {
        for (uint32_t at = 0; at < c->blocks[b].count; at += PTX_SEGMENT_MAX) {
            uint32_t left = c->blocks[b].count - at, count = left < PTX_SEGMENT_MAX ? left : PTX_SEGMENT_MAX;

            l->segments[l->segment_count] =
                (struct ptx_segment){.first_op = c->blocks[b].first + at, .op_count = count};
            for (uint32_t k = 0; k < count; k++)
                l->segment_of[c->blocks[b].first + at + k] = l->segment_count;
            l->segment_count++;
        }
    }
    return 0;
}

/* --- a segment: its instructions in order --- */

int lower_append(struct lowering *w, const struct ptx_segment *s, uint32_t least)
{
    if (lower_schedule(w, s, least) ||
        array_reserve((void **)&w->all, &w->all_capacity, w->all_count + w->mop_count, sizeof *w->all, w->e))
        return -1;
    for (size_t k = 0; k < w->mop_count; k++)
        w->all[w->all_count++] = w->mops[w->order[k]];
    return 0;
}

static int lower_segment(struct lowering *w, struct ptx_lowered *l, struct ptx_segment *s)
{
    w->mop_count = 0;
    w->scale.value = VALUE_NONE;
    for (uint32_t op = s->first_op; op < s->first_op + s->op_count; op++)
        if (lower_select(w, op))
            return -1;
    s->first = (uint32_t)w->all_count;
    s->count = (uint32_t)w->mop_count;
    if (lower_append(w, s, 0) || lower_unroll(w, l, s))
        return -1;
    s->span = (uint32_t)w->all_count - s->first;
    return 0;
}

/* --- into the table --- */

static uint8_t reg(const uint8_t *reg_of, struct part p)
{
    return p.value == VALUE_NONE ? REG_ZERO : (uint8_t)(reg_of[p.value] + p.word);
}

static struct trace_inst make_inst(const struct ptx_machine_table *t, const struct mop *m, const uint8_t *reg_of)
{
    struct trace_inst i = {.opcode = m->opcode,
                           .pc = (uint32_t)t->inst_count * PC_BYTES,
                           .width = m->width,
                           .src_count = m->src_count};

    if (m->dst.value != VALUE_NONE) {
        i.dst_count = 1;
        i.dst = reg(reg_of, m->dst);
        i.dst_regs = m->dst.words;
    }
    for (uint32_t k = 0; k < m->src_count; k++) {
        i.src[k] = reg(reg_of, m->src[k]);
        i.src_regs[k] = m->src[k].words;
    }
    i.has_immediate = m->immediate >= 0;
    i.immediate = i.has_immediate ? m->immediate : 0;
    return i;
}

static uint8_t accesses_of(const struct ptx_code *c, uint32_t op, uint32_t width)
{
    uint32_t access = c->ops[op].access;

    if (c->ops[op].action == PTX_DO_ASYNC && c->accesses[access].what == PTX_CP_ASYNC)
        return PTX_ACCESSES_SOURCE;
    if ((c->ops[op].action == PTX_DO_ASYNC || c->ops[op].action == PTX_DO_BARRIER) && width == FIELDS_WIDTH)
        return PTX_ACCESSES_FIELDS;
    return access < c->access_count && c->accesses[access].space == PTX_GENERIC ? PTX_ACCESSES_GENERIC
                                                                                : PTX_ACCESSES;
}

/* Records that this machine instruction has the addresses of its op. No other instruction of the op has them. */
static int put_access(struct lowering *w, struct ptx_lowered *l, struct ptx_segment *s, const struct mop *m)
{
    uint32_t op = m->op - s->first_op;

    if (array_reserve((void **)&l->accesses, &l->access_capacity, l->access_count + 1, sizeof *l->accesses, w->e))
        return -1;
    l->accesses[l->access_count++] = op;
    l->accessing[m->op] = accesses_of(w->code, m->op, m->width) | m->one_lane;
    s->aggregates |= m->one_lane != 0;
    l->access_of[m->op] = (uint8_t)s->access_count; /* a segment has at most PTX_SEGMENT_MAX ops */
    if (op + 1 == s->op_count)
        s->last_access = s->access_count;
    s->access_count++;
    return 0;
}

static int put_segment(struct lowering *w, struct ptx_lowered *l, struct ptx_segment *s, const uint8_t *reg_of)
{
    struct ptx_machine_table *t = w->table;
    uint32_t of_last = 0, from = s->first;

    s->first = (uint32_t)l->machine_count; /* from here on an index in l->machine */
    s->inst = (uint32_t)t->inst_count;
    s->access_first = (uint32_t)l->access_count;
    s->last_access = NO_ACCESS;
    for (uint32_t k = from; k < from + s->count; k++) {
        const struct mop *m = &w->all[k];
        uint32_t op = m->op - s->first_op;

        l->machine[l->machine_count++] =
            (struct ptx_machine){.inst = (uint32_t)t->inst_count, .op = (uint16_t)op, .accesses = m->accesses};
        t->insts[t->inst_count++] = make_inst(t, m, reg_of);
        of_last += op + 1 == s->op_count;
        if (op + 1 != s->op_count)
            s->last_count = 0;
        else if (s->last_count++ == 0)
            s->access_before = s->access_count;
        if (m->accesses && put_access(w, l, s, m))
            return -1;
    }
    if (!s->last_count)
        s->access_before = s->access_count;
    s->last_together = s->last_count == of_last;
    return 0;
}

/* Adds an unrolled form. place[r * accesses + a]: where the replaced form has access a of round r; becomes that of
 * this form. */
static int put_unrolled(struct lowering *w, struct ptx_lowered *l, const struct ptx_segment *s,
                        struct ptx_unrolled *u, const uint8_t *reg_of, uint16_t *place)
{
    uint32_t part = s->access_count * u->rounds / u->of;
    uint16_t now[UNROLLED_ROWS_MAX];

    u->inst = (uint32_t)w->table->inst_count;
    u->row_first = (uint32_t)l->row_order_count;
    if (array_reserve((void **)&l->row_order, &l->row_order_capacity, l->row_order_count + UNROLLED_ROWS_MAX,
                      sizeof *l->row_order, w->e))
        return -1;
    for (uint32_t k = u->first; k < u->first + u->count; k++) {
        const struct mop *m = &w->all[k];

        w->table->insts[w->table->inst_count++] = make_inst(w->table, m, reg_of);
        u->last_count += m->op + 1 == s->first_op + s->op_count;
        if (m->accesses) {
            uint32_t access = m->round * s->access_count + l->access_of[m->op];

            now[access] = (uint16_t)u->row_count++;
            l->row_order[l->row_order_count++] = (uint16_t)(access / part * part + place[access % part]);
        }
    }
    ASSERT(u->row_count == u->rounds * s->access_count); /* each round has all accesses */
    memcpy(place, now, u->row_count * sizeof *now);
    return 0;
}

static int put_loop(struct lowering *w, struct ptx_lowered *l, const struct ptx_segment *s, const uint8_t *reg_of)
{
    uint16_t place[UNROLLED_ROWS_MAX];

    for (uint32_t k = 0; k < s->access_count; k++)
        place[k] = (uint16_t)k;
    for (uint32_t k = 0; k < s->unroll_count; k++)
        if (put_unrolled(w, l, s, &l->unrolled[s->unroll_first + k], reg_of, place))
            return -1;
    return 0;
}

static int put_insts(struct lowering *w, struct ptx_lowered *l, const uint8_t *reg_of)
{
    struct ptx_machine_table *t = w->table;

    l->accessing = mem_zalloc(w->code->op_count + 1, 1, w->e);
    l->access_of = mem_zalloc(w->code->op_count + 1, 1, w->e);
    if (!l->accessing || !l->access_of)
        return -1;
    if (array_reserve((void **)&t->insts, &t->inst_capacity, t->inst_count + w->all_count, sizeof *t->insts,
                      w->e) ||
        array_reserve((void **)&l->machine, &l->machine_capacity, w->all_count, sizeof *l->machine, w->e))
        return -1;
    for (uint32_t s = 0; s < l->segment_count; s++)
        if (put_segment(w, l, &l->segments[s], reg_of) || put_loop(w, l, &l->segments[s], reg_of))
            return -1;
    return 0;
}

/* --- the function --- */

static void release(struct lowering *w)
{
    ptx_flow_release(&w->flow);
    ptx_live_release(&w->live);
    free(w->values);
    free(w->fate);
    free(w->joined);
    free(w->merged);
    free(w->group);
    free(w->divergent);
    free(w->joins);
    free(w->splits);
    free(w->mops);
    free(w->order);
    free(w->all);
}

static int begin(struct lowering *w, const struct ptx_lowered *l)
{
    uint32_t n = w->code->op_count;

    if (ptx_flow_build(w->f, &w->flow, w->e) || ptx_live_build(w->f, &w->flow, &w->live, w->e))
        return -1;
    w->fate = mem_zalloc(n + 1, sizeof *w->fate, w->e);
    w->joined = mem_zalloc(n + 1, sizeof *w->joined, w->e);
    w->merged = mem_zalloc(n + 1, sizeof *w->merged, w->e);
    w->group = mem_zalloc(n + 1, sizeof *w->group, w->e);
    if (!w->fate || !w->joined || !w->merged || !w->group)
        return -1;
    for (uint32_t op = 0; op < n; op++)
        w->joined[op] = w->merged[op] = w->group[op] = PTX_NONE;
    return lower_values(w, l->segments, l->segment_count);
}

/* Estimates the register count that ptxas declares. For 29 kernels of our examples (sm_80, ptxas 13.0), ptxas
 * used 6 registers more than this allocator (median) below 48 registers, and the same number above. The minimum
 * is 8. */
static uint32_t declared(const struct lowering *w, uint32_t used)
{
    uint32_t n = used < 48 ? used + 6 : used;

    n = n < 8 ? 8 : n;
    return n < w->registers_max ? n : w->registers_max;
}

static int lower_all(struct lowering *w, struct ptx_lowered *l)
{
    uint8_t *reg_of;
    int ret;

    if (make_segments(l, w->e) || begin(w, l))
        return -1;
    for (uint32_t k = 0; k < l->segment_count; k++)
        if (lower_segment(w, l, &l->segments[k]))
            return -1;
    reg_of = mem_zalloc(w->value_count + 1, 1, w->e);
    if (!reg_of)
        return -1;
    ret = lower_registers(w, l, reg_of, &l->registers);
    if (ret == 0)
        ret = put_insts(w, l, reg_of);
    free(reg_of);
    /* Machine instructions name only a few of wgmma's sum registers (select.c), but all of them need registers. */
    if (w->code->wgmma_count && l->registers < w->code->live_words)
        l->registers = w->code->live_words < w->registers_max ? w->code->live_words : w->registers_max;
    l->registers = declared(w, l->registers);
    return ret;
}

int ptx_lower(struct ptx_machine_table *t, const struct ptx_code *code, struct ptx_lowered **out, struct err *e)
{
    struct lowering w = {.table = t, .code = code, .f = code->function, .e = e};
    struct ptx_lowered *l = mem_zalloc(1, sizeof *l, e);
    int ret;

    if (!l)
        return -1;
    l->code = code;
    w.registers_max = t->registers_max && t->registers_max < REG_ZERO ? t->registers_max : REG_ZERO;
    ret = lower_all(&w, l);
    release(&w);
    if (ret)
        ptx_lowered_free(l);
    else
        *out = l;
    return ret;
}

void ptx_lowered_free(struct ptx_lowered *l)
{
    if (!l)
        return;
    free(l->segments);
    free(l->segment_of);
    free(l->machine);
    free(l->accesses);
    free(l->access_of);
    free(l->accessing);
    free(l->unrolled);
    free(l->row_order);
    free(l);
}

void ptx_lowered_code(const struct ptx_lowered *l, void (*each)(void *ctx, uint32_t inst, uint32_t count),
                      void *ctx)
{
    for (uint32_t k = 0; k < l->segment_count; k++) {
        const struct ptx_segment *s = &l->segments[k];
        const struct ptx_unrolled *u = s->unroll_count ? &l->unrolled[s->unroll_first] : NULL;
        bool sole = u && u[s->unroll_count - 1].sole;

        if (!sole)
            each(ctx, s->inst, s->count);
        for (uint32_t i = sole ? s->unroll_count - 1 : 0; i < s->unroll_count; i++)
            each(ctx, u[i].inst, u[i].count);
    }
}
