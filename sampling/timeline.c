/* sampling/timeline.c: lays out calls and work with their dependences (makespan_layout.h) and follows the critical
 * path.
 *
 * A report does not name all dependences. Each item has one or more candidates, each with a lag in the profile. The
 * one whose lag exceeds the usual lag of its kind least is taken to have held the item back, and keeps its profiled
 * lag. The others keep at most the usual lag of their kind, so they can hold it back when durations change. */
#include "sampling/timeline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "sampling/makespan_layout.h"

#define NONE TIMELINE_NONE

/* Assumptions where a report has no data. */
#define HANDOVER_NS                                                                                                \
    1000000 /* a thread without calls for so long, while others of its process call, waits for them */
#define CPU_NS       20000 /* between calls of a thread that is not held back by another */
#define WAIT_CALL_NS 5000  /* of a call that waits, without the waiting */
#define RELEASES_MAX 64    /* pieces of work before another one that may have released it */
#define SEARCH_MAX   4096  /* items that are looked at for one dependence */

const char *const timeline_kind_names[TIMELINE_KINDS] = {"calls", "kernels", "collectives", "copies", "fills"};

/* What holds an item back: the item before on its thread, another thread; the work before on its stream, its call,
 * work on another stream; for the return of a call that waits: the call, the work; another GPU. */
enum edge_kind {
    EDGE_CPU,
    EDGE_HANDOVER,
    EDGE_STREAM,
    EDGE_CALL,
    EDGE_RELEASE,
    EDGE_WAIT,
    EDGE_RETURN,
    EDGE_PEER,
    EDGE_KINDS
};
struct edge {
    uint32_t row, from; /* places in the layout */
    enum edge_kind kind;
};

/* The k-th collectives of all GPUs. */
struct group {
    size_t first, count; /* of members */
    int64_t last;        /* start of the last one */
};

/* Rows of items: first the arrivals of collectives, then the meetings of their groups, then calls, then work, then
 * returns of calls that wait. Rows that start together stay in this order. */
struct builder {
    const struct timeline *t;
    struct layout layout;
    size_t arrivals, returns, count;
    int64_t *start;
    uint64_t *duration;
    uint32_t *lane;
    uint8_t *kind;      /* of each row: enum timeline_kind; TIMELINE_KINDS: takes no time */
    uint32_t *place;    /* of each row: its place in the layout */
    uint32_t *arrival;  /* of each work: its row of arrival; NONE */
    uint32_t *waits_on; /* of each call: the work that it waits for; NONE */
    uint32_t *done;     /* of each call: the row that ends it: its return, or its own */
    uint32_t *members;
    struct group *groups;
    size_t group_count, member_count, edge_count, edge_capacity;
    struct edge *edges; /* by place: beside layout.links */
    double usual[EDGE_KINDS];
};

void timeline_release(struct timeline *t)
{
    free(t->calls);
    free(t->works);
    free(t->waits);
    memset(t, 0, sizeof *t);
}

static uint32_t call_row(const struct builder *b, size_t call)
{
    return (uint32_t)(b->arrivals + b->group_count + call);
}

static uint32_t work_row(const struct builder *b, size_t work)
{
    return call_row(b, b->t->call_count) + (uint32_t)work;
}

/* All GPUs of a group have arrived. */
static uint32_t meeting_row(const struct builder *b, size_t group)
{
    return (uint32_t)(b->arrivals + group);
}

static int64_t work_end(const struct timeline_work *w)
{
    return w->start_ns + (int64_t)w->duration_ns;
}

static int64_t call_end(const struct timeline_call *c)
{
    return c->start_ns + (int64_t)c->duration_ns;
}

/* --- what calls wait for --- */

/* A call returned after its own copy ended: it waited for it. */
static bool waits_for_own(const struct timeline_call *c, const struct timeline_work *w)
{
    return (w->kind == TIMELINE_COPY || w->kind == TIMELINE_FILL) && work_end(w) <= call_end(c);
}

