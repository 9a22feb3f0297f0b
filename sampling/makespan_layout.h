/* sampling/makespan_layout.h: a profile's launches laid out anew when strata take longer or less long. Streams keep
 * their profiled gaps and overlaps and know nothing of each other; the busy time is the union of all launches. */
#ifndef VIVACE_SAMPLING_MAKESPAN_LAYOUT_H
#define VIVACE_SAMPLING_MAKESPAN_LAYOUT_H

#include "sampling/plan.h"

struct layout_interval;
struct layout_lane;

/* The caller sets `factors` and empties `gradient`; the rest is the layout's own. Arrays of launches go by profiled
 * start. */
struct layout {
    const struct profile *profile;
    uint32_t *rows;   /* the profile's */
    uint32_t *before; /* on the same stream */
    uint32_t *strata;
    struct layout_lane *lanes;
    struct layout_interval *intervals;
    double *weights;  /* of each launch's start: how much the busy time moves with it */
    double *factors;  /* new over profiled duration, by stratum, >= 0 */
    double *gradient; /* of the busy time by each stratum's factor, ns: layout_busy() adds to it */
};

/* The profile has starts and outlives the layout. -1: memory; release it all the same. */
int layout_init(struct layout *l, const struct profile *profile, const struct plan *plan, struct err *e);
void layout_release(struct layout *l);
double layout_busy(struct layout *l); /* ns */

#endif
