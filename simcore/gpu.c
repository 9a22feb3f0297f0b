#include "simcore/gpu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "simcore/engine/wide.h"
#include "simcore/mem/path_event/event_path.h"
#include "simcore/observe/explanation.h"
#include "simcore/record/recording.h"
#include "simcore/sm/flight.h"
#include "simcore/sm/outstanding.h"

static const struct mem_port_ops *mem_port_of(uint32_t level)
{
    static const struct mem_port_ops *const paths[] = {
#define X(enumerator, name, what) &mem_port_##name,
        MEMORY_PATHS(X)
#undef X
    };

    return paths[level];
}

static const struct cta_placement *cta_placement_of(uint32_t policy)
{
    static const struct cta_placement *const all[] = {
#define X(enumerator, name, what) &cta_placement_##name,
        CTA_SCHEDULERS(X)
#undef X
    };

    return all[policy];
}

static uint32_t most_events(const struct gpu_design *d)
{
    return d->sms /* one wake-up each */ + 2 /* the timeline, and a sample's end */ +
           (mem_port_of(d->model.memory)->post ? event_path_events(d) : 0);
}

/* Sets up the memory path with events. */
static int use_events(struct simulator *s, struct err *e)
{
    const struct gpu_design *d = s->design;
    uint32_t back = d->l1_latency - d->l1_detect; /* cycles from the SM's port to the warp */

    s->env.lookahead = back ? back - 1 : 0;
    s->env.outstanding = &outstanding_flight;
    s->port.path = event_path_new(s->memory, d, s->env.queue, flight_done, s->sms, e);
    return s->port.path ? 0 : -1;
}

struct simulator *simulator_new(const struct gpu_design *d, struct err *e)
{
    struct simulator *s = mem_zalloc(1, sizeof *s, e);

    if (!s)
        return NULL;
    s->design = d;
    s->env.design = d;
    s->env.scheduler = &s->scheduler;
    s->env.rebase_at = SM_REBASE_DEFAULT;
    s->front.fire = timeline_fire;
    s->front.component = d->sms;
    clock_domain_init(&s->env.clock, d->sm_khz);
    s->memory = memory_new(d, e);
    s->port = (struct mem_port){.ops = mem_port_of(d->model.memory), .memory = s->memory};
    s->env.port = &s->port;
    s->env.outstanding = &outstanding_known;
    s->env.lookahead = UINT32_MAX;
    s->env.queue = s->memory ? event_queue_new(most_events(d), e) : NULL;
    s->sms = s->env.queue ? wide_zalloc(d->sms, sizeof *s->sms, e) : NULL;
    s->room = s->sms ? wide_zalloc(d->sms, sm_room_bytes(d), e) : NULL;
    if (!s->room || (s->port.ops->post && use_events(s, e) < 0))
        goto fail;
    s->scheduler = (struct cta_scheduler){.env = &s->env,
                                          .sms = s->sms,
                                          .placement = cta_placement_of(d->cta_scheduler),
                                          .over = timeline_launch_over,
                                          .ctx = s};
    for (uint32_t i = 0; i < d->sms; i++)
        if (sm_init(&s->sms[i], &s->env, i, s->room + i * sm_room_bytes(d), e) < 0)
            goto fail;
    return s;
fail:
    simulator_free(s);
    return NULL;
}

void simulator_free(struct simulator *s)
{
    if (!s)
        return;
    for (uint32_t i = 0; s->sms && i < s->design->sms; i++)
        sm_release(&s->sms[i]);
    wide_free(s->sms, s->design->sms, sizeof *s->sms);
    wide_free(s->room, s->design->sms, sm_room_bytes(s->design));
    free(s->env.clusters.all);
    event_path_free(s->port.path);
    event_queue_free(s->env.queue);
    memory_free(s->memory);
    for (uint32_t i = 0; i < LAUNCHES_MAX && s->launch[i]; i++) {
        static_code_release(&s->launch[i]->code);
        free(s->launch[i]);
    }
    free(s);
}

void simulator_flush(struct simulator *s)
{
    memory_begin(s->memory);
    if (s->port.path)
        event_path_begin(s->port.path);
}

int design_fits(const struct gpu_design *d, const struct kernel_info *k, struct err *e)
{
    struct occupancy fit;

    return occupancy_of(d, k, &fit, e);
}

int design_is_foreign(const struct gpu_design *d, const struct kernel_info *k, char text[FOREIGN_TEXT_BYTES])
{
    uint32_t code = k->binary_version, gpu = d->compute_capability;

    if (!code || (code / 10 == gpu / 10 && code <= gpu))
        return 0;
    snprintf(text, FOREIGN_TEXT_BYTES,
             "the trace is of code for sm_%u, and %s is sm_%u: it would execute other code of this kernel", code,
             d->name, gpu);
    return 1;
}

uint64_t design_wave_ctas(const struct gpu_design *d, const struct kernel_info *k)
{
    struct occupancy fit;
    struct err ignored; /* the return value 0 reports it */

    return occupancy_of(d, k, &fit, &ignored) < 0 ? 0 : (uint64_t)fit.ctas * d->sms;
}

uint64_t design_l2_lines(const struct gpu_design *d)
{
    return d->l2_bytes / LINE_BYTES;
}

int simulate(const struct gpu_design *d, struct inst_source *source, const struct sim_options *o,
             struct sim_result *out, struct err *e)
{
    struct simulator *s = simulator_new(d, e);
    int ret;

    memset(out, 0, sizeof *out);
    if (!s)
        return -1;
    ret = simulator_run(s, source, o, out, e);
    simulator_free(s);
    return ret;
}

void sim_result_release(struct sim_result *r)
{
    free(r->counters);
    free(r->report);
    recording_free(r->recording);
    explanation_free(r->explanation);
    memset(r, 0, sizeof *r);
}

struct sim_counter *sim_counters_describe(size_t *n, struct err *e)
{
    static const struct counters none;

    return counters_list(&none, n, e);
}
