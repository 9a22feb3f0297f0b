/* ptx/lower/lower_values.c: finds values that are copies, dead ops, and ops that become part of others. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "ptx/code/actions.h"
#include "ptx/lower/lowering.h"

enum { NEAR_OPS_MAX = 64 };

/* --- operands that an op reads and writes --- */

static void note_touch(void *ctx, uint32_t value, bool write)
{
    struct touches *t = ctx;

    if (write && t->write_count < TOUCHES_MAX)
        t->writes[t->write_count++] = value;
    else if (!write && t->read_count < TOUCHES_MAX)
        t->reads[t->read_count++] = value;
}

void lower_touches(const struct lowering *w, uint32_t op, struct touches *out)
{
    out->read_count = out->write_count = 0;
    ptx_touched(w->f, w->live.value_of, &w->f->insts[op], note_touch, out);
}

/* --- values --- */

uint32_t lower_new_value(struct lowering *w, uint8_t words)
{
    if (array_reserve((void **)&w->values, &w->value_capacity, w->value_count + 1, sizeof *w->values, w->e))
        return VALUE_NONE;
    w->values[w->value_count] =
        (struct lower_value){.words = words, .single = true, .begin = UINT32_MAX, .source = {VALUE_NONE, 0, 0}};
    return (uint32_t)w->value_count++;
}

static int make_values(struct lowering *w)
{
    struct touches t;

    for (uint32_t v = 0; v < w->live.value_count; v++) {
        if (lower_new_value(w, 1) == VALUE_NONE)
            return -1;
        w->values[v].begin = w->live.ranges[v].begin;
        w->values[v].end = w->live.ranges[v].end;
    }
    for (uint32_t r = 0; r < w->f->register_count; r++)
        for (uint32_t v = w->live.value_of[r]; v < w->live.value_of[r + 1]; v++) {
            uint32_t bits = ptx_row_bits((enum ptx_type)w->f->registers[r].type);

            w->values[v].pred = bits == 1;
            w->values[v].words = (uint8_t)((bits + 31) / 32);
        }
    for (uint32_t op = 0; op < w->code->op_count; op++) {
        lower_touches(w, op, &t);
        for (uint32_t k = 0; k < t.write_count; k++) {
            struct lower_value *v = &w->values[t.writes[k]];

            v->defs++;
            v->def = op;
            v->single = v->defs == 1 && !w->code->ops[op].guarded;
        }
    }
    /* the call writes the registers of the parameters */
    for (uint32_t k = 0; k < w->f->param_count; k++)
        if (w->f->params[k].reg != PTX_NONE)
            w->values[w->live.value_of[w->f->params[k].reg]].single = false;
    return 0;
}

struct part lower_resolve(const struct lowering *w, uint32_t value)
{
    struct part p = {value, 0, w->values[value].words};

    while (p.value != VALUE_NONE && w->values[p.value].copied) {
        const struct part s = w->values[p.value].source;

        if (p.word >= s.words) /* the upper word of a zero-extended value */
            return (struct part){VALUE_NONE, 0, 0};
        p.words = p.words < s.words - p.word ? p.words : (uint8_t)(s.words - p.word);
        p.word = (uint8_t)(p.word + s.word);
        p.value = s.value;
    }
    return p;
}

/* --- groups: adjacent registers that one instruction writes --- */

/* The values that the op defines, with copies resolved. All must be whole values outside other groups; a group
 * has at least two values and at most 8 words. Returns the number of values, or 0 if they cannot form a group. */
static uint32_t group_parts(const struct lowering *w, uint32_t op, uint32_t *values, uint32_t *words)
{
    struct touches t;
    uint32_t n = 0;

    *words = 0;
    lower_touches(w, op, &t);
    for (uint32_t k = 0; k < t.write_count; k++) {
        struct part p = lower_resolve(w, t.writes[k]);

        if (w->values[t.writes[k]].pred)
            continue;
        if (p.value == VALUE_NONE || p.value >= w->live.value_count || p.words != w->values[p.value].words ||
            n == PTX_MATRIX_ROWS)
            return 0;
        for (uint32_t i = 0; i < n; i++)
            if (values[i] == p.value)
                return 0;
        values[n++] = p.value;
        *words += p.words;
    }
    return n < 2 || *words > 8 ? 0 : n;
}

