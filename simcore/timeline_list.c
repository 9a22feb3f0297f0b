/* simcore/timeline_list.c: builds the streams of a list of items, and the order of the items in each. */
#include <stdlib.h>

#include "base/array.h"
#include "simcore/timeline_internal.h"

static int by_id(const void *a, const void *b)
{
    const struct stream *x = a, *y = b;

    return x->id < y->id ? -1 : x->id > y->id;
}

static int by_first_item(const void *a, const void *b)
{
    const struct stream *x = a, *y = b;

    return x->item < y->item ? -1 : x->item > y->item;
}

static struct stream *find_stream(struct timeline *t, uint64_t id)
{
    struct stream key = {.id = id};

    return bsearch(&key, t->streams, t->stream_count, sizeof key, by_id);
}

/* Makes one entry for each stream, sorted by its number. */
static int make_streams(struct timeline *t, struct err *e)
{
    size_t n = 0;

    t->streams = mem_zalloc(t->count + 1, sizeof *t->streams, e);
    t->next = t->streams ? mem_zalloc(t->count + 1, sizeof *t->next, e) : NULL;
    if (!t->next)
        return -1;
    for (size_t i = 0; i < t->count; i++) {
        uint64_t id = t->o->serial ? 0 : t->work[i].stream;

        if (n == 0 || t->streams[n - 1].id != id)
            t->streams[n++].id = id;
    }
    qsort(t->streams, n, sizeof *t->streams, by_id);
    for (size_t i = 0; i < n; i++)
        if (t->stream_count == 0 || t->streams[t->stream_count - 1].id != t->streams[i].id)
            t->streams[t->stream_count++] = t->streams[i];
    return 0;
}

/* The host submits the items in the order of the list; each submission takes some time. */
sim_time_ps timeline_submitted(const struct timeline *t, size_t item)
{
    return t->o->graph ? t->begin : t->begin + item * (sim_time_ps)t->sim->design->submit_ps;
}

int timeline_link(struct timeline *t, struct err *e)
{
    if (make_streams(t, e) < 0)
        return -1;
    for (size_t s = 0; s < t->stream_count; s++)
        t->streams[s].item = t->streams[s].last = t->count;
    for (size_t i = 0; i < t->count; i++) {
        struct stream *s = find_stream(t, t->o->serial ? 0 : t->work[i].stream);

        t->next[i] = t->count;
        if (s->item == t->count)
            s->item = i;
        else
            t->next[s->last] = i;
        s->last = i;
    }
    for (size_t s = 0; s < t->stream_count; s++)
        t->streams[s].at = timeline_submitted(t, t->streams[s].item);
    /* at equal times, the item that was submitted first has priority */
    qsort(t->streams, t->stream_count, sizeof *t->streams, by_first_item);
    return 0;
}
