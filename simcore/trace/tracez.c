#include "simcore/trace/tracez.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <zstd.h>

#include "base/array.h"
#include "base/strbuf.h"

/* Our limit: the format has none. The tracer's own chunks have 2048 lines, or one polling region. */
#define DICTIONARY_BYTES_MAX (1u << 20)
#define CHUNK_BYTES_MAX      (64u << 20)
#define WINDOW_BYTES         (64u << 10)
/* for a file that is not a plain file; a larger one is copied to a temporary file */
#define MEMORY_MAX         (64u << 20)
#define CTA_NUMBERS        11u /* of a CTA in the footer: position, cluster, position in the cluster, rank, warps */
#define FOOTER_PLACE_BYTES 8

struct tracez {
    const char *name;
    int fd;
    bool own;     /* fd is a temporary file that this reader owns */
    char *memory; /* or the whole content in memory, from file position `memory_at` on; malloc'ed */
    size_t memory_capacity;
    uint64_t memory_at, size;
    struct stream *text;
    struct err error; /* the first error, returned again by later calls */
    bool failed;

    ZSTD_DCtx *unpacker;
    ZSTD_DDict *dictionary;
    unsigned char *packed, *lines; /* one chunk, compressed and decompressed */
    size_t packed_capacity, lines_capacity;

    uint64_t footer, footer_end; /* the unread part of the footer */
    unsigned char window[WINDOW_BYTES];
    uint64_t window_at; /* position of window[0] in the file */
    size_t window_bytes;

    uint32_t ctas;        /* CTAs not yet returned */
    uint32_t warp, warps; /* of the current CTA */
    uint32_t chunks;      /* chunks of the warp not yet returned */
    uint64_t chunk_at;    /* position of the next chunk */
    struct strbuf out;    /* decompressed text */
    size_t out_at;        /* number of its bytes already returned */
};

static int damaged(const struct tracez *z, struct err *e, const char *what)
{
    err_set(e, ERR_INVALID, "%s: %s", z->name, what);
    return err_hint(e, "The file was cut short or damaged; copy it again, or group the raw trace again.");
}

/* --- numbers --- */

static uint32_t u32_at(const unsigned char *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static uint64_t u64_at(const unsigned char *p)
{
    return u32_at(p) | (uint64_t)u32_at(p + 4) << 32;
}

static int read_at(const struct tracez *z, uint64_t at, void *out, size_t n, struct err *e)
{
    unsigned char *p = out;

    if (n > z->size || at > z->size - n)
        return damaged(z, e, "a part of it is past its end");
    if (z->memory) {
        if (at < z->memory_at)
            return damaged(z, e, "its index points into its header");
        memcpy(out, z->memory + (at - z->memory_at), n);
        return 0;
    }
    while (n) {
        ssize_t got = pread(z->fd, p, n, (off_t)at);

        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return err_set_errno(e, errno, "reading %s", z->name);
        if (got == 0)
            return damaged(z, e, "it became shorter while it was read");
        p += got;
        at += (uint64_t)got;
        n -= (size_t)got;
    }
    return 0;
}

/* Returns the next n bytes of the footer, at most those of one CTA. Valid until the next call. */
static const unsigned char *footer_take(struct tracez *z, size_t n, struct err *e)
{
    const unsigned char *p;

    if (n > z->footer_end - z->footer) {
        damaged(z, e, "its index ends too early");
        return NULL;
    }
    if (z->footer < z->window_at || z->footer + n > z->window_at + z->window_bytes) {
        uint64_t left = z->footer_end - z->footer;

        z->window_at = z->footer;
        z->window_bytes = left < WINDOW_BYTES ? (size_t)left : WINDOW_BYTES;
        if (read_at(z, z->window_at, z->window, z->window_bytes, e) < 0)
            return NULL;
    }
    p = z->window + (z->footer - z->window_at);
    z->footer += n;
    return p;
}

/* --- text --- */

static int begin_cta(struct tracez *z, struct err *e)
{
    const unsigned char *p = footer_take(z, (size_t)CTA_NUMBERS * 4, e);
    uint32_t x[CTA_NUMBERS];

    if (!p)
        return -1;
    for (uint32_t i = 0; i < CTA_NUMBERS; i++)
        x[i] = u32_at(p + (size_t)i * 4);
    z->ctas--;
    z->warp = 0;
    z->warps = x[10];
    strbuf_addf(&z->out,
                "#BEGIN_TB\n\nthread block = %u,%u,%u\ncluster id = %u,%u,%u\ncluster cta = %u,%u,%u\n"
                "cluster rank = %u\n",
                x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8], x[9]);
    if (!z->warps)
        strbuf_adds(&z->out, "\n#END_TB\n\n");
    return 0;
}