/* The work of each call, from its first; of each stream, in order and from begin[stream]; and the last one of each
 * stream that was submitted so far. */
struct chains {
    uint32_t *first, *next, *order, *begin, *last;
};

/* The last work of a stream that was submitted so far and started before the call returned: the call did not wait
 * for what is still in the queue. */
static uint32_t last_on(const struct builder *b, const struct timeline_call *c, const struct chains *x,
                        uint32_t stream)
{
    uint32_t low = x->begin[stream], high = x->begin[stream + 1];

    while (low < high) {
        uint32_t middle = low + (high - low) / 2, w = x->order[middle];

        if (w <= x->last[stream] && b->t->works[w].start_ns < call_end(c))
            low = middle + 1;
        else
            high = middle;
    }
    return low > x->begin[stream] ? x->order[low - 1] : NONE;
}

static uint32_t last_work(const struct builder *b, const struct timeline_call *c, const struct chains *x)
{
    uint32_t found = NONE;

    if (c->wait == WAITS_STREAM)
        return c->stream == NONE || x->last[c->stream] == NONE ? NONE : last_on(b, c, x, c->stream);
    for (uint32_t s = 0; s < b->t->streams; s++) {
        uint32_t w;

        if (x->last[s] == NONE || b->t->works[x->last[s]].process != c->process)
            continue;
        w = last_on(b, c, x, s);
        if (w != NONE && (found == NONE || work_end(&b->t->works[w]) > work_end(&b->t->works[found])))
            found = w;
    }
    return found;
}

static void find_waits(struct builder *b, struct chains *x)
{
    const struct timeline *t = b->t;

    for (size_t c = 0; c < t->call_count; c++) {
        b->waits_on[c] = t->calls[c].wait == WAITS_NOT ? NONE : last_work(b, &t->calls[c], x);
        for (uint32_t w = x->first[c]; w != NONE; w = x->next[w]) {
            uint32_t *last = &x->last[t->works[w].stream];

            *last = *last == NONE || *last < w ? w : *last;
            if (waits_for_own(&t->calls[c], &t->works[w]))
                b->waits_on[c] = w;
        }
        b->returns += b->waits_on[c] != NONE;
    }
}

static void chain(const struct timeline *t, struct chains *x)
{
    for (size_t c = 0; c < t->call_count; c++)
        x->first[c] = NONE;
    for (size_t w = 0; w < t->work_count; w++)
        x->begin[t->works[w].stream + 1]++;
    for (size_t s = 0; s < t->streams; s++) {
        x->begin[s + 1] += x->begin[s];
        x->last[s] = x->begin[s];
    }
    for (size_t w = 0; w < t->work_count; w++)
        x->order[x->last[t->works[w].stream]++] = (uint32_t)w;
    for (size_t w = t->work_count; w-- > 0;) {
        uint32_t call = t->works[w].call;

        x->next[w] = call == NONE ? NONE : x->first[call];
        if (call != NONE)
            x->first[call] = (uint32_t)w;
    }
    for (size_t s = 0; s < t->streams; s++)
        x->last[s] = NONE;
}

static int link_calls(struct builder *b, struct err *e)
{
    const struct timeline *t = b->t;
    struct chains x = {.first = mem_zalloc(t->call_count, sizeof *x.first, e)};

    x.next = x.first ? mem_zalloc(t->work_count, sizeof *x.next, e) : NULL;
    x.order = x.next ? mem_zalloc(t->work_count, sizeof *x.order, e) : NULL;
    x.begin = x.order ? mem_zalloc((size_t)t->streams + 1, sizeof *x.begin, e) : NULL;
    x.last = x.begin ? mem_zalloc(t->streams, sizeof *x.last, e) : NULL;
    b->waits_on = x.last ? mem_zalloc(t->call_count, sizeof *b->waits_on, e) : NULL;
    if (b->waits_on) {
        chain(t, &x);
        find_waits(b, &x);
    }
    free(x.first);
    free(x.next);
    free(x.order);
    free(x.begin);
    free(x.last);
    return b->waits_on ? 0 : -1;
}

