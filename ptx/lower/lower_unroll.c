/* ptx/lower/lower_unroll.c: several rounds of a loop in one sequence of instructions.
 *
 * Source of the rules: loops of one block, compiled by ptxas 13.0 for sm_75, sm_80 and sm_90. ptxas unrolls a loop
 * with a counter whose step is constant and whose bound does not change. If the number of rounds is known, it
 * unrolls the loop completely, or by a power of two if that is too long. Else the unrolled loop has four rounds,
 * and two rounds and one round follow for the rest. Loops with shuffles, with another exit or with
 * .pragma "nounroll" stay. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "ptx/code/actions.h"
#include "ptx/lower/lowering.h"

/* Longest bodies that are unrolled, in machine instructions: without loads; with loads from shared memory, for each
 * of which PER_SHARED is added; with loads from elsewhere, for each of which one is subtracted. */
enum { BODY_MAX = 21, BODY_SHARED_MAX = 24, PER_SHARED = 3, BODY_LOADING_MAX = 50 };
enum { COMPLETE_MAX = 1100, PARTIAL_MAX = 320, ROUNDS_MAX = 1024, ROUNDS = 4 };
/* Registers for loads of several rounds that are under way at one time: up to sm_79, and from sm_80 on. */
enum { REGISTERS_75 = 48, REGISTERS_80 = 32 };

struct loop {
    uint32_t test, branch,
        step;         /* ops: the comparison that continues the loop, its branch, the counter's addition */
    uint32_t counter; /* value */
    uint32_t rounds;  /* 0: unknown */
    struct mop *mops; /* of one round, in program order */
    size_t count;
    bool until;           /* the comparison ends the loop */
    bool *folds;          /* for each op of the segment: an addition of a constant that becomes part of addresses */
    uint8_t *known;       /* for each op: LOWER_..., where all rounds are in one form */
    uint32_t value_count; /* values of one round */
    /* for each of these values: */
    uint32_t *map;      /* the value that has it now */
    uint32_t *pending;  /* the value that has it after the current op */
    uint16_t *cover;    /* words that the current op has written */
    bool *before;       /* the current op reads it before it writes it */
    bool *local;        /* it is read in the same round only */
    uint8_t *invariant; /* 1: no op of the segment writes it; 2: every round computes the same */
};

/* --- is it a loop that is unrolled? --- */

static bool is_register(const struct lowering *w, const struct ptx_operand *o, uint32_t value)
{
    uint32_t v = o ? lower_register_of(w, o) : VALUE_NONE;

    return v != VALUE_NONE && lower_resolve(w, v).value == value;
}

static uint32_t value_of(const struct lowering *w, const struct ptx_operand *o)
{
    uint32_t v = o ? lower_register_of(w, o) : VALUE_NONE;

    return v == VALUE_NONE ? VALUE_NONE : lower_resolve(w, v).value;
}

/* Number of ops from `first` on that write the value. *op: the last of them. */
static uint32_t writers(const struct lowering *w, uint32_t first, uint32_t count, uint32_t value, uint32_t *op)
{
    uint32_t n = 0;

    for (uint32_t k = first; k < first + count; k++) {
        struct touches t;

        lower_touches(w, k, &t);
        for (uint32_t i = 0; i < t.write_count; i++)
            if (lower_resolve(w, t.writes[i]).value == value) {
                n++;
                *op = k;
            }
    }
    return n;
}

/* The op adds a constant to this value. */
static bool is_step(const struct lowering *w, uint32_t op, uint32_t value, int64_t *step)
{
    const struct ptx_inst *i = &w->f->insts[op];
    bool subtracts = strcmp(i->opcode, "sub") == 0;

    if ((strcmp(i->opcode, "add") != 0 && !subtracts) || i->modifiers[0] || i->types[0] >= PTX_F16 ||
        w->code->ops[op].guarded || w->fate[op] != OP_STAYS || w->joined[op] != PTX_NONE ||
        !is_register(w, lower_operand(w, op, 0), value) || !is_register(w, lower_operand(w, op, 1), value) ||
        !lower_constant(w, lower_operand(w, op, 2), step))
        return false;
    if (subtracts)
        *step = (int64_t)(0 - (uint64_t)*step);
    return true;
}

