/* base/whole_file.h: reads and writes complete files. */
#ifndef VIVACE_BASE_WHOLE_FILE_H
#define VIVACE_BASE_WHOLE_FILE_H

#include <stddef.h>

#include "base/err.h"

/* Writes a temporary file beside `path` and renames it once it is on the disk. Readers of `path` see either the
 * complete new file or the old one. */
int whole_file_write(const char *path, const void *bytes, size_t n, struct err *e);
/* As whole_file_write(), except that an existing `path` that is not a regular file (a pipe, /dev/null, /dev/stdout)
 * is written in place. */
int whole_file_put(const char *path, const void *bytes, size_t n, struct err *e);
/* Writes all bytes to a descriptor, in several calls where needed; -1 with errno set. */
int fd_write_all(int fd, const void *bytes, size_t n);
/* Reads a whole file of at most `most` bytes; a larger one is ERR_TOO_LARGE. The content is malloc'ed, a NUL
 * follows it, and the caller frees it. */
int whole_file_read(const char *path, size_t most, char **bytes, size_t *n, struct err *e);

#endif
