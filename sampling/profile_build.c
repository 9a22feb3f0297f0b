/* Rows in any order -> a profile. Every row becomes 28 bytes (32 where correlation ids pass 32 bits); names,
 * kernels, contexts and streams are numbered on the way through hash tables, and renumbered at the end by first
 * appearance in launch order, so that the result does not depend on the order in which rows came. */
#include "sampling/profile.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "sampling/hash_index.h"
#include "sampling/order.h"

/* Multiply and fold. In memory only. */
static uint64_t mix(uint64_t h, uint64_t x)
{
    __uint128_t m = (__uint128_t)(h ^ x) * 0x9E3779B97F4A7C15u;

    return (uint64_t)m ^ (uint64_t)(m >> 64) ^ x;
}

/* --- the builder --- */

struct build_name {
    char *text;
    size_t length;
};

/* Where a row stands in launch order, as far as the row itself tells. */
struct launch_at {
    uint64_t process, context, correlation;
    int64_t start_ns;
    int32_t device;
};

struct build_kernel {
    struct profile_kernel k; /* k.name stays NULL until the end */
    struct launch_at first;  /* the row that k.registers and the like come from */
};

/* The kernel of an earlier row with its name at this address: where a caller keeps its names, the same address
 * comes again and again. A hint only: text and shape are compared. */
struct kernel_hint {
    const char *name; /* NULL: none yet */
    uint32_t kernel;
};
#define HINTS 1024 /* a power of two */

struct profile_builder {
    enum profile_unit unit;
    int has_times;
    struct kernel_hint hints[HINTS];
    struct hash_index name_index, kernel_index, context_index, stream_index;
    struct build_name *names;
    struct build_kernel *kernels;
    struct profile_context *contexts;
    struct profile_stream *streams;
    size_t name_capacity, kernel_capacity, context_capacity, stream_capacity;
    size_t count, room, rows_capacity[6]; /* room: rows that every column has place for */
    /* Columns, one entry a row. */
    uint32_t *kernel, *stream, *correlation32;
    uint64_t *value, *correlation64; /* correlation64 instead of correlation32 once an id passes 32 bits */
    int64_t *start_ns;
    int64_t start_min, start_max;
    uint64_t *graph; /* a bit a row: known to be a node of a CUDA graph; NULL while there is none */
    size_t graph_words, tie_capacity, tie_count;
    struct profile_tie *ties;
};

struct profile_builder *profile_builder_new(enum profile_unit unit, int has_times, struct err *e)
{
    struct profile_builder *b = mem_zalloc(1, sizeof *b, e);

    if (!b)
        return NULL;
    b->unit = unit;
    b->has_times = has_times;
    return b;
}

void profile_builder_free(struct profile_builder *b)
{
    if (!b)
        return;
    for (size_t i = 0; i < b->name_index.count; i++)
        free(b->names[i].text);
    for (size_t i = 0; i < b->kernel_index.count; i++)
        free(b->kernels[i].k.mangled_name);
    hash_index_release(&b->name_index);
    hash_index_release(&b->kernel_index);
    hash_index_release(&b->context_index);
    hash_index_release(&b->stream_index);
    free(b->names);
    free(b->kernels);
    free(b->contexts);
    free(b->streams);
    free(b->kernel);
    free(b->stream);
    free(b->correlation32);
    free(b->correlation64);
    free(b->value);
    free(b->start_ns);
    free(b->graph);
    free(b->ties);
    free(b);
}

static int64_t name_find(const struct profile_builder *b, const char *text, size_t n, uint64_t hash)
{
    size_t at = hash;
    int64_t i;

    while ((i = hash_index_next(&b->name_index, hash, &at)) >= 0) {
        if (b->names[i].length == n && memcmp(b->names[i].text, text, n) == 0)
            return i;
    }
    return -1;
}

static int64_t name_add(struct profile_builder *b, const char *text, size_t n, struct err *e)
{
    char *clean = mem_strndup(text, n, e);
    int64_t i;
    uint64_t hash;

    if (!clean)
        return -1;
    text_sanitize(clean);
    n = strlen(clean);
    hash = hash_words(clean, n);
    i = name_find(b, clean, n, hash); /* another spelling may have become the same text */
    if (i >= 0) {
        free(clean);
        return i;
    }
    if (array_reserve((void **)&b->names, &b->name_capacity, b->name_index.count + 1, sizeof *b->names, e) < 0 ||
        hash_index_add(&b->name_index, hash, e) < 0) {
        free(clean);
        return -1;
    }
    i = (int64_t)b->name_index.count - 1;
    b->names[i] = (struct build_name){clean, n};
    return i;
}

