/* ptx/memory/device_memory.h: the memory of the simulated GPU: one reserved address range, allocations with
 * guard gaps, a check of every access.
 *
 * A device address is the host's address in the reserved range plus a constant: host = device + shift. The shift
 * is 0 if the system grants the fixed base address. Copies are memcpy, and a wild pointer cannot reach other
 * memory. Device addresses do not depend on the host, so traces and results are the same everywhere. */
#ifndef VIVACE_PTX_MEMORY_DEVICE_MEMORY_H
#define VIVACE_PTX_MEMORY_DEVICE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/* The generic address space. The generic address of global memory is its own address. Shared and local memory
 * have separate windows. */
#define PTX_GLOBAL_BASE 0x700000000000ull
#define PTX_SHARED_BASE 0x7ffe00000000ull /* windows of 16 MiB, the size that the timing model assumes */
#define PTX_LOCAL_BASE  0x7fff00000000ull
#define PTX_PARAM_BASE  0x7ffd00000000ull /* kernel parameters: read only */
#define PTX_CONST_BASE  0x7ffc00000000ull /* .const variables */
enum { PTX_WINDOW_BYTES = 16 << 20 };

struct device_memory; /* opaque */
struct device_allocation {
    uint64_t address, bytes;
    const char *label; /* "x" of a launch list, a variable's name, "cudaMalloc"; a copy that the memory owns */
    bool freed;
};

/* `limit_bytes`: maximum total size of the live allocations. */
struct device_memory *device_memory_new(uint64_t limit_bytes, struct err *e);
void device_memory_free(struct device_memory *m);
/* Allocates zeroed memory. align: a power of two up to 4096; at least 256 is used. ERR_NO_SPACE: the limit is
 * exceeded; the message lists the memory in use. */
int device_alloc(struct device_memory *m, uint64_t bytes, uint32_t align, const char *label, uint64_t *address,
                 struct err *e);
/* ERR_INVALID: no allocation begins at this address. */
int device_release(struct device_memory *m, uint64_t address, struct err *e);
/* Host pointer to the bytes at a device address. NULL: they are not all inside one live allocation. */
void *device_bytes(const struct device_memory *m, uint64_t address, uint64_t bytes);
/* The allocation that contains the address, or the nearest one below it. NULL: none. For messages and for the
 * cache of recent allocations. A valid range stays valid until device_generation() changes. */
const struct device_allocation *device_find(const struct device_memory *m, uint64_t address);
uint32_t device_generation(const struct device_memory *m);
/* All live allocations, sorted by address. *n: their count. */
const struct device_allocation *const *device_allocations(const struct device_memory *m, size_t *n);
/* For checkpoints. device_next(): offset of the next fresh address. device_freed(): freed range k, the oldest
 * first; NULL: no more. device_restore(): replaces all allocations by `items`, with zeroed content; live ones
 * come first, then freed ones from the oldest. ERR_MALFORMED: the items are inconsistent. A page has 4096 bytes.
 * device_page_restore() returns -1 if the page is not in the usable range. */
uint64_t device_span(const struct device_memory *m); /* bytes of the range from PTX_GLOBAL_BASE on */
uint64_t device_next(const struct device_memory *m);
const struct device_allocation *device_freed(const struct device_memory *m, size_t k);
int device_restore(struct device_memory *m, const struct device_allocation *items, size_t n, uint64_t next,
                   struct err *e);
void *device_page(const struct device_memory *m, uint64_t address); /* NULL: not in the usable range */
int device_page_restore(struct device_memory *m, uint64_t address, const void *bytes);
/* Host pointer of a device address: host = address + shift. */
ptrdiff_t device_shift(const struct device_memory *m);

#endif
