/* STEM alone, without ROOT (Chung, Na, Kang, Kim, MICRO 2025): one cluster per kernel name, all sized together.
 *
 *     minimise sum(m_i mu_i) subject to sum(N_i^2 sigma_i^2 / m_i) <= (epsilon sum(N_i mu_i) / z)^2
 *     m_i = sum_j(sqrt(a_j b_j)) / bound * sqrt(b_i / a_i), a = mu, b = N^2 sigma^2, rounded up
 *
 * from the Karush-Kuhn-Tucker conditions; the paper's equation 6 has a misprint in the sum of roots (published.h).
 * Draws are with replacement, as in the paper; total = sum(N_i mean of m_i draws). Assumes: sigma_i of the profile
 * is that of the simulated times, and the sum of means is normal. Two choices that the text leaves open: no cluster
 * gets more draws than it has launches, as in the artifact (the bound is then not met; promise and note report it),
 * and every cluster gets at least one. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "sampling/methods/method.h"
#include "sampling/strata/published.h"
#include "sampling/math/quantile.h"

/* From this df on z is close to t: 1.96 and 2.04, so the promised half-width is at most 4 % too short. */
#define DF_FOR_Z 30

static int add_clusters(const struct profile *p, const double *n, struct strata *out, struct err *e)
{
    size_t capped = 0, used;

    for (size_t g = 0; g < out->groups.count; g++) {
        const struct group *of = &out->groups.items[g];
        size_t members = runs_rows(&out->groups, of->run_begin, of->run_end);

        capped += ceil(n[g]) > (double)members;
        if (strata_add(out, p, g, 0, of->run_begin, of->run_end, clip_samples(ceil(n[g]), members), e) < 0)
            return -1;
    }
    note_constant_strata(out);
    used = strlen(out->note);
    if (capped)
        snprintf(out->note + used, sizeof out->note - used,
                 "%s%zu of %zu kernels would need more draws than they have launches. They are drawn as often as "
                 "they have launches, and the promise is only approximate.",
                 used ? " " : "", capped, out->count);
    return 0;
}

static int stem_stratify(const struct profile *p, const struct plan_params *params, struct strata *out,
                         struct err *e)
{
    double z = published_z(params->confidence), *n = NULL;
    struct moments *clusters = NULL;
    int ret = -1;

    if (groups_make(p, GROUP_NAME, &out->groups, e) < 0)
        return -1;
    n = mem_zalloc(out->groups.count, sizeof *n, e);
    clusters = mem_zalloc(out->groups.count, sizeof *clusters, e);
    if (!n || !clusters)
        goto out;
    for (size_t g = 0; g < out->groups.count; g++)
        clusters[g] = moments_of(&out->groups, out->groups.items[g].run_begin, out->groups.items[g].run_end);
    stem_joint(clusters, out->groups.count, z, params->error, n);
    if (add_clusters(p, n, out, e) < 0)
        goto out;
    out->with_replacement = true;
    promise_with_replacement(out, z, profile_total(p));
    out->promise_valid = out->planned_df >= DF_FOR_Z; /* for fewer degrees of freedom z is too small */
    ret = 0;
out:
    free(n);
    free(clusters);
    return ret;
}

const struct method method_stem = {
    .name = "stem",
    .title = "STEM",
    .sentence = "As published at MICRO 2025, without ROOT: one cluster for each kernel name, all sized together "
                "for one error, with replacement.",
    .stratify = stem_stratify,
};
