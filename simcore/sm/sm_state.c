#include "simcore/sm/sm_state.h"

#include "simcore/sm/warp_slots.h"

#define STATE_MANY(io, p, n) state_bytes(io, p, (size_t)(n) * sizeof *(p))

void open_cta_state(struct open_ctas *open, struct cta_trace **cta, struct state_io *io)
{
    uint64_t index = *cta ? (*cta)->index : 0;
    size_t low = 0, high = open->count;

    STATE(io, index);
    if (!state_loading(io))
        return;
    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (open->index[middle] < index)
            low = middle + 1;
        else
            high = middle;
    }
    *cta = NULL;
    if (!state_check(io, low < open->count && open->index[low] == index && open->cta[low]))
        return;
    *cta = open->cta[low];
    open->cta[low] = NULL;
}

static void l1_state(struct l1 *c, struct state_io *io)
{
    for (uint32_t i = 0; i < c->tags.sets; i++)
        STATE_MANY(io, c->lines + (size_t)i * c->ways, tag_set_state(&c->tags, i, io));
}

static void fetch_state(struct fetch *f, struct state_io *io)
{
    STATE(io, f->l1_free);
    for (uint32_t i = 0; i <= SUB_CORES; i++) {
        struct code_cache *c = i < SUB_CORES ? &f->l0[i] : &f->l1;
        size_t places = c->tag ? (size_t)c->sets * FETCH_WAYS : 0;

        STATE(io, c->clock);
        STATE_MANY(io, c->tag, places);
        STATE_MANY(io, c->used, places);
        STATE_MANY(io, c->ready, places);
    }
    STATE(io, f->stream);
    for (uint32_t i = 0; i < SUB_CORES; i++)
        if (!state_check(io, f->stream[i].count <= FETCH_STREAM_MAX))
            f->stream[i].count = 0;
}

/* --- CTAs and warps --- */

static void barriers_hold(const struct cta *cta, struct state_io *io)
{
    if (!state_check(io, cta->barriers <= BARRIERS_MAX))
        return;
    for (uint32_t i = 0; i < cta->barriers; i++)
        state_check(io, !(cta->barrier[i].waiting & ~cta->live_mask));
}

static void cta_state(struct sm *sm, uint32_t slot, struct open_ctas *open, struct state_io *io)
{
    struct cta *cta = &sm->cta[slot], plain = *cta;
    struct cta_trace *trace = cta->trace;

    if (!state_flag(io, trace != NULL))
        return;
    plain.trace = NULL; /* pointers are not valid in another process */
    plain.launch = NULL;
    open_cta_state(open, &trace, io);
    STATE(io, plain);
    if (!state_loading(io) || !trace)
        return;
    *cta = plain;
    cta->trace = trace; /* set first, because the SM must release it in any case */
    cta->launch = open->launch;
    occupancy_take(&sm->used, &open->launch->fit.cta);
    open->launch->resident++;
    state_check(io, cta->warps == trace->warp_count && cta->warps <= SM_WARPS_MAX &&
                        cta->live == __builtin_popcountll(cta->live_mask) &&
                        (cta->warps == 64 || !(cta->live_mask >> cta->warps)));
    barriers_hold(cta, io);
    if (!state_check(io, cta->cluster <= sm->env->clusters.count && cta->rank < CLUSTER_CTAS_MAX))
        cta->cluster = 0;
    sm->resident_ctas += cta->live != 0;
}

/* After loading: checks that the warp belongs to its CTA and that its position is valid. */
static void link_warp(struct sm *sm, uint32_t slot, const struct warp *w, struct state_io *io)
{
    const struct cta *cta = &sm->cta[w->cta < SM_CTAS_MAX ? w->cta : 0];
    const struct cta_warp *from;

    state_check(io, w->cta < SM_CTAS_MAX && w->index < cta->warps && cta->live_mask >> w->index % 64 & 1 &&
                        cta->slot_of[w->index % SM_WARPS_MAX] == slot);
    if (!cta->trace || io->failed) {
        io->failed = true;
        return;
    }
    from = &cta->trace->warps[w->index];
    if (!state_check(io, w->count == from->count && w->position < w->count && w->outside <= 1))
        return;
    if (cta_warp_window(cta->trace, w->index, w->position, &sm->env->err) < 0) {
        io->failed = true;
        return;
    }
    sm->warp[slot] = *w;
    sm->warp[slot].insts = from->insts;
    sm->warp[slot].position -= from->first;
    sm->warp[slot].count = from->ready;
    sm->warp[slot].launch = cta->launch;
}

