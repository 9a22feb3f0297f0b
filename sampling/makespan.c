/* How long anything would run under a design. Durations are scaled stratum by stratum; what the profile shows of
 * the host (gaps on a stream, and kernels that overlap on one) stays. Waiting across streams is not modelled. */
#include "sampling/projection.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "sampling/order.h"

struct interval {
    double from, to; /* ns */
};

/* One stream's clock while its launches are laid out anew. */
struct lane {
    double start, scale; /* of the launch before: new start, new / profiled duration */
    int64_t old_start, old_end;
    bool used;
};

static int interval_compare(const void *a, const void *b)
{
    const struct interval *x = a, *y = b;

    return x->from < y->from ? -1 : x->from > y->from;
}

static double busy_ns(struct interval *intervals, size_t n)
{
    double busy = 0, end = -INFINITY;

    qsort(intervals, n, sizeof *intervals, interval_compare);
    for (size_t i = 0; i < n; i++) {
        if (intervals[i].to <= end)
            continue;
        busy += intervals[i].to - (intervals[i].from > end ? intervals[i].from : end);
        end = intervals[i].to;
    }
    return busy;
}

/* Starts when the launch before has ended and the profiled gap has passed; a launch that overlapped the one before
 * starts at the same point of it. */
static struct interval lay_out(struct lane *lane, int64_t start, uint64_t duration, double scale)
{
    double at = (double)start;

    if (lane->used) {
        if (start >= lane->old_end)
            at = lane->start + (double)(lane->old_end - lane->old_start) * lane->scale +
                 (double)(start - lane->old_end);
        else
            at = lane->start + (double)(start - lane->old_start) * lane->scale;
    }
    *lane = (struct lane){at, scale, start, start + (int64_t)duration, true};
    return (struct interval){at, at + (double)duration * scale};
}

static void lay_out_all(const struct profile *profile, const struct plan *plan, const struct projection *p,
                        const struct plan_index *index, double ns_per_unit, const uint32_t *rows,
                        struct lane *lanes, struct interval *out)
{
    for (size_t i = 0; i < profile->count; i++) {
        uint32_t row = rows[i];
        size_t h = plan_index_find(index, row);
        double scale = h < plan->stratum_count ? p->strata[h].mean * ns_per_unit / plan->strata[h].mean : 1;

        out[i] = lay_out(&lanes[profile->stream[row]], profile->start_ns[row], profile->value[row], scale);
    }
}

double projection_makespan_s(const struct profile *profile, const struct plan *plan, const struct projection *p,
                             double seconds_per_unit)
{
    struct order_key by_start = {.wide = (const uint64_t *)profile->start_ns};
    struct err ignored; /* the answer to running out of memory is "not known" */
    struct interval *intervals;
    struct plan_index *index;
    struct lane *lanes;
    uint32_t *rows, *scratch;
    double ns = NAN;

    if (!profile->start_ns || profile->unit != PROFILE_NS || isnan(p->value))
        return NAN;
    index = plan_index_new(plan, profile, &ignored);
    intervals = mem_zalloc(profile->count, sizeof *intervals, &ignored);
    lanes = mem_zalloc(profile->stream_count, sizeof *lanes, &ignored);
    rows = mem_zalloc(profile->count, sizeof *rows, &ignored);
    scratch = mem_zalloc(profile->count, sizeof *scratch, &ignored);
    if (index && intervals && lanes && rows && scratch) {
        for (size_t i = 0; i < profile->count; i++)
            rows[i] = (uint32_t)i;
        order_rows(rows, scratch, profile->count, &by_start);
        lay_out_all(profile, plan, p, index, seconds_per_unit * 1e9, rows, lanes, intervals);
        ns = busy_ns(intervals, profile->count);
    }
    plan_index_free(index);
    free(intervals);
    free(lanes);
    free(rows);
    free(scratch);
    return ns * 1e-9;
}
