/* simcore/timeline_steps.c: the steps of items, and the event at the earliest step. */
#include <string.h>

#include "simcore/mem/path_event/event_path.h"
#include "simcore/observe/watch.h"
#include "simcore/timeline_internal.h"
#include "simcore/trace/polls.h"
#include "simcore/mem/warm.h"
#include "simcore/replay.h"

enum { LOOK_AGAIN_PS = 100000 };

static void stop_with(struct timeline *t, const struct err *e)
{
    if (!t->sim->env.failed)
        t->sim->env.err = *e;
    t->sim->env.failed = true;
}

static int item_over(struct timeline *t, struct stream *s, sim_time_ps at, const struct kernel_info *info,
                     struct sim_result *r, struct err *e)
{
    const struct sim_work *w = &t->work[s->item];
    const struct sim_span span = {
        .index = s->item, .begin_ps = s->begin - t->begin, .end_ps = at - t->begin, .info = info, .result = r};

    t->out->items[w->kind]++;
    t->out->item_ps[w->kind] += at - s->begin;
    t->out->bytes[w->kind] += w->kind == SIM_KERNEL || w->kind == SIM_GAP ? 0 : w->bytes;
    if (r) {
        t->out->kernels++;
        t->out->warp_instructions += r->warp_instructions;
    }
    t->end = at > t->end ? at : t->end;
    t->ended++;
    if (t->o->done && t->o->done(t->o->ctx, &span, e) < 0)
        return -1;
    s->item = t->next[s->item];
    s->step = STEP_BEGIN;
    s->at = SIM_NEVER;
    if (s->item < t->count)
        s->at = at > timeline_submitted(t, s->item) ? at : timeline_submitted(t, s->item);
    return 0;
}

static int begin_item(struct timeline *t, struct stream *s, sim_time_ps now, struct err *e)
{
    const struct sim_work *w = &t->work[s->item];
    struct clock_domain *clock = &t->sim->env.clock;

    s->begin = now;
    switch (w->kind) {
    case SIM_KERNEL:
        s->step = STEP_OPEN;
        s->at = clock_to_ps(clock, clock_from_ps(clock, now) + t->sim->design->kernel_cycles);
        return 0;
    case SIM_GAP:
        s->step = STEP_END;
        s->at = now + w->gap_ps;
        return 0;
    case SIM_COPY_TO_DEVICE:
    case SIM_COPY_TO_HOST:
    case SIM_COPY_DEVICE:
    case SIM_COPY_FROM_PEER:
    case SIM_MEMSET:
        s->step = STEP_PIECE;
        s->at = copy_begin(&s->copy, &t->paths, w, now);
        return 0;
    }
    return err_set(e, ERR_INVALID, "item %zu has an unknown kind", s->item);
}

/* Prepares the cache content for the first launch on an idle GPU. Its source must be open. */
static int prepare_caches(struct timeline *t, struct stream *s, struct err *e)
{
    const struct sim_options *o = &t->o->base;
    const struct sim_before others = {t->work, s->item, t->o->open, t->o->ctx};
    const struct sim_before *before = t->count > 1 ? &others : o->before;

    s->warm = o->caches == SIM_CACHES_WARM && s->source->warm;
    if (o->caches == SIM_CACHES_REPLAYED && before)
        return replay_before(t->sim, before, o->replay_launches, &s->replayed, e);
    if (o->caches != SIM_CACHES_KEPT)
        simulator_flush(t->sim);
    if (!s->warm)
        return 0;
    t->sim->env.charged = NULL; /* memory counts of the preparation belong to no launch */
    return memory_warm_image(t->sim->memory, s->source->warm, e);
}

/* --- polling loops --- */

static int open_listed_again(void *stream, struct inst_source **out, struct err *e)
{
    const struct stream *s = stream;

    return s->timeline->o->open(s->timeline->o->ctx, s->item, out, e);
}

/* Several launches at once can write what one of them polls. */
static int find_polls(struct timeline *t, struct stream *s, struct err *e)
{
    const struct sim_options *o = &t->o->base;
    struct poll_again again = {.partial = t->count > 1 || o->partial};

    if (o->checkpoint) /* the state of polls is not in a checkpoint */
        return 0;
    s->timeline = t;
    if (t->count > 1 && !t->o->keep_sources)
        again = (struct poll_again){open_listed_again, s, true};
    else if (t->count == 1 && o->reopen)
        again = (struct poll_again){o->reopen, o->reopen_ctx, o->partial};
    s->polled = poll_source_new(s->source, &again, e);
    return s->polled ? 0 : -1;
}

void timeline_drop_source(struct timeline *t, struct stream *s)
{
    inst_source_release(s->polled);
    if (!t->o->keep_sources)
        inst_source_release(s->source);
    s->polled = s->source = NULL;
}

