/* base/archive_write.h: a tar file (ustar), compressed with zstd on the way. Times, owners and modes are fixed, so
 * that the same members give the same bytes with the same version of zstd. */
#ifndef VIVACE_BASE_ARCHIVE_WRITE_H
#define VIVACE_BASE_ARCHIVE_WRITE_H

#include <stddef.h>

#include "base/err.h"

struct archive_writer; /* opaque */
/* Writes from the current offset of fd. The caller keeps fd and closes it. */
struct archive_writer *archive_writer_new(int fd, struct err *e);
/* name: relative, without "..", at most 100 bytes, or 256 where it can be split at a '/' (else ERR_INVALID). */
int archive_writer_bytes(struct archive_writer *w, const char *name, const void *bytes, size_t n, struct err *e);
/* As archive_writer_bytes(), with the present content of the file at `path`. */
int archive_writer_file(struct archive_writer *w, const char *name, const char *path, struct err *e);
int archive_writer_finish(struct archive_writer *w,
                          struct err *e);           /* after this, call only archive_writer_free() */
void archive_writer_free(struct archive_writer *w); /* NULL is fine */

#endif
