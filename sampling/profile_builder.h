/* sampling/profile_builder.h: a profile under way, between the files that build one: profile_build.c takes rows,
 * profile_order.c puts them into launch order, profile_finish.c numbers and hands over. */
#ifndef VIVACE_SAMPLING_PROFILE_BUILDER_H
#define VIVACE_SAMPLING_PROFILE_BUILDER_H

#include "sampling/hash_index.h"
#include "sampling/profile.h"

struct build_name {
    char *text;
    size_t length;
};

/* Position of a row in launch order, as far as the row itself tells. */
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

/* Puts the rows into launch order, fills first and count of contexts, and notes ties. The contexts stand in their
 * order already. The correlation ids are gone afterwards where anything had to be sorted. */
int profile_builder_order(struct profile_builder *b, struct err *e);

static inline int profile_compare_u64(uint64_t a, uint64_t b)
{
    return a < b ? -1 : a > b;
}

#endif
