#include "simcore/trace/vtrace_tables.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/assert.h"

#define INSTS_MAX (1u << 20) /* equal to INSTS_MAX in inst_table.c */

_Static_assert(sizeof(struct trace_repairs) % sizeof(uint64_t) == 0, "repairs are counts, one after the other");
#define REPAIRS (sizeof(struct trace_repairs) / sizeof(uint64_t))

/* --- static instructions, column by column --- */

static void put_sources(struct strbuf *b, const struct trace_inst *insts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        put_number(b, insts[i].src_count);
    for (size_t i = 0; i < count; i++) {
        strbuf_add(b, insts[i].src, insts[i].src_count);
        strbuf_add(b, insts[i].src_regs, insts[i].src_count);
    }
}

bool static_table_has_others(const struct trace_inst *insts, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint8_t any = insts[i].other_dst | insts[i].group;

        for (unsigned k = 0; k < insts[i].src_count; k++)
            any |= insts[i].other_src[k];
        if (any)
            return true;
    }
    return false;
}

static void put_others(struct strbuf *b, const struct trace_inst *insts, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        strbuf_addc(b, (char)insts[i].group);
        strbuf_addc(b, (char)insts[i].other_dst);
        strbuf_add(b, insts[i].other_src, insts[i].src_count);
    }
}

void put_static_table(struct strbuf *b, const struct trace_inst *insts, size_t count, bool others)
{
    uint32_t pc = 0;

    put_number(b, count);
    for (size_t i = 0; i < count; i++)
        put_number(b, insts[i].opcode);
    for (size_t i = 0; i < count; pc = insts[i++].pc)
        put_signed(b, (int64_t)insts[i].pc - pc);
    for (size_t i = 0; i < count; i++)
        put_number(b, insts[i].width);
    for (size_t i = 0; i < count; i++) {
        strbuf_addc(b, (char)insts[i].dst_count);
        strbuf_addc(b, (char)insts[i].dst);
        strbuf_addc(b, (char)insts[i].dst_regs);
    }
    put_sources(b, insts, count);
    for (size_t i = 0; i < count; i++) {
        put_number(b, insts[i].has_immediate);
        put_signed(b, insts[i].immediate);
    }
    for (size_t i = 0; i < count; i++)
        put_number(b, insts[i].control);
    if (others)
        put_others(b, insts, count);
}

static int get_opcodes(struct byte_cursor *c, struct static_table *t, struct err *e)
{
    uint64_t count = get_count(c);

    t->opcodes = mem_zalloc(count + 1, sizeof *t->opcodes, e);
    if (!t->opcodes)
        return -1;
    for (; t->opcode_count < count; t->opcode_count++)
        if (!(t->opcodes[t->opcode_count] = get_text(c, e)))
            return -1;
    return 0;
}

static uint8_t get_byte(struct byte_cursor *c)
{
    const uint8_t *p = get_bytes(c, 1);

    return p ? *p : 0;
}

static void get_sources(struct byte_cursor *c, struct static_table *t)
{
    for (size_t i = 0; i < t->inst_count; i++)
        t->insts[i].src_count = (uint8_t)get_below(c, INST_MAX_SRC + 1);
    for (size_t i = 0; i < t->inst_count; i++) {
        struct trace_inst *x = &t->insts[i];

        for (unsigned k = 0; k < x->src_count; k++)
            x->src[k] = get_byte(c);
        for (unsigned k = 0; k < x->src_count; k++)
            x->src_regs[k] = get_byte(c);
    }
}

static uint8_t get_byte_below(struct byte_cursor *c, uint8_t limit)
{
    uint8_t x = get_byte(c);

    c->wrong |= x >= limit;
    return x < limit ? x : 0;
}

static void get_others(struct byte_cursor *c, struct static_table *t)
{
    for (size_t i = 0; i < t->inst_count; i++) {
        struct trace_inst *x = &t->insts[i];

        x->group = get_byte_below(c, GROUP_COMMITS + 1);
        x->other_dst = get_byte_below(c, OTHER_REGISTERS + 1);
        for (unsigned k = 0; k < x->src_count; k++)
            x->other_src[k] = get_byte_below(c, OTHER_REGISTERS + 1);
    }
}

static void get_insts(struct byte_cursor *c, struct static_table *t)
{
    uint32_t pc = 0;

    for (size_t i = 0; i < t->inst_count; i++)
        t->insts[i].opcode = (uint32_t)get_below(c, t->opcode_count);
    for (size_t i = 0; i < t->inst_count; pc = t->insts[i++].pc)
        t->insts[i].pc = pc + (uint32_t)get_signed(c);
    for (size_t i = 0; i < t->inst_count; i++)
        t->insts[i].width = (uint16_t)get_below(c, UINT16_MAX + 1u);
    for (size_t i = 0; i < t->inst_count; i++) {
        t->insts[i].dst_count = get_byte(c);
        t->insts[i].dst = get_byte(c);
        t->insts[i].dst_regs = get_byte(c);
    }
    get_sources(c, t);
    for (size_t i = 0; i < t->inst_count; i++) {
        t->insts[i].has_immediate = get_below(c, 2) != 0;
        t->insts[i].immediate = get_signed(c);
    }
    for (size_t i = 0; i < t->inst_count; i++)
        t->insts[i].control = (uint32_t)get_below(c, UINT32_MAX + 1ull);
}

