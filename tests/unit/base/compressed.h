/* tests/unit/base/compressed.h: bytes in memory, compressed by each library, and a stream over them. */
#ifndef VIVACE_TESTS_UNIT_BASE_COMPRESSED_H
#define VIVACE_TESTS_UNIT_BASE_COMPRESSED_H

#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

#include "base/stream.h"
#include "base/strbuf.h"

static inline void add_gzip(struct strbuf *out, const void *bytes, size_t n)
{
    z_stream z = {0};
    size_t most = n + n / 100 + 1000;
    unsigned char *buffer = malloc(most);

    assert_non_null(buffer);
    assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    z.next_in = (unsigned char *)(uintptr_t)bytes;
    z.avail_in = (unsigned)n;
    z.next_out = buffer;
    z.avail_out = (unsigned)most;
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    strbuf_add(out, buffer, most - z.avail_out);
    deflateEnd(&z);
    free(buffer);
}

static inline void add_xz(struct strbuf *out, const void *bytes, size_t n)
{
    size_t most = lzma_stream_buffer_bound(n), used = 0;
    unsigned char *buffer = malloc(most);

    assert_non_null(buffer);
    assert_int_equal(lzma_easy_buffer_encode(1, LZMA_CHECK_CRC64, NULL, bytes, n, buffer, &used, most), LZMA_OK);
    strbuf_add(out, buffer, used);
    free(buffer);
}

static inline void add_zstd(struct strbuf *out, const void *bytes, size_t n)
{
    size_t most = ZSTD_compressBound(n);
    void *buffer = malloc(most);

    assert_non_null(buffer);
    n = ZSTD_compress(buffer, most, bytes, n, 1);
    assert_false(ZSTD_isError(n));
    strbuf_add(out, buffer, n);
    free(buffer);
}

static inline void add_plain(struct strbuf *out, const void *bytes, size_t n)
{
    strbuf_add(out, bytes, n);
}

/* A source that returns its bytes in pieces of at most `piece` bytes. */
struct memory {
    const char *at;
    size_t left, piece;
};

static inline ssize_t memory_read(void *ctx, void *buffer, size_t n, struct err *e)
{
    struct memory *m = ctx;

    (void)e;
    n = n < m->left ? n : m->left;
    n = m->piece && n > m->piece ? m->piece : n;
    memcpy(buffer, m->at, n);
    m->at += n;
    m->left -= n;
    return (ssize_t)n;
}

#endif
