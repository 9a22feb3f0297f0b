/* simcore/observe/watch.h: attaches the observers that the options request to a simulator before a run, and
 * detaches them after it. */
#ifndef VIVACE_SIMCORE_OBSERVE_WATCH_H
#define VIVACE_SIMCORE_OBSERVE_WATCH_H

#include "simcore/gpu.h"

int watch_begin(struct simulator *s, const struct sim_options *o, struct err *e);
/* The run has ended after this number of cycles; moves the observations to *out. Call before sm_finish(). */
int watch_end(struct simulator *s, uint64_t cycles, struct sim_result *out, struct err *e);
/* Detaches all observers and frees observations that were not moved. */
void watch_drop(struct simulator *s);

#endif
