#include "simcore/sm/fetch.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

static int cache_init(struct code_cache *c, uint32_t lines, struct err *e)
{
    size_t places;

    c->sets = lines > FETCH_WAYS ? lines / FETCH_WAYS : 1;
    places = (size_t)c->sets * FETCH_WAYS;
    c->tag = mem_zalloc(places, sizeof *c->tag, e);
    c->used = mem_zalloc(places, sizeof *c->used, e);
    c->ready = mem_zalloc(places, sizeof *c->ready, e);
    return c->tag && c->used && c->ready ? 0 : -1;
}

static void cache_release(struct code_cache *c)
{
    free(c->tag);
    free(c->used);
    free(c->ready);
    memset(c, 0, sizeof *c);
}

/* Finds a line. Returns its entry, or with *hit false the entry to replace. */
static size_t cache_find(struct code_cache *c, uint32_t line, bool *hit)
{
    size_t first = (size_t)(line % c->sets) * FETCH_WAYS, victim = first;
    uint32_t now = ++c->clock, most = 0;

    for (size_t i = first; i < first + FETCH_WAYS; i++) {
        uint32_t age = c->tag[i] ? now - c->used[i] : UINT32_MAX;

        if (c->tag[i] == line) {
            c->used[i] = now;
            *hit = true;
            return i;
        }
        victim = age > most ? i : victim;
        most = age > most ? age : most;
    }
    c->tag[victim] = line;
    c->used[victim] = now;
    *hit = false;
    return victim;
}

int fetch_init(struct fetch *f, const struct gpu_design *d, struct err *e)
{
    uint32_t line_bytes = 1u << FETCH_LINE_SHIFT;

    memset(f, 0, sizeof *f);
    if (d->model.fetch == FETCH_IDEAL)
        return 0;
    while (line_bytes << (f->l1_shift + 1) <= d->fetch_l1_line)
        f->l1_shift++;
    if (cache_init(&f->l1, d->fetch_l1_bytes / line_bytes >> f->l1_shift, e) < 0)
        return -1;
    for (uint32_t s = 0; s < SUB_CORES; s++)
        if (cache_init(&f->l0[s], d->fetch_l0_bytes / line_bytes, e) < 0)
            return -1;
    return 0;
}

void fetch_release(struct fetch *f)
{
    cache_release(&f->l1);
    for (uint32_t s = 0; s < SUB_CORES; s++)
        cache_release(&f->l0[s]);
}

static void cache_clear(struct code_cache *c)
{
    if (c->tag)
        memset(c->tag, 0, (size_t)c->sets * FETCH_WAYS * sizeof *c->tag);
    c->clock = 0;
}

void fetch_begin(struct fetch *f)
{
    cache_clear(&f->l1);
    for (uint32_t s = 0; s < SUB_CORES; s++)
        cache_clear(&f->l0[s]);
    memset(f->stream, 0, sizeof f->stream);
    f->l1_free = 0;
}

/* Looks up a line in L1 at t. Returns when the line arrives at the sub-core. */
static uint32_t from_l1(struct fetch *f, const struct gpu_design *d, uint32_t line, uint32_t t, struct counters *c)
{
    uint32_t back = t + d->fetch_l1_latency;
    bool hit;
    size_t i = cache_find(&f->l1, ((line - 1) >> f->l1_shift) + 1, &hit);

    if (!hit) {
        c->fetch_l1_misses++;
        f->l1.ready[i] = t + d->l2_latency;
    }
    return f->l1.ready[i] > back ? f->l1.ready[i] : back;
}

/* Makes the stream buffer hold the lines after `line`. Lines already present stay; the rest is requested from t on.
 * These prefetches do not occupy the port: demand requests of other sub-cores have priority. */
static void stream_follow(struct fetch *f, const struct gpu_design *d, uint32_t sub, uint32_t line, uint32_t t,
                          struct counters *c)
{
    struct stream_buffer *b = &f->stream[sub];
    uint32_t skip = line + 1 - b->first;

    if (skip <= b->count) {
        memmove(b->ready, b->ready + skip, (b->count - skip) * sizeof *b->ready);
        b->count -= skip;
    } else {
        b->count = 0;
    }
    b->first = line + 1;
    for (; b->count < d->fetch_stream; t += d->fetch_l1_interval) {
        b->ready[b->count] = from_l1(f, d, b->first + b->count, t, c);
        b->count++;
    }
}

uint32_t fetch_line(struct fetch *f, const struct gpu_design *d, uint32_t sub, uint32_t line, uint32_t t,
                    struct counters *c)
{
    struct code_cache *l0 = &f->l0[sub];
    struct stream_buffer *b = &f->stream[sub];
    bool hit;
    size_t i = cache_find(l0, line, &hit);

    if (!hit && line - b->first < b->count) {
        c->fetch_l0_prefetched++;
        l0->ready[i] = b->ready[line - b->first];
        stream_follow(f, d, sub, line, t, c);
    } else if (!hit) {
        uint32_t start = t > f->l1_free ? t : f->l1_free;

        c->fetch_l0_misses++;
        f->l1_free = start + d->fetch_l1_interval;
        l0->ready[i] = from_l1(f, d, line, start, c);
        b->count = 0;
        /* The stream buffer starts when the line arrives. So a single warp in straight-line code runs through the
         * lines that arrived together and then waits once more (github sjfeng1999/gpu-arch-microbenchmark, register
         * bank conflicts). */
        stream_follow(f, d, sub, line, l0->ready[i], c);
    }
    return l0->ready[i] > t ? l0->ready[i] : t;
}

static void cache_rebase(struct code_cache *c, uint32_t cycles)
{
    for (size_t i = 0; i < (size_t)c->sets * FETCH_WAYS; i++)
        c->ready[i] = c->ready[i] > cycles ? c->ready[i] - cycles : 0;
}

void fetch_rebase(struct fetch *f, uint32_t cycles)
{
    cache_rebase(&f->l1, cycles);
    for (uint32_t s = 0; s < SUB_CORES; s++) {
        struct stream_buffer *b = &f->stream[s];

        cache_rebase(&f->l0[s], cycles);
        for (uint32_t i = 0; i < b->count; i++)
            b->ready[i] = b->ready[i] > cycles ? b->ready[i] - cycles : 0;
    }
    f->l1_free = f->l1_free > cycles ? f->l1_free - cycles : 0;
}
