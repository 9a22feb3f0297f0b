/* simcore/timeline.c: streams: which launch, copy or gap begins when.
 *
 * Each stream is at one item and knows when its next step is due; the timeline is one event, at the earliest of
 * them. A kernel's steps: its stream is ready (begin), its first CTA can start after the launch latency (open), its
 * last store is accepted (end). A copy goes in pieces, so that copies and kernels share what they meet at. */
#include "simcore/gpu.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/clock.h"
#include "simcore/checkpoint.h"
#include "simcore/copy.h"
#include "simcore/mem/event_path.h"
#include "simcore/observe/watch.h"

enum { PROGRESS_EVERY = 2000000, LOOK_AT_CLOCK_EVERY = 256, LOOK_AGAIN_PS = 100000 };

const char *const sim_work_names[SIM_WORK_KINDS] = {"kernel",    "copy to device", "copy to host", "device copy",
                                                    "peer copy", "memset",         "gap"};

enum step { STEP_BEGIN, STEP_PIECE, STEP_OPEN, STEP_RUN, STEP_END };
struct stream {
    uint64_t id;
    size_t item, last; /* where it is, and its newest item while the list is read; indices into the list */
    enum step step;
    sim_time_ps at;    /* when the next step is due; SIM_NEVER: somebody else will say, or it has ended */
    sim_time_ps begin; /* of the item */
    struct copy copy;
    struct launch *launch;
    struct inst_source *source; /* ours while the launch runs */
};

struct timeline {
    struct simulator *sim;
    const struct sim_work *work;
    const struct sim_stream_options *o;
    struct sim_timeline *out;
    size_t count, ended;
    size_t *next;      /* of each item: the next of its stream, or `count` */
    sim_time_ps begin; /* of the whole */
    sim_time_ps end;   /* the last end so far */
    struct copy_paths paths;
    struct stream *streams;
    size_t stream_count, waiting; /* waiting: for a place among the launches */
    struct sim_result watched;    /* what was seen of the only item; the rest of its result is not there yet */
};

/* --- the list --- */

static int by_id(const void *a, const void *b)
{
    const struct stream *x = a, *y = b;

    return x->id < y->id ? -1 : x->id > y->id;
}

static int by_first_item(const void *a, const void *b)
{
    const struct stream *x = a, *y = b;

    return x->item < y->item ? -1 : x->item > y->item;
}

static struct stream *find_stream(struct timeline *t, uint64_t id)
{
    struct stream key = {.id = id};

    return bsearch(&key, t->streams, t->stream_count, sizeof key, by_id);
}

/* One entry a stream, by its number. */
static int make_streams(struct timeline *t, struct err *e)
{
    size_t n = 0;

    t->streams = mem_zalloc(t->count + 1, sizeof *t->streams, e);
    t->next = t->streams ? mem_zalloc(t->count + 1, sizeof *t->next, e) : NULL;
    if (!t->next)
        return -1;
    for (size_t i = 0; i < t->count; i++) {
        uint64_t id = t->o->serial ? 0 : t->work[i].stream;

        if (n == 0 || t->streams[n - 1].id != id)
            t->streams[n++].id = id;
    }
    qsort(t->streams, n, sizeof *t->streams, by_id);
    for (size_t i = 0; i < n; i++)
        if (t->stream_count == 0 || t->streams[t->stream_count - 1].id != t->streams[i].id)
            t->streams[t->stream_count++] = t->streams[i];
    return 0;
}

/* The host submits the items in the order of the list, each of which takes it a while. */
static sim_time_ps submitted(const struct timeline *t, size_t item)
{
    return t->o->graph ? t->begin : t->begin + item * (sim_time_ps)t->sim->design->submit_ps;
}

static int link_items(struct timeline *t, struct err *e)
{
    if (make_streams(t, e) < 0)
        return -1;
    for (size_t s = 0; s < t->stream_count; s++)
        t->streams[s].item = t->streams[s].last = t->count;
    for (size_t i = 0; i < t->count; i++) {
        struct stream *s = find_stream(t, t->o->serial ? 0 : t->work[i].stream);

        t->next[i] = t->count;
        if (s->item == t->count)
            s->item = i;
        else
            t->next[s->last] = i;
        s->last = i;
    }
    for (size_t s = 0; s < t->stream_count; s++)
        t->streams[s].at = submitted(t, t->streams[s].item);
    qsort(t->streams, t->stream_count, sizeof *t->streams, by_first_item); /* ties go to who was submitted first */
    return 0;
}

/* --- steps --- */

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
        s->at = at > submitted(t, s->item) ? at : submitted(t, s->item);
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
    return err_set(e, ERR_INVALID, "item %zu is of no known kind", s->item);
}

