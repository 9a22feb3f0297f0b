#include "ptx/parse/symbols.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

enum { FIRST_PLACES = 256 };

void symbols_release(struct symbols *s)
{
    free(s->places);
    *s = (struct symbols){0};
}

void symbols_clear(struct symbols *s)
{
    if (s->places)
        memset(s->places, 0, s->count * sizeof *s->places);
    s->used = 0;
}

static size_t place_of(const struct symbols *s, const char *name, uint32_t scope)
{
    uint64_t h = ((uintptr_t)name >> 3) * 0x9e3779b97f4a7c15ull + scope * 0xbf58476d1ce4e5b9ull;
    size_t at = (size_t)(h >> 32) & (s->count - 1);

    while (s->places[at].name && (s->places[at].name != name || s->places[at].scope != scope))
        at = (at + 1) & (s->count - 1);
    return at;
}

static int grow(struct symbols *s, struct err *e)
{
    struct symbols bigger = {.count = s->count ? s->count * 2 : FIRST_PLACES, .used = s->used};

    bigger.places = mem_zalloc(bigger.count, sizeof *bigger.places, e);
    if (!bigger.places)
        return -1;
    for (size_t i = 0; i < s->count; i++)
        if (s->places[i].name)
            bigger.places[place_of(&bigger, s->places[i].name, s->places[i].scope)] = s->places[i];
    free(s->places);
    *s = bigger;
    return 0;
}

int symbols_add(struct symbols *s, const char *name, uint32_t scope, enum symbol_kind kind, uint32_t index,
                struct err *e)
{
    size_t at;

    if (s->used * 2 >= s->count && grow(s, e) < 0)
        return -1;
    at = place_of(s, name, scope);
    if (s->places[at].name)
        return 1;
    s->places[at] = (struct symbol){name, scope, index, kind};
    s->used++;
    return 0;
}

const struct symbol *symbols_find(const struct symbols *s, const char *name, uint32_t scope)
{
    size_t at = s->count ? place_of(s, name, scope) : 0;

    return s->count && s->places[at].name ? &s->places[at] : NULL;
}
