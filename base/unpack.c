#include "base/unpack_internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <zstd_errors.h>

#include "base/array.h"

#define INPUT_BYTES    (64u << 10)
#define WINDOW_LOG_MAX 27             /* 2^27 bytes: 128 MiB */
#define XZ_MEMORY_MAX  (144ull << 20) /* a window of 128 MiB and liblzma's other memory */
#define MAGIC_BYTES    6

static const char *const compression_names[] = {"none", "gzip", "xz", "zstd", "bzip2", "zip"};

/* --- bytes from the file --- */

static ssize_t source_read(struct unpack *u, void *buffer, size_t n, struct err *e)
{
    ssize_t got;

    if (u->file_ended)
        return 0;
    if (u->fd < 0) {
        got = u->read(u->ctx, buffer, n, e);
    } else {
        do
            got = read(u->fd, buffer, n);
        while (got < 0 && errno == EINTR);
        if (got < 0)
            err_set_errno(e, errno, "cannot read %s", u->name);
    }
    if (got > 0)
        u->taken += (uint64_t)got;
    if (got == 0)
        u->file_ended = true;
    return got;
}

int unpack_need_input(struct unpack *u, struct err *e)
{
    ssize_t got;

    if (u->at < u->end)
        return 1;
    got = source_read(u, u->input, INPUT_BYTES, e);
    if (got <= 0)
        return (int)got;
    u->at = 0;
    u->end = (size_t)got;
    return 1;
}

int unpack_ends_in_the_middle(struct unpack *u, struct err *e)
{
    err_set(e, ERR_INVALID, "%s ends in the middle of its %s data", u->name, compression_names[u->compression]);
    return err_hint(e, "The file was cut short; copy or make it again.");
}

int unpack_damaged(struct unpack *u, const char *why, struct err *e)
{
    return err_set(e, ERR_INVALID, "%s: its %s data is damaged (%s)", u->name, compression_names[u->compression],
                   why);
}

static int window_too_large(struct unpack *u, struct err *e)
{
    err_set(e, ERR_UNSUPPORTED, "%s: unpacking its %s data needs more than 128 MiB of memory", u->name,
            compression_names[u->compression]);
    return err_hint(e, "Compress it again with a smaller window (no --long or --ultra).");
}

/* --- one decoder for each format: writes up to n bytes into `out`; 0 at the end --- */

static ssize_t read_none(struct unpack *u, void *out, size_t n, struct err *e)
{
    size_t have = u->end - u->at;

    if (have == 0)
        return source_read(u, out, n, e);
    if (have > n)
        have = n;
    memcpy(out, u->input + u->at, have);
    u->at += have;
    return (ssize_t)have;
}

/* After a gzip member: another member, zero padding (from tapes), or the end of the file may follow. Returns 1 when
 * another member follows. */
static int next_gzip_member(struct unpack *u, struct err *e)
{
    int more;

    while ((more = unpack_need_input(u, e)) > 0 && u->input[u->at] == 0)
        u->at++;
    if (more <= 0)
        return more;
    if (u->input[u->at] != 0x1f)
        return unpack_damaged(u, "other data follows it", e);
    if (inflateReset(&u->gzip) != Z_OK)
        return err_set(e, ERR_INTERNAL, "%s: zlib could not be restarted", u->name);
    u->between = false;
    return 1;
}

static ssize_t read_gzip(struct unpack *u, void *out, size_t n, struct err *e)
{
    u->gzip.next_out = out;
    u->gzip.avail_out = n > (1u << 30) ? 1u << 30 : (uInt)n;
    n = u->gzip.avail_out;
    while (u->gzip.avail_out == n) {
        int more = u->between ? next_gzip_member(u, e) : unpack_need_input(u, e), status;

        if (more < 0)
            return -1;
        if (more == 0)
            return u->between ? 0 : unpack_ends_in_the_middle(u, e);
        u->gzip.next_in = u->input + u->at;
        u->gzip.avail_in = (uInt)(u->end - u->at);
        status = inflate(&u->gzip, Z_NO_FLUSH);
        u->at = u->end - u->gzip.avail_in;
        if (status == Z_STREAM_END)
            u->between = true;
        else if (status == Z_MEM_ERROR)
            return err_no_memory(e);
        else if (status != Z_OK && status != Z_BUF_ERROR)
            return unpack_damaged(u, u->gzip.msg ? u->gzip.msg : "unknown", e);
    }
    return (ssize_t)(n - u->gzip.avail_out);
}

