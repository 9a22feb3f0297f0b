#include "simcore/trace/vtrace_reader.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/assert.h"
#include "simcore/trace/accel_sim_line.h"

/* --- the index --- */

static uint64_t fixed(const uint8_t *p, unsigned bytes)
{
    ASSERT(bytes <= 8);
    uint64_t x = 0;

    while (bytes-- > 0)
        x = x << 8 | p[bytes];
    return x;
}

static uint64_t get_fixed(struct byte_cursor *c)
{
    const uint8_t *p = get_bytes(c, 8);

    return p ? fixed(p, 8) : 0;
}

static int get_blocks(struct vtrace *v, struct byte_cursor *c, uint64_t end, struct err *e)
{
    uint64_t offset = VTRACE_HEADER_BYTES, count = get_count(c);

    v->blocks = mem_zalloc(count + 1, sizeof *v->blocks, e);
    for (int k = 0; k < BLOCK_KINDS; k++)
        if (!(v->of_kind[k] = mem_zalloc(count + 1, sizeof *v->of_kind[k], e)))
            return -1;
    if (!v->blocks)
        return -1;
    for (v->block_count = 0; v->block_count < count && !c->wrong; v->block_count++) {
        struct vtrace_block *b = &v->blocks[v->block_count];

        b->kind = (enum vtrace_block_kind)get_below(c, BLOCK_KINDS);
        b->bytes = get_below(c, end - offset + 1);
        b->raw_bytes = get_below(c, RAW_BLOCK_MAX + 1ull);
        b->checksum = get_fixed(c);
        b->offset = offset;
        offset += b->bytes;
        v->of_kind[b->kind][v->kind_count[b->kind]++] = (uint32_t)v->block_count;
    }
    return c->wrong || offset != end ? vtrace_damaged(v, e, "its blocks do not fill the file") : 0;
}

static int get_kernels(struct vtrace *v, struct byte_cursor *c, struct err *e)
{
    uint64_t count = get_count(c);

    v->kernels = mem_zalloc(count + 1, sizeof *v->kernels, e);
    if (!v->kernels)
        return -1;
    for (; v->kernel_count < count; v->kernel_count++)
        if (!(v->kernels[v->kernel_count] = get_text(c, e)))
            return err_wrap(e, "%s: the name of a kernel", v->name);
    if (v->kind_count[BLOCK_STATIC] != count || v->kind_count[BLOCK_DICTIONARY] != count)
        return vtrace_damaged(v, e, "the numbers of its tables and its kernels differ");
    return 0;
}

static bool position_is_sound(const struct vtrace *v, enum vtrace_block_kind kind, const struct vtrace_position *p)
{
    return p->block < v->kind_count[kind] && p->offset <= v->blocks[v->of_kind[kind][p->block]].raw_bytes;
}

static int check_launch(const struct vtrace *v, const struct launch_row *x, struct err *e)
{
    const struct launch_row *root = x->root ? &v->launches[x->root - 1] : NULL;

    if (x->kernel >= v->kernel_count || x->root > v->launch_count ||
        (root && (root->kernel != x->kernel || root->root != 0)))
        return vtrace_damaged(v, e, "a launch refers to a missing entry");
    if (!position_is_sound(v, BLOCK_LAUNCHES, &x->record) ||
        (x->launch.ctas > 0 && !position_is_sound(v, BLOCK_CTAS, &x->ctas)))
        return vtrace_damaged(v, e, "a launch is outside of the blocks");
    if (kernel_check_shape(&x->launch.info, e) < 0)
        return err_wrap(e, "%s: launch %zu", v->name, v->launch_count);
    if (x->launch.ctas > kernel_cta_count(&x->launch.info))
        return vtrace_damaged(v, e, "a launch has more CTAs than its grid");
    return 0;
}

static int get_launches(struct vtrace *v, struct byte_cursor *c, struct err *e)
{
    uint64_t count = get_below(c, VTRACE_LAUNCHES_MAX + 1ull);
    size_t capacity = 0;

    for (v->launch_count = 0; v->launch_count < count; v->launch_count++) {
        void *p = v->launches;
        struct launch_row *x;

        if (array_reserve(&p, &capacity, v->launch_count + 1, sizeof *v->launches, e) < 0)
            return -1;
        v->launches = p;
        x = &v->launches[v->launch_count];
        get_launch(c, x);
        if (c->wrong)
            return vtrace_damaged(v, e, "its index is damaged");
        if (check_launch(v, x, e) < 0)
            return -1;
        x->launch.info.name = v->kernels[x->kernel];
    }
    return c->wrong || count == 0 ? vtrace_damaged(v, e, "its index is damaged") : 0;
}

