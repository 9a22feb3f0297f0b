/* ptx/code/flow_join.c: immediate post-dominators: the blocks where diverged lanes reconverge. */
#include <stdlib.h>

#include "base/array.h"
#include "ptx/code/flow.h"

/* The reversed graph. Its additional node n is the end of the function, with an edge to each block that exits. */
struct join_graph {
    uint32_t n;
    const struct ptx_block *blocks;
    const uint32_t *edges;
    uint32_t *from_first, *from; /* predecessors of block b: from[from_first[b]] up to from_first[b + 1] */
    uint32_t *order;        /* postorder number in a depth-first search from the end; PTX_NONE: not reachable */
    uint32_t *sequence;     /* nodes in postorder */
    uint32_t *stack, *next; /* of the search */
    uint32_t *dominator;
    uint32_t reached;
};

static int list_predecessors(struct join_graph *g, struct err *e)
{
    uint32_t total = 0;

    g->from_first = mem_zalloc(g->n + 2u, sizeof *g->from_first, e);
    if (!g->from_first)
        return -1;
    for (uint32_t b = 0; b < g->n; b++) {
        g->from_first[g->n] += g->blocks[b].exits;
        for (uint32_t k = 0; k < g->blocks[b].edge_count; k++)
            g->from_first[g->edges[g->blocks[b].edge_first + k]]++;
    }
    for (uint32_t b = 0; b <= g->n; b++) {
        total += g->from_first[b];
        g->from_first[b] = total; /* the list's end; filling the list decreases it to the list's start */
    }
    g->from_first[g->n + 1] = total;
    g->from = mem_zalloc(total ? total : 1, sizeof *g->from, e);
    if (!g->from)
        return -1;
    for (uint32_t b = g->n; b-- > 0;) {
        if (g->blocks[b].exits)
            g->from[--g->from_first[g->n]] = b;
        for (uint32_t k = 0; k < g->blocks[b].edge_count; k++)
            g->from[--g->from_first[g->edges[g->blocks[b].edge_first + k]]] = b;
    }
    return 0;
}

/* Numbers the nodes in postorder, by depth-first search from the end along reversed edges. */
static int number_nodes(struct join_graph *g, struct err *e)
{
    uint32_t depth = 0;

    g->order = mem_zalloc(g->n + 1u, sizeof *g->order, e);
    g->sequence = mem_zalloc(g->n + 1u, sizeof *g->sequence, e);
    g->stack = mem_zalloc(g->n + 1u, sizeof *g->stack, e);
    g->next = mem_zalloc(g->n + 1u, sizeof *g->next, e);
    if (!g->order || !g->sequence || !g->stack || !g->next)
        return -1;
    for (uint32_t b = 0; b <= g->n; b++) {
        g->order[b] = PTX_NONE;
        g->next[b] = g->from_first[b];
    }
    g->stack[depth++] = g->n;
    g->order[g->n] = 0; /* visited; the number follows when the search leaves the node */
    while (depth) {
        uint32_t b = g->stack[depth - 1];

        if (g->next[b] == g->from_first[b + 1]) {
            g->sequence[g->reached] = b;
            g->order[b] = g->reached++;
            depth--;
            continue;
        }
        b = g->from[g->next[b]++];
        if (g->order[b] == PTX_NONE) {
            g->order[b] = 0;
            g->stack[depth++] = b;
        }
    }
    return 0;
}

static uint32_t meet(const struct join_graph *g, uint32_t a, uint32_t b)
{
    while (a != b) {
        while (g->order[a] < g->order[b])
            a = g->dominator[a];
        while (g->order[b] < g->order[a])
            b = g->dominator[b];
    }
    return a;
}

static uint32_t better(const struct join_graph *g, uint32_t b)
{
    uint32_t now = g->blocks[b].exits ? g->n : PTX_NONE;

    for (uint32_t k = 0; k < g->blocks[b].edge_count; k++) {
        uint32_t to = g->edges[g->blocks[b].edge_first + k];

        if (g->order[to] != PTX_NONE && g->dominator[to] != PTX_NONE)
            now = now == PTX_NONE ? to : meet(g, now, to);
    }
    return now;
}

static int find_dominators(struct join_graph *g, struct err *e)
{
    bool changed = true;

    g->dominator = mem_zalloc(g->n + 1u, sizeof *g->dominator, e);
    if (!g->dominator)
        return -1;
    for (uint32_t b = 0; b < g->n; b++)
        g->dominator[b] = PTX_NONE;
    g->dominator[g->n] = g->n;
    while (changed) {
        changed = false;
        for (uint32_t k = g->reached - 1; k-- > 0;) { /* the last node of the sequence is the end */
            uint32_t b = g->sequence[k], found = better(g, b);

            changed |= found != g->dominator[b];
            g->dominator[b] = found;
        }
    }
    return 0;
}

int ptx_post_dominators(struct ptx_block *blocks, uint32_t n, const uint32_t *edges, struct err *e)
{
    struct join_graph g = {.n = n, .blocks = blocks, .edges = edges};
    int ret = list_predecessors(&g, e) < 0 || number_nodes(&g, e) < 0 || find_dominators(&g, e) < 0 ? -1 : 0;

    for (uint32_t b = 0; ret == 0 && b < n; b++)
        blocks[b].join = g.dominator[b] < n ? g.dominator[b] : PTX_NONE;
    free(g.from_first);
    free(g.from);
    free(g.order);
    free(g.sequence);
    free(g.stack);
    free(g.next);
    free(g.dominator);
    return ret;
}