static int64_t name_of(struct profile_builder *b, const char *text, struct err *e)
{
    size_t n = strlen(text);
    int64_t i = name_find(b, text, n, hash_words(text, n));

    return i >= 0 ? i : name_add(b, text, n, e);
}

static int launch_before(const struct launch_at *a, const struct launch_at *b)
{
    if (a->process != b->process)
        return a->process < b->process;
    if (a->context != b->context)
        return a->context < b->context;
    if (a->device != b->device)
        return a->device < b->device;
    if (a->correlation != b->correlation)
        return a->correlation < b->correlation;
    return a->start_ns < b->start_ns;
}

/* What a kernel says about itself is taken from its first launch. */
static int kernel_describe(struct build_kernel *k, const struct profile_row *row, const struct launch_at *at,
                           struct err *e)
{
    const char *have = k->k.mangled_name;

    if (row->mangled_name && (!have || strcmp(have, row->mangled_name) != 0)) {
        char *mangled = mem_strdup(row->mangled_name, e);

        if (!mangled)
            return -1;
        text_sanitize(mangled);
        free(k->k.mangled_name);
        k->k.mangled_name = mangled;
    }
    k->k.registers = row->registers;
    k->k.shared_bytes = row->shared_bytes;
    k->first = *at;
    return 0;
}

static int same_shape(const struct profile_kernel *k, const struct profile_row *row)
{
    return memcmp(k->grid, row->grid, sizeof row->grid) == 0 &&
           memcmp(k->block, row->block, sizeof row->block) == 0;
}

/* The row's kernel by its name and shape, made when it is new; its description is left to kernel_of(). */
static int64_t kernel_find(struct profile_builder *b, const struct profile_row *row, struct err *e)
{
    int64_t name = name_of(b, row->name, e), i;
    uint64_t hash;
    size_t walk;

    if (name < 0)
        return -1;
    hash = mix((uint64_t)name, (uint64_t)row->grid[0] << 32 | row->grid[1]);
    hash = mix(hash, (uint64_t)row->grid[2] << 32 | row->block[0]);
    hash = mix(hash, (uint64_t)row->block[1] << 32 | row->block[2]);
    for (walk = hash; (i = hash_index_next(&b->kernel_index, hash, &walk)) >= 0;) {
        if (b->kernels[i].k.name_id == name && same_shape(&b->kernels[i].k, row))
            return i;
    }
    if (array_reserve((void **)&b->kernels, &b->kernel_capacity, b->kernel_index.count + 1, sizeof *b->kernels, e) <
            0 ||
        hash_index_add(&b->kernel_index, hash, e) < 0)
        return -1;
    i = (int64_t)b->kernel_index.count - 1;
    b->kernels[i] = (struct build_kernel){.k = {.name_id = (uint32_t)name}};
    memcpy(b->kernels[i].k.grid, row->grid, sizeof row->grid);
    memcpy(b->kernels[i].k.block, row->block, sizeof row->block);
    return i;
}

static int hint_holds(const struct profile_builder *b, const struct kernel_hint *hint,
                      const struct profile_row *row)
{
    const struct profile_kernel *k;

    if (hint->name != row->name)
        return 0;
    k = &b->kernels[hint->kernel].k;
    return same_shape(k, row) && strcmp(b->names[k->name_id].text, row->name) == 0;
}

static int64_t kernel_of(struct profile_builder *b, const struct profile_row *row, struct err *e)
{
    const struct launch_at at = {row->process, row->context, row->correlation, row->start_ns, row->device};
    struct kernel_hint *hint = &b->hints[mix((uintptr_t)row->name, row->grid[0] ^ row->block[0]) & (HINTS - 1)];
    size_t known = b->kernel_index.count;
    struct build_kernel *k;

    if (!hint_holds(b, hint, row)) {
        int64_t i = kernel_find(b, row, e);

        if (i < 0)
            return -1;
        *hint = (struct kernel_hint){row->name, (uint32_t)i};
    }
    k = &b->kernels[hint->kernel];
    if ((hint->kernel == known || launch_before(&at, &k->first)) && kernel_describe(k, row, &at, e) < 0)
        return -1;
    return hint->kernel;
}

static int64_t context_of(struct profile_builder *b, const struct profile_row *row, struct err *e)
{
    uint64_t hash = mix(mix(row->process, row->context), (uint32_t)row->device);
    size_t walk = hash;
    int64_t i;

    while ((i = hash_index_next(&b->context_index, hash, &walk)) >= 0) {
        const struct profile_context *c = &b->contexts[i];

        if (c->process == row->process && c->context == row->context && c->device == row->device)
            return i;
    }
    if (array_reserve((void **)&b->contexts, &b->context_capacity, b->context_index.count + 1, sizeof *b->contexts,
                      e) < 0 ||
        hash_index_add(&b->context_index, hash, e) < 0)
        return -1;
    i = (int64_t)b->context_index.count - 1;
    b->contexts[i] =
        (struct profile_context){.device = row->device, .process = row->process, .context = row->context};
    return i;
}

