/* simcore/launch_life.c: a launch from its first CTA to its end, and the attribution of every issue slot to a
 * launch.
 *
 * A busy period begins with the first CTA of a launch on an empty GPU and ends when no launch is left. Idle slots
 * in it are attributed to the launch whose warp ends the gap; the slots after the last issue are attributed to the
 * launch that ends the period. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "simcore/gpu.h"
#include "simcore/observe/power.h"
#include "simcore/observe/projection.h"
#include "simcore/sm/fetch.h"

static uint64_t slots_a_cycle(const struct simulator *s)
{
    return (uint64_t)s->design->sms * SUB_CORES;
}

/* --- start of a launch --- */

bool launch_free_place(const struct simulator *s)
{
    for (uint32_t i = 0; i < LAUNCHES_MAX; i++)
        if (!s->launch[i] || !s->launch[i]->source)
            return true;
    return false;
}

static struct launch *free_place(struct simulator *s, struct err *e)
{
    for (uint32_t i = 0; i < LAUNCHES_MAX; i++) {
        if (!s->launch[i]) {
            s->launch[i] = mem_zalloc(1, sizeof *s->launch[i], e);
            if (s->launch[i])
                s->launch[i]->code.first_line = i << (32 - FETCH_LINE_SHIFT);
        }
        if (!s->launch[i] || !s->launch[i]->source)
            return s->launch[i];
    }
    err_set(e, ERR_INVALID, "more than %d launches at once", LAUNCHES_MAX);
    return NULL;
}

/* The CTAs of a cluster must fit into one GPC; the first GPC has the most SMs. */
static int check_cluster(const struct simulator *s, const struct kernel_info *k, const struct occupancy *fit,
                         struct err *e)
{
    const struct gpu_design *d = s->design;
    uint32_t sms = (d->sms + d->gpcs - 1) / d->gpcs;

    if (k->cluster <= 1)
        return 0;
    if (d->compute_capability < 90)
        return err_set(e, ERR_INVALID, "the kernel needs clusters of %u CTAs, which %s does not support",
                       k->cluster, d->name);
    if (k->cluster > CLUSTER_CTAS_MAX || k->cluster > (uint64_t)fit->ctas * sms)
        return err_set(e, ERR_INVALID, "a cluster of %u CTAs does not fit into a GPC of %s, which holds %u",
                       k->cluster, d->name,
                       fit->ctas * sms < CLUSTER_CTAS_MAX ? fit->ctas * sms : CLUSTER_CTAS_MAX);
    return 0;
}

struct launch *launch_new(struct simulator *s, struct inst_source *source, uint64_t begin_cycle, struct err *e)
{
    struct launch *l = free_place(s, e);
    struct static_code code;
    struct occupancy fit;

    if (!l || occupancy_of(s->design, &source->info, &fit, e) < 0 || check_cluster(s, &source->info, &fit, e) < 0)
        return NULL;
    source->windowed = true;
    code = l->code; /* keeps its memory for the next launch */
    static_code_clear(&code);
    code.native_only = s->native_only;
    *l = (struct launch){.source = source,
                         .code = code,
                         .fit = fit,
                         .shared_base = source->info.shared_base,
                         .local_base = source->info.local_base,
                         .grid_ctas = (uint64_t)source->info.grid[0] * source->info.grid[1] * source->info.grid[2],
                         .begin_cycle = begin_cycle,
                         .cluster = source->info.cluster > 1 ? source->info.cluster : 1};
    return l;
}

static void begin_busy_time(struct simulator *s, struct launch *l, uint64_t cycle)
{
    uint64_t from = s->settled;

    if (l->begin_cycle > from) {
        s->slots_idle += (l->begin_cycle - from) * slots_a_cycle(s);
        from = l->begin_cycle;
    }
    l->alone = from == l->begin_cycle;
    l->count.slots_launch = (cycle - from) * slots_a_cycle(s);
    s->scheduler.busy_from = s->settled = cycle;
    s->env.charged = NULL;
    account_memory(&s->env, l);
}

/* A launch that joins others shares their resources, but begins with an empty L1. */
static void join_others(struct simulator *s)
{
    for (uint32_t i = 0; i < LAUNCHES_MAX && s->launch[i]; i++)
        s->launch[i]->alone = false;
    for (uint32_t i = 0; i < s->design->sms; i++)
        if (s->sms[i].active)
            l1_invalidate(&s->sms[i].l1);
}

int launch_start(struct simulator *s, struct launch *l, uint64_t cycle, struct err *e)
{
    l->first_cycle = l->last_cycle = cycle;
    if (s->running++)
        join_others(s);
    else
        begin_busy_time(s, l, cycle);
    l->dram_busy_before = memory_dram_busy_ps(s->memory);
    return cta_scheduler_add(&s->scheduler, l, cycle, e);
}

