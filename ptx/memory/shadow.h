/* ptx/memory/shadow.h: records which bytes of device memory have never been written ("fresh"), with one bit for
 * each byte.
 *
 * Memory counts as written unless ptx_shadow_fresh() has marked it. In strict mode a kernel that reads fresh
 * bytes has a fault. */
#ifndef VIVACE_PTX_MEMORY_SHADOW_H
#define VIVACE_PTX_MEMORY_SHADOW_H

#include "ptx/memory/device_memory.h"

struct ptx_shadow; /* opaque */
struct ptx_shadow *ptx_shadow_new(const struct device_memory *m, struct err *e);
void ptx_shadow_free(struct ptx_shadow *s);
/* Ranges must be inside allocations. */
void ptx_shadow_fresh(struct ptx_shadow *s, uint64_t address, uint64_t bytes);
void ptx_shadow_written(struct ptx_shadow *s, uint64_t address, uint64_t bytes);
void ptx_shadow_copied(struct ptx_shadow *s, uint64_t to, uint64_t from, uint64_t bytes); /* ranges may overlap */
/* Returns true if any byte of the range is fresh. */
bool ptx_shadow_is_fresh(const struct ptx_shadow *s, uint64_t address, uint64_t bytes);

#endif
