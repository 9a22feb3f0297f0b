/* STEM+ROOT, as published (Chung, Na, Kang, Kim, MICRO 2025): kernels by name, each cut in two by 2-means again and
 * again as long as sampling the two parts apart, sized by STEM, is cheaper than sampling them as one; random
 * members with replacement; count-weighted projection.
 *
 * Two choices where the text leaves room: the best cut is found exactly instead of from random starts, so that a
 * plan is repeatable, and a leaf whose members all took the same time gets one sample, not none (with none, its
 * time would be missing from the projection). */
#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "sampling/method.h"
#include "sampling/published.h"
#include "sampling/quantile.h"
#include "sampling/two_means.h"

/* Samples for one cluster alone: ceil((z sigma / (mu epsilon))^2). One member: one sample. */
static double leaf_samples(const struct moments *m, double z, double error)
{
    return m->count == 1 ? 1 : ceil(stem_single(m, z, error));
}

static int split_pays(const struct moments *whole, const struct moments parts[2], double z, double error)
{
    double together = leaf_samples(whole, z, error) * moments_mean(whole), apart = 0, n[2];

    stem_joint(parts, 2, z, error, n);
    for (int i = 0; i < 2; i++)
        apart += ceil(n[i]) * moments_mean(&parts[i]);
    return together > apart;
}

struct span {
    size_t begin, end;
};

/* Cuts one name; a stack instead of recursion, as its depth is up to the data. Left parts come first. */
static int cut_name(const struct profile *p, struct strata *out, size_t group, double z, double error,
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
        size_t cut = two_means(g, at.begin, at.end);
        struct moments whole = moments_of(g, at.begin, at.end);
        struct moments parts[2] = {moments_of(g, at.begin, cut), moments_of(g, cut, at.end)};
        uint64_t n;

        if (cut > at.begin && split_pays(&whole, parts, z, error)) {
            if (array_reserve((void **)&stack, &capacity, depth + 2, sizeof *stack, e) < 0)
                goto out;
            stack[depth++] = (struct span){cut, at.end};
            stack[depth++] = (struct span){at.begin, cut};
            continue;
        }
        n = clip_samples(leaf_samples(&whole, z, error), whole.count);
        if (strata_add(out, p, group, rank++, at.begin, at.end, n, e) < 0)
            goto out;
    }
    ret = 0;
out:
    free(stack);
    return ret;
}

static int stratify(const struct profile *p, const struct plan_params *params, struct strata *out, struct err *e)
{
    double z = published_z(params->confidence);

    if (groups_make(p, GROUP_NAME, &out->groups, e) < 0)
        return -1;
    for (size_t g = 0; g < out->groups.count; g++)
        if (cut_name(p, out, g, z, params->error, e) < 0)
            return -1;
    out->with_replacement = true;
    out->promise_valid = false; /* it is about the profile's values: one sample a leaf shows no spread of its own */
    promise_with_replacement(out, z, profile_total(p));
    return 0;
}

const struct method method_root = {
    .name = "root",
    .title = "STEM+ROOT",
    .sentence = "As published at MICRO 2025: kernels by name, cut in two while that is cheaper, mostly one random "
                "member a leaf; its promise is about the profile, not about simulated values.",
    .stratify = stratify,
};
