/* ptx/warp/late_copies.h: strict mode: asynchronous copies of a CTA whose bytes are not written yet. */
#ifndef VIVACE_PTX_WARP_LATE_COPIES_H
#define VIVACE_PTX_WARP_LATE_COPIES_H

#include "ptx/warp/exec_internal.h"

struct ptx_late_copy {
    uint32_t thread, group; /* group: number of groups that the thread has committed before */
    uint32_t to, bytes;     /* to: offset in shared memory */
    uint32_t op;            /* the op that began the copy, in the current function */
    uint8_t value[16];
};
struct ptx_late_copies {
    uint32_t committed[PTX_WARPS_MAX * PTX_LANES];
    struct ptx_late_copy *copies;
    size_t count, capacity;
};

#endif
