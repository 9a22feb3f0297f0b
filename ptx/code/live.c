/* ptx/code/live.c: computes where each value is live: backwards from its reads, block by block. Time: the number of
 * blocks in the ranges of all values. Memory: linear in the size of the function. */
#include "ptx/code/live.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

enum { STEPS_MAX = 1 << 30 };

struct event {
    uint32_t inst;
    bool write;
};

struct liveness {
    const struct ptx_function *f;
    const struct ptx_flow *flow;
    struct ptx_live *out;
    struct event *events; /* of value v: event_first[v] up to event_first[v + 1], in instruction order */
    uint32_t *event_first, *fill;
    uint32_t *from_first, *from;          /* predecessors of the blocks */
    uint32_t *kills, *live_in, *live_out; /* of each block: value + 1 if the block overwrites the present value, or
                                             if the value is live at its start or end */
    uint32_t *reported;    /* of each block: value + 1 if the words of the present value are counted */
    uint32_t *work, *seen; /* blocks to process; blocks where the present value is live at the start or end */
    uint32_t work_count, seen_count;
    int64_t *change; /* number of live words before each instruction, minus the number before the previous one */
    uint64_t steps;
};

/* --- events --- */

static void count_event(void *ctx, uint32_t value, bool write)
{
    (void)write;
    ((struct liveness *)ctx)->event_first[value + 1]++;
}

struct filler {
    struct liveness *l;
    uint32_t inst;
};

static void fill_event(void *ctx, uint32_t value, bool write)
{
    struct filler *w = ctx;

    w->l->events[w->l->fill[value]++] = (struct event){w->inst, write};
}

static int number_values(const struct ptx_function *f, struct ptx_live *out, struct err *e)
{
    out->value_of = mem_zalloc(f->register_count + 1u, sizeof *out->value_of, e);
    if (!out->value_of)
        return -1;
    for (uint32_t r = 0; r < f->register_count; r++) {
        out->value_of[r] = out->value_count;
        out->value_count += f->registers[r].vector;
    }
    out->value_of[f->register_count] = out->value_count;
    return 0;
}

static int list_events(struct liveness *l, struct err *e)
{
    const struct ptx_function *f = l->f;
    uint32_t n = l->out->value_count;

    l->event_first = mem_zalloc(n + 1u, sizeof *l->event_first, e);
    l->fill = mem_zalloc(n + 1u, sizeof *l->fill, e);
    if (!l->event_first || !l->fill)
        return -1;
    for (uint32_t i = 0; i < f->inst_count; i++)
        ptx_touched(f, l->out->value_of, &f->insts[i], count_event, l);
    for (uint32_t v = 0; v < n; v++)
        l->event_first[v + 1] += l->event_first[v];
    l->events = mem_zalloc(l->event_first[n] + 1u, sizeof *l->events, e);
    if (!l->events)
        return -1;
    memcpy(l->fill, l->event_first, (n + 1u) * sizeof *l->fill);
    for (uint32_t i = 0; i < f->inst_count; i++)
        ptx_touched(f, l->out->value_of, &f->insts[i], fill_event, &(struct filler){l, i});
    return 0;
}

static int list_predecessors(struct liveness *l, struct err *e)
{
    const struct ptx_flow *w = l->flow;

    l->from_first = mem_zalloc(w->block_count + 1u, sizeof *l->from_first, e);
    l->from = mem_zalloc(w->edge_count + 1u, sizeof *l->from, e);
    if (!l->from_first || !l->from)
        return -1;
    for (uint32_t k = 0; k < w->edge_count; k++)
        l->from_first[w->edges[k]]++;
    for (uint32_t b = 0, total = 0; b <= w->block_count; b++)
        total = l->from_first[b] += total;
    for (uint32_t b = w->block_count; b-- > 0;)
        for (uint32_t k = w->blocks[b].edge_count; k-- > 0;)
            l->from[--l->from_first[w->edges[w->blocks[b].edge_first + k]]] = b;
    return 0;
}

/* --- one value --- */

static void see(struct liveness *l, uint32_t block, uint32_t mark)
{
    if (l->live_in[block] != mark && l->live_out[block] != mark)
        l->seen[l->seen_count++] = block;
}

