/* What `vivace validate` computes from its rows: statistics, families, the rows that differ most. */
#include "cli/validate/validate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

static bool is_of(const struct validated *r, size_t set, const char *family)
{
    return r->set == set && (!family || strcmp(r->family, family) == 0);
}

static void count_row(const struct validated *r, struct validated_stats *out)
{
    out->rows++;
    if (r->fact->state == FACT_NOT_MODELLED) {
        out->not_modelled++;
        return;
    }
    out->in_tolerance += r->fact->state == FACT_PASS;
}

int validate_stats(const struct validate *v, size_t set, const char *family, struct validated_stats *out,
                   struct err *e)
{
    double *values = mem_zalloc(2 * v->count + 1, sizeof *values, e);
    size_t n = 0;

    if (!values)
        return -1;
    memset(out, 0, sizeof *out);
    for (size_t i = 0; i < v->count; i++) {
        const struct validated *r = &v->rows[i];

        if (!is_of(r, set, family))
            continue;
        count_row(r, out);
        if (isnan(r->ratio))
            continue;
        values[n] = r->measured;
        values[v->count + n++] = r->simulated;
    }
    out->ratios = correlation_of(values, values + v->count, n);
    free(values);
    return 0;
}

size_t validate_families(const struct validate *v, size_t set, const char **names, size_t most)
{
    size_t n = 0, k;

    for (size_t i = 0; i < v->count; i++) {
        if (v->rows[i].set != set)
            continue;
        for (k = 0; k < n && strcmp(names[k], v->rows[i].family) != 0; k++)
            ;
        if (k == n && n < most)
            names[n++] = v->rows[i].family;
    }
    return n;
}

static int by_distance(const void *a, const void *b)
{
    const struct validated *x = *(const struct validated *const *)a, *y = *(const struct validated *const *)b;
    double dx = fabs(log(x->ratio)), dy = fabs(log(y->ratio));

    if (dx > dy || dx < dy)
        return dx > dy ? -1 : 1;
    return x < y ? -1 : x > y;
}

const struct validated **validate_worst(const struct validate *v, size_t *count, struct err *e)
{
    const struct validated **order = mem_zalloc(v->count + 1, sizeof(void *), e);

    *count = 0;
    for (size_t i = 0; order && i < v->count; i++)
        if (!isnan(v->rows[i].ratio))
            order[(*count)++] = &v->rows[i];
    if (order)
        array_sort(order, *count, sizeof(void *), by_distance);
    return order;
}
