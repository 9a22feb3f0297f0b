/* ptx/lower/lower_select.c: selects the machine instructions of each op. */
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "ptx/code/actions.h"
#include "ptx/lower/lowering.h"
#include "ptx/lower/machine_forms.h"
#include "ptx/lower/machine_text.h"

/* --- operands --- */

struct operands {
    struct part reads[TOUCHES_MAX], writes[TOUCHES_MAX];
    uint32_t read_count, write_count;
    uint32_t pred_read, pred_write;
};

static void add_read(const struct lowering *w, uint32_t op, uint32_t value, struct operands *out)
{
    struct part p = lower_is_address(w, op, value) ? w->values[value].address : lower_resolve(w, value);

    if (p.value == VALUE_NONE)
        return;
    if (w->values[p.value].pred)
        out->pred_read = p.value;
    else if (out->read_count < TOUCHES_MAX)
        out->reads[out->read_count++] = p;
}

static void gather(const struct lowering *w, uint32_t op, struct operands *out)
{
    struct touches t;

    lower_touches(w, op, &t);
    for (uint32_t k = 0; k < t.read_count; k++) {
        struct part p = lower_resolve(w, t.reads[k]);

        if (w->joined[op] != PTX_NONE && w->joined[op] < op && p.value != VALUE_NONE &&
            w->values[p.value].def == w->joined[op] && w->values[p.value].single)
            gather(w, w->joined[op], out);
        else
            add_read(w, op, t.reads[k], out);
    }
    if (w->fate[op] == OP_JOINED)
        return;
    for (uint32_t k = 0; k < t.write_count; k++) {
        struct part p = lower_resolve(w, t.writes[k]);

        if (p.value == VALUE_NONE)
            continue;
        if (w->values[p.value].pred)
            out->pred_write = p.value;
        else if (out->write_count < TOUCHES_MAX)
            out->writes[out->write_count++] = p;
    }
}

/* Adjacent parts of one group become one operand. An instruction has at most INST_MAX_SRC operands. */
static void pack_reads(struct operands *o)
{
    uint32_t n = 0;

    for (uint32_t k = 0; k < o->read_count; k++) {
        struct part *last = n ? &o->reads[n - 1] : NULL;

        if (last && last->value == o->reads[k].value && last->word + last->words == o->reads[k].word)
            last->words = (uint8_t)(last->words + o->reads[k].words);
        else
            o->reads[n++] = o->reads[k];
    }
    o->read_count = n;
}

/* The result of one instruction: the op's group. Without a group it is the first value, and moves copy the
 * others. */
static struct part whole_result(const struct lowering *w, const struct operands *o)
{
    struct part p = {VALUE_NONE, 0, 0};

    if (o->write_count) {
        p = o->writes[0];
        for (uint32_t k = 1; k < o->write_count; k++)
            if (o->writes[k].value == p.value && o->writes[k].word == p.word + p.words)
                p.words = (uint8_t)(p.words + o->writes[k].words);
    }
    (void)w;
    return p;
}

/* --- instructions --- */

static uint8_t latency_of(const char *text)
{
    static const struct {
        const char *begin;
        uint8_t cycles;
    } guesses[] = {{"LDG", 200}, {"LD.", 200}, {"LDL", 100},  {"LDC", 40},  {"LDS", 28}, {"ATOM", 200},
                   {"TEX", 200}, {"TLD", 200}, {"SULD", 200}, {"MUFU", 18}, {"I2F", 14}, {"F2", 14},
                   {"SHFL", 24}, {"HMMA", 24}, {"IMMA", 24},  {"DMMA", 24}, {"S2R", 20}, {"D", 12},
                   {"POPC", 14}, {"FLO", 14},  {"BREV", 14}};

    for (size_t k = 0; k < sizeof guesses / sizeof *guesses; k++)
        if (strncmp(text, guesses[k].begin, strlen(guesses[k].begin)) == 0)
            return guesses[k].cycles;
    return 5;
}

