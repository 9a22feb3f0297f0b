/* Average linkage (UPGMA: Sokal and Michener, Univ. Kansas Science Bulletin 38, 1958): the distance of two clusters
 * is the mean over all pairs; d(a + b, c) = (n_a d(a, c) + n_b d(b, c)) / (n_a + n_b).
 *
 * Two clusters are merged as soon as each is the other's nearest (nearest-neighbour chain: Murtagh, Computer
 * Journal 26, 1983). Because a merged cluster is never nearer to others than its nearer part, the result is the
 * same as merging the nearest pair each time, in O(n^2). For the same reason a mutually nearest pair at or above
 * the cut is final: no later merge reduces its distance.
 *
 * A merge below the cut needs a pair of points below the cut, so points that no chain of such steps connects are
 * clustered apart: memory grows with the square of the largest such part, not of everything. */
#include "sampling/cluster/linkage.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/* --- parts: what steps below the cut connect --- */

struct parts {
    uint32_t *order; /* points by part, then number */
    size_t *begin;   /* part k: order[begin[k]] .. order[begin[k + 1] - 1] */
    size_t count;
};

static int by_first(const void *a, const void *b, void *points)
{
    const struct points *p = points;
    uint32_t i = *(const uint32_t *)a, j = *(const uint32_t *)b;
    double x = p->dims ? point(p, i)[0] : 0, y = p->dims ? point(p, j)[0] : 0;

    return x < y ? -1 : x > y ? 1 : i < j ? -1 : i > j;
}

static uint32_t root_of(uint32_t *parent, uint32_t i)
{
    while (parent[i] != i)
        i = parent[i] = parent[parent[i]];
    return i;
}

/* Joins all pairs below the cut. Points are sorted by their first coordinate, so only near ones are compared. */
static void join_near(const struct points *p, double cut, const uint32_t *sorted, uint32_t *parent)
{
    for (size_t a = 0; a < p->count; a++) {
        const double *x = point(p, sorted[a]);

        for (size_t b = a + 1; b < p->count; b++) {
            const double *y = point(p, sorted[b]);
            uint32_t i, j;

            if (p->dims && y[0] - x[0] >= cut)
                break;
            i = root_of(parent, sorted[a]);
            j = root_of(parent, sorted[b]);
            if (i != j && sqrt(distance_squared(x, y, p->dims)) < cut)
                parent[i < j ? j : i] = i < j ? i : j;
        }
    }
}

static void parts_release(struct parts *s)
{
    free(s->order);
    free(s->begin);
}

static int parts_make(const struct points *p, double cut, struct parts *out, struct err *e)
{
    uint32_t *parent = mem_zalloc(p->count, sizeof *parent, e), *sorted = mem_zalloc(p->count, sizeof *sorted, e);
    uint32_t *part = mem_zalloc(p->count, sizeof *part, e);
    size_t *at = mem_zalloc(p->count, sizeof *at, e);
    int ret = -1;

    *out =
        (struct parts){mem_zalloc(p->count, sizeof(uint32_t), e), mem_zalloc(p->count + 1, sizeof(size_t), e), 0};
    if (!parent || !sorted || !part || !at || !out->order || !out->begin)
        goto out;
    for (size_t i = 0; i < p->count; i++)
        parent[i] = sorted[i] = (uint32_t)i;
    qsort_r(sorted, p->count, sizeof *sorted, by_first, (void *)(uintptr_t)p);
    join_near(p, cut, sorted, parent);
    for (uint32_t i = 0; i < p->count; i++) { /* the root of a part is its first point */
        uint32_t root = root_of(parent, i);

        part[i] = root == i ? (uint32_t)out->count++ : part[root];
        out->begin[part[i] + 1]++;
    }
    for (size_t k = 0; k < out->count; k++) {
        at[k] = out->begin[k];
        out->begin[k + 1] += out->begin[k];
    }
    for (uint32_t i = 0; i < p->count; i++)
        out->order[at[part[i]]++] = i;
    ret = 0;
out:
    free(parent);
    free(sorted);
    free(part);
    free(at);
    if (ret < 0)
        parts_release(out);
    return ret;
}

/* --- one part --- */

struct table {
    size_t n;
    double *distance; /* pair (i, j < i) at i (i - 1) / 2 + j */
    double *size;     /* the number of points of a cluster */
    bool *done;       /* merged into another, or finished */
    uint32_t *into;   /* the cluster that it was merged into; itself if not merged */
    uint32_t *chain;
};

static double *linkage_pair(struct table *t, size_t i, size_t j)
{
    return t->distance + (i > j ? i * (i - 1) / 2 + j : j * (j - 1) / 2 + i);
}

static void table_release(struct table *t)
{
    free(t->distance);
    free(t->size);
    free(t->done);
    free(t->into);
    free(t->chain);
}

