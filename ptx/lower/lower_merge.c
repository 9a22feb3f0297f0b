/* ptx/lower/lower_merge.c: merges neighbouring loads from shared memory into one load of 8 or 16 bytes. ptxas
 * does this where it can prove the alignment. Source: code of ptxas 13.0 for sm_75, sm_86 and sm_90. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "ptx/code/actions.h"
#include "ptx/lower/lowering.h"

enum { ALIGN_MAX = 4, WINDOW_MAX = 64 }; /* ALIGN_MAX: log2 of 16 bytes; WINDOW_MAX: loads considered at one time */

/* --- how many low bits of each value are zero --- */

static uint8_t zeros_of(uint64_t bits)
{
    uint32_t n = bits ? (uint32_t)__builtin_ctzll(bits) : ALIGN_MAX;

    return (uint8_t)(n < ALIGN_MAX ? n : ALIGN_MAX);
}

static uint8_t operand_zeros(const struct lowering *w, const struct ptx_operand *o, const uint8_t *zeros)
{
    uint32_t v = lower_register_of(w, o);
    int64_t number;

    if (o && lower_constant(w, o, &number))
        return zeros_of((uint64_t)number);
    return v != VALUE_NONE ? zeros[v] : 0;
}

static uint8_t least(uint8_t a, uint8_t b)
{
    return a < b ? a : b;
}

static uint8_t sum_of(uint8_t a, uint8_t b)
{
    return least((uint8_t)(a + b), ALIGN_MAX);
}

/* The known zero bits of the op's result. */
static uint8_t result_zeros(const struct lowering *w, uint32_t op, const uint8_t *zeros)
{
    const struct ptx_inst *i = &w->f->insts[op];
    uint8_t a = operand_zeros(w, lower_operand(w, op, 1), zeros),
            b = operand_zeros(w, lower_operand(w, op, 2), zeros),
            c = operand_zeros(w, lower_operand(w, op, 3), zeros);
    const struct ptx_operand *second = lower_operand(w, op, 2);

    if (w->code->ops[op].action != PTX_DO_FORM || i->vector > 1)
        return 0;
    if (ptx_has(i, ".f32") || ptx_has(i, ".f64") || ptx_has(i, ".f16") || ptx_has(i, ".bf16"))
        return 0; /* bits of a float are not those of its value */
    if (strcmp(i->opcode, "mov") == 0 || strcmp(i->opcode, "cvta") == 0 || strcmp(i->opcode, "cvt") == 0)
        return a;
    if (strcmp(i->opcode, "add") == 0 || strcmp(i->opcode, "sub") == 0 || strcmp(i->opcode, "or") == 0)
        return least(a, b);
    if (strcmp(i->opcode, "and") == 0)
        return a > b ? a : b;
    if (strcmp(i->opcode, "selp") == 0)
        return least(a, b);
    if (strcmp(i->opcode, "shl") == 0)
        return second->kind == PTX_OP_IMMEDIATE && second->bits < ALIGN_MAX ? sum_of(a, (uint8_t)second->bits)
               : second->kind == PTX_OP_IMMEDIATE                           ? ALIGN_MAX
                                                                            : a;
    if (ptx_has(i, ".hi"))
        return 0;
    if (strcmp(i->opcode, "mul") == 0)
        return sum_of(a, b);
    return strcmp(i->opcode, "mad") == 0 ? least(sum_of(a, b), c) : 0;
}

/* The largest count that is true for all ops that write a value, including loops. It decreases until a fixed
 * point. */
static void find_zeros(const struct lowering *w, uint8_t *zeros)
{
    bool more = true;

    for (uint32_t v = 0; v < w->live.value_count; v++)
        zeros[v] = w->values[v].defs ? ALIGN_MAX : 0;
    for (uint32_t k = 0; k < w->f->param_count; k++)
        if (w->f->params[k].reg != PTX_NONE)
            zeros[w->live.value_of[w->f->params[k].reg]] = 0;
    while (more) {
        more = false;
        for (uint32_t op = 0; op < w->code->op_count; op++) {
            struct touches t;

            lower_touches(w, op, &t);
            for (uint32_t k = 0; k < t.write_count; k++) {
                uint8_t z = result_zeros(w, op, zeros);

                if (z < zeros[t.writes[k]]) {
                    zeros[t.writes[k]] = z;
                    more = true;
                }
            }
        }
    }
}

/* --- loads of one stretch without stores and barriers --- */

struct load {
    uint32_t op;
    uint8_t words, zeros; /* zeros: zero bits of the address without its offset */
    struct part base;
    int64_t offset;
};

struct window {
    struct load loads[WINDOW_MAX];
    uint32_t count;
};

/* Returns true if the results have no placement yet: they are single registers, or the group of this load alone. */
static bool results_are_free(const struct lowering *w, uint32_t op, uint32_t words)
{
    struct touches t;

    lower_touches(w, op, &t);
    if (!t.write_count)
        return false;
    for (uint32_t k = 0; k < t.write_count; k++) {
        struct part p = lower_resolve(w, t.writes[k]);

        if (p.value == VALUE_NONE || !w->values[p.value].single || w->values[p.value].pred ||
            w->values[p.value].def != op || w->values[p.value].words != words)
            return false;
    }
    return true;
}

