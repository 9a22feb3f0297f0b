/* simcore/sm/occupancy.h: the number of CTAs of a kernel that fit on an SM, the shared-memory carve-out that the
 * driver would choose, and the resources of one CTA, so that CTAs of several kernels can share an SM. */
#ifndef VIVACE_SIMCORE_SM_OCCUPANCY_H
#define VIVACE_SIMCORE_SM_OCCUPANCY_H

#include "simcore/design.h"

/* Resources of an SM that CTAs take. */
struct sm_room {
    uint32_t ctas, warps;
    uint32_t registers;    /* as allocated: those of a warp are rounded up to the design's unit */
    uint32_t shared_bytes; /* including the part that the system reserves */
    /* the part that must fit into the carve-out: all, or 0 if the program requested no carve-out */
    uint32_t carved_bytes;
};

struct occupancy {
    uint32_t warps_per_cta;
    uint32_t ctas;           /* resident CTAs per SM; at least 1 */
    uint32_t carveout_bytes; /* the smallest carve-out that does not limit `ctas` */
    struct sm_room cta;      /* resources of one CTA */
};
/* ERR_INVALID, with the name of the limit, if not even one CTA fits. */
int occupancy_of(const struct gpu_design *d, const struct kernel_info *k, struct occupancy *out, struct err *e);

/* The number of additional CTAs that fit on an SM with the resources `used` and this carve-out. An SM without CTAs
 * can change its carve-out to the kernel's; others cannot. */
uint32_t occupancy_room(const struct gpu_design *d, const struct sm_room *used, uint32_t carveout_bytes,
                        const struct occupancy *fit);
void occupancy_take(struct sm_room *used, const struct sm_room *cta);
void occupancy_give(struct sm_room *used, const struct sm_room *cta);

#endif
