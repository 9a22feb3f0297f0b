/* simcore/timeline.c: streams: determines when each launch, copy or gap begins.
 *
 * Each stream processes one item at a time and has the time of its next step. The timeline is one event, at the
 * earliest of these times. The steps of a kernel: its stream is ready (begin), its first CTA can start after the
 * launch latency (open), its last store is accepted (end). A copy proceeds in pieces, so that copies and kernels
 * share resources. */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "simcore/checkpoint.h"
#include "simcore/mem/path_event/event_path.h"
#include "simcore/observe/watch.h"
#include "simcore/sm/poll.h"
#include "simcore/timeline_internal.h"

enum { PROGRESS_EVERY = 2000000, LOOK_AT_CLOCK_EVERY = 256 };

const char *const sim_work_names[SIM_WORK_KINDS] = {"kernel",    "copy to device", "copy to host", "device copy",
                                                    "peer copy", "memset",         "gap"};

static int check_watch(const struct timeline *t, struct err *e)
{
    const struct sim_options *o = &t->o->base;

    if (o->checkpoint && (o->record_interval_cycles || o->explain || o->projection))
        return err_set(e, ERR_INVALID, "a launch with checkpoints cannot be recorded, explained or projected");
    if (o->checkpoint && o->caches != SIM_CACHES_FLUSHED && o->caches != SIM_CACHES_WARM)
        return err_set(e, ERR_INVALID, "a launch with checkpoints begins with warm or flushed caches");
    if ((o->record_interval_cycles || o->explain || o->projection || o->checkpoint) &&
        (t->count != 1 || t->work[0].kind != SIM_KERNEL || t->begin != 0))
        return err_set(e, ERR_INVALID,
                       "only a single launch, with warm, flushed or replayed caches, can be recorded, explained or "
                       "projected, or have "
                       "checkpoints");
    return 0;
}

/* If no event is left: whether a poll that may wait for too many writes continues. */
static bool give_up_a_poll(struct simulator *s)
{
    if (event_queue_pending(s->env.queue) || s->env.failed)
        return false;
    for (uint32_t i = 0; i < LAUNCHES_MAX && s->launch[i]; i++)
        if (poll_give_up(&s->env, s->launch[i]))
            return true;
    return false;
}

/* Runs events until none is left, a limit is reached or an error occurs. */
static int run_events(struct timeline *t, sim_time_ps until, uint64_t stop_at_us, bool *late, struct err *e)
{
    struct sm_env *env = &t->sim->env;
    const struct sim_options *o = &t->o->base;
    uint64_t next_progress = env->issued + PROGRESS_EVERY, steps = 0;

    while (event_queue_step(env->queue, until) || give_up_a_poll(t->sim)) {
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

/* --- checkpoints of a single launch --- */

static int resume(struct timeline *t, struct err *e)
{
    struct stream *s = &t->streams[0];
    struct checkpoint_step step = {0};

    if (t->o->open(t->o->ctx, 0, &s->source, e) < 0)
        return -1;
    s->warm = t->o->base.caches == SIM_CACHES_WARM && s->source->warm; /* the launch began with its warm image */
    s->launch = launch_new(t->sim, s->source, 0, e);
    if (!s->launch || checkpoint_resume(t->sim, s->launch, &step, t->o->base.checkpoint, e) < 0)
        return -1;
    s->step = step.over ? STEP_END : STEP_RUN;
    s->at = step.at;
    return 0;
}

/* The cycle of the next checkpoint. */
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

/* The last cycle of the launches on the GPU. */
static uint64_t last_cycle(const struct timeline *t)
{
    uint64_t cycle = clock_from_ps(&t->sim->env.clock, t->begin);

    if (t->sim->env.stopped) /* an observer has ended the simulation */
        return launch_furthest(t->sim, clock_from_ps(&t->sim->env.clock, event_queue_now(t->sim->env.queue)));
    for (size_t i = 0; i < t->stream_count; i++)
        if (t->streams[i].launch && t->streams[i].launch->last_cycle > cycle)
            cycle = t->streams[i].launch->last_cycle;
    return launch_furthest(t->sim, cycle);
}

/* Ends the run before all items have completed. Launches on the GPU get their results up to now. */
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
        if (t->streams[i].launch && timeline_end_kernel(t, &t->streams[i], t->out->end, cycle, e) < 0)
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

    if (t->o->base.caches != SIM_CACHES_KEPT || !s->usable) {
        event_queue_reset(s->env.queue);
        simulator_flush(s);
        s->scheduler.dispatch_free = 0;
    }
    s->several = t->count > 1;
    s->native_only = t->o->base.native_only;
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
        timeline_drop_source(t, &t->streams[i]);
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
    ret = check_watch(&t, e) < 0 ? -1 : timeline_link(&t, e);
    first = clock_from_ps(&s->env.clock, t.begin);
    limit = first + (limit && limit < most - first ? limit : most - first);
    if (ret == 0) {
        if (o->base.checkpoint && o->base.checkpoint->resume)
            ret = resume(&t, e);
        else
            timeline_wait(&t);
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