/* --- collectives --- */

/* Adds the k-th collectives of all GPUs, if they ran together. of: each GPU's collectives in order. */
static void add_group(struct builder *b, uint32_t *const *of, size_t k)
{
    const struct timeline *t = b->t;
    struct group g = {.first = b->member_count};
    int64_t first_end = INT64_MAX;

    for (uint32_t gpu = 0; gpu < t->gpus; gpu++) {
        const struct timeline_work *w = of[gpu] ? &t->works[of[gpu][k]] : NULL;

        if (!w)
            continue;
        b->members[g.first + g.count++] = of[gpu][k];
        g.last = w->start_ns > g.last ? w->start_ns : g.last;
        first_end = work_end(w) < first_end ? work_end(w) : first_end;
    }
    if (g.last >= first_end) /* they did not overlap, so they do not belong together */
        return;
    b->member_count += g.count;
    b->groups[b->group_count++] = g;
}

/* The collectives of each GPU, or NULL where it has none. Returns how many each has; 0 where GPUs differ, or only
 * one GPU has any. `all` has room for all work, `n` for GPUs. */
static size_t by_gpu(const struct timeline *t, uint32_t **of, uint32_t *all, size_t *n)
{
    size_t each = 0, at = 0, gpus = 0;

    for (size_t i = 0; i < t->work_count; i++)
        n[t->works[i].gpu] += t->works[i].kind == TIMELINE_COLLECTIVE;
    for (uint32_t gpu = 0; gpu < t->gpus; gpu++) {
        if (!n[gpu])
            continue;
        if (each && n[gpu] != each)
            return 0;
        each = n[gpu];
        gpus++;
        of[gpu] = all + at;
        at += each;
        n[gpu] = 0;
    }
    for (size_t i = 0; i < t->work_count; i++)
        if (t->works[i].kind == TIMELINE_COLLECTIVE)
            of[t->works[i].gpu][n[t->works[i].gpu]++] = (uint32_t)i;
    return gpus > 1 ? each : 0;
}

static int find_groups(struct builder *b, struct err *e)
{
    const struct timeline *t = b->t;
    uint32_t *all = mem_zalloc(t->work_count, sizeof *all, e), **of = NULL;
    size_t each = 0, *n = all ? mem_zalloc(t->gpus, sizeof *n, e) : NULL;

    of = n ? mem_zalloc(t->gpus, sizeof *of, e) : NULL;
    b->arrival = of ? mem_zalloc(t->work_count, sizeof *b->arrival, e) : NULL;
    b->members = b->arrival ? mem_zalloc(t->work_count, sizeof *b->members, e) : NULL;
    b->groups = b->members ? mem_zalloc(t->work_count, sizeof *b->groups, e) : NULL;
    if (b->groups) {
        each = by_gpu(t, of, all, n);
        for (size_t k = 0; k < each; k++)
            add_group(b, of, k);
        for (size_t i = 0; i < t->work_count; i++)
            b->arrival[i] = NONE;
        for (size_t i = 0; i < b->member_count; i++)
            b->arrival[b->members[i]] = (uint32_t)b->arrivals++;
    }
    free(of);
    free(n);
    free(all);
    return b->groups ? 0 : -1;
}

/* --- rows --- */

static void set_row(struct builder *b, uint32_t row, int64_t start, uint64_t duration, uint32_t lane, unsigned kind)
{
    ASSERT(row < b->count && start >= 0);
    b->start[row] = start;
    b->duration[row] = duration;
    b->lane[row] = lane;
    b->kind[row] = (uint8_t)kind;
}

