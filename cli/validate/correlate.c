/* What `vivace correlate` derives from its pairs: kernels, the worst launches and their causes. */
#include "cli/validate/correlate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"

#define CODE_DIFFERS    0.05 /* instructions differ by more: the traced program is another one */
#define COUNTER_DIFFERS 0.1

static double log_ratio(const struct pair *p)
{
    return log(p->simulated_s / p->measured_s);
}

/* --- kernels --- */

static int by_difference(const void *a, const void *b)
{
    const struct kernel_pairs *x = a, *y = b;
    double dx = fabs(x->simulated_s - x->measured_s), dy = fabs(y->simulated_s - y->measured_s);

    if (dx > dy || dx < dy)
        return dx > dy ? -1 : 1;
    return x->kernel < y->kernel ? -1 : x->kernel > y->kernel;
}

struct kernel_pairs *correlate_kernels(const struct correlate *c, size_t *count, struct err *e)
{
    struct kernel_pairs *k = mem_zalloc(c->measured.kernel_count, sizeof *k, e);
    size_t kept = 0;

    if (!k)
        return NULL;
    for (size_t i = 0; i < c->count; i++) {
        uint32_t kernel = c->measured.kernel[c->pairs[i].measured];

        ASSERT(kernel < c->measured.kernel_count);
        k[kernel].launches++;
        k[kernel].measured_s += c->pairs[i].measured_s;
        k[kernel].simulated_s += c->pairs[i].simulated_s;
        k[kernel].error += fabs(c->pairs[i].simulated_s / c->pairs[i].measured_s - 1);
    }
    for (uint32_t i = 0; i < c->measured.kernel_count; i++) {
        if (!k[i].launches)
            continue;
        k[i].kernel = i;
        k[i].error /= (double)k[i].launches;
        k[kept++] = k[i];
    }
    array_sort(k, kept, sizeof *k, by_difference);
    *count = kept;
    return k;
}

/* --- the worst launches --- */

static int by_distance(const void *a, const void *b, void *of)
{
    const struct correlate *c = of;
    size_t i = *(const size_t *)a, k = *(const size_t *)b;
    double x = fabs(log_ratio(&c->pairs[i])), y = fabs(log_ratio(&c->pairs[k]));

    if (x > y || x < y)
        return x > y ? -1 : 1;
    return i < k ? -1 : i > k;
}

size_t *correlate_worst(const struct correlate *c, struct err *e)
{
    size_t *order = mem_zalloc(c->count, sizeof *order, e);

    if (!order)
        return NULL;
    for (size_t i = 0; i < c->count; i++)
        order[i] = i;
    qsort_r(order, c->count, sizeof *order, by_distance, (void *)(uintptr_t)c);
    return order;
}

/* Logarithm of simulated / measured; NaN: one side is missing or 0. */
static double counter_log_ratio(const struct correlate *c, const struct counter_pair *k, size_t pair)
{
    double x = k->measured[pair], y = c->simulated.counters[c->pairs[pair].simulated][k->counter];

    return x > 0 && y > 0 ? log(y / x) : NAN;
}

const struct counter_pair *correlate_cause(const struct correlate *c, size_t pair, double *ratio)
{
    double time = log_ratio(&c->pairs[pair]), most = log1p(COUNTER_DIFFERS);
    const struct counter_pair *cause = NULL;

    ASSERT(pair < c->count);
    for (size_t k = 0; k < c->counter_count; k++) {
        const struct counter_pair *x = &c->counters[k];
        double r = counter_log_ratio(c, x, pair);
        bool code = strcmp(metric_counters[x->counter], "warp_instructions") == 0;

        if (isnan(r))
            continue;
        if (code && fabs(r) > log1p(CODE_DIFFERS)) {
            *ratio = exp(r);
            return x;
        }
        if (r * time > 0 && fabs(r) > most) {
            most = fabs(r);
            cause = x;
            *ratio = exp(r);
        }
    }
    return cause;
}

double correlate_quantile(const double *sorted, size_t count, double p)
{
    double at = p * (double)(count - 1), low = floor(at);
    size_t i = (size_t)low;

    ASSERT(count > 0 && p >= 0 && p <= 1);
    return i + 1 < count ? sorted[i] + (at - low) * (sorted[i + 1] - sorted[i]) : sorted[i];
}