/* The index and the warp both state the counts, which must agree. */
static int begin_warp(struct tracez *z, struct err *e)
{
    const unsigned char *p = footer_take(z, 16, e);
    unsigned char own[8];
    uint32_t insts;

    if (!p)
        return -1;
    insts = u32_at(p);
    z->chunks = u32_at(p + 4);
    z->chunk_at = u64_at(p + 8);
    if (read_at(z, z->chunk_at, own, sizeof own, e) < 0)
        return -1;
    if (u32_at(own) != insts || u32_at(own + 4) != z->chunks)
        return damaged(z, e, "its index and a warp differ in the number of instructions or chunks");
    if (z->chunks > (z->footer_end - z->footer) / 4)
        return damaged(z, e, "its index ends too early");
    z->footer += (uint64_t)z->chunks * 4; /* skips the instruction counts of the chunks */
    z->chunk_at += sizeof own;
    strbuf_addf(&z->out, "\nwarp = %u\ninsts = %u\n", z->warp, insts);
    return 0;
}

static int reserve(unsigned char **bytes, size_t *capacity, size_t n, struct err *e)
{
    void *p = *bytes;
    int ret = array_reserve(&p, capacity, n, 1, e);

    *bytes = p;
    return ret;
}

/* Decompresses one frame of lines; the last line has no newline. */
static int unpack_chunk(struct tracez *z, size_t packed, struct err *e)
{
    unsigned long long bytes = ZSTD_getFrameContentSize(z->packed, packed);
    size_t got;

    if (bytes == ZSTD_CONTENTSIZE_ERROR || bytes == ZSTD_CONTENTSIZE_UNKNOWN)
        return damaged(z, e, "a chunk is not a zstd frame that states its size");
    if (bytes > CHUNK_BYTES_MAX)
        return err_set(e, ERR_TOO_LARGE, "%s: a chunk of %llu bytes, more than %u", z->name, bytes,
                       CHUNK_BYTES_MAX);
    if (reserve(&z->lines, &z->lines_capacity, (size_t)bytes, e) < 0)
        return -1;
    got = ZSTD_decompress_usingDDict(z->unpacker, z->lines, (size_t)bytes, z->packed, packed, z->dictionary);
    if (ZSTD_isError(got) || got != bytes)
        return damaged(z, e, "a chunk cannot be unpacked");
    strbuf_add(&z->out, z->lines, got);
    strbuf_addc(&z->out, '\n');
    return 0;
}

static int take_chunk(struct tracez *z, struct err *e)
{
    unsigned char size[4];
    uint32_t n;

    if (read_at(z, z->chunk_at, size, sizeof size, e) < 0)
        return -1;
    n = u32_at(size);
    if (n > CHUNK_BYTES_MAX)
        return err_set(e, ERR_TOO_LARGE, "%s: a chunk of %u compressed bytes, more than %u", z->name, n,
                       CHUNK_BYTES_MAX);
    if (reserve(&z->packed, &z->packed_capacity, n, e) < 0 || read_at(z, z->chunk_at + 4, z->packed, n, e) < 0)
        return -1;
    z->chunk_at += 4 + (uint64_t)n;
    z->chunks--;
    return unpack_chunk(z, n, e);
}

/* Adds text to z->out. 1, 0 at the end, -1. */
static int make_text(struct tracez *z, struct err *e)
{
    strbuf_clear(&z->out);
    z->out_at = 0;
    if (z->chunks) {
        if (take_chunk(z, e) < 0)
            return -1;
    } else if (z->warp < z->warps) {
        if (begin_warp(z, e) < 0)
            return -1;
    } else {
        if (!z->ctas)
            return 0;
        if (begin_cta(z, e) < 0)
            return -1;
    }
    return 1;
}

