/* ptx/runtime/container.c: finds the PTX in a fat binary and decompresses it. */
#include "ptx/runtime/container.h"

#include <stdlib.h>
#include <string.h>

#include <zstd.h>

#include "base/array.h"

enum { KIND_PTX = 1, KIND_CODE = 2, FLAG_LZ4 = 0x2000, FLAG_ZSTD = 0x8000, ENTRY_MIN = 64, HEADER = 16 };

struct entry {
    uint16_t kind;
    uint32_t arch, packed_bytes;
    uint64_t payload_bytes, flags, raw_bytes;
    const uint8_t *payload;
};

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

/* Reads the entry at `at` of the container's body. *bytes: its size there. */
static int read_entry(const uint8_t *at, uint64_t left, struct entry *x, uint64_t *bytes, struct err *e)
{
    uint32_t header = left >= ENTRY_MIN ? u32_at(at + 4) : 0;

    if (header < ENTRY_MIN || header > left)
        return err_set(e, ERR_MALFORMED, "the program's GPU code is damaged: an entry does not fit into it");
    *x = (struct entry){.kind = u16_at(at),
                        .payload_bytes = u64_at(at + 8),
                        .packed_bytes = u32_at(at + 16),
                        .arch = u32_at(at + 28),
                        .flags = u64_at(at + 40),
                        .raw_bytes = u64_at(at + 56),
                        .payload = at + header};
    if (x->payload_bytes > left - header || x->packed_bytes > x->payload_bytes)
        return err_set(e, ERR_MALFORMED,
                       "the program's GPU code is damaged: a module of %llu bytes reaches past its end",
                       (unsigned long long)x->payload_bytes);
    *bytes = header + x->payload_bytes;
    return 0;
}

static bool better(const struct entry *x, const struct entry *best, uint32_t arch)
{
    if (!best->payload)
        return true;
    if ((x->arch <= arch) != (best->arch <= arch))
        return x->arch <= arch;
    return x->arch <= arch ? x->arch > best->arch : x->arch < best->arch;
}

static int unpack(const struct entry *x, char **text, size_t *n, struct err *e)
{
    bool packed = x->flags & (FLAG_LZ4 | FLAG_ZSTD);
    uint64_t from = packed && x->packed_bytes ? x->packed_bytes : x->payload_bytes;
    uint64_t raw = packed ? x->raw_bytes : x->payload_bytes;
    char *out;

    if (raw > CONTAINER_PTX_MAX)
        return err_set(e, ERR_TOO_LARGE, "a PTX module of the program has %llu bytes; at most %d are supported",
                       (unsigned long long)raw, CONTAINER_PTX_MAX);
    out = mem_zalloc(raw + 1, 1, e);
    if (!out)
        return -1;
    if (!packed) {
        memcpy(out, x->payload, raw);
    } else if (x->flags & FLAG_ZSTD) {
        size_t done = ZSTD_decompress(out, raw, x->payload, from);

        if (ZSTD_isError(done) || done != raw) {
            free(out);
            return err_set(e, ERR_MALFORMED, "the compressed module (Zstandard) is damaged: %s",
                           ZSTD_isError(done) ? ZSTD_getErrorName(done) : "too short");
        }
    } else if (lz4_block(x->payload, from, (uint8_t *)out, raw, e) != 0) {
        free(out);
        return -1;
    }
    *text = out;
    *n = strlen(out); /* the text may be padded with NUL */
    return 0;
}

static int no_code(struct err *e)
{
    err_set(e, ERR_UNSUPPORTED, "the program contains no GPU code");
    return err_hint(e, "Build it with `nvcc -cudart shared -arch=compute_75 -code=compute_75`.");
}

int container_ptx(const void *container, size_t most, uint32_t arch, char **text, size_t *n, uint32_t *chosen,
                  struct err *e)
{
    const uint8_t *at = container;
    struct entry best = {0}, x = {0};
    uint64_t left, bytes = 0;
    uint32_t codes = 0, code_arch = 0;

    if (most < HEADER || u32_at(at) != CONTAINER_MAGIC || u16_at(at + 6) < HEADER || u16_at(at + 6) > most)
        return err_set(e, ERR_MALFORMED, "the program's GPU code has an unknown container format");
    left = u64_at(at + 8);
    if (left > most - u16_at(at + 6))
        return err_set(e, ERR_MALFORMED, "the program's GPU code is cut off");
    for (at += u16_at(at + 6); left > 0; at += bytes, left -= bytes) {
        if (read_entry(at, left, &x, &bytes, e) != 0)
            return -1;
        if (x.kind == KIND_PTX && better(&x, &best, arch))
            best = x;
        codes += x.kind == KIND_CODE;
        code_arch = x.kind == KIND_CODE ? x.arch : code_arch;
    }
    if (best.payload) {
        *chosen = best.arch;
        return unpack(&best, text, n, e);
    }
    if (codes == 0)
        return no_code(e);
    err_set(e, ERR_UNSUPPORTED, "the program contains machine code (sm_%u) only; Vivace needs PTX", code_arch);
    return err_hint(e, "Build it with `nvcc -cudart shared -arch=compute_75 -code=compute_75`.");
}
