#include "simcore/trace/vtrace_writer.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/array.h"
#include "base/assert.h"

#define FRAME_BYTES (256u << 10)
/* For irregular traces, level 3 gives 3 % more bytes, 12 gives 0.5 % less, and 19 gives 6 % less in 5 times the
 * time. */
#define LEVEL 6

/* --- the file --- */

static int write_failed(const struct vtrace_writer *w, struct err *e)
{
    return err_set_errno(e, errno, "cannot write %s", w->path);
}

static int write_bytes(struct vtrace_writer *w, const void *bytes, size_t n, struct err *e)
{
    ASSERT(w->file);
    return fwrite(bytes, 1, n, w->file) == n ? 0 : write_failed(w, e);
}

static void put_fixed(struct strbuf *b, uint64_t x, unsigned bytes)
{
    ASSERT(bytes <= 8);
    for (; bytes > 0; bytes--, x >>= 8)
        strbuf_addc(b, (char)x);
}

/* Appends the checksum of the content so far. */
static int put_checksum(struct strbuf *b, struct err *e)
{
    uint64_t sum;

    if (b->failed)
        return err_no_memory(e);
    if (vtrace_checksum(b->text, b->length, &sum, e) < 0)
        return -1;
    put_fixed(b, sum, 8);
    return b->failed ? err_no_memory(e) : 0;
}

/* Writes the header: an initial one at the start, and the final one at the end if the file has more than launches.
 */
static int write_header(struct vtrace_writer *w, struct err *e)
{
    uint32_t flags = (w->sectors_only ? VTRACE_SECTORS_ONLY : 0) | (w->copies.count ? VTRACE_COPIES : 0) |
                     (w->has_clusters ? VTRACE_CLUSTERS : 0) | (w->has_images ? VTRACE_IMAGES : 0) |
                     (w->has_others ? VTRACE_OTHERS : 0) | (w->has_runs ? VTRACE_RUNS : 0);
    struct strbuf b = STRBUF_INIT;
    int ret;

    strbuf_adds(&b, VTRACE_MAGIC);
    put_fixed(&b, VTRACE_VERSION, 4);
    put_fixed(&b, flags, 4);
    ret = put_checksum(&b, e) < 0 ? -1 : write_bytes(w, b.text, b.length, e);
    strbuf_release(&b);
    return ret;
}

/* Compresses into w->packed. */
static int pack(struct vtrace_writer *w, const struct strbuf *b, struct err *e)
{
    size_t most = ZSTD_compressBound(b->length), n;
    void *p = w->packed.capacity ? w->packed.text : NULL;

    if (array_reserve(&p, &w->packed.capacity, most + 1, 1, e) < 0)
        return -1;
    w->packed.text = p;
    n = ZSTD_compress2(w->zstd, p, most, b->text, b->length);
    if (ZSTD_isError(n))
        return err_set(e, ERR_INTERNAL, "%s: zstd: %s", w->path, ZSTD_getErrorName(n));
    w->packed.length = n;
    return 0;
}

static int write_block(struct vtrace_writer *w, enum vtrace_block_kind kind, const struct strbuf *b, struct err *e)
{
    void *p = w->blocks;
    uint64_t sum;

    if (b->failed)
        return err_no_memory(e);
    if (b->length > RAW_BLOCK_MAX)
        return err_set(e, ERR_TOO_LARGE, "%s: a CTA or a table takes %zu bytes, more than %u", w->path, b->length,
                       RAW_BLOCK_MAX);
    if (pack(w, b, e) < 0 || vtrace_checksum(w->packed.text, w->packed.length, &sum, e) < 0 ||
        array_reserve(&p, &w->block_capacity, w->block_count + 1, sizeof *w->blocks, e) < 0)
        return -1;
    w->blocks = p;
    w->blocks[w->block_count++] = (struct vtrace_block){kind, w->packed.length, b->length, sum, 0};
    return write_bytes(w, w->packed.text, w->packed.length, e);
}

static int flush_pending(struct vtrace_writer *w, enum vtrace_block_kind kind, struct err *e)
{
    struct strbuf *b = &w->pending[kind];

    if (b->length == 0)
        return 0;
    if (write_block(w, kind, b, e) < 0)
        return -1;
    strbuf_clear(b);
    w->written[kind]++;
    return 0;
}

/* Returns the position of the next record of this kind. */
int writer_next_position(struct vtrace_writer *w, enum vtrace_block_kind kind, struct vtrace_position *out,
                         struct err *e)
{
    ASSERT(kind == BLOCK_CTAS || kind == BLOCK_LAUNCHES || kind == BLOCK_IMAGES);
    if (w->pending[kind].length >= w->frame_bytes && flush_pending(w, kind, e) < 0)
        return -1;
    *out = (struct vtrace_position){w->written[kind], w->pending[kind].length};
    return 0;
}

/* --- the end of the file --- */

