/* base/stream.h: bytes from a file, decompressed on the way (gzip, xz, zstd, bzip2, a ZIP archive of one file;
 * recognised by content, never by name). Constant memory whatever the length; a decompressor may use at most 128
 * MiB of window. */
#ifndef VIVACE_BASE_STREAM_H
#define VIVACE_BASE_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/err.h"
#include "base/strbuf.h"

struct stream; /* opaque */

int stream_open(const char *path, struct stream **out, struct err *e);
/* As stream_open(), with another name for messages. So messages about a copy can name the original file. */
int stream_open_as(const char *path, const char *name, struct stream **out, struct err *e);
/* Takes over fd; `name` is for messages. */
int stream_open_fd(int fd, const char *name, struct stream **out, struct err *e);
/* Any source of bytes, e.g. a member of an archive or a fuzzer's buffer. `read` returns the bytes it put into
 * buffer, 0 at the end, -1 with *e filled. Compressed content is decompressed here too. */
typedef ssize_t (*stream_read_fn)(void *ctx, void *buffer, size_t n, struct err *e);
int stream_open_fn(stream_read_fn read, void *ctx, const char *name, struct stream **out, struct err *e);
/* Opens bytes in memory. They must stay valid until the stream is closed. */
int stream_open_bytes(const void *bytes, size_t n, const char *name, struct stream **out, struct err *e);

/* From now on, s returns text as UTF-8 with "\n" line ends (base/text_decode.h). To be called before the first
 * read. */
int stream_as_text(struct stream *s, struct err *e);

/* Up to n decompressed bytes; 0 at the end. A compressed file that stops in the middle is an error
 * (ERR_INVALID, "... ends in the middle of its gzip data"). */
ssize_t stream_read(struct stream *s, void *buffer, size_t n, struct err *e);
/* The next line without its end ("\n" or "\r\n"), NUL-terminated, valid until the next call on s.
 * 1, or 0 at the end, or -1: a line longer than `most` bytes is ERR_INVALID. *complete (if not NULL) is false
 * when the last line has no line end. */
int stream_line(struct stream *s, size_t most, char **line, size_t *length, bool *complete, struct err *e);
uint64_t stream_line_number(const struct stream *s); /* lines returned so far */
uint64_t stream_bytes_in(const struct stream *s);    /* (compressed) bytes consumed, for progress */
uint64_t stream_position(const struct stream *s);    /* decompressed bytes returned so far */
/* The descriptor, for pread(), where the stream is a regular file without compression; else -1. The stream keeps
 * ownership of it. */
int stream_plain_file(const struct stream *s);
const char *stream_name(const struct stream *s);
const char *stream_compression(const struct stream *s); /* "none", "gzip", "xz", "zstd", "bzip2", "zip" */
/* Appends the file's decompressed content to b. Stops as soon as b has more than `most` bytes: the caller checks
 * b->length and reports the error. */
int stream_read_whole(const char *path, size_t most, struct strbuf *b, struct err *e);
void stream_close(struct stream *s); /* NULL is fine */

#endif
