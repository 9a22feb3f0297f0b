/* A variance where strata have one sample each: neighbours in mean, Y their estimated totals,
 *
 *     V = L / (L - 1) sum((Y - mean Y)^2) over each set of L neighbours;   a pair: (Ya - Yb)^2,   df = L - 1
 *
 * Source: Cochran, Sampling Techniques (1977), section 5A.12. Assumes: neighbours are chosen without the results
 * (by the profile's means). V also includes the true difference between neighbours, so it is too large on average.
 */
#include "sampling/estimate/collapse.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/assert.h"

struct item {
    size_t stratum, group;
    double order, total;
    bool single; /* one sample, and not taken whole */
    bool random; /* not taken whole */
};

static int item_compare(const void *a, const void *b)
{
    const struct item *x = a, *y = b;

    if (x->group != y->group)
        return x->group < y->group ? -1 : 1;
    if (x->order != y->order)
        return x->order < y->order ? -1 : 1;
    return x->stratum < y->stratum ? -1 : x->stratum > y->stratum;
}

static void add_set(struct aux_sum *sum, struct item *const *set, size_t n)
{
    double mean = 0, squares = 0, df = (double)n - 1;

    ASSERT(n > 1);
    for (size_t i = 0; i < n; i++)
        mean += set[i]->total / (double)n;
    for (size_t i = 0; i < n; i++)
        squares += (set[i]->total - mean) * (set[i]->total - mean);
    aux_sum_add(sum, squares * (double)n / df, df);
}

/* Adds pairs in order; with an odd number the last three form a triple. */
static void add_singles(struct aux_sum *sum, struct item *const *singles, size_t n)
{
    ASSERT(n > 1);
    for (size_t i = 0; i < n;) {
        size_t take = n - i == 3 ? 3 : 2;

        add_set(sum, singles + i, take);
        i += take;
    }
}

/* The nearest stratum that is not taken whole; NULL: there is none. */
static struct item *neighbour_of(struct item *items, size_t n, const struct item *of)
{
    struct item *best = NULL;

    for (size_t i = 0; i < n; i++)
        if (&items[i] != of && items[i].random &&
            (!best || fabs(items[i].order - of->order) < fabs(best->order - of->order)))
            best = &items[i];
    return best;
}

/* One group's strata; `singles` has room for all of them. */
static void add_group(struct aux_sum *sum, const struct aux_stratum *s, const struct aux_slope *slopes,
                      struct item *items, size_t n, struct item **singles)
{
    struct item *joined = NULL;
    size_t count = 0;

    ASSERT(n > 0);
    for (size_t i = 0; i < n; i++)
        if (items[i].single)
            singles[count++] = &items[i];
    if (count == 1) {
        joined = neighbour_of(items, n, singles[0]);
        if (joined)
            singles[count++] = joined;
        else
            sum->variance = NAN;
    }
    if (count > 1)
        add_singles(sum, singles, count);
    for (size_t i = 0; i < n; i++) {
        struct aux_doubt d;

        if (items[i].single || &items[i] == joined)
            continue;
        d = aux_doubt(&s[items[i].stratum], &slopes[items[i].stratum]);
        aux_sum_add(sum, d.variance, d.df);
    }
}

int collapsed_total(const struct aux_stratum *s, const struct aux_slope *slopes, const double *order, size_t count,
                    struct aux_estimate *out, struct err *e)
{
    struct item *items = mem_zalloc(count, sizeof *items, e);
    struct item **singles = mem_zalloc(count, sizeof(struct item *), e);
    struct aux_sum sum = {0};
    int ret = items && singles ? 0 : -1;

    *out = (struct aux_estimate){NAN, NAN, NAN};
    for (size_t h = 0; ret == 0 && h < count; h++) {
        bool whole = !s[h].with_replacement && (double)s[h].n >= s[h].population;
        bool random = !whole && s[h].population > 1;

        items[h] = (struct item){.stratum = h,
                                 .group = s[h].group,
                                 .order = order[h],
                                 .total = aux_total(&s[h], &slopes[h], 1).value,
                                 .single = random && s[h].n < 2,
                                 .random = random};
    }
    if (ret == 0) {
        qsort(items, count, sizeof *items, item_compare);
        for (size_t from = 0, to; from < count; from = to) {
            for (to = from + 1; to < count && items[to].group == items[from].group;)
                to++;
            add_group(&sum, s, slopes, items + from, to - from, singles);
        }
        *out = (struct aux_estimate){aux_total(s, slopes, count).value, sum.variance, aux_sum_df(&sum)};
    }
    free(items);
    free(singles);
    return ret;
}
