/* STEM+ROOT, as published (Chung, Na, Kang, Kim, MICRO 2025).
 *
 *     whole: m = ceil((z sigma / (mu epsilon))^2), tau = m mu        parts: STEM's joint sizes (published.h),
 * rounded up cut while tau(whole) > tau(parts);   total = sum(N_h mean of m_h draws)
 *
 * Kernels by name, each cut in two by 2-means, recursively, as long as sampling the parts separately is cheaper.
 * Each leaf is sized on its own and sampled at random with replacement. Assumes: launches of equal profiled time
 * have equal simulated time. Most leaves get one sample, which gives no variance, so the promise holds for the
 * profile's values only.
 *
 * Two choices that the text leaves open: the best cut is exact (bisect.h), and a leaf whose members all took the
 * same time gets one sample, not none. */
#include <math.h>

#include "sampling/strata/bisect.h"
#include "sampling/methods/method.h"
#include "sampling/strata/published.h"
#include "sampling/math/quantile.h"
#include "sampling/strata/two_means.h"

static size_t root_rule(const struct groups *g, const struct bisect_span *span, const struct bisect_goal *goal,
                        uint64_t *samples, double parts[2])
{
    struct moments whole = moments_of(g, span->begin, span->end), part[2];
    double n = root_single(&whole, goal->z, goal->error), apart = 0;
    size_t cut = two_means(g, span->begin, span->end);

    *samples = clip_samples(n, whole.count);
    if (cut == span->begin)
        return cut;
    part[0] = moments_of(g, span->begin, cut);
    part[1] = moments_of(g, cut, span->end);
    stem_joint(part, 2, goal->z, goal->error, parts);
    for (int i = 0; i < 2; i++)
        apart += ceil(parts[i]) * moments_mean(&part[i]);
    return n * moments_mean(&whole) > apart ? cut : span->begin;
}

static int root_stratify(const struct profile *p, const struct plan_params *params, struct strata *out,
                         struct err *e)
{
    struct bisect_goal goal = {published_z(params->confidence), params->error};

    if (groups_make(p, GROUP_NAME, &out->groups, e) < 0 || bisect_groups(p, root_rule, &goal, out, e) < 0)
        return -1;
    out->with_replacement = true;
    out->promise_valid = false; /* holds for the profile only: one sample per leaf gives no variance */
    promise_with_replacement(out, goal.z, profile_total(p));
    note_constant_strata(out);
    return 0;
}

const struct method method_root = {
    .name = "root",
    .code = &method_root_ae,
    .title = "STEM+ROOT",
    .sentence = "As published at MICRO 2025: splits kernels by name in two while that is cheaper, mostly with one "
                "random member a leaf. Its promise is about the profile, not about simulated values.",
    .stratify = root_stratify,
};
