/* simcore/sm/poll.h: warps that poll global memory wait for the writes that end their polls (trace/polls.h). */
#ifndef VIVACE_SIMCORE_SM_POLL_H
#define VIVACE_SIMCORE_SM_POLL_H

#include "simcore/sm/access.h"
#include "simcore/trace/polls.h"

/* Call it when the launch has read its first CTA that polls. issued: the number of instructions issued before. */
void poll_begin(struct poll_plan *p, uint64_t issued);
/* The position of the first poll of a warp that starts; UINT32_MAX: none. */
uint32_t poll_first(const struct cta_trace *cta, uint32_t warp);
/* The next instruction of warp `slot` polls. True: it may issue at t. False: the warp sleeps, or its ready time has
 * changed. */
bool poll_passes(struct sm *sm, uint32_t slot, uint32_t t);
/* A store, atomic or reduction to global memory has been sent; it is complete at local time `done`. */
void poll_wrote(const struct access *a, uint32_t done);
/* No event is left. Lets one waiting warp continue: a warp whose poll waits for more writes than will come,
 * although another warp has written its word, or a warp whose poll is only a guess. False: there is no such warp.
 */
bool poll_give_up(struct sm_env *env, struct launch *l);

#endif
