/* simcore/observe/observer.c: passes events of a simulation to its observers. */
#include "simcore/observe/observer.h"

#include "simcore/observe/explanation.h"
#include "simcore/observe/projection.h"
#include "simcore/observe/recorder.h"

static void take_counts(const struct counters *c, uint64_t out[OBSERVED_L1_COUNT])
{
#define X(name) out[OBSERVED_##name] = c->name;
    OBSERVED_L1(X)
#undef X
}

static void take_changes(const struct counters *c, uint64_t out[OBSERVED_L1_COUNT])
{
#define X(name) out[OBSERVED_##name] = c->name - out[OBSERVED_##name];
    OBSERVED_L1(X)
#undef X
}

void observer_tell_issue(struct observer *o, const struct sm *sm, uint32_t slot, uint32_t t)
{
    const struct warp *w = &sm->warp[slot];

    if (o->recorder)
        recorder_issue(o->recorder, sm, slot, t);
    if (!o->projection && !o->explanation) { /* the fast path for a recording alone */
        struct recorded_issue *i = &o->recorder->issue;

        if (i->count == &w->launch->count)
            o->quiet = (struct observed_quiet){sm, w->launch, i->from, i->to - i->from, i->lane_class};
        return;
    }
    o->inst = &w->insts[w->position];
    o->count = &w->launch->count;
    if (o->projection)
        projection_issue(o->projection, sm->base + t);
    if (o->explanation)
        explanation_issue(o->explanation, sm, slot, t);
    if (o->explanation && w->launch->code.inst[o->inst->inst].pipe == PIPE_MEMORY)
        take_counts(o->count, o->before);
}

void observer_tell_issued(struct observer *o, const struct sm *sm, uint32_t slot, const struct static_inst *in,
                          uint32_t next)
{
    if (in->pipe == PIPE_MEMORY)
        take_changes(o->count, o->before);
    explanation_issued(o->explanation, sm, slot, in, next, o->before);
}

void observer_exit(struct observer *o, const struct sm *sm, const struct warp *w, uint32_t t, bool cta_over)
{
    if (o->recorder)
        recorder_exit(o->recorder, sm, w, t, cta_over);
    if (o->projection && cta_over)
        projection_cta_over(o->projection, &sm->cta[w->cta], w->started, sm->base + t + 1);
}

void observer_lsu(struct observer *o, const struct sm *sm, uint32_t start, uint32_t busy_cycles)
{
    if (o->explanation)
        explanation_lsu(o->explanation, sm, start, busy_cycles);
}

uint32_t observer_request(struct observer *o, const struct mem_request *r)
{
    return o->explanation ? explanation_request(o->explanation, r) : 0;
}

void observer_bank_moved(struct observer *o, uint32_t channel, uint32_t bank, uint32_t sectors, sim_time_ps at)
{
    if (o->recorder)
        recorder_bank_moved(o->recorder, channel, bank, sectors, at);
}

void observer_bank_pending(struct observer *o, uint32_t channel, uint32_t bank, sim_time_ps from, sim_time_ps to)
{
    if (o->recorder)
        recorder_bank_pending(o->recorder, channel, bank, from, to);
}

void observer_stage(struct observer *o, const struct mem_request *r, const struct mem_step *step)
{
    if (o->recorder)
        recorder_stage(o->recorder, r, step);
    if (o->explanation && r->watch)
        explanation_stage(o->explanation, r->watch, step);
}
