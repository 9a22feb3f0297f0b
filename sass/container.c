/* sass/container.c: the entries of a fat binary, and their decompression. */
#include "sass/container.h"

#include <stdlib.h>
#include <string.h>

#include <zstd.h>

#include "base/array.h"

enum { FLAG_LZ4 = 0x2000, FLAG_ZSTD = 0x8000, ENTRY_MIN = 64, LZ4_RATIO_MAX = 255 };

/* Fields are little-endian, as on the host CPUs of such programs. They may be unaligned. */
static uint16_t u16_at(const uint8_t *p)
{
    uint16_t x;

    memcpy(&x, p, sizeof x);
    return x;
}

static uint32_t u32_at(const uint8_t *p)
{
    uint32_t x;

    memcpy(&x, p, sizeof x);
    return x;
}

static uint64_t u64_at(const uint8_t *p)
{
    uint64_t x;

    memcpy(&x, p, sizeof x);
    return x;
}

int container_open(const void *container, size_t most, struct container_walk *w, struct err *e)
{
    const uint8_t *at = container;

    if (most < CONTAINER_HEADER_BYTES || u32_at(at) != CONTAINER_MAGIC || u16_at(at + 6) < CONTAINER_HEADER_BYTES ||
        u16_at(at + 6) > most)
        return err_set(e, ERR_MALFORMED, "the program's GPU code has an unknown container format");
    *w = (struct container_walk){at + u16_at(at + 6), u64_at(at + 8)};
    if (w->left > most - u16_at(at + 6))
        return err_set(e, ERR_MALFORMED, "the program's GPU code is cut off");
    return 0;
}

int container_next(struct container_walk *w, struct container_entry *out, struct err *e)
{
    const uint8_t *at = w->at;
    uint32_t header = w->left >= ENTRY_MIN ? u32_at(at + 4) : 0;

    if (w->left == 0)
        return 0;
    if (header < ENTRY_MIN || header > w->left)
        return err_set(e, ERR_MALFORMED, "the program's GPU code is damaged: an entry does not fit into it");
    *out = (struct container_entry){.kind = u16_at(at),
                                    .payload_bytes = u64_at(at + 8),
                                    .packed_bytes = u32_at(at + 16),
                                    .arch = u32_at(at + 28),
                                    .flags = u64_at(at + 40),
                                    .raw_bytes = u64_at(at + 56),
                                    .payload = at + header};
    if (out->payload_bytes > w->left - header || out->packed_bytes > out->payload_bytes)
        return err_set(e, ERR_MALFORMED,
                       "the program's GPU code is damaged: a module of %llu bytes reaches past its end",
                       (unsigned long long)out->payload_bytes);
    w->at += header + out->payload_bytes;
    w->left -= header + out->payload_bytes;
    return 1;
}

static int unpack_zstd(const struct container_entry *x, uint64_t from, char *out, struct err *e)
{
    size_t done = ZSTD_decompress(out, x->raw_bytes, x->payload, from);

    if (ZSTD_isError(done) || done != x->raw_bytes)
        return err_set(e, ERR_MALFORMED, "the compressed module (Zstandard) is damaged: %s",
                       ZSTD_isError(done) ? ZSTD_getErrorName(done) : "too short");
    return 0;
}

bool container_is_packed(const struct container_entry *x)
{
    return x->flags & (FLAG_LZ4 | FLAG_ZSTD);
}

int container_unpack(const struct container_entry *x, char **bytes, size_t *n, struct err *e)
{
    bool packed = container_is_packed(x);
    uint64_t from = packed && x->packed_bytes ? x->packed_bytes : x->payload_bytes;
    uint64_t raw = packed ? x->raw_bytes : x->payload_bytes;
    int ret = 0;
    char *out;

    if (raw > CONTAINER_MODULE_MAX)
        return err_set(e, ERR_TOO_LARGE, "a module of the program has %llu bytes; at most %d are supported",
                       (unsigned long long)raw, CONTAINER_MODULE_MAX);
    /* before memory is allocated for what cannot be there */
    if (packed && !(x->flags & FLAG_ZSTD) && raw / LZ4_RATIO_MAX > from)
        return err_set(e, ERR_MALFORMED, "the compressed module (LZ4) is damaged: it is too short");
    out = mem_zalloc(raw + 1, 1, e);
    if (!out)
        return -1;
    if (!packed)
        memcpy(out, x->payload, raw);
    else if (x->flags & FLAG_ZSTD)
        ret = unpack_zstd(x, from, out, e);
    else
        ret = lz4_block(x->payload, from, (uint8_t *)out, raw, e);
    if (ret != 0) {
        free(out);
        return -1;
    }
    *bytes = out;
    *n = raw;
    return 0;
}
