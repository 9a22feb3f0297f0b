/* ptx/lower/lower_join.c: finds pairs of ops that one machine instruction can execute. */
#include <string.h>

#include "ptx/lower/lowering.h"

enum kind {
    KIND_OTHER,
    KIND_ADD,        /* 32 bits */
    KIND_SHIFT,      /* left, by a constant */
    KIND_SHIFT_DOWN, /* right, by a constant, zeros from above */
    KIND_MULTIPLY,   /* low half */
    KIND_LOGIC,
    KIND_ADD_WIDE,
    KIND_SHIFT_WIDE,
    KIND_MULTIPLY_WIDE,
    KIND_FADD, /* contraction is allowed: the op has no rounding modifier */
    KIND_FMUL,
    KIND_DADD,
    KIND_DMUL,
    KIND_HADD,
    KIND_HMUL,
    KIND_COMPARE,   /* 32-bit integers, into one predicate */
    KIND_FCOMPARE,  /* float */
    KIND_PREDICATES /* two predicates into one */
};

static enum kind integer_kind(const struct ptx_inst *i, const struct ptx_operand *o, uint32_t bits)
{
    if (strcmp(i->opcode, "add") == 0 || strcmp(i->opcode, "sub") == 0)
        return i->modifiers[0] ? KIND_OTHER : bits == 64 ? KIND_ADD_WIDE : KIND_ADD;
    if (strcmp(i->opcode, "mul") == 0)
        return ptx_has(i, ".wide")               ? (bits == 32 ? KIND_MULTIPLY_WIDE : KIND_OTHER)
               : ptx_has(i, ".lo") && bits == 32 ? KIND_MULTIPLY
                                                 : KIND_OTHER;
    if (strcmp(i->opcode, "shl") == 0 && o[2].kind == PTX_OP_IMMEDIATE)
        return bits == 64 ? KIND_SHIFT_WIDE : bits == 32 ? KIND_SHIFT : KIND_OTHER;
    if (strcmp(i->opcode, "shr") == 0 && o[2].kind == PTX_OP_IMMEDIATE && bits == 32)
        return i->types[0] == PTX_S32 ? KIND_OTHER : KIND_SHIFT_DOWN;
    if (bits == 32 && (strcmp(i->opcode, "and") == 0 || strcmp(i->opcode, "or") == 0 ||
                       strcmp(i->opcode, "xor") == 0 || strcmp(i->opcode, "not") == 0))
        return KIND_LOGIC;
    return KIND_OTHER;
}

/* A compare also combines its result with a predicate. */
static enum kind predicate_kind(const struct ptx_inst *i)
{
    bool compares = strcmp(i->opcode, "setp") == 0;
    enum ptx_type type = (enum ptx_type)i->types[0];

    if (i->operand_count != 3 || i->type_count != 1)
        return KIND_OTHER;
    if (type == PTX_PRED)
        return strcmp(i->opcode, "and") == 0 || strcmp(i->opcode, "or") == 0 ? KIND_PREDICATES : KIND_OTHER;
    if (compares && type == PTX_F32)
        return KIND_FCOMPARE;
    return compares && type < PTX_F16 && ptx_type_bits(type) == 32 ? KIND_COMPARE : KIND_OTHER;
}

static enum kind kind_of(const struct lowering *w, uint32_t op)
{
    const struct ptx_inst *i = &w->f->insts[op];
    const struct ptx_operand *o = &w->f->operands[i->operand_first];
    bool add = strcmp(i->opcode, "add") == 0 || strcmp(i->opcode, "sub") == 0,
         multiply = strcmp(i->opcode, "mul") == 0;

    if (w->code->ops[op].action != PTX_DO_FORM || i->type_count != 1 || i->operand_count < 2)
        return KIND_OTHER;
    if (i->types[0] == PTX_PRED || strcmp(i->opcode, "setp") == 0)
        return predicate_kind(i);
    if (i->types[0] < PTX_F16 && i->types[0] != PTX_B1)
        return i->operand_count == 3 || strcmp(i->opcode, "not") == 0
                   ? integer_kind(i, o, ptx_type_bits((enum ptx_type)i->types[0]))
                   : KIND_OTHER;
    if (ptx_has(i, ".rn") || ptx_has(i, ".sat") || (!add && !multiply))
        return KIND_OTHER;
    switch ((enum ptx_type)i->types[0]) {
    case PTX_F32: return add ? KIND_FADD : KIND_FMUL;
    case PTX_F64: return add ? KIND_DADD : KIND_DMUL;
    case PTX_F16X2: return add ? KIND_HADD : KIND_HMUL;
    default: return KIND_OTHER;
    }
}

/* A compare with zero. LOP3 also writes a predicate: whether its result is zero. */
static bool tests_zero(const struct lowering *w, uint32_t op)
{
    const struct ptx_inst *i = &w->f->insts[op];
    int64_t number;

    return (ptx_has(i, ".eq") || ptx_has(i, ".ne")) && lower_constant(w, lower_operand(w, op, 2), &number) &&
           number == 0;
}

const char *lower_join(const struct lowering *w, uint32_t producer, uint32_t consumer)
{
    static const struct {
        uint8_t producer, consumer;
        const char *opcodes;
    } pairs[] = {
        {KIND_ADD, KIND_ADD, "IADD3"},
        {KIND_SHIFT, KIND_ADD, "LEA"},
        {KIND_SHIFT_DOWN, KIND_ADD, "LEA.HI"},
        {KIND_MULTIPLY, KIND_ADD, "IMAD"},
        {KIND_LOGIC, KIND_LOGIC, "LOP3.LUT"},
        {KIND_MULTIPLY_WIDE, KIND_ADD_WIDE, "IMAD.WIDE"},
        {KIND_SHIFT_WIDE, KIND_ADD_WIDE, "LEA LEA.HI.X"},
        {KIND_FMUL, KIND_FADD, "FFMA"},
        {KIND_DMUL, KIND_DADD, "DFMA"},
        {KIND_HMUL, KIND_HADD, "HFMA2"},
        {KIND_COMPARE, KIND_PREDICATES, "ISETP.LT.AND"},
        {KIND_FCOMPARE, KIND_PREDICATES, "FSETP.LT.AND"},
    };
    enum kind a = kind_of(w, producer), b = kind_of(w, consumer);

    if (a == KIND_LOGIC && b == KIND_COMPARE)
        return tests_zero(w, consumer) ? "LOP3.LUT" : NULL;
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++)
        if (pairs[k].producer == a && pairs[k].consumer == b)
            return pairs[k].opcodes;
    return NULL;
}

bool lower_joins_many(const struct lowering *w, uint32_t producer)
{
    enum kind kind = kind_of(w, producer);

    return kind == KIND_MULTIPLY_WIDE || kind == KIND_SHIFT || kind == KIND_SHIFT_DOWN;
}
