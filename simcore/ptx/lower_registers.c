/* simcore/ptx/lower_registers.c: values to registers by linear scan over the scheduled instructions (Poletto and
 * Sarkar, "Linear scan register allocation", 1999); values of several words begin at a multiple of 2 or 4.
 *
 * Where more is live than may be used, the value shares the register that is free again first: the machine would
 * spill there. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "simcore/ptx/lowering.h"

struct life {
    uint32_t value, begin, end; /* places in w->all */
};

/* Where each value is touched. */
static void see(struct life *l, uint32_t value, uint32_t at)
{
    if (value == VALUE_NONE)
        return;
    l[value].begin = at < l[value].begin ? at : l[value].begin;
    l[value].end = at > l[value].end ? at : l[value].end;
}

/* A value that lives at the border of its first or last segment does so from there on. */
static void add_borders(const struct lowering *w, const struct ptx_segment *segments, uint32_t count,
                        struct life *l)
{
    uint32_t *segment_of = w->order; /* of each op; see lower_registers() */

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
            see(l, (uint32_t)v, b->first + b->count);
        /* touched in segments between them it is anyway; what lies in other segments than it is touched in: */
        if (a != b) {
            see(l, (uint32_t)v, a->first + a->count);
            see(l, (uint32_t)v, b->first);
        }
    }
}

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

/* The lowest free place, else the one that is free first. */
static uint32_t find_place(const uint32_t *free_from, uint32_t most, uint32_t words, uint32_t begin)
{
    uint32_t best = 0, best_from = UINT32_MAX;

    for (uint32_t r = 0; r + words <= most; r += alignment(words)) {
        uint32_t from = 0;

        for (uint32_t k = 0; k < words; k++)
            from = free_from[r + k] > from ? free_from[r + k] : from;
        if (from <= begin)
            return r;
        if (from < best_from) {
            best = r;
            best_from = from;
        }
    }
    return best;
}

static void scan(const struct lowering *w, struct life *l, size_t n, uint8_t *reg_of, uint32_t *used)
{
    uint32_t free_from[REG_ZERO + 8] = {0}; /* of each register: the first place at which it is free */

    for (size_t k = 0; k < n; k++) {
        uint32_t words = w->values[l[k].value].words;
        uint32_t r = find_place(free_from, w->registers_most, words, l[k].begin);

        reg_of[l[k].value] = (uint8_t)r;
        for (uint32_t i = 0; i < words; i++)
            free_from[r + i] = l[k].end > free_from[r + i] ? l[k].end : free_from[r + i];
        if (r + words > *used)
            *used = r + words;
    }
}

int lower_registers(struct lowering *w, const struct ptx_segment *segments, uint32_t count, uint8_t *reg_of,
                    uint32_t *used)
{
    struct life *l = mem_zalloc(w->value_count + 1, sizeof *l, w->e);
    void *order = realloc(w->order, (w->code->op_count + 1) * sizeof *w->order);
    size_t n = 0;

    if (order)
        w->order = order; /* used for something else now */
    if (!l || !order) {
        free(l);
        return err_no_memory(w->e);
    }
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
            l[n++] = l[v];
    qsort(l, n, sizeof *l, by_begin);
    *used = 0;
    scan(w, l, n, reg_of, used);
    free(l);
    return 0;
}