static int open_kernel(struct timeline *t, struct stream *s, sim_time_ps now, struct err *e)
{
    struct simulator *sim = t->sim;
    uint64_t cycle = clock_from_ps(&sim->env.clock, now);

    if (!launch_free_place(sim)) {
        s->at = SIM_NEVER; /* until another launch has ended */
        t->waiting++;
        return 0;
    }
    s->at = SIM_NEVER;
    s->step = STEP_RUN;
    s->warm = false;
    s->replayed = 0;
    if (t->o->open(t->o->ctx, s->item, &s->source, e) < 0 || (!sim->running && prepare_caches(t, s, e) < 0) ||
        find_polls(t, s, e) < 0)
        return -1;
    s->launch = launch_new(sim, s->polled ? s->polled : s->source, clock_from_ps(&sim->env.clock, s->begin), e);
    if (!s->launch || (t->count == 1 && watch_begin(sim, &t->o->base, e) < 0))
        return -1;
    return launch_start(sim, s->launch, cycle, e);
}

int timeline_end_kernel(struct timeline *t, struct stream *s, enum sim_end end, uint64_t cycle, struct err *e)
{
    struct sim_result r = t->watched;
    struct launch *l = s->launch;
    sim_time_ps at = clock_to_ps(&t->sim->env.clock, cycle);
    int ret;

    memset(&t->watched, 0, sizeof t->watched);
    r.warm = s->warm;
    r.replayed = s->replayed;
    s->launch = NULL;
    ret = launch_end(t->sim, l, cycle, end, &r, e);
    if (ret >= 0)
        ret = item_over(t, s, at, &s->source->info, &r, e);
    sim_result_release(&r);
    timeline_drop_source(t, s);
    for (size_t i = 0; i < t->stream_count && t->waiting; i++) {
        struct stream *w = &t->streams[i];

        if (w->step != STEP_OPEN || w->at != SIM_NEVER)
            continue;
        w->at = at;
        t->waiting--;
        break;
    }
    return ret;
}

/* Event mode: whether requests of the launch are in flight whose end it must wait for. If the next launch begins on
 * an idle GPU, requests without a waiting warp must have ended, too. */
static bool unsettled(const struct timeline *t, const struct launch *l)
{
    const struct simulator *s = t->sim;
    uint32_t open = 0;

    if (!s->port.path || !event_queue_pending(s->env.queue))
        return false;
    if (l->stores_open || (s->several && s->running == 1))
        return true;
    for (uint32_t i = 0; i < s->design->sms && !open && s->running == 1; i++)
        open = event_path_each(s->port.path, i, 0, NULL, NULL);
    return open != 0;
}

static int end_item(struct timeline *t, struct stream *s, sim_time_ps now, struct err *e)
{
    uint64_t cycle;

    if (!s->launch)
        return item_over(t, s, now, NULL, NULL, e);
    if (unsettled(t, s->launch)) {
        s->at = now + LOOK_AGAIN_PS;
        return 0;
    }
    cycle = launch_end_cycle(t->sim, s->launch);
    if (t->sim->running == 1)
        cycle = launch_furthest(t->sim, cycle);
    if (clock_to_ps(&t->sim->env.clock, cycle) > now) {
        s->at = clock_to_ps(&t->sim->env.clock, cycle); /* a store was accepted later than expected */
        return 0;
    }
    return watch_end(t->sim, cycle, &t->watched, e) < 0 ? -1 : timeline_end_kernel(t, s, SIM_DONE, cycle, e);
}

static int next_step(struct timeline *t, struct stream *s, sim_time_ps now, struct err *e)
{
    switch (s->step) {
    case STEP_BEGIN: return begin_item(t, s, now, e);
    case STEP_PIECE:
        s->at = copy_piece(&s->copy, &t->paths, t->sim->memory, now);
        if (!s->copy.left)
            s->step = STEP_END;
        return 0;
    case STEP_OPEN: return open_kernel(t, s, now, e);
    case STEP_RUN: return 0; /* not reached: its time is SIM_NEVER */
    case STEP_END: return end_item(t, s, now, e);
    }
    return 0;
}

void timeline_wait(struct timeline *t)
{
    struct event_queue *q = t->sim->env.queue;
    sim_time_ps at = SIM_NEVER;

    for (size_t i = 0; i < t->stream_count; i++)
        at = t->streams[i].at < at ? t->streams[i].at : at;
    event_queue_cancel(q, &t->sim->front);
    if (at != SIM_NEVER)
        event_queue_schedule(q, &t->sim->front, at > event_queue_now(q) ? at : event_queue_now(q), PHASE_DELIVER);
}

void timeline_fire(struct event *ev, sim_time_ps now)
{
    struct simulator *s = (struct simulator *)((char *)ev - offsetof(struct simulator, front));
    struct timeline *t = s->timeline;
    struct err e;

    for (size_t i = 0; i < t->stream_count && !s->env.failed; i++)
        while (t->streams[i].at <= now && !s->env.failed)
            if (next_step(t, &t->streams[i], now, &e) < 0)
                stop_with(t, &e);
    timeline_wait(t);
}

void timeline_launch_over(void *ctx, struct launch *l)
{
    struct simulator *sim = ctx;
    struct timeline *t = sim->timeline;

    for (size_t i = 0; i < t->stream_count; i++) {
        struct stream *s = &t->streams[i];

        if (s->launch != l)
            continue;
        s->step = STEP_END;
        s->at = clock_to_ps(&sim->env.clock, launch_end_cycle(sim, l));
        if (!sim->front.scheduled || s->at < sim->front.at)
            timeline_wait(t);
        return;
    }
}