static bool op_allows(const struct lowering *w, uint32_t op)
{
    const struct ptx_op *o = &w->code->ops[op];

    switch ((enum ptx_action)o->action) {
    case PTX_DO_FORM:
    case PTX_DO_LOAD:
    case PTX_DO_STORE:
    case PTX_DO_BARRIER:
    case PTX_DO_FENCE:
    case PTX_DO_TEXTURE:
    case PTX_DO_NOTHING: return true;
    case PTX_DO_ATOMIC: return !lower_aggregation(w, op);
    case PTX_DO_MATRIX: return strcmp(w->f->insts[op].opcode, "wgmma") != 0;
    case PTX_DO_ASYNC: return w->code->accesses[o->access].what == PTX_CP_ASYNC;
    default: return false;
    }
}

/* The value `x` continues the loop. */
static bool continues(const struct ptx_inst *i, int64_t x, int64_t bound)
{
    enum ptx_type t = (enum ptx_type)i->types[0];
    bool is_unsigned = t == PTX_U32 || t == PTX_U64;
    uint64_t ux = (uint64_t)x, ub = (uint64_t)bound;

    if (ptx_type_bits(t) == 32) {
        x = (int32_t)x;
        bound = (int32_t)bound;
        ux = (uint32_t)ux;
        ub = (uint32_t)ub;
    }
    if (ptx_has(i, ".ne") || ptx_has(i, ".eq"))
        return (ux != ub) == ptx_has(i, ".ne");
    if (ptx_has(i, ".lt") || ptx_has(i, ".lo"))
        return is_unsigned ? ux < ub : x < bound;
    if (ptx_has(i, ".le") || ptx_has(i, ".ls"))
        return is_unsigned ? ux <= ub : x <= bound;
    if (ptx_has(i, ".gt") || ptx_has(i, ".hi"))
        return is_unsigned ? ux > ub : x > bound;
    return is_unsigned ? ux >= ub : x >= bound;
}

static bool compares(const struct ptx_inst *i)
{
    static const char *const all[] = {".eq", ".ne", ".lt", ".le", ".gt", ".ge", ".lo", ".ls", ".hi", ".hs"};
    bool known = false;

    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        known |= ptx_has(i, all[k]);
    return strcmp(i->opcode, "setp") == 0 && i->operand_count == 3 && i->types[0] < PTX_F16 &&
           (ptx_type_bits((enum ptx_type)i->types[0]) == 32 || ptx_type_bits((enum ptx_type)i->types[0]) == 64) &&
           known;
}

/* Returns true if the counter runs towards the bound. */
static bool approaches(const struct ptx_inst *i, bool until, int64_t step)
{
    bool below = ptx_has(i, ".lt") || ptx_has(i, ".lo") || ptx_has(i, ".le") || ptx_has(i, ".ls");

    if (ptx_has(i, ".eq") || ptx_has(i, ".ne"))
        return ptx_has(i, ".eq") == until;
    return (below != until) == (step > 0);
}

/* The number of rounds if counter, step and bound are known. 0: they are not, or there are too many rounds. */
static uint32_t known_rounds(const struct lowering *w, const struct loop *l, int64_t step)
{
    const struct ptx_operand *bound = lower_operand(w, l->test, 2);
    uint32_t begin = PTX_NONE, rounds = 1;
    int64_t x, limit;

    for (uint32_t op = 0; op < w->code->op_count; op++) {
        uint32_t at;

        if (op == l->step || !writers(w, op, 1, l->counter, &at))
            continue;
        if (begin != PTX_NONE)
            return 0;
        begin = op;
    }
    if (begin == PTX_NONE || strcmp(w->f->insts[begin].opcode, "mov") != 0 || w->code->ops[begin].guarded ||
        !lower_constant(w, lower_operand(w, begin, 1), &x) || !lower_constant(w, bound, &limit))
        return 0;
    x = (int64_t)((uint64_t)x + (uint64_t)step);
    for (; rounds < ROUNDS_MAX && continues(&w->f->insts[l->test], x, limit) != l->until; rounds++)
        x = (int64_t)((uint64_t)x + (uint64_t)step);
    return rounds < ROUNDS_MAX ? rounds : 0;
}

