/* Rows in any order -> a profile. Every row becomes 28 bytes (32 where correlation ids pass 32 bits); names,
 * kernels, contexts and streams get numbers from hash tables, and are renumbered at the end by first appearance in
 * launch order, so that the result does not depend on the order of rows. */
#include "sampling/profile/profile_builder.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"

/* Hash step: multiply and fold. Hashes exist in memory only. */
static uint64_t profile_build_mix(uint64_t h, uint64_t x)
{
    __uint128_t m = (__uint128_t)(h ^ x) * 0x9E3779B97F4A7C15u;

    return (uint64_t)m ^ (uint64_t)(m >> 64) ^ x;
}

struct profile_builder *profile_builder_new(enum profile_unit unit, int has_times, struct err *e)
{
    struct profile_builder *b = mem_zalloc(1, sizeof *b, e);

    if (!b)
        return NULL;
    b->unit = unit;
    b->has_times = has_times;
    return b;
}

void profile_builder_keep_order(struct profile_builder *b)
{
    b->keep_order = 1;
}

const uint32_t *profile_builder_order_of_rows(const struct profile_builder *b)
{
    return b->order;
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
    free(b->order);
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
    i = name_find(b, clean, n, hash); /* sanitising may have made different texts equal */
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

/* Takes a kernel's registers and shared memory from its first launch. */
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

/* Finds or adds the row's kernel by name and shape; kernel_of() fills its description. */
static int64_t kernel_find(struct profile_builder *b, const struct profile_row *row, struct err *e)
{
    int64_t name = name_of(b, row->name, e), i;
    uint64_t hash;
    size_t walk;

    if (name < 0)
        return -1;
    hash = profile_build_mix((uint64_t)name, (uint64_t)row->grid[0] << 32 | row->grid[1]);
    hash = profile_build_mix(hash, (uint64_t)row->grid[2] << 32 | row->block[0]);
    hash = profile_build_mix(hash, (uint64_t)row->block[1] << 32 | row->block[2]);
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
    struct kernel_hint *hint =
        &b->hints[profile_build_mix((uintptr_t)row->name, row->grid[0] ^ row->block[0]) & (KERNEL_HINTS - 1)];
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
    uint64_t hash = profile_build_mix(profile_build_mix(row->process, row->context), (uint32_t)row->device);
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
    uint64_t hash = profile_build_mix((uint64_t)context, row->stream);
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

/* The row's stream; usually that of the row before. */
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

/* Widens the column to 64 bits permanently; rows_reserve() has allocated every column before. */
static int correlation_widen(struct profile_builder *b, struct err *e)
{
    uint64_t *wide = mem_zalloc(b->room, sizeof *wide, e);

    if (!wide)
        return -1;
    for (size_t i = 0; i < b->count; i++)
        wide[i] = b->correlation32[i];
    free(b->correlation32);
    b->correlation32 = NULL;
    b->correlation64 = wide;
    b->rows_capacity[4] = b->room;
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
