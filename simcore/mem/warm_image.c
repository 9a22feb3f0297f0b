/* simcore/mem/warm_image.c: loads a warm image into an L2.
 *
 *
 * A line is in the L2 if the number of distinct lines touched since its last touch is smaller than the capacity.
 * Contiguous buffers fill the sets evenly, so the capacity limit is as sharp as in a fully associative cache. Lines
 * that the launch does not touch matter only if the launch touches a large part of the L2 and so evicts its own
 * lines. For such a launch, filler lines take their places in the order of use. */
#include <stdlib.h>

#include "base/array.h"
#include "simcore/mem/memory_internal.h"
#include "simcore/mem/warm.h"

/* Filler lines: above all addresses, including those of local memory. */
#define OTHER_LINES (1ull << 56)
/* A launch that touches less than 1 / LARGE of the L2 evicts only lines of other launches, never its own. */
enum { LARGE = 8 };

/* State while an image is loaded. */
struct warming {
    struct memory *m;
    const struct warm_image *image;
    uint32_t sm_of[2];     /* one SM of each partition */
    uint8_t readers_of[2]; /* the `readers` bits of its CTAs */
    uint64_t most;         /* capacity in lines, without copies in the other partition */
    bool crowded;          /* lines of the launch itself will be evicted */
};

/* --- lines of the launch --- */

static void warm_image_ask(const struct warming *w, const struct warm_line *x, enum mem_kind kind, uint8_t sectors,
                           uint32_t sm)
{
    const struct mem_request r = {.line = x->line,
                                  .sectors = sectors,
                                  .full = (uint8_t)(kind == MEM_WRITE ? sectors & ~x->partial : 0),
                                  .kind = (uint8_t)kind,
                                  .sm = (uint16_t)sm};

    if (sectors)
        memory_warm(w->m, &r);
}

static void put_line(const struct warming *w, const struct warm_line *x)
{
    uint32_t sm = x->cta % w->m->noc.sms;

    uint8_t whole = (uint8_t)(x->valid & ~x->partial);

    warm_image_ask(w, x, MEM_WRITE, x->dirty, sm);
    if (!x->readers) /* sectors were read before other sectors of the line were written */
        warm_image_ask(w, x, MEM_READ, (uint8_t)(whole & ~x->dirty), sm);
    for (uint32_t p = 0; p < w->m->noc.partitions; p++)
        if (x->readers & w->readers_of[p])
            warm_image_ask(w, x, MEM_READ, whole, w->sm_of[p]);
}

/* Not modified: an L2 cleans old lines before it is full of modified ones. */
static void put_other(const struct warming *w, uint64_t depth)
{
    memory_warm_dma(w->m, (OTHER_LINES + depth) << LINE_SHIFT, LINE_BYTES, false);
}

/* --- the whole image --- */

static void find_partitions(struct warming *w)
{
    const struct noc *noc = &w->m->noc;

    for (uint32_t sm = noc->sms; sm-- > 0;)
        w->sm_of[noc_partition(noc, sm)] = sm;
    for (uint32_t bit = 0; bit < 8; bit++)
        w->readers_of[noc_partition(noc, bit % noc->sms)] |= (uint8_t)(1u << bit);
}

/* A line read by both partitions takes two places; lines read by one take three places for two lines. */
static void find_room(struct warming *w)
{
    const struct l2 *c = &w->m->l2;
    const struct warm_image *image = w->image;
    uint64_t places = (uint64_t)c->slices * c->sets * c->ways, halves = 0;

    for (size_t i = 0; i < image->count && w->m->noc.partitions > 1; i++)
        for (uint32_t p = 0; p < 2; p++)
            halves += (image->line[i].readers & w->readers_of[p]) != 0;
    w->most = halves ? (uint64_t)((double)places / (1 + (double)halves / 2 / (double)image->count)) : places;
    w->crowded = image->lines + image->own > w->most && image->own > w->most / LARGE;
}

/* A line of the image with its depth. */
struct placed {
    uint32_t depth, at;
};

/* Compares by depth, deepest first. */
static int by_depth(const void *a, const void *b)
{
    const struct placed *x = a, *y = b;

    return (x->depth < y->depth) - (x->depth > y->depth);
}

static void put_all(const struct warming *w, const struct placed *line)
{
    size_t next = 0, count = w->image->count;
    uint64_t depth = w->image->lines < w->most ? w->image->lines : w->most;

    while (next < count && line[next].depth >= depth)
        next++;
    while (depth > 0 && (w->crowded || next < count)) {
        depth--;
        if (next < count && line[next].depth == depth)
            put_line(w, &w->image->line[line[next++].at]);
        else if (w->crowded)
            put_other(w, depth);
        else
            depth = line[next].depth + 1ull;
    }
    memory_warm_end(w->m);
}

int memory_warm_image(struct memory *m, const struct warm_image *image, struct err *e)
{
    struct placed *line = mem_zalloc(image->count + 1, sizeof *line, e);
    struct warming w = {.m = m, .image = image};

    if (!line)
        return -1;
    for (size_t i = 0; i < image->count; i++)
        line[i] = (struct placed){image->line[i].depth, (uint32_t)i};
    qsort(line, image->count, sizeof *line, by_depth);
    find_partitions(&w);
    find_room(&w);
    put_all(&w, line);
    free(line);
    return 0;
}
