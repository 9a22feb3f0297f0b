/* simcore/stall_report.c: reports the waiting warps and their reasons when no event is left. */
#include <inttypes.h>

#include "base/strbuf.h"
#include "simcore/gpu.h"
#include "simcore/mem/path_event/event_path.h"
#include "simcore/sm/cluster.h"
#include "simcore/sm/flight.h"
#include "simcore/trace/polls.h"

enum { CTAS_SHOWN = 8, WARPS_SHOWN = 12, REQUESTS_SHOWN = 4, POLLS_SHOWN = 2 };

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
    if (bar->threads)
        strbuf_addf(b, " at a barrier for %u threads: %u of %u warps arrived\n", bar->threads, arrived,
                    (bar->threads + WARP_LANES - 1) / WARP_LANES);
    else
        strbuf_addf(b, " at a barrier of the whole CTA: %u of %u running warps arrived\n", arrived, cta->live);
}

/* Lists the warps that wait at a barrier in shared memory, by their index in the CTA. */
static uint64_t add_mbarrier(struct strbuf *b, const struct sm *sm, const struct mbarrier *bar)
{
    uint64_t warps = 0;

    for (uint64_t left = bar->waiting; left; left &= left - 1)
        warps |= 1ull << sm->warp[__builtin_ctzll(left)].index;
    if (!warps)
        return 0;
    strbuf_adds(b, "    ");
    add_warps(b, warps);
    strbuf_addf(
        b, " at the barrier at shared address %u: %" PRId64 " arrivals and %" PRId64 " bytes are still to come\n",
        bar->address, bar->pending, bar->bytes);
    return warps;
}

/* Lists the warps that wait at the barrier of the cluster. */
static uint64_t add_cluster(struct strbuf *b, const struct sm *sm, const struct cta *cta)
{
    uint64_t warps = cta->cluster ? sm->env->clusters.all[cta->cluster - 1].waiting[cta->rank] : 0;

    if (!warps)
        return 0;
    strbuf_adds(b, "    ");
    add_warps(b, warps);
    strbuf_adds(b, " at the barrier of the cluster\n");
    return warps;
}

/* The warps of the CTA that wait in a polling loop; add_polls() names them. */
static uint64_t polling_warps(const struct sm *sm, const struct cta *cta)
{
    const struct poll_plan *p = cta->launch->source->polls;
    uint64_t warps = 0;

    for (size_t i = 0; p && i < p->waiter_count; i++)
        if (p->waiters[i].sm == sm->index && p->waiters[i].cta == cta->trace->index)
            warps |= 1ull << p->waiters[i].warp;
    return warps;
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
    for (uint32_t i = 0; i < sm->mbarriers; i++)
        if (&sm->cta[sm->mbarrier[i].cta] == cta)
            running &= ~add_mbarrier(b, sm, &sm->mbarrier[i]);
    running &= ~add_cluster(b, sm, cta);
    running &= ~polling_warps(sm, cta);
    if (running) {
        strbuf_adds(b, "    ");
        add_warps(b, running);
        strbuf_adds(b, " can still issue\n");
    }
}

struct waits {
    struct strbuf *b;
    const struct sm *sm;
};

static void add_request(void *ctx, const struct mem_request *r, uint32_t token, const char *where)
{
    static const char *const kinds[] = {[MEM_READ] = "read",
                                        [MEM_WRITE] = "write",
                                        [MEM_ATOMIC] = "atomic",
                                        [MEM_REDUCTION] = "reduction",
                                        [MEM_FAR_READ] = "read"};
    struct waits *w = ctx;

    strbuf_addf(w->b, "    a %s of line 0x%" PRIx64 " is %s", kinds[r->kind], r->line << LINE_SHIFT, where);
    for (uint64_t left = flight_waiters(w->sm, token), first = left; left; left &= left - 1) {
        const struct warp *warp = &w->sm->warp[__builtin_ctzll(left)];

        if (warp->insts)
            strbuf_addf(w->b, "%s warp %u of CTA %" PRIu64, left == first ? ": for" : ",", warp->index,
                        w->sm->cta[warp->cta].trace->index);
    }
    strbuf_adds(w->b, "\n");
}

/* Event mode: lists the requests that have not completed. */
static void add_requests(struct strbuf *b, const struct sm *sm)
{
    struct waits w = {b, sm};
    uint32_t open = event_path_each(sm->env->port->path, sm->index, 0, NULL, NULL);

    if (!open)
        return;
    strbuf_addf(b, "  SM %u: %u requests are under way\n", sm->index, open);
    event_path_each(sm->env->port->path, sm->index, REQUESTS_SHOWN, add_request, &w);
}

/* A warp that polls memory: its loop, and the warps that should write the polled word. */
static void add_poll(struct strbuf *b, const struct poll_plan *p, const struct poll_waiter *x)
{
    const struct poll_word *word = &p->words[x->need->word];

    strbuf_addf(b, "the loop from PC 0x%04x to PC 0x%04x (CTA %" PRIu64 ", warp %u) polls 0x%" PRIx64 ", ",
                x->wait->pc, x->wait->end, x->cta, x->warp, word->address);
    if (x->need->lock)
        strbuf_adds(b, "a lock that is never released; ");
    else if (x->need->writes == UINT64_MAX)
        strbuf_adds(b, "which nothing in the launch writes (--partial simulates it without the wait); ");
    else
        strbuf_addf(b, "which waits for the write at PC 0x%04x; ", word->writer);
}

static void add_polls(struct strbuf *b, const struct launch *l)
{
    const struct poll_plan *p = l->source->polls;

    for (size_t i = 0; p && i < p->waiter_count && i < POLLS_SHOWN; i++)
        add_poll(b, p, &p->waiters[i]);
    if (p && p->waiter_count > POLLS_SHOWN)
        strbuf_addf(b, "%zu polls more; ", p->waiter_count - POLLS_SHOWN);
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
                                            : "deadlock, no warp can continue: ");
    for (uint32_t i = 0; i < LAUNCHES_MAX && s->launch[i]; i++)
        if (s->launch[i]->source)
            add_polls(&b, s->launch[i]);
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
    shown = 0;
    for (uint32_t i = 0; s->port.path && i < s->design->sms && shown < CTAS_SHOWN; i++)
        if (s->sms[i].active && ++shown)
            add_requests(&b, &s->sms[i]);
    text = strbuf_detach(&b);
    if (!text)
        err_no_memory(e);
    return text;
}
