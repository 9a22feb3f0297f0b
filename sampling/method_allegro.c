/* Allegro, as published (Chung, Na, Kim, MLArchSys 2024): kernels by name, grid and block; a group that needs more
 * than 50 samples alone is cut by 2-means, again and again; every leaf gets at least 30 samples, drawn with
 * replacement, also where it has fewer members. The best cut is found exactly instead of from random starts. */
#include <stdlib.h>

#include "base/array.h"
#include "sampling/method.h"
#include "sampling/published.h"
#include "sampling/quantile.h"
#include "sampling/two_means.h"

#define LEAF_SAMPLES_MOST 50.0 /* m_Th of the paper */

struct span {
    size_t begin, end;
};

static int cut_group(const struct profile *p, struct strata *out, size_t group, double z, double error,
                     struct err *e)
{
    const struct groups *g = &out->groups;
    struct span *stack = NULL;
    size_t capacity = 0, depth = 0, rank = 0;
    int ret = -1;

    if (array_reserve((void **)&stack, &capacity, 1, sizeof *stack, e) < 0)
        return -1;
    stack[depth++] = (struct span){g->items[group].run_begin, g->items[group].run_end};
    while (depth) {
        struct span at = stack[--depth];
        struct moments m = moments_of(g, at.begin, at.end);
        double n = allegro_samples(&m, z, error);

        if (n > LEAF_SAMPLES_MOST && at.end - at.begin > 1) {
            size_t cut = two_means(g, at.begin, at.end);

            if (array_reserve((void **)&stack, &capacity, depth + 2, sizeof *stack, e) < 0)
                goto out;
            stack[depth++] = (struct span){cut, at.end};
            stack[depth++] = (struct span){at.begin, cut};
        } else if (strata_add(out, p, group, rank++, at.begin, at.end, (uint64_t)n, e) < 0) {
            goto out;
        }
    }
    ret = 0;
out:
    free(stack);
    return ret;
}

static int stratify(const struct profile *p, const struct plan_params *params, struct strata *out, struct err *e)
{
    double z = published_z(params->confidence);

    if (groups_make(p, GROUP_KERNEL, &out->groups, e) < 0)
        return -1;
    for (size_t g = 0; g < out->groups.count; g++)
        if (cut_group(p, out, g, z, params->error, e) < 0)
            return -1;
    out->with_replacement = true;
    out->promise_valid = true; /* thirty draws a leaf: the interval can be computed from what they show */
    promise_with_replacement(out, z, profile_total(p));
    return 0;
}

const struct method method_allegro = {
    .name = "allegro",
    .title = "Allegro",
    .sentence =
        "As published at MLArchSys 2024: kernels by name, grid and block, cut until 50 samples are enough for "
        "each leaf alone, at least 30 draws a leaf, with replacement.",
    .stratify = stratify,
};