/* 1: the instruction runs on the pipe of integers and logic; -1: on that of FP32 and IMAD; 0: on another. */
static int pipe_of(const char *text)
{
    static const struct {
        const char *begin;
        int pipe;
    } known[] = {{"IMAD", -1}, {"FFMA", -1}, {"FMUL", -1}, {"FADD", -1}, {"IADD", 1}, {"ISETP", 1},
                 {"LOP3", 1},  {"SHF", 1},   {"LEA", 1},   {"SEL", 1},   {"PRMT", 1}, {"MOV", 1},
                 {"FSETP", 1}, {"FMNMX", 1}, {"FSEL", 1},  {"IMNMX", 1}, {"PLOP3", 1}};

    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        if (strncmp(text, known[k].begin, strlen(known[k].begin)) == 0)
            return known[k].pipe;
    return 0;
}

static struct mop *add_mop(struct lowering *w, uint32_t op, const char *text)
{
    struct mop m = {
        .op = op, .latency = latency_of(text), .pred_read = VALUE_NONE, .pred_write = VALUE_NONE, .immediate = -1};

    m.dst.value = VALUE_NONE;
    if (array_reserve((void **)&w->mops, &w->mop_capacity, w->mop_count + 1, sizeof *w->mops, w->e))
        return NULL;
    m.opcode = ptx_machine_opcode(w->table, text, w->e);
    if (m.opcode == UINT32_MAX)
        return NULL;
    w->mops[w->mop_count] = m;
    w->alu_ahead += pipe_of(text);
    return &w->mops[w->mop_count++];
}

static void put_source(struct mop *m, struct part p)
{
    if (m->src_count < INST_MAX_SRC && p.words)
        m->src[m->src_count++] = p;
}

static struct part word_of(struct part p, uint32_t word)
{
    if (word >= p.words)
        return (struct part){VALUE_NONE, 0, 0};
    return (struct part){p.value, (uint8_t)(p.word + word), 1};
}

/* Instruction k of a chain of n. Each instruction except the last writes a temporary for the next one, *carry. */
static int set_chain(struct lowering *w, size_t at, const struct operands *o, uint32_t k, uint32_t n,
                     struct part *carry)
{
    struct part made = whole_result(w, o);

    if (k + 1 < n) {
        made = (struct part){lower_new_value(w, 1), 0, 1};
        if (made.value == VALUE_NONE)
            return -1;
    }
    if (carry->words)
        put_source(&w->mops[at], *carry);
    /* long expansions read the sources at both ends, so the operands stay live until the end */
    for (uint32_t s = 0; s < o->read_count && (k < 2 || k + 2 >= n); s++)
        put_source(&w->mops[at], o->reads[s]);
    w->mops[at].dst = made;
    w->mops[at].pred_read = o->pred_read;
    w->mops[at].pred_write = k + 1 == n ? o->pred_write : VALUE_NONE;
    *carry = made;
    return 0;
}

static void set_word(struct lowering *w, size_t at, const struct operands *o, uint32_t k, uint32_t n)
{
    struct mop *m = &w->mops[at];

    for (uint32_t s = 0; s < o->read_count; s++)
        put_source(m, word_of(o->reads[s], o->reads[s].words > 1 ? k : k == 0 || o->read_count > 1 ? 0 : 1));
    m->dst = o->write_count ? word_of(o->writes[0], k) : (struct part){VALUE_NONE, 0, 0};
    m->pred_read = o->pred_read;
    m->pred_write = k + 1 == n ? o->pred_write : VALUE_NONE;
}

static int add_text(struct lowering *w, uint32_t op, const char *opcodes, const struct operands *o, bool by_word)
{
    struct part carry = {VALUE_NONE, 0, 0};
    uint32_t n = 0, k = 0;
    char text[64];

    for (const char *p = opcodes; *p; p += strcspn(p, " "), p += *p == ' ')
        n++;
    for (const char *p = opcodes; *p; p += strcspn(p, " "), p += *p == ' ', k++) {
        snprintf(text, sizeof text, "%.*s", (int)strcspn(p, " "), p);
        if (!add_mop(w, op, text))
            return -1;
        if (by_word)
            set_word(w, w->mop_count - 1, o, k, n);
        else if (set_chain(w, w->mop_count - 1, o, k, n, &carry))
            return -1;
    }
    return 0;
}

