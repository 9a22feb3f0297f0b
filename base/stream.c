#include "base/stream.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <lzma.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "base/array.h"

#define INPUT_BYTES      (64u << 10)
#define WINDOW_LOG_MAX   27             /* 2^27 bytes: 128 MiB */
#define XZ_MEMORY_MAX    (144ull << 20) /* a window of 128 MiB and what liblzma keeps beside it */
#define LINE_BYTES_FIRST (64u << 10)
#define MAGIC_BYTES      6

enum compression { NONE, GZIP, XZ, ZSTD };
static const char *const compression_names[] = {"none", "gzip", "xz", "zstd"};

struct stream {
    char *name;
    int fd; /* -1: `read` instead */
    stream_read_fn read;
    void *ctx;

    unsigned char *input; /* bytes of the file, not yet decompressed: input[at .. end) */
    size_t at, end;
    uint64_t taken; /* bytes got from the file so far */
    bool file_ended;

    enum compression compression;
    bool between;     /* at the start, or after a whole member, frame or stream: here the file may end */
    bool finished;    /* all content was given out */
    struct err error; /* the first one; what follows it would be nonsense, so it is reported again */
    z_stream gzip;
    lzma_stream xz;
    ZSTD_DCtx *zstd;

    char *line; /* decompressed, not yet given out by stream_line(): line[line_at .. line_end) */
    size_t line_at, line_end, line_capacity;
    uint64_t lines;
};

/* --- bytes from the file --- */

static ssize_t source_read(struct stream *s, void *buffer, size_t n, struct err *e)
{
    ssize_t got;

    if (s->file_ended)
        return 0;
    if (s->fd < 0) {
        got = s->read(s->ctx, buffer, n, e);
    } else {
        do
            got = read(s->fd, buffer, n);
        while (got < 0 && errno == EINTR);
        if (got < 0)
            err_set_errno(e, errno, "cannot read %s", s->name);
    }
    if (got > 0)
        s->taken += (uint64_t)got;
    if (got == 0)
        s->file_ended = true;
    return got;
}

/* Makes at least one byte of input there. 1, 0 when the file is over, -1. */
static int need_input(struct stream *s, struct err *e)
{
    ssize_t got;

    if (s->at < s->end)
        return 1;
    got = source_read(s, s->input, INPUT_BYTES, e);
    if (got <= 0)
        return (int)got;
    s->at = 0;
    s->end = (size_t)got;
    return 1;
}

static int ends_in_the_middle(struct stream *s, struct err *e)
{
    err_set(e, ERR_INVALID, "%s ends in the middle of its %s data", s->name, compression_names[s->compression]);
    return err_hint(e, "The file was cut short; copy or make it again.");
}

static int damaged(struct stream *s, const char *why, struct err *e)
{
    return err_set(e, ERR_INVALID, "%s: its %s data is damaged (%s)", s->name, compression_names[s->compression],
                   why);
}

static int window_too_large(struct stream *s, struct err *e)
{
    err_set(e, ERR_UNSUPPORTED, "%s: unpacking its %s data needs more than 128 MiB of memory", s->name,
            compression_names[s->compression]);
    return err_hint(e, "Compress it again with a smaller window (no --long or --ultra).");
}

/* --- one decoder each: up to n bytes into `out`; 0 at the end --- */

static ssize_t read_none(struct stream *s, void *out, size_t n, struct err *e)
{
    size_t have = s->end - s->at;

    if (have == 0)
        return source_read(s, out, n, e);
    if (have > n)
        have = n;
    memcpy(out, s->input + s->at, have);
    s->at += have;
    return (ssize_t)have;
}

/* After a member: another one follows, or zeros that pad to a block (tapes), or the file is over. 1: goes on. */
static int next_gzip_member(struct stream *s, struct err *e)
{
    int more;

    while ((more = need_input(s, e)) > 0 && s->input[s->at] == 0)
        s->at++;
    if (more <= 0)
        return more;
    if (s->input[s->at] != 0x1f)
        return damaged(s, "something else follows it", e);
    if (inflateReset(&s->gzip) != Z_OK)
        return err_set(e, ERR_INTERNAL, "%s: zlib could not start again", s->name);
    s->between = false;
    return 1;
}

