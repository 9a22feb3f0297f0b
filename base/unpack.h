/* base/unpack.h: the bytes of a file or any other source, decompressed; the base of base/stream.h. */
#ifndef VIVACE_BASE_UNPACK_H
#define VIVACE_BASE_UNPACK_H

#include <bzlib.h>
#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

#include "base/stream.h"

enum compression { UNPACK_NONE, UNPACK_GZIP, UNPACK_XZ, UNPACK_ZSTD, UNPACK_BZIP2, UNPACK_ZIP };

struct unpack {
    char *name;
    int fd; /* -1: `read` provides the bytes */
    stream_read_fn read;
    void *ctx;

    unsigned char *input; /* bytes of the file, not yet decompressed: input[at .. end) */
    size_t at, end;
    uint64_t taken; /* bytes read from the file so far */
    bool file_ended;

    enum compression compression;
    bool between;     /* at the start, or after a complete member, frame or stream: the file may end here */
    bool finished;    /* all content was returned */
    struct err error; /* the first error; every later call reports it again */
    z_stream gzip;    /* of ZIP archives as well */
    lzma_stream xz;
    ZSTD_DCtx *zstd;
    bz_stream bzip2;
    struct {
        uint32_t crc, seen_crc;
        uint64_t left, unpacked; /* left: bytes of a stored file */
        unsigned files;          /* files with content so far */
        bool stored, descriptor, ended;
        bool wide; /* the header has a field of ZIP64 */
    } zip;         /* of the current file (unpack_zip.c) */
};
/* Takes over fd; where fd is -1, `read_fn` provides the bytes. The caller zeroes *u first, and calls unpack_end()
 * also after an error. */
int unpack_begin(struct unpack *u, int fd, stream_read_fn read_fn, void *ctx, const char *name, struct err *e);
/* Reads up to n bytes. 0 at the end; -1 on error, and -1 at every later call. */
ssize_t unpack_read(struct unpack *u, void *out, size_t n, struct err *e);
const char *unpack_compression(const struct unpack *u); /* "none", "gzip", "xz", "zstd", "bzip2", "zip" */
void unpack_end(struct unpack *u);

#endif
