/* Allegro, as implemented in its authors' tool (kernel_sample.py of the trace generator published with the paper).
 *
 *     raw = (z s / (mu epsilon))^2, s with N - 1, and 1 where s = 0;   leaf when raw < 50;   m = max(ceil(raw), 30)
 *
 * It differs from the paper (method_allegro.c) in s, and in that the threshold is compared with raw, before
 * rounding and before the minimum of 30. Draws are with replacement; a group of one launch gets 30 draws too.
 * Complete names are used here; the tool cuts them at the first `<`, which would put kernels of different template
 * arguments into one group. Assumptions: those of the paper. */
#include "sampling/strata/bisect.h"
#include "sampling/methods/method.h"
#include "sampling/strata/published.h"
#include "sampling/math/quantile.h"
#include "sampling/strata/two_means.h"

#define LEAF_RAW_BELOW 50.0 /* the tool's --threshold */

static size_t allegro_tool_rule(const struct groups *g, const struct bisect_span *span,
                                const struct bisect_goal *goal, uint64_t *samples, double parts[2])
{
    struct moments m = moments_of(g, span->begin, span->end);
    double raw = allegro_tool_raw(&m, goal->z, goal->error);

    (void)parts; /* every part is sized on its own */
    *samples = (uint64_t)allegro_tool_samples(raw);
    return raw < LEAF_RAW_BELOW ? span->begin : two_means(g, span->begin, span->end);
}

static int allegro_tool_stratify(const struct profile *p, const struct plan_params *params, struct strata *out,
                                 struct err *e)
{
    struct bisect_goal goal = {published_z(params->confidence), params->error};

    if (groups_make(p, GROUP_KERNEL, &out->groups, e) < 0 || bisect_groups(p, allegro_tool_rule, &goal, out, e) < 0)
        return -1;
    out->with_replacement = true;
    out->promise_valid = true; /* as in method_allegro.c: thirty draws per leaf */
    promise_with_replacement(out, goal.z, profile_total(p));
    return 0;
}

const struct method method_allegro_tool = {
    .name = "allegro-tool",
    .is_code = true,
    .title = "Allegro (tool)",
    .sentence = "Allegro as in its authors' tool: sample deviation, split while the unrounded size is 50 or more, "
                "at least 30 draws a leaf, with replacement.",
    .stratify = allegro_tool_stratify,
};
