/* sampling/nonresponse.h: what launches that could not be simulated do to an estimate.
 *
 * Whether they are replaced by the next of their stratum's permutation or dropped, the others stand for them:
 * N_h f_h / (n_h + f_h) launches of stratum h are expected to be of the kind that fails, f_h of f_h + n_h tried
 * having failed. That is right when what makes a launch fail has nothing to do with its time beyond its stratum
 * (Cochran, Sampling Techniques, 1977, ch. 13). Nothing in the results can test that, so no interval contains it:
 * here is how far the total would be off if it were wrong. */
#ifndef VIVACE_SAMPLING_NONRESPONSE_H
#define VIVACE_SAMPLING_NONRESPONSE_H

#include "sampling/projection.h"

struct not_done { /* a launch that was drawn and could not be simulated */
    uint32_t stratum;
    uint64_t value; /* as profiled */
};

struct nonresponse {
    size_t count;
    double share;       /* of the total that launches of this kind make, as estimated from the others */
    double if_twice;    /* the total would be larger by this share if they took twice as long as the others */
    double if_profiled; /* by this share if they differ from the others as they do in the profile */
    char sentence[300];
};
/* `p`: the projection of the design they failed on, by the samples there are. -1 with ERR_INVALID when a stratum is
 * none of the plan's. Shares are NaN while the projection has no value. */
int nonresponse_make(const struct plan *plan, const double *y, const struct projection *p,
                     const struct not_done *failed, size_t count, struct nonresponse *out, struct err *e);

#endif
