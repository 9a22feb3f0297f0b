/* Allocation for a given variance: minimise sum(cost n) subject to V = sum(N (N - n) S^2 / n) <= v0, least <= n <=
 * N.
 *
 *     n(m) = clip(m N S / sqrt(cost), least, N),   m such that sum(N^2 S^2 / n) = v0 + sum(N S^2)
 *     then unit by unit, each to the stratum with the greatest N^2 S^2 / (n (n + 1) cost)
 *
 * Sources: Cochran, Sampling Techniques (1977), theorem 5.6 with cost and finite-population correction (sections
 * 5.5 and 5.8: the values of m at which strata reach a limit divide m into segments; the solution's segment is
 * found directly, without fixing strata at N and solving again); whole numbers: Wright, The American Statistician
 * 66 (2012), exact for equal costs. Assumes: S is known, and draws in different strata are independent. */
#include "sampling/allocate/allocate.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/assert.h"

/* N S: the standard deviation of a stratum's total, estimated from a single unit. */
static double allocate_spread(const struct alloc_stratum *s)
{
    ASSERT_HOT(s->sd >= 0);
    return (double)s->population * s->sd;
}

/* --- the real-valued optimum: n(m) = clip(m N S / sqrt(cost)), and the variance decreases monotonically in m ---
 */

struct breakpoint {
    double at; /* the multiplier at which the stratum's size leaves `least` or reaches N */
    size_t stratum;
    bool ceiling;
};

static int breakpoint_compare(const void *a, const void *b)
{
    const struct breakpoint *x = a, *y = b;

    if (x->at != y->at)
        return x->at < y->at ? -1 : 1;
    if (x->stratum != y->stratum)
        return x->stratum < y->stratum ? -1 : 1;
    return (int)x->ceiling - (int)y->ceiling;
}

/* sum(N^2 S^2 / n) = fixed + active / m on each segment; returns the multiplier that meets the bound, or infinity.
 */
static double find_multiplier(const struct alloc_stratum *s, struct breakpoint *breaks, size_t count, double fixed,
                              double bound)
{
    double active = 0, slack = 1e-12 * fixed;

    ASSERT(count > 0);
    qsort(breaks, count, sizeof *breaks, breakpoint_compare);
    if (fixed <= bound)
        return 0;
    for (size_t i = 0; i < count; i++) {
        const struct alloc_stratum *h = &s[breaks[i].stratum];
        double b = allocate_spread(h) * allocate_spread(h), a = allocate_spread(h) * sqrt(h->cost);

        if (breaks[i].ceiling) {
            active -= a;
            fixed += b / (double)h->population;
        } else {
            active += a;
            fixed -= b / (double)h->least;
        }
        active = active > 0 ? active : 0;
        if (fixed < bound && i + 1 < count && active / (bound - fixed) <= breaks[i + 1].at)
            return active / (bound - fixed);
    }
    return fixed <= bound + slack ? breaks[count - 1].at : INFINITY;
}

int allocate_real(const struct alloc_stratum *s, size_t count, double bound, double *n, struct err *e)
{
    struct breakpoint *breaks = mem_zalloc(2 * count, sizeof *breaks, e);
    double fixed = 0, m;
    size_t used = 0;

    if (!breaks)
        return -1;
    for (size_t h = 0; h < count; h++) {
        double per_m = allocate_spread(&s[h]) / sqrt(s[h].cost);

        ASSERT(s[h].cost > 0 && s[h].least > 0 && s[h].least <= s[h].population);
        n[h] = (double)s[h].least;
        if (allocate_spread(&s[h]) <= 0)
            continue;
        fixed += allocate_spread(&s[h]) * allocate_spread(&s[h]) / (double)s[h].least;
        breaks[used++] = (struct breakpoint){(double)s[h].least / per_m, h, false};
        breaks[used++] = (struct breakpoint){(double)s[h].population / per_m, h, true};
    }
    m = used ? find_multiplier(s, breaks, used, fixed, bound) : 0;
    free(breaks);
    for (size_t h = 0; h < count; h++) {
        if (allocate_spread(&s[h]) > 0)
            n[h] = fmin(fmax(m * allocate_spread(&s[h]) / sqrt(s[h].cost), (double)s[h].least),
                        (double)s[h].population);
        else if (isinf(m))
            n[h] = (double)s[h].population;
    }
    return isinf(m) ? 0 : 1;
}

