/* How long anything would run under a design. Durations are scaled stratum by stratum; what the profile shows of
 * the host (gaps on a stream, and kernels that overlap on one) stays. Waiting across streams is not modelled.
 *
 * The interval is of first order: every end and start is linear in the strata's factors, so the derivative of the
 * busy time by each factor is found by going back along the streams from where busy times begin and end (sample
 * path derivatives: Ho and Cao, J. Optimization Theory and Applications 40, 1983), and strata are independent:
 * variance = sum of derivative^2 x variance of the factor, with the degrees of freedom of the total. */
#include "sampling/projection.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "sampling/order.h"
#include "sampling/quantile.h"

#define NONE UINT32_MAX

struct interval {
    double from, to; /* ns */
    uint32_t at;     /* in the order of profiled starts */
};

/* One stream's clock while its launches are laid out anew. */
struct lane {
    double start, scale; /* of the launch before: new start, new / profiled duration */
    int64_t old_start, old_end;
    uint32_t last; /* the launch before; NONE */
};

struct layout {
    const struct profile *profile;
    const struct plan *plan;
    const struct projection *p;
    double ns_per_unit;
    struct plan_index *index;
    uint32_t *rows;   /* by profiled start */
    uint32_t *before; /* on the same stream, in that order; NONE */
    struct lane *lanes;
    struct interval *intervals;
    double *weights;  /* of each launch's start: how much the busy time moves with it */
    double *gradient; /* of the busy time by each stratum's factor, ns */
};

static int interval_compare(const void *a, const void *b)
{
    const struct interval *x = a, *y = b;

    return x->from != y->from ? (x->from < y->from ? -1 : 1) : x->at < y->at ? -1 : x->at > y->at;
}

/* SIZE_MAX and the like: a launch of no time, of no stratum. */
static size_t stratum_of(const struct layout *l, uint32_t i)
{
    return plan_index_find(l->index, l->rows[i]);
}

static double factor_of(const struct layout *l, size_t h)
{
    return h < l->plan->stratum_count ? l->p->strata[h].mean * l->ns_per_unit / l->plan->strata[h].mean : 1;
}

static void move_by(struct layout *l, uint32_t i, double ns_per_factor)
{
    size_t h = stratum_of(l, i);

    if (h < l->plan->stratum_count)
        l->gradient[h] += ns_per_factor;
}

/* A busy time begins with the start of one launch and ends with the end of one. */
static void note_busy(struct layout *l, uint32_t first, uint32_t last)
{
    l->weights[first] -= 1;
    l->weights[last] += 1;
    move_by(l, last, (double)l->profile->value[l->rows[last]]);
}

static double busy_ns(struct layout *l)
{
    size_t n = l->profile->count;
    uint32_t first = 0, last = 0;
    double busy = 0, end = -INFINITY;

    qsort(l->intervals, n, sizeof *l->intervals, interval_compare);
    for (size_t i = 0; i < n; i++) {
        const struct interval *x = &l->intervals[i];

        if (x->to <= end)
            continue;
        busy += x->to - (x->from > end ? x->from : end);
        if (x->from > end) {
            if (i > 0)
                note_busy(l, first, last);
            first = x->at;
        }
        last = x->at;
        end = x->to;
    }
    if (n > 0)
        note_busy(l, first, last);
    return busy;
}

/* Starts when the launch before has ended and the profiled gap has passed; a launch that overlapped the one before
 * starts at the same point of it. */
static struct interval lay_out(struct layout *l, uint32_t i)
{
    uint32_t row = l->rows[i];
    struct lane *lane = &l->lanes[l->profile->stream[row]];
    int64_t start = l->profile->start_ns[row];
    uint64_t duration = l->profile->value[row];
    double scale = factor_of(l, stratum_of(l, i)), at = (double)start;

    if (lane->last != NONE) {
        if (start >= lane->old_end)
            at = lane->start + (double)(lane->old_end - lane->old_start) * lane->scale +
                 (double)(start - lane->old_end);
        else
            at = lane->start + (double)(start - lane->old_start) * lane->scale;
    }
    l->before[i] = lane->last;
    *lane = (struct lane){at, scale, start, start + (int64_t)duration, i};
    return (struct interval){at, at + (double)duration * scale, i};
}

/* What a start moves with: that of the launch before, and as much of its duration as lies between them. */
static void go_back(struct layout *l)
{
    for (size_t i = l->profile->count; i-- > 0;) {
        uint32_t before = l->before[i];
        int64_t between;
        uint64_t duration;

        if (before == NONE)
            continue;
        between = l->profile->start_ns[l->rows[i]] - l->profile->start_ns[l->rows[before]];
        duration = l->profile->value[l->rows[before]];
        l->weights[before] += l->weights[i];
        move_by(l, before, l->weights[i] * fmin((double)between, (double)duration));
    }
}

static double half_width_ns(const struct layout *l)
{
    double variance = 0;

    for (size_t h = 0; h < l->plan->stratum_count; h++) {
        const struct projection_stratum *s = &l->p->strata[h];
        double by_total = l->gradient[h] * l->ns_per_unit / l->plan->strata[h].mean / (double)s->population;

        if (s->variance != 0)
            variance += by_total * by_total * s->variance;
    }
    return variance > 0 ? t_factor(l->p->level, l->p->df) * sqrt(variance) : variance;
}

static int layout_init(struct layout *l)
{
    struct err ignored; /* the answer to running out of memory is "not known" */
    size_t n = l->profile->count, streams = l->profile->stream_count;

    l->index = plan_index_new(l->plan, l->profile, &ignored);
    l->rows = mem_zalloc(n, sizeof *l->rows, &ignored);
    l->before = mem_zalloc(n, sizeof *l->before, &ignored);
    l->lanes = mem_zalloc(streams, sizeof *l->lanes, &ignored);
    l->intervals = mem_zalloc(n, sizeof *l->intervals, &ignored);
    l->weights = mem_zalloc(n, sizeof *l->weights, &ignored);
    l->gradient = mem_zalloc(l->plan->stratum_count, sizeof *l->gradient, &ignored);
    if (!l->index || !l->rows || !l->before || !l->lanes || !l->intervals || !l->weights || !l->gradient)
        return -1;
    for (size_t i = 0; i < n; i++)
        l->rows[i] = (uint32_t)i;
    for (size_t i = 0; i < streams; i++)
        l->lanes[i].last = NONE;
    return 0;
}

static void layout_release(struct layout *l)
{
    plan_index_free(l->index);
    free(l->rows);
    free(l->before);
    free(l->lanes);
    free(l->intervals);
    free(l->weights);
    free(l->gradient);
}

double projection_makespan_s(const struct profile *profile, const struct plan *plan, const struct projection *p,
                             double seconds_per_unit, double *half_width_s)
{
    struct order_key by_start = {.wide = (const uint64_t *)profile->start_ns};
    struct layout l = {.profile = profile, .plan = plan, .p = p, .ns_per_unit = seconds_per_unit * 1e9};
    double ns = NAN;

    *half_width_s = NAN;
    if (!profile->start_ns || profile->unit != PROFILE_NS || isnan(p->value))
        return NAN;
    if (layout_init(&l) == 0) {
        order_rows(l.rows, l.before, profile->count, &by_start);
        for (size_t i = 0; i < profile->count; i++)
            l.intervals[i] = lay_out(&l, (uint32_t)i);
        ns = busy_ns(&l);
        go_back(&l);
        *half_width_s = half_width_ns(&l) * 1e-9;
    }
    layout_release(&l);
    return ns * 1e-9;
}