static int write_static(struct vtrace_writer *w, const struct kernel_tables *k, struct err *e)
{
    struct strbuf b = STRBUF_INIT;
    int ret;

    put_number(&b, k->opcodes.count);
    for (size_t i = 0; i < k->opcodes.count; i++)
        put_text(&b, k->opcodes.texts.text + k->opcodes.entries[i].at);
    put_static_table(&b, k->insts, k->inst_count, w->has_others);
    ret = write_block(w, BLOCK_STATIC, &b, e);
    strbuf_release(&b);
    return ret;
}

static void put_dictionary(struct strbuf *b, const struct vtrace_dict *d)
{
    ASSERT(d->count == 0 || d->entries[d->count - 1].at + d->entries[d->count - 1].bytes == d->texts.length);
    put_number(b, d->count);
    for (size_t i = 0; i < d->count; i++)
        put_number(b, d->entries[i].bytes);
    strbuf_add(b, d->texts.text, d->texts.length);
}

static int write_dictionary(struct vtrace_writer *w, const struct kernel_tables *k, struct err *e)
{
    struct strbuf b = STRBUF_INIT;
    int ret;

    put_dictionary(&b, &k->paths);
    put_dictionary(&b, &k->programs);
    put_dictionary(&b, &k->shapes);
    ret = write_block(w, BLOCK_DICTIONARY, &b, e);
    strbuf_release(&b);
    return ret;
}

/* Writes each copy relative to the previous one. */
static void put_copies(struct strbuf *b, const struct trace_copies *list)
{
    uint64_t before = 0;

    put_number(b, list->count);
    for (size_t i = 0; i < list->count; i++) {
        const struct trace_copy *c = &list->items[i];

        ASSERT(c->before >= before);
        put_number(b, c->before - before);
        put_number(b, c->context);
        put_number(b, c->kind);
        put_number(b, c->address);
        put_number(b, c->bytes);
        before = c->before;
    }
}

static void put_index(struct strbuf *b, const struct vtrace_writer *w)
{
    put_text(b, w->tool);
    put_text(b, w->gpu);
    put_number(b, w->block_count);
    for (size_t i = 0; i < w->block_count; i++) {
        put_number(b, w->blocks[i].kind);
        put_number(b, w->blocks[i].bytes);
        put_number(b, w->blocks[i].raw_bytes);
        put_fixed(b, w->blocks[i].checksum, 8);
    }
    put_number(b, w->kernel_count);
    for (size_t i = 0; i < w->kernel_count; i++)
        put_text(b, w->kernels[i].name);
    put_number(b, w->launch_count);
    for (size_t i = 0; i < w->launch_count; i++)
        put_launch(b, &w->launches[i]);
    if (w->copies.count)
        put_copies(b, &w->copies);
    for (size_t i = 0; w->has_clusters && i < w->launch_count; i++)
        put_number(b, w->launches[i].launch.info.cluster);
    for (size_t i = 0; w->has_images && i < w->launch_count; i++) {
        const struct launch_row *x = &w->launches[i];

        ASSERT(!x->launch.has_image || x->image.block < w->written[BLOCK_IMAGES]);
        put_number(b, x->launch.has_image ? x->image.block + 1ull : 0);
        if (x->launch.has_image)
            put_number(b, x->image.offset);
    }
}

/* Writes the trailer. w->packed is the compressed index of `raw` bytes. */
static int write_trailer(struct vtrace_writer *w, uint64_t offset, uint64_t raw, struct err *e)
{
    struct strbuf b = STRBUF_INIT;
    uint64_t sum;
    int ret = -1;

    if (vtrace_checksum(w->packed.text, w->packed.length, &sum, e) < 0)
        return -1;
    put_fixed(&b, offset, 8);
    put_fixed(&b, w->packed.length, 8);
    put_fixed(&b, raw, 8);
    put_fixed(&b, sum, 8);
    put_fixed(&b, offset + w->packed.length + VTRACE_TRAILER_BYTES, 8);
    if (put_checksum(&b, e) == 0) {
        strbuf_adds(&b, VTRACE_END_MAGIC);
        ret = b.failed ? err_no_memory(e) : write_bytes(w, b.text, b.length, e);
    }
    strbuf_release(&b);
    return ret;
}

/* Writes the index, which is compressed like a block but not listed as one. The trailer states its position. */
static int write_index(struct vtrace_writer *w, struct err *e)
{
    struct strbuf b = STRBUF_INIT;
    uint64_t offset = VTRACE_HEADER_BYTES;
    int ret;

    for (size_t i = 0; i < w->block_count; i++)
        offset += w->blocks[i].bytes;
    put_index(&b, w);
    ret = b.failed ? err_no_memory(e) : pack(w, &b, e);
    if (ret == 0)
        ret = write_bytes(w, w->packed.text, w->packed.length, e);
    if (ret == 0)
        ret = write_trailer(w, offset, b.length, e);
    strbuf_release(&b);
    return ret;
}

