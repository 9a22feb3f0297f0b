/* Principal kernel selection (Avalos Baddouh et al., MICRO 2021): features are standardised (population sd),
 * reduced to the fewest principal components that explain more than 99.95 % of the variance, and clustered by
 * k-means for k = 1, 2, .. 20. A group's representative is its first launch; the projection is sum over groups of
 * (value of the representative) (launches of the group), and the smallest k with an error below the tolerance is
 * taken; if there is none, the k with the least error.
 *
 * Assumptions: launches with equal features take equal time; the first launch of a group is like the others.
 * Limitation: k is chosen among 20 by the error on the total that is estimated, so a k whose errors cancel by
 * chance may win. Therefore the range of the error over all k within the tolerance is reported too (if trying all
 * of them is fast). The authors fix the random state of k-means, so ours is fixed too: a plan's seed does not
 * change which kernels are principal. */
#include "sampling/cluster/pks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "sampling/cluster/kmeans.h"
#include "sampling/cluster/pca.h"

#define PCA_SHARE 0.9995
enum { KMEANS_SEED = 4 };   /* the authors' random_state */
enum { ALL_K_ROWS = 5000 }; /* up to this number of distinct rows, every k is tried, which takes at most a second */

static int pks_reduce(const struct feature_rows *rows, struct points *out, struct err *e)
{
    struct points z = rows->points;
    struct standard standard = {0};
    struct pca pca = {0};
    int ret = -1;

    z.x = mem_zalloc(z.count * z.dims, sizeof *z.x, e);
    if (!z.x)
        return -1;
    memcpy(z.x, rows->points.x, z.count * z.dims * sizeof *z.x);
    if (standard_fit(&z, &standard, e) == 0) {
        standard_apply(&standard, &z);
        if (pca_fit(&z, PCA_SHARE, &pca, e) == 0)
            ret = pca_apply(&pca, &z, out, e);
    }
    standard_release(&standard);
    pca_release(&pca);
    free(z.x);
    return ret;
}

/* Rows are sorted by first launch, so a group's first row contains its representative, and groups are in the same
 * order. */
static double pks_project(const struct feature_rows *rows, const uint64_t *value, const uint32_t *group, size_t k,
                          uint32_t *first)
{
    double size[PKS_GROUPS_MAX] = {0}, projected = 0, total = 0;

    for (size_t i = rows->points.count; i-- > 0;) {
        first[group[i]] = rows->first[i];
        size[group[i]] += (double)rows->points.weight[i];
        total += (double)rows->total[i];
    }
    for (size_t g = 0; g < k; g++)
        projected += (double)value[first[g]] * size[g];
    return (projected - total) / total;
}

static void note_within(struct pks *out, double error)
{
    out->low = !out->within || error < out->low ? error : out->low;
    out->high = !out->within || error > out->high ? error : out->high;
    out->within++;
}

static int sweep(const struct feature_rows *rows, const struct points *reduced, const uint64_t *value,
                 double tolerance, uint32_t *group, struct pks *out, struct err *e)
{
    uint32_t first[PKS_GROUPS_MAX] = {0};

    for (size_t k = 1; k <= PKS_GROUPS_MAX && k <= rows->points.count; k++) {
        size_t groups;
        double error;

        if (out->within && rows->points.count > ALL_K_ROWS)
            return 0;
        if (kmeans(reduced, k, KMEANS_SEED, group, &groups, e) < 0)
            return -1;
        if (groups < k)
            return 0; /* fewer than k rows are distinct */
        out->tried++;
        error = pks_project(rows, value, group, k, first);
        if (k == 1 || (!out->within && fabs(error) < fabs(out->error))) {
            out->k = k;
            out->error = error;
            memcpy(out->group, group, rows->points.count * sizeof *group);
            memcpy(out->first, first, sizeof first);
        }
        if (fabs(error) < tolerance)
            note_within(out, error);
    }
    return 0;
}

int pks_select(const struct feature_rows *rows, const uint64_t *value, double tolerance, struct pks *out,
               struct err *e)
{
    struct points reduced = {0};
    uint32_t *group;
    int ret = -1;

    *out = (struct pks){0};
    if (!rows->points.count)
        return err_set(e, ERR_INVALID, "no launch with features has a value above 0: there is nothing to cluster");
    group = mem_zalloc(rows->points.count, sizeof *group, e);
    out->group = mem_zalloc(rows->points.count, sizeof *out->group, e);
    out->first = mem_zalloc(PKS_GROUPS_MAX, sizeof *out->first, e);
    if (group && out->group && out->first && pks_reduce(rows, &reduced, e) == 0)
        ret = sweep(rows, &reduced, value, tolerance, group, out, e);
    free(group);
    points_release(&reduced);
    if (ret < 0)
        pks_release(out);
    return ret;
}

void pks_release(struct pks *s)
{
    free(s->group);
    free(s->first);
    *s = (struct pks){0};
}