static bool find_loop(const struct lowering *w, struct ptx_segment *s, struct loop *l)
{
    const struct ptx_block *b = &w->flow.blocks[w->flow.block_of[s->first_op]];
    const struct ptx_op *branch = &w->code->ops[s->first_op + s->op_count - 1];
    uint32_t guard, other;
    int64_t step;

    l->branch = s->first_op + s->op_count - 1;
    if (b->count != s->op_count || branch->action != PTX_DO_BRANCH || !branch->guarded ||
        w->fate[l->branch] != OP_STAYS)
        return false;
    s->leaves = lower_inverts(w, w->flow.block_of[s->first_op]);
    l->until = s->leaves != branch->guard_negated;
    if ((s->leaves ? &w->code->ops[l->branch + 1] : branch)->target != s->first_op)
        return false;
    guard = lower_resolve(w, w->live.value_of[w->f->insts[l->branch].guard]).value;
    if (guard == VALUE_NONE || writers(w, s->first_op, s->op_count, guard, &l->test) != 1 ||
        w->values[guard].uses != 1 || w->fate[l->test] != OP_STAYS || w->code->ops[l->test].guarded ||
        !compares(&w->f->insts[l->test]))
        return false;
    l->counter = value_of(w, lower_operand(w, l->test, 1));
    other = value_of(w, lower_operand(w, l->test, 2));
    if (l->counter == VALUE_NONE || writers(w, s->first_op, s->op_count, l->counter, &l->step) != 1 ||
        !is_step(w, l->step, l->counter, &step) || !approaches(&w->f->insts[l->test], l->until, step))
        return false;
    if (other != VALUE_NONE && writers(w, s->first_op, s->op_count, other, &guard)) /* else it is a constant */
        return false;
    for (uint32_t op = s->first_op; op < l->branch; op++)
        if (!op_allows(w, op) || w->f->insts[op].nounroll)
            return false;
    l->rounds = known_rounds(w, l, step);
    return !w->f->insts[l->branch].nounroll && !(s->leaves && w->f->insts[l->branch + 1].nounroll);
}

static bool begins(const struct lowering *w, const struct mop *m, const char *text)
{
    return strncmp(w->table->opcodes[m->opcode], text, strlen(text)) == 0;
}

/* Returns true if a loop with an unknown number of rounds is short enough. */
static bool is_short(const struct lowering *w, const struct loop *l)
{
    size_t shared = 0, loads = 0;

    for (size_t k = 0; k < l->count; k++) {
        shared += begins(w, &l->mops[k], "LDS");
        loads += begins(w, &l->mops[k], "LDG") || begins(w, &l->mops[k], "LD.");
    }
    if (!loads && !shared)
        return l->count <= BODY_MAX;
    return l->count + loads <= PER_SHARED * shared + (size_t)(loads ? BODY_LOADING_MAX : BODY_SHARED_MAX);
}

/* --- additions that become part of addresses --- */

/* Returns true if the op reads the value only as an address. */
bool lower_reads_as_address(const struct lowering *w, uint32_t op, uint32_t value)
{
    const struct ptx_inst *i = &w->f->insts[op];
    enum ptx_action action = (enum ptx_action)w->code->ops[op].action;
    uint32_t reads = 0, addresses = 0;
    struct touches t;

    lower_touches(w, op, &t);
    for (uint32_t k = 0; k < t.read_count; k++)
        reads += lower_resolve(w, t.reads[k]).value == value;
    for (uint32_t k = 0; k < i->operand_count; k++) {
        const struct ptx_operand *x = lower_operand(w, op, k);

        addresses += x->kind == PTX_OP_ADDRESS && is_register(w, &w->f->operands[x->index], value);
    }
    return reads == 0 ||
           ((action == PTX_DO_LOAD || action == PTX_DO_STORE || action == PTX_DO_ATOMIC) && reads == addresses);
}

static void find_folds(const struct lowering *w, const struct ptx_segment *s, struct loop *l)
{
    for (uint32_t op = s->first_op; op < l->branch; op++) {
        uint32_t value = value_of(w, lower_operand(w, op, 0)), at;
        int64_t step;
        bool folds = value != VALUE_NONE && is_step(w, op, value, &step) &&
                     writers(w, s->first_op, s->op_count, value, &at) == 1;

        for (uint32_t k = s->first_op; folds && k < l->branch; k++)
            folds = k == op || k == l->test || lower_reads_as_address(w, k, value);
        l->folds[op - s->first_op] = folds;
    }
}

/* --- instructions that give the same in every round --- */

bool lower_is_local(const struct lowering *w, const struct ptx_segment *s, uint32_t value)
{
    const struct lower_value *v = &w->values[value];

    return v->begin > v->end || (v->begin > 2 * s->first_op && v->end < 2 * (s->first_op + s->op_count));
}

