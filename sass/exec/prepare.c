/* sass/exec/prepare.c: a decoded instruction -> an operation. One row an operation; a modifier that the row's
 * function does not take makes the instruction one that cannot run. */
#include "sass/exec/prepare.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

enum { BIT_RESULT_0 = 81, BIT_RESULT_1 = 84, BIT_PREDICATE_0 = 87, BIT_PREDICATE_1 = 77, BIT_PREDICATE_2 = 68 };

uint32_t inst_bits(const struct preparing *p, uint32_t at, uint32_t n)
{
    uint64_t v = at < 64 ? p->x->words[0] >> at : p->x->words[1] >> (at - 64);

    return (uint32_t)(v & ((1ull << n) - 1));
}

bool take_modifier(struct preparing *p, const char *name)
{
    size_t n = strlen(name);

    for (uint32_t k = 0; k < p->modifier_count; k++)
        if (!p->taken[k] && p->lengths[k] == n && memcmp(p->modifiers[k], name, n) == 0) {
            p->taken[k] = true;
            return true;
        }
    return false;
}

int take_one_of(struct preparing *p, const char *const *names)
{
    for (int k = 0; names[k]; k++)
        if (take_modifier(p, names[k]))
            return k;
    return -1;
}

void refuse_inst(struct preparing *p, const char *reason)
{
    if (p->op->run != do_refused)
        p->op->reason = reason;
    p->op->run = do_refused;
}

static void split_modifiers(struct preparing *p)
{
    const char *at = p->x->modifiers;

    while (*at == '.') {
        size_t n = strcspn(++at, ".");

        p->modifiers[p->modifier_count] = at;
        p->lengths[p->modifier_count] = n;
        if (p->modifier_count + 1 < MODIFIERS_MAX)
            p->modifier_count++;
        at += n;
    }
}

/* --- operands --- */

static struct sass_source source_of(struct preparing *p, const struct sass_operand *x)
{
    struct sass_source s = {
        .negated = x->negated, .inverted = x->inverted, .absolute = x->absolute, .half = x->half};

    switch (x->kind) {
    case SASS_REGISTER: s.kind = FROM_REGISTER, s.index = x->index; break;
    case SASS_UNIFORM:
        s.kind = FROM_UNIFORM, s.index = x->index;
        if (x->index > SASS_URZ)
            refuse_inst(p, "a uniform register above UR63");
        break;
    case SASS_CONSTANT:
        s.kind = FROM_CONSTANT, s.bank = x->bank, s.value = (uint64_t)x->value;
        if (x->bank >= CUBIN_BANKS)
            refuse_inst(p, "there is no such constant bank");
        break;
    default: s.kind = FROM_NUMBER, s.value = (uint64_t)x->value; break;
    }
    return s;
}

static bool is_value(const struct sass_operand *x)
{
    return x->kind == SASS_REGISTER || x->kind == SASS_UNIFORM || x->kind == SASS_NUMBER ||
           x->kind == SASS_CONSTANT;
}

static void read_operands(struct preparing *p, uint32_t flags)
{
    bool needs_dst = flags & HAS_DST, address = false;
    struct sass_op *op = p->op;

    for (uint32_t k = 0; k < SOURCES; k++)
        op->src[k] = (struct sass_source){.kind = FROM_NUMBER};
    for (uint32_t k = 0; k < p->x->operand_count; k++) {
        const struct sass_operand *x = &p->x->operands[k];

        if (x->kind == SASS_ADDRESS && address) {
            op->copy_to = op->address;
            op->address = *x;
        } else if (x->kind == SASS_ADDRESS || (x->kind == SASS_CONSTANT && flags & IS_LDC)) {
            op->address = *x;
            address = true;
        } else if (x->kind == SASS_TARGET) {
            op->target = (uint64_t)x->value;
        } else if (x->kind == SASS_BARRIER) {
            op->number = x->index;
        } else if (x->kind == SASS_SPECIAL) {
            op->number = x->index;
        } else if (needs_dst && (x->kind == SASS_REGISTER || x->kind == SASS_UNIFORM)) {
            op->dst = x->index;
            op->uniform = x->kind == SASS_UNIFORM;
            needs_dst = false;
        } else if (is_value(x)) {
            if (p->sources < SOURCES)
                op->src[p->sources] = source_of(p, x);
            p->sources++;
        }
    }
}

static struct sass_predicate predicate_at(const struct preparing *p, uint32_t at)
{
    return (struct sass_predicate){
        .index = (uint8_t)inst_bits(p, at, 3),
        .negated = inst_bits(p, at + 3, 1),
        .uniform = (p->op->once && p->op->run != do_vote) || /* VOTEU reads the lanes' predicate */
                   (at == BIT_PREDICATE_2 && inst_bits(p, 67, 1) && p->op->run == do_plop3)};
}