static ssize_t read_xz(struct unpack *u, void *out, size_t n, struct err *e)
{
    u->xz.next_out = out;
    u->xz.avail_out = n;
    while (u->xz.avail_out == n) {
        int more = unpack_need_input(u, e);
        lzma_ret status;

        if (more < 0)
            return -1;
        u->xz.next_in = u->input + u->at;
        u->xz.avail_in = more ? u->end - u->at : 0;
        status = lzma_code(&u->xz, more ? LZMA_RUN : LZMA_FINISH);
        if (more)
            u->at = u->end - u->xz.avail_in;
        switch (status) {
        case LZMA_OK: break;
        case LZMA_STREAM_END: u->finished = true; return (ssize_t)(n - u->xz.avail_out);
        case LZMA_BUF_ERROR:
            if (!more)
                return unpack_ends_in_the_middle(u, e);
            break;
        case LZMA_MEM_ERROR: return err_no_memory(e);
        case LZMA_MEMLIMIT_ERROR: return window_too_large(u, e);
        case LZMA_OPTIONS_ERROR: return unpack_damaged(u, "its options are not supported", e);
        case LZMA_FORMAT_ERROR: return unpack_damaged(u, "other data follows it", e);
        default: return unpack_damaged(u, "a checksum or a header is wrong", e);
        }
    }
    return (ssize_t)(n - u->xz.avail_out);
}

static ssize_t read_zstd(struct unpack *u, void *out, size_t n, struct err *e)
{
    ZSTD_outBuffer to = {out, n, 0};

    while (to.pos == 0) {
        /* The decoder may still have output that needs no new input. */
        ZSTD_inBuffer from = {u->input, u->end, u->at};
        bool had_input = u->at < u->end;
        size_t status = ZSTD_decompressStream(u->zstd, &to, &from);
        int more;

        u->at = from.pos;
        if (ZSTD_isError(status))
            switch (ZSTD_getErrorCode(status)) {
            case ZSTD_error_frameParameter_windowTooLarge: return window_too_large(u, e);
            case ZSTD_error_memory_allocation: return err_no_memory(e);
            default: return unpack_damaged(u, ZSTD_getErrorName(status), e);
            }
        if (had_input || to.pos > 0)
            u->between = status == 0;
        if (to.pos > 0 || u->at < u->end)
            continue;
        more = unpack_need_input(u, e);
        if (more < 0)
            return -1;
        if (more == 0)
            return u->between ? 0 : unpack_ends_in_the_middle(u, e);
    }
    return (ssize_t)to.pos;
}

/* After a stream of bzip2 another one may follow. */
static ssize_t read_bzip2(struct unpack *u, void *out, size_t n, struct err *e)
{
    u->bzip2.next_out = out;
    u->bzip2.avail_out = n > (1u << 30) ? 1u << 30 : (unsigned)n;
    n = u->bzip2.avail_out;
    while (u->bzip2.avail_out == n) {
        int more = unpack_need_input(u, e), status;

        if (more < 0)
            return -1;
        if (more == 0)
            return u->between ? 0 : unpack_ends_in_the_middle(u, e);
        if (u->between) {
            BZ2_bzDecompressEnd(&u->bzip2);
            if (BZ2_bzDecompressInit(&u->bzip2, 0, 0) != BZ_OK)
                return err_no_memory(e);
            u->between = false;
        }
        u->bzip2.next_in = (char *)u->input + u->at;
        u->bzip2.avail_in = (unsigned)(u->end - u->at);
        status = BZ2_bzDecompress(&u->bzip2);
        u->at = u->end - u->bzip2.avail_in;
        switch (status) {
        case BZ_OK: break;
        case BZ_STREAM_END: u->between = true; break;
        case BZ_MEM_ERROR: return err_no_memory(e);
        case BZ_DATA_ERROR_MAGIC: return unpack_damaged(u, "other data follows it", e);
        default: return unpack_damaged(u, "a checksum or a block is wrong", e);
        }
    }
    return (ssize_t)(n - u->bzip2.avail_out);
}