/* --- moves between registers and vectors that are not copies --- */

/* Word k of the concatenated operands. VALUE_NONE: an operand is not a register; add_move() then uses all. */
static struct part nth_word(const struct part *parts, uint32_t count, uint32_t k, uint32_t words)
{
    uint32_t all = 0;

    for (uint32_t p = 0; p < count; p++)
        all += parts[p].words;
    for (uint32_t p = 0; p < count && all == words; p++) {
        if (k < parts[p].words)
            return word_of(parts[p], k);
        k -= parts[p].words;
    }
    return (struct part){VALUE_NONE, 0, 0};
}

static struct mop *add_move(struct lowering *w, uint32_t op, const char *text, const struct operands *o, uint32_t k,
                            uint32_t words, struct part to)
{
    struct mop *m = add_mop(w, op, text);
    struct part from = nth_word(o->reads, o->read_count, k, words);

    if (!m)
        return NULL;
    for (uint32_t s = 0; s < o->read_count && !from.words; s++)
        put_source(m, o->reads[s]);
    put_source(m, from);
    m->dst = to;
    m->pred_read = o->pred_read;
    return m;
}

static bool is_vector(const struct lowering *w, const struct ptx_inst *i, uint32_t k)
{
    return i->operand_count > k && w->f->operands[i->operand_first + k].kind == PTX_OP_VECTOR;
}

/* Unpacking a vector needs one instruction for each register. 16-bit halves are extracted from words. */
static int select_unpack(struct lowering *w, uint32_t op, const struct operands *o)
{
    const struct ptx_inst *i = &w->f->insts[op];
    const struct ptx_operand *to = &w->f->operands[i->operand_first];
    uint32_t bits = ptx_type_bits(i->types[0]), words = bits / 32;
    bool special = w->f->operands[i->operand_first + 1].kind == PTX_OP_SPECIAL;
    bool halves = !special && bits < 32 * to->count;

    for (uint32_t k = 0; k < o->write_count; k++)
        for (uint32_t n = 0; n < o->writes[k].words; n++) {
            uint32_t from = halves ? k / 2 : k * o->writes[k].words + n;

            if (!add_move(w, op,
                          special  ? "S2R"
                          : halves ? "PRMT"
                                   : "IMAD.MOV.U32",
                          o, from, words, word_of(o->writes[k], n)))
                return -1;
        }
    return 0;
}

static int select_pack(struct lowering *w, uint32_t op, const struct operands *o)
{
    struct part whole = whole_result(w, o);

    for (uint32_t k = 0; k < whole.words; k++)
        if (!add_move(w, op, "IMAD.MOV.U32", o, k, whole.words, word_of(whole, k)))
            return -1;
    return 0;
}

/* From sm_90 on, special registers that are equal in the whole CTA are read into a uniform register. */
static const char *special_text(const struct lowering *w, uint32_t op)
{
    return w->table->arch >= 90 && lower_operand(w, op, 1)->index == PTX_SREG_CTAID ? "S2UR" : "S2R";
}

/* Product with an immediate plus a value of the constant bank, for example the address of an array element. Up
 * to sm_89 an instruction can encode only one of the two. The immediate is moved to a register, once for each
 * segment. */
static int add_scale(struct lowering *w, uint32_t op, struct operands *o)
{
    const struct ptx_operand *number = lower_operand(w, w->joined[op], 2);
    uint32_t words = 0;
    struct mop *m;

    for (uint32_t k = 0; k < o->read_count; k++)
        words += o->reads[k].words;
    if (w->table->arch >= 90 || words > 1 || !number || number->kind != PTX_OP_IMMEDIATE)
        return 0;
    if (w->scale.value == VALUE_NONE || w->scale_bits != number->bits) {
        w->scale = (struct part){lower_new_value(w, 1), 0, 1};
        w->scale_bits = number->bits;
        m = w->scale.value == VALUE_NONE ? NULL : add_mop(w, op, "IMAD.MOV.U32");
        if (!m)
            return -1;
        m->dst = w->scale;
    }
    o->reads[o->read_count++] = w->scale;
    return 0;
}

