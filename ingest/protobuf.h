/* ingest/protobuf.h: fields of a protocol buffer message in memory, in the order of the file. Nothing is copied.
 * Encoding: protobuf.dev, "Encoding". */
#ifndef VIVACE_INGEST_PROTOBUF_H
#define VIVACE_INGEST_PROTOBUF_H

#include <stddef.h>
#include <stdint.h>

/* Bytes that are not read yet. */
struct pb_bytes {
    const uint8_t *at, *end;
};

enum pb_type { PB_NUMBER, PB_BYTES }; /* numbers: varint, 32 bits, 64 bits */

struct pb_field {
    uint32_t number;
    enum pb_type type;
    uint64_t value;        /* PB_NUMBER; floating-point numbers as their bits */
    struct pb_bytes bytes; /* PB_BYTES: a text or an inner message; empty for numbers */
};

static inline size_t pb_left(const struct pb_bytes *b)
{
    return (size_t)(b->end - b->at);
}

/* 1: a field; 0: the end; -1: not a message, or a field ends beyond it. */
int pb_next(struct pb_bytes *from, struct pb_field *out);
/* As pb_next(), but a field may end beyond `from`: it then has only the available bytes. For the beginning of a
 * file. */
int pb_head(struct pb_bytes *from, struct pb_field *out);

#endif
