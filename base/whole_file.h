/* base/whole_file.h: files that are read and written whole. */
#ifndef VIVACE_BASE_WHOLE_FILE_H
#define VIVACE_BASE_WHOLE_FILE_H

#include <stddef.h>

#include "base/err.h"

/* Writes a file under a name of its own beside `path`, and renames it once it is on the disk: readers of `path`
 * sees all of it, or what was there before. */
int whole_file_write(const char *path, const void *bytes, size_t n, struct err *e);
/* The same; what is there and no regular file (a pipe, /dev/null, standard output's) is written in place. */
int whole_file_put(const char *path, const void *bytes, size_t n, struct err *e);
/* Writes all bytes to a descriptor, however many calls that takes; -1 with errno set. */
int fd_write_all(int fd, const void *bytes, size_t n);
/* Everything in a file of at most `most` bytes (else ERR_TOO_LARGE), malloc'ed, with a NUL behind it. */
int whole_file_read(const char *path, size_t most, char **bytes, size_t *n, struct err *e);

#endif