static void read_predicates(struct preparing *p, uint32_t flags)
{
    static const struct sass_predicate always = {.index = NO_PREDICATE};
    struct sass_op *op = p->op;

    op->results[0] = flags & RESULT_0 ? (uint8_t)inst_bits(p, BIT_RESULT_0, 3) : NO_PREDICATE;
    op->results[1] = flags & RESULT_1 ? (uint8_t)inst_bits(p, BIT_RESULT_1, 3) : NO_PREDICATE;
    op->preds[0] = flags & PREDICATE_0 ? predicate_at(p, BIT_PREDICATE_0) : always;
    op->preds[1] = flags & PREDICATE_1 ? predicate_at(p, BIT_PREDICATE_1) : always;
    op->preds[2] = flags & PREDICATE_2 ? predicate_at(p, BIT_PREDICATE_2) : always;
    op->guard = (struct sass_predicate){.index = (uint8_t)p->x->guard.index,
                                        .negated = p->x->guard.negated,
                                        .uniform = p->x->guard.kind == SASS_UNIFORM_PREDICATE};
}

/* --- instructions --- */

static const struct operation *operation_of(const char *name)
{
    for (size_t k = 0; k < operation_count; k++)
        if (strcmp(operations[k].name, name) == 0)
            return &operations[k];
    return NULL;
}

/* Bits without a known meaning that change no value: cache policies of accesses, cache control. */
static bool may_ignore(const struct sass_inst *x)
{
    const uint64_t policy = 0x2000000000 | 0x3f; /* bit 101, and the register of the policy */

    if (strcmp(x->name, "CCTL") == 0)
        return true;
    return (strcmp(x->name, "LDG") == 0 || strcmp(x->name, "STG") == 0 || strcmp(x->name, "RED") == 0) &&
           x->unexplained[0] == 0 && x->unexplained[1] != 0 && !(x->unexplained[1] & ~policy);
}

static bool constants_are_inside(const struct preparing *p)
{
    for (int k = 0; k < SOURCES; k++) {
        const struct sass_source *s = &p->op->src[k];

        if (s->kind == FROM_CONSTANT &&
            (s->bank >= CUBIN_BANKS || s->value + 4 > p->banks[s->bank].n || s->value % 4 != 0 ||
             (s->bank == 0 && !bank0_is_known(p->code, s->value, 4))))
            return false;
    }
    return true;
}

static bool is_uniform_datapath(const struct sass_inst *x)
{
    uint64_t operation = x->words[0] & 0x1ff;

    return operation >= 0x080 && operation < 0x0c0;
}

static void prepare_one(struct preparing *p)
{
    const struct operation *o = p->x->name ? operation_of(p->x->name) : NULL;
    struct sass_op *op = p->op;

    op->class = (uint8_t)p->x->class;
    op->run = o ? o->run : do_refused;
    op->once = p->x->name && is_uniform_datapath(p->x);
    read_predicates(p, o ? o->flags : 0);
    if (!p->x->name) {
        op->reason = "the instruction is unknown";
        return;
    }
    if (!o) {
        op->reason = "the operation is not executed";
        return;
    }
    if (p->x->state != SASS_DECODED && !may_ignore(p->x)) {
        refuse_inst(p, "the instruction is decoded in part");
        return;
    }
    split_modifiers(p);
    read_operands(p, o->flags);
    if (o->finish)
        o->finish(p);
    if (o->sources != ANY_SOURCES && p->sources != (uint32_t)o->sources)
        refuse_inst(p, "its operands are not of a known form");
    for (uint32_t k = 0; k < p->modifier_count; k++)
        if (!p->taken[k])
            refuse_inst(p, "a modifier is not executed");
    if (op->run == do_form && !op->form)
        refuse_inst(p, "its modifiers are not executed together");
    if (!constants_are_inside(p))
        refuse_inst(p, "a constant is outside of its bank, or has no known meaning");
}

int sass_prepare(struct sass_code *c, const struct sass_run *r, struct err *e)
{
    struct sass_op *ops = mem_zalloc((size_t)c->count + 1, sizeof *ops, e);

    if (!ops)
        return -1;
    for (uint32_t k = 0; k < c->count; k++) {
        struct sass_inst x;
        struct preparing p = {.x = &x, .op = &ops[k], .banks = r->banks, .code = r->code};
        uint64_t words[2], address = c->base + (uint64_t)k * INST_BYTES;

        memcpy(words, c->bytes + (size_t)k * INST_BYTES, sizeof words);
        sass_decode(words, c->arch, address, &x);
        prepare_one(&p);
    }
    for (size_t k = 0; k < c->unresolved_count; k++) {
        ops[c->unresolved[k].at / INST_BYTES].run = do_refused;
        ops[c->unresolved[k].at / INST_BYTES].reason = c->unresolved[k].why;
    }
    c->ops = ops;
    return 0;
}
