/* simcore/engine/wide.h: large arrays that are looked at all over, in large pages where the host has them.
 *
 * The state of a GPU is some ten megabytes, more than the host's table of small pages covers: scattered requests
 * would pay for walks through the host's own page tables. */
#ifndef VIVACE_SIMCORE_ENGINE_WIDE_H
#define VIVACE_SIMCORE_ENGINE_WIDE_H

#include <stddef.h>

#include "base/err.h"

enum { HOST_LINE = 64 }; /* bytes of a line of the host's cache */

/* Zeroed memory for count * size bytes, on a line of the host's cache; NULL with *e filled on failure. To be given
 * back by wide_free() with the same numbers. */
void *wide_zalloc(size_t count, size_t size, struct err *e) MUST_CHECK;
void wide_free(void *p, size_t count, size_t size);

#endif
