/* Containers of GPU code in nvcc's format, built by hand (format: sass/container.h). */
#ifndef VIVACE_TESTS_UNIT_SHIM_FATBIN_H
#define VIVACE_TESTS_UNIT_SHIM_FATBIN_H

#include <stdint.h>
#include <string.h>

#include "base/strbuf.h"
#include "sass/container.h"

enum { FATBIN_PTX = 1, FATBIN_CODE = 2, FATBIN_LZ4 = 0x2000, FATBIN_ZSTD = 0x8000, FATBIN_HEADER = 80 };

struct fatbin_entry {
    uint16_t kind;
    uint32_t arch;
    const void *bytes;
    size_t n, raw; /* raw: uncompressed size, used only with flags */
    uint64_t flags;
};

static inline void fatbin_put(struct strbuf *b, size_t at, const void *value, size_t n)
{
    memcpy(b->text + at, value, n);
}

static inline void fatbin_add(struct strbuf *b, const struct fatbin_entry *x)
{
    char zeros[FATBIN_HEADER] = {0};
    size_t at = b->length, padded = (x->n + 7) / 8 * 8;
    uint32_t header = FATBIN_HEADER, packed = x->flags ? (uint32_t)x->n : 0;
    uint64_t payload = padded, flags = x->flags | 0x11, raw = x->flags ? x->raw : 0;

    strbuf_add(b, zeros, sizeof zeros);
    strbuf_add(b, x->bytes, x->n);
    strbuf_add(b, zeros, padded - x->n);
    fatbin_put(b, at, &x->kind, 2);
    fatbin_put(b, at + 4, &header, 4);
    fatbin_put(b, at + 8, &payload, 8);
    fatbin_put(b, at + 16, &packed, 4);
    fatbin_put(b, at + 28, &x->arch, 4);
    fatbin_put(b, at + 40, &flags, 8);
    fatbin_put(b, at + 56, &raw, 8);
}

/* A container of these entries. */
static inline void fatbin_build(struct strbuf *b, const struct fatbin_entry *entries, size_t n)
{
    const uint32_t magic = CONTAINER_MAGIC;
    const uint16_t version = 1, header = 16;
    uint64_t size;

    strbuf_add(b, "0123456789abcdef", 16);
    for (size_t i = 0; i < n; i++)
        fatbin_add(b, &entries[i]);
    size = b->length - 16;
    fatbin_put(b, 0, &magic, 4);
    fatbin_put(b, 4, &version, 2);
    fatbin_put(b, 6, &header, 2);
    fatbin_put(b, 8, &size, 8);
}

struct fatbin_wrapper {
    uint32_t magic, version;
    const void *container, *more;
};

#endif
