#include "base/stream.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/assert.h"
#include "base/text_decode.h"
#include "base/unpack.h"

#define LINE_BYTES_FIRST (64u << 10)

struct stream {
    struct unpack from;
    struct text_decode text;
    bool as_text;      /* `text` decodes what `from` returns */
    const char *bytes; /* of stream_open_bytes(): the bytes not yet returned */
    size_t bytes_left;
    char *line; /* decompressed, not yet returned by stream_line(): line[line_at .. line_end) */
    size_t line_at, line_end, line_capacity;
    uint64_t lines;
    uint64_t unpacked; /* bytes received from `from` */
};

/* --- opening --- */

static struct stream *stream_new(int fd, struct err *e)
{
    struct stream *s = mem_zalloc(1, sizeof *s, e);

    if (!s && fd >= 0)
        close(fd);
    return s;
}

/* Takes over s, which may be NULL, and fd. */
static int begin(struct stream *s, int fd, stream_read_fn read_fn, void *ctx, const char *name, struct stream **out,
                 struct err *e)
{
    *out = NULL;
    if (!s)
        return -1;
    if (unpack_begin(&s->from, fd, read_fn, ctx, name, e) < 0) {
        stream_close(s);
        return -1;
    }
    *out = s;
    return 0;
}

int stream_open_fd(int fd, const char *name, struct stream **out, struct err *e)
{
    return begin(stream_new(fd, e), fd, NULL, NULL, name, out, e);
}

int stream_open_fn(stream_read_fn read_fn, void *ctx, const char *name, struct stream **out, struct err *e)
{
    return begin(stream_new(-1, e), -1, read_fn, ctx, name, out, e);
}

static ssize_t read_bytes(void *ctx, void *buffer, size_t n, struct err *e)
{
    struct stream *s = ctx;

    (void)e;
    n = n < s->bytes_left ? n : s->bytes_left;
    if (n)
        memcpy(buffer, s->bytes, n);
    s->bytes += n;
    s->bytes_left -= n;
    return (ssize_t)n;
}

int stream_open_bytes(const void *bytes, size_t n, const char *name, struct stream **out, struct err *e)
{
    struct stream *s = stream_new(-1, e);

    if (s) {
        s->bytes = n ? bytes : "";
        s->bytes_left = n;
    }
    return begin(s, -1, read_bytes, s, name, out, e);
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
    text_decode_end(&s->text);
    unpack_end(&s->from);
    free(s->line);
    free(s);
}

/* --- reading --- */

int stream_as_text(struct stream *s, struct err *e)
{
    ASSERT(!s->as_text && s->unpacked == 0);
    s->as_text = true;
    return text_decode_begin(&s->text, &s->from, e);
}

static ssize_t read_source(struct stream *s, void *buffer, size_t n, struct err *e)
{
    ssize_t got =
        s->as_text ? text_decode_read(&s->text, &s->from, buffer, n, e) : unpack_read(&s->from, buffer, n, e);

    s->unpacked += got > 0 ? (uint64_t)got : 0;
    return got;
}

ssize_t stream_read(struct stream *s, void *buffer, size_t n, struct err *e)
{
    size_t have = s->line_end - s->line_at;

    if (have == 0)
        return read_source(s, buffer, n, e);
    if (have > n)
        have = n;
    memcpy(buffer, s->line + s->line_at, have);
    s->line_at += have;
    return (ssize_t)have;
}

/* Makes room behind line_end for a line of at most `most` bytes. The buffer never grows beyond the size of the
 * longest line, its line end of up to two bytes, and the NUL. */
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
    err_set(e, ERR_INVALID, "%s: line %llu is longer than %zu bytes", s->from.name,
            (unsigned long long)s->lines + 1, most);
    s->from.error = *e;
    return -1;
}

/* Returns line[line_at .. line_at + n) to the caller; the last `ending` bytes are the line end. */
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
        if (have > most + 1) /* one byte over the limit may be the '\r' of "\r\n" */
            return line_too_long(s, most, e);
        if (line_room(s, most, e) < 0)
            return -1;
        got = read_source(s, s->line + s->line_end, s->line_capacity - s->line_end - 1, e);
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
    return s->from.taken - (s->from.end - s->from.at);
}

uint64_t stream_position(const struct stream *s)
{
    return s->unpacked - (s->line_end - s->line_at);
}

int stream_plain_file(const struct stream *s)
{
    struct stat st;

    return !s->as_text && s->from.fd >= 0 && s->from.compression == UNPACK_NONE && fstat(s->from.fd, &st) == 0 &&
                   S_ISREG(st.st_mode)
               ? s->from.fd
               : -1;
}

const char *stream_name(const struct stream *s)
{
    return s->from.name;
}

const char *stream_compression(const struct stream *s)
{
    return unpack_compression(&s->from);
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