static void fill_calls(struct builder *b)
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
static void fill_works(struct builder *b)
{
    const struct timeline *t = b->t;

    for (size_t i = 0; i < t->work_count; i++)
        set_row(b, work_row(b, i), t->works[i].start_ns, t->works[i].duration_ns, t->threads + t->works[i].stream,
                t->works[i].kind);
    for (size_t k = 0; k < b->group_count; k++) {
        const struct group *g = &b->groups[k];

        set_row(b, meeting_row(b, k), g->last, 0, t->threads + t->streams + (uint32_t)k, TIMELINE_KINDS);
        for (size_t i = g->first; i < g->first + g->count; i++) {
            const struct timeline_work *w = &t->works[b->members[i]];
            uint32_t lane = t->threads + w->stream;

            set_row(b, b->arrival[b->members[i]], w->start_ns, 0, lane, TIMELINE_KINDS);
            set_row(b, work_row(b, b->members[i]), g->last, (uint64_t)(work_end(w) - g->last), lane, w->kind);
        }
    }
}

static int fill_rows(struct builder *b, struct err *e)
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

/* --- edges --- */

static int add_edge(struct builder *b, uint32_t row, uint32_t from, enum edge_kind kind, struct err *e)
{
    if (b->place[from] >= b->place[row]) /* clocks of CPU and GPU differ a little: it cannot have held it back */
        return 0;
    if (array_reserve((void **)&b->edges, &b->edge_capacity, b->edge_count + 1, sizeof *b->edges, e) < 0)
        return -1;
    b->edges[b->edge_count++] = (struct edge){b->place[row], b->place[from], kind};
    return 0;
}

/* Where work enters its stream: at its arrival, or at its start. */
static uint32_t entry_row(const struct builder *b, size_t work)
{
    return b->arrival[work] != NONE ? b->arrival[work] : work_row(b, work);
}

/* The work on another stream of the process that ended last before this one started. */
static uint32_t released_by(const struct timeline *t, size_t work)
{
    const struct timeline_work *w = &t->works[work];
    uint32_t found = NONE;

    for (size_t i = work, steps = 0, n = 0; i-- > 0 && n < RELEASES_MAX && steps < SEARCH_MAX; steps++) {
        const struct timeline_work *o = &t->works[i];

        if (o->process != w->process || o->stream == w->stream)
            continue;
        n++;
        if (work_end(o) <= w->start_ns && (found == NONE || work_end(o) > work_end(&t->works[found])))
            found = (uint32_t)i;
    }
    return found;
}

/* The first work that was submitted to the stream after the call that makes it wait. */
static uint32_t first_after(const struct timeline *t, const struct timeline_stream_wait *wait)
{
    int64_t from = t->calls[wait->call].start_ns;
    size_t low = 0, high = t->work_count;

    while (low < high) { /* work starts after its call, so none before `from` was submitted after it */
        size_t middle = low + (high - low) / 2;

        if (t->works[middle].start_ns < from)
            low = middle + 1;
        else
            high = middle;
    }
    for (size_t n = 0; low < t->work_count && n < SEARCH_MAX; low++, n++) {
        const struct timeline_work *w = &t->works[low];

        if (w->stream == wait->stream && w->call != NONE && w->call > wait->call)
            return (uint32_t)low;
    }
    return NONE;
}

static int release_edges(struct builder *b, struct err *e)
{
    for (size_t k = 0; k < b->t->wait_count; k++) {
        uint32_t work = first_after(b->t, &b->t->waits[k]);
        uint32_t other = work == NONE ? NONE : released_by(b->t, work);

        if (other != NONE && add_edge(b, entry_row(b, work), work_row(b, other), EDGE_RELEASE, e) < 0)
            return -1;
    }
    return 0;
}

