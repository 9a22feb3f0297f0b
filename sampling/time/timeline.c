/* sampling/time/timeline.c: lays out calls and work with their dependences (makespan_layout.h) and follows the
 * critical path.
 *
 * A report does not name all dependences. Each item has one or more candidates, each with a lag in the profile. The
 * one whose lag exceeds the usual lag of its kind least is taken to have held the item back, and keeps its profiled
 * lag. The others keep at most the usual lag of their kind, so they can hold it back when durations change. */
#include "sampling/time/timeline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "sampling/time/timeline_internal.h"

/* Assumptions where a report has no data. */
#define CPU_NS       20000 /* between calls of a thread that is not held back by another */
#define WAIT_CALL_NS 5000  /* of a call that waits, without the waiting */

const char *const timeline_kind_names[TIMELINE_KINDS] = {"calls", "kernels", "collectives", "copies", "fills"};

void timeline_release(struct timeline *t)
{
    free(t->calls);
    free(t->works);
    free(t->waits);
    memset(t, 0, sizeof *t);
}

/* --- rows --- */

static void set_row(struct timeline_builder *b, uint32_t row, int64_t start, uint64_t duration, uint32_t lane,
                    unsigned kind)
{
    ASSERT(row < b->count && start >= 0);
    b->start[row] = start;
    b->duration[row] = duration;
    b->lane[row] = lane;
    b->kind[row] = (uint8_t)kind;
}

static void fill_calls(struct timeline_builder *b)
{
    const struct timeline *t = b->t;
    uint32_t row = work_row(b, t->work_count);

    for (size_t i = 0; i < t->call_count; i++) {
        const struct timeline_call *c = &t->calls[i];
        uint64_t own = c->duration_ns;

        if (b->waits_on[i] != NONE && own > WAIT_CALL_NS)
            own = WAIT_CALL_NS;
        set_row(b, call_row(b, i), c->start_ns, own, c->thread, TIMELINE_CALL);
        b->done[i] = call_row(b, i);
        if (b->waits_on[i] == NONE)
            continue;
        b->done[i] = row++;
        set_row(b, b->done[i], call_end(c), 0, c->thread, TIMELINE_KINDS);
    }
    ASSERT(row == b->count);
}

/* A collective arrives at its start, and moves data from the start of the last one. */
static void fill_works(struct timeline_builder *b)
{
    const struct timeline *t = b->t;

    for (size_t i = 0; i < t->work_count; i++)
        set_row(b, work_row(b, i), t->works[i].start_ns, t->works[i].duration_ns, t->threads + t->works[i].stream,
                t->works[i].kind);
    for (size_t k = 0; k < b->group_count; k++) {
        const struct timeline_group *g = &b->groups[k];

        set_row(b, meeting_row(b, k), g->last, 0, t->threads + t->streams + (uint32_t)k, TIMELINE_KINDS);
        for (size_t i = g->first; i < g->first + g->count; i++) {
            const struct timeline_work *w = &t->works[b->members[i]];
            uint32_t lane = t->threads + w->stream;

            set_row(b, b->arrival[b->members[i]], w->start_ns, 0, lane, TIMELINE_KINDS);
            set_row(b, work_row(b, b->members[i]), g->last, (uint64_t)(work_end(w) - g->last), lane, w->kind);
        }
    }
}

static int fill_rows(struct timeline_builder *b, struct err *e)
{
    struct layout_input in = {.lanes = (size_t)b->t->threads + b->t->streams + b->group_count};

    b->count = b->arrivals + b->group_count + b->t->call_count + b->t->work_count + b->returns;
    if (b->count >= NONE)
        return err_set(e, ERR_TOO_LARGE, "the timeline has %zu items; at most %u are supported", b->count,
                       NONE - 1);
    b->start = mem_zalloc(b->count, sizeof *b->start, e);
    b->duration = b->start ? mem_zalloc(b->count, sizeof *b->duration, e) : NULL;
    b->lane = b->duration ? mem_zalloc(b->count, sizeof *b->lane, e) : NULL;
    b->kind = b->lane ? mem_zalloc(b->count, sizeof *b->kind, e) : NULL;
    b->place = b->kind ? mem_zalloc(b->count, sizeof *b->place, e) : NULL;
    b->done = b->place ? mem_zalloc(b->t->call_count, sizeof *b->done, e) : NULL;
    if (!b->done)
        return -1;
    fill_calls(b);
    fill_works(b);
    in.count = b->count;
    in.start_ns = b->start;
    in.duration_ns = b->duration;
    in.lane = b->lane;
    if (layout_init_items(&b->layout, &in, e) < 0)
        return -1;
    for (size_t i = 0; i < b->count; i++)
        b->place[b->layout.rows[i]] = (uint32_t)i;
    return 0;
}

