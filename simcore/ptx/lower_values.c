/* simcore/ptx/lower_values.c: values that are copies, ops that nobody needs, ops that become part of others. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "simcore/ptx/actions.h"
#include "simcore/ptx/lowering.h"

/* --- what an op touches --- */

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

static bool touches(const struct lowering *w, uint32_t op, uint32_t value, bool write)
{
    struct touches t;

    lower_touches(w, op, &t);
    for (uint32_t k = 0; k < (write ? t.write_count : t.read_count); k++)
        if ((write ? t.writes : t.reads)[k] == value)
            return true;
    return false;
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
    /* registers that hold parameters are written by the call */
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

        if (p.word >= s.words) /* the upper word of a value that was extended with zeros */
            return (struct part){VALUE_NONE, 0, 0};
        p.words = p.words < s.words - p.word ? p.words : (uint8_t)(s.words - p.word);
        p.word = (uint8_t)(p.word + s.word);
        p.value = s.value;
    }
    return p;
}

static void copy_of(struct lowering *w, uint32_t op, uint32_t value, struct part source)
{
    w->values[value].copied = true;
    w->values[value].source = source;
    w->fate[op] = OP_COPY;
}

/* --- copies --- */

static const struct ptx_operand *operand(const struct lowering *w, uint32_t op, uint32_t k)
{
    const struct ptx_inst *i = &w->f->insts[op];

    return k < i->operand_count ? &w->f->operands[i->operand_first + k] : NULL;
}

/* The value of an operand that is a whole register; VALUE_NONE. */
static uint32_t register_of(const struct lowering *w, const struct ptx_operand *o)
{
    if (!o || o->kind != PTX_OP_REG || w->f->registers[o->index].vector != 1 || o->component != PTX_WHOLE)
        return VALUE_NONE;
    return w->live.value_of[o->index];
}

static bool is_fixed(const struct lowering *w, uint32_t value)
{
    return value != VALUE_NONE && w->values[value].single;
}

/* Constants of the launch: the constant bank has them. */
static bool from_bank(const struct ptx_operand *o)
{
    return o->kind == PTX_OP_IMMEDIATE || o->kind == PTX_OP_VARIABLE || o->kind == PTX_OP_FUNCTION ||
           (o->kind == PTX_OP_SPECIAL &&
            (o->index == PTX_SREG_NTID || o->index == PTX_SREG_NCTAID || o->index == PTX_SREG_GRIDID ||
             o->index == PTX_SREG_DYNAMIC_SMEM || o->index == PTX_SREG_TOTAL_SMEM));
}

/* mov {a, b}, c of 64 bits or less: the parts of c. */
static void copy_parts(struct lowering *w, uint32_t op, const struct ptx_operand *to, uint32_t from)
{
    uint32_t bits = ptx_type_bits((enum ptx_type)w->f->insts[op].types[0]);

    for (uint32_t k = 0; k < to->count; k++) {
        const struct ptx_operand *o = &w->f->operands[to->index + k];

        if (o->kind != PTX_OP_SINK && !is_fixed(w, register_of(w, o)))
            return;
    }
    for (uint32_t k = 0; k < to->count; k++) {
        uint32_t value = register_of(w, &w->f->operands[to->index + k]);
        uint32_t piece = bits / to->count, word = k * piece / 32;

        if (value != VALUE_NONE)
            copy_of(w, op, value, (struct part){from, (uint8_t)word, (uint8_t)(piece > 32 ? piece / 32 : 1)});
    }
}

static void copy_mov(struct lowering *w, uint32_t op)
{
    const struct ptx_operand *to = operand(w, op, 0), *from = operand(w, op, 1);
    uint32_t value = register_of(w, to), source;

    if (!from)
        return;
    source = register_of(w, from);
    if (to->kind == PTX_OP_VECTOR && is_fixed(w, source)) {
        copy_parts(w, op, to, source);
        return;
    }
    if (!is_fixed(w, value))
        return;
    if (from_bank(from))
        copy_of(w, op, value, (struct part){VALUE_NONE, 0, 0});
    else if (is_fixed(w, source) && w->values[source].words == w->values[value].words &&
             w->values[source].pred == w->values[value].pred)
        copy_of(w, op, value, (struct part){source, 0, w->values[source].words});
}

