/* simcore/launch_alone.c: simulator_run(): simulates one launch as a list of one item.
 *
 *
 * If the warm image of the launch is missing, a second simulation directly after the first gives the other bound:
 * the same launch with the lines that it left itself. A replay instead would need additional time, and its order of
 * accesses is less exact. */
#include <string.h>

#include "simcore/gpu.h"

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

/* For a limit before the first CTA: the result has only the launch overhead. */
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

static const struct sim_options nothing;

static int run_once(struct simulator *s, struct inst_source *source, const struct sim_options *o,
                    struct sim_result *out, struct err *e)
{
    const struct sim_work one = {.kind = SIM_KERNEL};
    struct single single = {source, out};
    const struct sim_stream_options so = {
        .base = *o, .keep_sources = true, .open = give_source, .done = take_result, .ctx = &single};
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

/* --- the bound of a launch whose warm image is missing --- */

static bool needs_bound(const struct sim_options *o, const struct sim_result *r)
{
    return o->reopen && o->caches == SIM_CACHES_WARM && r->end == SIM_DONE && !r->warm && !o->explain &&
           !o->projection && !o->checkpoint;
}

/* Simulates the launch again with the cache content that it left. */
static int find_bound(struct simulator *s, const struct sim_options *o, uint64_t *cycles, struct err *e)
{
    struct sim_options again = *o;
    struct inst_source *source;
    struct sim_result r = {.counters = NULL};
    int ret;

    again.caches = SIM_CACHES_KEPT;
    again.record_interval_cycles = 0;
    if (o->reopen(o->reopen_ctx, &source, e) < 0)
        return -1;
    ret = run_once(s, source, &again, &r, e);
    inst_source_release(source);
    if (ret < 0)
        return -1;
    *cycles = r.end == SIM_DONE ? r.cycles : 0; /* 0 if a limit ended it: unknown */
    sim_result_release(&r);
    return 0;
}

/* A launch whose cycles are an interval between two bounds is not projected. */
static bool only_whole(const struct sim_options *o, const struct inst_source *source)
{
    return o->projection && o->projection_warm_only && o->caches == SIM_CACHES_WARM && !source->warm;
}

int simulator_run(struct simulator *s, struct inst_source *source, const struct sim_options *o,
                  struct sim_result *out, struct err *e)
{
    const struct sim_options *how = o ? o : &nothing;
    struct sim_options whole = *how;
    const char *why_not = NULL;

    s->native_only = how->native_only;
    if (only_whole(how, source)) {
        whole.projection = PROJECT_NONE;
        how = &whole;
        why_not = "its trace does not hold what earlier launches left in the caches";
    }
    if (run_once(s, source, how, out, e) < 0)
        return -1;
    if (why_not)
        out->projected.why_not = why_not;
    if (!needs_bound(how, out) || find_bound(s, how, &out->cycles_warm_bound, e) == 0)
        return 0;
    sim_result_release(out);
    return err_wrap(e, "with what it leaves in the caches");
}