static int64_t stream_find(struct profile_builder *b, const struct profile_row *row, struct err *e)
{
    int64_t context = context_of(b, row, e), i;
    uint64_t hash = mix((uint64_t)context, row->stream);
    size_t walk = hash;

    if (context < 0)
        return -1;
    while ((i = hash_index_next(&b->stream_index, hash, &walk)) >= 0) {
        if (b->streams[i].context == context && b->streams[i].stream == row->stream)
            return i;
    }
    if (array_reserve((void **)&b->streams, &b->stream_capacity, b->stream_index.count + 1, sizeof *b->streams, e) <
            0 ||
        hash_index_add(&b->stream_index, hash, e) < 0)
        return -1;
    i = (int64_t)b->stream_index.count - 1;
    b->streams[i] = (struct profile_stream){.context = (uint32_t)context, .stream = row->stream};
    return i;
}

/* Mostly that of the row before. */
static int64_t stream_of(struct profile_builder *b, const struct profile_row *row, struct err *e)
{
    const struct profile_stream *s;
    const struct profile_context *c;

    if (b->count > 0) {
        s = &b->streams[b->stream[b->count - 1]];
        c = &b->contexts[s->context];
        if (s->stream == row->stream && c->context == row->context && c->process == row->process &&
            c->device == row->device)
            return s - b->streams;
    }
    return stream_find(b, row, e);
}

static int correlation_widen(struct profile_builder *b, struct err *e)
{
    if (array_reserve((void **)&b->correlation64, &b->rows_capacity[4], b->room, 8, e) < 0)
        return -1;
    for (size_t i = 0; i < b->count; i++)
        b->correlation64[i] = b->correlation32[i];
    free(b->correlation32);
    b->correlation32 = NULL;
    return 0;
}

/* Room for one more row in every column; all of them grow by the same steps. */
static int rows_reserve(struct profile_builder *b, struct err *e)
{
    size_t need = b->count + 1, *capacity = b->rows_capacity;

    if (need <= b->room)
        return 0;
    if (array_reserve((void **)&b->kernel, &capacity[0], need, 4, e) < 0 ||
        array_reserve((void **)&b->stream, &capacity[1], need, 4, e) < 0 ||
        array_reserve((void **)&b->value, &capacity[2], need, 8, e) < 0 ||
        (b->has_times && array_reserve((void **)&b->start_ns, &capacity[3], need, 8, e) < 0) ||
        (b->correlation64 && array_reserve((void **)&b->correlation64, &capacity[4], need, 8, e) < 0) ||
        (!b->correlation64 && array_reserve((void **)&b->correlation32, &capacity[5], need, 4, e) < 0))
        return -1;
    b->room = capacity[0];
    return 0;
}

static int graph_mark(struct profile_builder *b, struct err *e)
{
    size_t word = b->count / 64, words = b->graph_words;
    void *grown = b->graph;

    if (array_reserve(&grown, &b->graph_words, word + 1, sizeof *b->graph, e) < 0)
        return -1;
    b->graph = grown;
    memset(b->graph + words, 0, (b->graph_words - words) * sizeof *b->graph);
    b->graph[word] |= UINT64_C(1) << (b->count % 64);
    return 0;
}

static int graph_marked(const struct profile_builder *b, size_t row)
{
    return row / 64 < b->graph_words && (b->graph[row / 64] >> (row % 64) & 1);
}

int profile_builder_add(struct profile_builder *b, const struct profile_row *row, struct err *e)
{
    int64_t kernel, stream;

    if (b->count >= UINT32_MAX - 1)
        return err_set(e, ERR_TOO_LARGE, "a profile holds at most 4294967294 kernel launches");
    kernel = kernel_of(b, row, e);
    stream = kernel < 0 ? -1 : stream_of(b, row, e);
    if (stream < 0 || rows_reserve(b, e) < 0 ||
        (!b->correlation64 && row->correlation > UINT32_MAX && correlation_widen(b, e) < 0) ||
        (row->graph && graph_mark(b, e) < 0))
        return -1;
    b->kernel[b->count] = (uint32_t)kernel;
    b->stream[b->count] = (uint32_t)stream;
    b->value[b->count] = row->value;
    if (b->correlation64)
        b->correlation64[b->count] = row->correlation;
    else
        b->correlation32[b->count] = (uint32_t)row->correlation;
    if (b->has_times) {
        b->start_ns[b->count] = row->start_ns;
        b->start_min = !b->count || row->start_ns < b->start_min ? row->start_ns : b->start_min;
        b->start_max = !b->count || row->start_ns > b->start_max ? row->start_ns : b->start_max;
    }
    b->count++;
    return 0;
}

