/* sampling/cluster/photon.h: decides which launches are simulated, and which simulated launch each of the others
 * matches.
 */
#ifndef VIVACE_SAMPLING_PHOTON_H
#define VIVACE_SAMPLING_PHOTON_H

#include "sampling/plan/strata.h"

/* Warps that the GPU of Photon's paper holds at once, an AMD R9 Nano: 64 compute units of 4 SIMDs of 10 waves. */
#define PHOTON_CAPACITY 2560

enum photon_rule {
    PHOTON_PAPER,   /* as in the paper: method_photon.c */
    PHOTON_ARTIFACT /* as STEM's artifact re-implements it: method_photon_ae.c */
};
/* Makes one stratum for each launch that has to be simulated: that launch and all launches that match it. */
int photon_stratify(const struct profile *p, enum photon_rule rule, struct strata *out, struct err *e);

#endif
