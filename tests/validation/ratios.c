#include "tests/validation/ratios.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SUITES_MAX = 16, WORST = 10 };

/* Pearson's correlation of simulated and measured times, or of their logarithms. Bandwidths have another unit: with
 * times they are left out, alone they are correlated as they are. */
static double correlation(const struct ratio_list *l, const char *suite, bool logarithms)
{
    double sx = 0, sy = 0, sxx = 0, syy = 0, sxy = 0, n = 0;

    for (size_t i = 0; i < l->count; i++) {
        const struct ratio *r = &l->items[i];
        double x = logarithms ? log(r->silicon) : r->silicon, y = logarithms ? log(r->simulated) : r->simulated;

        if (suite ? strcmp(r->suite, suite) != 0 : r->bandwidth)
            continue;
        sx += x;
        sy += y;
        sxx += x * x;
        syy += y * y;
        sxy += x * y;
        n++;
    }
    return (n * sxy - sx * sy) / sqrt((n * sxx - sx * sx) * (n * syy - sy * sy));
}

void ratios_stats(const struct ratio_list *l, const char *suite, struct ratio_stats *out)
{
    static const double bounds[] = {0.1, 0.2, 0.3};
    double logs = 0;

    memset(out, 0, sizeof *out);
    for (size_t i = 0; i < l->count; i++) {
        double off = fabs(l->items[i].value - 1);

        if (suite && strcmp(l->items[i].suite, suite) != 0)
            continue;
        out->count++;
        out->error += off;
        logs += log(l->items[i].value);
        for (int k = 0; k < 3; k++)
            out->within[k] += off <= bounds[k];
    }
    if (!out->count)
        return;
    out->error /= (double)out->count;
    out->bias = exp(logs / (double)out->count);
    for (int k = 0; k < 3; k++)
        out->within[k] /= (double)out->count;
    out->pearson_log = correlation(l, suite, true);
    out->pearson = correlation(l, suite, false);
}

/* The suites in the order in which they first appear. */
static size_t suites_of(const struct ratio_list *l, const char *name[SUITES_MAX])
{
    size_t n = 0, k;

    for (size_t i = 0; i < l->count; i++) {
        for (k = 0; k < n && strcmp(name[k], l->items[i].suite) != 0; k++)
            ;
        if (k == n && n < SUITES_MAX)
            name[n++] = l->items[i].suite;
    }
    return n;
}

static void print_stats(const struct ratio_list *l, const char *suite)
{
    struct ratio_stats s;

    ratios_stats(l, suite, &s);
    printf("%-10s %4zu %7.1f %% %7.3f %8.3f %8.3f %6.0f %% %6.0f %% %6.0f %%\n", suite ? suite : "all", s.count,
           100 * s.error, s.bias, s.pearson_log, s.pearson, 100 * s.within[0], 100 * s.within[1],
           100 * s.within[2]);
}

static int by_value(const void *a, const void *b)
{
    const struct ratio *x = a, *y = b;

    return x->value != y->value ? (x->value < y->value ? -1 : 1) : strcmp(x->fact->id, y->fact->id);
}

static int by_distance(const void *a, const void *b)
{
    const struct ratio *x = *(const struct ratio *const *)a, *y = *(const struct ratio *const *)b;
    double dx = fabs(log(x->value)), dy = fabs(log(y->value));

    return dx != dy ? (dx > dy ? -1 : 1) : strcmp(x->fact->id, y->fact->id);
}

static void print_worst(const struct ratio_list *l)
{
    const struct ratio **order = malloc(l->count * sizeof *order);

    if (!order)
        return;
    for (size_t i = 0; i < l->count; i++)
        order[i] = &l->items[i];
    qsort(order, l->count, sizeof *order, by_distance);
    printf("\nfurthest from 1:\n");
    for (size_t i = 0; i < l->count && i < WORST; i++)
        printf("%7.3f  %-12s %s\n", order[i]->value, order[i]->fact->card, order[i]->fact->measure);
    free(order);
}

void ratios_print(struct ratio_list *l)
{
    const char *name[SUITES_MAX];
    size_t n = suites_of(l, name);

    printf("\n%-10s %4s %9s %7s %8s %8s %8s %8s %8s\n", "suite", "n", "MAE", "bias", "r(log)", "r", "<= 10",
           "<= 20", "<= 30");
    for (size_t i = 0; i < n; i++)
        print_stats(l, name[i]);
    print_stats(l, NULL);
    qsort(l->items, l->count, sizeof *l->items, by_value);
    print_worst(l);
}
