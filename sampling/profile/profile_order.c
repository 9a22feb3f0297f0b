/* Puts the rows of a profile builder into launch order, and finds ties (rows ordered by start alone). */
#include "sampling/profile/profile_builder.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "sampling/math/order.h"

static int graph_marked(const struct profile_builder *b, size_t row)
{
    return row / 64 < b->graph_words && (b->graph[row / 64] >> (row % 64) & 1);
}

static int shape_compare(const struct profile_kernel *x, const struct profile_kernel *y)
{
    int order = 0;

    for (int d = 0; d < 3 && !order; d++)
        order = profile_compare_u64(x->grid[d], y->grid[d]);
    for (int d = 0; d < 3 && !order; d++)
        order = profile_compare_u64(x->block[d], y->block[d]);
    return order;
}

/* Launches that agree in context, correlation id and start: ordered by their other fields, and last by the order of
 * adding. */
static int twin_compare(const void *a, const void *b, void *builder)
{
    const struct profile_builder *t = builder;
    uint32_t i = *(const uint32_t *)a, j = *(const uint32_t *)b;
    const struct profile_kernel *x = &t->kernels[t->kernel[i]].k, *y = &t->kernels[t->kernel[j]].k;
    int order = profile_compare_u64(t->streams[t->stream[i]].stream, t->streams[t->stream[j]].stream);

    order = order ? order : strcmp(t->names[x->name_id].text, t->names[y->name_id].text);
    order = order ? order : shape_compare(x, y);
    order = order ? order : profile_compare_u64(t->value[i], t->value[j]);
    return order ? order : profile_compare_u64(i, j);
}

/* Counting sort of the rows by context; sets first and count of the contexts. */
static void order_by_context(const struct profile_builder *b, uint32_t *rows, size_t *at)
{
    size_t sum = 0;

    for (size_t i = 0; i < b->count; i++)
        at[b->streams[b->stream[i]].context]++;
    for (size_t c = 0; c < b->context_index.count; c++) {
        size_t count = at[c];

        b->contexts[c].first = sum;
        b->contexts[c].count = count;
        at[c] = sum;
        sum += count;
    }
    for (size_t i = 0; i < b->count; i++)
        rows[at[b->streams[b->stream[i]].context]++] = (uint32_t)i;
}

static void order_twins(struct profile_builder *b, uint32_t *rows, size_t n)
{
    if (n > 1)
        qsort_r(rows, n, sizeof *rows, twin_compare, b);
}

static void order_by_start(struct profile_builder *b, uint32_t *rows, uint32_t *scratch, size_t n)
{
    struct order_key start = {.wide = (const uint64_t *)b->start_ns, .flip = (uint64_t)1 << 63};

    if (!b->has_times) {
        order_twins(b, rows, n);
        return;
    }
    order_rows(rows, scratch, n, &start);
    for (size_t i = 0, j; i < n; i = j) {
        for (j = i + 1; j < n && b->start_ns[rows[j]] == b->start_ns[rows[i]]; j++)
            continue;
        order_twins(b, rows + i, j - i);
    }
}

static int note_tie(struct profile_builder *b, uint64_t first, uint64_t count, int graph, struct err *e)
{
    if (array_reserve((void **)&b->ties, &b->tie_capacity, b->tie_count + 1, sizeof *b->ties, e) < 0)
        return -1;
    b->ties[b->tie_count++] = (struct profile_tie){.first = first, .count = count, .graph = graph};
    return 0;
}

/* Sorts the rows of one context: the `n` launches from `first` on. */
static int order_launches(struct profile_builder *b, uint32_t *rows, uint32_t *scratch, uint64_t first, size_t n,
                          struct err *e)
{
    struct order_key correlation = {.narrow = b->correlation32, .wide = b->correlation64};