static void now_live_in(struct liveness *l, uint32_t block, uint32_t mark)
{
    if (l->live_in[block] == mark)
        return;
    see(l, block, mark);
    l->live_in[block] = mark;
    l->work[l->work_count++] = block;
}

static bool ends_value(const struct liveness *l, const struct event *v)
{
    return v->write && l->f->insts[v->inst].guard == PTX_NONE;
}

/* Finds the blocks that read the value before they write it, and the blocks that overwrite it for all lanes. */
static void look_at_blocks(struct liveness *l, uint32_t v)
{
    uint32_t block = PTX_NONE, killed = PTX_NONE;

    for (uint32_t k = l->event_first[v]; k < l->event_first[v + 1]; k++) {
        const struct event *at = &l->events[k];

        if (l->flow->block_of[at->inst] != block) {
            block = l->flow->block_of[at->inst];
            killed = PTX_NONE;
        }
        if (!at->write && (killed == PTX_NONE || killed == at->inst))
            now_live_in(l, block, v + 1);
        if (ends_value(l, at) && killed == PTX_NONE)
            killed = at->inst;
        if (killed != PTX_NONE)
            l->kills[block] = v + 1;
    }
}

static void walk_back(struct liveness *l, uint32_t v)
{
    while (l->work_count) {
        uint32_t block = l->work[--l->work_count];

        for (uint32_t k = l->from_first[block]; k < l->from_first[block + 1]; k++) {
            uint32_t from = l->from[k];

            see(l, from, v + 1);
            l->live_out[from] = v + 1;
            if (l->kills[from] != v + 1)
                now_live_in(l, from, v + 1);
            l->steps++;
        }
    }
}

static void widen(struct ptx_range *r, uint32_t begin, uint32_t end)
{
    r->begin = begin < r->begin ? begin : r->begin;
    r->end = end > r->end ? end : r->end;
}

/* Forms read the sources of all lanes before they write. The actions in this list do not guarantee it. */
static bool reads_first(const struct ptx_inst *i)
{
    static const char *const opcodes[] = {"ld",   "ldu",  "atom", "shfl",     "vote", "match",   "redux",
                                          "call", "mma",  "wmma", "ldmatrix", "bar",  "barrier", "movmatrix",
                                          "tex",  "tld4", "suld", "mbarrier", "elect"};

    for (size_t k = 0; k < sizeof opcodes / sizeof *opcodes; k++)
        if (strcmp(i->opcode, opcodes[k]) == 0)
            return false;
    return true;
}

static void make_range(struct liveness *l, uint32_t v, struct ptx_range *r)
{
    *r = (struct ptx_range){UINT32_MAX, 0};
    for (uint32_t k = l->event_first[v]; k < l->event_first[v + 1]; k++) {
        uint32_t i = l->events[k].inst;

        if (!l->events[k].write)
            widen(r, 2 * i, 2 * i);
        else
            widen(r, 2 * i + reads_first(&l->f->insts[i]), 2 * i + 1);
    }
    for (uint32_t k = 0; k < l->seen_count; k++) {
        const struct ptx_block *b = &l->flow->blocks[l->seen[k]];

        if (l->live_in[l->seen[k]] == v + 1)
            widen(r, 2 * b->first, 2 * b->first);
        if (l->live_out[l->seen[k]] == v + 1)
            widen(r, 2 * (b->first + b->count) - 1, 2 * (b->first + b->count) - 1);
    }
}

/* --- live words --- */

static void add_words(struct liveness *l, uint32_t first, uint32_t end, uint32_t words)
{
    l->change[first] += words;
    l->change[end] -= words;
}

/* Counts the value's words in one block, from the block's end backwards. `k`: index after the value's last event in
 * the block. Returns the index of its first event there. */
