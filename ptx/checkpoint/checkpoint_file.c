/* ptx/checkpoint/checkpoint_file.c: sections of a file. A section is: tag, flags, lengths, SHA-256 of these fields
 * and the bytes, then the bytes. The last section is "END.", so a file that is cut between two sections is
 * detected. */
#include "ptx/checkpoint/checkpoint_file.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "base/array.h"

enum { LEVEL = 1, HEAD = SECTION_TAG + 4 + 8 + 8 }; /* HEAD: length of the fields before the hash */
#define UNPACKED_MAX (64ull << 30)

static int damaged(struct err *e)
{
    return err_set(e, ERR_MALFORMED, "it is damaged or cut short");
}

static int hash_of(const void *head, const void *bytes, size_t n, uint8_t out[SHA256_BYTES], struct err *e)
{
    struct sha256 *h = sha256_new(e);

    if (!h)
        return -1;
    sha256_update(h, head, HEAD);
    sha256_update(h, bytes, n);
    sha256_final(h, out);
    sha256_free(h);
    return 0;
}

static int pack(const struct strbuf *content, void **packed, size_t *n, struct err *e)
{
    size_t bound = ZSTD_compressBound(content->length);

    *packed = mem_zalloc(bound, 1, e);
    if (!*packed)
        return -1;
    *n = ZSTD_compress(*packed, bound, content->text, content->length, LEVEL);
    return ZSTD_isError(*n) ? err_set(e, ERR_IO, "%s", ZSTD_getErrorName(*n)) : 0;
}

int section_add(struct strbuf *file, const char *tag, uint32_t flags, const struct strbuf *content, struct err *e)
{
    struct ptx_io head = {.saves = true, .out = STRBUF_INIT};
    uint64_t raw = content->length, stored = raw;
    uint8_t hash[SHA256_BYTES];
    const void *bytes = content->text;
    void *packed = NULL;
    int ret = content->failed ? err_no_memory(e) : 0;

    if (ret == 0 && flags & SECTION_PACKED && (ret = pack(content, &packed, &stored, e)) == 0)
        bytes = packed;
    strbuf_add(&head.out, tag, SECTION_TAG);
    PTX_IO(&head, flags);
    PTX_IO(&head, raw);
    PTX_IO(&head, stored);
    if (ret == 0 && head.out.failed)
        ret = err_no_memory(e);
    if (ret == 0)
        ret = hash_of(head.out.text, bytes, stored, hash, e);
    if (ret == 0) {
        strbuf_add(file, head.out.text, head.out.length);
        strbuf_add(file, hash, sizeof hash);
        strbuf_add(file, bytes, stored);
        ret = file->failed ? err_no_memory(e) : 0;
    }
    strbuf_release(&head.out);
    free(packed);
    return ret;
}

/* --- reading --- */

static int unpack(struct section *s, uint32_t flags, const uint8_t *bytes, uint64_t stored, uint64_t raw,
                  struct err *e)
{
    if (raw > UNPACKED_MAX || s->bytes)
        return damaged(e);
    s->bytes = mem_zalloc(raw + 1, 1, e);
    s->n = raw;
    if (!s->bytes)
        return -1;
    if (!(flags & SECTION_PACKED) && raw == stored)
        memcpy(s->bytes, bytes, raw);
    else if (!(flags & SECTION_PACKED) || ZSTD_decompress(s->bytes, raw, bytes, stored) != raw)
        return damaged(e);
    return 0;
}

static struct section *find(struct section *wanted, const uint8_t *tag)
{
    for (; wanted->tag; wanted++)
        if (memcmp(wanted->tag, tag, SECTION_TAG) == 0)
            return wanted;
    return NULL;
}

struct head {
    uint8_t tag[SECTION_TAG];
    uint32_t flags;
    uint64_t raw, stored;
};

/* Reads the fields of the next section and checks the hash. The section's bytes follow in `io`. */
static int read_head(struct ptx_io *io, struct head *h, struct err *e)
{
    uint8_t hash[SHA256_BYTES], own[SHA256_BYTES];
    const uint8_t *begin = io->in;

    *h = (struct head){.flags = 0};
    ptx_io_bytes(io, h->tag, sizeof h->tag);
    PTX_IO(io, h->flags);
    PTX_IO(io, h->raw);
    PTX_IO(io, h->stored);
    ptx_io_bytes(io, hash, sizeof hash);
    if (io->bad || h->stored > io->left)
        return damaged(e);
    if (hash_of(begin, io->in, h->stored, own, e) != 0)
        return -1;
    return memcmp(hash, own, sizeof own) != 0 ? damaged(e) : 0;
}

int section_next(struct ptx_io *io, struct section *s, struct err *e)
{
    struct head h;

    if (read_head(io, &h, e) != 0)
        return -1;
    if (memcmp(h.tag, s->tag, SECTION_TAG) != 0)
        return damaged(e);
    if (unpack(s, h.flags, io->in, h.stored, h.raw, e) != 0)
        return -1;
    io->in += h.stored;
    io->left -= h.stored;
    return 0;
}

int sections_read(const uint8_t *file, size_t n, struct section *wanted, struct err *e)
{
    struct ptx_io io = {.in = file, .left = n};

    for (;;) {
        struct section *s;
        struct head h;

        if (read_head(&io, &h, e) != 0)
            return -1;
        if (memcmp(h.tag, "END.", SECTION_TAG) == 0)
            return io.left == h.stored ? 0 : damaged(e);
        s = find(wanted, h.tag);
        if (!s && h.flags & SECTION_NEEDED)
            return err_set(e, ERR_UNSUPPORTED,
                           "it has a section %.4s, which this version of Vivace does not support",
                           (const char *)h.tag);
        if (s && unpack(s, h.flags, io.in, h.stored, h.raw, e) != 0)
            return -1;
        io.in += h.stored;
        io.left -= h.stored;
    }
}

void sections_release(struct section *wanted)
{
    for (; wanted->tag; wanted++) {
        free(wanted->bytes);
        wanted->bytes = NULL;
    }
}
