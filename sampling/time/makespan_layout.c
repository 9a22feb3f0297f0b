/* Lays out launches with other durations and computes the derivative of the busy time by the duration of each.
 * Every start and end is piecewise linear in the durations, so the derivative is propagated backwards along the
 * streams from the ends of the busy intervals (sample path derivatives: Ho and Cao, J. Optimization Theory and
 * Applications 40, 1983).
 *
 * Launches of one stream start in their profiled order for any durations, so streams are merged, not sorted. */
#include "sampling/time/makespan_layout.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/assert.h"
#include "sampling/math/order.h"

#define NONE UINT32_MAX

/* Records a busy interval, from the start of launch `first` to the end of launch `last`. */
static void note_busy(struct layout *l, uint32_t first, uint32_t last)
{
    l->weights[first] -= 1;
    l->weights[last] += 1;
    l->slopes[last] += 1;
}

void layout_lag(const struct layout_input *input, uint32_t row, uint32_t from, double *share, double *gap)
{
    int64_t start = input->start_ns[row], old_start = input->start_ns[from];
    uint64_t duration = input->duration_ns[from];
    int64_t old_end = old_start + (int64_t)duration;

    *gap = start >= old_end ? (double)(start - old_end) : 0;
    *share = start >= old_end ? 1 : (double)(start - old_start) / (double)duration;
}

/* --- the next launch of all streams --- */

static int starts_earlier(const struct layout *l, uint32_t a, uint32_t b)
{
    return l->starts[a] != l->starts[b] ? l->starts[a] < l->starts[b] : a < b;
}

static void sift_down(struct layout *l, size_t count, size_t at)
{
    uint32_t moved = l->heads[at];

    for (;;) {
        size_t child = 2 * at + 1;

        if (child + 1 < count && starts_earlier(l, l->heads[child + 1], l->heads[child]))
            child++;
        if (child >= count || !starts_earlier(l, l->heads[child], moved))
            break;
        l->heads[at] = l->heads[child];
        at = child;
    }
    l->heads[at] = moved;
}

static double busy_ns(struct layout *l)
{
    size_t count = 0;
    uint32_t first = NONE, last = NONE;
    double busy = 0, end = -INFINITY;

    for (size_t s = 0; s < l->input.lanes; s++)
        if (l->firsts[s] != NONE)
            l->heads[count++] = l->firsts[s];
    for (size_t i = count / 2; i-- > 0;)
        sift_down(l, count, i);
    while (count > 0) {
        uint32_t i = l->heads[0];
        double from = l->starts[i], to = from + l->durations[i];

        l->heads[0] = l->next[i] != NONE ? l->next[i] : l->heads[--count];
        sift_down(l, count, 0);
        if (to <= end)
            continue;
        busy += to - (from > end ? from : end);
        if (from > end) {
            if (first != NONE)
                note_busy(l, first, last);
            first = i;
        }
        last = i;
        end = to;
    }
    if (first != NONE)
        note_busy(l, first, last);
    return busy;
}

/* Propagates derivatives backwards: a start depends on the start of the launch before and on the share of its
 * duration that lies between the two starts. */
static void go_back(struct layout *l)
{
    for (size_t i = l->input.count; i-- > 0;) {
        uint32_t before = l->before[i];

        if (before == NONE)
            continue;
        l->weights[before] += l->weights[i];
        l->slopes[before] += l->weights[i] * l->shares[i];
    }
}

void layout_place(struct layout *l)
{
    size_t k = 0;

    for (size_t i = 0; i < l->input.count; i++) {
        uint32_t before = l->before[i];

        l->starts[i] = l->gaps[i] + (before != NONE ? l->starts[before] + l->durations[before] * l->shares[i] : 0);
        for (; k < l->link_count && l->links[k].item == i; k++) {
            const struct layout_link *a = &l->links[k];
            double start = l->starts[a->from] + l->durations[a->from] * a->share + a->gap;

            ASSERT_HOT(a->from < i);
            l->starts[i] = start > l->starts[i] ? start : l->starts[i];
        }
    }
}