static void find_invariant(const struct lowering *w, const struct ptx_segment *s, struct loop *l)
{
    memset(l->invariant, 1, l->value_count);
    for (uint32_t v = 0; v < l->value_count; v++)
        l->local[v] = lower_is_local(w, s, v);
    for (size_t k = 0; k < l->count; k++) {
        const struct mop *m = &l->mops[k];

        if (m->dst.value != VALUE_NONE)
            l->invariant[m->dst.value] = l->invariant[m->dst.value] == 1 ? 3 : 0; /* 3: one instruction writes it */
        if (m->pred_write != VALUE_NONE)
            l->invariant[m->pred_write] = 0;
    }
    for (size_t k = 0; k < l->count; k++) {
        const struct mop *m = &l->mops[k];
        uint32_t v = m->dst.value;
        bool same = !m->accesses && !m->fixed && m->memory == MOP_NO_MEMORY && m->pred_read == VALUE_NONE &&
                    m->pred_write == VALUE_NONE;

        if (v == VALUE_NONE || l->invariant[v] != 3)
            continue;
        same &= m->dst.words == w->values[v].words && l->local[v];
        for (uint32_t i = 0; i < m->src_count; i++)
            same &= m->src[i].value == VALUE_NONE || l->invariant[m->src[i].value] == 1 ||
                    l->invariant[m->src[i].value] == 2;
        l->invariant[v] = same ? 2 : 0;
    }
}

/* --- one op in one round --- */

static void note_writes(struct loop *l, const struct mop *m)
{
    if (m->dst.value != VALUE_NONE)
        l->cover[m->dst.value] |= (uint16_t)(((1u << m->dst.words) - 1) << m->dst.word);
    if (m->pred_write != VALUE_NONE)
        l->cover[m->pred_write] |= 1;
}

static void note_read(struct loop *l, uint32_t value)
{
    if (value != VALUE_NONE && !l->cover[value])
        l->before[value] = true;
}

/* A value that the op writes: it gets a separate place, so that rounds do not wait for each other. A value that is
 * read after the loop or in the next round is in its own place after the last round. */
static int rename_value(struct lowering *w, struct loop *l, uint32_t value, const struct mop *m, bool last)
{
    uint16_t whole = (uint16_t)((1u << w->values[value].words) - 1);
    uint32_t fresh = value;

    if (l->pending[value] != VALUE_NONE)
        return 0;
    if ((l->cover[value] & whole) != whole || w->code->ops[m->op].guarded) {
        l->pending[value] = l->map[value];
        return 0;
    }
    if (!last || l->local[value]) {
        fresh = lower_new_value(w, w->values[value].words);
        if (fresh == VALUE_NONE)
            return -1;
        w->values[fresh].pred = w->values[value].pred;
    }
    l->pending[value] = fresh;
    return 0;
}

static uint32_t renamed_read(const struct loop *l, uint32_t value)
{
    if (value == VALUE_NONE)
        return VALUE_NONE;
    return l->cover[value] && !l->before[value] ? l->pending[value] : l->map[value];
}

static int add_copy(struct lowering *w, struct loop *l, const struct mop *from, uint32_t round)
{
    struct mop m = *from;

    for (uint32_t k = 0; k < m.src_count; k++)
        m.src[k].value = renamed_read(l, m.src[k].value);
    m.pred_read = renamed_read(l, m.pred_read);
    note_writes(l, &m);
    if (m.dst.value != VALUE_NONE)
        m.dst.value = l->pending[m.dst.value];
    if (m.pred_write != VALUE_NONE)
        m.pred_write = l->pending[m.pred_write];
    m.round = (uint16_t)round;
    if (array_reserve((void **)&w->mops, &w->mop_capacity, w->mop_count + 1, sizeof *w->mops, w->e))
        return -1;
    w->mops[w->mop_count++] = m;
    return 0;
}

static void settle_value(struct loop *l, uint32_t value)
{
    if (value == VALUE_NONE)
        return;
    if (l->pending[value] != VALUE_NONE)
        l->map[value] = l->pending[value];
    l->pending[value] = VALUE_NONE;
    l->cover[value] = 0;
    l->before[value] = false;
}

