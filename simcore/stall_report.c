/* simcore/stall_report.c: when nothing can ever happen again: who waits for what. */
#include <inttypes.h>

#include "base/strbuf.h"
#include "simcore/gpu.h"

enum { CTAS_SHOWN = 8, WARPS_SHOWN = 12 };

/* "warps 0, 3, 5 and 20 more" */
static void add_warps(struct strbuf *b, uint64_t mask)
{
    uint32_t shown = 0, total = (uint32_t)__builtin_popcountll(mask);

    strbuf_adds(b, total == 1 ? "warp" : "warps");
    for (; mask && shown < WARPS_SHOWN; mask &= mask - 1, shown++)
        strbuf_addf(b, "%s %d", shown ? "," : "", __builtin_ctzll(mask));
    if (shown < total)
        strbuf_addf(b, " and %u more", total - shown);
}

static void add_barrier(struct strbuf *b, const struct cta *cta, const struct barrier *bar)
{
    uint64_t there = bar->waiting | bar->arrived;
    uint32_t arrived = (uint32_t)__builtin_popcountll(there);

    strbuf_adds(b, "    ");
    add_warps(b, bar->waiting);
    if (bar->key > 15)
        strbuf_addf(b, " at a barrier for %d threads: %u of %u warps arrived\n", bar->key, arrived,
                    ((uint32_t)bar->key + WARP_LANES - 1) / WARP_LANES);
    else
        strbuf_addf(b, " at a barrier of the whole CTA: %u of %u running warps arrived\n", arrived, cta->live);
}

static void add_cta(struct strbuf *b, const struct sm *sm, const struct cta *cta)
{
    uint64_t running = cta->live_mask;

    strbuf_addf(b, "  SM %u, CTA %" PRIu64 " (%u,%u,%u): %u of %u warps have not exited\n", sm->index,
                cta->trace->index, cta->trace->id[0], cta->trace->id[1], cta->trace->id[2], cta->live, cta->warps);
    for (uint32_t i = 0; i < cta->barriers; i++) {
        if (cta->barrier[i].waiting)
            add_barrier(b, cta, &cta->barrier[i]);
        running &= ~cta->barrier[i].waiting;
    }
    if (running) {
        strbuf_adds(b, "    ");
        add_warps(b, running);
        strbuf_adds(b, " can still issue\n");
    }
}

static void add_launch(struct strbuf *b, const struct launch *l, bool several)
{
    if (several)
        strbuf_addf(b, "  launch %" PRIu64 " %.80s: ", l->source->info.id,
                    l->source->info.name ? l->source->info.name : "");
    strbuf_addf(b, "%" PRIu64 " CTAs are resident, %" PRIu64 " have finished%s", l->resident, l->count.ctas,
                l->drained ? "" : ", others have not started");
    if (!l->resident && !l->drained)
        strbuf_addf(b, ": %s", l->held_count ? "a cluster waits for room in one GPC" : "no SM has room");
    strbuf_addc(b, '\n');
}

char *stall_report(const struct simulator *s, enum sim_end end, struct err *e)
{
    struct strbuf b = STRBUF_INIT;
    uint64_t shown = 0;
    char *text;

    strbuf_adds(&b, end == SIM_CYCLE_LIMIT  ? "the cycle limit was reached: "
                    : end == SIM_TIME_LIMIT ? "the time limit was reached: "
                                            : "nothing can ever happen again: ");
    if (s->several)
        strbuf_addf(&b, "%u launches are on the GPU\n", s->running);
    for (uint32_t i = 0; i < LAUNCHES_MAX && s->launch[i]; i++)
        if (s->launch[i]->source)
            add_launch(&b, s->launch[i], s->several);
    for (uint32_t i = 0; i < s->design->sms; i++) {
        for (uint32_t k = 0; s->sms[i].active && k < SM_CTAS_MAX; k++)
            if (s->sms[i].cta[k].trace && shown++ < CTAS_SHOWN)
                add_cta(&b, &s->sms[i], &s->sms[i].cta[k]);
    }
    if (shown > CTAS_SHOWN)
        strbuf_addf(&b, "  and %" PRIu64 " CTAs more\n", shown - CTAS_SHOWN);
    text = strbuf_detach(&b);
    if (!text)
        err_no_memory(e);
    return text;
}
