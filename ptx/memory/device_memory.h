/* ptx/memory/device_memory.h: the memory of the simulated GPU: one reserved range of addresses, allocations with
 * guard gaps, every access checked.
 *
 * A device pointer is the host's pointer into the reserved range, so copies are memcpy and a wild pointer cannot
 * hit anything else. Addresses do not depend on the host: the range begins at a fixed place where the system grants
 * it, else addresses are translated by a constant (device = host + shift), so that traces and results are the same
 * everywhere. */
#ifndef VIVACE_PTX_MEMORY_DEVICE_MEMORY_H
#define VIVACE_PTX_MEMORY_DEVICE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/* The generic address space. Global memory is the identity; the windows of shared and local memory stand apart. */
#define PTX_GLOBAL_BASE 0x700000000000ull
#define PTX_SHARED_BASE 0x7ffe00000000ull /* windows of 16 MiB, the size that the timing model assumes */
#define PTX_LOCAL_BASE  0x7fff00000000ull
#define PTX_PARAM_BASE  0x7ffd00000000ull /* parameters of the kernel: read only */
#define PTX_CONST_BASE  0x7ffc00000000ull /* .const variables */
enum { PTX_WINDOW_BYTES = 16 << 20 };

struct device_memory; /* opaque */
struct device_allocation {
    uint64_t address, bytes;
    const char *label; /* "x" of a launch list, a variable's name, "cudaMalloc"; the memory's own copy */
    bool freed;
};

/* `limit_bytes`: all that may be allocated at one time. */
struct device_memory *device_memory_new(uint64_t limit_bytes, struct err *e);
void device_memory_free(struct device_memory *m);
/* ERR_NO_SPACE beyond the limit, with what is in use. Filled with zeros. align: a power of two up to 4096, at least
 * 256 is used. */
int device_alloc(struct device_memory *m, uint64_t bytes, uint32_t align, const char *label, uint64_t *address,
                 struct err *e);
/* ERR_INVALID where no allocation begins there. */
int device_release(struct device_memory *m, uint64_t address, struct err *e);
/* The bytes behind a device address, all inside one live allocation; NULL: they are not. */
void *device_bytes(const struct device_memory *m, uint64_t address, uint64_t bytes);
/* The allocation that holds the address, or the nearest below; NULL: none. For messages and for the hot path's
 * memo: a range that was valid stays so until device_generation() changes. */
const struct device_allocation *device_find(const struct device_memory *m, uint64_t address);
uint32_t device_generation(const struct device_memory *m);
/* All of them in order of address, freed ones not. */
const struct device_allocation *const *device_allocations(const struct device_memory *m, size_t *n);
/* For checkpoints: where the next fresh address is (an offset), freed ranges, the oldest first (NULL: no more), and
 * back: nothing but these is allocated then, and all of it is zero. Live ones of `items` first, then freed ones,
 * the oldest first. ERR_MALFORMED: they cannot be. A page has 4096 bytes; -1: it is not in the usable range. */
uint64_t device_span(const struct device_memory *m); /* all addresses there are, from PTX_GLOBAL_BASE on */
uint64_t device_next(const struct device_memory *m);
const struct device_allocation *device_freed(const struct device_memory *m, size_t k);
int device_restore(struct device_memory *m, const struct device_allocation *items, size_t n, uint64_t next,
                   struct err *e);
void *device_page(const struct device_memory *m, uint64_t address); /* NULL: it is not */
int device_page_restore(struct device_memory *m, uint64_t address, const void *bytes);
/* Host pointer of a device address: host = address + shift. */
ptrdiff_t device_shift(const struct device_memory *m);

#endif
