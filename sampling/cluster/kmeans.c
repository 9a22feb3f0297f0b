/* k-means: groups that minimise sum(w |x - centre of its group|^2).
 *
 * Lloyd's iteration (IEEE Trans. Information Theory 28, 1982) from k-means++ starts (Arthur and Vassilvitskii, SODA
 * 2007: each further centre is a point drawn with probability proportional to w times its squared distance from the
 * centres so far), best of 10, as in the library that PKA's authors used. A point at equal distance from two
 * centres goes to the lower-numbered one; an empty group takes the point that is farthest from its centre. */
#include "sampling/cluster/kmeans.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/rng.h"

enum { STARTS = 10, ITERATIONS_MAX = 300 };

struct run {
    const struct points *p;
    size_t k;
    double *centre;  /* k rows */
    double *sum;     /* k rows: scratch */
    double *weight;  /* of each group */
    double *nearest; /* of each point: squared distance to its centre */
    uint32_t *label;
};

static int run_init(struct run *r, const struct points *p, size_t k, struct err *e)
{
    *r = (struct run){.p = p, .k = k};
    r->centre = mem_zalloc(k * p->dims, sizeof *r->centre, e);
    r->sum = mem_zalloc(k * p->dims, sizeof *r->sum, e);
    r->weight = mem_zalloc(k, sizeof *r->weight, e);
    r->nearest = mem_zalloc(p->count, sizeof *r->nearest, e);
    r->label = mem_zalloc(p->count, sizeof *r->label, e);
    return r->centre && r->sum && r->weight && r->nearest && r->label ? 0 : -1;
}

static void run_release(struct run *r)
{
    free(r->centre);
    free(r->sum);
    free(r->weight);
    free(r->nearest);
    free(r->label);
}

/* A point drawn with probability proportional to weight, or to weight times squared distance; -1: all are 0. */
static int64_t draw_point(const struct run *r, struct rng *rng, bool by_distance)
{
    const struct points *p = r->p;
    int64_t last = -1;
    double all = 0, at, sum = 0;

    for (size_t i = 0; i < p->count; i++)
        all += (double)p->weight[i] * (by_distance ? r->nearest[i] : 1);
    at = rng_unit(rng) * all;
    for (size_t i = 0; i < p->count; i++) {
        double mass = (double)p->weight[i] * (by_distance ? r->nearest[i] : 1);

        if (!(mass > 0))
            continue;
        last = (int64_t)i;
        sum += mass;
        if (sum > at)
            break;
    }
    return last;
}

/* Returns how many centres were found: fewer than k when every point coincides with one. */
static size_t kmeans_start(struct run *r, struct rng *rng)
{
    const struct points *p = r->p;

    for (size_t c = 0; c < r->k; c++) {
        int64_t i = draw_point(r, rng, c > 0);

        if (i < 0)
            return c;
        memcpy(r->centre + c * p->dims, point(p, (size_t)i), p->dims * sizeof *r->centre);
        for (size_t j = 0; j < p->count; j++) {
            double d = distance_squared(point(p, j), r->centre + c * p->dims, p->dims);

            if (c == 0 || d < r->nearest[j])
                r->nearest[j] = d;
        }
    }
    return r->k;
}

/* Assigns every point to its nearest centre; returns true if an assignment changed. */
static bool assign(struct run *r, size_t k)
{
    const struct points *p = r->p;
    bool moved = false;

    memset(r->weight, 0, k * sizeof *r->weight);
    for (size_t i = 0; i < p->count; i++) {
        uint32_t best = 0;
        double least = INFINITY;

        for (size_t c = 0; c < k; c++) {
            double d = distance_squared(point(p, i), r->centre + c * p->dims, p->dims);

            if (d < least) {
                least = d;
                best = (uint32_t)c;
            }
        }
        moved |= r->label[i] != best;
        r->label[i] = best;
        r->nearest[i] = least;
        r->weight[best] += (double)p->weight[i];
    }
    return moved;
}

/* Gives an empty group the point farthest from its centre, unless every point coincides with its centre. */
static bool kmeans_refill(struct run *r, size_t k)
{
    const struct points *p = r->p;
    bool moved = false;

    for (size_t c = 0; c < k; c++) {
        size_t far = 0;

        if (r->weight[c] > 0)
            continue;
        for (size_t i = 1; i < p->count; i++)
            if (r->nearest[i] > r->nearest[far])
                far = i;
        if (!(r->nearest[far] > 0))
            return moved;
        r->weight[r->label[far]] -= (double)p->weight[far];
        r->weight[c] = (double)p->weight[far];
        r->label[far] = (uint32_t)c;
        r->nearest[far] = 0;
        moved = true;
    }
    return moved;
}

static void move_centres(struct run *r, size_t k)
{
    const struct points *p = r->p;

    memset(r->sum, 0, k * p->dims * sizeof *r->sum);
    for (size_t i = 0; i < p->count; i++)
        for (size_t d = 0; d < p->dims; d++)
            r->sum[r->label[i] * p->dims + d] += (double)p->weight[i] * point(p, i)[d];
    for (size_t c = 0; c < k; c++)
        for (size_t d = 0; d < p->dims && r->weight[c] > 0; d++)
            r->centre[c * p->dims + d] = r->sum[c * p->dims + d] / r->weight[c];
}

static double one_start(struct run *r, struct rng *rng)
{
    double inertia = 0;
    size_t k = kmeans_start(r, rng);

    for (size_t i = 0; i < r->p->count; i++)
        r->label[i] = UINT32_MAX;
    for (int n = 0; n < ITERATIONS_MAX; n++) {
        bool moved = assign(r, k);

        moved |= kmeans_refill(r, k);
        if (!moved)
            break;
        move_centres(r, k);
    }
    for (size_t i = 0; i < r->p->count; i++)
        inertia += (double)r->p->weight[i] * r->nearest[i];
    return inertia;
}

/* Numbers groups by their first point, leaving no gaps. */
static size_t kmeans_number(uint32_t *label, size_t count, size_t k, uint32_t *fresh)
{
    size_t groups = 0;

    for (size_t c = 0; c < k; c++)
        fresh[c] = UINT32_MAX;
    for (size_t i = 0; i < count; i++) {
        if (fresh[label[i]] == UINT32_MAX)
            fresh[label[i]] = (uint32_t)groups++;
        label[i] = fresh[label[i]];
    }
    return groups;
}

int kmeans(const struct points *p, size_t k, uint64_t seed, uint32_t *label, size_t *groups, struct err *e)
{
    uint32_t *fresh = mem_zalloc(k, sizeof *fresh, e);
    double best = INFINITY;
    struct run r;
    int ret = -1;

    if (run_init(&r, p, k, e) < 0 || !fresh)
        goto out;
    for (uint64_t s = 0; s < STARTS; s++) {
        struct rng rng;
        double inertia;

        rng_init(&rng, seed, (uint64_t)k << 32 | s, RNG_CLUSTER);
        inertia = one_start(&r, &rng);
        if (inertia < best) {
            best = inertia;
            memcpy(label, r.label, p->count * sizeof *label);
        }
    }
    *groups = kmeans_number(label, p->count, k, fresh);
    ret = 0;
out:
    free(fresh);
    run_release(&r);
    return ret;
}