static int get_copies(struct vtrace *v, struct byte_cursor *c, struct err *e)
{
    uint64_t count = v->has_copies ? get_count(c) : 0, before = 0;

    for (uint64_t i = 0; i < count && !c->wrong; i++) {
        struct trace_copy copy = {0};

        before += get_below(c, v->launch_count - before + 1);
        copy.before = before;
        copy.context = get_number(c);
        copy.kind = (enum trace_copy_kind)get_below(c, TRACE_COPY_KINDS);
        copy.address = get_number(c);
        copy.bytes = get_number(c);
        c->wrong |= copy.bytes > UINT64_MAX - copy.address;
        if (!c->wrong && trace_copies_add(&v->copies, &copy, e) < 0)
            return -1;
    }
    return c->wrong || (v->has_copies && !count) ? vtrace_damaged(v, e, "its index is damaged") : 0;
}

/* Reads the cluster size of each launch. */
static int get_clusters(struct vtrace *v, struct byte_cursor *c, struct err *e)
{
    for (size_t i = 0; v->has_clusters && i < v->launch_count; i++) {
        struct kernel_info *k = &v->launches[i].launch.info;

        k->cluster = (uint32_t)get_below(c, kernel_cta_count(k) + 1);
    }
    return c->wrong ? vtrace_damaged(v, e, "its index is damaged") : 0;
}

/* Reads the position of the warm image of each launch. */
static int get_images(struct vtrace *v, struct byte_cursor *c, struct err *e)
{
    for (size_t i = 0; v->has_images && i < v->launch_count; i++) {
        struct launch_row *x = &v->launches[i];
        uint64_t block = get_below(c, v->kind_count[BLOCK_IMAGES] + 1ull);

        x->launch.has_image = block > 0;
        if (!block)
            continue;
        x->image = (struct vtrace_position){(uint32_t)block - 1, get_number(c)};
        if (!c->wrong && !position_is_sound(v, BLOCK_IMAGES, &x->image))
            return vtrace_damaged(v, e, "a warm image is outside of the blocks");
    }
    return c->wrong || c->at != c->end ? vtrace_damaged(v, e, "its index is damaged") : 0;
}

static int get_index(struct vtrace *v, const uint8_t *index, uint64_t bytes, uint64_t end, struct err *e)
{
    struct byte_cursor c = {index, index + bytes, false};

    v->tool = get_text(&c, e);
    v->gpu = v->tool ? get_text(&c, e) : NULL;
    if (!v->gpu)
        return err_wrap(e, "%s", v->name);
    return get_blocks(v, &c, end, e) < 0 || get_kernels(v, &c, e) < 0 || get_launches(v, &c, e) < 0 ||
                   get_copies(v, &c, e) < 0 || get_clusters(v, &c, e) < 0
               ? -1
               : get_images(v, &c, e);
}

/* --- opening --- */

/* Whether the checksum after these n bytes matches: 1 or 0; -1 with *e filled. */
static int is_whole(const uint8_t *p, size_t n, struct err *e)
{
    uint64_t sum;

    return vtrace_checksum(p, n, &sum, e) < 0 ? -1 : sum == fixed(p + n, 8);
}

static int check_header(struct vtrace *v, struct err *e)
{
    uint8_t h[VTRACE_HEADER_BYTES];
    uint64_t version, flags;
    int whole;

    if (v->file_bytes < VTRACE_HEADER_BYTES + VTRACE_TRAILER_BYTES)
        return vtrace_damaged(v, e, "too short to be a .vtrace file");
    if (vtrace_read_at(v, h, sizeof h, 0, e) < 0)
        return -1;
    if (memcmp(h, VTRACE_MAGIC, 4) != 0)
        return err_set(e, ERR_INVALID, "%s is not a .vtrace file", v->name);
    version = fixed(h + 4, 4);
    flags = fixed(h + 8, 4);
    whole = is_whole(h, sizeof h - 8, e);
    if (whole <= 0)
        return whole < 0 ? -1 : vtrace_damaged(v, e, "the checksum of its header is wrong");
    if (version != VTRACE_VERSION || flags & ~(uint64_t)VTRACE_FLAGS) {
        err_set(e, ERR_UNSUPPORTED, "%s is of version %" PRIu64 " of .vtrace with flags %#" PRIx64, v->name,
                version, flags);
        return err_hint(e, "This program reads version %u. Convert the traces again, or use a newer program.",
                        VTRACE_VERSION);
    }
    v->sectors_only = flags & VTRACE_SECTORS_ONLY;
    v->has_copies = flags & VTRACE_COPIES;
    v->has_clusters = flags & VTRACE_CLUSTERS;
    v->has_images = flags & VTRACE_IMAGES;
    v->has_others = flags & VTRACE_OTHERS;
    return 0;
}

