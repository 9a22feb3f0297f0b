/* simcore/observe/projection_rules.c: stopping rules of PKP, as published and as in the authors' code. */
#include <math.h>
#include <stdlib.h>

#include "simcore/observe/projection.h"

#define PKP_DEVIATION 0.25 /* published text: instructions per cycle; authors' code: per cent */
#define PKP_SMALL     0.3  /* authors' code: share of a kernel that is smaller than a wave */

void projection_window(const double *ipc, size_t at, double *deviation, double *mean)
{
    const double *v = ipc + at + 1 - PROJECTION_WINDOW;
    double sum = 0, squares = 0;

    for (int i = 0; i < PROJECTION_WINDOW; i++)
        sum += v[i];
    *mean = sum / PROJECTION_WINDOW;
    for (int i = 0; i < PROJECTION_WINDOW; i++)
        squares += (v[i] - *mean) * (v[i] - *mean);
    *deviation = sqrt(squares / (PROJECTION_WINDOW - 1));
}

long projection_pkp(const struct projection_sample *s, size_t n, uint64_t wave, uint64_t total)
{
    double ipc[PROJECTION_WINDOW], deviation, mean;
    uint64_t done = 0;

    for (size_t i = 0; i < n; i++) {
        done += s[i].ctas;
        if (i + 1 < PROJECTION_WINDOW || !done || (total >= wave && done < wave))
            continue;
        for (size_t k = 0; k < PROJECTION_WINDOW; k++)
            ipc[k] = (double)s[i + 1 - PROJECTION_WINDOW + k].instructions / PROJECTION_SAMPLE_CYCLES;
        projection_window(ipc, PROJECTION_WINDOW - 1, &deviation, &mean);
        if (mean > 0 && deviation < PKP_DEVIATION)
            return (long)i;
    }
    return -1;
}

long projection_pkp_code(const double *cumulative_ipc, const struct projection_sample *s, size_t n, uint64_t wave,
                         uint64_t total)
{
    double deviation, mean, needed = total < wave ? PKP_SMALL * (double)total : (double)wave;
    bool stable = false, enough = false;
    uint64_t before = 0;

    for (size_t i = 0; i < n; i++) {
        enough = enough || (double)before >= needed;
        before += s[i].ctas;
        if (i + 1 >= PROJECTION_WINDOW) {
            projection_window(cumulative_ipc, i, &deviation, &mean);
            stable = stable || (mean > 0 && 100 * deviation / mean < PKP_DEVIATION);
        }
        if (stable && enough)
            return (long)i;
    }
    return -1;
}

double projection_from_start(uint64_t cycles, double done, uint64_t total)
{
    return (double)cycles * (double)total / done;
}

double projection_steady(const struct projection_sample *s, size_t at, uint64_t done, uint64_t total)
{
    const double window = (double)PROJECTION_WINDOW * PROJECTION_SAMPLE_CYCLES;
    double cycles = (double)((at + 1) * PROJECTION_SAMPLE_CYCLES);
    uint64_t ctas = 0;

    for (size_t i = at + 1 - PROJECTION_WINDOW; i <= at; i++)
        ctas += s[i].ctas;
    return ctas ? cycles + (double)(total - done) * window / (double)ctas : 0;
}

/* --- scheduling of CTAs on slots --- */

/* Restores the heap order after the root was increased. */
static void sink(double *heap, size_t n)
{
    size_t at = 0;

    for (;;) {
        size_t child = 2 * at + 1;
        double v = heap[at];

        if (child >= n)
            return;
        child += child + 1 < n && heap[child + 1] < heap[child];
        if (heap[child] >= v)
            return;
        heap[at] = heap[child];
        heap[child] = v;
        at = child;
    }
}

static int by_time(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

double projection_schedule(double *free, size_t n, uint64_t left, projection_life_fn *life, void *ctx, double now,
                           double interval)
{
    double last = 0, sent = now;

    qsort(free, n, sizeof *free, by_time); /* a sorted array is a heap */
    for (uint64_t i = 0; i < left; i++) {
        sent = free[0] > sent ? free[0] : sent;
        free[0] = sent + life(ctx);
        sent += interval;
        sink(free, n);
    }
    for (size_t i = 0; i < n; i++)
        last = free[i] > last ? free[i] : last;
    return last;
}
