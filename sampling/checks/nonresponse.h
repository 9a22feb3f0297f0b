/* sampling/checks/nonresponse.h: the effect of launches that could not be simulated on an estimate.
 *
 * They are replaced by the next launches of their stratum's permutation, or dropped; in both cases the other
 * launches represent them. If f_h of n_h + f_h simulated launches failed, N_h f_h / (n_h + f_h) launches of stratum
 * h are expected to fail. The estimate is unbiased if, within a stratum, failure does not depend on the launch's
 * time (Cochran, Sampling Techniques, 1977, ch. 13). The results cannot test this assumption, so no interval
 * includes it. This file computes the error of the total if it is wrong. */
#ifndef VIVACE_SAMPLING_NONRESPONSE_H
#define VIVACE_SAMPLING_NONRESPONSE_H

#include "sampling/estimate/projection.h"

struct not_done { /* a launch that was drawn and could not be simulated */
    uint32_t stratum;
    uint64_t value; /* as profiled */
};

struct nonresponse {
    size_t count;
    double share;       /* share of the total in launches that fail, estimated from the others */
    double if_twice;    /* the total would be larger by this share if they took twice as long as the others */
    double if_profiled; /* the total would change by this share if they differ from the others as in the profile */
    char sentence[300];
};
/* `p`: the projection of the available results on the design on which the launches failed. Returns -1 with
 * ERR_INVALID if a stratum number is not in the plan. Shares are NaN while the projection has no value. */
int nonresponse_make(const struct plan *plan, const double *y, const struct projection *p,
                     const struct not_done *failed, size_t count, struct nonresponse *out, struct err *e);

#endif
