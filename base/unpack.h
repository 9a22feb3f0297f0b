/* base/unpack.h: the bytes of a file or any other source, decompressed; the base of base/stream.h. */
#ifndef VIVACE_BASE_UNPACK_H
#define VIVACE_BASE_UNPACK_H

#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

#include "base/stream.h"

enum compression { UNPACK_NONE, UNPACK_GZIP, UNPACK_XZ, UNPACK_ZSTD };

struct unpack {
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
};
/* Takes over fd; where that is -1, `read_fn` is asked for bytes instead. `u` was zeroed; unpack_end() in any case.
 */
int unpack_begin(struct unpack *u, int fd, stream_read_fn read_fn, void *ctx, const char *name, struct err *e);
/* Up to n bytes; 0 at the end; -1, and then for ever, once something went wrong. */
ssize_t unpack_read(struct unpack *u, void *out, size_t n, struct err *e);
const char *unpack_compression(const struct unpack *u); /* "none", "gzip", "xz", "zstd" */
void unpack_end(struct unpack *u);

#endif