/* Conversions and the like that change no bit. */
static void copy_same_bits(struct lowering *w, uint32_t op)
{
    const struct ptx_inst *i = &w->f->insts[op];
    uint32_t value = register_of(w, operand(w, op, 0)), source = register_of(w, operand(w, op, 1));
    uint32_t to, from;

    if (!is_fixed(w, value) || !is_fixed(w, source) || i->type_count < 1)
        return;
    to = ptx_type_bits((enum ptx_type)i->types[0]);
    from = i->type_count > 1 ? ptx_type_bits((enum ptx_type)i->types[1]) : to;
    if (strcmp(i->opcode, "cvta") == 0) {
        if (ptx_has(i, ".global") || ptx_has(i, ".const"))
            copy_of(w, op, value, (struct part){source, 0, w->values[source].words});
        return;
    }
    if (strcmp(i->opcode, "neg") == 0 || strcmp(i->opcode, "abs") == 0) { /* a modifier of the operand */
        if (i->types[0] == PTX_F32 || i->types[0] == PTX_F64)
            copy_of(w, op, value, (struct part){source, 0, w->values[source].words});
        return;
    }
    if (i->modifiers[0] || i->type_count < 2 || i->types[0] >= PTX_F16 || i->types[1] >= PTX_F16 || to < 16 ||
        from < 16)
        return;
    if (to <= from || (i->types[1] == PTX_U32 && to == 64) || (i->types[1] == PTX_U16 && to == 32))
        copy_of(w, op, value, (struct part){source, 0, (uint8_t)(from > 32 && to > 32 ? 2 : 1)});
}

/* A parameter of the kernel comes from the constant bank where it is used. */
static void copy_param(struct lowering *w, uint32_t op)
{
    const struct ptx_access *a = &w->code->accesses[w->code->ops[op].access];
    struct touches t;

    if (a->space != PTX_SPACE_PARAM || a->base != PTX_NO_ROW)
        return;
    lower_touches(w, op, &t);
    for (uint32_t k = 0; k < t.write_count; k++)
        if (!is_fixed(w, t.writes[k]))
            return;
    for (uint32_t k = 0; k < t.write_count; k++)
        copy_of(w, op, t.writes[k], (struct part){VALUE_NONE, 0, 0});
}

/* The first block's reads of a special register serve all later ones. */
static void copy_special(struct lowering *w, uint32_t op)
{
    const struct ptx_operand *to = operand(w, op, 0), *from = operand(w, op, 1);
    uint32_t value = register_of(w, to), first = w->flow.blocks[0].count;

    if (!is_fixed(w, value) || !from || from->kind != PTX_OP_SPECIAL || w->code->ops[op].action == PTX_DO_SPECIAL)
        return;
    for (uint32_t k = 0; k < op && k < first; k++) {
        const struct ptx_operand *o = operand(w, k, 1);

        if (strcmp(w->f->insts[k].opcode, "mov") == 0 && o && o->kind == PTX_OP_SPECIAL &&
            o->index == from->index && o->component == from->component && w->fate[k] == OP_STAYS &&
            is_fixed(w, register_of(w, operand(w, k, 0)))) {
            copy_of(w, op, value, (struct part){register_of(w, operand(w, k, 0)), 0, 1});
            return;
        }
    }
}

/* mov d, s at the end of a loop: s is made in d at once. In the block d is neither read nor written between s's
 * making and the mov, nor written while s is read after it. Where s is read behind the loop, too, d has but one
 * other writer, in front of it. */
