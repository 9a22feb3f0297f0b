/* Photon as the artifact of STEM+ROOT re-implements it for comparison (Chung, Na, Kang, Kim, MICRO 2025).
 *
 * A launch's vector is its block counts over all warps, not normalised. An already simulated launch is a candidate
 * when |a - b| / (|a| + 1e-6) < 0.05, a being the launch at hand; of the candidates the one of the closest number
 * of warps is taken (the earliest of equals), and its time is used as it is, hence projection by counts.
 *
 * Assumptions: as Photon's, and that a match takes equal time although it may be larger by 5 %. Two things differ
 * from the artifact: launches of different names are never compared (its block numbers mean nothing across names),
 * and blocks of called functions are counted apart (its tracer restarts their numbers, so that they share
 * counters). */
#include "sampling/method.h"
#include "sampling/photon.h"

static int photon_ae_stratify(const struct profile *p, const struct plan_params *params, struct strata *out,
                              struct err *e)
{
    (void)params; /* it knows no error bound */
    return photon_stratify(p, PHOTON_ARTIFACT, out, e);
}

const struct method method_photon_ae = {
    .name = "photon-ae",
    .is_code = true,
    .title = "Photon (artifact)",
    .sentence =
        "Photon as the artifact of STEM+ROOT has it: block counts instead of shares, no rule about the GPU's "
        "capacity, and a match's time taken over unscaled.",
    .needs = NEEDS_BBVS,
    .labels = true,
    .stratify = photon_ae_stratify,
};
