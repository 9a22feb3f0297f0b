/* sass/exec/access.h: addresses of lanes and the bytes at them. */
#ifndef VIVACE_SASS_EXEC_ACCESS_H
#define VIVACE_SASS_EXEC_ACCESS_H

#include "sass/exec/machine.h"

enum memory_space { SPACE_GLOBAL, SPACE_GENERIC, SPACE_SHARED, SPACE_LOCAL };

uint64_t address_of(const struct sass_warp *w, const struct sass_operand *x, enum memory_space space, int lane);
/* The bytes (a power of two up to 16) at an address. NULL: a fault, which is reported. */
uint8_t *memory_at(struct sass_warp *w, int lane, enum memory_space space, uint64_t at, uint32_t bytes);

#endif
