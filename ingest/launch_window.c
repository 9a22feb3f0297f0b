#include "ingest/launch_window.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/assert.h"

#define PROOF_STEPS_MAX (UINT64_C(1) << 26) /* about a second */

/* border[i]: length of the longest proper prefix of profile[0..i] that is also its suffix. */
static uint64_t *borders(const uint32_t *profile, uint64_t count, struct err *e)
{
    uint64_t *border = mem_zalloc(count, sizeof *border, e), length = 0;

    for (uint64_t i = 1; border && i < count; i++) {
        while (length > 0 && profile[i] != profile[length])
            length = border[length - 1];
        length += profile[i] == profile[length];
        ASSERT(length <= i);
        border[i] = length;
    }
    return border;
}

struct proof {
    launch_same_fn same;
    void *ctx;
    uint64_t steps;
};

/* 1: every launch from `place` on is the same; 0: at least one differs. */
static int prove(struct proof *p, uint64_t place, uint64_t count, struct err *e)
{
    ASSERT(p->steps <= PROOF_STEPS_MAX);
    for (uint64_t i = 0; p->same && i < count; i++) {
        if (++p->steps > PROOF_STEPS_MAX)
            return err_set(e, ERR_TOO_LARGE, "the profile's launches could begin at too many places of the list");
        if (!p->same(p->ctx, i, place + i))
            return 0;
    }
    return 1;
}

static void add_place(struct launch_window *w, uint64_t place)
{
    ASSERT(w->places == 0 || place > (w->places == 1 ? w->first : w->second));
    if (w->places == 0)
        w->first = place;
    else if (w->places == 1)
        w->second = place;
    w->places++;
}

static int search(const uint32_t *profile, uint64_t count, const uint64_t *border, const uint32_t *list,
                  uint64_t list_count, struct proof *proof, struct launch_window *w, struct err *e)
{
    uint64_t length = 0;

    for (uint64_t j = 0; j < list_count; j++) {
        int proven;

        while (length > 0 && (length == count || list[j] != profile[length]))
            length = border[length - 1];
        length += list[j] == profile[length];
        ASSERT(length <= j + 1);
        if (length > w->most) {
            w->most = length;
            w->most_from = j + 1 - length;
        }
        if (length < count)
            continue;
        ASSERT(length == count && j + 1 >= count);
        proven = prove(proof, j + 1 - count, count, e);
        if (proven < 0)
            return -1;
        if (proven)
            add_place(w, j + 1 - count);
    }
    return 0;
}

int launch_window_find(const uint32_t *profile, uint64_t profile_count, const uint32_t *list, uint64_t list_count,
                       launch_same_fn same, void *ctx, struct launch_window *out, struct err *e)
{
    struct proof proof = {.same = same, .ctx = ctx};
    uint64_t *border;
    int ret;

    *out = (struct launch_window){.places = profile_count == 0};
    if (profile_count == 0 || list_count == 0)
        return 0;
    border = borders(profile, profile_count, e);
    ret = border ? search(profile, profile_count, border, list, list_count, &proof, out, e) : -1;
    ASSERT(ret < 0 || (out->most <= profile_count && out->most_from <= list_count));
    free(border);
    return ret;
}