static ssize_t read_gzip(struct stream *s, void *out, size_t n, struct err *e)
{
    s->gzip.next_out = out;
    s->gzip.avail_out = n > (1u << 30) ? 1u << 30 : (uInt)n;
    n = s->gzip.avail_out;
    while (s->gzip.avail_out == n) {
        int more = s->between ? next_gzip_member(s, e) : need_input(s, e), status;

        if (more < 0)
            return -1;
        if (more == 0)
            return s->between ? 0 : ends_in_the_middle(s, e);
        s->gzip.next_in = s->input + s->at;
        s->gzip.avail_in = (uInt)(s->end - s->at);
        status = inflate(&s->gzip, Z_NO_FLUSH);
        s->at = s->end - s->gzip.avail_in;
        if (status == Z_STREAM_END)
            s->between = true;
        else if (status == Z_MEM_ERROR)
            return err_no_memory(e);
        else if (status != Z_OK && status != Z_BUF_ERROR)
            return damaged(s, s->gzip.msg ? s->gzip.msg : "unknown", e);
    }
    return (ssize_t)(n - s->gzip.avail_out);
}

static ssize_t read_xz(struct stream *s, void *out, size_t n, struct err *e)
{
    s->xz.next_out = out;
    s->xz.avail_out = n;
    while (s->xz.avail_out == n) {
        int more = need_input(s, e);
        lzma_ret status;

        if (more < 0)
            return -1;
        s->xz.next_in = s->input + s->at;
        s->xz.avail_in = more ? s->end - s->at : 0;
        status = lzma_code(&s->xz, more ? LZMA_RUN : LZMA_FINISH);
        if (more)
            s->at = s->end - s->xz.avail_in;
        switch (status) {
        case LZMA_OK: break;
        case LZMA_STREAM_END: s->finished = true; return (ssize_t)(n - s->xz.avail_out);
        case LZMA_BUF_ERROR:
            if (!more)
                return ends_in_the_middle(s, e);
            break;
        case LZMA_MEM_ERROR: return err_no_memory(e);
        case LZMA_MEMLIMIT_ERROR: return window_too_large(s, e);
        case LZMA_OPTIONS_ERROR: return damaged(s, "options this reader does not know", e);
        case LZMA_FORMAT_ERROR: return damaged(s, "something else follows it", e);
        default: return damaged(s, "a checksum or a header is wrong", e);
        }
    }
    return (ssize_t)(n - s->xz.avail_out);
}

static ssize_t read_zstd(struct stream *s, void *out, size_t n, struct err *e)
{
    ZSTD_outBuffer to = {out, n, 0};

    while (to.pos == 0) {
        /* What is still inside the decoder comes out without new input. */
        ZSTD_inBuffer from = {s->input, s->end, s->at};
        bool had_input = s->at < s->end;
        size_t status = ZSTD_decompressStream(s->zstd, &to, &from);
        int more;

        s->at = from.pos;
        if (ZSTD_isError(status))
            switch (ZSTD_getErrorCode(status)) {
            case ZSTD_error_frameParameter_windowTooLarge: return window_too_large(s, e);
            case ZSTD_error_memory_allocation: return err_no_memory(e);
            default: return damaged(s, ZSTD_getErrorName(status), e);
            }
        if (had_input || to.pos > 0)
            s->between = status == 0;
        if (to.pos > 0 || s->at < s->end)
            continue;
        more = need_input(s, e);
        if (more < 0)
            return -1;
        if (more == 0)
            return s->between ? 0 : ends_in_the_middle(s, e);
    }
    return (ssize_t)to.pos;
}

/* What the decoders give, as long as nothing went wrong. */
static ssize_t content_read(struct stream *s, void *out, size_t n, struct err *e)
{
    ssize_t got = 0;

    if (s->error.code) {
        *e = s->error;
        return -1;
    }
    if (s->finished || n == 0)
        return 0;
    switch (s->compression) {
    case NONE: got = read_none(s, out, n, e); break;
    case GZIP: got = read_gzip(s, out, n, e); break;
    case XZ: got = read_xz(s, out, n, e); break;
    case ZSTD: got = read_zstd(s, out, n, e); break;
    }
    if (got == 0)
        s->finished = true;
    if (got < 0)
        s->error = *e;
    return got;
}

