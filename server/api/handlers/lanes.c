/* server/api/handlers/lanes.c: a timeline of the launches on each stream of a profile, at a given resolution. */
#include <stdlib.h>

#include "base/array.h"
#include "server/api/handlers/handlers.h"
#include "server/api/handlers/profiles.h"
#include "server/domain/import/profile_store.h"
#include "wire/json_writer.h"

#define COLUMNS     600
#define COLUMNS_MAX 2000
#define STREAMS_MAX 64 /* only the busiest streams are shown */

struct window {
    uint64_t from, to, columns; /* ns: from <= t < to */
};

/* One column of a stream: how long the stream was busy in it, and the kernel whose launch took most of the time. */
struct cell {
    uint64_t busy_ns, longest_ns;
    uint32_t kernel, launches; /* launches: those that begin in the column, or already run when the window begins */
};

struct lane {
    size_t stream; /* index into streams */
    uint64_t busy_ns, launches;
    struct cell *cells;
};

struct lanes {
    struct lane *items;
    struct cell *cells;
    size_t count, all; /* streams that are shown, and all streams that have launches in the window */
};

static void lanes_release(struct lanes *l)
{
    free(l->items);
    free(l->cells);
}

static uint64_t column_begin(const struct window *w, uint64_t column)
{
    uint64_t span = w->to - w->from;

    return w->from + span / w->columns * column + span % w->columns * column / w->columns;
}

/* Rounding may yield the column before or after the right one. The column bounds decide. */
static uint64_t column_of(const struct window *w, uint64_t at)
{
    uint64_t c = (uint64_t)((double)(at - w->from) / (double)(w->to - w->from) * (double)w->columns);

    c = c < w->columns ? c : w->columns - 1;
    while (c > 0 && at < column_begin(w, c))
        c--;
    while (c + 1 < w->columns && at >= column_begin(w, c + 1))
        c++;
    return c;
}

/* The part of launch i inside the window. false: no part is. A launch of zero length counts only in a column
 * that other launches keep busy. */
static bool part_of(const struct profile *p, const struct window *w, size_t i, uint64_t *from, uint64_t *to)
{
    uint64_t begin = (uint64_t)p->start_ns[i], end = begin + p->value[i];

    if (begin >= w->to || (end <= w->from && begin < w->from))
        return false;
    *from = begin > w->from ? begin : w->from;
    *to = end < w->to ? end : w->to;
    return true;
}

static void lane_add(struct lane *l, const struct window *w, uint32_t kernel, uint64_t from, uint64_t to)
{
    uint64_t column = column_of(w, from);

    l->cells[column].launches++;
    for (; column < w->columns && column_begin(w, column) < to; column++) {
        struct cell *c = &l->cells[column];
        uint64_t begin = column_begin(w, column), end = column_begin(w, column + 1);
        uint64_t part = (to < end ? to : end) - (from > begin ? from : begin);

        c->busy_ns += part;
        if (part > c->longest_ns || (part == c->longest_ns && kernel < c->kernel)) {
            c->longest_ns = part;
            c->kernel = kernel;
        }
    }
}

static int by_busy(const void *a, const void *b)
{
    const struct lane *x = a, *y = b;

    if (x->busy_ns != y->busy_ns)
        return x->busy_ns < y->busy_ns ? 1 : -1;
    return (x->stream > y->stream) - (x->stream < y->stream);
}

static int by_stream(const void *a, const void *b)
{
    const struct lane *x = a, *y = b;

    return (x->stream > y->stream) - (x->stream < y->stream);
}

/* Selects the busiest streams of the window, in the order of the profile. */
static int choose_streams(struct lanes *l, const struct profile *p, const struct window *w, struct err *e)
{
    uint64_t from, to;

    l->items = mem_zalloc(p->stream_count ? p->stream_count : 1, sizeof *l->items, e);
    if (!l->items)
        return -1;
    for (size_t s = 0; s < p->stream_count; s++)
        l->items[s].stream = s;
    for (size_t i = 0; i < p->count; i++) {
        if (!part_of(p, w, i, &from, &to))
            continue;
        l->items[p->stream[i]].busy_ns += to - from;
        l->items[p->stream[i]].launches++;
    }
    array_sort(l->items, p->stream_count, sizeof *l->items, by_busy);
    while (l->all < p->stream_count && l->items[l->all].launches > 0)
        l->all++;
    l->count = l->all < STREAMS_MAX ? l->all : STREAMS_MAX;
    array_sort(l->items, l->count, sizeof *l->items, by_stream);
    return 0;
}

