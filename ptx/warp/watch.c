/* ptx/warp/watch.c: calls the watches of a launch. */
#include "ptx/warp/watch.h"

#include "ptx/warp/warp.h"

int ptx_watch_before(struct ptx_warp *w, uint32_t op, uint32_t mask)
{
    const struct ptx_seen s = {w, w->code, w->lanes.rows, w->lanes.preds, op, mask};

    for (const struct ptx_watch *t = w->cta->options->watch; t; t = t->next)
        if (t->before && t->before(t->ctx, &s))
            return -1;
    return 0;
}

static int report_after(const struct ptx_watch *t, const struct ptx_seen *s)
{
    for (; t && s->mask; t = t->next)
        if (t->after && t->after(t->ctx, s))
            return -1;
    return 0;
}

int ptx_watch_after(struct ptx_warp *w, uint32_t op, uint32_t mask)
{
    const struct ptx_seen s = {w, w->code, w->lanes.rows, w->lanes.preds, op, mask};

    return report_after(w->cta->options->watch, &s);
}

int ptx_watch_after_wait(struct ptx_warp *w, uint32_t activation, uint32_t op, uint32_t mask)
{
    const struct ptx_activation *a = &w->state->activations[activation];
    const struct ptx_seen s = {w, a->code, a->rows, a->preds, op, mask};

    return report_after(w->cta->options->watch, &s);
}

void ptx_watch_cta(const struct ptx_cta *c, bool begins)
{
    for (const struct ptx_watch *t = c->options->watch; t; t = t->next)
        if (t->cta)
            t->cta(t->ctx, c, begins);
}
