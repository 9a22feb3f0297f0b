/* TBPoint between launches (Huang et al., "TBPoint: reducing simulation time for large-scale GPGPU kernels", IPDPS
 * 2014). Four features: launch size in thread instructions; the same in warp instructions, which increase with
 * control divergence; memory requests, in sectors, which increase with memory divergence; and the coefficient of
 * variation of instructions over CTAs. Each is divided by its mean over all launches; clusters by average linkage,
 * cut at 0.1; the launch nearest to the centroid represents its cluster (ties: the earliest), and its IPC times the
 * cluster's instructions is the projection.
 *
 * Assumptions: launches with similar features have similar IPC, even with different names. Clustering works on
 * distinct feature rows with counts. If the waves of launches are known, the plan reports the part of the chosen
 * launches that TBPoint would simulate (sampling/cluster/intra_launch.h). */
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "sampling/cluster/intra_launch.h"
#include "sampling/cluster/linkage.h"
#include "sampling/methods/method.h"
#include "sampling/cluster/representatives.h"

#define CUT_INTER 0.1
enum { FEATURES = 4 };

static void read_features(const struct features *f, uint64_t i, double *x)
{
    x[0] = (double)f->instructions[i] * f->metrics[FEATURE_THREADS_PER_INSTRUCTION][i];
    x[1] = (double)f->instructions[i];
    x[2] = f->metrics[FEATURE_GLOBAL_LOAD_SECTORS][i] + f->metrics[FEATURE_GLOBAL_STORE_SECTORS][i] +
           f->metrics[FEATURE_LOCAL_LOAD_SECTORS][i];
    x[3] = f->cta_cov[i];
}

static void divide_by_means(struct points *p)
{
    for (size_t d = 0; d < p->dims; d++) {
        double sum = 0, n = 0;

        for (size_t i = 0; i < p->count; i++) {
            sum += (double)p->weight[i] * point(p, i)[d];
            n += (double)p->weight[i];
        }
        for (size_t i = 0; i < p->count && sum > 0; i++)
            point(p, i)[d] /= sum / n;
    }
}

/* Notes the saving from sampling inside the chosen launches. */
static int tell_intra(const struct features *f, const uint32_t *chosen, size_t count, struct strata *out,
                      struct err *e)
{
    uint64_t ctas = 0, needed = 0;
    size_t regions = 0;

    for (size_t c = 0; f->wave_begin && c < count; c++) {
        size_t begin = f->wave_begin[chosen[c]], end = f->wave_begin[chosen[c] + 1];
        struct intra_launch x;

        if (intra_launch(f->waves + begin, end - begin, &x, e) < 0)
            return err_wrap(e, "waves of launch %u", chosen[c]);
        ctas += x.ctas;
        needed += x.needed;
        regions += x.count;
        intra_launch_release(&x);
    }
    if (ctas)
        snprintf(out->note, sizeof out->note,
                 "inside the chosen launches, %zu regions of similar waves: %.1f %% of their thread blocks would "
                 "have to be simulated",
                 regions, 100 * (double)needed / (double)ctas);
    return 0;
}

static int tbpoint_choose(const struct profile *p, const struct feature_rows *rows, const uint32_t *cluster,
                          size_t clusters, struct strata *out, struct err *e)
{
    uint32_t *label = mem_zalloc(p->count, sizeof *label, e), *chosen = mem_zalloc(clusters, sizeof *chosen, e);
    int ret = -1;

    if (!label || !chosen || nearest_to_centroid(&rows->points, cluster, clusters, chosen, e) < 0)
        goto out;
    for (size_t c = 0; c < clusters; c++)
        chosen[c] = rows->first[chosen[c]];
    for (size_t i = 0; i < p->count; i++)
        label[i] = rows->of[i] == GROUP_NOWHERE ? GROUP_NOWHERE : cluster[rows->of[i]];
    if (strata_of_representatives(p, label, clusters, chosen, out, e) == 0)
        ret = tell_intra(p->features, chosen, clusters, out, e);
out:
    free(label);
    free(chosen);
    return ret;
}

static int tbpoint_stratify(const struct profile *p, const struct plan_params *params, struct strata *out,
                            struct err *e)
{
    struct feature_rows rows;
    uint32_t *cluster;
    size_t clusters;
    int ret = -1;

    (void)params; /* the method has no error bound */
    if (need_instructions(p, e) < 0 || feature_rows_make(p, p->count, FEATURES, read_features, &rows, e) < 0)
        return -1;
    out->estimator = PLAN_INSTRUCTION_RATIO;
    cluster = mem_zalloc(rows.points.count, sizeof *cluster, e);
    if (cluster) {
        divide_by_means(&rows.points);
        if (average_linkage(&rows.points, CUT_INTER, cluster, &clusters, e) == 0)
            ret = tbpoint_choose(p, &rows, cluster, clusters, out, e);
    }
    free(cluster);
    feature_rows_release(&rows);
    return ret;
}

const struct method method_tbpoint = {
    .name = "tbpoint",
    .title = "TBPoint",
    .sentence = "As published at IPDPS 2014: clusters launches by size, divergence, memory requests and balance, "
                "and takes the most central one of each. Times follow from instructions.",
    .needs = NEEDS_INSTRUCTIONS | NEEDS_METRICS | NEEDS_CTA_COV,
    .labels = true,
    .stratify = tbpoint_stratify,
};