/* The instructions of one op. */
static int add_op(struct lowering *w, struct loop *l, const struct mop *m, size_t count, uint32_t round, bool last)
{
    int ret = 0;

    for (size_t k = 0; k < count; k++) {
        for (uint32_t i = 0; i < m[k].src_count; i++)
            note_read(l, m[k].src[i].value);
        note_read(l, m[k].pred_read);
        note_writes(l, &m[k]);
    }
    for (size_t k = 0; ret == 0 && k < count; k++) {
        if (m[k].dst.value != VALUE_NONE)
            ret = rename_value(w, l, m[k].dst.value, &m[k], last);
        if (ret == 0 && m[k].pred_write != VALUE_NONE)
            ret = rename_value(w, l, m[k].pred_write, &m[k], last);
    }
    for (size_t k = 0; k < count; k++) {
        if (m[k].dst.value != VALUE_NONE)
            l->cover[m[k].dst.value] = 0;
        if (m[k].pred_write != VALUE_NONE)
            l->cover[m[k].pred_write] = 0;
    }
    for (size_t k = 0; ret == 0 && k < count; k++) {
        bool starts = begins(w, &m[k], "BSYNC") && m[k].fixed, ends = begins(w, &m[k], "BSSY") && m[k].fixed;

        if ((starts && round > 0) || (ends && !last))
            continue;
        ret = add_copy(w, l, &m[k], round);
    }
    for (size_t k = 0; k < count; k++) {
        for (uint32_t i = 0; i < m[k].src_count; i++)
            settle_value(l, m[k].src[i].value);
        settle_value(l, m[k].pred_read);
        settle_value(l, m[k].dst.value);
        settle_value(l, m[k].pred_write);
    }
    return ret;
}

/* --- rounds --- */

/* A value of the next round that is copied from one of this round: the next round reads the source. */
static bool passes_on(const struct lowering *w, struct loop *l, uint32_t op)
{
    uint32_t to = value_of(w, lower_operand(w, op, 0)), from = value_of(w, lower_operand(w, op, 1));

    if (strcmp(w->f->insts[op].opcode, "mov") != 0 || w->code->ops[op].guarded || to == VALUE_NONE ||
        from == VALUE_NONE || to >= w->live.value_count || from >= w->live.value_count || !w->values[from].single ||
        w->values[from].words != w->values[to].words || l->map[from] < l->value_count)
        return false;
    l->map[to] = l->map[from];
    return true;
}

/* Returns true if this round does not need the op. */
static bool is_dropped(const struct lowering *w, const struct ptx_segment *s, struct loop *l, uint32_t op,
                       uint32_t round, bool last, bool complete)
{
    if (complete &&
        (l->known[op - s->first_op] == LOWER_KNOWN || (round && l->known[op - s->first_op] == LOWER_SHIFTED)))
        return true;
    if (op == l->test || op == l->branch)
        return !last || complete;
    if (op == l->step && complete)
        return true;
    if (l->folds[op - s->first_op]) {
        uint32_t value = value_of(w, lower_operand(w, op, 0));

        return !last || (complete && w->values[value].end < 2 * (s->first_op + s->op_count));
    }
    return !last && passes_on(w, l, op);
}

static bool is_same(const struct loop *l, const struct mop *m)
{
    return m->dst.value != VALUE_NONE && l->invariant[m->dst.value] == 2;
}

static int add_round(struct lowering *w, const struct ptx_segment *s, struct loop *l, uint32_t round, bool last,
                     bool complete)
{
    size_t n;

    for (size_t k = 0; k < l->count; k += n) {
        uint32_t op = l->mops[k].op;

        for (n = 1; k + n < l->count && l->mops[k + n].op == op && (!round || !is_same(l, &l->mops[k])) &&
                    (!round || !is_same(l, &l->mops[k + n]));)
            n++;
        if (round > 0 && is_same(l, &l->mops[k]))
            continue;
        if (!is_dropped(w, s, l, op, round, last, complete) && add_op(w, l, &l->mops[k], n, round, last))
            return -1;
    }
    return 0;
}

/* Constants have no register. */
static void forget_known(const struct lowering *w, const struct ptx_segment *s, struct loop *l)
{
    for (uint32_t op = s->first_op; op < l->branch; op++)
        if (l->known[op - s->first_op] == LOWER_KNOWN)
            l->map[value_of(w, lower_operand(w, op, 0))] = VALUE_NONE;
    l->map[l->counter] = VALUE_NONE;
}

