/* simcore/trace/vtrace_reader.h: what the parts of the reader share: the file with its index and blocks
 * (vtrace_read.c), blocks in
 * memory (vtrace_blocks.c), one launch (vtrace_source.c). Internal to .vtrace. */
#ifndef VIVACE_SIMCORE_TRACE_VTRACE_READER_H
#define VIVACE_SIMCORE_TRACE_VTRACE_READER_H

#include <pthread.h>

#include <zstd.h>

#include "simcore/trace/vtrace_tables.h"

/* A block, decompressed. Shared by those who read from it; never changes. */
struct loaded_block {
    uint32_t number, users;
    size_t bytes;
    uint8_t content[];
};

struct dictionary {
    size_t count;
    uint64_t *at; /* count + 1: entry i is from at[i] to at[i + 1], in the block */
};

/* A kernel's tables, likewise shared. */
struct loaded_kernel {
    uint32_t number, users;
    struct static_table table;
    struct loaded_block *dictionaries;
    struct dictionary paths, programs, shapes;
};

#define CACHED_BLOCKS  4 /* a launch's CTAs and its record; the neighbours' */
#define CACHED_KERNELS 16

struct vtrace {
    int fd;
    char *name;
    bool sectors_only, has_copies, has_clusters, has_images;
    struct trace_copies copies;
    char *tool, *gpu;
    uint64_t file_bytes, index_bytes;
    struct vtrace_block *blocks;
    size_t block_count;
    uint32_t *of_kind[BLOCK_KINDS]; /* numbers of the blocks of a kind */
    uint32_t kind_count[BLOCK_KINDS];
    char **kernels; /* names */
    size_t kernel_count;
    struct launch_row *launches;
    size_t launch_count;
    pthread_mutex_t lock; /* of what follows */
    ZSTD_DCtx *zstd;
    struct loaded_block *cached_blocks[CACHED_BLOCKS]; /* the one used last in front */
    struct loaded_kernel *cached_kernels[CACHED_KERNELS];
};

#define RAW_BLOCK_MAX                                                                                              \
    (1u << 30) /* before compression: a CTA of the most instructions, each with lanes of its own */

int vtrace_damaged(const struct vtrace *v, struct err *e, const char *what); /* -1 */
int vtrace_read_at(const struct vtrace *v, void *out, size_t n, uint64_t offset, struct err *e);
/* Decompresses one block. The caller frees *out, where `head` bytes stand free in front. */
int vtrace_unpack(struct vtrace *v, const struct vtrace_block *b, size_t head, uint8_t **out, struct err *e);
void vtrace_cache_release(struct vtrace *v);

/* The how-manieth block of its kind. The caller gives it back. */
int vtrace_block_take(struct vtrace *v, enum vtrace_block_kind kind, uint32_t index, struct loaded_block **out,
                      struct err *e);
void vtrace_block_keep(struct vtrace *v, struct loaded_block *b); /* once more; who does so gives it back */
void vtrace_block_give(struct vtrace *v, struct loaded_block *b); /* NULL is fine */
int vtrace_kernel_take(struct vtrace *v, uint32_t kernel, struct loaded_kernel **out, struct err *e);
void vtrace_kernel_give(struct vtrace *v, struct loaded_kernel *k);

static inline struct byte_cursor block_cursor(const struct loaded_block *b, uint64_t offset)
{
    return (struct byte_cursor){b->content + offset, b->content + b->bytes, false};
}

/* An entry of a dictionary of this kernel; at NULL: there is none with this number. */
static inline struct byte_cursor dictionary_entry(const struct loaded_kernel *k, const struct dictionary *d,
                                                  uint64_t index)
{
    if (index >= d->count)
        return (struct byte_cursor){0};
    return (struct byte_cursor){k->dictionaries->content + d->at[index],
                                k->dictionaries->content + d->at[index + 1], false};
}

#endif
