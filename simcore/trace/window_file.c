#include "simcore/trace/window_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include <zstd.h>

#include "base/array.h"
#include "base/assert.h"
#include "base/scratch.h"
#include "simcore/trace/vtrace_bytes.h"

/* Each frame is compressed alone; each warp has one in memory. */
enum { FRAME_BYTES = 4096, INST_BYTES_MAX = 10 * (WARP_LANES + 5), LEVEL = 1 };

struct window_file {
    int fd;
    uint64_t end;
    ZSTD_CCtx *zstd; /* used by the adding thread */
    char *packed;    /* ZSTD_compressBound() of a frame */
    size_t packed_bytes;
    pthread_mutex_t lock; /* of `unpack` */
    ZSTD_DCtx *unpack;
};

struct frame {
    uint64_t offset;
    uint32_t packed, raw; /* bytes, compressed and decompressed */
};

/* A contiguous range of bytes in the file. */
struct extent {
    uint64_t begin, end;
};

/* The previous instruction of the frame; the next one is encoded relative to it. */
struct before {
    uint32_t inst, mask;
    uint64_t base;
    int64_t stride;
};

struct filed_warp {
    struct frame *frames;
    size_t count, capacity;
    uint64_t insts;
    struct strbuf writing;
    size_t next;      /* reading: the frame after the current one */
    uint8_t *reading; /* FRAME_BYTES + INST_BYTES_MAX */
    struct byte_cursor at;
    struct before before;
};
struct filed_cta {
    struct cta_windows windows; /* must be the first member */
    struct window_file *file;
    struct filed_warp *warps;
    struct extent *extents; /* ranges of the file that hold its frames */
    size_t extent_count, extent_capacity;
};

/* --- the file --- */

struct window_file *window_file_new(struct err *e)
{
    struct window_file *f = mem_zalloc(1, sizeof *f, e);

    if (!f)
        return NULL;
    f->fd = scratch_file("a long CTA", e);
    if (f->fd < 0) {
        free(f);
        return NULL;
    }
    f->packed_bytes = ZSTD_compressBound(FRAME_BYTES + INST_BYTES_MAX);
    f->packed = mem_zalloc(1, f->packed_bytes, e);
    f->zstd = ZSTD_createCCtx();
    f->unpack = ZSTD_createDCtx();
    pthread_mutex_init(&f->lock, NULL);
    if (f->packed && f->zstd && f->unpack)
        return f;
    window_file_free(f);
    err_no_memory(e);
    return NULL;
}

void window_file_free(struct window_file *f)
{
    if (!f)
        return;
    close(f->fd);
    ZSTD_freeCCtx(f->zstd);
    ZSTD_freeDCtx(f->unpack);
    pthread_mutex_destroy(&f->lock);
    free(f->packed);
    free(f);
}

static int write_all(struct window_file *f, const char *bytes, size_t n, struct err *e)
{
    while (n > 0) {
        ssize_t done = pwrite(f->fd, bytes, n, (off_t)f->end);

        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0)
            return err_set_errno(e, errno, "writing a long CTA to a temporary file in %s (TMPDIR)",
                                 scratch_folder());
        bytes += done;
        n -= (size_t)done;
        f->end += (uint64_t)done;
    }
    return 0;
}

static int read_all(const struct window_file *f, char *bytes, size_t n, uint64_t offset, struct err *e)
{
    while (n > 0) {
        ssize_t done = pread(f->fd, bytes, n, (off_t)offset);

        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return err_set_errno(e, done < 0 ? errno : EIO, "reading a long CTA from a temporary file");
        bytes += done;
        n -= (size_t)done;
        offset += (uint64_t)done;
    }
    return 0;
}

/* --- adding --- */

struct cta_trace *window_file_cta(struct window_file *f, uint32_t warps, struct err *e)
{
    struct filed_cta *c = mem_zalloc(1, sizeof *c, e);

