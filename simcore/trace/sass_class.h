/* simcore/trace/sass_class.h: classes of opcodes for counting, not for simulation. The classes follow Nsight
 * Compute: copies from global to shared memory (LDGSTS), matrix moves (LDSM, STSM), reductions (RED) and atomics on
 * shared memory have their own counters there. They are neither loads, stores nor global atomics here. */
#ifndef VIVACE_SIMCORE_TRACE_SASS_CLASS_H
#define VIVACE_SIMCORE_TRACE_SASS_CLASS_H

#include "simcore/trace/inst_source.h"

enum sass_class {
    SASS_OTHER,
    SASS_LOAD,
    SASS_STORE,
    SASS_ATOMIC,
    SASS_MEMORY, /* another access to global memory: LDGSTS, RED */
    SASS_END     /* ends a basic block: branches, exits and barriers of warps or CTAs */
};
enum sass_space { SASS_GLOBAL, SASS_SHARED, SASS_LOCAL, SASS_GENERIC };
struct sass_kind {
    uint8_t what;  /* enum sass_class */
    uint8_t space; /* enum sass_space, of accesses */
};
/* Classifies by the part before the first dot. */
struct sass_kind sass_classify(const char *opcode);
/* The memory space of a generic access, from the kernel's address windows of 16 MiB. */
enum sass_space sass_window(const struct kernel_info *k, uint64_t address);

/* The number of distinct 32-byte sectors that the active lanes of one access touch. width: bytes per lane; 0
 * touches none. In local memory, word k of neighbouring lanes is contiguous (CUDA C++ Programming Guide, "Local
 * Memory"). */
uint32_t access_sectors(const struct lane_addresses *a, uint32_t mask, uint32_t width);
uint32_t local_sectors(const struct lane_addresses *a, uint32_t mask, uint32_t width);

#endif
