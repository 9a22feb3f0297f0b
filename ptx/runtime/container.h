/* ptx/runtime/container.h: the container in which compilers store PTX and machine code in a program ("fat
 * binary").
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
#ifndef VIVACE_PTX_RUNTIME_CONTAINER_H
#define VIVACE_PTX_RUNTIME_CONTAINER_H

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
enum { CONTAINER_PTX_MAX = 1 << 30 }; /* bytes of one module */

/* Returns the PTX text of a container in *text (malloc'ed, NUL-terminated; *n excludes the NUL). Selects the PTX
 * entry with the highest architecture that is at most `arch`; if there is none, the lowest. *chosen: its
 * architecture. `most`: readable bytes, or SIZE_MAX if unknown; then the container's own size is used.
 * ERR_UNSUPPORTED: the container has only machine code (the hint names the compiler flag), or an unknown
 * compression. ERR_MALFORMED: the container is invalid. */
int container_ptx(const void *container, size_t most, uint32_t arch, char **text, size_t *n, uint32_t *chosen,
                  struct err *e);
/* Decompresses one LZ4 block. ERR_MALFORMED: the block is invalid, or its content is not exactly `want` bytes. */
int lz4_block(const uint8_t *from, size_t n, uint8_t *to, size_t want, struct err *e);

#endif
