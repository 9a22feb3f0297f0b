/* TBPoint inside a launch (Huang et al., IPDPS 2014). An epoch is a wave: the consecutive CTAs that fit on the GPU
 * at once. Its feature is the stall probability, memory requests / instructions. Epochs whose CTAs vary by more
 * than 0.3 (coefficient of variation) are outliers and are simulated completely; the others are clustered (average
 * linkage, cut 0.2), and runs of one cluster are homogeneous regions: simulated until the rates of two consecutive
 * sampling units differ by less than 10 %; the rest is extrapolated at that rate. A unit is a wave here, so a
 * region needs at least two.
 *
 * Assumptions: equal stall probability means equal rate, and the rate is steady by the second wave; a simulator
 * continues if it is not, so `needed` is a minimum. Our choices: stall probabilities are divided by the launch's
 * mean, as between launches, so that the cut is relative; and they are rounded to 1/1024 of it, far below the cut,
 * because the cost of clustering is quadratic in the number of distinct values. */
#include "sampling/cluster/intra_launch.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "sampling/cluster/linkage.h"

#define OUTLIER   0.3
#define CUT_INTRA 0.2
enum { STEPS = 1024, WARM_UP = 2 };

static double stall_of(const struct wave *w)
{
    return w->instructions ? (double)w->memory_requests / (double)w->instructions : 0;
}

struct step {
    double stall; /* in steps */
    uint32_t wave;
};

static int step_compare(const void *a, const void *b)
{
    const struct step *x = a, *y = b;

    return x->stall < y->stall ? -1 : x->stall > y->stall ? 1 : x->wave < y->wave ? -1 : x->wave > y->wave;
}

/* Collects the waves that are not outliers, sorted by stall probability. Returns their number. */
static size_t sort_waves(const struct wave *waves, size_t count, struct step *steps)
{
    double sum = 0;
    size_t n = 0;

    for (size_t i = 0; i < count; i++)
        sum += stall_of(&waves[i]);
    for (size_t i = 0; i < count; i++) {
        double relative = sum > 0 ? stall_of(&waves[i]) / (sum / (double)count) : 0;

        if (!(waves[i].variation > OUTLIER))
            steps[n++] = (struct step){rint(relative * STEPS), (uint32_t)i};
    }
    if (n)
        qsort(steps, n, sizeof *steps, step_compare);
    return n;
}

/* Sets cluster[i] of every wave that is not an outlier. */
static int cluster_waves(const struct step *steps, size_t n, uint32_t *cluster, struct err *e)
{
    struct points p = {0, 1, mem_zalloc(n, sizeof(double), e), mem_zalloc(n, sizeof(uint64_t), e)};
    uint32_t *label = mem_zalloc(n, sizeof *label, e);
    size_t clusters;
    int ret = -1;

    if (!p.x || !p.weight || !label)
        goto out;
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || steps[i].stall != steps[i - 1].stall)
            p.x[p.count++] = steps[i].stall / STEPS;
        p.weight[p.count - 1]++;
    }
    if (average_linkage(&p, CUT_INTRA, label, &clusters, e) < 0)
        goto out;
    for (size_t i = 0, row = 0; i < n; i++) {
        row += i > 0 && steps[i].stall != steps[i - 1].stall;
        cluster[steps[i].wave] = label[row];
    }
    ret = 0;
out:
    points_release(&p);
    free(label);
    return ret;
}

static void cut_regions(const struct wave *waves, size_t count, const uint32_t *cluster, struct intra_launch *out)
{
    for (size_t i = 0; i < count; i++) {
        bool outlier = waves[i].variation > OUTLIER;
        struct region *last = out->count ? &out->regions[out->count - 1] : NULL;

        if (!last || last->outlier != outlier || (!outlier && cluster[i] != cluster[i - 1])) {
            last = &out->regions[out->count++];
            *last = (struct region){i, i, outlier};
        }
        last->end = i + 1;
        out->ctas += waves[i].ctas;
        out->needed += outlier || i - last->begin < WARM_UP ? waves[i].ctas : 0;
    }
}

int intra_launch(const struct wave *waves, size_t count, struct intra_launch *out, struct err *e)
{
    struct step *steps = mem_zalloc(count, sizeof *steps, e);
    uint32_t *cluster = mem_zalloc(count, sizeof *cluster, e);
    size_t n;
    int ret = -1;

    *out = (struct intra_launch){.regions = mem_zalloc(count, sizeof *out->regions, e)};
    if (!steps || !cluster || !out->regions)
        goto out;
    n = sort_waves(waves, count, steps);
    if (cluster_waves(steps, n, cluster, e) < 0)
        goto out;
    cut_regions(waves, count, cluster, out);
    ret = 0;
out:
    free(steps);
    free(cluster);
    if (ret < 0)
        intra_launch_release(out);
    return ret;
}

void intra_launch_release(struct intra_launch *x)
{
    free(x->regions);
    *x = (struct intra_launch){0};
}