double layout_busy(struct layout *l)
{
    double busy;

    ASSERT(!l->link_count);
    layout_place(l);
    for (size_t i = 0; i < l->input.count; i++)
        l->weights[i] = l->slopes[i] = 0;
    busy = busy_ns(l);
    go_back(l);
    return busy;
}

/* Sets the start of launch i: the end of the launch before plus the profiled gap. A launch that overlapped the one
 * before starts at the same fraction of its duration. */
static void makespan_layout_follow(struct layout *l, uint32_t i, uint32_t before)
{
    l->before[i] = before;
    l->gaps[i] = (double)l->input.start_ns[l->rows[i]];
    if (before == NONE)
        return;
    l->next[before] = i;
    layout_lag(&l->input, l->rows[i], l->rows[before], &l->shares[i], &l->gaps[i]);
}

static int makespan_layout_allocate(struct layout *l, struct err *e)
{
    size_t n = l->input.count, streams = l->input.lanes;

    l->rows = mem_zalloc(n, sizeof *l->rows, e);
    l->before = mem_zalloc(n, sizeof *l->before, e);
    l->next = mem_zalloc(n, sizeof *l->next, e);
    l->shares = mem_zalloc(n, sizeof *l->shares, e);
    l->gaps = mem_zalloc(n, sizeof *l->gaps, e);
    l->durations = mem_zalloc(n, sizeof *l->durations, e);
    l->starts = mem_zalloc(n, sizeof *l->starts, e);
    l->slopes = mem_zalloc(n, sizeof *l->slopes, e);
    l->weights = mem_zalloc(n, sizeof *l->weights, e);
    l->firsts = mem_zalloc(streams, sizeof *l->firsts, e);
    l->heads = mem_zalloc(streams, sizeof *l->heads, e);
    return l->rows && l->before && l->next && l->shares && l->gaps && l->durations && l->starts && l->slopes &&
                   l->weights && l->firsts && l->heads
               ? 0
               : -1;
}

int layout_init_items(struct layout *l, const struct layout_input *input, struct err *e)
{
    struct order_key by_start = {.wide = (const uint64_t *)input->start_ns};

    *l = (struct layout){.input = *input};
    if (makespan_layout_allocate(l, e) < 0)
        return -1;
    for (size_t i = 0; i < input->count; i++)
        l->rows[i] = (uint32_t)i;
    order_rows(l->rows, l->before, input->count, &by_start);
    for (size_t s = 0; s < input->lanes; s++)
        l->firsts[s] = l->heads[s] = NONE; /* heads: the last launch so far */
    for (uint32_t i = 0; i < input->count; i++) {
        uint32_t lane = input->lane[l->rows[i]];

        l->durations[i] = (double)input->duration_ns[l->rows[i]];
        l->next[i] = NONE;
        makespan_layout_follow(l, i, l->heads[lane]);
        if (l->firsts[lane] == NONE)
            l->firsts[lane] = i;
        l->heads[lane] = i;
    }
    return 0;
}

int layout_init(struct layout *l, const struct profile *profile, struct err *e)
{
    const struct layout_input launches = {.count = profile->count,
                                          .lanes = profile->stream_count,
                                          .start_ns = profile->start_ns,
                                          .duration_ns = profile->value,
                                          .lane = profile->stream};

    if (layout_init_items(l, &launches, e) < 0)
        return -1;
    l->profile = profile;
    return 0;
}

void layout_release(struct layout *l)
{
    free(l->rows);
    free(l->before);
    free(l->next);
    free(l->shares);
    free(l->gaps);
    free(l->durations);
    free(l->starts);
    free(l->slopes);
    free(l->weights);
    free(l->firsts);
    free(l->heads);
    free(l->links);
}
