/* ptx/forms/forms_lanes.h: operations on the 32 addresses of a warp for memory instructions. They are compiled
 * once for each kind of CPU, as the forms are. */
#ifndef VIVACE_PTX_FORMS_FORMS_LANES_H
#define VIVACE_PTX_FORMS_FORMS_LANES_H

#include "ptx/forms/forms.h"

/* The pattern of 32 addresses. Inactive lanes are included; they repeat an active lane's address. */
struct ptx_scan {
    uint64_t low, high; /* lowest and highest, as unsigned numbers */
    uint64_t bits;      /* all addresses or'ed, to test the alignment */
    bool same;          /* all lanes have one address */
    bool strided;       /* each address is `stride` above the one before */
    uint64_t stride;    /* second address minus the first */
};

struct ptx_lane_ops {
    /* at[l] = row[l] + offset. With 32-bit rows the sum has no carry into the upper half. */
    void (*add_64)(uint64_t at[PTX_LANES], const void *row, uint64_t offset);
    void (*add_32)(uint64_t at[PTX_LANES], const void *row, uint32_t offset);
    void (*scan)(const uint64_t at[PTX_LANES], struct ptx_scan *out);
    /* Returns true if each lane l of the mask has address base + l * stride. */
    bool (*strided)(const uint64_t at[PTX_LANES], uint32_t mask, uint64_t base, uint64_t stride);
    /* Returns true if each lane l has address base + distance[l]. */
    bool (*apart)(const uint64_t at[PTX_LANES], uint64_t base, const uint64_t distance[PTX_LANES]);
    /* Lanes of a row of 16, 32 or 64 bits whose element has all bits of `ones` set. */
    uint32_t (*all_set)(const void *row, uint32_t bits, uint64_t ones);
    /* All lanes: moves `words` (1, 2 or 4) adjacent 32-bit words between host + at[l] and the same number of
     * rows. Lanes store in ascending order, so at equal addresses the highest lane's value remains. */
    void (*load)(void *const rows[4], uintptr_t host, const uint64_t at[PTX_LANES], uint32_t words);
    void (*store)(void *const rows[4], uintptr_t host, const uint64_t at[PTX_LANES], uint32_t words);
};
/* The operations for the CPU kind that ptx_forms_choose_cpu() chose. */
const struct ptx_lane_ops *ptx_lane_ops(void);

#endif
