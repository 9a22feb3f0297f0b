/* sampling/communication_split.h: a projection in two parts: kernels that wait for other GPUs, and all others. */
#ifndef VIVACE_SAMPLING_COMMUNICATION_SPLIT_H
#define VIVACE_SAMPLING_COMMUNICATION_SPLIT_H

#include "sampling/projection.h"

struct communication_split {
    uint64_t launches; /* of communication, with a value */
    uint64_t profiled; /* what they took in the profile, in its unit */
    /* In the unit of the results; half-widths at the projection's level, NaN: not known. */
    double value, half_width, other, other_half_width;
};

/* 1; 0: the profile has no such launches, the projection no value, or some share a stratum with other kernels, so
 * that they cannot be distinguished. -1: memory. */
int communication_split_make(const struct profile *profile, const struct plan *plan, const struct projection *p,
                             struct communication_split *out, struct err *e);

#endif