static int check_watch(const struct timeline *t, struct err *e)
{
    const struct sim_options *o = &t->o->base;

    if (o->checkpoint && (o->record_interval_cycles || o->explain || o->projection))
        return err_set(e, ERR_INVALID, "a launch with checkpoints cannot be recorded, explained or projected");
    if ((o->record_interval_cycles || o->explain || o->projection || o->checkpoint) &&
        (t->count != 1 || t->work[0].kind != SIM_KERNEL || t->begin != 0))
        return err_set(
            e, ERR_INVALID,
            "only a launch by itself, with flushed caches, can be recorded, explained or projected, or have "
            "checkpoints");
    return 0;
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
    if (t->o->open(t->o->ctx, s->item, &s->source, e) < 0)
        return -1;
    s->launch = launch_new(sim, s->source, clock_from_ps(&sim->env.clock, s->begin), e);
    if (!s->launch || (t->count == 1 && watch_begin(sim, &t->o->base, e) < 0))
        return -1;
    return launch_start(sim, s->launch, cycle, e);
}

static int end_kernel(struct timeline *t, struct stream *s, enum sim_end end, uint64_t cycle, struct err *e)
{
    struct sim_result r = t->watched;
    struct inst_source *source = s->source;
    struct launch *l = s->launch;
    sim_time_ps at = clock_to_ps(&t->sim->env.clock, cycle);
    int ret;

    memset(&t->watched, 0, sizeof t->watched);
    s->launch = NULL;
    ret = launch_end(t->sim, l, cycle, end, &r, e);
    if (ret >= 0)
        ret = item_over(t, s, at, &source->info, &r, e);
    sim_result_release(&r);
    s->source = NULL;
    if (!t->o->keep_sources)
        inst_source_release(source);
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

/* Event mode: requests of the launch are under way whose end it has to know. The next one to begin on an idle GPU
 * may also find nothing left of those that nobody waits for. */
static bool unsettled(const struct timeline *t, const struct launch *l)
{
    const struct simulator *s = t->sim;
    uint32_t open = 0;

    if (!s->env.path || !event_queue_pending(s->env.queue))
        return false;
    if (l->stores_open || (s->several && s->running == 1))
        return true;
    for (uint32_t i = 0; i < s->design->sms && !open && s->running == 1; i++)
        open = event_path_each(s->env.path, i, 0, NULL, NULL);
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
        s->at = clock_to_ps(&t->sim->env.clock, cycle); /* a store was accepted later than it seemed */
        return 0;
    }
    return watch_end(t->sim, cycle, &t->watched, e) < 0 ? -1 : end_kernel(t, s, SIM_DONE, cycle, e);
}

static int next_step(struct timeline *t, struct stream *s, sim_time_ps now, struct err *e)
{
    switch (s->step) {
    case STEP_BEGIN: return begin_item(t, s, now, e);
    case STEP_PIECE:
        s->at = copy_piece(&s->copy, &t->paths, t->sim->env.memory, now);
        if (!s->copy.left)
            s->step = STEP_END;
        return 0;
    case STEP_OPEN: return open_kernel(t, s, now, e);
    case STEP_RUN: return 0; /* not reached: its time is never */
    case STEP_END: return end_item(t, s, now, e);
    }
    return 0;
}

/* The event moves to the earliest step. */
static void wait_for_next(struct timeline *t)
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
    wait_for_next(t);
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
            wait_for_next(t);
        return;
    }
}

/* --- the whole --- */

/* Runs events until nothing is left, the limit or an error. */
static int run_events(struct timeline *t, sim_time_ps until, uint64_t stop_at_us, bool *late, struct err *e)
{
    struct sm_env *env = &t->sim->env;
    const struct sim_options *o = &t->o->base;
    uint64_t next_progress = env->issued + PROGRESS_EVERY, steps = 0;

    while (event_queue_step(env->queue, until)) {
        if (env->failed) {
            *e = env->err;
            return -1;
        }
        if (env->stopped)
            return 0;
        if (stop_at_us && ++steps % LOOK_AT_CLOCK_EVERY == 0 && clock_monotonic_us() >= stop_at_us) {
            *late = true;
            return 0;
        }
        if (env->issued < next_progress)
            continue;
        next_progress = env->issued + PROGRESS_EVERY;
        if (o->progress &&
            o->progress(o->progress_ctx, clock_from_ps(&env->clock, event_queue_now(env->queue) - t->begin),
                        env->issued))
            return err_set(e, ERR_SIMULATION, "stopped on request");
    }
    return 0;
}

/* --- checkpoints of the only launch --- */

