/* base/archive.h: the members of a tar file (plain or compressed as a whole), one after the other, in constant
 * memory. Reads ustar, GNU and pax long names; links, devices and the like are skipped. Member names are
 * labels: a ".." part or a leading "/" is an error, so that no caller writes outside its folder. */
#ifndef VIVACE_BASE_ARCHIVE_H
#define VIVACE_BASE_ARCHIVE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/stream.h"

struct archive; /* opaque */
struct archive_member {
    const char *name; /* "dir/kernel-1.traceg", valid until the next archive_next() */
    uint64_t bytes;
};

/* Does the decompressed content begin with a tar header? 1: yes, 0: no, -1: error. */
int archive_recognise(const char *path, struct err *e);
int archive_open(const char *path, struct archive **out, struct err *e);
/* As archive_open(), for an open stream. The caller keeps the stream and closes it after archive_close(). */
int archive_open_stream(struct stream *s, struct archive **out, struct err *e);
int archive_next(struct archive *a, struct archive_member *out, struct err *e); /* 1, 0 at the end, -1 */
/* Opens a stream over the current member. A member that is itself compressed is decompressed too. The caller closes
 * the stream before the next archive_next(). */
int archive_member_stream(struct archive *a, struct stream **out, struct err *e);
/* Reads the next bytes of the current member without a stream and without decompressing the member. 0 at its end.
 */
ssize_t archive_member_read(struct archive *a, void *buffer, size_t n, struct err *e);
uint64_t archive_bytes_in(const struct archive *a);
void archive_close(struct archive *a);

#endif