static void copy_back(struct lowering *w, uint32_t op)
{
    uint32_t d = register_of(w, operand(w, op, 0)), s = register_of(w, operand(w, op, 1));
    const struct ptx_block *b = &w->flow.blocks[w->flow.block_of[op]];
    uint32_t def, end;

    if (d == VALUE_NONE || !is_fixed(w, s) || w->values[d].single || w->values[s].copied ||
        w->values[d].words != w->values[s].words || w->values[d].pred || w->code->ops[op].guarded)
        return;
    def = w->values[s].def;
    end = 2 * (b->first + b->count);
    if (def < b->first || def >= op || (w->values[s].end >= end && w->values[d].defs != 2) ||
        w->f->insts[def].vector > 1 || w->code->ops[def].action == PTX_DO_MATRIX)
        return;
    end = w->values[s].end < end ? w->values[s].end : end - 1;
    for (uint32_t k = def + 1; k < op; k++)
        if (touches(w, k, d, false) || touches(w, k, d, true))
            return;
    for (uint32_t k = op + 1; 2 * k <= end; k++)
        if (touches(w, k, d, true))
            return;
    copy_of(w, op, s, (struct part){d, 0, w->values[d].words});
}

static void find_copies(struct lowering *w)
{
    for (uint32_t op = 0; op < w->code->op_count; op++) {
        const char *name = w->f->insts[op].opcode;

        if (w->code->ops[op].guarded)
            continue;
        if (strcmp(name, "mov") == 0)
            copy_mov(w, op);
        else if (strcmp(name, "cvt") == 0 || strcmp(name, "cvta") == 0 || strcmp(name, "neg") == 0 ||
                 strcmp(name, "abs") == 0)
            copy_same_bits(w, op);
        else if (w->code->ops[op].action == PTX_DO_LOAD)
            copy_param(w, op);
        if (strcmp(name, "mov") == 0 && w->fate[op] == OP_STAYS)
            copy_special(w, op);
    }
    for (uint32_t op = 0; op < w->code->op_count; op++)
        if (w->fate[op] == OP_STAYS && strcmp(w->f->insts[op].opcode, "mov") == 0)
            copy_back(w, op);
}

/* --- addresses: a register plus a constant --- */

static void find_addresses(struct lowering *w)
{
    for (uint32_t op = 0; op < w->code->op_count; op++) {
        const struct ptx_inst *i = &w->f->insts[op];
        uint32_t d = register_of(w, operand(w, op, 0)), a = register_of(w, operand(w, op, 1));
        const struct ptx_operand *o = operand(w, op, 2);

        if (strcmp(i->opcode, "add") != 0 || i->modifiers[0] || i->types[0] >= PTX_F16 || !is_fixed(w, d) ||
            !is_fixed(w, a) || !o || o->kind != PTX_OP_IMMEDIATE || w->values[d].copied)
            continue;
        w->values[d].address = w->values[a].address.words ? w->values[a].address : lower_resolve(w, a);
        w->values[d].address.words = w->values[d].words; /* also where it is a constant and no register */
    }
}

/* --- groups: what one instruction writes into neighbouring registers --- */

static int make_group(struct lowering *w, uint32_t op)
{
    struct touches t;
    uint32_t words = 0, group;

    lower_touches(w, op, &t);
    for (uint32_t k = 0; k < t.write_count; k++) {
        const struct lower_value *v = &w->values[t.writes[k]];

        if (v->pred)
            continue;
        if (!v->single || v->copied)
            return 0;
        words += v->words;
    }
    if (t.write_count < 2 || words < 2 || words > 8)
        return 0;
    group = lower_new_value(w, (uint8_t)words);
    if (group == VALUE_NONE)
        return -1;
    w->values[group].def = op;
    w->values[group].defs = 1;
    words = 0;
    for (uint32_t k = 0; k < t.write_count; k++) {
        struct lower_value *v = &w->values[t.writes[k]];

        if (v->pred)
            continue;
        v->copied = true;
        v->source = (struct part){group, (uint8_t)words, v->words};
        words += v->words;
    }
    return 0;
}

/* --- uses, dead ops --- */

