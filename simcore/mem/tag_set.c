#include "simcore/mem/tag_set.h"

#include <stdlib.h>

enum { HOST_LINE = 64 };

static uint32_t round_up(uint32_t n, uint32_t to)
{
    return (n + to - 1) / to * to;
}

int tag_sets_init(struct tag_sets *t, uint32_t sets, uint32_t ways, struct err *e)
{
    uint32_t bytes;
    size_t all;

    t->sets = sets;
    t->ways = ways;
    t->epoch = 1;
    t->marks = round_up(ways, TAG_WORD);
    t->wide = ways > UINT8_MAX;
    bytes = (uint32_t)offsetof(struct tag_set, mark) + (t->wide ? 5 : 3) * t->marks;
    t->set_bytes = round_up(bytes, HOST_LINE);
    all = (size_t)sets * t->set_bytes;
    t->set = aligned_alloc(HOST_LINE, all);
    if (!t->set)
        return err_set(e, ERR_NO_MEMORY, "out of memory: %zu bytes for the sets of a cache", all);
    memset(t->set, 0, all);
    return 0;
}

void tag_sets_release(struct tag_sets *t)
{
    free(t->set);
    t->set = NULL;
}

/* Loaded: from the newest on, each way names the one before it and is named by it, up to the oldest; all take part,
 * each once, since no way is named by two. */
static bool order_holds(const struct tag_sets *t, const struct tag_set *s)
{
    uint32_t w = s->newest;

    if (!s->filled)
        return true;
    for (uint32_t i = 1; i < s->filled && w < s->filled; i++) {
        uint32_t before = tag_neighbour(t, s, w, 0);

        if (before == s->newest || before >= s->filled || tag_neighbour(t, s, before, 1) != w)
            return false;
        w = before;
    }
    return w < s->filled && w == s->oldest;
}

uint32_t tag_set_state(struct tag_sets *t, uint32_t set, struct state_io *io)
{
    struct tag_set *s = tag_set_at(t, set);

    if (!state_flag(io, s->epoch == t->epoch))
        return 0;
    s->epoch = t->epoch;
    STATE(io, s->filled);
    STATE(io, s->newest);
    STATE(io, s->oldest);
    if (state_check(io, s->filled <= t->ways))
        state_bytes(io, s->mark, t->set_bytes - offsetof(struct tag_set, mark));
    if (!state_check(io, s->filled <= t->ways && order_holds(t, s)))
        s->filled = 0;
    return s->filled;
}
