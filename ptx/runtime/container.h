/* ptx/runtime/container.h: the container in which compilers put PTX and machine code into a program
 * ("fat binary").
 *
 * A wrapper {u32 magic 0x466243b1, u32 version, pointer to the container, pointer} is in the program. The
 * container: {u32 magic 0xba55ed50, u16 version, u16 bytes of this header, u64 bytes of all entries}, then entries:
 *
 *    at  bytes  what
 *     0    2    kind: 1 PTX, 2 machine code; others are skipped
 *     4    4    bytes of the entry's header; its payload follows
 *     8    8    bytes of the payload, padding included
 *    16    4    bytes of the compressed payload without padding; 0: not compressed
 *    28    4    architecture: 75 for compute_75
 *    40    8    flags: 0x2000 LZ4 (one block), 0x8000 Zstandard
 *    56    8    bytes of the payload once unpacked
 *
 * Source: programs that nvcc 13.0 has built, with -compress-mode none, speed, size and default. */
#ifndef VIVACE_PTX_RUNTIME_CONTAINER_H
#define VIVACE_PTX_RUNTIME_CONTAINER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

#define CONTAINER_WRAPPER_MAGIC 0x466243b1u
#define CONTAINER_MAGIC         0xba55ed50u
enum { CONTAINER_PTX_MAX = 1 << 30 }; /* bytes of one module */

/* The PTX text in a container: of the entries for PTX the one with the highest architecture that is not above
 * `arch`, else (there is none such) the lowest. malloc'ed, a NUL behind it; *n without it. *chosen: its
 * architecture. `most`: bytes that may be read, where that is known, else SIZE_MAX: the container itself says how
 * long it is.
 * ERR_UNSUPPORTED: there is machine code only (the hint names the flag that helps), or another compression;
 * ERR_MALFORMED. */
int container_ptx(const void *container, size_t most, uint32_t arch, char **text, size_t *n, uint32_t *chosen,
                  struct err *e);
/* One LZ4 block; exactly `want` bytes must come of it. ERR_MALFORMED. */
int lz4_block(const uint8_t *from, size_t n, uint8_t *to, size_t want, struct err *e);

#endif
