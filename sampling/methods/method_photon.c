/* Photon at kernel level, as published (Liu, Sun, Carlson, "Photon: a fine-grained sampled simulation methodology
 * for GPU workloads", MICRO 2023).
 *
 * A launch's vector is the concatenation of its types of warps, most frequent first, of (share of warps) x
 * (basic-block counts scaled to length 1); two launches match when the Euclidean distance, the shorter padded with
 * zeros, is below 0.05. Launches with fewer warps than the GPU's capacity match only if their numbers of warps are
 * equal. A match predicts time = CPI of the simulated launch x own instructions, hence projection by instructions.
 *
 * Assumptions: CPI depends only on the mix of basic blocks and the number of warps, not on data, caches or clocks.
 * The capacity is that of the paper's GPU (2560 warps). The authors use one work-group in a hundred; our vectors
 * include all of them. Photon's sampling inside a kernel is a task of the simulator. */
#include "sampling/methods/method.h"
#include "sampling/cluster/photon.h"
#include "sampling/cluster/representatives.h"

static int stratify_photon(const struct profile *p, const struct plan_params *params, struct strata *out,
                           struct err *e)
{
    (void)params; /* the method has no error bound */
    if (need_instructions(p, e) < 0)
        return -1;
    out->estimator = PLAN_INSTRUCTION_RATIO;
    return photon_stratify(p, PHOTON_PAPER, out, e);
}

const struct method method_photon = {
    .name = "photon",
    .code = &method_photon_ae,
    .title = "Photon",
    .sentence = "As published at MICRO 2023, at kernel level: a launch is simulated unless an earlier launch with "
                "as many warps has nearly the same basic-block vector. Times follow from instructions.",
    .needs = NEEDS_BBVS | NEEDS_INSTRUCTIONS,
    .labels = true,
    .stratify = stratify_photon,
};