int get_static_table(struct byte_cursor *c, bool others, struct static_table *t, struct err *e)
{
    *t = (struct static_table){0};
    if (get_opcodes(c, t, e) < 0)
        return -1;
    t->inst_count = get_count(c);
    if (t->inst_count > INSTS_MAX)
        return err_set(e, ERR_TOO_LARGE, "more than %u different instructions", INSTS_MAX);
    t->insts = mem_zalloc(t->inst_count + 1, sizeof *t->insts, e);
    if (!t->insts)
        return -1;
    get_insts(c, t);
    if (others)
        get_others(c, t);
    if (c->wrong || c->at != c->end)
        return err_set(e, ERR_INVALID, "the table of static instructions is damaged");
    return 0;
}

void static_table_release(struct static_table *t)
{
    for (size_t i = 0; i < t->opcode_count; i++)
        free(t->opcodes[i]);
    free(t->opcodes);
    free(t->insts);
    *t = (struct static_table){0};
}

/* --- facts --- */

void put_facts(struct strbuf *b, const struct vtrace_fact *facts, size_t count)
{
    uint32_t inst = 0;
    uint64_t base = 0;

    put_number(b, count);
    for (size_t i = 0; i < count; i++) {
        const struct vtrace_fact *f = &facts[i];
        bool is_base = f->kind == FACT_BASE;

        ASSERT(f->kind < FACT_KINDS);
        put_number(b, f->kind);
        put_signed(b, (int64_t)f->inst - inst);
        put_signed(b, (int64_t)(is_base ? f->value - base : f->value));
        for (int k = 0; is_base && k < 4; k++)
            put_number(b, f->origin[k]);
        inst = f->inst;
        base = is_base ? f->value : base;
    }
}

int get_facts(struct byte_cursor *c, size_t insts, struct vtrace_fact **out, size_t *count, struct err *e)
{
    uint64_t n = get_count(c), base = 0;
    uint32_t inst = 0;

    *count = n;
    *out = mem_zalloc(n + 1, sizeof **out, e);
    if (!*out)
        return -1;
    for (uint64_t i = 0; i < n && !c->wrong; i++) {
        struct vtrace_fact *f = &(*out)[i];

        f->kind = (enum vtrace_fact_kind)get_below(c, FACT_KINDS);
        f->inst = inst += (uint32_t)get_signed(c);
        f->value = (uint64_t)get_signed(c);
        if (f->inst >= insts)
            c->wrong = true;
        if (f->kind != FACT_BASE)
            continue;
        f->value = base += f->value;
        for (int k = 0; k < 4; k++)
            f->origin[k] = (uint32_t)get_below(c, UINT32_MAX + 1ull);
    }
    return c->wrong ? err_set(e, ERR_INVALID, "its predictions are damaged") : 0;
}

/* --- launches --- */

void put_launch(struct strbuf *b, const struct launch_row *x)
{
    const struct kernel_info *k = &x->launch.info;
    uint64_t repairs[REPAIRS];

    memcpy(repairs, &x->launch.repairs, sizeof repairs);
    put_number(b, x->kernel);
    put_number(b, x->root);
    put_number(b, x->ctas.block);
    put_number(b, x->ctas.offset);
    put_number(b, x->record.block);
    put_number(b, x->record.offset);
    put_number(b, x->launch.context);
    put_number(b, x->launch.ctas);
    put_number(b, x->launch.warps);
    put_number(b, x->launch.warp_instructions);
    put_number(b, k->id);
    for (int i = 0; i < 3; i++)
        put_number(b, k->grid[i]);
    for (int i = 0; i < 3; i++)
        put_number(b, k->block[i]);
    put_number(b, k->shared_bytes);
    put_number(b, k->registers);
    put_number(b, k->binary_version);
    put_number(b, k->stream);
    put_number(b, k->shared_base);
    put_number(b, k->local_base);
    put_number(b, k->tracer_version);
    put_number(b, REPAIRS);
    for (size_t i = 0; i < REPAIRS; i++)
        put_number(b, repairs[i]);
}

static uint32_t get_u32(struct byte_cursor *c)
{
    return (uint32_t)get_below(c, UINT32_MAX + 1ull);
}

/* A file can have fewer or more kinds of repairs than this version knows. Unknown kinds are ignored. */
static void get_repairs(struct byte_cursor *c, struct trace_repairs *out)
{
    uint64_t repairs[REPAIRS] = {0}, count = get_count(c);

    for (uint64_t i = 0; i < count; i++) {
        uint64_t x = get_number(c);

        if (i < REPAIRS)
            repairs[i] = x;
    }
    memcpy(out, repairs, sizeof repairs);
}

void get_launch(struct byte_cursor *c, struct launch_row *x)
{
    struct kernel_info *k = &x->launch.info;

    *x = (struct launch_row){0};
    x->kernel = get_u32(c);
    x->root = get_u32(c);
    x->ctas.block = get_u32(c);
    x->ctas.offset = get_number(c);
    x->record.block = get_u32(c);
    x->record.offset = get_number(c);
    x->launch.context = get_number(c);
    x->launch.ctas = get_number(c);
    x->launch.warps = get_number(c);
    x->launch.warp_instructions = get_number(c);
    k->id = get_number(c);
    for (int i = 0; i < 3; i++)
        k->grid[i] = get_u32(c);
    for (int i = 0; i < 3; i++)
        k->block[i] = get_u32(c);
    k->shared_bytes = get_u32(c);
    k->registers = get_u32(c);
    k->binary_version = get_u32(c);
    k->stream = get_number(c);
    k->shared_base = get_number(c);
    k->local_base = get_number(c);
    k->tracer_version = get_u32(c);
    get_repairs(c, &x->launch.repairs);
}
