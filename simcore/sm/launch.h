/* simcore/sm/launch.h: one kernel launch while it runs: its code, what fits, how far it is, what it counted.
 *
 * Everything an SM does is done for the launch of the warp that does it, so that several can share a GPU. */
#ifndef VIVACE_SIMCORE_SM_LAUNCH_H
#define VIVACE_SIMCORE_SM_LAUNCH_H

#include "simcore/counters.h"
#include "simcore/engine/event_queue.h"
#include "simcore/sm/occupancy.h"
#include "simcore/sm/static_inst.h"

struct launch {
    struct inst_source *source; /* the caller's */
    struct static_code code;
    struct occupancy fit;
    struct counters count;
    uint64_t shared_base, local_base; /* generic windows of its shared and local memory; 0: not said */
    uint64_t resident;                /* CTAs in SMs now */
    bool drained;                     /* the source has no more */
    sim_time_ps stores_done;          /* when its last store was accepted */
    uint64_t stores_open;             /* event mode: lines that are not accepted yet */
    uint64_t last_cycle;              /* behind the last exit of one of its CTAs */
};

#endif