static int select_joined(struct lowering *w, uint32_t op, struct operands *o)
{
    const char *text = lower_join(w, w->joined[op], op);

    if (strcmp(text, "IMAD.WIDE") == 0 && add_scale(w, op, o))
        return -1;
    return add_text(w, op, text, o, false);
}

/* ptxas balances the two pipes: of the sums of two registers in our kernels, it computes 146 of 268 on the FP32
 * pipe (ptxas 13.0, sm_86). */
static const char *sum_text(const struct lowering *w, uint32_t op, const struct operands *o)
{
    const struct ptx_inst *i = &w->f->insts[op];
    bool sums = strcmp(i->opcode, "add") == 0 && !i->modifiers[0] && i->type_count == 1 && i->types[0] < PTX_F16 &&
                ptx_type_bits((enum ptx_type)i->types[0]) == 32;

    return sums && o->read_count == 2 && w->alu_ahead > 0 ? "IMAD.IADD" : NULL;
}

static int select_form(struct lowering *w, uint32_t op, struct operands *o)
{
    const struct ptx_inst *i = &w->f->insts[op];
    bool moves = strcmp(i->opcode, "mov") == 0, packs = moves && is_vector(w, i, 1) && i->types[0] == PTX_B32;
    const struct ptx_machine_form *f = packs ? ptx_machine_form_named("prmt.b32", true) : lower_form(w, op);
    uint32_t n = ptx_machine_form_count(f, w->table->arch);
    struct part carry = {VALUE_NONE, 0, 0};
    char text[64];

    if (w->joined[op] != PTX_NONE && w->joined[op] < op)
        return select_joined(w, op, o);
    if (moves && is_vector(w, i, 0))
        return select_unpack(w, op, o);
    if (moves && is_vector(w, i, 1) && !packs)
        return select_pack(w, op, o);
    if (moves && i->operand_count > 1 && w->f->operands[i->operand_first + 1].kind == PTX_OP_SPECIAL)
        return add_text(w, op, special_text(w, op), o, false);
    if (sum_text(w, op, o))
        return add_text(w, op, sum_text(w, op, o), o, false);
    for (uint32_t k = 0; k < n; k++) {
        ptx_machine_form_opcode(f, w->table->arch, k, text, sizeof text);
        if (!add_mop(w, op, text))
            return -1;
        if (f->flags & MACHINE_BY_WORD)
            set_word(w, w->mop_count - 1, o, k, n);
        else if (set_chain(w, w->mop_count - 1, o, k, n, &carry))
            return -1;
    }
    return 0;
}

/* --- memory and the rest --- */

static uint8_t memory_of(const struct lowering *w, uint32_t op)
{
    static const struct ptx_access none;
    const struct ptx_op *o = &w->code->ops[op];
    const struct ptx_access *a = o->access < w->code->access_count ? &w->code->accesses[o->access] : &none;

    switch ((enum ptx_action)o->action) {
    case PTX_DO_LOAD:
        if (a->hints & (PTX_HINT_VOLATILE | PTX_HINT_RELAXED | PTX_HINT_ACQUIRE))
            return MOP_ORDERS;
        if (a->hints & PTX_HINT_NC || a->space == PTX_SPACE_CONST || a->space == PTX_SPACE_PARAM)
            return MOP_NO_MEMORY;
        return (uint8_t)(MOP_LOADS + a->space);
    case PTX_DO_STORE: return (uint8_t)(MOP_STORES + a->space);
    case PTX_DO_WARP: return a->what == PTX_BAR_WARP ? MOP_ORDERS : MOP_NO_MEMORY;
    case PTX_DO_MATRIX: return w->f->insts[op].opcode[0] == 'm' ? MOP_NO_MEMORY : MOP_ORDERS;
    case PTX_DO_ATOMIC:
    case PTX_DO_BARRIER:
    case PTX_DO_FENCE:
    case PTX_DO_ASYNC:
    case PTX_DO_TEXTURE: return MOP_ORDERS;
    default: return MOP_NO_MEMORY;
    }
}

