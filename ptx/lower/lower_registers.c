/* ptx/lower/lower_registers.c: assigns registers by linear scan over the scheduled instructions (Poletto and
 * Sarkar, "Linear scan register allocation", 1999). A live range has a hole before a write that replaces the
 * whole value. Values of several words begin at a multiple of 2 or 4.
 *
 * If more values are live than registers are allowed, the value shares the register that becomes free first. A
 * real compiler would spill there. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "ptx/lower/lowering.h"

struct life {
    uint32_t value, begin, end; /* begin and end: indices in w->all */
};

/* Extends a value's live range to instruction `at`. */
static void see(struct life *l, uint32_t value, uint32_t at)
{
    if (value == VALUE_NONE)
        return;
    l[value].begin = at < l[value].begin ? at : l[value].begin;
    l[value].end = at > l[value].end ? at : l[value].end;
}

/* Extends live ranges to segment borders. A value that is live at the border of its first or last segment is
 * live up to that border. */
static void add_borders(const struct lowering *w, const struct ptx_segment *segments, uint32_t count,
                        struct life *l)
{
    uint32_t *segment_of = w->order; /* for each op; see lower_registers() */

    for (uint32_t k = 0; k < count; k++)
        for (uint32_t op = 0; op < segments[k].op_count; op++)
            segment_of[segments[k].first_op + op] = k;
    for (size_t v = 0; v < w->value_count; v++) {
        const struct lower_value *x = &w->values[v];
        const struct ptx_segment *a, *b;
        uint32_t last = w->code->op_count - 1;

        if (l[v].begin > l[v].end || x->begin > x->end)
            continue;
        a = &segments[segment_of[x->begin / 2 < last ? x->begin / 2 : last]];
        b = &segments[segment_of[x->end / 2 < last ? x->end / 2 : last]];
        if (x->begin <= 2 * a->first_op)
            see(l, (uint32_t)v, a->first);
        if (x->end >= 2 * (b->first_op + b->op_count) - 1)
            see(l, (uint32_t)v, b->first + b->span);
        /* the accesses cover the segments between them; this covers the other ends of the first and last segment */
        if (a != b) {
            see(l, (uint32_t)v, a->first + a->span);
            see(l, (uint32_t)v, b->first);
        }
    }
}

/* --- holes: a value needs no register between its last use and the next write of the whole value --- */

struct hole {
    uint32_t from, to, next; /* next: the value's previous hole, + 1 */
};
struct holes {
    struct hole *items;
    size_t count, capacity;
    uint32_t *newest; /* for each value, + 1 */
    uint32_t *seen;   /* for each value: its latest access, + 1 */
};

static bool writes_anew(const struct lowering *w, const struct mop *m)
{
    uint32_t v = m->dst.value;

    if (v == VALUE_NONE || w->code->ops[m->op].guarded || m->dst.words != w->values[v].words)
        return false;
    for (uint32_t s = 0; s < m->src_count; s++)
        if (m->src[s].value == v)
            return false;
    return true;
}

/* Finds the holes of the values in these instructions. `block`: the first instruction of their block. */
static int find_holes(const struct lowering *w, uint32_t first, uint32_t count, uint32_t block, struct holes *h)
{
    for (uint32_t k = first; k < first + count; k++) {
        const struct mop *m = &w->all[k];
        uint32_t v = m->dst.value;

        if (writes_anew(w, m) && h->seen[v] > block && h->seen[v] - 1 < k) {
            if (array_reserve((void **)&h->items, &h->capacity, h->count + 1, sizeof *h->items, w->e))
                return -1;
            h->items[h->count] = (struct hole){h->seen[v] - 1, k, h->newest[v]};
            h->newest[v] = (uint32_t)++h->count;
        }
        for (uint32_t i = 0; i < m->src_count; i++)
            if (m->src[i].value != VALUE_NONE)
                h->seen[m->src[i].value] = k + 1;
        if (v != VALUE_NONE)
            h->seen[v] = k + 1;
    }
    return 0;
}

static int find_all_holes(const struct lowering *w, const struct ptx_lowered *l, struct holes *h)
{
    uint32_t block = 0;

    for (uint32_t k = 0; k < l->segment_count; k++) {
        const struct ptx_segment *s = &l->segments[k];

        if (k == 0 || w->flow.block_of[s->first_op] != w->flow.block_of[s[-1].first_op])
            block = s->first;
        if (find_holes(w, s->first, s->count, block, h))
            return -1;
        for (uint32_t i = 0; i < s->unroll_count; i++) {
            const struct ptx_unrolled *u = &l->unrolled[s->unroll_first + i];

            if (find_holes(w, u->first, u->count, u->first, h))
                return -1;
        }
    }
    return 0;
}

/* --- the scan --- */

static int by_begin(const void *a, const void *b)
{
    const struct life *x = a, *y = b;

    if (x->begin != y->begin)
        return x->begin < y->begin ? -1 : 1;
    return x->value < y->value ? -1 : x->value > y->value;
}

static uint32_t alignment(uint32_t words)
{
    return words > 2 ? 4 : words > 1 ? 2 : 1;
}

struct busy {
    uint32_t begin, end;
};
enum { REGISTERS = REG_ZERO + 8 };
struct file { /* for each register: the intervals from the current position on in which it is in use */
    struct busy *times[REGISTERS];
    size_t count[REGISTERS], capacity[REGISTERS];
    uint32_t free_from[REGISTERS];
};

