/* sampling/time/timeline_links.c: finds in a report what each item depended on: the work that calls wait for,
 * collectives of several GPUs, work on other streams, other threads. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "sampling/time/timeline_internal.h"

/* Assumptions where a report has no data. */
#define HANDOVER_NS                                                                                                \
    1000000             /* a thread without calls for so long, while others of its process call, waits for them */
#define RELEASES_MAX 64 /* pieces of work before another one that may have released it */

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
static uint32_t last_on(const struct timeline_builder *b, const struct timeline_call *c, const struct chains *x,
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

static uint32_t last_work(const struct timeline_builder *b, const struct timeline_call *c, const struct chains *x)
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

static void find_waits(struct timeline_builder *b, struct chains *x)
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

int timeline_link_calls(struct timeline_builder *b, struct err *e)
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
static void add_group(struct timeline_builder *b, uint32_t *const *of, size_t k)
{
    const struct timeline *t = b->t;
    struct timeline_group g = {.first = b->member_count};
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

int timeline_find_groups(struct timeline_builder *b, struct err *e)
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

/* --- edges --- */

static int add_edge(struct timeline_builder *b, uint32_t row, uint32_t from, enum timeline_edge_kind kind,
                    struct err *e)
{
    if (b->place[from] >= b->place[row]) /* clocks of CPU and GPU differ a little: it cannot have held it back */
        return 0;
    if (array_reserve((void **)&b->edges, &b->edge_capacity, b->edge_count + 1, sizeof *b->edges, e) < 0)
        return -1;
    b->edges[b->edge_count++] = (struct timeline_edge){b->place[row], b->place[from], kind};
    return 0;
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

static int release_edges(struct timeline_builder *b, struct err *e)
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
static int handover_edge(struct timeline_builder *b, size_t call, uint32_t before, struct err *e)
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

static int call_edges(struct timeline_builder *b, struct err *e)
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

static int work_edges(struct timeline_builder *b, struct err *e)
{
    for (size_t i = 0; i < b->t->work_count; i++)
        if (b->t->works[i].call != NONE &&
            add_edge(b, entry_row(b, i), call_row(b, b->t->works[i].call), EDGE_CALL, e) < 0)
            return -1;
    for (size_t k = 0; k < b->group_count; k++) {
        const struct timeline_group *g = &b->groups[k];

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
    const struct timeline_edge *x = a, *y = b;

    if (x->row != y->row)
        return x->row < y->row ? -1 : 1;
    return x->from != y->from ? x->from < y->from ? -1 : 1 : (int)x->kind - (int)y->kind;
}

/* Several waits of a stream before one kernel give the same edge. */
static void drop_repeated(struct timeline_builder *b)
{
    size_t kept = 0;

    for (size_t k = 0; k < b->edge_count; k++)
        if (!kept || compare_edges(&b->edges[k], &b->edges[kept - 1]) != 0)
            b->edges[kept++] = b->edges[k];
    b->edge_count = kept;
}

int timeline_find_edges(struct timeline_builder *b, struct err *e)
{
    if (call_edges(b, e) < 0 || work_edges(b, e) < 0)
        return -1;
    array_sort(b->edges, b->edge_count, sizeof *b->edges, compare_edges);
    drop_repeated(b);
    return 0;
}

enum timeline_edge_kind timeline_lane_kind(const struct timeline_builder *b, uint32_t place)
{
    uint32_t row = b->layout.rows[place];

    if (row >= work_row(b, b->t->work_count))
        return EDGE_WAIT;
    if (row >= work_row(b, 0) && b->arrival[row - work_row(b, 0)] != NONE)
        return EDGE_PEER; /* the data of a collective, after its own arrival */
    return row >= call_row(b, 0) && row < work_row(b, 0) ? EDGE_CPU : EDGE_STREAM;
}
