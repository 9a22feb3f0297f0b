/* simcore/observe/power.h: an energy model that is linear in activity: E = constant * time + SMs active and idle *
 * time + sum of energy(event) * events. The coefficients and their sources are the group "power" of the design.
 * Energies are whole femtojoules (milliwatts times picoseconds have the same unit), so the sum of the parts of a
 * launch is exact on every machine. */
#ifndef VIVACE_SIMCORE_OBSERVE_POWER_H
#define VIVACE_SIMCORE_OBSERVE_POWER_H

#include "simcore/counters.h"
#include "simcore/engine/clock_domain.h"

struct power_activity { /* activity of a launch or of a part of it */
    uint64_t cycles, sm_active_cycles;
    uint64_t warp_instructions, lanes[MIX_COUNT], tensor_cycles;
    uint64_t l1_sectors, shared_passes, l2_sectors, noc_bytes, dram_sectors;
};

/* Femtojoules of each part; no overflow up to 10 seconds at 1000 W. */
void power_of(const struct gpu_design *d, const struct power_activity *a, uint64_t out[POWER_PART_COUNT]);
/* Sets the energy counters (nJ) and the average power of a launch. All other counters must be complete. */
void power_complete(struct counters *c, const struct gpu_design *d);

#endif