/* Loop-carried sums are written twice, by the product and by their initialization. Their group is not `single`. */
static int make_group(struct lowering *w, uint32_t op)
{
    uint32_t values[PTX_MATRIX_ROWS], words, n = group_parts(w, op, values, &words), group, word = 0;

    if (!n)
        return 0;
    group = lower_new_value(w, (uint8_t)words);
    if (group == VALUE_NONE)
        return -1;
    w->values[group].def = op;
    w->values[group].defs = 1;
    for (uint32_t k = 0; k < n; k++) {
        struct lower_value *v = &w->values[values[k]];

        w->values[group].single &= v->single;
        w->values[group].defs = v->defs > w->values[group].defs ? v->defs : w->values[group].defs;
        v->copied = true;
        v->source = (struct part){group, (uint8_t)word, v->words};
        word += v->words;
    }
    return 0;
}

/* --- uses, dead ops --- */

static void count_reads(struct lowering *w, uint32_t op, int by)
{
    struct touches t;

    lower_touches(w, op, &t);
    for (uint32_t k = 0; k < t.read_count; k++) {
        struct part p =
            lower_is_address(w, op, t.reads[k]) ? w->values[t.reads[k]].address : lower_resolve(w, t.reads[k]);

        if (p.value != VALUE_NONE)
            w->values[p.value].uses += (uint32_t)by;
    }
}

static bool can_die(const struct lowering *w, uint32_t op)
{
    const struct ptx_op *o = &w->code->ops[op];
    const char *name = w->f->insts[op].opcode;

    if (o->action == PTX_DO_LOAD)
        return !(w->code->accesses[o->access].hints & (PTX_HINT_VOLATILE | PTX_HINT_ACQUIRE | PTX_HINT_RELAXED));
    return o->action == PTX_DO_FORM && !ptx_has(&w->f->insts[op], ".cc") && strcmp(name, "addc") != 0 &&
           strcmp(name, "subc") != 0 && strcmp(name, "madc") != 0;
}

static bool is_dead(const struct lowering *w, uint32_t op)
{
    struct touches t;

    lower_touches(w, op, &t);
    for (uint32_t k = 0; k < t.write_count; k++) {
        struct part p = lower_resolve(w, t.writes[k]);

        if (p.value == VALUE_NONE || w->values[p.value].uses || !w->values[p.value].single)
            return false;
    }
    return t.write_count > 0;
}

static void bury_dead(struct lowering *w)
{
    bool more = true;

    for (uint32_t op = 0; op < w->code->op_count; op++)
        if (w->fate[op] == OP_STAYS)
            count_reads(w, op, 1);
    while (more) {
        more = false;
        for (uint32_t op = w->code->op_count; op-- > 0;)
            if (w->fate[op] == OP_STAYS && can_die(w, op) && is_dead(w, op)) {
                w->fate[op] = OP_DEAD;
                count_reads(w, op, -1);
                more = true;
            }
    }
}

/* --- ops that become part of others --- */

/* Returns true if an op from `from` to before `to`, in one block, writes the value. */
static bool is_written(const struct lowering *w, uint32_t from, uint32_t to, uint32_t value)
{
    struct touches t;

    for (uint32_t op = from; op < to; op++) {
        lower_touches(w, op, &t);
        for (uint32_t k = 0; k < t.write_count; k++)
            if (lower_resolve(w, t.writes[k]).value == value)
                return true;
    }
    return false;
}

/* Returns true if all sources of the op are unchanged until the later use. Sources that several ops write are
 * followed for a short way. */
static bool can_wait(const struct lowering *w, uint32_t op, uint32_t use)
{
    bool near = w->flow.block_of[op] == w->flow.block_of[use] && use - op <= NEAR_OPS_MAX;
    struct touches t;

    lower_touches(w, op, &t);
    for (uint32_t k = 0; k < t.read_count; k++) {
        struct part p = lower_resolve(w, t.reads[k]);

        if (p.value != VALUE_NONE && !w->values[p.value].single && (!near || is_written(w, op + 1, use, p.value)))
            return false;
    }
    return true;
}

/* The next op that defines a source of `op` and can become part of it; *k: the source to begin at, becomes the one
 * after it. *made: the result of that op. */
