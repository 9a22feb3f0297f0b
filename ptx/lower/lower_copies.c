/* ptx/lower/lower_copies.c: finds ops that only copy a value, and the sources of the copies. */
#include <string.h>

#include "ptx/lower/lowering.h"

static bool touches(const struct lowering *w, uint32_t op, uint32_t value, bool write)
{
    struct touches t;

    lower_touches(w, op, &t);
    for (uint32_t k = 0; k < (write ? t.write_count : t.read_count); k++)
        if ((write ? t.writes : t.reads)[k] == value)
            return true;
    return false;
}

void lower_copy_of(struct lowering *w, uint32_t op, uint32_t value, struct part source)
{
    w->values[value].copied = true;
    w->values[value].source = source;
    w->fate[op] = OP_COPY;
}

const struct ptx_operand *lower_operand(const struct lowering *w, uint32_t op, uint32_t k)
{
    const struct ptx_inst *i = &w->f->insts[op];

    return k < i->operand_count ? &w->f->operands[i->operand_first + k] : NULL;
}

/* The value of an operand that is a whole register, or VALUE_NONE. */
uint32_t lower_register_of(const struct lowering *w, const struct ptx_operand *o)
{
    if (!o || o->kind != PTX_OP_REG || w->f->registers[o->index].vector != 1 || o->component != PTX_WHOLE)
        return VALUE_NONE;
    return w->live.value_of[o->index];
}

bool lower_is_single(const struct lowering *w, uint32_t value)
{
    return value != VALUE_NONE && w->values[value].single;
}

/* Returns true for constants of the launch, which are in the constant bank. */
static bool from_bank(const struct ptx_operand *o)
{
    return o->kind == PTX_OP_IMMEDIATE || o->kind == PTX_OP_VARIABLE || o->kind == PTX_OP_FUNCTION ||
           (o->kind == PTX_OP_SPECIAL &&
            (o->index == PTX_SREG_NTID || o->index == PTX_SREG_NCTAID || o->index == PTX_SREG_GRIDID ||
             o->index == PTX_SREG_DYNAMIC_SMEM || o->index == PTX_SREG_TOTAL_SMEM));
}

/* mov {a, b}, c of 64 bits or less: a and b are parts of c. */
static void copy_parts(struct lowering *w, uint32_t op, const struct ptx_operand *to, uint32_t from)
{
    uint32_t bits = ptx_type_bits((enum ptx_type)w->f->insts[op].types[0]);

    for (uint32_t k = 0; k < to->count; k++) {
        const struct ptx_operand *o = &w->f->operands[to->index + k];

        if (o->kind != PTX_OP_SINK && !lower_is_single(w, lower_register_of(w, o)))
            return;
    }
    for (uint32_t k = 0; k < to->count; k++) {
        uint32_t value = lower_register_of(w, &w->f->operands[to->index + k]);
        uint32_t piece = bits / to->count, word = k * piece / 32;

        if (value != VALUE_NONE)
            lower_copy_of(w, op, value, (struct part){from, (uint8_t)word, (uint8_t)(piece > 32 ? piece / 32 : 1)});
    }
}

static void copy_mov(struct lowering *w, uint32_t op)
{
    const struct ptx_operand *to = lower_operand(w, op, 0), *from = lower_operand(w, op, 1);
    uint32_t value = lower_register_of(w, to), source;

    if (!from)
        return;
    source = lower_register_of(w, from);
    if (to->kind == PTX_OP_VECTOR && lower_is_single(w, source)) {
        copy_parts(w, op, to, source);
        return;
    }
    if (!lower_is_single(w, value))
        return;
    if (from_bank(from))
        lower_copy_of(w, op, value, (struct part){VALUE_NONE, 0, 0});
    else if (lower_is_single(w, source) && w->values[source].words == w->values[value].words &&
             w->values[source].pred == w->values[value].pred)
        lower_copy_of(w, op, value, (struct part){source, 0, w->values[source].words});
}