    order_rows(rows, scratch, n, &correlation);
    for (size_t i = 0, j; i < n; i = j) {
        uint64_t id = order_key_at(&correlation, rows[i]);
        int graph = graph_marked(b, rows[i]);

        for (j = i + 1; j < n && order_key_at(&correlation, rows[j]) == id; j++)
            continue;
        if (j - i > 1)
            order_by_start(b, rows + i, scratch, j - i);
        if ((graph || j - i > 1) && note_tie(b, first + i, j - i, graph || id != 0, e) < 0)
            return -1;
    }
    return 0;
}

/* column[i] becomes column[rows[i]]: 4-byte columns through scratch, 8-byte ones half by half through it. */
static void gather32(uint32_t *column, const uint32_t *rows, uint32_t *scratch, size_t n)
{
    for (size_t i = 0; i < n; i++)
        scratch[i] = column[rows[i]];
    memcpy(column, scratch, n * sizeof *column);
}

static void gather64(uint64_t *column, const uint32_t *rows, uint32_t *scratch, size_t n)
{
    for (size_t i = 0; i < n; i++)
        scratch[i] = (uint32_t)column[rows[i]];
    for (size_t i = 0; i < n; i++) /* the low halves were all read, so they can be overwritten */
        column[i] = (column[i] & ~(uint64_t)UINT32_MAX) | scratch[i];
    for (size_t i = 0; i < n; i++)
        scratch[i] = (uint32_t)(column[rows[i]] >> 32);
    for (size_t i = 0; i < n; i++)
        column[i] = (column[i] & UINT32_MAX) | (uint64_t)scratch[i] << 32;
}

static int sort_rows(struct profile_builder *b, struct err *e)
{
    uint32_t *rows = mem_zalloc(b->count, sizeof *rows, e), *scratch = mem_zalloc(b->count, sizeof *scratch, e);
    size_t *at = mem_zalloc(b->context_index.count, sizeof *at, e);
    int ret = -1, moved = 0;

    if (!rows || !scratch || !at)
        goto out;
    order_by_context(b, rows, at);
    for (size_t c = 0; c < b->context_index.count; c++) {
        uint64_t first = b->contexts[c].first;

        if (order_launches(b, rows + first, scratch, first, b->contexts[c].count, e) < 0)
            goto out;
    }
    free(b->correlation32);
    free(b->correlation64);
    b->correlation32 = NULL;
    b->correlation64 = NULL;
    for (size_t i = 0; i < b->count && !moved; i++)
        moved = rows[i] != i;
    if (moved) {
        gather32(b->kernel, rows, scratch, b->count);
        gather32(b->stream, rows, scratch, b->count);
        gather64(b->value, rows, scratch, b->count);
        if (b->has_times)
            gather64((uint64_t *)b->start_ns, rows, scratch, b->count);
        if (b->keep_order) {
            b->order = rows;
            rows = NULL;
        }
    }
    ret = 0;
out:
    free(rows);
    free(scratch);
    free(at);
    return ret;
}

/* Whether rows are in launch order already with distinct ids, as in most files; then no sort and no memory is
 * needed. If so, first and count of the contexts are set. */
static int in_launch_order(struct profile_builder *b)
{
    const struct order_key correlation = {.narrow = b->correlation32, .wide = b->correlation64};
    uint64_t id_before = 0;
    uint32_t before = 0;

    if (b->graph)
        return 0; /* launches of graphs have to be recorded as ties */
    for (size_t i = 0; i < b->count; i++) {
        uint32_t context = b->streams[b->stream[i]].context;
        struct profile_context *own = &b->contexts[context];
        uint64_t id = order_key_at(&correlation, (uint32_t)i);

        if (i == 0 || context != before)
            own->first = i;
        if (i > 0 && (context < before || (context == before && id <= id_before)))
            return 0;
        own->count = i + 1 - own->first;
        before = context;
        id_before = id;
    }
    return 1;
}

int profile_builder_order(struct profile_builder *b, struct err *e)
{
    return in_launch_order(b) ? 0 : sort_rows(b, e);
}
