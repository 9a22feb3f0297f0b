/* ptx/runtime/container.h: the PTX in a program's GPU code (sass/container.h). */
#ifndef VIVACE_PTX_RUNTIME_CONTAINER_H
#define VIVACE_PTX_RUNTIME_CONTAINER_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/* Returns the PTX text of a container in *text (malloc'ed, NUL-terminated; *n excludes the NUL). Selects the PTX
 * entry with the highest architecture that is at most `arch`; if there is none, the lowest. *chosen: its
 * architecture. `most`: readable bytes, or SIZE_MAX if unknown; then the container's own size is used.
 * ERR_UNSUPPORTED: the container has only machine code (the hint names the compiler flag), or an unknown
 * compression. ERR_MALFORMED: the container is invalid. */
int container_ptx(const void *container, size_t most, uint32_t arch, char **text, size_t *n, uint32_t *chosen,
                  struct err *e);

#endif