static int lanes_make(struct lanes *l, const struct profile *p, const struct window *w, struct err *e)
{
    size_t *place =
        mem_zalloc(p->stream_count ? p->stream_count : 1, sizeof *place, e); /* 0: not shown, otherwise 1 + index */
    uint64_t from, to;
    int ret = place ? choose_streams(l, p, w, e) : -1;

    if (ret == 0)
        l->cells = mem_zalloc(l->count ? l->count * w->columns : 1, sizeof *l->cells, e);
    if (ret == 0 && !l->cells)
        ret = -1;
    for (size_t i = 0; ret == 0 && i < l->count; i++) {
        l->items[i].cells = l->cells + i * w->columns;
        place[l->items[i].stream] = i + 1;
    }
    for (size_t i = 0; ret == 0 && i < p->count; i++)
        if (place[p->stream[i]] > 0 && part_of(p, w, i, &from, &to))
            lane_add(&l->items[place[p->stream[i]] - 1], w, p->kernel[i], from, to);
    free(place);
    return ret;
}

/* Adjacent columns with the same kernel are merged into one interval. */
static void write_stretches(struct jw *out, const struct lane *l, const struct profile *p, const struct window *w)
{
    const struct profile_stream *s = &p->streams[l->stream];

    for (uint64_t c = 0, end; c < w->columns; c = end) {
        uint64_t busy = 0, launches = 0;

        for (end = c; end < w->columns && l->cells[end].busy_ns > 0 && l->cells[end].kernel == l->cells[c].kernel;
             end++) {
            busy += l->cells[end].busy_ns;
            launches += l->cells[end].launches;
        }
        if (end == c) {
            end++;
            continue;
        }
        jw_object_inline(out);
        jw_key_u64(out, "device",
                   (uint64_t)(p->contexts[s->context].device > 0 ? p->contexts[s->context].device : 0));
        jw_key_u64(out, "context", s->context);
        jw_key_u64(out, "stream", s->stream);
        jw_key_u64(out, "from_ns", column_begin(w, c));
        jw_key_u64(out, "to_ns", column_begin(w, end));
        jw_key_u64(out, "busy_ns", busy);
        jw_key_u64(out, "launches", launches);
        jw_key_u64(out, "kernel", l->cells[c].kernel);
        jw_key_text(out, "name", p->kernels[l->cells[c].kernel].name);
        jw_end(out, '}');
    }
}

static int answer(const struct lanes *l, const struct profile *p, const struct window *w, struct reply *rep,
                  struct err *e)
{
    struct jw out;

    jw_init(&out, NULL, NULL, e);
    jw_object(&out);
    jw_key_u64(&out, "from_ns", w->from);
    jw_key_u64(&out, "to_ns", w->to);
    jw_key_u64(&out, "streams", l->all);
    jw_key(&out, "items");
    jw_array(&out);
    for (size_t i = 0; i < l->count; i++)
        write_stretches(&out, &l->items[i], p, w);
    jw_end(&out, ']');
    jw_end(&out, '}');
    return reply_written(rep, 200, &out, e);
}

/* The time at which the last launch ends. */
static uint64_t end_of(const struct profile *p)
{
    uint64_t end = 1;

    for (size_t i = 0; i < p->count; i++)
        if ((uint64_t)p->start_ns[i] + p->value[i] > end)
            end = (uint64_t)p->start_ns[i] + p->value[i];
    return end;
}

/* GET /profiles/{profile}/lanes?from_ns&to_ns&columns */
int profile_lanes_get(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    struct lanes l = {0};
    struct profile p;
    struct window w;
    uint64_t span, end;
    int ret = -1;

    (void)app;
    profile_init(&p);
    if (request_query_u64(req, "from_ns", 0, INT64_MAX, 0, &w.from, e) < 0 ||
        request_query_u64(req, "to_ns", 1, INT64_MAX, INT64_MAX, &w.to, e) < 0 ||
        request_query_u64(req, "columns", 1, COLUMNS_MAX, COLUMNS, &w.columns, e) < 0 ||
        need_profile(db, req, e) < 0 || profile_load(db, req->param[0], &p, e) < 0)
        goto out;
    if (!p.start_ns || p.unit != PROFILE_NS) {
        err_set(e, ERR_NOT_FOUND, "this profile has no start times of its launches");
        err_hint(e, "Reports of Nsight Systems and of the PyTorch profiler have them.");
        goto out;
    }
    end = end_of(&p);
    w.to = w.to < end ? w.to : end;
    span = w.to > w.from ? w.to - w.from : 0;
    if (span == 0) {
        err_set(e, ERR_INVALID, "no launch runs between `from_ns` and `to_ns`");
        goto out;
    }
    if (w.columns > span)
        w.columns = span; /* a column covers at least one nanosecond */
    if (lanes_make(&l, &p, &w, e) == 0)
        ret = answer(&l, &p, &w, rep, e);
out:
    lanes_release(&l);
    profile_release(&p);
    return ret;
}
