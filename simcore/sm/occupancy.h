/* simcore/sm/occupancy.h: how many CTAs of a kernel an SM holds, which carve-out the driver would choose, and what
 * one CTA takes, so that CTAs of several kernels can share an SM. */
#ifndef VIVACE_SIMCORE_SM_OCCUPANCY_H
#define VIVACE_SIMCORE_SM_OCCUPANCY_H

#include "simcore/design.h"

/* What CTAs take of an SM, or have taken. */
struct sm_room {
    uint32_t ctas, warps;
    uint32_t registers;    /* of a sub-core: a CTA's warps are dealt out over the four */
    uint32_t shared_bytes; /* with what the system takes */
    uint32_t carved_bytes; /* of those, what has to lie in the carve-out: all, or nothing where the program asked
                              for none */
};

struct occupancy {
    uint32_t warps_per_cta;
    uint32_t ctas;           /* resident an SM; at least 1 */
    uint32_t carveout_bytes; /* the smallest that does not limit them */
    struct sm_room cta;      /* what one takes */
};
/* ERR_INVALID, with the limit's name, where not even one CTA fits. */
int occupancy_of(const struct gpu_design *d, const struct kernel_info *k, struct occupancy *out, struct err *e);

/* How many more CTAs of this kind an SM takes in which `used` is taken, with this carve-out. An SM without CTAs
 * changes its carve-out to what the kernel wants; others keep theirs. */
uint32_t occupancy_room(const struct gpu_design *d, const struct sm_room *used, uint32_t carveout_bytes,
                        const struct occupancy *fit);
void occupancy_take(struct sm_room *used, const struct sm_room *cta);
void occupancy_give(struct sm_room *used, const struct sm_room *cta);

#endif
