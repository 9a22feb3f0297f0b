/* Reads the one file of a ZIP archive as a stream (PKWARE, APPNOTE.TXT 6.3.10, section 4.3): stored or
 * deflated. An archive of several files has no single content and is refused. Of the list at the end of the archive
 * only the lengths are read, to see that the archive is whole. */
#include <string.h>

#include "base/unpack_internal.h"

#define LOCAL_HEADER    30 /* bytes before the name */
#define SIGNATURE(a, b) (0x50u | 0x4bu << 8 | (a) << 16 | (uint32_t)(b) << 24)
#define LOCAL           SIGNATURE(3, 4)
#define DESCRIPTOR      SIGNATURE(7, 8)
#define CENTRAL         SIGNATURE(1, 2)
#define END             SIGNATURE(5, 6)
#define END_64          SIGNATURE(6, 6)
#define LOCATOR_64      SIGNATURE(6, 7)
#define IN_ZIP64        UINT32_MAX /* a size that a field of the header's end has */

#define EXTRA_ZIP64 1u

enum { FLAG_ENCRYPTED = 1, FLAG_DESCRIPTOR = 8 };
enum { METHOD_STORED = 0, METHOD_DEFLATED = 8 };

static uint32_t number(const unsigned char *p, size_t size)
{
    uint32_t v = 0;

    for (size_t i = 0; i < size; i++)
        v |= (uint32_t)p[i] << (8 * i);
    return v;
}

/* Takes exactly n bytes; NULL: dropped. */
static int take(struct unpack *u, unsigned char *out, size_t n, struct err *e)
{
    while (n > 0) {
        int more = unpack_need_input(u, e);
        size_t have = u->end - u->at;

        if (more <= 0)
            return more < 0 ? -1 : unpack_ends_in_the_middle(u, e);
        have = have < n ? have : n;
        if (out) {
            memcpy(out, u->input + u->at, have);
            out += have;
        }
        u->at += have;
        n -= have;
    }
    return 0;
}

static int refuse(struct unpack *u, const char *what, struct err *e)
{
    err_set(e, ERR_UNSUPPORTED, "%s: %s", u->name, what);
    return err_hint(e, "Unpack it first.");
}

/* The extra fields of a header: each has an id and a length of 2 bytes. The one of ZIP64 has the unpacked and the
 * packed size in 8 bytes each, where the header has IN_ZIP64; the descriptor's sizes then have 8 bytes as well. */
static int extra_fields(struct unpack *u, size_t n, struct err *e)
{
    unsigned char h[16];

    u->zip.wide = false;
    while (n >= 4) {
        size_t length;
        bool zip64;

        if (take(u, h, 4, e) < 0)
            return -1;
        n -= 4;
        zip64 = number(h, 2) == EXTRA_ZIP64;
        length = number(h + 2, 2);
        length = length < n ? length : n;
        n -= length;
        if (zip64 && length >= sizeof h) {
            if (take(u, h, sizeof h, e) < 0)
                return -1;
            length -= sizeof h;
            if (u->zip.left == IN_ZIP64)
                u->zip.left = number(h + 8, 4) | (uint64_t)number(h + 12, 4) << 32;
        }
        u->zip.wide |= zip64;
        if (take(u, NULL, length, e) < 0)
            return -1;
    }
    return take(u, NULL, n, e);
}

/* The signature was read. */
static int local_header(struct unpack *u, struct err *e)
{
    unsigned char h[LOCAL_HEADER - 4];
    unsigned flags, method;

    if (take(u, h, sizeof h, e) < 0)
        return -1;
    flags = number(h + 2, 2);
    method = number(h + 4, 2);
    u->zip.crc = number(h + 10, 4);
    u->zip.left = number(h + 14, 4);
    u->zip.descriptor = (flags & FLAG_DESCRIPTOR) != 0;
    u->zip.stored = method == METHOD_STORED;
    u->zip.seen_crc = 0;
    u->zip.unpacked = 0;
    if (flags & FLAG_ENCRYPTED)
        return refuse(u, "the ZIP archive is encrypted", e);
    if (method != METHOD_STORED && method != METHOD_DEFLATED)
        return refuse(u, "the ZIP archive is compressed by a method other than deflate", e);
    return take(u, NULL, number(h + 22, 2), e) < 0 ? -1 : extra_fields(u, number(h + 24, 2), e);
}

/* A stored file whose size is not in its header can only be read if it is empty: a descriptor of zeros follows. */
static int skip_empty(struct unpack *u, struct err *e)
{
    static const unsigned char zeros[20];
    unsigned char d[20];
    size_t n = u->zip.wide ? 20 : 12;

    if (take(u, d, 4, e) < 0)
        return -1;
    if (number(d, 4) == DESCRIPTOR) {
        if (take(u, d, n, e) < 0)
            return -1;
        if (memcmp(d, zeros, n) == 0)
            return 0;
    }
    return refuse(u, "the ZIP archive stores a file without its size", e);
}

