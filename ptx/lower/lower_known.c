/* ptx/lower/lower_known.c: in a loop that is unrolled completely, the counter is a constant in each round. Ops that
 * compute with constants only need no instruction then, and addresses that differ by a constant from those of the
 * first round become its register plus a constant.
 *
 * Source of the rules: loops with constant bounds compiled by ptxas 13.0 for sm_75, sm_86 and sm_90. ptxas does the
 * second only where addresses have 32 bits, as in shared memory: a 32-bit sum that is extended to 64 bits may
 * overflow. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "ptx/code/actions.h"
#include "ptx/lower/lowering.h"

/* The kind of a value in round r. SAME: the value of round 0. SHIFTED: that value plus a constant. KNOWN: a
 * constant. */
enum kind { VARIES, SAME, SHIFTED, KNOWN };

struct known {
    const struct lowering *w;
    const struct ptx_segment *s;
    uint32_t counter;
    uint8_t *kind;     /* for each value: enum kind */
    uint32_t *writers; /* for each value: number of ops of the segment that write it */
};

static uint32_t result_of(const struct known *x, uint32_t op)
{
    uint32_t v = lower_operand(x->w, op, 0) ? lower_register_of(x->w, lower_operand(x->w, op, 0)) : VALUE_NONE;

    return v == VALUE_NONE ? VALUE_NONE : lower_resolve(x->w, v).value;
}

static enum kind kind_of(const struct known *x, const struct ptx_operand *o)
{
    uint32_t v = lower_register_of(x->w, o);
    int64_t number;

    if (lower_constant(x->w, o, &number))
        return KNOWN;
    if (v == VALUE_NONE)
        return o->kind == PTX_OP_SPECIAL ? SAME : VARIES;
    v = lower_resolve(x->w, v).value;
    return v == VALUE_NONE ? VARIES : (enum kind)x->kind[v];
}

static bool is_number(const struct known *x, const struct ptx_operand *o)
{
    int64_t number;

    return lower_constant(x->w, o, &number);
}

/* The kind of the sum of these operands. */
static enum kind sum(enum kind a, enum kind b)
{
    if (a == VARIES || b == VARIES)
        return VARIES;
    if (a == SAME && b == SAME)
        return SAME;
    return a == KNOWN && b == KNOWN ? KNOWN : SHIFTED;
}

/* The kind of a product. A constant that differs from round to round times a register is no shift. */
static enum kind product(const struct known *x, const struct ptx_operand *a, const struct ptx_operand *b)
{
    enum kind ka = kind_of(x, a), kb = kind_of(x, b);

    if ((ka == KNOWN && kb == KNOWN) || (ka == SAME && kb == SAME))
        return ka;
    if (is_number(x, a) || is_number(x, b))
        return is_number(x, a) ? kb : ka;
    return VARIES;
}

/* The kind of the result of a linear op (sum, difference, product with a constant, extension). VARIES: the op is
 * not linear, or an operand varies. */
static enum kind linear_kind(const struct known *x, uint32_t op)
{
    const struct ptx_inst *i = &x->w->f->insts[op];
    const struct ptx_operand *a = lower_operand(x->w, op, 1), *b = lower_operand(x->w, op, 2),
                             *c = lower_operand(x->w, op, 3);

    if (i->types[0] >= PTX_F16 || ptx_has(i, ".cc") || ptx_has(i, ".hi") || ptx_has(i, ".sat") || !a)
        return VARIES;
    if (strcmp(i->opcode, "mov") == 0 || (strcmp(i->opcode, "cvt") == 0 && i->types[1] < PTX_F16))
        return kind_of(x, a);
    if (b && (strcmp(i->opcode, "add") == 0 || strcmp(i->opcode, "sub") == 0))
        return sum(kind_of(x, a), kind_of(x, b));
    if (b && (strcmp(i->opcode, "mul") == 0 || (strcmp(i->opcode, "shl") == 0 && is_number(x, b))))
        return product(x, a, b);
    if (c && strcmp(i->opcode, "mad") == 0)
        return sum(product(x, a, b), kind_of(x, c));
    return VARIES;
}

