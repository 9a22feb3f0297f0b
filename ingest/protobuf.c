#include "ingest/protobuf.h"

#include <stdbool.h>
#include <string.h>

enum wire { WIRE_VARINT = 0, WIRE_64 = 1, WIRE_LENGTH = 2, WIRE_32 = 5 };

static bool varint(struct pb_bytes *b, uint64_t *out)
{
    *out = 0;
    for (unsigned shift = 0; shift < 70 && b->at < b->end; shift += 7) {
        uint8_t byte = *b->at++;

        if (shift < 64)
            *out |= (uint64_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80))
            return true;
    }
    return false;
}

/* A little-endian number of `size` bytes. */
static bool fixed(struct pb_bytes *b, size_t size, uint64_t *out)
{
    *out = 0;
    if (pb_left(b) < size)
        return false;
    for (size_t i = 0; i < size; i++)
        *out |= (uint64_t)b->at[i] << (8 * i);
    b->at += size;
    return true;
}

static int next(struct pb_bytes *from, struct pb_field *out, bool may_be_cut)
{
    uint64_t tag, length;

    if (from->at == from->end)
        return 0;
    memset(out, 0, sizeof *out);
    if (!varint(from, &tag) || tag >> 3 == 0 || tag >> 3 > UINT32_MAX)
        return -1;
    out->number = (uint32_t)(tag >> 3);
    out->bytes = (struct pb_bytes){from->at, from->at};
    switch (tag & 7) {
    case WIRE_VARINT: return varint(from, &out->value) ? 1 : -1;
    case WIRE_64: return fixed(from, 8, &out->value) ? 1 : -1;
    case WIRE_32: return fixed(from, 4, &out->value) ? 1 : -1;
    case WIRE_LENGTH: break;
    default: return -1;
    }
    if (!varint(from, &length))
        return -1;
    if (length > pb_left(from) && !may_be_cut)
        return -1;
    if (length > pb_left(from))
        length = pb_left(from);
    out->type = PB_BYTES;
    out->bytes = (struct pb_bytes){from->at, from->at + length};
    from->at += length;
    return 1;
}

int pb_next(struct pb_bytes *from, struct pb_field *out)
{
    return next(from, out, false);
}

int pb_head(struct pb_bytes *from, struct pb_field *out)
{
    return next(from, out, true);
}