/* Skips the list of files, from its first signature on. 0: the archive is whole. */
static int skip_list(struct unpack *u, uint32_t signature, struct err *e)
{
    unsigned char r[42];

    for (;;) {
        size_t rest = 0;
        int more;

        switch (signature) {
        case CENTRAL:
            if (take(u, r, 42, e) < 0)
                return -1;
            rest = number(r + 24, 2) + number(r + 26, 2) + number(r + 28, 2);
            break;
        case END_64: /* its length, in 8 bytes */
            if (take(u, r, 8, e) < 0)
                return -1;
            rest = number(r, 4);
            break;
        case LOCATOR_64: rest = 16; break;
        case END:
            if (take(u, r, 18, e) < 0 || take(u, NULL, number(r + 16, 2), e) < 0)
                return -1;
            more = unpack_need_input(u, e);
            return more > 0 ? unpack_damaged(u, "other data follows it", e) : more;
        default: return unpack_damaged(u, "its list of files is wrong", e);
        }
        if (take(u, NULL, rest, e) < 0 || take(u, r, 4, e) < 0)
            return -1;
        signature = number(r, 4);
    }
}

/* Begins the next file; skips folders and empty files that are stored. 1; 0: the archive ended. */
static int next_file(struct unpack *u, struct err *e)
{
    unsigned char signature[4];

    for (;;) {
        if (take(u, signature, sizeof signature, e) < 0)
            return -1;
        if (number(signature, 4) == CENTRAL || number(signature, 4) == END)
            return skip_list(u, number(signature, 4), e);
        if (number(signature, 4) != LOCAL)
            return unpack_damaged(u, "a header is wrong", e);
        if (local_header(u, e) < 0)
            return -1;
        if (u->zip.stored && u->zip.descriptor) {
            if (skip_empty(u, e) < 0)
                return -1;
            continue;
        }
        if (u->zip.stored && u->zip.left == 0)
            continue;
        if (inflateReset2(&u->gzip, -15) != Z_OK)
            return err_set(e, ERR_INTERNAL, "%s: zlib could not be restarted", u->name);
        u->between = false;
        return 1;
    }
}

/* After the file's last byte: its checksum, from the header or from the descriptor that follows the data. */
static int end_of_file(struct unpack *u, struct err *e)
{
    unsigned char d[8];
    uint32_t crc = u->zip.crc;

    u->between = true;
    if (u->zip.descriptor) {
        if (take(u, d, 4, e) < 0 || (number(d, 4) == DESCRIPTOR && take(u, d, 4, e) < 0))
            return -1;
        crc = number(d, 4);
        if (take(u, d, 8, e) < 0)
            return -1;
        /* In ZIP64 the sizes have 8 bytes: the second field of 4 is then not the unpacked size. Of an empty file
         * both are 0; then the header's extra field decides. */
        if ((number(d + 4, 4) != (uint32_t)u->zip.unpacked || (u->zip.unpacked == 0 && u->zip.wide)) &&
            take(u, d, 8, e) < 0)
            return -1;
    }
    return crc == u->zip.seen_crc ? 0 : unpack_damaged(u, "its checksum is wrong", e);
}

static ssize_t read_stored(struct unpack *u, void *out, size_t n, struct err *e)
{
    if (n > u->zip.left)
        n = u->zip.left;
    if (n > u->end - u->at && u->end > u->at)
        n = u->end - u->at;
    if (n > (1u << 16))
        n = 1u << 16;
    if (take(u, out, n, e) < 0)
        return -1;
    u->zip.left -= n;
    u->zip.ended = u->zip.left == 0;
    return (ssize_t)n;
}

static ssize_t read_deflated(struct unpack *u, void *out, size_t n, struct err *e)
{
    u->gzip.next_out = out;
    u->gzip.avail_out = n > (1u << 30) ? 1u << 30 : (uInt)n;
    n = u->gzip.avail_out;
    while (u->gzip.avail_out == n && !u->zip.ended) {
        int more = unpack_need_input(u, e), status;

        if (more <= 0)
            return more < 0 ? -1 : unpack_ends_in_the_middle(u, e);
        u->gzip.next_in = u->input + u->at;
        u->gzip.avail_in = (uInt)(u->end - u->at);
        status = inflate(&u->gzip, Z_NO_FLUSH);
        u->at = u->end - u->gzip.avail_in;
        if (status == Z_MEM_ERROR)
            return err_no_memory(e);
        if (status != Z_OK && status != Z_BUF_ERROR && status != Z_STREAM_END)
            return unpack_damaged(u, u->gzip.msg ? u->gzip.msg : "unknown", e);
        u->zip.ended = status == Z_STREAM_END;
    }
    return (ssize_t)(n - u->gzip.avail_out);
}

ssize_t unpack_zip_read(struct unpack *u, void *out, size_t n, struct err *e)
{
    for (;;) {
        int more = u->between ? next_file(u, e) : 1;
        ssize_t got;

        if (more <= 0)
            return more;
        u->zip.ended = false;
        got = u->zip.stored ? read_stored(u, out, n, e) : read_deflated(u, out, n, e);
        if (got < 0)
            return -1;
        u->zip.seen_crc = (uint32_t)crc32(u->zip.seen_crc, out, (uInt)got);
        u->zip.unpacked += (uint64_t)got;
        if (got > 0 && u->zip.unpacked == (uint64_t)got && u->zip.files++ > 0)
            return refuse(u, "the ZIP archive has several files", e);
        if (u->zip.ended && end_of_file(u, e) < 0)
            return -1;
        if (got > 0)
            return got;
    }
}
