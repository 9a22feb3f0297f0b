/* sass/container.h: the container in which compilers store PTX and machine code in a program ("fat binary").
 *
 * The program contains a wrapper {u32 magic 0x466243b1, u32 version, pointer to the container, pointer}. The
 * container is {u32 magic 0xba55ed50, u16 version, u16 bytes of this header, u64 bytes of all entries}, followed
 * by entries:
 *
 *    at  bytes  what
 *     0    2    kind: 1 PTX, 2 machine code; others are skipped
 *     4    4    bytes of the entry's header; its payload follows
 *     8    8    bytes of the payload, padding included
 *    16    4    bytes of the compressed payload without padding; 0: not compressed
 *    28    4    architecture: 75 for compute_75
 *    40    8    flags: 0x2000 LZ4 (one block), 0x8000 Zstandard
 *    56    8    bytes of the payload after decompression
 *
 * Source: programs that nvcc 13.0 has built with -compress-mode none, speed, size and default. */
#ifndef VIVACE_SASS_CONTAINER_H
#define VIVACE_SASS_CONTAINER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

#define CONTAINER_WRAPPER_MAGIC 0x466243b1u
#define CONTAINER_MAGIC         0xba55ed50u
enum {
    CONTAINER_LINKED = 2
}; /* version of a wrapper whose last pointer is an array of containers that are linked,
    * then NULL (fatbinary_section.h of CUDA 13.0) */
enum { CONTAINER_HEADER_BYTES = 16, CONTAINER_MODULE_MAX = 1 << 30 /* bytes of one module */ };
enum container_kind { CONTAINER_PTX = 1, CONTAINER_CODE = 2 };

struct container_entry {
    uint16_t kind; /* enum container_kind, or another number */
    uint32_t arch, packed_bytes;
    uint64_t payload_bytes, flags, raw_bytes;
    const uint8_t *payload; /* points into the container */
};
struct container_walk {
    const uint8_t *at;
    uint64_t left; /* bytes of the entries that follow */
};

/* Begins at the first entry of a container. `most`: readable bytes, or SIZE_MAX if unknown; then the container's
 * own size is used. ERR_MALFORMED: this is not a container, or it is truncated. */
int container_open(const void *container, size_t most, struct container_walk *w, struct err *e);
/* 1: *out is the next entry; 0: there is none; -1: ERR_MALFORMED. */
int container_next(struct container_walk *w, struct container_entry *out, struct err *e);
bool container_is_packed(const struct container_entry *x); /* compressed; else its payload is its content */
/* The entry's content, decompressed, in *bytes (malloc'ed, a NUL after it; *n excludes this NUL). ERR_TOO_LARGE:
 * more than CONTAINER_MODULE_MAX bytes; ERR_MALFORMED: the compressed content is damaged. */
int container_unpack(const struct container_entry *x, char **bytes, size_t *n, struct err *e);
/* Decompresses one LZ4 block. ERR_MALFORMED: the block is invalid, or its content is not exactly `want` bytes. */
int lz4_block(const uint8_t *from, size_t n, uint8_t *to, size_t want, struct err *e);

#endif
