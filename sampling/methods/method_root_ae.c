/* STEM+ROOT, as in the paper's artifact (STEM-AE, stem.py), whose rule differs from the paper's (method_root.c).
 *
 *     a group:  m = ceil((z sigma / (mu epsilon))^2), tau = m mu      a part: m and tau from its parent
 *     parts:    STEM's joint sizes over the two, rounded up           cut unless tau(parts) > tau(whole)
 *
 * A part thus inherits its size from the two-cluster problem of its parent, and that, not its own size for epsilon,
 * is compared with its own parts. So cutting stops earlier, and a leaf may get more samples than it has members
 * (then limited to N and taken whole). At equal costs the group is cut. Draws are without replacement, as with the
 * artifact's random.sample. Complete names are used here; the artifact cuts them at the first `(`.
 *
 * One departure. A leaf whose members all took the same time has m = 0: the artifact leaves it out of its estimate,
 * and divides by zero on a workload of such kernels only. Here it has one sample, and the plan's note gives the
 * number of such leaves. Assumptions: those of the paper. */
#include <math.h>

#include "sampling/strata/bisect.h"
#include "sampling/methods/method.h"
#include "sampling/strata/published.h"
#include "sampling/math/quantile.h"
#include "sampling/strata/two_means.h"

static size_t root_ae_rule(const struct groups *g, const struct bisect_span *span, const struct bisect_goal *goal,
                           uint64_t *samples, double parts[2])
{
    struct moments whole = moments_of(g, span->begin, span->end), part[2];
    double n = isnan(span->inherited) ? root_single(&whole, goal->z, goal->error) : span->inherited, apart = 0;
    size_t cut = two_means(g, span->begin, span->end);

    n = whole.count == 1 ? 1 : n;
    *samples = clip_samples(n, whole.count);
    if (cut == span->begin || n <= 0)
        return span->begin;
    part[0] = moments_of(g, span->begin, cut);
    part[1] = moments_of(g, cut, span->end);
    stem_joint(part, 2, goal->z, goal->error, parts);
    for (int i = 0; i < 2; i++) {
        parts[i] = ceil(parts[i]);
        apart += parts[i] * moments_mean(&part[i]);
    }
    return apart > n * moments_mean(&whole) ? span->begin : cut;
}

static int root_ae_stratify(const struct profile *p, const struct plan_params *params, struct strata *out,
                            struct err *e)
{
    struct bisect_goal goal = {published_z(params->confidence), params->error};

    if (groups_make(p, GROUP_NAME, &out->groups, e) < 0 || bisect_groups(p, root_ae_rule, &goal, out, e) < 0)
        return -1;
    out->promise_valid = false; /* as in method_root.c */
    promise_with_replacement(out, goal.z,
                             profile_total(p)); /* the paper's formula: no finite-population correction */
    note_constant_strata(out);
    return 0;
}

const struct method method_root_ae = {
    .name = "root-ae",
    .is_code = true,
    .title = "STEM+ROOT (artifact)",
    .sentence = "STEM+ROOT as in the paper's artifact: parts inherit the size of their parent, so splitting stops "
                "earlier; without replacement. Its promise is about the profile, not about simulated values.",
    .stratify = root_ae_stratify,
};