/* No instruction is scheduled across these ops. */
static bool is_fixed_op(const struct lowering *w, uint32_t op)
{
    switch ((enum ptx_action)w->code->ops[op].action) {
    case PTX_DO_BRANCH:
    case PTX_DO_BRANCH_INDEX:
    case PTX_DO_CALL:
    case PTX_DO_RETURN:
    case PTX_DO_EXIT:
    case PTX_DO_TRAP:
    case PTX_DO_SPECIAL:
    case PTX_DO_SLEEP:
    case PTX_DO_SYSTEM_CALL:
    case PTX_DO_STACK: return true;
    default: return false;
    }
}

/* The pieces of a matrix product each write a part of the result. */
static void spread_product(struct lowering *w, const struct operands *o, size_t from)
{
    struct part whole = whole_result(w, o);
    size_t n = w->mop_count - from;

    for (size_t k = 0; n > 1 && k < n; k++) {
        struct mop *m = &w->mops[from + k];
        uint32_t first = (uint32_t)(whole.words * k / n), last = (uint32_t)(whole.words * (k + 1) / n);

        m->src_count = 0;
        for (uint32_t s = 0; s < o->read_count; s++)
            put_source(m, o->reads[s]);
        m->dst = (struct part){whole.value, (uint8_t)(whole.word + first),
                               (uint8_t)(last > first  ? last - first
                                         : whole.words ? 1
                                                       : 0)};
        if (m->dst.word + m->dst.words > whole.word + whole.words)
            m->dst.word = whole.word;
    }
}

/* Results that are not adjacent are moved to their registers. */
static int move_results(struct lowering *w, uint32_t op, const struct operands *o, size_t from)
{
    struct part whole = whole_result(w, o), group;
    uint8_t words = 0;

    for (uint32_t k = 0; k < o->write_count; k++)
        words = (uint8_t)(words + o->writes[k].words);
    if (words == whole.words || w->mop_count == from)
        return 0;
    group = (struct part){lower_new_value(w, words), 0, words};
    if (group.value == VALUE_NONE)
        return -1;
    w->mops[w->mop_count - 1].dst = group;
    words = 0;
    for (uint32_t k = 0; k < o->write_count; k++) {
        struct mop *m = add_mop(w, op, "IMAD.MOV.U32");

        if (!m)
            return -1;
        put_source(m, (struct part){group.value, words, o->writes[k].words});
        m->dst = o->writes[k];
        words = (uint8_t)(words + o->writes[k].words);
    }
    return 0;
}

static int select_action(struct lowering *w, uint32_t op, const struct operands *o)
{
    struct ptx_machine_text text;
    size_t from = w->mop_count;
    struct ptx_machine_how how = {.arch = w->table->arch};
    bool fixed = is_fixed_op(w, op), is_wgmma = strcmp(w->f->insts[op].opcode, "wgmma") == 0;

    how.bytes = w->group[op] == VALUE_NONE ? 0 : 4u * w->values[w->group[op]].words;
    if (w->code->ops[op].action == PTX_DO_ATOMIC) {
        how.unread = lower_is_unread(w, op);
        how.by_one = lower_is_by_one(w, op);
        how.aggregation = lower_aggregation(w, op);
    }
    ptx_machine_text(w->code, op, &how, &text);
    if (add_text(w, op, text.opcodes, o, false))
        return -1;
    if (w->code->ops[op].action == PTX_DO_MATRIX && !is_wgmma)
        spread_product(w, o, from);
    for (size_t k = from; k < w->mop_count; k++) {
        struct mop *m = &w->mops[k];

        m->fixed = fixed;
        m->memory = memory_of(w, op);
        m->immediate = k + 1 == w->mop_count ? text.immediate : -1;
        if (k - from == text.access) {
            m->accesses = true;
            m->width = text.width;
            if (how.aggregation)
                m->one_lane =
                    how.aggregation == PTX_AGGREGATES_SCANNED ? PTX_ACCESSES_ONE_OF_ALL : PTX_ACCESSES_ONE;
        }
    }
    /* wgmma's sums stay in their registers; the first one represents all of them */
    return is_wgmma ? 0 : move_results(w, op, o, from);
}