    ASSERT(warps > 0);
    if (!c)
        return NULL;
    c->file = f;
    if (cta_windows_init(&c->windows, warps, e) < 0) {
        free(c);
        return NULL;
    }
    c->warps = mem_zalloc(warps, sizeof *c->warps, e);
    if (!c->warps) {
        cta_windows_release(&c->windows);
        free(c);
        return NULL;
    }
    for (uint32_t w = 0; w < warps; w++)
        c->warps[w].writing = (struct strbuf)STRBUF_INIT;
    return &c->windows.store.trace;
}

static int end_frame(struct filed_cta *c, struct filed_warp *w, struct err *e)
{
    struct window_file *f = c->file;
    struct extent *last;
    size_t n;

    if (w->writing.failed)
        return err_no_memory(e);
    if (array_reserve((void **)&w->frames, &w->capacity, w->count + 1, sizeof *w->frames, e) < 0 ||
        array_reserve((void **)&c->extents, &c->extent_capacity, c->extent_count + 1, sizeof *c->extents, e) < 0)
        return -1;
    n = ZSTD_compressCCtx(f->zstd, f->packed, f->packed_bytes, w->writing.text, w->writing.length, LEVEL);
    if (ZSTD_isError(n))
        return err_no_memory(e); /* its workspace: `packed` holds any result */
    last = c->extent_count ? &c->extents[c->extent_count - 1] : NULL;
    if (!last || last->end != f->end)
        c->extents[c->extent_count++] = (struct extent){f->end, f->end};
    w->frames[w->count] = (struct frame){f->end, (uint32_t)n, (uint32_t)w->writing.length};
    if (write_all(f, f->packed, n, e) < 0)
        return -1;
    c->extents[c->extent_count - 1].end = f->end;
    w->count++;
    strbuf_clear(&w->writing);
    return 0;
}

static void put_addresses(struct strbuf *b, struct before *p, uint32_t mask, const struct address_set *a)
{
    uint64_t distance[WARP_LANES];

    ASSERT_HOT(mask != 0);
    put_number(b, zigzag((int64_t)(a->base - p->base)));
    p->base = a->base;
    if (!a->is_list) {
        put_signed(b, (int64_t)((uint64_t)a->stride - (uint64_t)p->stride));
        p->stride = a->stride;
        return;
    }
    for (unsigned i = 0, n = lane_distances(a->lanes, mask, distance); i < n; i++)
        put_signed(b, (int64_t)distance[i]);
}

/* Kinds of an instruction, in the low bits of its first number. */
enum { HAS_ADDRESSES = 1, IS_LIST = 2, OTHER_MASK = 4, KIND_BITS = 3 };

int window_file_add(struct cta_trace *cta, uint32_t warp, const struct warp_inst *i, const struct address_set *a,
                    struct err *e)
{
    struct filed_cta *c = cta->opaque;
    struct filed_warp *w = &c->warps[warp];
    struct before *p = &w->before;
    uint64_t kind = (a ? HAS_ADDRESSES : 0) | (a && a->is_list ? IS_LIST : 0);

    ASSERT_HOT(warp < cta->warp_count && (!a || i->mask));
    if (w->writing.length == 0)
        *p = (struct before){.mask = UINT32_MAX};
    kind |= i->mask != p->mask ? OTHER_MASK : 0;
    put_number(&w->writing, zigzag((int64_t)i->inst - p->inst) << KIND_BITS | kind);
    if (kind & OTHER_MASK)
        put_number(&w->writing, i->mask);
    p->inst = i->inst + 1;
    p->mask = i->mask;
    if (a)
        put_addresses(&w->writing, p, i->mask, a);
    w->insts++;
    return w->writing.length >= FRAME_BYTES ? end_frame(c, w, e) : 0;
}

/* --- reading --- */

static int load_frame(struct filed_cta *c, struct filed_warp *w, struct err *e)
{
    const struct frame *frame = &w->frames[w->next];
    char packed[ZSTD_COMPRESSBOUND(FRAME_BYTES + INST_BYTES_MAX)];
    size_t n;

    ASSERT(w->next < w->count && frame->packed <= sizeof packed);
    if (read_all(c->file, packed, frame->packed, frame->offset, e) < 0)
        return -1;
    pthread_mutex_lock(&c->file->lock);
    n = ZSTD_decompressDCtx(c->file->unpack, w->reading, frame->raw, packed, frame->packed);
    pthread_mutex_unlock(&c->file->lock);
    if (ZSTD_isError(n) || n != frame->raw)
        return err_set(e, ERR_IO, "a temporary file returned other bytes than were written to it");
    w->at = (struct byte_cursor){w->reading, w->reading + n, false};
    w->before = (struct before){.mask = UINT32_MAX};
    w->next++;
    return 0;
}

