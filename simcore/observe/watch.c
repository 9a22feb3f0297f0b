#include "simcore/observe/watch.h"

#include "simcore/observe/explanation.h"
#include "simcore/observe/projection.h"
#include "simcore/observe/recorder.h"

int watch_begin(struct simulator *s, const struct sim_options *o, struct err *e)
{
    struct observer *w = &s->observer;

    watch_drop(s);
    if (o && o->record_interval_cycles) {
        w->recorder = recorder_new(s->design, &s->launch[0]->source->info, o->record_interval_cycles, e);
        if (!w->recorder)
            return -1;
    }
    if (o && o->explain) {
        w->explanation = explanation_new(s->design, o->explain->cta, o->explain->warp, e);
        if (!w->explanation)
            return -1;
    }
    if (o && o->projection) {
        w->projection = projection_new(s, o, e);
        if (!w->projection)
            return -1;
    }
    if (w->recorder || w->projection || w->explanation) {
        s->env.observer = w;
        memory_observe(s->memory, w);
    }
    return 0;
}

int watch_end(struct simulator *s, uint64_t cycles, struct sim_result *out, struct err *e)
{
    struct observer *w = &s->observer;

    if (w->recorder && recorder_end(w->recorder, s->sms, s->design, cycles, &out->recording, e) < 0)
        return -1;
    if (w->explanation && w->explanation->failed)
        return err_no_memory(e);
    out->explanation = w->explanation;
    w->explanation = NULL;
    return 0;
}

void watch_drop(struct simulator *s)
{
    projection_free(s->observer.projection);
    explanation_free(s->observer.explanation);
    recorder_free(s->observer.recorder);
    s->observer = (struct observer){0};
    s->env.observer = NULL;
    memory_observe(s->memory, NULL);
}
