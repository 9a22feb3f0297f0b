/* simcore/sm/exit.c: the exit of a warp, and of a CTA with its last warp. */
#include "simcore/observe/observer.h"
#include "simcore/sm/cluster.h"
#include "simcore/sm/cta_scheduler.h"
#include "simcore/sm/outstanding.h"

/* The registers of a warp are not free before all its loads have written them, so its CTA stays resident that long.
 */
void sm_exit(struct sm *sm, uint32_t slot, uint32_t t)
{
    uint32_t end, held;
    struct warp *w = &sm->warp[slot];
    struct sub_core *sc = &sm->sub[slot % SUB_CORES];
    struct cta *cta = &sm->cta[w->cta];
    struct launch *launch = w->launch;

    launch->count.warp_cycles += sm->base + t + 1 - w->started;
    sm->env->outstanding->exit(sm, slot, t);
    sc->ready[slot / SUB_CORES] = SM_NEVER;
    sc->resident--;
    w->insts = NULL;
    cta->live--;
    cta->live_mask &= ~(1ull << w->index);
    cta->read = time_max(cta->read, w->read);
    cta->results = time_max(cta->results, w->results_done);
    if (sm->env->observer)
        observer_exit(sm->env->observer, sm, w, t, !cta->live);
    if (cta->cluster)
        cluster_exit(sm, cta, t);
    if (sm->mbarriers && !cta->live)
        mbarrier_forget(sm, (uint32_t)(cta - sm->cta));
    if (cta->live) {
        if (cta->waiting)
            sm_barrier_exit(sm, cta, t);
        return;
    }
    end = time_max(t, cta->results);
    held = time_max(end, cta->read);
    if (launch->last_cycle < sm->base + end + 1)
        launch->last_cycle = sm->base + end + 1;
    if (!--sm->resident_ctas)
        launch->count.sm_active_cycles += sm->base + t + 1 - sm->ctas_since;
    launch->count.ctas++;
    cta_scheduler_cta_done(sm->env->scheduler, sm, cta, sm->base + t, held - t);
}