/* --- whole numbers --- */

double allocation_variance(const struct alloc_stratum *s, uint64_t n)
{
    double population = (double)s->population;

    ASSERT_HOT(n > 0 || s->population == 0);
    return n >= s->population ? 0 : population * (population - (double)n) / (double)n * s->sd * s->sd;
}

/* Reduction of the variance by one more unit, per cost; 0 at n = N. */
static double priority(const struct alloc_stratum *s)
{
    return s->n >= s->population ? -1 : (allocation_variance(s, s->n) - allocation_variance(s, s->n + 1)) / s->cost;
}

struct heap_entry {
    double priority;
    size_t stratum;
};

static bool heap_above(const struct heap_entry *a, const struct heap_entry *b)
{
    return a->priority > b->priority || (a->priority == b->priority && a->stratum < b->stratum);
}

static void heap_sink(struct heap_entry *heap, size_t count, size_t at)
{
    ASSERT_HOT(at < count);
    for (;;) {
        size_t best = at, left = 2 * at + 1;
        struct heap_entry swap;

        if (left < count && heap_above(&heap[left], &heap[best]))
            best = left;
        if (left + 1 < count && heap_above(&heap[left + 1], &heap[best]))
            best = left + 1;
        if (best == at)
            return;
        swap = heap[at];
        heap[at] = heap[best];
        heap[best] = swap;
        at = best;
    }
}

/* Adds units by priority until the variance is at most v0, or `units` have been allocated in total. */
static int add_units(struct alloc_stratum *s, size_t count, double v0, uint64_t units, struct err *e)
{
    struct heap_entry *heap = mem_zalloc(count, sizeof *heap, e);
    double variance = 0;
    uint64_t used = 0;

    if (!heap)
        return -1;
    for (size_t h = 0; h < count; h++) {
        variance += allocation_variance(&s[h], s[h].n);
        used += s[h].n;
        heap[h] = (struct heap_entry){priority(&s[h]), h};
    }
    for (size_t i = count / 2; i-- > 0;)
        heap_sink(heap, count, i);
    while (count && variance > v0 && used < units && heap[0].priority >= 0) {
        struct alloc_stratum *h = &s[heap[0].stratum];

        ASSERT_HOT(h->n < h->population);
        variance -= allocation_variance(h, h->n) - allocation_variance(h, h->n + 1);
        h->n++;
        used++;
        heap[0].priority = priority(h);
        heap_sink(heap, count, 0);
    }
    free(heap);
    return 0;
}

int allocate_units(struct alloc_stratum *s, size_t count, uint64_t units, struct err *e)
{
    for (size_t h = 0; h < count; h++)
        s[h].n = s[h].least;
    return add_units(s, count, -1, units, e);
}

int allocate_floor(struct alloc_stratum *s, size_t count, double v0, struct err *e)
{
    double *n = mem_zalloc(count, sizeof *n, e), bound = v0;
    int ret = -1;

    if (!n)
        return -1;
    for (size_t h = 0; h < count; h++)
        bound += (double)s[h].population * s[h].sd * s[h].sd;
    if (allocate_real(s, count, bound, n, e) < 0)
        goto out;
    for (size_t h = 0; h < count; h++) {
        s[h].n = (uint64_t)n[h];
        s[h].n = s[h].n < s[h].least ? s[h].least : s[h].n;
        ASSERT(s[h].n <= s[h].population);
    }
    ret = 0;
out:
    free(n);
    return ret;
}

int allocate_variance(struct alloc_stratum *s, size_t count, double v0, struct err *e)
{
    return allocate_floor(s, count, v0, e) < 0 ? -1 : add_units(s, count, v0, UINT64_MAX, e);
}
