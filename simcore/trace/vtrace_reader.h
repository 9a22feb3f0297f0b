/* simcore/trace/vtrace_reader.h: declarations that the parts of the reader share: the file with its index and
 * blocks (vtrace_read.c), blocks in memory (vtrace_blocks.c), one launch (vtrace_source.c). Internal to .vtrace. */
#ifndef VIVACE_SIMCORE_TRACE_VTRACE_READER_H
#define VIVACE_SIMCORE_TRACE_VTRACE_READER_H

#include <pthread.h>

#include <zstd.h>

#include "simcore/trace/vtrace_tables.h"

/* A decompressed block. It is reference-counted, shared by its readers, and never changes. */
struct loaded_block {
    uint32_t number, users;
    size_t bytes;
    uint8_t content[];
};

struct dictionary {
    size_t count;
    uint64_t *at; /* count + 1 offsets: entry i of the block is from at[i] to at[i + 1] */
};

/* A kernel's tables, also shared. */
struct loaded_kernel {
    uint32_t number, users;
    struct static_table table;
    struct loaded_block *dictionaries;
    struct dictionary paths, programs, shapes;
};

#define CACHED_BLOCKS  4 /* blocks of the CTAs and the record of a launch, and those of a neighbouring launch */
#define CACHED_KERNELS 16

struct vtrace {
    int fd;
    char *name;
    bool sectors_only, has_copies, has_clusters, has_images, has_others;
    struct trace_copies copies;
    char *tool, *gpu;
    uint64_t file_bytes, index_bytes;
    struct vtrace_block *blocks;
    size_t block_count;
    uint32_t *of_kind[BLOCK_KINDS]; /* indices of the blocks of each kind */
    uint32_t kind_count[BLOCK_KINDS];
    char **kernels; /* names */
    size_t kernel_count;
    struct launch_row *launches;
    size_t launch_count;
    pthread_mutex_t lock; /* guards the members below */
    ZSTD_DCtx *zstd;
    struct loaded_block *cached_blocks[CACHED_BLOCKS]; /* most recently used first */
    struct loaded_kernel *cached_kernels[CACHED_KERNELS];
};

#define RAW_BLOCK_MAX                                                                                              \
    (1u << 30) /* bytes before compression: a CTA with the most instructions and separate addresses for each lane  \
                */

int vtrace_damaged(const struct vtrace *v, struct err *e, const char *what); /* returns -1 */
int vtrace_read_at(const struct vtrace *v, void *out, size_t n, uint64_t offset, struct err *e);
/* Decompresses one block. The caller frees *out, which has `head` unused bytes in front. */
int vtrace_unpack(struct vtrace *v, const struct vtrace_block *b, size_t head, uint8_t **out, struct err *e);
void vtrace_cache_release(struct vtrace *v);

/* Takes a reference to block number `index` of its kind. The caller releases it with vtrace_block_give(). */
int vtrace_block_take(struct vtrace *v, enum vtrace_block_kind kind, uint32_t index, struct loaded_block **out,
                      struct err *e);
/* takes one more reference, which the caller releases */
void vtrace_block_keep(struct vtrace *v, struct loaded_block *b);
void vtrace_block_give(struct vtrace *v, struct loaded_block *b); /* releases a reference; NULL is allowed */
int vtrace_kernel_take(struct vtrace *v, uint32_t kernel, struct loaded_kernel **out, struct err *e);
void vtrace_kernel_give(struct vtrace *v, struct loaded_kernel *k);

static inline struct byte_cursor block_cursor(const struct loaded_block *b, uint64_t offset)
{
    return (struct byte_cursor){b->content + offset, b->content + b->bytes, false};
}

/* Returns an entry of a dictionary of this kernel; `at` is NULL if the number is not valid. */
static inline struct byte_cursor dictionary_entry(const struct loaded_kernel *k, const struct dictionary *d,
                                                  uint64_t index)
{
    if (index >= d->count)
        return (struct byte_cursor){0};
    return (struct byte_cursor){k->dictionaries->content + d->at[index],
                                k->dictionaries->content + d->at[index + 1], false};
}

#endif
