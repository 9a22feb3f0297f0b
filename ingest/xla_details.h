/* ingest/xla_details.h: the text by which XLA (JAX, TensorFlow) describes a kernel launch:
 * "regs:56 static_shared:0 dynamic_shared:36864 grid:1940,1,1 block:128,1,1 occ_pct:16.6667" (xprof,
 * kernel_details). */
#ifndef VIVACE_INGEST_XLA_DETAILS_H
#define VIVACE_INGEST_XLA_DETAILS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct xla_details {
    int64_t registers, shared_bytes, grid[3], block[3];
    bool has_shape; /* grid and block have three numbers each */
};

/* Unknown words are ignored. False: a number cannot be read. */
bool xla_details_read(const char *text, size_t n, struct xla_details *out);
/* The number of bytes before the digits of an id: XLA writes some as "$$1". */
size_t xla_id_prefix(const char *text, size_t n);

#endif
