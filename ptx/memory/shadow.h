/* ptx/memory/shadow.h: which bytes of device memory hold nothing yet that anybody has put there: one bit a byte.
 *
 * Memory is defined unless it is said to be fresh. Strict mode takes a kernel that reads fresh bytes for faulty. */
#ifndef VIVACE_PTX_MEMORY_SHADOW_H
#define VIVACE_PTX_MEMORY_SHADOW_H

#include "ptx/memory/device_memory.h"

struct ptx_shadow; /* opaque */
struct ptx_shadow *ptx_shadow_new(const struct device_memory *m, struct err *e);
void ptx_shadow_free(struct ptx_shadow *s);
/* Ranges lie inside allocations. */
void ptx_shadow_fresh(struct ptx_shadow *s, uint64_t address, uint64_t bytes);
void ptx_shadow_written(struct ptx_shadow *s, uint64_t address, uint64_t bytes);
void ptx_shadow_copied(struct ptx_shadow *s, uint64_t to, uint64_t from, uint64_t bytes); /* may overlap */
bool ptx_shadow_is_fresh(const struct ptx_shadow *s, uint64_t address, uint64_t bytes);   /* any of them */

#endif