/* The call of another thread of the process that ended last before this one, if this thread rested meanwhile. */
static int handover_edge(struct builder *b, size_t call, uint32_t before, struct err *e)
{
    const struct timeline *t = b->t;
    const struct timeline_call *c = &t->calls[call];
    int64_t rest = before == NONE ? c->start_ns : call_end(&t->calls[before]);
    uint32_t found = NONE;

    if (c->start_ns - rest < HANDOVER_NS)
        return 0;
    for (size_t i = call, n = 0; i-- > 0 && n < SEARCH_MAX; n++) { /* calls overlap: a later one may end earlier */
        const struct timeline_call *o = &t->calls[i];

        if (o->process == c->process && o->thread != c->thread && call_end(o) <= c->start_ns &&
            call_end(o) > rest && (found == NONE || call_end(o) > call_end(&t->calls[found])))
            found = (uint32_t)i;
    }
    return found == NONE ? 0 : add_edge(b, call_row(b, call), b->done[found], EDGE_HANDOVER, e);
}

static int call_edges(struct builder *b, struct err *e)
{
    const struct timeline *t = b->t;
    uint32_t *last = mem_zalloc(t->threads, sizeof *last, e);
    int ret = last ? 0 : -1;

    for (uint32_t i = 0; last && i < t->threads; i++)
        last[i] = NONE;
    for (size_t i = 0; i < t->call_count && ret == 0; i++) {
        ret = handover_edge(b, i, last[t->calls[i].thread], e);
        last[t->calls[i].thread] = (uint32_t)i;
        if (ret == 0 && b->waits_on[i] != NONE)
            ret = add_edge(b, b->done[i], work_row(b, b->waits_on[i]), EDGE_RETURN, e);
    }
    free(last);
    return ret;
}

static int work_edges(struct builder *b, struct err *e)
{
    for (size_t i = 0; i < b->t->work_count; i++)
        if (b->t->works[i].call != NONE &&
            add_edge(b, entry_row(b, i), call_row(b, b->t->works[i].call), EDGE_CALL, e) < 0)
            return -1;
    for (size_t k = 0; k < b->group_count; k++) {
        const struct group *g = &b->groups[k];

        for (size_t i = g->first; i < g->first + g->count; i++) {
            uint32_t member = b->members[i];

            if (add_edge(b, meeting_row(b, k), b->arrival[member], EDGE_PEER, e) < 0 ||
                add_edge(b, work_row(b, member), meeting_row(b, k), EDGE_PEER, e) < 0)
                return -1;
        }
    }
    return release_edges(b, e);
}

static int compare_edges(const void *a, const void *b)
{
    const struct edge *x = a, *y = b;

    if (x->row != y->row)
        return x->row < y->row ? -1 : 1;
    return x->from != y->from ? x->from < y->from ? -1 : 1 : (int)x->kind - (int)y->kind;
}

/* Several waits of a stream before one kernel give the same edge. */
static void drop_repeated(struct builder *b)
{
    size_t kept = 0;

    for (size_t k = 0; k < b->edge_count; k++)
        if (!kept || compare_edges(&b->edges[k], &b->edges[kept - 1]) != 0)
            b->edges[kept++] = b->edges[k];
    b->edge_count = kept;
}

/* What the item before on its lane is to this one. */
static enum edge_kind lane_kind(const struct builder *b, uint32_t place)
{
    uint32_t row = b->layout.rows[place];

    if (row >= work_row(b, b->t->work_count))
        return EDGE_WAIT;
    if (row >= work_row(b, 0) && b->arrival[row - work_row(b, 0)] != NONE)
        return EDGE_PEER; /* the data of a collective, after its own arrival */
    return row >= call_row(b, 0) && row < work_row(b, 0) ? EDGE_CPU : EDGE_STREAM;
}

/* --- lags --- */

static double old_end(const struct builder *b, uint32_t place)
{
    uint32_t row = b->layout.rows[place];

    return (double)b->start[row] + (double)b->duration[row];
}

/* The call of the item had ended by then. Edges of an item lie together, and it has at most one of each kind but
 * those to peers. */