/* --- lags --- */

static double old_end(const struct timeline_builder *b, uint32_t place)
{
    uint32_t row = b->layout.rows[place];

    return (double)b->start[row] + (double)b->duration[row];
}

/* The call of the item had ended by then. Edges of an item lie together, and it has at most one of each kind but
 * those to peers. */
static bool submitted_by(const struct timeline_builder *b, const struct timeline_edge *g, double time)
{
    const struct timeline_edge *first = g;

    while (first > b->edges && first[-1].row == g->row)
        first--;
    for (; first < b->edges + b->edge_count && first->row == g->row; first++)
        if (first->kind == EDGE_CALL)
            return old_end(b, first->from) <= time;
    return false;
}

/* The lag of the edge is a latency: nothing else can have held the item back. An edge from a call to work whose
 * stream was idle; from work to work of another stream that was idle and had its call; from work to the return of a
 * call that was made before it ended. */
static bool shows_latency(const struct timeline_builder *b, const struct timeline_edge *g)
{
    const struct layout *l = &b->layout;
    uint32_t before = l->before[g->row], row = l->rows[g->row], from = l->rows[g->from];
    double from_end = old_end(b, g->from);

    if (g->kind == EDGE_CALL)
        return before == NONE || old_end(b, before) <= (double)b->start[from];
    if (g->kind == EDGE_RETURN)
        return before != NONE && (double)b->start[l->rows[before]] < from_end && (double)b->start[row] >= from_end;
    return g->kind == EDGE_RELEASE && (before == NONE || old_end(b, before) <= from_end) &&
           submitted_by(b, g, from_end);
}

static double median(double *values, size_t n)
{
    array_sort(values, n, sizeof *values, double_compare);
    return n ? values[n / 2] : 0;
}

/* Median lags of calls, returns and releases; and of streams, over work whose call ended before the work ahead did.
 */
static int find_usual(struct timeline_builder *b, struct err *e)
{
    struct layout *l = &b->layout;
    double *values = mem_zalloc(b->count + b->edge_count, sizeof *values, e);
    size_t n = 0;

    if (!values)
        return -1;
    for (int kind = EDGE_CALL; kind <= EDGE_RETURN; kind++) {
        n = 0;
        for (size_t k = 0; k < b->edge_count; k++)
            if ((int)b->edges[k].kind == kind && shows_latency(b, &b->edges[k]))
                values[n++] = l->links[k].gap;
        b->usual[kind] = median(values, n);
    }
    n = 0;
    for (size_t k = 0; k < b->edge_count; k++) {
        const struct timeline_edge *g = &b->edges[k];
        uint32_t before = l->before[g->row];

        if (g->kind == EDGE_CALL && before != NONE && old_end(b, g->from) <= old_end(b, before))
            values[n++] = l->gaps[g->row];
    }
    b->usual[EDGE_STREAM] = median(values, n);
    b->usual[EDGE_CPU] = b->usual[EDGE_HANDOVER] = CPU_NS;
    free(values);
    return 0;
}

/* A binding lag of 0 is an overlap, which no latency explains. A call that took long though its work had ended
 * (EDGE_WAIT) is a duration, not a latency. */
static void set_gap(const struct timeline_builder *b, double *gap, enum timeline_edge_kind kind, bool binding,
                    bool typical)
{
    bool latency = kind != EDGE_CPU && kind != EDGE_HANDOVER && kind != EDGE_WAIT;

    if (binding ? typical && latency && *gap > 0 : *gap > b->usual[kind])
        *gap = b->usual[kind];
}