/* Appends the form with this number of rounds, which replaces `of` of the previous form. */
static int add_form(struct lowering *w, struct ptx_lowered *lowered, struct ptx_segment *s, struct loop *l,
                    uint32_t rounds, uint32_t of)
{
    struct ptx_unrolled u = {.rounds = rounds, .of = of, .sole = l->rounds && l->rounds % rounds == 0};
    bool complete = rounds == l->rounds;

    if (array_reserve((void **)&lowered->unrolled, &lowered->unrolled_capacity, lowered->unrolled_count + 1,
                      sizeof u, w->e))
        return -1;
    for (uint32_t v = 0; v < l->value_count; v++)
        l->map[v] = v;
    if (complete)
        forget_known(w, s, l);
    w->mop_count = 0;
    for (uint32_t r = 0; r < rounds; r++)
        if (add_round(w, s, l, r, r + 1 == rounds, complete))
            return -1;
    u.first = (uint32_t)w->all_count;
    u.count = (uint32_t)w->mop_count;
    if (!u.count)
        return 0;
    if (lower_append(w, s, w->table->arch < 80 ? REGISTERS_75 : REGISTERS_80))
        return -1;
    lowered->unrolled[lowered->unrolled_count++] = u;
    s->unroll_count++;
    return 0;
}

/* The number of rounds of the longest form. 1: the loop stays. */
static uint32_t rounds_of(const struct lowering *w, const struct loop *l)
{
    uint32_t accesses = 0, rounds = 1;

    for (size_t k = 0; k < l->count; k++)
        accesses += l->mops[k].accesses;
    if (l->rounds && l->rounds * l->count <= COMPLETE_MAX && l->rounds * accesses <= UNROLLED_ROWS_MAX)
        return l->rounds;
    if (!is_short(w, l))
        return 1;
    if (!l->rounds)
        rounds = ROUNDS;
    while (l->rounds && l->rounds % (2ull * rounds) == 0 && 2ull * rounds * l->count <= PARTIAL_MAX)
        rounds *= 2;
    return rounds * accesses <= UNROLLED_ROWS_MAX ? rounds : 1;
}

static int add_forms(struct lowering *w, struct ptx_lowered *lowered, struct ptx_segment *s, struct loop *l)
{
    uint32_t most = rounds_of(w, l), rounds = 1, factor = 2;
    int ret = 0;

    s->unroll_first = (uint32_t)lowered->unrolled_count;
    while (ret == 0 && rounds < most) {
        while (most / rounds % factor)
            factor++;
        rounds *= factor;
        ret = add_form(w, lowered, s, l, rounds, factor);
    }
    return ret;
}

static void release(struct loop *l)
{
    free(l->mops);
    free(l->folds);
    free(l->known);
    free(l->map);
    free(l->pending);
    free(l->cover);
    free(l->before);
    free(l->local);
    free(l->invariant);
}

int lower_unroll(struct lowering *w, struct ptx_lowered *lowered, struct ptx_segment *s)
{
    struct loop l = {.count = w->mop_count, .value_count = (uint32_t)w->value_count};
    int ret = -1;

    if (!w->mop_count || !find_loop(w, s, &l))
        return 0;
    l.mops = mem_zalloc(l.count, sizeof *l.mops, w->e);
    l.folds = l.mops ? mem_zalloc(s->op_count, sizeof *l.folds, w->e) : NULL;
    l.known = l.folds ? mem_zalloc(s->op_count, 1, w->e) : NULL;
    l.map = l.known ? mem_zalloc(l.value_count, sizeof *l.map, w->e) : NULL;
    l.pending = l.map ? mem_zalloc(l.value_count, sizeof *l.pending, w->e) : NULL;
    l.cover = l.pending ? mem_zalloc(l.value_count, sizeof *l.cover, w->e) : NULL;
    l.before = l.cover ? mem_zalloc(l.value_count, sizeof *l.before, w->e) : NULL;
    l.local = l.before ? mem_zalloc(l.value_count, sizeof *l.local, w->e) : NULL;
    l.invariant = l.local ? mem_zalloc(l.value_count, sizeof *l.invariant, w->e) : NULL;
    if (l.invariant) {
        memcpy(l.mops, w->mops, l.count * sizeof *l.mops);
        memset(l.pending, 0xff, l.value_count * sizeof *l.pending);
        find_folds(w, s, &l);
        find_invariant(w, s, &l);
        ret = lower_find_known(w, s, l.counter, l.known) ? -1 : add_forms(w, lowered, s, &l);
    }
    release(&l);
    return ret;
}
