/* sampling/profile/profile_builder.h: internal state of a profile builder, shared by three files: profile_build.c
 * takes rows, profile_order.c puts them into launch order, profile_finish.c numbers kernels and moves the result.
 */
#ifndef VIVACE_SAMPLING_PROFILE_BUILDER_H
#define VIVACE_SAMPLING_PROFILE_BUILDER_H

#include "sampling/math/hash_index.h"
#include "sampling/profile/profile.h"

struct build_name {
    char *text;
    size_t length;
};

/* Sort key of a row in launch order. */
struct launch_at {
    uint64_t process, context, correlation;
    int64_t start_ns;
    int32_t device;
};

struct build_kernel {
    struct profile_kernel k; /* k.name stays NULL until the end */
    struct launch_at first;  /* the row that k.registers and similar fields come from */
};

/* Cache: the kernel of an earlier row whose name had this address. Callers that keep their names use the same
 * address repeatedly. Text and shape are compared before use. */
struct kernel_hint {
    const char *name; /* NULL: none yet */
    uint32_t kernel;
};
#define KERNEL_HINTS 1024 /* a power of two */

struct profile_builder {
    enum profile_unit unit;
    int has_times;
    struct kernel_hint hints[KERNEL_HINTS];
    struct hash_index name_index, kernel_index, context_index, stream_index;
    struct build_name *names;
    struct build_kernel *kernels;
    struct profile_context *contexts;
    struct profile_stream *streams;
    size_t name_capacity, kernel_capacity, context_capacity, stream_capacity;
    size_t count, room, rows_capacity[6]; /* room: capacity of every column in rows */
    /* Columns, one entry a row. */
    uint32_t *kernel, *stream, *correlation32;
    uint64_t *value, *correlation64; /* correlation64 instead of correlation32 once an id passes 32 bits */
    int64_t *start_ns;
    int64_t start_min, start_max;
    uint64_t *graph; /* one bit per row: known to be a node of a CUDA graph; NULL while there is no such row */
    size_t graph_words, tie_capacity, tie_count;
    struct profile_tie *ties;
    int keep_order;
    uint32_t *order; /* with keep_order, where rows were sorted: order[i] is the row that became launch i */
};

/* Puts the rows into launch order, fills first and count of contexts, and notes ties. Contexts must be in their
 * final order. If rows had to be sorted, the correlation ids are lost. */
int profile_builder_order(struct profile_builder *b, struct err *e);

static inline int profile_compare_u64(uint64_t a, uint64_t b)
{
    return a < b ? -1 : a > b;
}

#endif
