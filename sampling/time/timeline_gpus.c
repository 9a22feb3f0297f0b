/* sampling/time/timeline_gpus.c: what each GPU does over a re-timed run: kernels, communication that no kernel
 * hides, nothing. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "sampling/time/timeline_internal.h"

/* What occupies a GPU, the first one that applies counts. */
enum activity { ACTIVE_KERNELS, ACTIVE_TRANSFER, ACTIVE_WAIT, ACTIVITIES };

/* An activity of a GPU begins (+1) or ends (-1). */
struct change {
    double time;
    uint32_t gpu;
    int activity, by;
};

struct changes {
    struct change *items;
    size_t count;
};

static void add_interval(struct changes *c, uint32_t gpu, enum activity a, double from, double to)
{
    if (to <= from)
        return;
    c->items[c->count++] = (struct change){from, gpu, (int)a, 1};
    c->items[c->count++] = (struct change){to, gpu, (int)a, -1};
}

static int compare_changes(const void *a, const void *b)
{
    const struct change *x = a, *y = b;

    if (x->gpu != y->gpu)
        return x->gpu < y->gpu ? -1 : 1;
    return (x->time > y->time) - (x->time < y->time);
}

static void find_changes(const struct timeline_builder *b, struct changes *c)
{
    const struct layout *l = &b->layout;

    for (size_t i = 0; i < b->t->work_count; i++) {
        const struct timeline_work *w = &b->t->works[i];
        uint32_t place = b->place[work_row(b, i)];
        bool moves = w->kind == TIMELINE_COLLECTIVE || w->kind == TIMELINE_COPY;

        add_interval(c, w->gpu, moves ? ACTIVE_TRANSFER : ACTIVE_KERNELS, l->starts[place],
                     l->starts[place] + l->durations[place]);
        if (b->arrival[i] != NONE)
            add_interval(c, w->gpu, ACTIVE_WAIT, l->starts[b->place[b->arrival[i]]], l->starts[place]);
    }
    array_sort(c->items, c->count, sizeof *c->items, compare_changes);
}

static void add_time(struct timeline_gpu *g, const int active[ACTIVITIES], double ns)
{
    if (active[ACTIVE_KERNELS])
        g->kernels_ns += ns;
    else if (active[ACTIVE_TRANSFER])
        g->transfer_ns += ns;
    else if (active[ACTIVE_WAIT])
        g->wait_ns += ns;
}

int timeline_measure_gpus(const struct timeline_builder *b, double first, double last, struct timeline_gpu *out,
                          struct err *e)
{
    struct changes c = {mem_zalloc(b->t->work_count, 4 * sizeof *c.items, e), 0};

    if (!c.items)
        return -1;
    memset(out, 0, b->t->gpus * sizeof *out);
    find_changes(b, &c);
    for (size_t i = 0; i < c.count;) {
        int active[ACTIVITIES] = {0};
        uint32_t gpu = c.items[i].gpu;

        for (; i < c.count && c.items[i].gpu == gpu; i++) {
            active[c.items[i].activity] += c.items[i].by;
            if (i + 1 < c.count && c.items[i + 1].gpu == gpu)
                add_time(&out[gpu], active, c.items[i + 1].time - c.items[i].time);
        }
    }
    for (uint32_t gpu = 0; gpu < b->t->gpus; gpu++)
        out[gpu].idle_ns = last - first - out[gpu].kernels_ns - out[gpu].transfer_ns - out[gpu].wait_ns;
    free(c.items);
    return 0;
}
