#include "simcore/mem/tag_set.h"

_Static_assert(offsetof(struct tag_set, mark) + (size_t)2 * TAG_USUAL <= TAG_USUAL_BYTES, "marks and order fit");
_Static_assert(offsetof(struct tag_set, mark) + TAG_SMALL <= TAG_USUAL_BYTES, "the compared bytes are in the set");

static uint32_t round_up(uint32_t n, uint32_t to)
{
    return (n + to - 1) / to * to;
}

/* The layout of sets with this number of ways. */
static struct tag_sets shape_of(uint32_t sets, uint32_t ways)
{
    struct tag_sets t = {.sets = sets, .ways = ways, .epoch = 1};
    uint32_t bytes;

    t.marks = ways < TAG_USUAL ? TAG_USUAL : round_up(ways, TAG_WORD);
    t.wide = ways > UINT8_MAX;
    bytes = (uint32_t)offsetof(struct tag_set, mark) + (t.wide ? 3 : 2) * t.marks;
    t.set_bytes = round_up(bytes, HOST_LINE);
    return t;
}

size_t tag_sets_bytes(uint32_t sets, uint32_t ways)
{
    return (size_t)sets * shape_of(sets, ways).set_bytes;
}

void tag_sets_init(struct tag_sets *t, uint32_t sets, uint32_t ways, uint32_t policy, void *memory)
{
    *t = shape_of(sets, ways);
    t->policy = (uint8_t)policy;
    t->set = memory;
}

uint32_t tag_find_slowly(uint32_t ways, const struct tag_set *s, const void *lines, size_t line_bytes,
                         uint64_t line, uint32_t mark)
{
    uint64_t number;

    for (uint32_t w = 0; w < s->filled; w++) {
        if (s->mark[w] != (uint8_t)mark)
            continue;
        memcpy(&number, (const unsigned char *)lines + w * line_bytes, sizeof number);
        if (number == line)
            return w;
    }
    return ways;
}

void tag_wide_to_front(uint8_t *order, uint32_t place, uint32_t w)
{
    memmove(order + 2, order, 2 * (size_t)place);
    order[0] = (uint8_t)w;
    order[1] = (uint8_t)(w >> 8);
}

/* After loading: checks that each filled way is in the order exactly once. */
static bool order_holds(const struct tag_sets *t, const struct tag_set *s)
{
    uint64_t seen[(UINT16_MAX + 1) / 64] = {0};

    for (uint32_t i = 0; i < s->filled; i++) {
        uint32_t w = tag_in_order(t, s, i);

        if (w >= s->filled || seen[w / 64] >> w % 64 & 1)
            return false;
        seen[w / 64] |= 1ull << w % 64;
    }
    return true;
}

uint32_t tag_set_state(struct tag_sets *t, uint32_t set, struct state_io *io)
{
    struct tag_set *s = tag_set_at(t, set);

    if (!state_flag(io, s->epoch == t->epoch))
        return 0;
    s->epoch = t->epoch;
    STATE(io, s->filled);
    if (state_check(io, s->filled <= t->ways))
        state_bytes(io, s->mark, t->set_bytes - offsetof(struct tag_set, mark));
    if (!state_check(io, s->filled <= t->ways && order_holds(t, s)))
        s->filled = 0;
    return s->filled;
}
