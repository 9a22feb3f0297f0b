/* simcore/sm/occupancy.h: how many CTAs of a kernel an SM holds, and which carve-out the driver would choose. */
#ifndef VIVACE_SIMCORE_SM_OCCUPANCY_H
#define VIVACE_SIMCORE_SM_OCCUPANCY_H

#include "simcore/design.h"

struct occupancy {
    uint32_t warps_per_cta;
    uint32_t ctas;           /* resident an SM; at least 1 */
    uint32_t carveout_bytes; /* the smallest that does not limit them */
};
/* ERR_INVALID, with the limit's name, where not even one CTA fits. */
int occupancy_of(const struct gpu_design *d, const struct kernel_info *k, struct occupancy *out, struct err *e);

#endif