static int get_trailer(const struct vtrace *v, struct vtrace_block *index, struct err *e)
{
    uint8_t t[VTRACE_TRAILER_BYTES];
    int whole;

    ASSERT(v->file_bytes >= VTRACE_HEADER_BYTES + sizeof t);
    if (vtrace_read_at(v, t, sizeof t, v->file_bytes - sizeof t, e) < 0)
        return -1;
    if (memcmp(t + 48, VTRACE_END_MAGIC, 4) != 0) {
        err_set(e, ERR_INVALID, "%s: the end of the file is missing", v->name);
        return err_hint(e, "The file was cut short; copy it again.");
    }
    whole = is_whole(t, 40, e);
    *index = (struct vtrace_block){.offset = fixed(t, 8),
                                   .bytes = fixed(t + 8, 8),
                                   .raw_bytes = fixed(t + 16, 8),
                                   .checksum = fixed(t + 24, 8)};
    if (whole < 0)
        return -1;
    if (!whole || fixed(t + 32, 8) != v->file_bytes || index->offset < VTRACE_HEADER_BYTES ||
        index->offset > v->file_bytes - sizeof t || index->bytes != v->file_bytes - sizeof t - index->offset)
        return vtrace_damaged(v, e, "the checksum of its trailer is wrong");
    return 0;
}

static int read_index(struct vtrace *v, struct err *e)
{
    struct vtrace_block at = {0};
    uint8_t *index;
    int ret;

    if (get_trailer(v, &at, e) < 0)
        return -1;
    v->index_bytes = at.bytes + VTRACE_TRAILER_BYTES + VTRACE_HEADER_BYTES;
    if (vtrace_unpack(v, &at, 0, &index, e) < 0)
        return -1;
    ret = get_index(v, index, at.raw_bytes, at.offset, e);
    free(index);
    return ret;
}

static int open_file(struct vtrace *v, const char *path, struct err *e)
{
    struct stat st;

    v->fd = open(path, O_RDONLY | O_CLOEXEC);
    if (v->fd < 0 || fstat(v->fd, &st) < 0)
        return err_set_errno(e, errno, "cannot open %s", v->name);
    if (!S_ISREG(st.st_mode))
        return err_set(e, ERR_INVALID, "%s is not a file", v->name);
    v->file_bytes = (uint64_t)st.st_size;
    v->zstd = ZSTD_createDCtx();
    if (!v->zstd)
        return err_no_memory(e);
    return check_header(v, e) < 0 ? -1 : read_index(v, e);
}

int vtrace_open_as(const char *path, const char *name, struct vtrace **out, struct err *e)
{
    struct vtrace *v = mem_zalloc(1, sizeof *v, e);

    *out = NULL;
    if (!v)
        return -1;
    v->fd = -1;
    pthread_mutex_init(&v->lock, NULL);
    v->name = mem_strdup(name, e);
    if (!v->name || open_file(v, path, e) < 0) {
        vtrace_close(v);
        return -1;
    }
    *out = v;
    return 0;
}

int vtrace_open(const char *path, struct vtrace **out, struct err *e)
{
    return vtrace_open_as(path, path, out, e);
}

void vtrace_close(struct vtrace *v)
{
    if (!v)
        return;
    vtrace_cache_release(v);
    for (int k = 0; k < BLOCK_KINDS; k++)
        free(v->of_kind[k]);
    for (size_t i = 0; i < v->kernel_count; i++)
        free(v->kernels[i]);
    free(v->kernels);
    free(v->launches);
    free(v->copies.items);
    free(v->blocks);
    ZSTD_freeDCtx(v->zstd);
    if (v->fd >= 0)
        close(v->fd);
    pthread_mutex_destroy(&v->lock);
    free(v->tool);
    free(v->gpu);
    free(v->name);
    free(v);
}

bool vtrace_recognise_head(const char *head, size_t n)
{
    return n >= 4 && memcmp(head, VTRACE_MAGIC, 4) == 0;
}

size_t vtrace_launch_count(const struct vtrace *v)
{
    return v->launch_count;
}

const struct vtrace_launch *vtrace_launch_at(const struct vtrace *v, size_t launch)
{
    ASSERT(launch < v->launch_count);
    return &v->launches[launch].launch;
}

const char *vtrace_tool(const struct vtrace *v)
{
    return v->tool;
}

const char *vtrace_gpu(const struct vtrace *v)
{
    return v->gpu;
}

const struct trace_copies *vtrace_copies(const struct vtrace *v)
{
    return &v->copies;
}

bool vtrace_sectors_only(const struct vtrace *v)
{
    return v->sectors_only;
}
