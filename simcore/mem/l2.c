#include "simcore/mem/l2.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

enum { HOST_LINE = 64, WORD = 8 };

static size_t round_up(size_t n, size_t to)
{
    return (n + to - 1) / to * to;
}

int l2_init(struct l2 *c, const struct gpu_design *d, struct err *e)
{
    size_t sets, bytes;

    memset(c, 0, sizeof *c);
    c->slices = d->l2_slices;
    c->ways = d->l2_ways;
    c->dirty_ways = (c->ways * d->l2_dirty_65536) >> 16;
    c->dirty_ways = c->dirty_ways ? c->dirty_ways : 1;
    c->fetch_sectors = d->l2_fetch_bytes / SECTOR_BYTES;
    c->sets = d->l2_bytes / d->l2_slices / LINE_BYTES / d->l2_ways;
    c->marks = (uint32_t)round_up(c->ways, WORD);
    c->set_bytes = (uint32_t)round_up(sizeof(struct l2_set) + 2 * (size_t)c->marks, HOST_LINE);
    sets = (size_t)c->slices * c->sets;
    bytes = sets * c->set_bytes;
    c->set = aligned_alloc(HOST_LINE, bytes);
    if (!c->set)
        return err_set(e, ERR_NO_MEMORY, "out of memory: %zu bytes for the sets of an L2", bytes);
    memset(c->set, 0, bytes);
    c->lines = mem_zalloc(sets * c->ways, sizeof *c->lines, e);
    if (c->lines)
        return 0;
    l2_release(c);
    return -1;
}

void l2_release(struct l2 *c)
{
    free(c->set);
    free(c->lines);
    memset(c, 0, sizeof *c);
}

/* What a set keeps of a line's number. */
static uint8_t mark_of(uint64_t line)
{
    return (uint8_t)((line * 0x9e3779b97f4a7c15ull) >> 56);
}

/* The way that holds a line; `ways` if none does. Eight marks are compared at a time: a byte of `zero` has its top
 * bit set where the marks agree (and perhaps in a byte above, which the line's number then refutes). */
static uint32_t find_way(const struct l2 *c, const struct l2_set *s, const struct l2_line *lines, uint64_t line)
{
    const uint64_t ones = 0x0101010101010101ull;

    for (uint32_t from = 0; from < s->filled; from += WORD) {
        uint64_t word, zero;

        memcpy(&word, s->way + c->marks + from, WORD);
        word = le64toh(word) ^ ones * mark_of(line);
        for (zero = (word - ones) & ~word & ones << 7; zero; zero &= zero - 1) {
            uint32_t w = from + (uint32_t)__builtin_ctzll(zero) / 8;

            if (w < s->filled && lines[w].number == line)
                return w;
        }
    }
    return c->ways;
}

/* Way w is the newest; it was at this place in the order. */
static void move_to_front(struct l2_set *s, uint32_t place, uint32_t w)
{
    memmove(s->way + 1, s->way, place);
    s->way[0] = (uint8_t)w;
}

/* The next way in turn while there are empty ones, else the one not used for longest. */
static uint32_t take_way(const struct l2 *c, struct l2_set *s, struct l2_line *lines, struct l2_lookup *out)
{
    uint32_t w = s->filled < c->ways ? s->filled : s->way[c->ways - 1];

    if (s->filled < c->ways) {
        s->filled++;
    } else {
        out->evicted = lines[w].number;
        out->evicted_dirty = lines[w].dirty;
        s->dirty = (uint16_t)(s->dirty - (lines[w].dirty != 0));
    }
    move_to_front(s, s->filled - 1, w);
    return w;
}

void l2_find(struct l2 *c, uint32_t slice, uint32_t set, uint64_t line, struct l2_lookup *out)
{
    size_t index = (size_t)slice * c->sets + set, first = index * c->ways;
    struct l2_set *s = (struct l2_set *)(void *)(c->set + index * c->set_bytes);
    struct l2_line *lines = c->lines + first;
    uint32_t w, place = 0;

    if (s->epoch != c->epoch) {
        s->epoch = c->epoch;
        s->filled = s->dirty = 0;
    }
    *out = (struct l2_lookup){0};
    w = find_way(c, s, lines, line);
    out->present = w < c->ways;
    if (out->present) {
        while (s->way[place] != w)
            place++;
        move_to_front(s, place, w);
    } else {
        w = take_way(c, s, lines, out);
        s->way[c->marks + w] = mark_of(line);
        lines[w] = (struct l2_line){.number = line};
    }
    out->line = first + w;
}

void l2_change(struct l2 *c, uint32_t slice, uint32_t set, size_t line, uint8_t sectors, struct l2_lookup *out)
{
    size_t index = (size_t)slice * c->sets + set;
    struct l2_set *s = (struct l2_set *)(void *)(c->set + index * c->set_bytes);
    struct l2_line *lines = c->lines + index * c->ways;
    uint32_t at = s->filled;

    if (!c->lines[line].dirty && ++s->dirty > c->dirty_ways) {
        do {
            at--;
        } while (!lines[s->way[at]].dirty);
        out->evicted = lines[s->way[at]].number;
        out->evicted_dirty = lines[s->way[at]].dirty;
        lines[s->way[at]].dirty = 0;
        s->dirty--;
    }
    c->lines[line].dirty |= sectors;
}

size_t l2_peek(const struct l2 *c, uint32_t slice, uint32_t set, uint64_t line)
{
    size_t index = (size_t)slice * c->sets + set, first = index * c->ways;
    const struct l2_set *s = (const struct l2_set *)(const void *)(c->set + index * c->set_bytes);
    uint32_t w = s->epoch == c->epoch ? find_way(c, s, c->lines + first, line) : c->ways;

    return w < c->ways ? first + w : L2_ABSENT;
}

void l2_prefetch_way(const struct l2 *c, uint32_t slice, uint32_t set)
{
    size_t index = (size_t)slice * c->sets + set;
    const struct l2_set *s = (const struct l2_set *)(const void *)(c->set + index * c->set_bytes);

    __builtin_prefetch(&c->lines[index * c->ways + s->way[c->ways - 1]], 1);
}
