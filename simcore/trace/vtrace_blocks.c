#include "simcore/trace/vtrace_reader.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/array.h"
#include "base/assert.h"

#define ZSTD_BLOCK_BYTES (128u << 10) /* RFC 8878, section 3.1.1.2.4: largest decompressed block */
#define ZSTD_BLOCK_MIN   4u           /* a block header and one repeated byte */

/* --- bytes of the file --- */

int vtrace_damaged(const struct vtrace *v, struct err *e, const char *what)
{
    err_set(e, ERR_INVALID, "%s: %s", v->name, what);
    return err_hint(e, "The file is damaged; copy it again, or convert the traces again.");
}

int vtrace_read_at(const struct vtrace *v, void *out, size_t n, uint64_t offset, struct err *e)
{
    uint8_t *to = out;

    while (n > 0) {
        ssize_t got = pread(v->fd, to, n, (off_t)offset);

        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return err_set_errno(e, errno, "cannot read %s", v->name);
        if (got == 0)
            return vtrace_damaged(v, e, "the file is shorter than it was when it was opened");
        to += got;
        n -= (size_t)got;
        offset += (uint64_t)got;
    }
    return 0;
}

/* Whether `packed` is exactly one zstd frame with the stated decompressed size. */
static bool frame_is_sound(const uint8_t *packed, const struct vtrace_block *b)
{
    return ZSTD_getFrameContentSize(packed, b->bytes) == b->raw_bytes &&
           ZSTD_findFrameCompressedSize(packed, b->bytes) == b->bytes;
}

/* A zstd block holds at most 128 KiB and takes at least 4 bytes. So an impossible size is found before memory is
 * allocated for it. */
static bool size_is_possible(const struct vtrace_block *b)
{
    return b->raw_bytes <= RAW_BLOCK_MAX && b->raw_bytes / ZSTD_BLOCK_BYTES <= b->bytes / ZSTD_BLOCK_MIN;
}

static int unpack_into(struct vtrace *v, const struct vtrace_block *b, const uint8_t *packed, uint8_t *content,
                       struct err *e)
{
    uint64_t sum;

    if (vtrace_checksum(packed, b->bytes, &sum, e) < 0)
        return -1;
    if (sum != b->checksum)
        return vtrace_damaged(v, e, "the checksum of a block is wrong");
    if (!frame_is_sound(packed, b) ||
        ZSTD_decompressDCtx(v->zstd, content, b->raw_bytes, packed, b->bytes) != b->raw_bytes)
        return vtrace_damaged(v, e, "a block does not decompress");
    return 0;
}

int vtrace_unpack(struct vtrace *v, const struct vtrace_block *b, size_t head, uint8_t **out, struct err *e)
{
    uint8_t *packed, *content;
    int ret = -1;

    if (!size_is_possible(b))
        return vtrace_damaged(v, e, "the size of a block is not valid");
    packed = malloc(b->bytes + 1);
    content = malloc(head + b->raw_bytes + 1);
    if (!packed || !content)
        err_no_memory(e);
    else if (vtrace_read_at(v, packed, b->bytes, b->offset, e) == 0)
        ret = unpack_into(v, b, packed, content + head, e);
    free(packed);
    if (ret < 0)
        free(content);
    else
        *out = content;
    return ret;
}

/* --- blocks in memory --- */

/* Puts x in front of the cache. Returns the entry that is removed from the end. */
static void *cache_push(void **cache, size_t size, void *x)
{
    void *out = cache[size - 1];

    memmove(cache + 1, cache, (size - 1) * sizeof *cache);
    cache[0] = x;
    return out;
}

static void *cache_to_front(void **cache, size_t at)
{
    void *x = cache[at];

    memmove(cache + 1, cache, at * sizeof *cache);
    cache[0] = x;
    return x;
}

/* The functions up to vtrace_block_take() are called with the lock held. */
static void block_drop(struct loaded_block *b)
{
    ASSERT(!b || b->users > 0);
    if (b && --b->users == 0)
        free(b);
}

static int block_load(struct vtrace *v, uint32_t number, struct loaded_block **out, struct err *e)
{
    const struct vtrace_block *b = &v->blocks[number];
    uint8_t *content = NULL;

    ASSERT(number < v->block_count);
    if (vtrace_unpack(v, b, sizeof **out, &content, e) < 0 || !content)
        return -1;
    *out = (struct loaded_block *)content;
    (*out)->number = number;
    (*out)->users = 1;
    (*out)->bytes = b->raw_bytes;
    return 0;
}

static int block_find(struct vtrace *v, uint32_t number, struct loaded_block **out, struct err *e)
{
    void **cache = (void **)v->cached_blocks;

    *out = NULL;
    for (size_t i = 0; i < CACHED_BLOCKS && v->cached_blocks[i]; i++)
        if (v->cached_blocks[i]->number == number) {
            *out = cache_to_front(cache, i);
            (*out)->users++;
            return 0;
        }
    if (block_load(v, number, out, e) < 0)
        return -1;
    (*out)->users++;
    block_drop(cache_push(cache, CACHED_BLOCKS, *out));
    return 0;
}