static int resume(struct timeline *t, struct err *e)
{
    struct stream *s = &t->streams[0];
    struct checkpoint_step step = {0};

    if (t->o->open(t->o->ctx, 0, &s->source, e) < 0)
        return -1;
    s->launch = launch_new(t->sim, s->source, 0, e);
    if (!s->launch || checkpoint_resume(t->sim, s->launch, &step, t->o->base.checkpoint, e) < 0)
        return -1;
    s->step = step.over ? STEP_END : STEP_RUN;
    s->at = step.at;
    return 0;
}

/* The cycle of the first one from now on. */
static uint64_t first_checkpoint(const struct timeline *t)
{
    const struct sim_checkpoint *c = t->o->base.checkpoint;
    uint64_t now = clock_from_ps(&t->sim->env.clock, event_queue_now(t->sim->env.queue)), at;

    if (!c || !c->path)
        return CLOCK_CYCLES_MAX;
    at = c->at_cycle > t->sim->design->kernel_cycles ? c->at_cycle : t->sim->design->kernel_cycles;
    if (at >= now)
        return at;
    return c->every ? at + ((now - at) / c->every + 1) * c->every : CLOCK_CYCLES_MAX;
}

static int run_with_checkpoints(struct timeline *t, uint64_t limit_cycle, uint64_t stop_at_us, bool *late,
                                struct err *e)
{
    const struct sim_checkpoint *c = t->o->base.checkpoint;
    uint64_t at = first_checkpoint(t);

    for (; at < limit_cycle; at = c->every ? at + c->every : CLOCK_CYCLES_MAX) {
        const struct stream *s = &t->streams[0];
        struct checkpoint_step step;

        if (run_events(t, clock_to_ps(&t->sim->env.clock, at), stop_at_us, late, e) < 0)
            return -1;
        if (*late || t->ended || !event_queue_pending(t->sim->env.queue))
            return 0;
        step = (struct checkpoint_step){.over = s->step == STEP_END, .at = s->at};
        if (checkpoint_save(t->sim, s->launch, &step, c, e) < 0)
            return -1;
        t->out->checkpoints++;
    }
    return run_events(t, clock_to_ps(&t->sim->env.clock, limit_cycle), stop_at_us, late, e);
}

/* The last cycle of those that are on the GPU. */
static uint64_t last_cycle(const struct timeline *t)
{
    uint64_t cycle = clock_from_ps(&t->sim->env.clock, t->begin);

    if (t->sim->env.stopped) /* what would come next is known well enough */
        return launch_furthest(t->sim, clock_from_ps(&t->sim->env.clock, event_queue_now(t->sim->env.queue)));
    for (size_t i = 0; i < t->stream_count; i++)
        if (t->streams[i].launch && t->streams[i].launch->last_cycle > cycle)
            cycle = t->streams[i].launch->last_cycle;
    return launch_furthest(t->sim, cycle);
}

/* Not all items came to their end. Launches that are on the GPU get their results as they stand. */
static int cut_short(struct timeline *t, uint64_t limit_cycle, bool late, struct err *e)
{
    struct simulator *s = t->sim;
    uint64_t cycle = last_cycle(t);
    sim_time_ps end;

    t->out->end = s->env.stopped                           ? SIM_DONE
                  : late                                   ? SIM_TIME_LIMIT
                  : event_queue_pending(s->env.queue) != 0 ? SIM_CYCLE_LIMIT
                                                           : SIM_STALLED;
    if (t->out->end != SIM_DONE && !(t->out->report = stall_report(s, t->out->end, e)))
        return -1;
    if (t->out->end == SIM_CYCLE_LIMIT && cycle < limit_cycle)
        cycle = limit_cycle;
    if (watch_end(s, cycle, &t->watched, e) < 0)
        return -1;
    launch_stop_all(s, cycle);
    for (size_t i = 0; i < t->stream_count; i++)
        if (t->streams[i].launch && end_kernel(t, &t->streams[i], t->out->end, cycle, e) < 0)
            return -1;
    end = clock_to_ps(&s->env.clock, cycle);
    t->end = end > t->end ? end : t->end;
    return 0;
}

static void add_up(struct timeline *t)
{
    struct simulator *s = t->sim;
    uint64_t begin = clock_from_ps(&s->env.clock, t->begin), end = clock_from_ps(&s->env.clock, t->end);
    uint64_t slots = (uint64_t)s->design->sms * SUB_CORES;

    t->out->ps = t->end - t->begin;
    t->out->cycles = end - begin;
    t->out->slots_total = (end - begin) * slots;
    t->out->slots_no_launch = s->slots_idle + (end > s->settled ? (end - s->settled) * slots : 0);
}

