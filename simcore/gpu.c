#include "simcore/gpu.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "simcore/mem/event_path.h"
#include "simcore/observe/explanation.h"
#include "simcore/observe/power.h"
#include "simcore/observe/projection.h"
#include "simcore/observe/recording.h"
#include "simcore/observe/watch.h"
#include "simcore/sm/flight.h"

enum { PROGRESS_EVERY = 2000000 };

static uint32_t most_events(const struct gpu_design *d)
{
    return d->sms /* one wake-up each */ + 1 /* a sample's end */ +
           (d->model.memory == MEMORY_EVENT ? event_path_events(d) : 0);
}

/* Requests go behind L1 event by event. */
static int use_events(struct simulator *s, struct err *e)
{
    const struct gpu_design *d = s->design;
    uint32_t back = d->l1_latency - d->l1_detect; /* from the SM's port to the warp */

    s->env.lookahead = back ? back - 1 : 0;
    s->env.path = event_path_new(s->env.memory, d, s->env.queue, flight_done, s->sms, e);
    return s->env.path ? 0 : -1;
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
    clock_domain_init(&s->env.clock, d->sm_khz);
    s->env.memory = memory_new(d, e);
    s->env.queue = s->env.memory ? event_queue_new(most_events(d), e) : NULL;
    s->sms = s->env.queue ? mem_zalloc(d->sms, sizeof *s->sms, e) : NULL;
    if (!s->sms || (d->model.memory == MEMORY_EVENT && use_events(s, e) < 0))
        goto fail;
    for (uint32_t i = 0; i < d->sms; i++)
        if (sm_init(&s->sms[i], &s->env, i, e) < 0)
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
    free(s->sms);
    event_path_free(s->env.path);
    event_queue_free(s->env.queue);
    memory_free(s->env.memory);
    static_code_release(&s->launch.code);
    free(s);
}

int design_fits(const struct gpu_design *d, const struct kernel_info *k, struct err *e)
{
    struct occupancy fit;

    return occupancy_of(d, k, &fit, e);
}

uint64_t design_wave_ctas(const struct gpu_design *d, const struct kernel_info *k)
{
    struct occupancy fit;
    struct err ignored; /* 0 says it */

    return occupancy_of(d, k, &fit, &ignored) < 0 ? 0 : (uint64_t)fit.ctas * d->sms;
}

static int begin(struct simulator *s, struct inst_source *source, struct err *e)
{
    struct sm_env *env = &s->env;
    struct static_code code = s->launch.code; /* keeps its memory */

    static_code_clear(&code);
    s->launch = (struct launch){.source = source,
                                .code = code,
                                .shared_base = source->info.shared_base,
                                .local_base = source->info.local_base,
                                .last_cycle = s->design->kernel_cycles};
    if (occupancy_of(s->design, &source->info, &s->launch.fit, e) < 0)
        return -1;
    s->scheduler = (struct cta_scheduler){.env = env, .sms = s->sms, .launch = &s->launch};
    event_queue_reset(env->queue);
    memory_begin(env->memory);
    if (env->path)
        event_path_begin(env->path);
    env->issued = 0;
    env->failed = env->stopped = false;
    return 0;
}

/* Runs events until nothing is left, the limit or an error. */
static int run_events(struct simulator *s, const struct sim_options *o, uint64_t limit_cycles, struct err *e)
{
    struct sm_env *env = &s->env;
    sim_time_ps until = clock_to_ps(&env->clock, limit_cycles);
    uint64_t next_progress = PROGRESS_EVERY;

    while (event_queue_step(env->queue, until)) {
        if (env->failed) {
            *e = env->err;
            return -1;
        }
        if (env->stopped)
            return 0;
        if (env->issued < next_progress)
            continue;
        next_progress = env->issued + PROGRESS_EVERY;
        if (o && o->progress &&
            o->progress(o->progress_ctx, clock_from_ps(&env->clock, event_queue_now(env->queue)), env->issued))
            return err_set(e, ERR_SIMULATION, "stopped on request");
    }
    return 0;
}

/* The last cycle that any SM has put into its account, or `cycle` if that is later. */
static uint64_t furthest(const struct simulator *s, uint64_t cycle)
{
    for (uint32_t i = 0; i < s->design->sms; i++) {
        for (uint32_t k = 0; k < SUB_CORES && s->sms[i].active; k++)
            if (s->sms[i].sub[k].accounted > cycle)
                cycle = s->sms[i].sub[k].accounted;
    }
    return cycle;
}

static void finish_sms(struct simulator *s, uint64_t end_cycle)
{
    uint64_t launch = s->design->kernel_cycles;

    for (uint32_t i = 0; i < s->design->sms; i++) {
        if (s->sms[i].active) {
            s->launch.count.active_sms++;
            sm_finish(&s->sms[i], end_cycle, &s->launch);
        } else {
            s->launch.count.slots_idle[SLOT_EMPTY] += (end_cycle - launch) * SUB_CORES;
        }
    }
}