/* Chooses what held each item back, and sets the gaps of all edges. */
static void choose(struct timeline_builder *b, bool typical)
{
    struct layout *l = &b->layout;

    for (size_t i = 0, k = 0; i < b->count; i++) {
        size_t first = k, best = SIZE_MAX;
        enum timeline_edge_kind lane = timeline_lane_kind(b, (uint32_t)i);
        double least = l->before[i] == NONE ? INFINITY : l->gaps[i] - b->usual[lane];

        for (; k < b->edge_count && b->edges[k].row == i; k++) {
            double excess = l->links[k].gap - b->usual[b->edges[k].kind];

            if (excess < least) {
                least = excess;
                best = k;
            }
        }
        if (l->before[i] == NONE && k > first)
            l->gaps[i] = 0;
        else if (l->before[i] != NONE)
            set_gap(b, &l->gaps[i], lane, best == SIZE_MAX, typical);
        for (size_t m = first; m < k; m++)
            set_gap(b, &l->links[m].gap, b->edges[m].kind, m == best, typical);
    }
}

static int make_edges(struct timeline_builder *b, bool typical, struct err *e)
{
    struct layout *l = &b->layout;

    if (timeline_find_edges(b, e) < 0)
        return -1;
    l->links = mem_zalloc(b->edge_count, sizeof *l->links, e);
    if (!l->links)
        return -1;
    l->link_count = b->edge_count;
    for (size_t k = 0; k < b->edge_count; k++) {
        struct layout_link *link = &l->links[k];

        *link = (struct layout_link){.item = b->edges[k].row, .from = b->edges[k].from};
        layout_lag(&l->input, l->rows[link->item], l->rows[link->from], &link->share, &link->gap);
    }
    if (find_usual(b, e) < 0)
        return -1;
    choose(b, typical);
    return 0;
}

/* --- the result --- */

/* The edge that decided the start of an item: 0 with its parts; -1: none. `at`: links of the item begin there. */
static int cause(const struct timeline_builder *b, uint32_t i, size_t at, struct layout_link *out,
                 enum timeline_edge_kind *kind)
{
    const struct layout *l = &b->layout;
    double latest = -INFINITY;
    int ret = -1;

    if (l->before[i] != NONE) {
        *out = (struct layout_link){i, l->before[i], l->shares[i], l->gaps[i]};
        latest = l->starts[out->from] + l->durations[out->from] * out->share + out->gap;
        *kind = timeline_lane_kind(b, i);
        ret = 0;
    }
    for (size_t k = at; k < b->edge_count && b->edges[k].row == i; k++) {
        const struct layout_link *a = &l->links[k];
        double start = l->starts[a->from] + l->durations[a->from] * a->share + a->gap;

        if (start > latest) {
            latest = start;
            *out = *a;
            *kind = b->edges[k].kind;
            ret = 0;
        }
    }
    return ret;
}

static void add_time(const struct timeline_builder *b, uint32_t place, double share, struct timeline_result *out)
{
    uint8_t kind = b->kind[b->layout.rows[place]];

    if (kind < TIMELINE_KINDS)
        out->path_ns[kind] += share * b->layout.durations[place];
}

/* Follows causes back from the item that ends last. */
static void follow_path(const struct timeline_builder *b, uint32_t i, double first, struct timeline_result *out)
{
    const struct layout *l = &b->layout;
    struct layout_link link;
    enum timeline_edge_kind kind = EDGE_CPU;
    size_t at = b->edge_count;

    add_time(b, i, 1, out);
    for (;;) {
        while (at > 0 && b->edges[at - 1].row >= i)
            at--;
        if (cause(b, i, at, &link, &kind) < 0)
            break;
        if (kind == EDGE_CPU || kind == EDGE_HANDOVER)
            out->cpu_ns += link.gap;
        else
            out->latency_ns += link.gap;
        add_time(b, link.from, link.share, out);
        i = link.from;
    }
    out->cpu_ns += l->starts[i] - first;
}