static uint32_t next_partner(const struct lowering *w, uint32_t op, uint32_t *k, uint32_t *made)
{
    struct touches t;

    if (w->fate[op] != OP_STAYS || w->code->ops[op].action != PTX_DO_FORM || w->code->ops[op].guarded)
        return PTX_NONE;
    lower_touches(w, op, &t);
    while (*k < t.read_count) {
        struct part p = lower_resolve(w, t.reads[(*k)++]);
        uint32_t def = p.value == VALUE_NONE ? PTX_NONE : w->values[p.value].def;

        if (def == PTX_NONE || !w->values[p.value].single || def >= op || w->fate[def] != OP_STAYS ||
            !lower_join(w, def, op) || !can_wait(w, def, op))
            continue;
        *made = p.value;
        return def;
    }
    return PTX_NONE;
}

/* Returns true if joining them costs no instruction. */
static bool pays(const struct lowering *w, const uint32_t *joins, uint32_t def, uint32_t op, uint32_t made)
{
    bool many = w->values[made].uses > 1 || w->flow.block_of[def] != w->flow.block_of[op];

    return joins[made] == w->values[made].uses && (!many || lower_joins_many(w, def)) &&
           (w->joined[def] == PTX_NONE || w->joined[def] > def); /* else it has a joined op already */
}

/* Joins an op with the only op that reads its result. If several ops read it, joins it with each of them if this
 * costs no extra instruction (products and shifts that are added: typical address computations). */
static void join_ops(struct lowering *w, uint32_t *joins)
{
    uint32_t made;

    for (uint32_t op = 0; op < w->code->op_count; op++)
        for (uint32_t k = 0; next_partner(w, op, &k, &made) != PTX_NONE;)
            joins[made]++;
    for (uint32_t op = 0; op < w->code->op_count; op++) {
        uint32_t def = PTX_NONE, result = VALUE_NONE, k = 0;

        for (uint32_t x; w->joined[op] == PTX_NONE && (x = next_partner(w, op, &k, &made)) != PTX_NONE;)
            if (pays(w, joins, x, op, made) &&
                (def == PTX_NONE || (lower_joins_many(w, x) && !lower_joins_many(w, def)))) {
                def = x;
                result = made;
            }
        if (def == PTX_NONE)
            continue;
        w->joined[def] = op;
        w->joined[op] = def;
        if (--joins[result] == 0 || w->values[result].uses == 1)
            w->fate[def] = OP_JOINED;
        w->values[result].uses--;
    }
}

/* --- live ranges of the remaining values --- */

static void widen(struct lowering *w, uint32_t value, uint32_t begin, uint32_t end)
{
    struct lower_value *v = &w->values[value];

    v->begin = begin < v->begin ? begin : v->begin;
    v->end = end > v->end ? end : v->end;
}

/* Extends live ranges of sources that are read later than the op's position. */
static void widen_sources(struct lowering *w, uint32_t op, struct ptx_range r)
{
    struct touches t;

    lower_touches(w, op, &t);
    for (uint32_t k = 0; k < t.read_count; k++) {
        struct part p = lower_resolve(w, t.reads[k]);

        if (p.value != VALUE_NONE)
            widen(w, p.value, r.begin, r.end);
    }
}

static void add_lives(struct lowering *w)
{
    for (uint32_t v = 0; v < w->live.value_count; v++) {
        const struct ptx_range r = w->live.ranges[v];
        struct part p = lower_resolve(w, v);

        if (r.begin > r.end)
            continue;
        if (p.value != VALUE_NONE && p.value != v)
            widen(w, p.value, r.begin, r.end);
        if (w->values[v].address.words && w->values[v].address.value != VALUE_NONE)
            widen(w, w->values[v].address.value, r.begin, r.end);
        if (w->values[v].single && w->values[v].defs && w->fate[w->values[v].def] == OP_JOINED)
            widen_sources(w, w->values[v].def, r);
    }
}

int lower_values(struct lowering *w, const struct ptx_segment *segments, uint32_t count)
{
    uint32_t *joins;

    if (make_values(w))
        return -1;
    lower_find_copies(w);
    lower_find_addresses(w);
    lower_fold_constants(w);
    for (uint32_t op = 0; op < w->code->op_count; op++)
        if ((w->code->ops[op].action == PTX_DO_LOAD || w->code->ops[op].action == PTX_DO_MATRIX) &&
            w->fate[op] == OP_STAYS && make_group(w, op))
            return -1;
    lower_settle_addresses(w);
    bury_dead(w);
    if (lower_merge(w, segments, count))
        return -1;
    lower_settle_addresses(w);
    joins = mem_zalloc(w->value_count + 1, sizeof *joins, w->e);
    if (!joins)
        return -1;
    join_ops(w, joins);
    free(joins);
    add_lives(w);
    return lower_branches(w);
}