static int table_init(struct table *t, const struct points *p, const uint32_t *member, size_t n, struct err *e)
{
    *t = (struct table){.n = n};
    t->distance = mem_zalloc(n * (n - 1) / 2, sizeof *t->distance, e);
    t->size = mem_zalloc(n, sizeof *t->size, e);
    t->done = mem_zalloc(n, sizeof *t->done, e);
    t->into = mem_zalloc(n, sizeof *t->into, e);
    t->chain = mem_zalloc(n, sizeof *t->chain, e);
    if (!t->distance || !t->size || !t->done || !t->into || !t->chain)
        return -1;
    for (size_t i = 0; i < n; i++) {
        t->into[i] = (uint32_t)i;
        t->size[i] = (double)p->weight[member[i]];
        for (size_t j = 0; j < i; j++)
            *linkage_pair(t, i, j) = sqrt(distance_squared(point(p, member[i]), point(p, member[j]), p->dims));
    }
    return 0;
}

/* The nearest remaining cluster; on a tie `from`, otherwise the lowest number. Returns n if there is none. */
static size_t nearest_of(struct table *t, size_t i, size_t from, double *distance)
{
    size_t best = from;

    *distance = from < t->n ? *linkage_pair(t, i, from) : INFINITY;
    for (size_t j = 0; j < t->n; j++) {
        if (j == i || t->done[j] || !(*linkage_pair(t, i, j) < *distance))
            continue;
        *distance = *linkage_pair(t, i, j);
        best = j;
    }
    return best;
}

/* Merges two clusters into the lower-numbered one. */
static void linkage_merge(struct table *t, size_t a, size_t b)
{
    size_t keep = a < b ? a : b, gone = a < b ? b : a;
    double n = t->size[keep] + t->size[gone];

    for (size_t c = 0; c < t->n; c++)
        if (!t->done[c] && c != keep && c != gone)
            *linkage_pair(t, keep, c) =
                (t->size[keep] * *linkage_pair(t, keep, c) + t->size[gone] * *linkage_pair(t, gone, c)) / n;
    t->size[keep] = n;
    t->into[gone] = (uint32_t)keep;
    t->done[gone] = true;
}

static void cluster_part(struct table *t, double cut)
{
    size_t depth = 0, next = 0;

    for (;;) {
        double distance;
        size_t top, near;

        while (next < t->n && t->done[next])
            next++;
        if (!depth && next == t->n)
            return;
        if (!depth)
            t->chain[depth++] = (uint32_t)next;
        top = t->chain[depth - 1];
        near = nearest_of(t, top, depth > 1 ? t->chain[depth - 2] : t->n, &distance);
        if (depth > 1 && near == t->chain[depth - 2]) {
            depth -= 2;
            if (distance < cut)
                linkage_merge(t, top, near);
            else
                t->done[top] = t->done[near] = true;
        } else if (near == t->n) {
            t->done[top] = true; /* the last one */
            depth--;
        } else {
            t->chain[depth++] = (uint32_t)near;
        }
    }
}

static int label_part(const struct points *p, double cut, const uint32_t *member, size_t n, uint32_t *label,
                      struct err *e)
{
    struct table t;
    int ret;

    ret = table_init(&t, p, member, n, e);
    if (ret == 0) {
        cluster_part(&t, cut);
        for (uint32_t i = 0; i < n; i++)
            label[member[i]] = member[root_of(t.into, i)];
    }
    table_release(&t);
    return ret;
}

int average_linkage(const struct points *p, double cut, uint32_t *label, size_t *clusters, struct err *e)
{
    struct parts parts;
    int ret;

    if (p->count > LINKAGE_MAX) {
        err_set(e, ERR_TOO_LARGE,
                "%zu rows of features differ; hierarchical clustering compares all pairs of them "
                "and stops at %d",
                p->count, LINKAGE_MAX);
        return err_hint(e, "Use another method, such as pka or vivace.");
    }
    ret = parts_make(p, cut, &parts, e);
    if (ret < 0)
        return -1;
    for (size_t k = 0; ret == 0 && k < parts.count; k++)
        ret = label_part(p, cut, parts.order + parts.begin[k], parts.begin[k + 1] - parts.begin[k], label, e);
    *clusters = 0;
    for (uint32_t i = 0; ret == 0 && i < p->count; i++) /* a cluster's label is its first point so far */
        label[i] = label[i] == i ? (uint32_t)(*clusters)++ : label[label[i]];
    parts_release(&parts);
    return ret;
}

int nearest_to_centroid(const struct points *p, const uint32_t *label, size_t clusters, uint32_t *nearest,
                        struct err *e)
{
    double *centroid = mem_zalloc(clusters * p->dims, sizeof *centroid, e);
    double *weight = mem_zalloc(clusters, sizeof *weight, e), *least = mem_zalloc(clusters, sizeof *least, e);
    int ret = -1;

    if (!centroid || !weight || !least)
        goto out;
    for (size_t i = 0; i < p->count; i++) {
        weight[label[i]] += (double)p->weight[i];
        for (size_t d = 0; d < p->dims; d++)
            centroid[label[i] * p->dims + d] += (double)p->weight[i] * point(p, i)[d];
    }
    for (size_t c = 0; c < clusters; c++) {
        least[c] = INFINITY;
        for (size_t d = 0; d < p->dims; d++)
            centroid[c * p->dims + d] /= weight[c];
    }
    for (uint32_t i = 0; i < p->count; i++) {
        double d = distance_squared(point(p, i), centroid + label[i] * p->dims, p->dims);

        if (d < least[label[i]]) {
            least[label[i]] = d;
            nearest[label[i]] = i;
        }
    }
    ret = 0;
out:
    free(centroid);
    free(weight);
    free(least);
    return ret;
}
