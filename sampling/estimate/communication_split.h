/* sampling/estimate/communication_split.h: splits a projection into communication kernels and all other kernels. */
#ifndef VIVACE_SAMPLING_COMMUNICATION_SPLIT_H
#define VIVACE_SAMPLING_COMMUNICATION_SPLIT_H

#include "sampling/estimate/projection.h"

struct communication_split {
    uint64_t launches; /* of communication kernels, with a value above 0 */
    uint64_t profiled; /* their profiled total, in the profile's unit */
    /* In the unit of the results; half-widths at the projection's level, NaN: not known. */
    double value, half_width, other, other_half_width;
};

/* Returns 1; 0 if the profile has no such launches, the projection has no value, or such a launch shares a stratum
 * with other kernels, so that the parts cannot be separated; -1: out of memory. */
int communication_split_make(const struct profile *profile, const struct plan *plan, const struct projection *p,
                             struct communication_split *out, struct err *e);

#endif