static bool is_load(const struct lowering *w, uint32_t op, const uint8_t *zeros, struct load *out)
{
    const struct ptx_op *o = &w->code->ops[op];
    const struct ptx_operand *x = lower_operand(w, op, 1);
    const struct ptx_access *a;
    struct lower_place p;
    uint32_t bytes;

    if (o->action != PTX_DO_LOAD || o->guarded || w->fate[op] != OP_STAYS || !x || x->kind != PTX_OP_ADDRESS)
        return false;
    a = &w->code->accesses[o->access];
    bytes = ptx_type_bits((enum ptx_type)a->type) / 8;
    *out = (struct load){.op = op, .words = (uint8_t)(bytes / 4 * a->vector)};
    if (a->space != PTX_SPACE_SHARED || a->hints || bytes < 4 || out->words > 2 ||
        !results_are_free(w, op, out->words) || !lower_place_of(w, op, &p))
        return false;
    out->base = p.base;
    out->offset = p.offset;
    out->zeros = ALIGN_MAX;
    if (p.base.value != VALUE_NONE)
        out->zeros = p.base.value < w->live.value_count ? zeros[p.base.value] : 0;
    return true;
}

static int by_place(const void *a, const void *b)
{
    const struct load *x = a, *y = b;

    if (x->base.value != y->base.value)
        return x->base.value < y->base.value ? -1 : 1;
    if (x->offset != y->offset)
        return x->offset < y->offset ? -1 : 1;
    return x->op < y->op ? -1 : x->op > y->op;
}

/* The number of loads from `l` on that together load `words` adjacent words. 0: they cannot be merged. */
static uint32_t run_of(const struct load *l, uint32_t count, uint32_t words)
{
    uint32_t have = 0, k = 0;

    if (l->offset & (4 * words - 1) || (1u << l->zeros) < 4 * words)
        return 0;
    for (; k < count && have < words; k++) {
        if (l[k].base.value != l->base.value || l[k].offset != l->offset + 4 * (int64_t)have)
            return 0;
        have += l[k].words;
    }
    return have == words ? k : 0;
}

static int merge_run(struct lowering *w, const struct load *l, uint32_t count, uint8_t words)
{
    uint32_t group = lower_new_value(w, words), first = l->op;
    uint8_t word = 0;

    if (group == VALUE_NONE)
        return -1;
    w->values[group].def = l->op;
    w->values[group].defs = 1;
    for (uint32_t k = 0; k < count; k++) {
        struct touches t;
        struct part p;

        lower_touches(w, l[k].op, &t);
        p = lower_resolve(w, t.writes[0]);
        w->values[p.value].copied = true;
        w->values[p.value].source = (struct part){group, word, l[k].words};
        w->values[group].uses += w->values[p.value].uses;
        word = (uint8_t)(word + l[k].words);
        w->fate[l[k].op] = OP_MERGED;
        first = l[k].op < first ? l[k].op : first;
    }
    w->fate[first] = OP_STAYS;
    w->merged[first] = l->op;
    w->group[l->op] = group;
    return 0;
}

static int merge_window(struct lowering *w, struct window *x)
{
    uint32_t n = 0;
    int ret = 0;

    qsort(x->loads, x->count, sizeof *x->loads, by_place);
    for (uint32_t k = 0; ret == 0 && k < x->count; k += n) {
        uint8_t words = 4;

        for (n = 0; words > 1 && n < 2; words /= 2)
            if ((n = run_of(&x->loads[k], x->count - k, words)) > 1)
                break;
        if (n > 1)
            ret = merge_run(w, &x->loads[k], n, words);
        else
            n = 1;
    }
    x->count = 0;
    return ret;
}

/* Returns true if this op ends the window: it may write memory that the loads read, or it writes one of their
 * addresses. */
static bool ends_window(const struct lowering *w, uint32_t op, const struct window *x)
{
    const struct ptx_op *o = &w->code->ops[op];
    uint8_t space = o->action == PTX_DO_STORE ? w->code->accesses[o->access].space : (uint8_t)PTX_GENERIC;
    struct touches t;

    if (o->action == PTX_DO_STORE)
        return space == PTX_SPACE_SHARED || space == PTX_GENERIC;
    if (o->action != PTX_DO_FORM && o->action != PTX_DO_LOAD && o->action != PTX_DO_NOTHING)
        return o->action != PTX_DO_MATRIX || w->f->insts[op].opcode[0] != 'm';
    lower_touches(w, op, &t);
    for (uint32_t k = 0; k < t.write_count; k++) {
        uint32_t v = lower_resolve(w, t.writes[k]).value;

        for (uint32_t i = 0; v != VALUE_NONE && i < x->count; i++)
            if (x->loads[i].base.value == v)
                return true;
    }
    return false;
}

int lower_merge(struct lowering *w, const struct ptx_segment *segments, uint32_t count)
{
    uint8_t *zeros = mem_zalloc(w->live.value_count + 1, 1, w->e);
    struct window x = {.count = 0};
    int ret = zeros ? 0 : -1;

    if (ret == 0)
        find_zeros(w, zeros);
    for (uint32_t s = 0; ret == 0 && s < count; s++) {
        for (uint32_t op = segments[s].first_op; ret == 0 && op < segments[s].first_op + segments[s].op_count;
             op++) {
            if (x.count && (x.count == WINDOW_MAX || ends_window(w, op, &x)))
                ret = merge_window(w, &x);
            if (is_load(w, op, zeros, &x.loads[x.count]))
                x.count++;
        }
        if (ret == 0)
            ret = merge_window(w, &x);
    }
    free(zeros);
    return ret;
}
