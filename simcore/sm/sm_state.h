/* simcore/sm/sm_state.h: an SM saved or loaded (engine/state_io.h); reserve mode, one launch.
 *
 * CTAs are named by their place in the trace, warps by their CTA, their number in it and how far they are. */
#ifndef VIVACE_SIMCORE_SM_SM_STATE_H
#define VIVACE_SIMCORE_SM_SM_STATE_H

#include "simcore/sm/sm.h"

/* CTAs that have been taken from the source and not given back, by their place in the trace. While loading each is
 * handed over once. */
struct open_ctas {
    struct launch *launch;
    struct cta_trace **cta; /* NULL: handed over */
    uint64_t *index;        /* of each, ascending */
    size_t count;
};

/* Saves the place of *cta, or finds the CTA of that place; NULL where there is none (left). */
void open_cta_state(struct open_ctas *open, struct cta_trace **cta, struct state_io *io);
/* While loading, the SM is not active yet. */
void sm_state(struct sm *sm, struct open_ctas *open, struct state_io *io);

#endif