/* Conversions and similar ops that change no bit. */
static void copy_same_bits(struct lowering *w, uint32_t op)
{
    const struct ptx_inst *i = &w->f->insts[op];
    uint32_t value = lower_register_of(w, lower_operand(w, op, 0)),
             source = lower_register_of(w, lower_operand(w, op, 1));
    uint32_t to, from;

    if (!lower_is_single(w, value) || !lower_is_single(w, source) || i->type_count < 1)
        return;
    to = ptx_type_bits((enum ptx_type)i->types[0]);
    from = i->type_count > 1 ? ptx_type_bits((enum ptx_type)i->types[1]) : to;
    if (strcmp(i->opcode, "cvta") == 0) {
        if (ptx_has(i, ".global") || ptx_has(i, ".const"))
            lower_copy_of(w, op, value, (struct part){source, 0, w->values[source].words});
        return;
    }
    if (strcmp(i->opcode, "neg") == 0 || strcmp(i->opcode, "abs") == 0) { /* an operand modifier */
        if (i->types[0] == PTX_F32 || i->types[0] == PTX_F64)
            lower_copy_of(w, op, value, (struct part){source, 0, w->values[source].words});
        return;
    }
    if (i->modifiers[0] || i->type_count < 2 || i->types[0] >= PTX_F16 || i->types[1] >= PTX_F16 || to < 16 ||
        from < 16)
        return;
    if (to <= from || (i->types[1] == PTX_U32 && to == 64) || (i->types[1] == PTX_U16 && to == 32))
        lower_copy_of(w, op, value, (struct part){source, 0, (uint8_t)(from > 32 && to > 32 ? 2 : 1)});
}

/* An instruction reads a kernel parameter directly from the constant bank. */
static void copy_param(struct lowering *w, uint32_t op)
{
    const struct ptx_access *a = &w->code->accesses[w->code->ops[op].access];
    struct touches t;

    if (a->space != PTX_SPACE_PARAM || a->base != PTX_NO_ROW)
        return;
    lower_touches(w, op, &t);
    for (uint32_t k = 0; k < t.write_count; k++)
        if (!lower_is_single(w, t.writes[k]))
            return;
    for (uint32_t k = 0; k < t.write_count; k++)
        lower_copy_of(w, op, t.writes[k], (struct part){VALUE_NONE, 0, 0});
}

/* Later reads of a special register reuse the value that the first block has read. */
static void copy_special(struct lowering *w, uint32_t op)
{
    const struct ptx_operand *to = lower_operand(w, op, 0), *from = lower_operand(w, op, 1);
    uint32_t value = lower_register_of(w, to), first = w->flow.blocks[0].count;

    if (!lower_is_single(w, value) || !from || from->kind != PTX_OP_SPECIAL ||
        w->code->ops[op].action == PTX_DO_SPECIAL)
        return;
    for (uint32_t k = 0; k < op && k < first; k++) {
        const struct ptx_operand *o = lower_operand(w, k, 1);

        if (strcmp(w->f->insts[k].opcode, "mov") == 0 && o && o->kind == PTX_OP_SPECIAL &&
            o->index == from->index && o->component == from->component && w->fate[k] == OP_STAYS &&
            lower_is_single(w, lower_register_of(w, lower_operand(w, k, 0)))) {
            lower_copy_of(w, op, value, (struct part){lower_register_of(w, lower_operand(w, k, 0)), 0, 1});
            return;
        }
    }
}

/* mov d, s at the end of a loop: s is computed directly in d. Conditions: between the definition of s and the
 * mov, the block does not read or write d. After the mov, d is not written while s is live. If s is live after
 * the loop too, d has only one other definition. */
static void copy_back(struct lowering *w, uint32_t op)
{
    uint32_t d = lower_register_of(w, lower_operand(w, op, 0)), s = lower_register_of(w, lower_operand(w, op, 1));
    const struct ptx_block *b = &w->flow.blocks[w->flow.block_of[op]];
    uint32_t def, end;

    if (d == VALUE_NONE || !lower_is_single(w, s) || w->values[d].single || w->values[s].copied ||
        w->values[d].words != w->values[s].words || w->values[d].pred || w->code->ops[op].guarded)
        return;
    def = w->values[s].def;
    end = 2 * (b->first + b->count);
    if (def < b->first || def >= op || (w->values[s].end >= end && w->values[d].defs != 2) ||
        (w->f->insts[def].vector > 1 && w->code->ops[def].action != PTX_DO_LOAD))
        return;
    end = w->values[s].end < end ? w->values[s].end : end - 1;
    for (uint32_t k = def + 1; k < op; k++)
        if (touches(w, k, d, false) || touches(w, k, d, true))
            return;
    for (uint32_t k = op + 1; 2 * k <= end; k++)
        if (touches(w, k, d, true))
            return;
    lower_copy_of(w, op, s, (struct part){d, 0, w->values[d].words});
}

void lower_find_copies(struct lowering *w)
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