bool lower_is_address(const struct lowering *w, uint32_t op, uint32_t value)
{
    const struct ptx_op *o = &w->code->ops[op];
    const struct ptx_inst *i = &w->f->insts[op];

    if (o->action != PTX_DO_LOAD && o->action != PTX_DO_STORE && o->action != PTX_DO_ATOMIC)
        return false;
    for (uint32_t k = 0; k < i->operand_count; k++) {
        const struct ptx_operand *x = operand(w, op, k);

        if (x->kind == PTX_OP_ADDRESS && register_of(w, &w->f->operands[x->index]) == value)
            return w->values[value].address.words != 0;
    }
    return false;
}

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

/* Are all its sources the same a little later? */
static bool can_wait(const struct lowering *w, uint32_t op)
{
    struct touches t;

    lower_touches(w, op, &t);
    for (uint32_t k = 0; k < t.read_count; k++) {
        struct part p = lower_resolve(w, t.reads[k]);

        if (p.value != VALUE_NONE && !w->values[p.value].single)
            return false;
    }
    return true;
}

/* The op that makes a source of `op` and could become part of it: the first such. *made: its result. */
static uint32_t partner(const struct lowering *w, uint32_t op, uint32_t *made)
{
    struct touches t;

    if (w->fate[op] != OP_STAYS || w->code->ops[op].action != PTX_DO_FORM || w->code->ops[op].guarded)
        return PTX_NONE;
    lower_touches(w, op, &t);
    for (uint32_t k = 0; k < t.read_count; k++) {
        struct part p = lower_resolve(w, t.reads[k]);
        uint32_t def = p.value == VALUE_NONE ? PTX_NONE : w->values[p.value].def;

        if (def == PTX_NONE || !w->values[p.value].single || def >= op || w->fate[def] != OP_STAYS ||
            !lower_join(w, def, op) || !can_wait(w, def))
            continue;
        *made = p.value;
        return def;
    }
    return PTX_NONE;
}

/* An op whose result only the other one reads, or only ones that can do its work beside their own at no cost (wide
 * products into sums: the usual addresses). */
static void join_ops(struct lowering *w, uint32_t *joins)
{
    uint32_t made;

    for (uint32_t op = 0; op < w->code->op_count; op++)
        if (partner(w, op, &made) != PTX_NONE)
            joins[made]++;
    for (uint32_t op = 0; op < w->code->op_count; op++) {
        uint32_t def = partner(w, op, &made);

        if (def == PTX_NONE || w->joined[op] != PTX_NONE || joins[made] != w->values[made].uses)
            continue;
        if (w->values[made].uses > 1 ? !lower_joins_many(w, def)
                                     : w->flow.block_of[def] != w->flow.block_of[op] && !lower_joins_many(w, def))
            continue;
        if (w->joined[def] != PTX_NONE && w->joined[def] < def)
            continue; /* it has one of its own */
        w->joined[def] = op;
        w->joined[op] = def;
        if (--joins[made] == 0 || w->values[made].uses == 1)
            w->fate[def] = OP_JOINED;
        w->values[made].uses--;
    }
}

/* --- the life of what stays --- */

static void widen(struct lowering *w, uint32_t value, uint32_t begin, uint32_t end)
{
    struct lower_value *v = &w->values[value];

    v->begin = begin < v->begin ? begin : v->begin;
    v->end = end > v->end ? end : v->end;
}

/* What is read later than it stands. */
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

int lower_values(struct lowering *w)
{
    uint32_t *joins;

    if (make_values(w))
        return -1;
    find_copies(w);
    for (uint32_t op = 0; op < w->code->op_count; op++)
        if ((w->code->ops[op].action == PTX_DO_LOAD || w->code->ops[op].action == PTX_DO_MATRIX) &&
            w->fate[op] == OP_STAYS && make_group(w, op))
            return -1;
    find_addresses(w);
    bury_dead(w);
    joins = mem_zalloc(w->value_count + 1, sizeof *joins, w->e);
    if (!joins)
        return -1;
    join_ops(w, joins);
    free(joins);
    add_lives(w);
    return 0;
}
