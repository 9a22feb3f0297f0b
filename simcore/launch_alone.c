/* simcore/launch_alone.c: simulator_run(): one launch by itself, as a list of one item. */
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
