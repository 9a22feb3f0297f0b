/* simcore/replay.h: launches and copies replayed without time, so that the next launch finds in L2 and in the TLBs
 * what they leave there.
 *
 * CTAs stand where the scheduler would put them, as many at once as fit; their warps take turns, each until
 * it would wait for what it loads or at a barrier, and go through coalescing, L1 and L2 as in a simulation. What
 * this leaves differs from a simulated launch only by the order in which warps get ahead of one another. Rows of
 * DRAM stay closed. */
#ifndef VIVACE_SIMCORE_REPLAY_H
#define VIVACE_SIMCORE_REPLAY_H

#include "simcore/gpu.h"

/* Empties everything behind L1, then replays the last `launches` kernels of the list (0: all), and the copies among
 * them. Nothing runs on the GPU. *out: how many kernels there were. */
int replay_before(struct simulator *s, const struct sim_before *before, uint64_t launches, uint64_t *out,
                  struct err *e);

#endif
