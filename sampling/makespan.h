/* sampling/makespan.h: how long anything runs under a design: results -> busy time of all streams, with an
 * interval.
 *
 * Launches that were simulated take what they took there, all others what their stratum's results say, and are laid
 * out as profiled (sampling/makespan_layout.h). Waiting across streams is not modelled: not by the value, and not
 * by the interval. */
#ifndef VIVACE_SAMPLING_MAKESPAN_H
#define VIVACE_SAMPLING_MAKESPAN_H

#include "sampling/projection.h"

struct makespan {
    double value_s;              /* NaN: the profile has no times, or the projection no value */
    double half_width_s;         /* at the projection's level; NaN: not known, and why_no_interval says why */
    double results;              /* that the interval rests on (sampling/launch_spread.h) */
    const char *why_no_interval; /* a clause without a full stop; NULL: there is an interval, or no value */
};

/* p: of y, which has one value a plan sample; seconds_per_unit converts its unit, NaN: it is no time. -1: memory.
 */
int makespan_make(const struct profile *profile, const struct plan *plan, const double *y,
                  const struct projection *p, double seconds_per_unit, struct makespan *out, struct err *e);

#endif
