#include "simcore/trace/cta_windows.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"

/* Stores the addresses of instruction `at` of the warp's window. */
static void put_row(struct cta_windows *c, uint32_t warp, uint32_t at, const struct address_set *a, uint32_t *lists)
{
    uint32_t row = warp * WINDOW_INSTS + at, list;

    ASSERT_HOT(at < WINDOW_INSTS && *lists <= at);
    c->store.insts[row].address = row;
    c->store.rows[row] = (struct address_row){a->base, a->stride, NO_LIST};
    if (!a->is_list)
        return;
    list = warp * WINDOW_INSTS + (*lists)++;
    memcpy(c->store.lanes + (size_t)list * WARP_LANES, a->lanes, sizeof a->lanes);
    c->store.rows[row].list = list;
}

/* Fills the window, which has `lists` address lists so far. */
static int fill(struct cta_windows *c, uint32_t warp, uint32_t lists, struct err *e)
{
    struct cta_warp *w = &c->store.trace.warps[warp];
    struct warp_inst *to = c->store.insts + (size_t)warp * WINDOW_INSTS;
    struct address_set a;

    for (; w->ready < WINDOW_INSTS && w->first + w->ready < w->count; w->ready++) {
        int got = c->next(c, warp, &to[w->ready], &a, e);

        if (got < 0)
            return -1;
        to[w->ready].address = NO_ADDRESS;
        if (got > 0)
            put_row(c, warp, w->ready, &a, &lists);
    }
    return 0;
}

/* Removes the first `n` instructions of the window. Returns the number of address lists that remain. */
static uint32_t shift(struct cta_windows *c, uint32_t warp, uint32_t n)
{
    struct cta_warp *w = &c->store.trace.warps[warp];
    uint32_t begin = warp * WINDOW_INSTS, lists = 0;

    ASSERT(n <= w->ready);
    for (uint32_t i = n; i < w->ready; i++) {
        struct warp_inst *to = &c->store.insts[begin + i - n];
        struct address_row *row = &c->store.rows[begin + i - n];

        *to = c->store.insts[begin + i];
        if (to->address == NO_ADDRESS)
            continue;
        *row = c->store.rows[begin + i];
        to->address = begin + i - n;
        if (row->list == NO_LIST)
            continue;
        memmove(c->store.lanes + (size_t)(begin + lists) * WARP_LANES,
                c->store.lanes + (size_t)row->list * WARP_LANES, WARP_LANES * sizeof *c->store.lanes);
        row->list = begin + lists++;
    }
    w->first += n;
    w->ready -= n;
    return lists;
}

static int window(struct cta_trace *cta, uint32_t warp, uint32_t from, struct err *e)
{
    struct cta_windows *c = cta->opaque;
    struct cta_warp *w = &cta->warps[warp];

    ASSERT(warp < cta->warp_count && from < w->count);
    if (from < w->first) {
        c->rewind(c, warp);
        w->first = w->ready = 0;
    }
    while (from >= w->first + w->ready)
        if (fill(c, warp, shift(c, warp, w->ready), e) < 0)
            return -1;
    return from > w->first ? fill(c, warp, shift(c, warp, from - w->first), e) : 0;
}

int cta_windows_init(struct cta_windows *c, uint32_t warps, struct err *e)
{
    struct cta_store *s = &c->store;
    size_t n = (size_t)warps * WINDOW_INSTS;

    ASSERT(warps > 0);
    s->trace.warp_count = warps;
    s->trace.opaque = c;
    s->trace.window = window;
    s->trace.warps = mem_zalloc(warps, sizeof *s->trace.warps, e);
    s->insts = s->trace.warps ? mem_zalloc(n, sizeof *s->insts, e) : NULL;
    s->rows = s->insts ? mem_zalloc(n, sizeof *s->rows, e) : NULL;
    s->lanes = s->rows ? mem_zalloc(n * WARP_LANES, sizeof *s->lanes, e) : NULL;
    if (s->lanes)
        return 0;
    cta_windows_release(c);
    return -1;
}

int cta_windows_begin(struct cta_windows *c, uint32_t warp, uint32_t count, struct err *e)
{
    struct cta_warp *w = &c->store.trace.warps[warp];

    ASSERT(warp < c->store.trace.warp_count && w->count == 0);
    w->insts = c->store.insts + (size_t)warp * WINDOW_INSTS;
    w->count = count;
    c->rewind(c, warp);
    return fill(c, warp, 0, e);
}

void cta_windows_release(struct cta_windows *c)
{
    free(c->store.trace.warps);
    free(c->store.insts);
    free(c->store.rows);
    free(c->store.lanes);
    c->store = (struct cta_store){.trace = {.warps = NULL}};
}
