/* sampling/time/makespan.h: projects the busy time (time during which at least one launch runs) on a design, with
 * an interval.
 *
 * Simulated launches have their simulated duration, all others a duration from their stratum's results. They are
 * laid out as profiled (sampling/time/makespan_layout.h). Neither value nor interval models waiting between
 * streams. */
#ifndef VIVACE_SAMPLING_MAKESPAN_H
#define VIVACE_SAMPLING_MAKESPAN_H

#include "sampling/estimate/projection.h"

struct makespan {
    double value_s;      /* NaN: the profile has no times, or the projection no value */
    double half_width_s; /* at the projection's level; NaN: not known, with the reason in why_no_interval */
    double results;      /* effective number of results behind the interval (sampling/time/launch_spread.h) */
    const char *why_no_interval; /* a clause without a full stop; NULL: there is an interval, or no value */
};

/* y: one value per plan sample; p: the projection of y; seconds_per_unit converts the unit of y, NaN: y is not a
 * time. Returns -1 if out of memory. */
int makespan_make(const struct profile *profile, const struct plan *plan, const double *y,
                  const struct projection *p, double seconds_per_unit, struct makespan *out, struct err *e);

#endif