/* Ends the warp after its last chunk, and the CTA after its last warp. */
static void end_parts(struct tracez *z, bool warp_began)
{
    if (z->chunks || !warp_began)
        return;
    if (++z->warp == z->warps)
        strbuf_adds(&z->out, "\n#END_TB\n\n");
}

static ssize_t give_text(void *ctx, void *buffer, size_t n, struct err *e)
{
    struct tracez *z = ctx;

    while (!z->failed && z->out_at == z->out.length) {
        bool in_warp = z->chunks || z->warp < z->warps;
        int got = make_text(z, &z->error);

        if (got == 0)
            return 0;
        if (got > 0)
            end_parts(z, in_warp);
        if (got > 0 && z->out.failed)
            got = err_no_memory(&z->error);
        z->failed = got < 0;
    }
    if (z->failed) {
        *e = z->error;
        return -1;
    }
    n = n < z->out.length - z->out_at ? n : z->out.length - z->out_at;
    memcpy(buffer, z->out.text + z->out_at, n);
    z->out_at += n;
    return (ssize_t)n;
}

/* --- opening --- */

int tracez_recognise(struct trace_text *t, struct err *e)
{
    const char *p;

    if (trace_text_ahead(t, e) < 0)
        return -1;
    for (p = t->at; p < t->end && (*p == '\n' || *p == '\r'); p++)
        ;
    return p < t->end && *p == '\0';
}

/* Reads the next bytes after the header. 0 at the end. */
static ssize_t take_rest(struct trace_text *t, char *piece, size_t size, struct err *e)
{
    size_t have = (size_t)(t->end - t->at);

    if (!have)
        return stream_read(t->s, piece, size, e);
    have = have < size ? have : size;
    memcpy(piece, t->at, have);
    t->at += have;
    return (ssize_t)have;
}

static int write_at(const struct tracez *z, uint64_t at, const char *piece, size_t n, struct err *e)
{
    while (n) {
        ssize_t put = pwrite(z->fd, piece, n, (off_t)at);

        if (put < 0 && errno != EINTR)
            return err_set_errno(e, errno, "writing a temporary copy of %s", z->name);
        if (put > 0) {
            piece += put;
            at += (uint64_t)put;
            n -= (size_t)put;
        }
    }
    return 0;
}

/* Moves the content in memory to an unnamed temporary file. The header is not needed, so the file has a hole there.
 */
static int begin_file(struct tracez *z, struct err *e)
{
    const char *where = getenv("TMPDIR");
    char path[4096];
    int ret;

    where = where && *where ? where : "/tmp";
    if (snprintf(path, sizeof path, "%s/vivace-tracez-XXXXXX", where) >= (int)sizeof path)
        return err_set(e, ERR_INVALID, "the path in TMPDIR is too long");
    z->fd = mkostemp(path, O_CLOEXEC);
    if (z->fd < 0) {
        err_set_errno(e, errno, "cannot make a temporary file for %s, which has more than %u MiB, in %s", z->name,
                      MEMORY_MAX >> 20, where);
        return err_hint(e, "Convert it first: `vivace trace convert` makes a .vtrace of it.");
    }
    z->own = true;
    unlink(path);
    ret = write_at(z, z->memory_at, z->memory, (size_t)(z->size - z->memory_at), e);
    free(z->memory);
    z->memory = NULL;
    return ret;
}

static int keep(struct tracez *z, const char *piece, size_t n, struct err *e)
{
    size_t have = (size_t)(z->size - z->memory_at);
    void *p = z->memory;

    if (!z->own && have + n > MEMORY_MAX && begin_file(z, e) < 0)
        return -1;
    if (z->own)
        return write_at(z, z->size, piece, n, e);
    if (array_reserve(&p, &z->memory_capacity, have + n, 1, e) < 0)
        return -1;
    z->memory = p;
    memcpy(z->memory + have, piece, n);
    return 0;
}

