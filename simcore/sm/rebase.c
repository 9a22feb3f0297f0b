/* simcore/sm/rebase.c: moves an SM's local time 0 forward, so that its times continue to fit into 31 bits. */
#include "simcore/sm/outstanding.h"

/* For a register, whose time is doubled. */
static uint32_t register_back(uint32_t t, uint32_t cycles)
{
    return time_back(t >> 1, cycles) << 1 | (t & 1);
}

void sm_rebase(struct sm *sm, uint32_t cycles)
{
    const struct gpu_design *d = sm->env->design;

    for (uint32_t s = 0; s < SUB_CORES; s++) {
        struct sub_core *sc = &sm->sub[s];

        for (uint32_t i = 0; i < SUB_WARPS_MAX; i++)
            sc->ready[i] = sc->ready[i] == SM_NEVER ? SM_NEVER : time_back(sc->ready[i], cycles);
        sc->next = sc->next == SM_NEVER ? SM_NEVER : time_back(sc->next, cycles);
        for (uint32_t p = 0; p < PIPE_COUNT; p++)
            sc->pipe_free[p] = time_back(sc->pipe_free[p], cycles);
        sc->agu_free = time_back(sc->agu_free, cycles);
        for (uint32_t i = 0; i < REGFILE_BANKS_MAX; i++)
            sc->bank_free[i] = time_back(sc->bank_free[i], cycles);
        sc->lsu_taken = time_back(sc->lsu_taken, cycles);
        for (uint32_t i = 0; i < QUEUE_MAX; i++)
            sc->queue_slot[i] = time_back(sc->queue_slot[i], cycles);
    }
    for (uint32_t p = 0; p < PIPE_COUNT; p++)
        sm->pipe_free[p] = time_back(sm->pipe_free[p], cycles);
    sm->lsu_stalled_until = time_back(sm->lsu_stalled_until, cycles);
    sm->lsu_free_256 = sm->lsu_free_256 > (uint64_t)cycles << 8 ? sm->lsu_free_256 - ((uint64_t)cycles << 8) : 0;
    for (uint32_t i = 0; i < d->lsu_stores; i++)
        sm->store_slot[i] = time_back(sm->store_slot[i], cycles);
    for (uint32_t slot = 0; slot < d->warps; slot++) {
        struct warp *w = &sm->warp[slot];

        if (!w->insts)
            continue;
        w->predicate_ready = time_back(w->predicate_ready, cycles);
        w->load_done = time_back(w->load_done, cycles);
        w->results_done = time_back(w->results_done, cycles);
        w->taken = time_back(w->taken, cycles);
        w->read = time_back(w->read, cycles);
        for (uint32_t i = 0; i < CONTROL_COUNTERS; i++)
            w->counter[i] = register_back(w->counter[i], cycles);
        w->memory_done = time_back(w->memory_done, cycles);
        w->tensor_done = time_back(w->tensor_done, cycles);
        for (uint32_t k = 0; k < PRODUCTS_MAX; k++)
            w->product[k] = time_back(w->product[k], cycles);
        w->group_open = time_back(w->group_open, cycles);
        for (uint32_t i = 0; i < GROUPS_MAX; i++)
            w->group[i] = time_back(w->group[i], cycles);
        for (uint32_t i = 0; i < REG_STRIDE; i++)
            sm_registers(sm, slot)[i] = register_back(sm_registers(sm, slot)[i], cycles);
    }
    for (uint32_t i = 0; i < SM_CTAS_MAX; i++) {
        sm->cta[i].read = time_back(sm->cta[i].read, cycles);
        sm->cta[i].results = time_back(sm->cta[i].results, cycles);
    }
    sm->bulk_began = time_back(sm->bulk_began, cycles);
    sm->bulk_free = time_back(sm->bulk_free, cycles);
    sm->cluster_free = time_back(sm->cluster_free, cycles);
    for (uint32_t i = 0; i < sm->mbarriers; i++) {
        sm->mbarrier[i].latest = time_back(sm->mbarrier[i].latest, cycles);
        sm->mbarrier[i].done = time_back(sm->mbarrier[i].done, cycles);
    }
    l1_rebase(&sm->l1, cycles);
    if (d->model.fetch != FETCH_IDEAL)
        fetch_rebase(&sm->fetch, cycles);
    sm->env->outstanding->rebase(sm, cycles);
    sm->base += cycles;
}