int vtrace_writer_finish(struct vtrace_writer *w, struct err *e)
{
    int ret;

    ASSERT(w->file);
    if (w->launch_count == 0)
        return err_set(e, ERR_INVALID, "%s would contain no launch", w->path);
    if (flush_pending(w, BLOCK_CTAS, e) < 0 || flush_pending(w, BLOCK_LAUNCHES, e) < 0 ||
        flush_pending(w, BLOCK_IMAGES, e) < 0)
        return -1;
    for (size_t i = 0; i < w->kernel_count; i++)
        w->has_others |= static_table_has_others(w->kernels[i].insts, w->kernels[i].inst_count);
    for (size_t i = 0; i < w->kernel_count; i++)
        if (write_static(w, &w->kernels[i], e) < 0 || write_dictionary(w, &w->kernels[i], e) < 0)
            return -1;
    if (write_index(w, e) < 0)
        return -1;
    if ((w->copies.count || w->has_clusters || w->has_images || w->has_others) &&
        (fseek(w->file, 0, SEEK_SET) < 0 || write_header(w, e) < 0))
        return write_failed(w, e);
    ret = fclose(w->file);
    w->file = NULL;
    if (ret != 0 || rename(w->temporary, w->path) < 0) {
        write_failed(w, e);
        unlink(w->temporary);
        return -1;
    }
    return 0;
}

/* --- beginning and end --- */

static int open_temporary(struct vtrace_writer *w, struct err *e)
{
    struct strbuf b = STRBUF_INIT;

    strbuf_addf(&b, "%s.part-%ld", w->path, (long)getpid());
    w->temporary = strbuf_detach(&b);
    if (!w->temporary)
        return err_no_memory(e);
    w->file = fopen(w->temporary, "wbx");
    return w->file ? 0 : write_failed(w, e);
}

static int start(struct vtrace_writer *w, const char *path, const struct vtrace_options *o, struct err *e)
{
    static const struct vtrace_options usual;

    o = o ? o : &usual;
    for (int i = 0; i < BLOCK_KINDS; i++)
        w->pending[i] = (struct strbuf)STRBUF_INIT;
    w->packed = w->directory = w->ids = w->key = w->warp_path = w->program = w->refs = w->inlines = w->bases =
        w->kernel_names.texts = (struct strbuf)STRBUF_INIT;
    w->sectors_only = o->sectors_only;
    w->frame_bytes = o->frame_bytes ? o->frame_bytes : FRAME_BYTES;
    w->zstd = ZSTD_createCCtx();
    w->path = mem_strdup(path, e);
    w->tool = mem_strdup(o->tool ? o->tool : "", e);
    w->gpu = mem_strdup(o->gpu ? o->gpu : "", e);
    if (!w->path || !w->tool || !w->gpu || seen_once_init(&w->seen, e) < 0)
        return -1;
    if (!w->zstd)
        return err_no_memory(e);
    ZSTD_CCtx_setParameter(w->zstd, ZSTD_c_compressionLevel, o->compression_level ? o->compression_level : LEVEL);
    return open_temporary(w, e) < 0 ? -1 : write_header(w, e);
}

int vtrace_writer_copy(struct vtrace_writer *w, const struct trace_copy *c, struct err *e)
{
    struct trace_copy copy = *c;

    copy.context = w->context;
    copy.before = w->launch_count;
    return trace_copies_add(&w->copies, &copy, e);
}

const char *vtrace_writer_temporary(const struct vtrace_writer *w)
{
    return w->temporary;
}

int vtrace_writer_new(const char *path, const struct vtrace_options *o, struct vtrace_writer **out, struct err *e)
{
    *out = mem_zalloc(1, sizeof **out, e);
    if (!*out)
        return -1;
    if (start(*out, path, o, e) == 0)
        return 0;
    vtrace_writer_release(*out);
    *out = NULL;
    return -1;
}

void vtrace_writer_release(struct vtrace_writer *w)
{
    if (!w)
        return;
    if (w->file) {
        fclose(w->file);
        unlink(w->temporary);
    }
    for (size_t i = 0; i < w->kernel_count; i++)
        kernel_tables_release(&w->kernels[i]);
    free(w->kernels);
    free(w->launches);
    free(w->copies.items);
    free(w->blocks);
    free(w->inst_map);
    free(w->stretch);
    free(w->next_access);
    dict_release(&w->kernel_names);
    seen_once_release(&w->seen);
    vtrace_model_release(&w->model);
    learner_release(&w->learner);
    path_memo_release(&w->memo);
    strbuf_release(&w->packed);
    for (int i = 0; i < BLOCK_KINDS; i++)
        strbuf_release(&w->pending[i]);
    strbuf_release(&w->directory);
    strbuf_release(&w->ids);
    strbuf_release(&w->key);
    strbuf_release(&w->warp_path);
    strbuf_release(&w->program);
    strbuf_release(&w->refs);
    strbuf_release(&w->inlines);
    strbuf_release(&w->bases);
    ZSTD_freeCCtx(w->zstd);
    free(w->temporary);
    free(w->path);
    free(w->tool);
    free(w->gpu);
    free(w);
}

int vtrace_write_one(const char *path, struct inst_source *s, struct err *e)
{
    struct vtrace_writer *w = NULL;
    int ret =
        vtrace_writer_new(path, NULL, &w, e) < 0 || vtrace_writer_add(w, s, e) < 0 || vtrace_writer_finish(w, e) < 0
            ? -1
            : 0;

    vtrace_writer_release(w);
    return ret;
}