/* Reads the whole of a stream that is not a plain file. */
static int spool(struct tracez *z, struct trace_text *t, uint64_t at, struct err *e)
{
    char piece[16384];
    ssize_t n;

    z->memory_at = z->size = at;
    while ((n = take_rest(t, piece, sizeof piece, e)) > 0) {
        if (keep(z, piece, (size_t)n, e) < 0)
            return -1;
        z->size += (uint64_t)n;
    }
    return (int)n;
}

static int plain_size(struct tracez *z, struct err *e)
{
    struct stat st;

    if (fstat(z->fd, &st) < 0)
        return err_set_errno(e, errno, "reading %s", z->name);
    z->size = (uint64_t)st.st_size;
    return 0;
}

static int read_dictionary(struct tracez *z, uint64_t at, uint64_t *body, struct err *e)
{
    unsigned char sizes[8];
    void *bytes;
    uint32_t n;
    int ret;

    if (read_at(z, at, sizes, sizeof sizes, e) < 0)
        return -1;
    n = u32_at(sizes);
    *body = at + sizeof sizes + n;
    if (n == 0)
        return 0;
    if (n > DICTIONARY_BYTES_MAX)
        return err_set(e, ERR_TOO_LARGE, "%s: a dictionary of %u bytes, more than %u", z->name, n,
                       DICTIONARY_BYTES_MAX);
    bytes = mem_zalloc(n, 1, e);
    if (!bytes)
        return -1;
    ret = read_at(z, at + sizeof sizes, bytes, n, e);
    if (ret == 0 && !(z->dictionary = ZSTD_createDDict(bytes, n)))
        ret = err_no_memory(e);
    free(bytes);
    return ret;
}

static int read_index(struct tracez *z, uint64_t body, struct err *e)
{
    unsigned char place[FOOTER_PLACE_BYTES];
    const unsigned char *count;

    if (z->size < body + FOOTER_PLACE_BYTES)
        return damaged(z, e, "it ends before its index");
    z->footer_end = z->size - FOOTER_PLACE_BYTES;
    if (read_at(z, z->footer_end, place, sizeof place, e) < 0)
        return -1;
    z->footer = u64_at(place);
    if (z->footer < body || z->footer > z->footer_end)
        return damaged(z, e, "its last eight bytes are not the position of its index");
    count = footer_take(z, 4, e);
    if (!count)
        return -1;
    z->ctas = u32_at(count);
    return 0;
}

static int start(struct tracez *z, struct trace_text *t, struct err *e)
{
    uint64_t at = stream_position(t->s) - (uint64_t)(t->end - t->at), body;

    z->name = stream_name(t->s);
    for (; *t->at != '\0'; t->at++)
        at++;
    z->fd = stream_plain_file(t->s);
    if ((z->fd < 0 ? spool(z, t, at, e) : plain_size(z, e)) < 0)
        return -1;
    z->unpacker = ZSTD_createDCtx();
    if (!z->unpacker)
        return err_no_memory(e);
    return read_dictionary(z, at + 1, &body, e) < 0 || read_index(z, body, e) < 0 ||
                   stream_open_fn(give_text, z, z->name, &z->text, e) < 0
               ? -1
               : 0;
}

int tracez_open(struct trace_text *t, struct tracez **out, struct err *e)
{
    struct tracez *z = mem_zalloc(1, sizeof *z, e);

    *out = NULL;
    if (!z)
        return -1;
    z->out = (struct strbuf)STRBUF_INIT;
    z->fd = -1;
    if (start(z, t, e) < 0) {
        tracez_close(z);
        return -1;
    }
    *out = z;
    return 0;
}

struct stream *tracez_text(struct tracez *z)
{
    return z->text;
}

void tracez_close(struct tracez *z)
{
    if (!z)
        return;
    stream_close(z->text);
    ZSTD_freeDDict(z->dictionary);
    ZSTD_freeDCtx(z->unpacker);
    strbuf_release(&z->out);
    free(z->packed);
    free(z->lines);
    free(z->memory);
    if (z->own)
        close(z->fd);
    free(z);
}