/* Every op that reads only constants gives one; a predicate is not followed. */
static bool reads_only_known(const struct known *x, uint32_t op)
{
    const struct ptx_inst *i = &x->w->f->insts[op];

    for (uint32_t k = 1; k < i->operand_count; k++)
        if (kind_of(x, lower_operand(x->w, op, k)) != KNOWN)
            return false;
    return i->operand_count > 1;
}

static void classify(struct known *x)
{
    const struct lowering *w = x->w;

    for (uint32_t op = x->s->first_op; op < x->s->first_op + x->s->op_count; op++) {
        uint32_t v = result_of(x, op);

        if (v == VALUE_NONE || v == x->counter || x->writers[v] != 1 || w->values[v].pred ||
            w->code->ops[op].guarded || w->code->ops[op].action != PTX_DO_FORM || w->fate[op] == OP_COPY ||
            !lower_is_local(w, x->s, v))
            continue;
        x->kind[v] = (uint8_t)(reads_only_known(x, op) ? KNOWN : linear_kind(x, op));
    }
}

/* Returns true if the op reads the value only as the address of shared memory, or to shift it further. */
static bool needs_no_register(const struct known *x, uint32_t op, uint32_t value)
{
    const struct ptx_op *o = &x->w->code->ops[op];
    uint32_t result = result_of(x, op);

    if (o->action == PTX_DO_FORM)
        return result != VALUE_NONE && x->kind[result] == SHIFTED;
    return (o->action == PTX_DO_LOAD || o->action == PTX_DO_STORE) &&
           x->w->code->accesses[o->access].space == PTX_SPACE_SHARED && lower_reads_as_address(x->w, op, value);
}

static bool reads(const struct known *x, uint32_t op, uint32_t value)
{
    struct touches t;

    lower_touches(x->w, op, &t);
    for (uint32_t k = 0; k < t.read_count; k++)
        if (lower_resolve(x->w, t.reads[k]).value == value)
            return true;
    return false;
}

/* A shifted value that some op needs in a register is computed in every round, and so is what depends on it. */
static void drop_needed(struct known *x)
{
    uint32_t end = x->s->first_op + x->s->op_count;

    for (bool more = true; more;) {
        more = false;
        for (uint32_t op = x->s->first_op; op < end; op++) {
            uint32_t v = result_of(x, op);

            if (v == VALUE_NONE || x->kind[v] != SHIFTED)
                continue;
            for (uint32_t k = op + 1; k < end && x->kind[v] == SHIFTED; k++)
                if (reads(x, k, v) && !needs_no_register(x, k, v)) {
                    x->kind[v] = VARIES;
                    more = true;
                }
        }
    }
}

static void count_writers(struct known *x)
{
    for (uint32_t op = x->s->first_op; op < x->s->first_op + x->s->op_count; op++) {
        struct touches t;

        lower_touches(x->w, op, &t);
        for (uint32_t k = 0; k < t.write_count && x->w->fate[op] != OP_COPY; k++) {
            uint32_t v = lower_resolve(x->w, t.writes[k]).value;

            if (v != VALUE_NONE)
                x->writers[v]++;
        }
    }
}

static uint8_t outcome(const struct known *x, uint32_t op)
{
    uint32_t v = result_of(x, op);

    if (v == VALUE_NONE || v == x->counter || x->w->fate[op] == OP_COPY || x->writers[v] != 1)
        return LOWER_EMITTED;
    return x->kind[v] == KNOWN ? LOWER_KNOWN : x->kind[v] == SHIFTED ? LOWER_SHIFTED : LOWER_EMITTED;
}

int lower_find_known(const struct lowering *w, const struct ptx_segment *s, uint32_t counter, uint8_t *out)
{
    struct known x = {.w = w, .s = s, .counter = counter};
    int ret = -1;

    x.kind = mem_zalloc(w->value_count + 1, 1, w->e);
    x.writers = x.kind ? mem_zalloc(w->value_count + 1, sizeof *x.writers, w->e) : NULL;
    if (x.writers) {
        count_writers(&x);
        for (uint32_t v = 0; v < w->value_count; v++)
            x.kind[v] = x.writers[v] ? VARIES : SAME;
        x.kind[counter] = KNOWN;
        classify(&x);
        drop_needed(&x);
        for (uint32_t k = 0; k < s->op_count; k++)
            out[k] = outcome(&x, s->first_op + k);
        ret = 0;
    }
    free(x.kind);
    free(x.writers);
    return ret;
}
