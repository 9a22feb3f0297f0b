/* Merges equal rows of features; standardises columns: z = (x - mean) / sd over all launches. */
#include "sampling/cluster/points.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "sampling/profile/groups.h"
#include "sampling/math/hash_index.h"

double distance_squared(const double *a, const double *b, size_t dims)
{
    double sum = 0;

    for (size_t d = 0; d < dims; d++)
        sum += (a[d] - b[d]) * (a[d] - b[d]);
    return sum;
}

void points_release(struct points *p)
{
    free(p->x);
    free(p->weight);
    *p = (struct points){0};
}

/* --- distinct rows --- */

struct row_capacity {
    size_t x, weight, first, total;
};

static int add_row(struct feature_rows *r, struct row_capacity *c, const double *x, uint32_t id, struct err *e)
{
    struct points *p = &r->points;
    size_t n = p->count + 1;

    if (array_reserve((void **)&p->x, &c->x, n * p->dims, sizeof *p->x, e) < 0 ||
        array_reserve((void **)&p->weight, &c->weight, n, sizeof *p->weight, e) < 0 ||
        array_reserve((void **)&r->first, &c->first, n, sizeof *r->first, e) < 0 ||
        array_reserve((void **)&r->total, &c->total, n, sizeof *r->total, e) < 0)
        return -1;
    memcpy(point(p, p->count), x, p->dims * sizeof *x);
    p->weight[p->count] = r->total[p->count] = 0;
    r->first[p->count++] = id;
    return 0;
}

/* The number of an equal row, made when there is none; -1: out of memory. */
static int64_t find_row(struct feature_rows *r, struct hash_index *known, struct row_capacity *c, const double *x,
                        uint32_t id, struct err *e)
{
    size_t bytes = r->points.dims * sizeof *x, at;
    uint64_t hash = hash_fnv1a(x, bytes);
    int64_t row;

    at = hash;
    while ((row = hash_index_next(known, hash, &at)) >= 0)
        if (memcmp(point(&r->points, (size_t)row), x, bytes) == 0)
            return row;
    if (hash_index_add(known, hash, e) < 0 || add_row(r, c, x, id, e) < 0)
        return -1;
    ASSERT(known->count == r->points.count);
    return (int64_t)r->points.count - 1;
}

static int check_row(double *x, size_t dims, uint64_t id, struct err *e)
{
    for (size_t d = 0; d < dims; d++) {
        if (!(x[d] >= 0) || !isfinite(x[d]))
            return err_set(e, ERR_INVALID, "launch %llu: a feature is negative or no number",
                           (unsigned long long)id);
        x[d] += 0.0; /* turns -0 into 0, which has other bits */
    }
    return 0;
}

int feature_rows_make(const struct profile *p, uint64_t n, size_t dims,
                      void (*read)(const struct features *f, uint64_t launch, double *x), struct feature_rows *out,
                      struct err *e)
{
    struct hash_index known = {0};
    struct row_capacity capacity = {0};
    double *x = mem_zalloc(dims, sizeof *x, e);
    int ret = -1;

    ASSERT(n <= p->count);
    *out = (struct feature_rows){.points.dims = dims};
    out->of = mem_zalloc(n, sizeof *out->of, e);
    if (!x || !out->of)
        goto out;
    for (uint64_t i = 0; i < n; i++) {
        int64_t row;

        out->of[i] = GROUP_NOWHERE;
        if (!p->value[i])
            continue;
        read(p->features, i, x);
        row = check_row(x, dims, i, e) < 0 ? -1 : find_row(out, &known, &capacity, x, (uint32_t)i, e);
        if (row < 0)
            goto out;
        out->of[i] = (uint32_t)row;
        out->points.weight[row]++;
        out->total[row] += p->value[i];
    }
    ret = 0;
out:
    free(x);
    hash_index_release(&known);
    if (ret < 0)
        feature_rows_release(out);
    return ret;
}

void feature_rows_release(struct feature_rows *r)
{
    points_release(&r->points);
    free(r->first);
    free(r->total);
    free(r->of);
    *r = (struct feature_rows){0};
}

/* --- standardising --- */

int standard_fit(const struct points *p, struct standard *out, struct err *e)
{
    double n = 0;

    *out =
        (struct standard){p->dims, mem_zalloc(p->dims, sizeof(double), e), mem_zalloc(p->dims, sizeof(double), e)};
    if (!out->mean || !out->sd) {
        standard_release(out);
        return -1;
    }
    for (size_t i = 0; i < p->count; i++)
        n += (double)p->weight[i];
    for (size_t d = 0; d < p->dims; d++) {
        double sum = 0, squares = 0;
        bool constant = true; /* compared exactly, as sd may be 1e-17 from rounding */

        for (size_t i = 0; i < p->count; i++) {
            sum += (double)p->weight[i] * point(p, i)[d];
            constant = constant && point(p, i)[d] == point(p, 0)[d];
        }
        out->mean[d] = sum / n;
        for (size_t i = 0; i < p->count && !constant; i++) {
            double off = point(p, i)[d] - out->mean[d];

            squares += (double)p->weight[i] * off * off;
        }
        out->sd[d] = sqrt(squares / n);
    }
    return 0;
}

void standard_apply(const struct standard *s, struct points *p)
{
    ASSERT(s->dims == p->dims);
    for (size_t i = 0; i < p->count; i++)
        for (size_t d = 0; d < s->dims; d++)
            point(p, i)[d] = s->sd[d] > 0 ? (point(p, i)[d] - s->mean[d]) / s->sd[d] : 0;
}

void standard_release(struct standard *s)
{
    free(s->mean);
    free(s->sd);
    *s = (struct standard){0};
}
