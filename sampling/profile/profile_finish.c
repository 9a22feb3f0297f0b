/* The end of building a profile: contexts and streams in their order, kernels and names by first appearance in
 * launch order, and the result moved to the caller. */
#include "sampling/profile/profile_builder.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

static int context_compare(const void *a, const void *b, void *builder)
{
    const struct profile_builder *builder_ = builder;
    const struct profile_context *x = &builder_->contexts[*(const uint32_t *)a];
    const struct profile_context *y = &builder_->contexts[*(const uint32_t *)b];
    int order = profile_compare_u64(x->process, y->process);

    order = order ? order : profile_compare_u64(x->context, y->context);
    return order ? order : (x->device > y->device) - (x->device < y->device);
}

static int stream_compare(const void *a, const void *b)
{
    const struct profile_stream *x = a, *y = b;
    int order = profile_compare_u64(x->context, y->context);

    return order ? order : profile_compare_u64(x->stream, y->stream);
}

/* Sorts contexts; the context of a row then follows from its (renumbered) stream. */
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
        return err_set(e, ERR_INVALID, "start times are more than 292 years apart");
    for (size_t i = 0; i < b->count; i++) {
        if (__builtin_add_overflow(total, b->value[i], &total))
            return err_set(e, ERR_INVALID, "the sum over all launches passes 2^64 %s", profile_unit_words(b->unit));
        if (b->has_times && b->value[i] > (uint64_t)INT64_MAX - ((uint64_t)b->start_ns[i] - (uint64_t)b->start_min))
            return err_set(e, ERR_INVALID, "a launch ends more than 292 years after the first one started");
    }
    return 0;
}

int profile_builder_finish(struct profile_builder *b, struct profile *out, struct err *e)
{
    profile_init(out);
    if (check_ranges(b, e) < 0 || number_contexts(b, e) < 0 || profile_builder_order(b, e) < 0 ||
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