static bool submitted_by(const struct builder *b, const struct edge *g, double time)
{
    const struct edge *first = g;

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
static bool shows_latency(const struct builder *b, const struct edge *g)
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
static int find_usual(struct builder *b, struct err *e)
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
        const struct edge *g = &b->edges[k];
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
static void set_gap(const struct builder *b, double *gap, enum edge_kind kind, bool binding, bool typical)
{
    bool latency = kind != EDGE_CPU && kind != EDGE_HANDOVER && kind != EDGE_WAIT;

    if (binding ? typical && latency && *gap > 0 : *gap > b->usual[kind])
        *gap = b->usual[kind];
}

/* Chooses what held each item back, and sets the gaps of all edges. */
static void choose(struct builder *b, bool typical)
{
    struct layout *l = &b->layout;

    for (size_t i = 0, k = 0; i < b->count; i++) {
        size_t first = k, best = SIZE_MAX;
        enum edge_kind lane = lane_kind(b, (uint32_t)i);
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

static int make_edges(struct builder *b, bool typical, struct err *e)
{
    struct layout *l = &b->layout;

    if (call_edges(b, e) < 0 || work_edges(b, e) < 0)
        return -1;
    array_sort(b->edges, b->edge_count, sizeof *b->edges, compare_edges);
    drop_repeated(b);
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
static int cause(const struct builder *b, uint32_t i, size_t at, struct layout_link *out, enum edge_kind *kind)
{
    const struct layout *l = &b->layout;
    double latest = -INFINITY;
    int ret = -1;

    if (l->before[i] != NONE) {
        *out = (struct layout_link){i, l->before[i], l->shares[i], l->gaps[i]};
        latest = l->starts[out->from] + l->durations[out->from] * out->share + out->gap;
        *kind = lane_kind(b, i);
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

static void add_time(const struct builder *b, uint32_t place, double share, struct timeline_result *out)
{
    uint8_t kind = b->kind[b->layout.rows[place]];

    if (kind < TIMELINE_KINDS)
        out->path_ns[kind] += share * b->layout.durations[place];
}

/* Follows causes back from the item that ends last. */
static void follow_path(const struct builder *b, uint32_t i, double first, struct timeline_result *out)
{
    const struct layout *l = &b->layout;
    struct layout_link link;
    enum edge_kind kind = EDGE_CPU;
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

static void measure(struct builder *b, const struct timeline_options *o, struct timeline_result *out)
{
    struct layout *l = &b->layout;
    double first = INFINITY, last = -INFINITY, old_last = 0;
    uint32_t end = 0;

    for (size_t i = 0; i < b->count; i++) {
        uint8_t kind = b->kind[l->rows[i]];

        old_last = old_end(b, (uint32_t)i) > old_last ? old_end(b, (uint32_t)i) : old_last;
        l->durations[i] = (double)b->duration[l->rows[i]] * (kind < TIMELINE_KINDS ? o->factor[kind] : 1);
    }
    layout_place(l);
    for (uint32_t i = 0; i < b->count; i++) {
        first = l->starts[i] < first ? l->starts[i] : first;
        if (l->starts[i] + l->durations[i] > last) {
            last = l->starts[i] + l->durations[i];
            end = i;
        }
    }
    out->profiled_ns = old_last - (double)b->start[l->rows[0]];
    out->span_ns = last - first;
    follow_path(b, end, first, out);
}

static size_t count_collectives(const struct timeline *t)
{
    size_t n = 0;

    for (size_t i = 0; i < t->work_count; i++)
        n += t->works[i].kind == TIMELINE_COLLECTIVE;
    return n;
}

static void builder_release(struct builder *b)
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
                    struct err *e)
{
    struct builder b = {.t = t};
    int ret = -1;

    memset(out, 0, sizeof *out);
    if (!t->call_count || !t->work_count)
        return err_set(e, ERR_INVALID, "there are no calls of the CUDA API, or no work on a GPU");
    if (link_calls(&b, e) == 0 && find_groups(&b, e) == 0 && fill_rows(&b, e) == 0 &&
        make_edges(&b, o->typical, e) == 0) {
        measure(&b, o, out);
        out->collectives = count_collectives(t);
        out->linked = b.member_count;
        ret = 0;
    }
    builder_release(&b);
    return ret;
}
