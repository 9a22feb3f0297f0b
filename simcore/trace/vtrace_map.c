/* simcore/trace/vtrace_map.c: maps the source's instruction numbers to the kernel's numbers (writing). */
#include "simcore/trace/vtrace_writer.h"

#include "base/array.h"
#include "base/assert.h"

static int no_memory(const struct strbuf *b, struct err *e)
{
    return b->failed ? err_no_memory(e) : 0;
}

static void put_key(struct strbuf *b, const struct trace_inst *x)
{
    ASSERT(x->src_count <= INST_MAX_SRC);
    put_number(b, x->opcode);
    put_number(b, x->pc);
    put_number(b, x->width);
    strbuf_addc(b, (char)x->dst_count);
    strbuf_addc(b, (char)x->dst);
    strbuf_addc(b, (char)x->dst_regs);
    put_number(b, x->src_count);
    strbuf_add(b, x->src, x->src_count);
    strbuf_add(b, x->src_regs, x->src_count);
    put_number(b, x->has_immediate);
    put_signed(b, x->immediate);
    put_number(b, x->control);
    strbuf_addc(b, (char)x->other_dst);
    strbuf_add(b, x->other_src, x->src_count);
    strbuf_addc(b, (char)x->group);
}

static int intern(struct vtrace_writer *w, const struct inst_source *s, uint32_t inst, uint32_t *out, struct err *e)
{
    struct kernel_tables *k = w->kernel;
    struct trace_inst x = s->insts[inst];
    const char *opcode = s->opcodes[x.opcode];
    void *p = k->insts;

    x.opcode = dict_intern(&k->opcodes, opcode, strlen(opcode) + 1, e);
    if (x.opcode == DICT_NONE)
        return -1;
    strbuf_clear(&w->key);
    put_key(&w->key, &x);
    if (no_memory(&w->key, e) < 0 || array_reserve(&p, &k->inst_capacity, k->inst_count + 1, sizeof x, e) < 0)
        return -1;
    k->insts = p;
    *out = dict_intern(&k->inst_keys, w->key.text, w->key.length, e);
    if (*out == DICT_NONE)
        return -1;
    ASSERT(*out <= k->inst_count);
    if (*out == k->inst_count)
        k->insts[k->inst_count++] = x;
    return vtrace_model_reserve(&w->model, k->inst_count, e) < 0 ||
                   learner_reserve(&w->learner, k->inst_count, e) < 0
               ? -1
               : 0;
}

/* Extends the maps to the current size of the source's table. */
static int cover_table(struct vtrace_writer *w, const struct inst_source *s, struct err *e)
{
    size_t n = s->inst_count, again = w->map_capacity, yet_again = again;

    if (n <= w->map_count)
        return 0;
    if (array_reserve((void **)&w->stretch, &again, n, sizeof *w->stretch, e) < 0 ||
        array_reserve((void **)&w->next_access, &yet_again, n + 1, sizeof *w->next_access, e) < 0 ||
        array_reserve((void **)&w->inst_map, &w->map_capacity, n, sizeof *w->inst_map, e) < 0)
        return -1;
    for (; w->map_count < n; w->map_count++) {
        w->inst_map[w->map_count] = UINT32_MAX;
        w->stretch[w->map_count] = 0;
    }
    w->next_access[n] = (uint32_t)n;
    for (size_t i = n; i-- > 0;)
        w->next_access[i] = s->insts[i].width ? (uint32_t)i : w->next_access[i + 1];
    return 0;
}

int writer_map_inst(struct vtrace_writer *w, const struct inst_source *s, uint32_t inst, struct err *e)
{
    if (cover_table(w, s, e) < 0)
        return -1;
    ASSERT(inst < w->map_count);
    return w->inst_map[inst] == UINT32_MAX ? intern(w, s, inst, &w->inst_map[inst], e) : 0;
}

int writer_map_new_run(struct vtrace_writer *w, const struct inst_source *s, uint32_t inst, uint32_t end,
                       uint32_t *stretch, struct err *e)
{
    uint32_t i = inst;

    ASSERT(inst < end);
    for (; i < end; i++) {
        if ((i >= w->map_count || w->inst_map[i] == UINT32_MAX) && writer_map_inst(w, s, i, e) < 0)
            return -1;
        if (w->inst_map[i] - w->inst_map[inst] != i - inst)
            break;
    }
    *stretch = w->stretch[inst] = i - inst;
    return 0;
}
