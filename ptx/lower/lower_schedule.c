/* ptx/lower/lower_schedule.c: orders a segment's machine instructions. Instructions on the longest path to the
 * end come first, as far as registers allow. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "ptx/lower/lowering.h"

enum { NODES_MAX = 4096, SPACES = 8, ROOM = 6 }; /* NODES_MAX: longer segments keep their order */

struct edge {
    uint32_t to, next; /* next: next edge of the same node; PTX_NONE */
    uint32_t cycles;
};

struct node {
    uint32_t first;    /* index of the first edge; PTX_NONE: none */
    uint32_t waits;    /* number of unscheduled predecessors */
    uint32_t length;   /* cycles from its issue to the end of the segment */
    uint32_t earliest; /* cycle in which its operands are ready */
    bool placed;
};

struct touched {
    uint32_t writer; /* newest writer: node + 1; 0: none */
    uint32_t reader; /* newest reader, + 1; `before` of a read is the reader before it */
    uint32_t reads;  /* remaining reads in this segment */
};

struct read {
    uint32_t node, before;
};

struct graph {
    struct node *nodes;
    uint32_t count;
    struct edge *edges;
    size_t edge_count, edge_capacity;
    struct touched *values;
    struct read *reads;
    size_t read_count, read_capacity;
    uint32_t store[SPACES], orders; /* newest such instruction: node + 1 */
    uint32_t *loads[SPACES];        /* loads after the newest store */
    size_t load_count[SPACES], load_capacity[SPACES];
    struct err *e;
    bool failed;
};

static void add_edge(struct graph *g, uint32_t from, uint32_t to, uint32_t cycles)
{
    if (from == to || g->failed)
        return;
    if (array_reserve((void **)&g->edges, &g->edge_capacity, g->edge_count + 1, sizeof *g->edges, g->e)) {
        g->failed = true;
        return;
    }
    g->edges[g->edge_count] = (struct edge){to, g->nodes[from].first, cycles};
    g->nodes[from].first = (uint32_t)g->edge_count++;
    g->nodes[to].waits++;
}

/* --- values --- */

static void read_value(struct graph *g, const struct mop *m, uint32_t node, uint32_t value)
{
    struct touched *t = &g->values[value];

    t->reads++;
    if (t->writer)
        add_edge(g, t->writer - 1, node, m[t->writer - 1].latency);
    if (array_reserve((void **)&g->reads, &g->read_capacity, g->read_count + 1, sizeof *g->reads, g->e)) {
        g->failed = true;
        return;
    }
    g->reads[g->read_count] = (struct read){node, t->reader};
    t->reader = (uint32_t)++g->read_count;
}

static void write_value(struct graph *g, uint32_t node, uint32_t value)
{
    struct touched *t = &g->values[value];

    for (uint32_t r = g->reads ? t->reader : 0; r; r = g->reads[r - 1].before)
        add_edge(g, g->reads[r - 1].node, node, 1);
    if (t->writer)
        add_edge(g, t->writer - 1, node, 1);
    t->reader = 0;
    t->writer = node + 1;
}

static void touch_values(struct graph *g, const struct mop *m, uint32_t k)
{
    for (uint32_t s = 0; s < m[k].src_count; s++)
        if (m[k].src[s].value != VALUE_NONE)
            read_value(g, m, k, m[k].src[s].value);
    if (m[k].pred_read != VALUE_NONE)
        read_value(g, m, k, m[k].pred_read);
    if (m[k].dst.value != VALUE_NONE)
        write_value(g, k, m[k].dst.value);
    if (m[k].pred_write != VALUE_NONE)
        write_value(g, k, m[k].pred_write);
}

/* --- memory: a store is not reordered with accesses that may touch the same bytes --- */

static bool may_meet(uint32_t a, uint32_t b)
{
    return a == b || a == PTX_GENERIC || b == PTX_GENERIC;
}

static void touch_memory(struct graph *g, const struct mop *m, uint32_t k)
{
    bool orders = m[k].memory == MOP_ORDERS, stores = orders || m[k].memory >= MOP_STORES;
    uint32_t space = m[k].memory % SPACES;

    if (g->orders)
        add_edge(g, g->orders - 1, k, 1);
    for (uint32_t s = 0; s < SPACES; s++) {
        if (!orders && !may_meet(s, space))
            continue;
        if (g->store[s])
            add_edge(g, g->store[s] - 1, k, 1);
        for (size_t i = 0; stores && i < g->load_count[s]; i++)
            add_edge(g, g->loads[s][i], k, 1);
        if (orders) {
            g->load_count[s] = 0;
            g->store[s] = 0;
        }
    }
    if (orders) {
        g->orders = k + 1;
    } else if (stores) {
        g->store[space] = k + 1;
        g->load_count[space] = 0;
    } else if (array_reserve((void **)&g->loads[space], &g->load_capacity[space], g->load_count[space] + 1,
                             sizeof *g->loads[space], g->e) == 0) {
        g->loads[space][g->load_count[space]++] = k;
    } else {
        g->failed = true;
    }
}

/* --- the graph --- */