/* --- opening --- */

static enum compression recognise(const unsigned char *p, size_t n)
{
    if (n >= 3 && memcmp(p, "\x1f\x8b\x08", 3) == 0)
        return GZIP;
    if (n >= 6 && memcmp(p,
                         "\xfd"
                         "7zXZ\0",
                         6) == 0)
        return XZ;
    if (n >= 4 && memcmp(p, "\x28\xb5\x2f\xfd", 4) == 0)
        return ZSTD;
    if (n >= 4 && (p[0] & 0xf0) == 0x50 && memcmp(p + 1, "\x2a\x4d\x18", 3) == 0)
        return ZSTD; /* a skippable frame, with which pzstd begins */
    return NONE;
}

static int start_decoder(struct stream *s, struct err *e)
{
    switch (s->compression) {
    case NONE: break;
    case GZIP:
        if (inflateInit2(&s->gzip, 15 + 16) != Z_OK)
            return err_no_memory(e);
        break;
    case XZ:
        if (lzma_stream_decoder(&s->xz, XZ_MEMORY_MAX, LZMA_CONCATENATED) != LZMA_OK)
            return err_no_memory(e);
        break;
    case ZSTD:
        s->zstd = ZSTD_createDCtx();
        if (!s->zstd || ZSTD_isError(ZSTD_DCtx_setParameter(s->zstd, ZSTD_d_windowLogMax, WINDOW_LOG_MAX)))
            return err_no_memory(e);
        break;
    }
    return 0;
}

static int begin(struct stream *s, const char *name, struct err *e)
{
    s->name = mem_strdup(name, e);
    s->input = mem_zalloc(INPUT_BYTES, 1, e);
    if (!s->name || !s->input)
        return err_no_memory(e);
    while (s->end < MAGIC_BYTES) {
        ssize_t got = source_read(s, s->input + s->end, INPUT_BYTES - s->end, e);

        if (got < 0)
            return -1;
        if (got == 0)
            break;
        s->end += (size_t)got;
    }
    s->compression = recognise(s->input, s->end);
    return start_decoder(s, e);
}

static int open_source(int fd, stream_read_fn read_fn, void *ctx, const char *name, struct stream **out,
                       struct err *e)
{
    struct stream *s = mem_zalloc(1, sizeof *s, e);

    *out = NULL;
    if (!s) {
        if (fd >= 0)
            close(fd);
        return -1;
    }
    s->fd = fd;
    s->read = read_fn;
    s->ctx = ctx;
    if (begin(s, name, e) < 0) {
        stream_close(s);
        return -1;
    }
    *out = s;
    return 0;
}

int stream_open_fd(int fd, const char *name, struct stream **out, struct err *e)
{
    return open_source(fd, NULL, NULL, name, out, e);
}

int stream_open_fn(stream_read_fn read_fn, void *ctx, const char *name, struct stream **out, struct err *e)
{
    return open_source(-1, read_fn, ctx, name, out, e);
}

int stream_open_as(const char *path, const char *name, struct stream **out, struct err *e)
{
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC);

    *out = NULL;
    if (fd < 0) {
        err_set_errno(e, errno, "cannot open %s", name);
        return -1;
    }
    if (fstat(fd, &st) == 0 && S_ISDIR(st.st_mode)) {
        close(fd);
        err_set(e, ERR_INVALID, "%s is a folder, not a file", name);
        return -1;
    }
    return stream_open_fd(fd, name, out, e);
}

int stream_open(const char *path, struct stream **out, struct err *e)
{
    return stream_open_as(path, path, out, e);
}

void stream_close(struct stream *s)
{
    if (!s)
        return;
    if (s->fd >= 0)
        close(s->fd);
    if (s->compression == GZIP)
        inflateEnd(&s->gzip);
    lzma_end(&s->xz);
    ZSTD_freeDCtx(s->zstd);
    free(s->line);
    free(s->input);
    free(s->name);
    free(s);
}

/* --- reading --- */

