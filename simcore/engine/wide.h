/* simcore/engine/wide.h: large arrays with scattered accesses, in large pages if the host has them.
 *
 *
 * The state of a GPU is some ten megabytes, more than the host's TLB covers with small pages. Scattered accesses
 * would cause many page walks on the host. */
#ifndef VIVACE_SIMCORE_ENGINE_WIDE_H
#define VIVACE_SIMCORE_ENGINE_WIDE_H

#include <stddef.h>

#include "base/err.h"

enum { HOST_LINE = 64 }; /* bytes of a cache line of the host */

/* Allocates count * size zeroed bytes, aligned to a cache line of the host; NULL with *e filled on failure. Release
 * with wide_free() and the same numbers. */
void *wide_zalloc(size_t count, size_t size, struct err *e) MUST_CHECK;
void wide_free(void *p, size_t count, size_t size);

#endif
