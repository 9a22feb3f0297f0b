/* Photon as the artifact of STEM+ROOT re-implements it for comparison (Chung, Na, Kang, Kim, MICRO 2025).
 *
 * A launch's vector is its block counts over all warps, not normalised. An already simulated launch is a candidate
 * when |a - b| / (|a| + 1e-6) < 0.05, where a is the current launch. The candidate with the closest number of warps
 * is chosen (ties: the earliest), and its time is used without scaling, hence projection by counts.
 *
 * Assumptions: those of Photon, and that matching launches take equal time although their sizes may differ by 5 %.
 * Two things differ from the artifact: launches of different names are never compared (block numbers of different
 * names are unrelated), and blocks of called functions are counted separately (the artifact's tracer restarts block
 * numbers in each function, so that they share counters). */
#include "sampling/methods/method.h"
#include "sampling/cluster/photon.h"

static int photon_ae_stratify(const struct profile *p, const struct plan_params *params, struct strata *out,
                              struct err *e)
{
    (void)params; /* the method has no error bound */
    return photon_stratify(p, PHOTON_ARTIFACT, out, e);
}

const struct method method_photon_ae = {
    .name = "photon-ae",
    .is_code = true,
    .title = "Photon (artifact)",
    .sentence = "Photon as in the artifact of STEM+ROOT: block counts instead of shares, no rule about the GPU's "
                "capacity, and the time of the matching launch without scaling.",
    .needs = NEEDS_BBVS,
    .labels = true,
    .stratify = photon_ae_stratify,
};