ssize_t unpack_read(struct unpack *u, void *out, size_t n, struct err *e)
{
    ssize_t got = 0;

    if (u->error.code) {
        *e = u->error;
        return -1;
    }
    if (u->finished || n == 0)
        return 0;
    switch (u->compression) {
    case UNPACK_NONE: got = read_none(u, out, n, e); break;
    case UNPACK_GZIP: got = read_gzip(u, out, n, e); break;
    case UNPACK_XZ: got = read_xz(u, out, n, e); break;
    case UNPACK_ZSTD: got = read_zstd(u, out, n, e); break;
    case UNPACK_BZIP2: got = read_bzip2(u, out, n, e); break;
    case UNPACK_ZIP: got = unpack_zip_read(u, out, n, e); break;
    }
    if (got == 0)
        u->finished = true;
    if (got < 0)
        u->error = *e;
    return got;
}

/* --- opening --- */

static enum compression recognise(const unsigned char *p, size_t n)
{
    if (n >= 3 && memcmp(p, "\x1f\x8b\x08", 3) == 0)
        return UNPACK_GZIP;
    if (n >= 6 && memcmp(p,
                         "\xfd"
                         "7zXZ\0",
                         6) == 0)
        return UNPACK_XZ;
    if (n >= 4 && memcmp(p, "\x28\xb5\x2f\xfd", 4) == 0)
        return UNPACK_ZSTD;
    if (n >= 4 && (p[0] & 0xf0) == 0x50 && memcmp(p + 1, "\x2a\x4d\x18", 3) == 0)
        return UNPACK_ZSTD; /* a skippable frame; files of pzstd begin with one */
    if (n >= 4 && memcmp(p, "BZh", 3) == 0 && p[3] >= '1' && p[3] <= '9')
        return UNPACK_BZIP2;
    if (n >= 4 && memcmp(p, "PK\3\4", 4) == 0)
        return UNPACK_ZIP;
    return UNPACK_NONE;
}

static int start_decoder(struct unpack *u, struct err *e)
{
    switch (u->compression) {
    case UNPACK_NONE: break;
    case UNPACK_GZIP:
        if (inflateInit2(&u->gzip, 15 + 16) != Z_OK)
            return err_no_memory(e);
        break;
    case UNPACK_XZ:
        if (lzma_stream_decoder(&u->xz, XZ_MEMORY_MAX, LZMA_CONCATENATED) != LZMA_OK)
            return err_no_memory(e);
        break;
    case UNPACK_ZSTD:
        u->zstd = ZSTD_createDCtx();
        if (!u->zstd || ZSTD_isError(ZSTD_DCtx_setParameter(u->zstd, ZSTD_d_windowLogMax, WINDOW_LOG_MAX)))
            return err_no_memory(e);
        break;
    case UNPACK_BZIP2:
        if (BZ2_bzDecompressInit(&u->bzip2, 0, 0) != BZ_OK)
            return err_no_memory(e);
        break;
    case UNPACK_ZIP:
        if (inflateInit2(&u->gzip, -15) != Z_OK)
            return err_no_memory(e);
        u->between = true;
        break;
    }
    return 0;
}

int unpack_begin(struct unpack *u, int fd, stream_read_fn read_fn, void *ctx, const char *name, struct err *e)
{
    u->fd = fd;
    u->read = read_fn;
    u->ctx = ctx;
    u->name = mem_strdup(name, e);
    u->input = mem_zalloc(INPUT_BYTES, 1, e);
    if (!u->name || !u->input)
        return err_no_memory(e);
    while (u->end < MAGIC_BYTES) {
        ssize_t got = source_read(u, u->input + u->end, INPUT_BYTES - u->end, e);

        if (got < 0)
            return -1;
        if (got == 0)
            break;
        u->end += (size_t)got;
    }
    u->compression = recognise(u->input, u->end);
    return start_decoder(u, e);
}

const char *unpack_compression(const struct unpack *u)
{
    return compression_names[u->compression];
}

void unpack_end(struct unpack *u)
{
    if (u->fd >= 0)
        close(u->fd);
    if (u->compression == UNPACK_GZIP || u->compression == UNPACK_ZIP)
        inflateEnd(&u->gzip);
    if (u->compression == UNPACK_BZIP2)
        BZ2_bzDecompressEnd(&u->bzip2);
    lzma_end(&u->xz);
    ZSTD_freeDCtx(u->zstd);
    free(u->input);
    free(u->name);
}
