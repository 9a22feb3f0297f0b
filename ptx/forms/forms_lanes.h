/* ptx/forms/forms_lanes.h: what memory operations do to the addresses of a warp, compiled once for each kind of
 * CPU as the forms are. */
#ifndef VIVACE_PTX_FORMS_FORMS_LANES_H
#define VIVACE_PTX_FORMS_FORMS_LANES_H

#include "ptx/forms/forms.h"

/* How 32 addresses lie, those of inactive lanes included (they repeat an active one). */
struct ptx_scan {
    uint64_t low, high; /* as unsigned numbers */
    uint64_t bits;      /* all of them or'ed: are they aligned? */
    bool same;          /* at one address */
    bool strided;       /* each `stride` behind the one before */
    uint64_t stride;    /* from the first to the second */
};

struct ptx_lane_ops {
    /* at[l] = row[l] + offset; of 32-bit rows without carry into the upper half. */
    void (*add_64)(uint64_t at[PTX_LANES], const void *row, uint64_t offset);
    void (*add_32)(uint64_t at[PTX_LANES], const void *row, uint32_t offset);
    void (*scan)(const uint64_t at[PTX_LANES], struct ptx_scan *out);
    /* Do the lanes of the mask stand at base + l * stride? */
    bool (*strided)(const uint64_t at[PTX_LANES], uint32_t mask, uint64_t base, uint64_t stride);
    /* Do all lanes lie so far from the base? */
    bool (*apart)(const uint64_t at[PTX_LANES], uint64_t base, const uint64_t distance[PTX_LANES]);
    /* Lanes of a row of 16, 32 or 64 bits whose element has all of these bits. */
    uint32_t (*all_set)(const void *row, uint32_t bits, uint64_t ones);
    /* All lanes: 32-bit words at host + at[l], `words` of them side by side (1, 2 or 4), from and to as many rows.
     * Lanes store in order, so that of several at one address the highest one wins. */
    void (*load)(void *const rows[4], uintptr_t host, const uint64_t at[PTX_LANES], uint32_t words);
    void (*store)(void *const rows[4], uintptr_t host, const uint64_t at[PTX_LANES], uint32_t words);
};
/* Those of the CPU that ptx_forms_choose_cpu() chose. */
const struct ptx_lane_ops *ptx_lane_ops(void);

#endif