static int select_op(struct lowering *w, uint32_t op)
{
    struct operands o = {.pred_read = VALUE_NONE, .pred_write = VALUE_NONE};

    if (w->fate[op] != OP_STAYS)
        return 0;
    if (w->merged[op] != PTX_NONE)
        op = w->merged[op];
    gather(w, op, &o);
    if (w->group[op] != VALUE_NONE) {
        o.writes[0] = (struct part){w->group[op], 0, w->values[w->group[op]].words};
        o.write_count = 1;
    } else if (w->code->ops[op].action == PTX_DO_ATOMIC && lower_is_unread(w, op)) {
        o.write_count = 0;
    }
    pack_reads(&o);
    if (w->code->ops[op].action == PTX_DO_FORM)
        return select_form(w, op, &o);
    return select_action(w, op, &o);
}

/* From sm_90 on, arithmetic instructions cannot read launch constants from the constant bank. The constant is
 * first read into a register or a uniform register. */
static const char *bank_text(const struct lowering *w, uint32_t op)
{
    const struct ptx_op *o = &w->code->ops[op];
    const struct ptx_operand *from = lower_operand(w, op, 1);

    if (w->table->arch < 90 || !w->f->entry || w->fate[op] != OP_COPY)
        return NULL;
    if (o->action == PTX_DO_LOAD && w->code->accesses[o->access].space == PTX_SPACE_PARAM)
        return ptx_type_bits((enum ptx_type)w->code->accesses[o->access].type) == 64 ? "LDC.64" : "ULDC";
    return o->action == PTX_DO_FORM && from && from->kind == PTX_OP_SPECIAL &&
                   (from->index == PTX_SREG_NTID || from->index == PTX_SREG_NCTAID)
               ? "ULDC"
               : NULL;
}

/* Adds a machine instruction that no other instruction is scheduled across. All lanes that reach the op execute
 * it. */
static int add_fixed(struct lowering *w, uint32_t op, const char *text)
{
    struct mop *m = add_mop(w, op, text);

    if (!m)
        return -1;
    m->fixed = true;
    return 0;
}

/* First instructions of the function: the stack's address and, from sm_80 on, the descriptor that loads and
 * stores of global memory use. */
static int select_prologue(struct lowering *w)
{
    bool global = false;

    for (uint32_t k = 0; k < w->code->access_count; k++)
        global |= w->code->accesses[k].space == PTX_SPACE_GLOBAL || w->code->accesses[k].space == PTX_GENERIC;
    return add_fixed(w, 0, w->table->arch < 90 ? "MOV" : "LDC") ||
                   (w->table->arch >= 80 && global && add_fixed(w, 0, "ULDC.64"))
               ? -1
               : 0;
}

int lower_select(struct lowering *w, uint32_t op)
{
    uint32_t block = w->flow.block_of[op];
    const struct ptx_block *b = &w->flow.blocks[block];
    bool branches = w->code->ops[op].action == PTX_DO_BRANCH, last = op == b->first + b->count - 1;

    if (op == 0 && w->f->entry && select_prologue(w))
        return -1;
    if (bank_text(w, op) && !add_mop(w, op, bank_text(w, op)))
        return -1;
    if (op == b->first && w->joins[block] && add_fixed(w, op, "BSYNC"))
        return -1;
    if (last && !branches && select_op(w, op))
        return -1;
    for (uint32_t k = 0; last && k < w->splits[block]; k++)
        if (add_fixed(w, op, "BSSY"))
            return -1;
    return last && !branches ? 0 : select_op(w, op);
}
