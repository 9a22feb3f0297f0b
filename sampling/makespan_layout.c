/* Launches laid out anew, and how the busy time moves with each stratum's factor. Every end and start is linear in
 * the factors, so the derivative is found by going back along the streams from where busy times begin and end
 * (sample path derivatives: Ho and Cao, J. Optimization Theory and Applications 40, 1983). */
#include "sampling/makespan_layout.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "sampling/order.h"

#define NONE UINT32_MAX

struct layout_interval {
    double from, to; /* ns */
    uint32_t at;     /* in the order of profiled starts */
};

/* One stream's clock while its launches are laid out anew. */
struct layout_lane {
    double start, scale; /* of the launch before: new start, new / profiled duration */
    int64_t old_start, old_end;
    uint32_t last; /* the launch before; NONE */
};

static int interval_compare(const void *a, const void *b)
{
    const struct layout_interval *x = a, *y = b;

    return x->from != y->from ? (x->from < y->from ? -1 : 1) : x->at < y->at ? -1 : x->at > y->at;
}

static double factor_of(const struct layout *l, uint32_t i)
{
    return l->strata[i] != NONE ? l->factors[l->strata[i]] : 1;
}

static void move_by(struct layout *l, uint32_t i, double ns_per_factor)
{
    if (l->strata[i] != NONE)
        l->gradient[l->strata[i]] += ns_per_factor;
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
        const struct layout_interval *x = &l->intervals[i];

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
static struct layout_interval lay_out(struct layout *l, uint32_t i)
{
    uint32_t row = l->rows[i];
    struct layout_lane *lane = &l->lanes[l->profile->stream[row]];
    int64_t start = l->profile->start_ns[row];
    uint64_t duration = l->profile->value[row];
    double scale = factor_of(l, i), at = (double)start;

    if (lane->last != NONE) {
        if (start >= lane->old_end)
            at = lane->start + (double)(lane->old_end - lane->old_start) * lane->scale +
                 (double)(start - lane->old_end);
        else
            at = lane->start + (double)(start - lane->old_start) * lane->scale;
    }
    l->before[i] = lane->last;
    *lane = (struct layout_lane){at, scale, start, start + (int64_t)duration, i};
    return (struct layout_interval){at, at + (double)duration * scale, i};
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

double layout_busy(struct layout *l)
{
    size_t n = l->profile->count;
    double busy;

    for (size_t i = 0; i < l->profile->stream_count; i++)
        l->lanes[i].last = NONE;
    for (size_t i = 0; i < n; i++)
        l->weights[i] = 0;
    for (size_t i = 0; i < n; i++)
        l->intervals[i] = lay_out(l, (uint32_t)i);
    busy = busy_ns(l);
    go_back(l);
    return busy;
}

static int allocate(struct layout *l, size_t strata, struct err *e)
{
    size_t n = l->profile->count, streams = l->profile->stream_count;

    l->rows = mem_zalloc(n, sizeof *l->rows, e);
    l->before = mem_zalloc(n, sizeof *l->before, e);
    l->lanes = mem_zalloc(streams, sizeof *l->lanes, e);
    l->intervals = mem_zalloc(n, sizeof *l->intervals, e);
    l->weights = mem_zalloc(n, sizeof *l->weights, e);
    l->strata = mem_zalloc(n, sizeof *l->strata, e);
    l->factors = mem_zalloc(strata, sizeof *l->factors, e);
    l->gradient = mem_zalloc(strata, sizeof *l->gradient, e);
    if (!l->rows || !l->before || !l->lanes || !l->intervals || !l->weights || !l->strata || !l->factors ||
        !l->gradient)
        return -1;
    return 0;
}

int layout_init(struct layout *l, const struct profile *profile, const struct plan *plan, struct err *e)
{
    struct order_key by_start = {.wide = (const uint64_t *)profile->start_ns};
    struct plan_index *index = plan_index_new(plan, profile, e);

    *l = (struct layout){.profile = profile};
    if (!index || allocate(l, plan->stratum_count, e) < 0) {
        plan_index_free(index);
        return -1;
    }
    for (size_t i = 0; i < profile->count; i++)
        l->rows[i] = (uint32_t)i;
    order_rows(l->rows, l->before, profile->count, &by_start);
    for (size_t i = 0; i < profile->count; i++) {
        size_t h = plan_index_find(index, l->rows[i]);

        l->strata[i] = h < plan->stratum_count ? (uint32_t)h : NONE; /* a launch of no time is of no stratum */
    }
    plan_index_free(index);
    return 0;
}

void layout_release(struct layout *l)
{
    free(l->strata);
    free(l->factors);
    free(l->rows);
    free(l->before);
    free(l->lanes);
    free(l->intervals);
    free(l->weights);
    free(l->gradient);
}