static bool warp_state(struct sm *sm, uint32_t slot, struct state_io *io)
{
    struct warp plain = sm->warp[slot];

    if (!state_flag(io, plain.insts != NULL))
        return false;
    if (!state_loading(io)) { /* counted from the warp's first instruction, because windows can differ */
        const struct cta_warp *from = &sm->cta[plain.cta].trace->warps[plain.index];

        plain.position += from->first;
        plain.count = from->count;
    }
    plain.insts = NULL;
    plain.launch = NULL;
    state_bytes(io, &plain, WARP_BYTES);
    STATE_MANY(io, sm_registers(sm, slot), REG_STRIDE);
    if (state_loading(io))
        link_warp(sm, slot, &plain, io);
    return true;
}

/* After loading: checks that each warp that may issue exists. */
static void sub_core_holds(const struct sm *sm, uint32_t s, struct state_io *io)
{
    const struct sub_core *sc = &sm->sub[s];
    uint32_t warps = 0;

    for (uint32_t i = 0; i < SUB_WARPS_MAX; i++) {
        bool there = sm->warp[i * SUB_CORES + s].insts != NULL;

        warps += there;
        state_check(io, sc->pipe[i] <= PIPE_NONE && sc->reason[i] < SLOT_REASON_COUNT && sc->ready[i] <= SM_NEVER &&
                            sc->leaves[i] <= 1);
        if (there)
            state_check(io, i < sc->span && sc->rank[i] > 0 && (uint32_t)sc->rank[i] % SUB_WARPS_MAX == i);
        else
            state_check(io, sc->ready[i] == SM_NEVER);
    }
    state_check(io, sc->resident == warps && sc->span <= SUB_WARPS_MAX && sc->last < SUB_WARPS_MAX &&
                        sc->queue_head < sm->env->design->lsu_queue && sc->next >= warp_slots_earliest(sc));
}

/* --- the SM --- */

static void unit_state(struct sm *sm, struct state_io *io)
{
    STATE(io, sm->base);
    STATE(io, sm->sub);
    STATE(io, sm->pipe_free);
    STATE(io, sm->lsu_stalled_until);
    STATE(io, sm->lsu_free_256);
    STATE_MANY(io, sm->store_slot, sm->env->design->lsu_stores);
    STATE(io, sm->next_age);
    STATE(io, sm->last_sub);
    STATE(io, sm->ctas_since);
    STATE(io, sm->bulk_began);
    STATE(io, sm->bulk_free);
    STATE(io, sm->cluster_free);
    STATE(io, sm->outside);
    STATE(io, sm->births);
    sm->mbarriers = state_number(io, sm->mbarriers);
    if (!state_check(io, sm->mbarriers <= MBARRIERS_MAX))
        sm->mbarriers = 0;
    STATE_MANY(io, sm->mbarrier, sm->mbarriers);
    for (uint32_t i = 0; i < sm->mbarriers; i++)
        if (!state_check(io, sm->mbarrier[i].cta < SM_CTAS_MAX))
            sm->mbarrier[i].cta = 0;
    state_check(io, sm->base <= CLOCK_CYCLES_MAX && sm->last_sub < SUB_CORES);
}

void sm_state(struct sm *sm, struct open_ctas *open, struct state_io *io)
{
    uint32_t warps = 0, live = 0;

    if (!state_flag(io, sm->active))
        return;
    if (state_loading(io))
        sm_begin(sm, 0, open->launch->fit.carveout_bytes);
    event_state(sm->env->queue, &sm->wake, io);
    unit_state(sm, io);
    l1_state(&sm->l1, io);
    fetch_state(&sm->fetch, io);
    for (uint32_t i = 0; i < SM_CTAS_MAX; i++)
        cta_state(sm, i, open, io);
    for (uint32_t i = 0; i < sm->env->design->warps; i++)
        warps += warp_state(sm, i, io);
    if (!state_loading(io))
        return;
    for (uint32_t i = 0; i < SM_CTAS_MAX; i++)
        live += sm->cta[i].trace ? sm->cta[i].live : 0;
    state_check(io, live == warps);
    for (uint32_t s = 0; s < SUB_CORES; s++)
        sub_core_holds(sm, s, io);
}
