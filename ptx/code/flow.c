/* ptx/code/flow.c: blocks and edges of a function. */
#include "ptx/code/flow.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

static bool is(const struct ptx_inst *i, const char *opcode)
{
    return strcmp(i->opcode, opcode) == 0;
}

static bool branches(const struct ptx_inst *i)
{
    return is(i, "bra") || is(i, "brx");
}

bool ptx_leaves(const struct ptx_inst *i)
{
    return is(i, "ret") || is(i, "exit") || is(i, "trap");
}

bool ptx_ends_block(const struct ptx_inst *i)
{
    return branches(i) || ptx_leaves(i);
}

bool ptx_falls_through(const struct ptx_inst *i)
{
    return i->guard != PTX_NONE || !ptx_ends_block(i);
}

/* --- branch targets --- */

/* Number of labels that a branch names: `bra L`: one; `brx.idx i, list`: all labels of the list. */
static uint32_t target_count(const struct ptx_function *f, const struct ptx_inst *i)
{
    const struct ptx_operand *o = f->operands + i->operand_first;

    if (is(i, "bra"))
        return i->operand_count >= 1 && o[0].kind == PTX_OP_LABEL;
    if (is(i, "brx") && i->operand_count >= 2 && o[1].kind == PTX_OP_TARGETS && f->targets[o[1].index].labels)
        return f->targets[o[1].index].count;
    return 0;
}

/* Index of the instruction at label k of the branch; inst_count: the end of the function. */
static uint32_t target(const struct ptx_function *f, const struct ptx_inst *i, uint32_t k)
{
    const struct ptx_operand *o = f->operands + i->operand_first;

    return f->labels[is(i, "bra") ? o[0].index : f->targets[o[1].index].items[k]].at;
}

/* --- blocks --- */

/* leads[i] = 1 if a block begins at instruction i. A label begins a block only if a branch names it. */
static void mark_leaders(const struct ptx_function *f, uint32_t *leads)
{
    leads[0] = 1;
    for (uint32_t i = 0; i < f->inst_count; i++) {
        const struct ptx_inst *inst = &f->insts[i];
        uint32_t n = target_count(f, inst);

        for (uint32_t k = 0; k < n; k++)
            leads[target(f, inst, k)] = 1;
        if (ptx_ends_block(inst))
            leads[i + 1] = 1;
    }
}

static int make_blocks(const struct ptx_function *f, struct ptx_flow *w, struct err *e)
{
    uint32_t n = 0;

    w->block_of = mem_zalloc(f->inst_count + 1u, sizeof *w->block_of, e); /* one more: the end of the function */
    if (!w->block_of)
        return -1;
    if (f->inst_count)
        mark_leaders(f, w->block_of);
    for (uint32_t i = 0; i < f->inst_count; i++)
        n += w->block_of[i];
    w->blocks = mem_zalloc(n ? n : 1, sizeof *w->blocks, e);
    if (!w->blocks)
        return -1;
    for (uint32_t i = 0; i < f->inst_count; i++) {
        if (w->block_of[i])
            w->blocks[w->block_count++].first = i;
        w->block_of[i] = w->block_count - 1;
        w->blocks[w->block_count - 1].count++;
    }
    w->block_of[f->inst_count] = PTX_NONE;
    return 0;
}

/* --- edges --- */

static void add_edge(struct ptx_flow *w, struct ptx_block *b, uint32_t to)
{
    if (to == PTX_NONE) { /* the end of the function acts as a return */
        b->exits = true;
        return;
    }
    if (b->edge_count && (w->edges[b->edge_first] == to || w->edges[w->edge_count - 1] == to))
        return; /* the edge exists: a branch to the next block, or a target that the table repeats */
    w->edges[b->edge_first + b->edge_count++] = to;
    w->edge_count++;
}

static void link_block(const struct ptx_function *f, struct ptx_flow *w, struct ptx_block *b)
{
    const struct ptx_inst *last = &f->insts[b->first + b->count - 1];
    uint32_t n = target_count(f, last);

    b->edge_first = w->edge_count;
    if (ptx_falls_through(last))
        add_edge(w, b, w->block_of[b->first + b->count]);
    for (uint32_t k = 0; k < n; k++)
        add_edge(w, b, w->block_of[target(f, last, k)]);
    b->exits |= ptx_leaves(last);
}

static int make_edges(const struct ptx_function *f, struct ptx_flow *w, struct err *e)
{
    size_t most = 1;

    for (uint32_t b = 0; b < w->block_count; b++)
        most += 1 + target_count(f, &f->insts[w->blocks[b].first + w->blocks[b].count - 1]);
    w->edges = mem_zalloc(most, sizeof *w->edges, e);
    if (!w->edges)
        return -1;
    for (uint32_t b = 0; b < w->block_count; b++)
        link_block(f, w, &w->blocks[b]);
    return 0;
}

int ptx_flow_build(const struct ptx_function *f, struct ptx_flow *out, struct err *e)
{
    *out = (struct ptx_flow){0};
    if (make_blocks(f, out, e) < 0 || make_edges(f, out, e) < 0 ||
        ptx_post_dominators(out->blocks, out->block_count, out->edges, e) < 0) {
        ptx_flow_release(out);
        return -1;
    }
    return 0;
}

void ptx_flow_release(struct ptx_flow *w)
{
    free(w->blocks);
    free(w->edges);
    free(w->block_of);
    *w = (struct ptx_flow){0};
}