ssize_t stream_read(struct stream *s, void *buffer, size_t n, struct err *e)
{
    size_t have = s->line_end - s->line_at;

    if (have == 0)
        return content_read(s, buffer, n, e);
    if (have > n)
        have = n;
    memcpy(buffer, s->line + s->line_at, have);
    s->line_at += have;
    return (ssize_t)have;
}

/* Room behind line_end for more of a line of at most `most` bytes. The buffer never grows beyond what such a line
 * needs: its end may be two bytes, and one is for the NUL. */
static int line_room(struct stream *s, size_t most, struct err *e)
{
    size_t want = s->line_capacity ? s->line_capacity : LINE_BYTES_FIRST;
    char *p;

    if (s->line_at > 0) {
        memmove(s->line, s->line + s->line_at, s->line_end - s->line_at);
        s->line_end -= s->line_at;
        s->line_at = 0;
    }
    if (s->line_end + 1 < s->line_capacity)
        return 0;
    if (s->line_capacity)
        want = want > SIZE_MAX / 2 ? SIZE_MAX : want * 2;
    if (want > LINE_BYTES_FIRST && want - 3 > most)
        want = most + 3;
    if (want < s->line_end + 2)
        want = s->line_end + 2;
    p = realloc(s->line, want);
    if (!p)
        return err_no_memory(e);
    s->line = p;
    s->line_capacity = want;
    return 0;
}

static int line_too_long(struct stream *s, size_t most, struct err *e)
{
    s->line_at = s->line_end = 0;
    err_set(e, ERR_INVALID, "%s: line %llu is longer than %zu bytes", s->name, (unsigned long long)s->lines + 1,
            most);
    s->error = *e;
    return -1;
}

/* Gives out line[line_at .. line_at + n), of which the last `ending` bytes are the line's end. */
static int give_line(struct stream *s, size_t n, bool ended, size_t most, char **line, size_t *length,
                     struct err *e)
{
    char *p = s->line + s->line_at;
    size_t text = n;

    if (ended && text > 0 && p[text - 1] == '\r')
        text--;
    if (text > most)
        return line_too_long(s, most, e);
    p[text] = '\0';
    s->line_at += n + (ended ? 1 : 0);
    s->lines++;
    *line = p;
    if (length)
        *length = text;
    return 1;
}

int stream_line(struct stream *s, size_t most, char **line, size_t *length, bool *complete, struct err *e)
{
    size_t searched = 0;
    ssize_t got;
    char *end;

    if (complete)
        *complete = true;
    for (;;) {
        size_t have = s->line_end - s->line_at;

        end = have > searched ? memchr(s->line + s->line_at + searched, '\n', have - searched) : NULL;
        if (end)
            return give_line(s, (size_t)(end - s->line) - s->line_at, true, most, line, length, e);
        searched = have;
        if (have > most + 1) /* one more than allowed may be the first half of "\r\n" */
            return line_too_long(s, most, e);
        if (line_room(s, most, e) < 0)
            return -1;
        got = content_read(s, s->line + s->line_end, s->line_capacity - s->line_end - 1, e);
        if (got < 0)
            return -1;
        if (got == 0)
            break;
        s->line_end += (size_t)got;
    }
    if (s->line_end == s->line_at)
        return 0;
    if (complete)
        *complete = false;
    return give_line(s, s->line_end - s->line_at, false, most, line, length, e);
}

uint64_t stream_line_number(const struct stream *s)
{
    return s->lines;
}

uint64_t stream_bytes_in(const struct stream *s)
{
    return s->taken - (s->end - s->at);
}

const char *stream_name(const struct stream *s)
{
    return s->name;
}

const char *stream_compression(const struct stream *s)
{
    return compression_names[s->compression];
}

int stream_read_whole(const char *path, size_t most, struct strbuf *b, struct err *e)
{
    struct stream *s = NULL;
    char piece[16384];
    ssize_t got;

    if (stream_open(path, &s, e) < 0)
        return -1;
    while ((got = stream_read(s, piece, sizeof piece, e)) > 0 && b->length <= most)
        strbuf_add(b, piece, (size_t)got);
    stream_close(s);
    if (got < 0)
        return -1;
    return b->failed ? err_no_memory(e) : 0;
}