static void take_memory_counters(struct counters *c, const struct simulator *s, uint64_t cycles)
{
    const struct mem_counters *m = memory_counters(s->env.memory);
    const struct dram_counters *d = memory_dram_counters(s->env.memory);
    sim_time_ps span = clock_to_ps(&s->env.clock, cycles);

    c->l2_read_requests = m->read_requests;
    c->l2_read_sectors = m->read_sectors;
    c->l2_read_hit_sectors = m->read_hit_sectors;
    c->l2_read_miss_sectors = m->read_miss_sectors;
    c->l2_write_requests = m->write_requests;
    c->l2_write_sectors = m->write_sectors;
    c->l2_atomic_requests = m->atomic_requests;
    c->l2_atomic_sectors = m->atomic_sectors;
    c->l2_far_requests = m->far_requests;
    c->l2_far_sectors = m->far_sectors;
    c->l2_writebacks = m->writebacks;
    c->noc_request_bytes = m->request_bytes;
    c->noc_reply_bytes = m->reply_bytes;
    c->dram_read_sectors = d->read_sectors;
    c->dram_write_sectors = d->write_sectors;
    c->dram_row_hits = d->row_hits;
    c->dram_row_misses = d->row_misses;
    c->dram_busy = span ? memory_dram_busy_ps(s->env.memory) / s->design->dram_channels * 1000 / span : 0;
}

static void complete_counters(struct simulator *s, uint64_t cycles)
{
    const struct trace_repairs *r = &s->launch.source->repairs;
    struct counters *c = &s->launch.count;
    uint64_t slots = (uint64_t)s->design->sms * SUB_CORES;

    c->cycles = cycles;
    c->launch_cycles = s->design->kernel_cycles;
    c->warp_instructions = c->slots_issued;
    c->slots_launch = slots * c->launch_cycles;
    c->slots_total = slots * cycles;
    c->resident_ctas_limit = s->launch.fit.ctas;
    c->carveout_bytes = s->launch.fit.carveout_bytes;
    c->l1_bytes = (uint64_t)l1_ways(s->design, s->launch.fit.carveout_bytes) * s->design->l1_sets * LINE_BYTES;
    for (size_t i = 0; i < s->launch.code.op_count; i++)
        c->unknown_opcodes += !s->launch.code.op[i].known;
    c->repair_destinations = r->destination_from_source;
    c->repair_register_groups = r->register_group;
    c->repair_empty_ctas = r->empty_ctas;
    c->repair_damaged_warps = r->damaged_warps;
    c->repair_access_widths = r->access_width;
    c->repair_operand_kinds = r->operand_kind;
    c->repair_lane_addresses = r->lane_addresses;
    take_memory_counters(c, s, cycles);
    power_complete(c, s->design);
}

/* After the last event: how did it end, and when? */
static int finish(struct simulator *s, uint64_t limit_cycles, struct sim_result *out, struct err *e)
{
    uint64_t drained = clock_from_ps(&s->env.clock, s->launch.stores_done);
    uint64_t cycles =
        s->env.stopped ? clock_from_ps(&s->env.clock, event_queue_now(s->env.queue)) : s->launch.last_cycle;

    out->end = SIM_DONE;
    if (s->launch.resident && !s->env.stopped) {
        out->end = event_queue_pending(s->env.queue) ? SIM_CYCLE_LIMIT : SIM_STALLED;
        out->report = stall_report(s, e);
        if (!out->report)
            return -1;
    }
    cycles = furthest(s, cycles);
    if (out->end == SIM_CYCLE_LIMIT && cycles < limit_cycles)
        cycles = limit_cycles;
    if (out->end == SIM_DONE && !s->env.stopped && cycles < drained)
        cycles = drained; /* a kernel ends when its last store has been accepted */
    if (watch_end(s, cycles, out, e) < 0)
        return -1;
    finish_sms(s, cycles);
    complete_counters(s, cycles);
    if (s->observer.projection)
        projection_result(s->observer.projection, &s->launch.count, &out->projected);
    out->cycles = s->launch.count.cycles;
    out->launch_cycles = s->launch.count.launch_cycles;
    out->warp_instructions = s->launch.count.warp_instructions;
    out->counters = counters_list(&s->launch.count, &out->counter_count, e);
    return out->counters ? 0 : -1;
}

int simulator_run(struct simulator *s, struct inst_source *source, const struct sim_options *o,
                  struct sim_result *out, struct err *e)
{
    uint64_t limit =
        o && o->limit_cycles && o->limit_cycles < CLOCK_CYCLES_MAX / 2 ? o->limit_cycles : CLOCK_CYCLES_MAX / 2;
    int ret;

    memset(out, 0, sizeof *out);
    if (begin(s, source, e) < 0 || watch_begin(s, o, e) < 0)
        return -1;
    ret = cta_scheduler_start(&s->scheduler, s->design->kernel_cycles, e);
    if (ret >= 0)
        ret = run_events(s, o, limit, e);
    if (ret >= 0)
        ret = finish(s, limit, out, e);
    if (ret < 0) {
        finish_sms(s, furthest(s, s->design->kernel_cycles)); /* gives the CTAs back */
        sim_result_release(out);
    }
    watch_drop(s);
    return ret < 0 ? -1 : 0;
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
