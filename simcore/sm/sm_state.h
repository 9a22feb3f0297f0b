/* simcore/sm/sm_state.h: saves and loads the state of an SM (engine/state_io.h); reserve mode, one launch.
 *
 *
 * CTAs are identified by their index in the trace, warps by their CTA, their number in it and their position. */
#ifndef VIVACE_SIMCORE_SM_SM_STATE_H
#define VIVACE_SIMCORE_SM_SM_STATE_H

#include "simcore/sm/sm.h"

/* CTAs that were taken from the source and not released, by their index in the trace. While loading, each is
 * assigned once. */
struct open_ctas {
    struct launch *launch;
    struct cta_trace **cta; /* NULL: already assigned */
    uint64_t *index;        /* of each CTA, ascending */
    size_t count;
};

/* Saves the index of *cta, or finds the CTA with the loaded index; NULL: there is none, or it was already assigned.
 */
void open_cta_state(struct open_ctas *open, struct cta_trace **cta, struct state_io *io);
/* While loading, the SM must not be active. */
void sm_state(struct sm *sm, struct open_ctas *open, struct state_io *io);

#endif