/* Iterates over the pieces of a live range backwards from *end. Returns false after the first piece. */
static bool piece(const struct holes *h, const struct life *l, uint32_t *hole, uint32_t *end, struct busy *out)
{
    if (*end == UINT32_MAX)
        return false;
    out->end = *end;
    if (*hole) {
        out->begin = h->items[*hole - 1].to;
        *end = h->items[*hole - 1].from;
        *hole = h->items[*hole - 1].next;
    } else {
        out->begin = l->begin;
        *end = UINT32_MAX;
    }
    return true;
}

static bool is_free(const struct file *f, uint32_t r, const struct holes *h, const struct life *l)
{
    uint32_t hole = h->newest[l->value], end = l->end;
    struct busy b;

    while (piece(h, l, &hole, &end, &b))
        for (size_t k = 0; k < f->count[r]; k++)
            if (f->times[r][k].begin < b.end && b.begin < f->times[r][k].end)
                return false;
    return true;
}

/* The lowest free register, else the register that becomes free first. */
static uint32_t find_place(const struct lowering *w, const struct file *f, const struct holes *h,
                           const struct life *l)
{
    uint32_t words = w->values[l->value].words, best = 0, best_from = UINT32_MAX;

    for (uint32_t r = 0; r + words <= w->registers_max; r += alignment(words)) {
        uint32_t from = 0, k = 0;

        while (k < words && is_free(f, r + k, h, l))
            k++;
        if (k == words)
            return r;
        for (k = 0; k < words; k++)
            from = f->free_from[r + k] > from ? f->free_from[r + k] : from;
        if (from < best_from) {
            best = r;
            best_from = from;
        }
    }
    return best;
}

/* Reserves register r for this live range. Drops intervals that end before it begins. */
static int take(const struct lowering *w, struct file *f, uint32_t r, const struct holes *h, const struct life *l)
{
    uint32_t hole = h->newest[l->value], end = l->end;
    size_t n = 0;
    struct busy b;

    for (size_t k = 0; k < f->count[r]; k++)
        if (f->times[r][k].end > l->begin)
            f->times[r][n++] = f->times[r][k];
    f->count[r] = n;
    while (piece(h, l, &hole, &end, &b)) {
        if (array_reserve((void **)&f->times[r], &f->capacity[r], f->count[r] + 1, sizeof b, w->e))
            return -1;
        f->times[r][f->count[r]++] = b;
    }
    f->free_from[r] = l->end > f->free_from[r] ? l->end : f->free_from[r];
    return 0;
}

static int scan(const struct lowering *w, const struct holes *h, const struct life *l, size_t n, uint8_t *reg_of,
                uint32_t *used)
{
    struct file *f = mem_zalloc(1, sizeof *f, w->e);
    int ret = f ? 0 : -1;

    for (size_t k = 0; ret == 0 && k < n; k++) {
        uint32_t words = w->values[l[k].value].words, r = find_place(w, f, h, &l[k]);

        reg_of[l[k].value] = (uint8_t)r;
        for (uint32_t i = 0; ret == 0 && i < words; i++)
            ret = take(w, f, r + i, h, &l[k]);
        if (r + words > *used)
            *used = r + words;
    }
    for (size_t r = 0; f && r < REGISTERS; r++)
        free(f->times[r]);
    free(f);
    return ret;
}

/* Computes the live ranges, sorted by begin. *n: their count. */
static void find_lives(struct lowering *w, const struct ptx_segment *segments, uint32_t count, struct life *l,
                       size_t *n)
{
    *n = 0;
    for (size_t v = 0; v < w->value_count; v++)
        l[v] = (struct life){(uint32_t)v, UINT32_MAX, 0};
    for (size_t k = 0; k < w->all_count; k++) {
        for (uint32_t s = 0; s < w->all[k].src_count; s++)
            see(l, w->all[k].src[s].value, (uint32_t)k);
        see(l, w->all[k].dst.value, (uint32_t)k);
    }
    add_borders(w, segments, count, l);
    for (size_t v = 0; v < w->value_count; v++)
        if (l[v].begin <= l[v].end && !w->values[v].pred)
            l[(*n)++] = l[v];
    qsort(l, *n, sizeof *l, by_begin);
}

int lower_registers(struct lowering *w, const struct ptx_lowered *lowered, uint8_t *reg_of, uint32_t *used)
{
    struct life *l = mem_zalloc(w->value_count + 1, sizeof *l, w->e);
    void *order = realloc(w->order, (w->code->op_count + 1) * sizeof *w->order);
    struct holes h = {.newest = mem_zalloc(w->value_count + 1, sizeof *h.newest, w->e),
                      .seen = mem_zalloc(w->value_count + 1, sizeof *h.seen, w->e)};
    size_t n;
    int ret = -1;

    if (order)
        w->order = order; /* from here on w->order has another use */
    else
        err_no_memory(w->e);
    *used = 0;
    if (l && order && h.newest && h.seen) {
        find_lives(w, lowered->segments, lowered->segment_count, l, &n);
        ret = find_all_holes(w, lowered, &h);
        if (ret == 0)
            ret = scan(w, &h, l, n, reg_of, used);
    }
    free(l);
    free(h.items);
    free(h.newest);
    free(h.seen);
    return ret;
}