static void build(struct graph *g, const struct mop *m)
{
    uint32_t fixed = 0; /* newest fixed instruction, + 1 */

    for (uint32_t k = 0; k < g->count; k++)
        g->nodes[k].first = PTX_NONE;
    for (uint32_t k = 0; k < g->count; k++) {
        touch_values(g, m, k);
        if (m[k].memory != MOP_NO_MEMORY)
            touch_memory(g, m, k);
        if (m[k].fixed)
            for (uint32_t i = fixed ? fixed - 1 : 0; i < k; i++)
                add_edge(g, i, k, 1);
        else if (fixed)
            add_edge(g, fixed - 1, k, 1);
        if (m[k].fixed)
            fixed = k + 1;
    }
    for (uint32_t k = g->count; k-- > 0;) {
        g->nodes[k].length = m[k].latency;
        for (uint32_t i = g->nodes[k].first; i != PTX_NONE; i = g->edges[i].next) {
            uint32_t through = g->edges[i].cycles + g->nodes[g->edges[i].to].length;

            if (through > g->nodes[k].length)
                g->nodes[k].length = through;
        }
    }
}

/* --- the order --- */

struct pressure {
    uint32_t words, most;
    uint32_t end; /* position after the segment */
};

static void begin_pressure(const struct lowering *w, const struct ptx_segment *s, uint32_t least,
                           struct pressure *p)
{
    uint32_t begin = 2 * s->first_op;

    p->words = 0;
    p->end = 2 * (s->first_op + s->op_count) - 1;
    for (size_t v = 0; v < w->value_count; v++)
        if (!w->values[v].pred && !w->values[v].copied && w->values[v].begin < begin && w->values[v].end >= begin)
            p->words += w->values[v].words;
    p->most = w->code->live_words + ROOM > least ? w->code->live_words + ROOM : least;
    p->most = p->most < w->registers_max ? p->most : w->registers_max;
}

static void place(const struct lowering *w, struct graph *g, uint32_t k, struct pressure *p)
{
    const struct mop *m = &w->mops[k];

    g->nodes[k].placed = true;
    if (m->dst.value != VALUE_NONE && !w->values[m->dst.value].pred)
        p->words += m->dst.words;
    for (uint32_t s = 0; s < m->src_count; s++) {
        uint32_t v = m->src[s].value;

        if (v != VALUE_NONE && --g->values[v].reads == 0 && w->values[v].end <= p->end)
            p->words -= p->words < w->values[v].words ? p->words : w->values[v].words;
    }
}

/* Selects among the instructions without unscheduled predecessors. If registers are free: the one with the
 * longest path, else the first in program order. */
static uint32_t pick(const struct graph *g, uint32_t from, uint32_t now, bool room)
{
    uint32_t best = PTX_NONE;
    bool best_ready = false;

    for (uint32_t k = from; k < g->count; k++) {
        const struct node *n = &g->nodes[k];
        bool ready = n->earliest <= now;

        if (n->placed || n->waits)
            continue;
        if (!room)
            return k;
        if (best == PTX_NONE || (ready && !best_ready) ||
            (ready == best_ready &&
             (ready ? n->length > g->nodes[best].length : n->earliest < g->nodes[best].earliest))) {
            best = k;
            best_ready = ready;
        }
    }
    return best;
}

static void list_schedule(const struct lowering *w, struct graph *g, const struct ptx_segment *s, uint32_t least)
{
    struct pressure p;
    uint32_t now = 0, from = 0;

    begin_pressure(w, s, least, &p);
    for (uint32_t n = 0; n < g->count; n++) {
        uint32_t k = pick(g, from, now, p.words < p.most);

        now = (g->nodes[k].earliest > now ? g->nodes[k].earliest : now) + 1;
        place(w, g, k, &p);
        for (uint32_t i = g->nodes[k].first; i != PTX_NONE; i = g->edges[i].next) {
            struct node *to = &g->nodes[g->edges[i].to];
            uint32_t then = now - 1 + g->edges[i].cycles;

            to->waits--;
            to->earliest = then > to->earliest ? then : to->earliest;
        }
        w->order[n] = k;
        while (from < g->count && g->nodes[from].placed)
            from++;
    }
}

int lower_schedule(struct lowering *w, const struct ptx_segment *s, uint32_t least)
{
    struct graph g = {.count = (uint32_t)w->mop_count, .e = w->e};
    void *order = realloc(w->order, (w->mop_count + 1) * sizeof *w->order);

    if (!order)
        return err_no_memory(w->e);
    w->order = order;
    for (uint32_t k = 0; k < g.count; k++)
        w->order[k] = k;
    if (g.count < 2 || g.count > NODES_MAX)
        return 0;
    g.nodes = mem_zalloc(g.count, sizeof *g.nodes, w->e);
    g.values = g.nodes ? mem_zalloc(w->value_count + 1, sizeof *g.values, w->e) : NULL;
    g.failed = !g.values;
    if (!g.failed)
        build(&g, w->mops);
    if (!g.failed)
        list_schedule(w, &g, s, least);
    for (uint32_t k = 0; k < SPACES; k++)
        free(g.loads[k]);
    free(g.nodes);
    free(g.values);
    free(g.reads);
    free(g.edges);
    return g.failed ? -1 : 0;
}
