/* simcore/observe/watch.h: what the options ask to be watched, put on a simulator before a run and taken off after.
 */
#ifndef VIVACE_SIMCORE_OBSERVE_WATCH_H
#define VIVACE_SIMCORE_OBSERVE_WATCH_H

#include "simcore/gpu.h"

int watch_begin(struct simulator *s, const struct sim_options *o, struct err *e);
/* The run is over after this number of cycles; what was seen goes into *out. Call before sm_finish(). */
int watch_end(struct simulator *s, uint64_t cycles, struct sim_result *out, struct err *e);
/* Nobody watches any longer; what was seen and not handed over is gone. */
void watch_drop(struct simulator *s);

#endif