/* --- finishing: launch order, then numbers in that order --- */

static int compare_u64(uint64_t a, uint64_t b)
{
    return a < b ? -1 : a > b;
}

static int context_compare(const void *a, const void *b, void *builder)
{
    const struct profile_builder *builder_ = builder;
    const struct profile_context *x = &builder_->contexts[*(const uint32_t *)a];
    const struct profile_context *y = &builder_->contexts[*(const uint32_t *)b];
    int order = compare_u64(x->process, y->process);

    order = order ? order : compare_u64(x->context, y->context);
    return order ? order : (x->device > y->device) - (x->device < y->device);
}

static int stream_compare(const void *a, const void *b)
{
    const struct profile_stream *x = a, *y = b;
    int order = compare_u64(x->context, y->context);

    return order ? order : compare_u64(x->stream, y->stream);
}

static int shape_compare(const struct profile_kernel *x, const struct profile_kernel *y)
{
    int order = 0;

    for (int d = 0; d < 3 && !order; d++)
        order = compare_u64(x->grid[d], y->grid[d]);
    for (int d = 0; d < 3 && !order; d++)
        order = compare_u64(x->block[d], y->block[d]);
    return order;
}

/* Launches that agree in context, correlation id and start: whatever still tells them apart, and only then the
 * order in which they came. */
static int twin_compare(const void *a, const void *b, void *builder)
{
    const struct profile_builder *t = builder;
    uint32_t i = *(const uint32_t *)a, j = *(const uint32_t *)b;
    const struct profile_kernel *x = &t->kernels[t->kernel[i]].k, *y = &t->kernels[t->kernel[j]].k;
    int order = compare_u64(t->streams[t->stream[i]].stream, t->streams[t->stream[j]].stream);

    order = order ? order : strcmp(t->names[x->name_id].text, t->names[y->name_id].text);
    order = order ? order : shape_compare(x, y);
    order = order ? order : compare_u64(t->value[i], t->value[j]);
    return order ? order : compare_u64(i, j);
}

/* Puts contexts into their order; rows then know their context through their (renumbered) stream. */
static int number_contexts(struct profile_builder *b, struct err *e)
{
    size_t n = b->context_index.count;
    uint32_t *order = mem_zalloc(n, sizeof *order, e), *place = mem_zalloc(n, sizeof *place, e);
    struct profile_context *sorted = mem_zalloc(n, sizeof *sorted, e);
    int ret = -1;

    if (!order || !place || !sorted)
        goto out;
    for (size_t i = 0; i < n; i++)
        order[i] = (uint32_t)i;
    qsort_r(order, n, sizeof *order, context_compare, b);
    for (size_t i = 0; i < n; i++) {
        place[order[i]] = (uint32_t)i;
        sorted[i] = b->contexts[order[i]];
    }
    for (size_t i = 0; i < b->stream_index.count; i++)
        b->streams[i].context = place[b->streams[i].context];
    free(b->contexts);
    b->contexts = sorted;
    sorted = NULL;
    ret = 0;
out:
    free(order);
    free(place);
    free(sorted);
    return ret;
}

/* One column that tells the launch order so far: the context of each row, kept only while sorting. */
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

/* The rows of a context, which is the next `n` invocations from `first` on. */
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
    for (size_t i = 0; i < n; i++) /* the low half of entry i makes room once nobody needs it: all were read */
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
    }
    ret = 0;
out:
    free(rows);
    free(scratch);
    free(at);
    return ret;
}

/* Files mostly have their launches in order, by ids that are all different: then nothing is sorted, and no memory
 * is needed for it. Where it holds, the contexts have their places. */
static int in_launch_order(struct profile_builder *b)
{
    const struct order_key correlation = {.narrow = b->correlation32, .wide = b->correlation64};
    struct profile_context *before = NULL;
    uint64_t id_before = 0;

    if (b->graph)
        return 0; /* launches by graphs have to be noted */
    for (size_t i = 0; i < b->count; i++) {
        struct profile_context *own = &b->contexts[b->streams[b->stream[i]].context];
        uint64_t id = order_key_at(&correlation, (uint32_t)i);

        if (own != before)
            own->first = i;
        if (before && (own < before || (own == before && id <= id_before)))
            return 0;
        own->count = i + 1 - own->first;
        before = own;
        id_before = id;
    }
    return 1;
}