static uint32_t words_of_block(struct liveness *l, uint32_t v, uint32_t k, uint32_t words)
{
    uint32_t block = l->flow->block_of[l->events[k - 1].inst], first = l->event_first[v];
    const struct ptx_block *b = &l->flow->blocks[block];
    bool live = l->live_out[block] == v + 1;
    uint32_t end = b->first + b->count;

    while (k > first && l->events[k - 1].inst >= b->first) {
        uint32_t inst = l->events[k - 1].inst;
        bool read = false, kill = false;

        for (; k > first && l->events[k - 1].inst == inst; k--) {
            read |= !l->events[k - 1].write;
            kill |= ends_value(l, &l->events[k - 1]);
        }
        if (kill && live) {
            add_words(l, inst + 1, end, words);
            live = false;
        }
        if (read && !live) {
            live = true;
            end = inst + 1;
        }
    }
    if (live)
        add_words(l, b->first, end, words);
    l->reported[block] = v + 1;
    return k;
}

static void count_words(struct liveness *l, uint32_t v, uint32_t words)
{
    for (uint32_t k = l->event_first[v + 1]; words && k > l->event_first[v];)
        k = words_of_block(l, v, k, words);
    for (uint32_t k = 0; words && k < l->seen_count; k++) {
        const struct ptx_block *b = &l->flow->blocks[l->seen[k]];

        if (l->reported[l->seen[k]] != v + 1) /* live through the whole block */
            add_words(l, b->first, b->first + b->count, words);
    }
}

static uint32_t most_words(const struct liveness *l)
{
    int64_t now = 0, most = 0;

    for (uint32_t i = 0; i < l->f->inst_count; i++) {
        now += l->change[i];
        most = now > most ? now : most;
    }
    return most < UINT32_MAX ? (uint32_t)most : UINT32_MAX;
}

/* --- all values --- */

static int prepare(struct liveness *l, struct err *e)
{
    size_t blocks = l->flow->block_count + 1u;

    if (number_values(l->f, l->out, e) < 0 || list_events(l, e) < 0 || list_predecessors(l, e) < 0)
        return -1;
    l->kills = mem_zalloc(blocks, sizeof *l->kills, e);
    l->live_in = mem_zalloc(blocks, sizeof *l->live_in, e);
    l->live_out = mem_zalloc(blocks, sizeof *l->live_out, e);
    l->reported = mem_zalloc(blocks, sizeof *l->reported, e);
    l->work = mem_zalloc(blocks, sizeof *l->work, e);
    l->seen = mem_zalloc(blocks, sizeof *l->seen, e);
    l->change = mem_zalloc(l->f->inst_count + 1u, sizeof *l->change, e);
    l->out->ranges = mem_zalloc(l->out->value_count + 1u, sizeof *l->out->ranges, e);
    return l->kills && l->live_in && l->live_out && l->reported && l->work && l->seen && l->change && l->out->ranges
               ? 0
               : -1;
}

static int run(struct liveness *l, struct err *e)
{
    for (uint32_t r = 0; r < l->f->register_count; r++) {
        uint32_t bits = ptx_row_bits(l->f->registers[r].type);

        for (uint32_t v = l->out->value_of[r]; v < l->out->value_of[r + 1]; v++) {
            l->seen_count = 0;
            look_at_blocks(l, v);
            walk_back(l, v);
            make_range(l, v, &l->out->ranges[v]);
            count_words(l, v, bits == 1 ? 0 : (bits + 31) / 32);
            if (l->steps > STEPS_MAX)
                return err_set(e, ERR_UNSUPPORTED, "%s: too many registers are live across too many basic blocks",
                               l->f->name);
        }
    }
    l->out->live_words = most_words(l);
    return 0;
}

int ptx_live_build(const struct ptx_function *f, const struct ptx_flow *flow, struct ptx_live *out, struct err *e)
{
    struct liveness l = {.f = f, .flow = flow, .out = out};
    int ret;

    *out = (struct ptx_live){0};
    ret = prepare(&l, e) < 0 ? -1 : run(&l, e);
    free(l.events);
    free(l.event_first);
    free(l.fill);
    free(l.from_first);
    free(l.from);
    free(l.kills);
    free(l.live_in);
    free(l.live_out);
    free(l.reported);
    free(l.work);
    free(l.seen);
    free(l.change);
    if (ret < 0)
        ptx_live_release(out);
    return ret;
}

void ptx_live_release(struct ptx_live *l)
{
    free(l->value_of);
    free(l->ranges);
    *l = (struct ptx_live){0};
}