/* The profiled time of each work without waiting for other GPUs. */
static double *find_transfers(const struct timeline_builder *b, struct err *e)
{
    double *out = mem_zalloc(b->t->work_count, sizeof *out, e);

    for (size_t i = 0; out && i < b->t->work_count; i++)
        out[i] = (double)b->t->works[i].duration_ns;
    for (size_t k = 0; out && k < b->group_count; k++) {
        const struct timeline_group *g = &b->groups[k];
        double least = INFINITY;

        for (size_t i = g->first; i < g->first + g->count; i++)
            least = fmin(least, (double)(work_end(&b->t->works[b->members[i]]) - g->last));
        for (size_t i = g->first; i < g->first + g->count; i++)
            out[b->members[i]] = least;
    }
    return out;
}

/* What the options make of all durations. */
static int set_durations(struct timeline_builder *b, const struct timeline_options *o, struct err *e)
{
    struct layout *l = &b->layout;
    double *transfers = o->scale ? find_transfers(b, e) : NULL;

    if (o->scale && !transfers)
        return -1;
    for (size_t i = 0; i < b->count; i++) {
        uint8_t kind = b->kind[l->rows[i]];

        l->durations[i] = (double)b->duration[l->rows[i]] * (kind < TIMELINE_KINDS ? o->factor[kind] : 1);
    }
    for (size_t i = 0; o->scale && i < b->t->work_count; i++) {
        const struct timeline_work *w = &b->t->works[i];

        if (w->kind == TIMELINE_COLLECTIVE || w->kind == TIMELINE_COPY)
            l->durations[b->place[work_row(b, i)]] *= o->scale(o->ctx, w, transfers[i]);
    }
    free(transfers);
    return 0;
}

static int measure(struct timeline_builder *b, const struct timeline_options *o, struct timeline_result *out,
                   struct timeline_gpu *gpus, struct err *e)
{
    struct layout *l = &b->layout;
    double first = INFINITY, last = -INFINITY, old_last = 0;
    uint32_t end = 0;

    if (set_durations(b, o, e) < 0)
        return -1;
    layout_place(l);
    for (uint32_t i = 0; i < b->count; i++) {
        old_last = fmax(old_last, old_end(b, i));
        first = l->starts[i] < first ? l->starts[i] : first;
        if (l->starts[i] + l->durations[i] > last) {
            last = l->starts[i] + l->durations[i];
            end = i;
        }
    }
    out->profiled_ns = old_last - (double)b->start[l->rows[0]];
    out->span_ns = last - first;
    follow_path(b, end, first, out);
    return gpus ? timeline_measure_gpus(b, first, last, gpus, e) : 0;
}

static size_t count_collectives(const struct timeline *t)
{
    size_t n = 0;

    for (size_t i = 0; i < t->work_count; i++)
        n += t->works[i].kind == TIMELINE_COLLECTIVE;
    return n;
}

static void builder_release(struct timeline_builder *b)
{
    layout_release(&b->layout);
    free(b->start);
    free(b->duration);
    free(b->lane);
    free(b->kind);
    free(b->place);
    free(b->arrival);
    free(b->waits_on);
    free(b->done);
    free(b->members);
    free(b->groups);
    free(b->edges);
}

int timeline_retime(const struct timeline *t, const struct timeline_options *o, struct timeline_result *out,
                    struct timeline_gpu *gpus, struct err *e)
{
    struct timeline_builder b = {.t = t};
    int ret = -1;

    memset(out, 0, sizeof *out);
    if (!t->call_count || !t->work_count)
        return err_set(e, ERR_INVALID, "there are no calls of the CUDA API, or no work on a GPU");
    if (timeline_link_calls(&b, e) == 0 && timeline_find_groups(&b, e) == 0 && fill_rows(&b, e) == 0 &&
        make_edges(&b, o->typical, e) == 0 && measure(&b, o, out, gpus, e) == 0) {
        out->collectives = count_collectives(t);
        out->linked = b.member_count;
        ret = 0;
    }
    builder_release(&b);
    return ret;
}
