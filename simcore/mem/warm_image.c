/* simcore/mem/warm_image.c: loads a warm image into an L2.
 *
 *
 * A line is in the L2 if the number of distinct lines of its set that were touched since its last touch is smaller
 * than the number of ways. Far below the capacity no set is full, and all lines are there. Near the capacity some
 * sets are full earlier than others. Then the runs of the image contain the other touched lines, and each set is
 * counted (Hill and Smith, "Evaluating associativity in CPU caches", IEEE Transactions on Computers 38(12), 1989).
 *
 * Without runs, and if the L2 has two partitions, the limit is the capacity, as in a fully associative cache.
 *
 * Lines that the launch does not touch take places. If the launch evicts its own lines, filler lines take these
 * places in the order of use. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "simcore/mem/memory_internal.h"
#include "simcore/mem/warm.h"

/* Filler lines: above all addresses, including those of local memory. */
#define OTHER_LINES (1ull << 56)
/* A launch that touches less than 1 / LARGE of the L2 evicts only lines of other launches, never its own. */
enum { LARGE = 8 };

/* A line of the image with its depth. */
struct placed {
    uint32_t depth, at;
};

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

/* --- set by set --- */

/* The lines touched since, from the top of the stack down. */
struct descent {
    const struct warming *w;
    uint32_t *lines; /* number of lines of each set of each slice so far */
    size_t run;
    uint64_t at, end; /* the next line of the run, and the run's end */
    size_t own;       /* index of the launch's first line from `at` on */
};

static uint32_t set_index(const struct l2 *c, uint32_t slice, uint32_t set)
{
    return slice * c->sets + set;
}

static void count_lines(const struct descent *d, uint64_t line, uint64_t n)
{
    const struct l2 *c = &d->w->m->l2;
    uint64_t lines[ADDRESS_PLACES_MAX] = {0};
    struct address_places places;

    for (uint64_t i = 0; i < n; i += ADDRESS_PLACES_MAX) {
        uint32_t some = n - i < ADDRESS_PLACES_MAX ? (uint32_t)(n - i) : ADDRESS_PLACES_MAX;

        for (uint32_t k = 0; k < some; k++)
            lines[k] = line + i + k;
        address_locate_lines(&d->w->m->map, lines, some, &places);
        for (uint32_t k = 0; k < some; k++)
            d->lines[set_index(c, places.slice[k], places.set[k])]++;
    }
}

/* The index of the launch's first line from this number on. */
static size_t first_own(const struct warm_image *image, uint64_t line)
{
    size_t low = 0, high = image->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (image->line[middle].line < line)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void next_run(struct descent *d)
{
    const struct warm_image *image = d->w->image;

    d->at = image->run[d->run].line;
    d->end = d->at + image->run[d->run].count;
    d->own = first_own(image, d->at);
    d->run++;
}

/* Counts the next n lines that are not the launch's own; fewer if the runs end. */
static void descend(struct descent *d, uint64_t n)
{
    const struct warm_image *image = d->w->image;

    while (n > 0 && (d->at < d->end || d->run < image->run_count)) {
        uint64_t to, some;

        if (d->at == d->end)
            next_run(d);
        to = d->own < image->count && image->line[d->own].line < d->end ? image->line[d->own].line : d->end;
        some = to - d->at < n ? to - d->at : n;
        count_lines(d, d->at, some);
        d->at += some;
        n -= some;
        if (d->at == to && to < d->end) {
            d->at++;
            d->own++;
        }
    }
}

/* A line that the L2 holds, and the number of lines in its set that were touched later. */
struct survivor {
    uint32_t at, slice, set, index, above;
};

/* Finds the lines that the L2 holds, the last touched first. The search ends at a depth of twice the capacity. */
static size_t find_survivors(struct descent *d, const struct placed *line, struct survivor *out)
{
    const struct l2 *c = &d->w->m->l2;
    const struct warm_image *image = d->w->image;
    size_t found = 0;
    uint64_t others = 0;

    for (size_t i = image->count; i-- > 0 && line[i].depth < 2 * d->w->most;) {
        uint64_t before = line[i].depth - (image->count - 1 - i); /* lines of others that were touched later */
        struct address_place p;
        uint32_t index;

        if (before > others) {
            descend(d, before - others);
            others = before;
        }
        address_locate(&d->w->m->map, image->line[line[i].at].line, &p);
        index = set_index(c, p.slice, p.set);
        if (d->lines[index] < c->ways)
            out[found++] = (struct survivor){line[i].at, p.slice, p.set, index, d->lines[index]};
        d->lines[index]++;
    }
    return found;
}

/* Puts n fillers into the set of s. */
static void put_fillers(struct memory *m, const struct survivor *s, uint32_t n, uint64_t *filler)
{
    struct l2_lookup found;

    for (; n > 0; n--) {
        uint64_t line = OTHER_LINES + (*filler)++;

        l2_find(&m->l2, s->slice, s->set, line, tag_mark(line), &found);
    }
}

/* above: for each set, the number of lines still to be put above those that are there. All zero at first. */
static void put_survivors(const struct warming *w, const struct survivor *s, size_t n, uint32_t *above)
{
    uint64_t filler = 0;

    for (size_t i = n; i-- > 0;) {
        if (above[s[i].index])
            put_fillers(w->m, &s[i], above[s[i].index] - s[i].above - 1, &filler);
        put_line(w, &w->image->line[s[i].at]);
        above[s[i].index] = s[i].above;
    }
    for (size_t i = n; i-- > 0;) {
        put_fillers(w->m, &s[i], above[s[i].index], &filler);
        above[s[i].index] = 0;
    }
    memory_warm_end(w->m);
}

/* line: the lines of the image, the deepest first. */
static int put_by_set(const struct warming *w, const struct placed *line, struct err *e)
{
    size_t sets = (size_t)w->m->l2.slices * w->m->l2.sets;
    struct descent d = {.w = w, .lines = mem_zalloc(sets, sizeof *d.lines, e)};
    struct survivor *s = d.lines ? mem_zalloc(w->image->count + 1, sizeof *s, e) : NULL;

    if (s) {
        size_t n = find_survivors(&d, line, s);

        memset(d.lines, 0, sets * sizeof *d.lines);
        put_survivors(w, s, n, d.lines);
    }
    free(d.lines);
    free(s);
    return s ? 0 : -1;
}

/* --- the whole image --- */

/* Below half of the capacity no set is full, unless the launch itself fills it. */
static bool is_counted(const struct warming *w, const struct placed *line)
{
    return w->image->run_count && w->m->noc.partitions == 1 && (w->crowded || line[0].depth >= w->most / 2);
}

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
    int ret = 0;

    if (!line)
        return -1;
    for (size_t i = 0; i < image->count; i++)
        line[i] = (struct placed){image->line[i].depth, (uint32_t)i};
    qsort(line, image->count, sizeof *line, by_depth);
    find_partitions(&w);
    find_room(&w);
    if (is_counted(&w, line))
        ret = put_by_set(&w, line, e);
    else
        put_all(&w, line);
    free(line);
    return ret;
}
