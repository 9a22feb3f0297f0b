/* tests/unit/base/compressed.h: bytes in memory, compressed by each library, and a stream over them. */
#ifndef VIVACE_TESTS_UNIT_BASE_COMPRESSED_H
#define VIVACE_TESTS_UNIT_BASE_COMPRESSED_H

#include <bzlib.h>
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

static inline void add_bzip2(struct strbuf *out, const void *bytes, size_t n)
{
    unsigned most = (unsigned)(n + n / 100 + 1000);
    char *buffer = malloc(most);

    assert_non_null(buffer);
    assert_int_equal(BZ2_bzBuffToBuffCompress(buffer, &most, (char *)(uintptr_t)bytes, (unsigned)n, 1, 0, 0),
                     BZ_OK);
    strbuf_add(out, buffer, most);
    free(buffer);
}

static inline void add_le(struct strbuf *out, uint64_t value, size_t size)
{
    for (; size > 0; size--, value >>= 8)
        strbuf_addc(out, (char)value);
}

/* A file of a ZIP archive. */
struct zip_entry {
    const char *name;
    const void *bytes;
    size_t length;
    bool stored, descriptor, zip64;
    uint16_t flags, method; /* added to those that follow from the other members */
};

static inline void add_zip_entry(struct strbuf *out, const struct zip_entry *z)
{
    size_t most = z->length + z->length / 100 + 1000, packed = z->length;
    unsigned char *buffer = malloc(most);
    uint32_t crc = (uint32_t)crc32(0, z->bytes, (unsigned)z->length);
    z_stream s = {0};

    assert_non_null(buffer);
    if (!z->stored) {
        assert_int_equal(deflateInit2(&s, 6, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY), Z_OK);
        s.next_in = (unsigned char *)(uintptr_t)z->bytes;
        s.avail_in = (unsigned)z->length;
        s.next_out = buffer;
        s.avail_out = (unsigned)most;
        assert_int_equal(deflate(&s, Z_FINISH), Z_STREAM_END);
        packed = most - s.avail_out;
        deflateEnd(&s);
    }
    add_le(out, 0x04034b50, 4);
    add_le(out, 20, 2);
    add_le(out, (z->descriptor ? 8u : 0u) | z->flags, 2);
    add_le(out, (z->stored ? 0u : 8u) + z->method, 2);
    add_le(out, 0, 4);
    add_le(out, z->descriptor ? 0 : crc, 4);
    add_le(out, z->descriptor ? 0 : z->zip64 ? UINT32_MAX : packed, 4);
    add_le(out, z->descriptor ? 0 : z->zip64 ? UINT32_MAX : z->length, 4);
    add_le(out, strlen(z->name), 2);
    add_le(out, z->zip64 ? 24 : 4, 2);
    strbuf_adds(out, z->name);
    add_le(out, 0x0000cafe, 4); /* an extra field without content */
    if (z->zip64) {
        add_le(out, 0x00100001, 4);
        add_le(out, z->length, 8);
        add_le(out, packed, 8);
    }
    strbuf_add(out, z->stored ? z->bytes : buffer, packed);
    if (z->descriptor) {
        add_le(out, 0x08074b50, 4);
        add_le(out, crc, 4);
        add_le(out, packed, z->zip64 ? 8 : 4);
        add_le(out, z->length, z->zip64 ? 8 : 4);
    }
    free(buffer);
}

/* The list of files and the end of the archive, without offsets: readers of a stream do not use them. */
static inline void add_zip_end(struct strbuf *out, const char *name)
{
    add_le(out, 0x02014b50, 4);
    for (int i = 0; i < 24; i++)
        strbuf_addc(out, 0);
    add_le(out, strlen(name), 2);
    for (int i = 0; i < 16; i++)
        strbuf_addc(out, 0);
    strbuf_adds(out, name);
    add_le(out, 0x06054b50, 4);
    for (int i = 0; i < 16; i++)
        strbuf_addc(out, 0);
    add_le(out, 3, 2);
    strbuf_adds(out, "end"); /* a comment */
}

static inline void add_zip(struct strbuf *out, const void *bytes, size_t n)
{
    const struct zip_entry z = {.name = "folder/report.csv", .bytes = bytes, .length = n};

    add_zip_entry(out, &z);
    add_zip_end(out, z.name);
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