/* --- end of a launch --- */

uint64_t launch_end_cycle(const struct simulator *s, const struct launch *l)
{
    uint64_t drained = clock_from_ps(&s->env.clock, l->stores_done);

    return l->last_cycle > drained ? l->last_cycle : drained;
}

uint64_t launch_furthest(const struct simulator *s, uint64_t cycle)
{
    for (uint32_t i = 0; i < s->design->sms; i++) {
        for (uint32_t k = 0; k < SUB_CORES && s->sms[i].active; k++)
            if (s->sms[i].sub[k].accounted > cycle)
                cycle = s->sms[i].sub[k].accounted;
    }
    return cycle;
}

static void end_busy_time(struct simulator *s, struct launch *l, uint64_t cycle)
{
    for (uint32_t i = 0; i < s->design->sms; i++) {
        if (s->sms[i].active)
            sm_finish(&s->sms[i], cycle, l);
        else
            l->count.slots_idle[SLOT_EMPTY] += (cycle - s->scheduler.busy_from) * SUB_CORES;
    }
    s->settled = cycle;
}

static uint64_t own_slots(const struct counters *c)
{
    uint64_t n = c->slots_issued + c->slots_launch;

    for (int i = 0; i < SLOT_REASON_COUNT; i++)
        n += c->slots_idle[i];
    return n;
}

static void complete_counters(const struct simulator *s, struct launch *l, uint64_t cycles)
{
    const struct trace_repairs *r = &l->source->repairs;
    struct counters *c = &l->count;
    sim_time_ps span = clock_to_ps(&s->env.clock, cycles);
    uint64_t busy = memory_dram_busy_ps(s->memory) - l->dram_busy_before;

    c->cycles = cycles;
    c->launch_cycles = l->first_cycle - l->begin_cycle;
    c->warp_instructions = c->slots_issued;
    c->slots_total = l->alone ? slots_a_cycle(s) * cycles : own_slots(c);
    c->resident_ctas_limit = l->fit.ctas;
    c->carveout_bytes = l->fit.carveout_bytes;
    c->l1_bytes = (uint64_t)l1_ways(s->design, l->fit.carveout_bytes) * s->design->l1_sets * LINE_BYTES;
    for (uint32_t i = 0; i < DESIGN_SMS_MAX / 64; i++)
        c->active_sms += (uint64_t)__builtin_popcountll(l->on_sm[i]);
    for (size_t i = 0; i < l->code.op_count; i++)
        c->unknown_opcodes += !l->code.op[i].known;
    c->repair_destinations = r->destination_from_source;
    c->repair_register_groups = r->register_group;
    c->repair_empty_ctas = r->empty_ctas;
    c->repair_damaged_warps = r->damaged_warps;
    c->repair_access_widths = r->access_width;
    c->repair_operand_kinds = r->operand_kind;
    c->repair_lane_addresses = r->lane_addresses;
    c->repair_polls = r->polls;
    c->dram_busy = span ? busy / s->design->dram_channels * 1000 / span : 0;
    power_complete(c, s->design);
}

int launch_end(struct simulator *s, struct launch *l, uint64_t cycle, enum sim_end end, struct sim_result *out,
               struct err *e)
{
    account_memory(&s->env, s->env.charged == l ? NULL : s->env.charged);
    if (s->running && !--s->running)
        end_busy_time(s, l, cycle);
    complete_counters(s, l, cycle - l->begin_cycle);
    if (s->observer.projection)
        projection_result(s->observer.projection, &l->count, &out->projected);
    out->end = end;
    out->cycles = l->count.cycles;
    out->launch_cycles = l->count.launch_cycles;
    out->warp_instructions = l->count.warp_instructions;
    l->source = NULL;
    out->counters = counters_list(&l->count, &out->counter_count, e);
    return out->counters ? 0 : -1;
}

static void give_back_held(struct simulator *s)
{
    for (uint32_t i = 0; i < LAUNCHES_MAX && s->launch[i]; i++) {
        struct launch *l = s->launch[i];

        for (; l->source && l->held_count; l->held_count--)
            inst_source_release_cta(l->source, l->held[l->held_count - 1]);
    }
    s->scheduler.placing = NULL;
}

void launch_stop_all(struct simulator *s, uint64_t cycle)
{
    uint32_t first = 0;

    if (!s->running)
        return;
    account_memory(&s->env, NULL);
    while (!s->launch[first]->source)
        first++;
    end_busy_time(s, s->launch[first], cycle);
    give_back_held(s);
    s->running = 0;
}

void launch_abandon_all(struct simulator *s)
{
    launch_stop_all(s, s->settled);
    for (uint32_t i = 0; i < LAUNCHES_MAX && s->launch[i]; i++)
        s->launch[i]->source = NULL;
}