static void make_ready(struct timeline *t)
{
    struct simulator *s = t->sim;

    if (t->o->base.caches == SIM_CACHES_FLUSHED || !s->usable) {
        event_queue_reset(s->env.queue);
        simulator_flush(s);
        s->scheduler.dispatch_free = 0;
    }
    s->caches = t->o->base.caches;
    s->several = t->count > 1;
    s->usable = false;
    s->timeline = t;
    s->env.issued = 0;
    s->env.failed = s->env.stopped = false;
    t->begin = t->end = event_queue_now(s->env.queue);
    s->settled = clock_from_ps(&s->env.clock, t->begin);
    s->slots_idle = 0;
    copy_paths_init(&t->paths, s->design);
}

static void release(struct timeline *t)
{
    struct simulator *s = t->sim;

    watch_drop(s);
    sim_result_release(&t->watched);
    launch_abandon_all(s);
    event_queue_cancel(s->env.queue, &s->front);
    for (size_t i = 0; i < t->stream_count; i++)
        if (!t->o->keep_sources)
            inst_source_release(t->streams[i].source);
    free(t->streams);
    free(t->next);
    s->timeline = NULL;
}

int simulator_run_streams(struct simulator *s, const struct sim_work *work, size_t n,
                          const struct sim_stream_options *o, struct sim_timeline *out, struct err *e)
{
    struct timeline t = {.sim = s, .work = work, .o = o, .out = out, .count = n};
    uint64_t most = CLOCK_CYCLES_MAX / 2, limit = o->base.limit_cycles, first;
    bool late = false;
    int ret;

    memset(out, 0, sizeof *out);
    make_ready(&t);
    ret = check_watch(&t, e) < 0 ? -1 : link_items(&t, e);
    first = clock_from_ps(&s->env.clock, t.begin);
    limit = first + (limit && limit < most - first ? limit : most - first);
    if (ret == 0) {
        if (o->base.checkpoint && o->base.checkpoint->resume)
            ret = resume(&t, e);
        else
            wait_for_next(&t);
    }
    if (ret == 0)
        ret = run_with_checkpoints(
            &t, limit, o->base.limit_host_us ? clock_monotonic_us() + o->base.limit_host_us : 0, &late, e);
    if (ret == 0 && t.ended < n)
        ret = cut_short(&t, limit, late, e);
    if (ret == 0)
        add_up(&t);
    s->usable = ret == 0 && out->end == SIM_DONE && !s->env.stopped;
    release(&t);
    if (ret < 0)
        sim_timeline_release(out);
    return ret;
}

void sim_timeline_release(struct sim_timeline *t)
{
    free(t->report);
    memset(t, 0, sizeof *t);
}

/* --- one launch alone --- */

struct single {
    struct inst_source *source;
    struct sim_result *out;
};

static int give_source(void *ctx, size_t index, struct inst_source **out, struct err *e)
{
    (void)index, (void)e;
    *out = ((struct single *)ctx)->source;
    return 0;
}

static int take_result(void *ctx, const struct sim_span *span, struct err *e)
{
    (void)e;
    *((struct single *)ctx)->out = *span->result;
    memset(span->result, 0, sizeof *span->result);
    return 0;
}

/* A limit came before the first CTA: all that there was is the start. */
static int never_began(const struct simulator *s, const struct sim_timeline *t, struct sim_result *out,
                       struct err *e)
{
    uint64_t slots = t->cycles * s->design->sms * SUB_CORES;
    const struct counters c = {
        .cycles = t->cycles, .launch_cycles = t->cycles, .slots_total = slots, .slots_launch = slots};

    out->end = t->end;
    out->cycles = out->launch_cycles = t->cycles;
    out->counters = counters_list(&c, &out->counter_count, e);
    return out->counters ? 0 : -1;
}

int simulator_run(struct simulator *s, struct inst_source *source, const struct sim_options *o,
                  struct sim_result *out, struct err *e)
{
    static const struct sim_options nothing;
    const struct sim_work one = {.kind = SIM_KERNEL};
    struct single single = {source, out};
    const struct sim_stream_options so = {
        .base = o ? *o : nothing, .keep_sources = true, .open = give_source, .done = take_result, .ctx = &single};
    struct sim_timeline t;

    memset(out, 0, sizeof *out);
    if (simulator_run_streams(s, &one, 1, &so, &t, e) < 0) {
        sim_result_release(out);
        return -1;
    }
    out->report = t.report;
    out->checkpoints = t.checkpoints;
    if (out->counters || never_began(s, &t, out, e) == 0)
        return 0;
    sim_result_release(out);
    return -1;
}
