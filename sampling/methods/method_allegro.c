/* Allegro, as published (Chung, Na, Kim, MLArchSys 2024).
 *
 *     raw = (z sigma / (mu epsilon))^2, sigma with N;   m = max(ceil(raw), 30);   total = sum(N_h mean of m draws)
 *
 * Kernels by name, grid and block; a group with m > 50 is cut by 2-means on its times, recursively; every leaf gets
 * m draws with replacement, even if it has fewer members. Assumes: members of a leaf are independent draws (hence
 * with replacement), their mean is normal from 30 draws on. If each leaf is within epsilon, the total is too; its
 * actual error is far smaller. */
#include "sampling/strata/bisect.h"
#include "sampling/methods/method.h"
#include "sampling/strata/published.h"
#include "sampling/math/quantile.h"
#include "sampling/strata/two_means.h"

#define LEAF_SAMPLES_MAX 50.0 /* m_Th of the paper */

static size_t allegro_rule(const struct groups *g, const struct bisect_span *span, const struct bisect_goal *goal,
                           uint64_t *samples, double parts[2])
{
    struct moments m = moments_of(g, span->begin, span->end);
    double n = allegro_samples(&m, goal->z, goal->error);

    (void)parts; /* every part is sized on its own */
    *samples = (uint64_t)n;
    return n > LEAF_SAMPLES_MAX ? two_means(g, span->begin, span->end) : span->begin;
}

static int allegro_stratify(const struct profile *p, const struct plan_params *params, struct strata *out,
                            struct err *e)
{
    struct bisect_goal goal = {published_z(params->confidence), params->error};

    if (groups_make(p, GROUP_KERNEL, &out->groups, e) < 0 || bisect_groups(p, allegro_rule, &goal, out, e) < 0)
        return -1;
    out->with_replacement = true;
    out->promise_valid = true; /* thirty draws per leaf are enough to compute the interval from the results */
    promise_with_replacement(out, goal.z, profile_total(p));
    return 0;
}

const struct method method_allegro = {
    .name = "allegro",
    .code = &method_allegro_tool,
    .title = "Allegro",
    .sentence = "As published at MLArchSys 2024: groups kernels by name, grid and block, splits them until 50 "
                "samples are enough for each leaf alone, and draws at least 30 samples a leaf, with replacement.",
    .stratify = allegro_stratify,
};
