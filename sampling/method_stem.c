/* STEM alone, without ROOT (Chung, Na, Kang, Kim, MICRO 2025): one cluster a kernel name, all sized together.
 *
 *     minimise sum(m_i mu_i) subject to sum(N_i^2 sigma_i^2 / m_i) <= (epsilon sum(N_i mu_i) / z)^2
 *     m_i = sum_j(sqrt(a_j b_j)) / bound * sqrt(b_i / a_i), a = mu, b = N^2 sigma^2, rounded up
 *
 * from the Karush-Kuhn-Tucker conditions; the paper's equation 6 misprints the sum of roots (published.h). Draws
 * are with replacement, as in the paper; total = sum(N_i mean of m_i draws). Assumes: sigma_i of the profile is
 * that of the simulated times, and the sum of means is normal. Two choices where the text leaves room: no cluster
 * gets more draws than it has launches, as in the artifact (which breaks the bound where it bites: the promise and
 * the note say so), and none gets fewer than one. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "sampling/method.h"
#include "sampling/published.h"
#include "sampling/quantile.h"

/* From here on z is close to t: 1.96 against 2.04, a promise short by 4 %. */
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
        snprintf(
            out->note + used, sizeof out->note - used,
            "%s%zu of %zu kernels would need more draws than they have launches; they are drawn that often, and "
            "the promise is its rest.",
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
    out->promise_valid = out->planned_df >= DF_FOR_Z; /* the paper's z is too small for fewer */
    ret = 0;
out:
    free(n);
    free(clusters);
    return ret;
}

const struct method method_stem = {
    .name = "stem",
    .title = "STEM",
    .sentence =
        "As published at MICRO 2025, without ROOT: one cluster a kernel name, all sized together for one error, "
        "with replacement.",
    .stratify = stem_stratify,
};
