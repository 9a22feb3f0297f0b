/* simcore/observe/power.h: energy, linear in what happened: E = constant * time + SMs active and idle * time + sum
 * of energy(event) * events. The coefficients and their sources are the group "power" of the design. Whole
 * femtojoules (milliwatts times picoseconds are the same unit), so that the parts of a launch add up on every
 * machine. */
#ifndef VIVACE_SIMCORE_OBSERVE_POWER_H
#define VIVACE_SIMCORE_OBSERVE_POWER_H

#include "simcore/counters.h"
#include "simcore/engine/clock_domain.h"

struct power_activity { /* of a launch or of a piece of it */
    uint64_t cycles, sm_active_cycles;
    uint64_t warp_instructions, lanes[MIX_COUNT], tensor_cycles;
    uint64_t l1_sectors, shared_passes, l2_sectors, noc_bytes, dram_sectors;
};

/* Femtojoules of each part; good for 10 seconds at 1000 W. */
void power_of(const struct gpu_design *d, const struct power_activity *a, uint64_t out[POWER_PART_COUNT]);
/* Fills the energy counters (nJ) and the average power of a launch that is otherwise complete. */
void power_complete(struct counters *c, const struct gpu_design *d);

#endif