static int number_streams(struct profile_builder *b, struct err *e)
{
    size_t n = b->stream_index.count;
    struct profile_stream *sorted = mem_zalloc(n, sizeof *sorted, e);
    uint32_t *place = mem_zalloc(n, sizeof *place, e);

    if (!sorted || !place) {
        free(sorted);
        free(place);
        return -1;
    }
    memcpy(sorted, b->streams, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, stream_compare);
    for (size_t i = 0; i < n; i++) {
        const struct profile_stream *found = bsearch(&b->streams[i], sorted, n, sizeof *sorted, stream_compare);

        place[i] = (uint32_t)(found - sorted);
    }
    for (size_t i = 0; i < b->count; i++)
        b->stream[i] = place[b->stream[i]];
    free(place);
    free(b->streams);
    b->streams = sorted;
    return 0;
}

/* Kernels and names, numbered by first appearance. Moves the kernels' texts into *out. */
static int number_kernels(struct profile_builder *b, struct profile *out, struct err *e)
{
    size_t kernels = b->kernel_index.count, names = b->name_index.count, next = 0, next_name = 0;
    uint32_t *place = mem_zalloc(kernels, sizeof *place, e), *name_place = mem_zalloc(names, sizeof *name_place, e);
    int ret = -1;

    out->kernels = mem_zalloc(kernels, sizeof *out->kernels, e);
    if (!place || !name_place || !out->kernels)
        goto out;
    for (size_t i = 0; i < b->count; i++) {
        uint32_t old = b->kernel[i];

        if (!place[old]) {
            struct profile_kernel *from = &b->kernels[old].k, *to = &out->kernels[next];

            *to = *from;
            from->mangled_name = NULL;
            out->kernel_count = next + 1;
            to->name = mem_strdup(b->names[from->name_id].text, e);
            if (!to->name)
                goto out;
            if (!name_place[from->name_id])
                name_place[from->name_id] = (uint32_t)++next_name;
            to->name_id = name_place[from->name_id] - 1;
            place[old] = (uint32_t)++next;
        }
        b->kernel[i] = place[old] - 1;
    }
    out->name_count = next_name;
    ret = 0;
out:
    free(place);
    free(name_place);
    return ret;
}

static int check_ranges(const struct profile_builder *b, struct err *e)
{
    uint64_t total = 0;

    if (!b->count)
        return err_set(e, ERR_INVALID, "there is no kernel launch in it");
    if (b->has_times && (uint64_t)b->start_max - (uint64_t)b->start_min > INT64_MAX)
        return err_set(e, ERR_INVALID, "start times lie more than 292 years apart");
    for (size_t i = 0; i < b->count; i++) {
        if (__builtin_add_overflow(total, b->value[i], &total))
            return err_set(e, ERR_INVALID, "the sum over all launches passes 2^64 %s",
                           b->unit == PROFILE_NS ? "ns" : "warp instructions");
        if (b->has_times && b->value[i] > (uint64_t)INT64_MAX - ((uint64_t)b->start_ns[i] - (uint64_t)b->start_min))
            return err_set(e, ERR_INVALID, "a launch ends more than 292 years after the first one started");
    }
    return 0;
}

int profile_builder_finish(struct profile_builder *b, struct profile *out, struct err *e)
{
    profile_init(out);
    if (check_ranges(b, e) < 0 || number_contexts(b, e) < 0 || (!in_launch_order(b) && sort_rows(b, e) < 0) ||
        number_streams(b, e) < 0 || number_kernels(b, out, e) < 0) {
        profile_release(out);
        return -1;
    }
    for (size_t i = 0; b->has_times && i < b->count; i++)
        b->start_ns[i] = (int64_t)((uint64_t)b->start_ns[i] - (uint64_t)b->start_min);
    out->unit = b->unit;
    out->count = b->count;
    out->context_count = b->context_index.count;
    out->stream_count = b->stream_index.count;
    out->contexts = b->contexts;
    out->streams = b->streams;
    out->kernel = b->kernel;
    out->stream = b->stream;
    out->value = b->value;
    out->start_ns = b->start_ns;
    out->ties = b->ties;
    out->tie_count = b->tie_count;
    profile_number_ties(out);
    b->ties = NULL;
    b->tie_count = 0;
    b->contexts = NULL;
    b->streams = NULL;
    b->kernel = b->stream = NULL;
    b->value = NULL;
    b->start_ns = NULL;
    b->count = 0;
    return 0;
}
