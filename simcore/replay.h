/* simcore/replay.h: replays launches and copies without timing, so that the next launch finds their content in L2
 * and TLBs.
 *
 *
 * CTAs are placed as by the scheduler, as many at once as fit. Their warps take turns. A turn ends when the warp
 * would wait for a load or at a barrier. Accesses pass coalescing, L1 and L2 as in a simulation. The cache content
 * differs from a simulated launch only because the warps interleave differently. Rows of DRAM stay closed. */
#ifndef VIVACE_SIMCORE_REPLAY_H
#define VIVACE_SIMCORE_REPLAY_H

#include "simcore/gpu.h"

/* Empties everything behind L1, then replays the last `launches` kernels of the list (0: all), and the copies among
 * them. The GPU must be idle. *out: number of kernels replayed. */
int replay_before(struct simulator *s, const struct sim_before *before, uint64_t launches, uint64_t *out,
                  struct err *e);

#endif