static void get_addresses(struct byte_cursor *b, struct before *p, uint32_t mask, bool is_list,
                          struct address_set *a)
{
    uint64_t at;

    *a = (struct address_set){.is_list = is_list};
    at = a->base = p->base = p->base + (uint64_t)unzigzag(get_number(b));
    if (!is_list) {
        a->stride = p->stride = (int64_t)((uint64_t)p->stride + (uint64_t)get_signed(b));
        return;
    }
    for (uint32_t left = mask; left; left &= left - 1) {
        a->lanes[__builtin_ctz(left)] = at;
        if (left & (left - 1))
            at += (uint64_t)get_signed(b);
    }
}

static int next_inst(struct cta_windows *windows, uint32_t warp, struct warp_inst *out, struct address_set *a,
                     struct err *e)
{
    struct filed_cta *c = (struct filed_cta *)windows;
    struct filed_warp *w = &c->warps[warp];
    struct before *p = &w->before;
    uint64_t head;

    if (w->at.at == w->at.end && load_frame(c, w, e) < 0)
        return -1;
    head = get_number(&w->at);
    p->inst += (uint32_t)unzigzag(head >> KIND_BITS);
    if (head & OTHER_MASK)
        p->mask = (uint32_t)get_number(&w->at);
    *out = (struct warp_inst){.inst = p->inst++, .mask = p->mask};
    if (!(head & HAS_ADDRESSES))
        return 0;
    get_addresses(&w->at, p, out->mask, head & IS_LIST, a);
    return 1;
}

static void rewind_warp(struct cta_windows *windows, uint32_t warp)
{
    struct filed_warp *w = &((struct filed_cta *)windows)->warps[warp];

    w->next = 0;
    w->at = (struct byte_cursor){NULL, NULL, false};
}

static int finish_warp(struct filed_cta *c, uint32_t warp, struct err *e)
{
    struct filed_warp *w = &c->warps[warp];

    if (w->writing.length && end_frame(c, w, e) < 0)
        return -1;
    strbuf_release(&w->writing);
    if (w->insts > UINT32_MAX)
        return err_set(e, ERR_TOO_LARGE, "a warp has %" PRIu64 " instructions: more than 2^32", w->insts);
    if (w->insts == 0)
        return 0;
    w->reading = mem_zalloc(1, FRAME_BYTES + INST_BYTES_MAX, e);
    return w->reading ? cta_windows_begin(&c->windows, warp, (uint32_t)w->insts, e) : -1;
}

int window_file_finish(struct cta_trace *cta, struct err *e)
{
    struct filed_cta *c = cta->opaque;

    ASSERT(!c->windows.next);
    c->windows.next = next_inst;
    c->windows.rewind = rewind_warp;
    for (uint32_t w = 0; w < cta->warp_count; w++)
        if (finish_warp(c, w, e) < 0)
            return -1;
    return 0;
}

/* --- the end --- */

/* Returns disk space to the file system. If the file system cannot do this, the space is in use until the file is
 * closed. */
static void give_back_space(const struct filed_cta *c)
{
    for (size_t i = 0; i < c->extent_count; i++)
        (void)fallocate(c->file->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)c->extents[i].begin,
                        (off_t)(c->extents[i].end - c->extents[i].begin));
}

void window_file_free_cta(struct cta_trace *cta)
{
    struct filed_cta *c = cta ? cta->opaque : NULL;

    if (!c)
        return;
    give_back_space(c);
    for (uint32_t w = 0; w < cta->warp_count; w++) {
        free(c->warps[w].frames);
        free(c->warps[w].reading);
        strbuf_release(&c->warps[w].writing);
    }
    free(c->extents);
    free(c->warps);
    cta_windows_release(&c->windows);
    free(c);
}