int vtrace_block_take(struct vtrace *v, enum vtrace_block_kind kind, uint32_t index, struct loaded_block **out,
                      struct err *e)
{
    int ret;

    ASSERT(kind < BLOCK_KINDS && index < v->kind_count[kind]);
    pthread_mutex_lock(&v->lock);
    ret = block_find(v, v->of_kind[kind][index], out, e);
    pthread_mutex_unlock(&v->lock);
    return ret;
}

void vtrace_block_keep(struct vtrace *v, struct loaded_block *b)
{
    pthread_mutex_lock(&v->lock);
    ASSERT(b->users > 0);
    b->users++;
    pthread_mutex_unlock(&v->lock);
}

void vtrace_block_give(struct vtrace *v, struct loaded_block *b)
{
    pthread_mutex_lock(&v->lock);
    block_drop(b);
    pthread_mutex_unlock(&v->lock);
}

/* --- kernels in memory --- */

static void kernel_drop(struct loaded_kernel *k)
{
    ASSERT(!k || k->users > 0);
    if (!k || --k->users > 0)
        return;
    static_table_release(&k->table);
    block_drop(k->dictionaries);
    free(k->paths.at);
    free(k->programs.at);
    free(k->shapes.at);
    free(k);
}

static int get_dictionary(struct byte_cursor *c, const uint8_t *begin, struct dictionary *d, struct err *e)
{
    uint64_t bytes = 0;

    d->count = get_count(c);
    d->at = mem_zalloc(d->count + 1, sizeof *d->at, e);
    if (!d->at)
        return -1;
    for (size_t i = 0; i < d->count; i++) {
        d->at[i] = bytes;
        bytes += get_below(c, (uint64_t)(c->end - c->at) + 1);
    }
    d->at[d->count] = bytes;
    for (size_t i = 0; i <= d->count; i++)
        d->at[i] += (uint64_t)(c->at - begin);
    get_bytes(c, bytes);
    return 0;
}

static int get_dictionaries(struct vtrace *v, struct loaded_kernel *k, struct err *e)
{
    const uint8_t *begin = k->dictionaries->content;
    struct byte_cursor c = block_cursor(k->dictionaries, 0);

    if (get_dictionary(&c, begin, &k->paths, e) < 0 || get_dictionary(&c, begin, &k->programs, e) < 0 ||
        get_dictionary(&c, begin, &k->shapes, e) < 0)
        return -1;
    return c.wrong || c.at != c.end ? vtrace_damaged(v, e, "a dictionary is damaged") : 0;
}

static int kernel_fill(struct vtrace *v, uint32_t number, struct loaded_kernel *k, struct err *e)
{
    struct loaded_block *b;
    struct byte_cursor c;
    int ret;

    if (block_load(v, v->of_kind[BLOCK_STATIC][number], &b, e) < 0)
        return -1;
    c = block_cursor(b, 0);
    ret = get_static_table(&c, v->has_others, &k->table, e);
    block_drop(b);
    if (ret < 0)
        return err_wrap(e, "%s: %.100s", v->name, v->kernels[number]);
    if (block_load(v, v->of_kind[BLOCK_DICTIONARY][number], &k->dictionaries, e) < 0)
        return -1;
    return get_dictionaries(v, k, e);
}

static int kernel_find(struct vtrace *v, uint32_t number, struct loaded_kernel **out, struct err *e)
{
    void **cache = (void **)v->cached_kernels;
    struct loaded_kernel *k;

    for (size_t i = 0; i < CACHED_KERNELS && v->cached_kernels[i]; i++)
        if (v->cached_kernels[i]->number == number) {
            *out = cache_to_front(cache, i);
            (*out)->users++;
            return 0;
        }
    k = mem_zalloc(1, sizeof *k, e);
    if (!k)
        return -1;
    k->number = number;
    k->users = 1;
    if (kernel_fill(v, number, k, e) < 0) {
        kernel_drop(k);
        return -1;
    }
    k->users++;
    kernel_drop(cache_push(cache, CACHED_KERNELS, k));
    *out = k;
    return 0;
}

int vtrace_kernel_take(struct vtrace *v, uint32_t kernel, struct loaded_kernel **out, struct err *e)
{
    int ret;

    ASSERT(kernel < v->kernel_count);
    *out = NULL;
    pthread_mutex_lock(&v->lock);
    ret = kernel_find(v, kernel, out, e);
    pthread_mutex_unlock(&v->lock);
    return ret;
}

void vtrace_kernel_give(struct vtrace *v, struct loaded_kernel *k)
{
    pthread_mutex_lock(&v->lock);
    kernel_drop(k);
    pthread_mutex_unlock(&v->lock);
}

void vtrace_cache_release(struct vtrace *v)
{
    for (int i = 0; i < CACHED_KERNELS; i++)
        kernel_drop(v->cached_kernels[i]);
    for (int i = 0; i < CACHED_BLOCKS; i++)
        block_drop(v->cached_blocks[i]);
}
