/* simcore/sm/sm.c: starts and ends CTAs on an SM and moves its time forward. */
#include "simcore/sm/sm.h"

#include <string.h>

#include "base/assert.h"
#include "simcore/sm/outstanding.h"
#include "simcore/sm/poll.h"
#include "simcore/sm/scheduler/select.h"

void sm_begin(struct sm *sm, uint64_t base, uint32_t carveout_bytes)
{
    memset(sm->sub, 0, sizeof sm->sub);
    for (uint32_t s = 0; s < SUB_CORES; s++) {
        for (uint32_t i = 0; i < SUB_WARPS_MAX; i++)
            sm->sub[s].ready[i] = SM_NEVER;
        sm->sub[s].next = SM_NEVER;
        sm->sub[s].accounted = base;
        sm->sub[s].last = SUB_WARPS_MAX - 1;
        memset(sm->sub[s].kept, REG_ZERO, sizeof sm->sub[s].kept);
    }
    memset(sm->pipe_free, 0, sizeof sm->pipe_free);
    memset(sm->store_slot, 0, sm->env->design->lsu_stores * sizeof *sm->store_slot);
    sm->lsu_free_256 = 0;
    sm->lsu_stalled_until = 0;
    sm->resident_ctas = 0;
    sm->used = (struct sm_room){0};
    sm->next_age = 0;
    sm->last_sub = 0;
    sm->bulk_began = sm->bulk_free = sm->cluster_free = 0;
    sm->outside = sm->births = sm->mbarriers = 0;
    for (uint32_t i = 0; i < SM_CTAS_MAX; i++)
        sm->cta[i].trace = NULL;
    sm->base = base;
    sm->active = true;
    sm_set_carveout(sm, carveout_bytes);
}

void sm_set_carveout(struct sm *sm, uint32_t carveout_bytes)
{
    sm->carveout_bytes = carveout_bytes;
    l1_begin(&sm->l1, sm->env->design, carveout_bytes);
    fetch_begin(&sm->fetch);
    sm->env->outstanding->begin(sm);
}

/* A free warp slot of the sub-core with the fewest resident warps. */
static uint32_t free_slot(const struct sm *sm)
{
    uint32_t best = 0, each = sm->env->design->warps / SUB_CORES;

    for (uint32_t s = 1; s < SUB_CORES; s++)
        if (sm->sub[s].resident < sm->sub[best].resident)
            best = s;
    for (uint32_t i = 0; i < each; i++) {
        uint32_t slot = i * SUB_CORES + best;

        if (!sm->warp[slot].insts)
            return slot;
    }
    return SM_WARPS_MAX; /* not reached: the CTA scheduler checks the occupancy */
}

static int32_t rank_of(struct sm *sm, uint32_t place)
{
    uint32_t age = ++sm->next_age % SCHEDULER_AGES;

    return (int32_t)(scheduler_priority(sm->env->design->scheduler, age) * SUB_WARPS_MAX + place);
}

static void start_warp(struct sm *sm, uint32_t cta, uint32_t index, const struct cta_warp *w, uint32_t t)
{
    uint32_t slot = free_slot(sm);
    struct sub_core *sc = &sm->sub[slot % SUB_CORES];

    sm->warp[slot] = (struct warp){.insts = w->insts,
                                   .launch = sm->cta[cta].launch,
                                   .count = w->ready,
                                   .last_mask = w->insts[0].mask,
                                   .started = sm->base + t,
                                   .poll_at = poll_first(sm->cta[cta].trace, index),
                                   .cta = (uint16_t)cta,
                                   .index = (uint16_t)index};
    memset(sm_registers(sm, slot), 0, REG_STRIDE * sizeof(uint32_t));
    sm->cta[cta].slot_of[index] = (uint8_t)slot;
    sm->cta[cta].live_mask |= 1ull << index;
    sm->cta[cta].live++;
    sc->rank[slot / SUB_CORES] = rank_of(sm, slot / SUB_CORES);
    if (sc->span <= slot / SUB_CORES)
        sc->span = (uint8_t)(slot / SUB_CORES + 1);
    sc->resident++;
    sm->env->outstanding->begin_warp(sm, slot);
    sm_set_ready(sm, slot, t, SLOT_EMPTY);
}

void sm_next_window(struct sm *sm, struct warp *w)
{
    struct cta_trace *trace = sm->cta[w->cta].trace;
    const struct cta_warp *from = &trace->warps[w->index];

    ASSERT(w->position + 1 == w->count && w->count == from->ready);
    if (from->first + from->ready == from->count)
        return;
    if (cta_warp_window(trace, w->index, from->first + w->position, &sm->env->err) < 0) {
        sm->env->failed = true;
        return;
    }
    w->insts = from->insts;
    w->position = 0;
    w->count = from->ready;
}

uint32_t sm_add_cta(struct sm *sm, struct launch *launch, struct cta_trace *trace, uint64_t cycle)
{
    uint32_t slot = 0, t = sm_local(sm, cycle), started = 0;
    struct cta *cta;

    while (sm->cta[slot].trace)
        slot++;
    cta = &sm->cta[slot];
    memset(cta, 0, sizeof *cta);
    cta->trace = trace;
    cta->launch = launch;
    cta->warps = (uint16_t)trace->warp_count;
    cta->born = ++sm->births;
    if (!sm->resident_ctas++)
        sm->ctas_since = cycle;
    occupancy_take(&sm->used, &launch->fit.cta);
    for (uint32_t w = 0; w < trace->warp_count; w++)
        if (trace->warps[w].count)
            start_warp(sm, slot, w, &trace->warps[w], t + started++ * sm->env->design->warp_cycles);
    launch->count.warps += started;
    for (uint32_t s = 0; s < SUB_CORES; s++)
        if (sm->sub[s].next != SM_NEVER)
            sm_schedule(sm, sm->sub[s].next);
    return slot;
}

void sm_finish(struct sm *sm, uint64_t end_cycle, struct launch *launch)
{
    event_queue_cancel(sm->env->queue, &sm->wake);
    for (uint32_t s = 0; s < SUB_CORES; s++)
        if (sm->sub[s].accounted < end_cycle)
            launch->count.slots_idle[SLOT_EMPTY] += end_cycle - sm->sub[s].accounted;
    if (sm->resident_ctas && sm->ctas_since < end_cycle)
        launch->count.sm_active_cycles += end_cycle - sm->ctas_since;
    for (uint32_t i = 0; i < SM_CTAS_MAX; i++) {
        if (sm->cta[i].trace)
            inst_source_release_cta(sm->cta[i].launch->source, sm->cta[i].trace);
        sm->cta[i].trace = NULL;
    }
    for (uint32_t i = 0; i < SM_WARPS_MAX; i++)
        sm->warp[i].insts = NULL;
    sm->active = false;
}
