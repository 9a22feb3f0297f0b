#include "simcore/sm/cluster.h"

#include <string.h>

#include "base/array.h"
#include "simcore/sm/cta_scheduler.h"

/* --- members of a cluster --- */

uint32_t cluster_begin(struct sm_env *env, uint32_t size, struct err *e)
{
    struct cluster_table *t = &env->clusters;
    size_t i = t->first_free;

    while (i < t->count && t->all[i].live)
        i++;
    if (i == t->count) {
        if (array_reserve((void **)&t->all, &t->capacity, t->count + 1, sizeof *t->all, e) < 0)
            return 0;
        t->count++;
    }
    t->all[i] = (struct cluster){.size = size, .live = size};
    t->first_free = i + 1;
    return (uint32_t)i + 1;
}

static struct cluster *cluster_of(const struct sm *sm, const struct cta *cta)
{
    return &sm->env->clusters.all[cta->cluster - 1];
}

void cluster_join(struct sm_env *env, uint32_t number, uint32_t rank, struct sm *sm, uint32_t cta)
{
    struct cluster *c = &env->clusters.all[number - 1];

    c->sm[rank] = (uint16_t)sm->index;
    c->cta[rank] = (uint16_t)cta;
    sm->cta[cta].cluster = number;
    sm->cta[cta].rank = (uint8_t)rank;
}

static struct sm *sm_at(const struct sm_env *env, uint32_t index)
{
    return &env->scheduler->sms[index];
}

struct sm *cluster_member(struct sm *sm, const struct cta *cta, uint32_t rank, uint32_t *at)
{
    const struct cluster *c = cta->cluster ? cluster_of(sm, cta) : NULL;

    if (!c || rank >= c->size || c->over >> rank & 1)
        return NULL;
    *at = c->cta[rank];
    return sm_at(sm->env, c->sm[rank]);
}

uint32_t cluster_lookahead(const struct sm_env *env)
{
    const struct gpu_design *d = env->design;
    uint32_t least = d->cluster_latency < d->cluster_barrier ? d->cluster_latency : d->cluster_barrier;

    return env->lookahead < least ? env->lookahead : least;
}

/* --- waiting warps --- */

void cluster_wait_outside(struct sm *sm, uint32_t slot, uint32_t t)
{
    sm->warp[slot].outside = 1;
    sm->outside++;
    if (t + cluster_lookahead(sm->env) < sm->run_until)
        sm->run_until = t + cluster_lookahead(sm->env);
}

void cluster_go_on(struct sm *sm, uint32_t slot, uint64_t cycle, enum slot_reason reason)
{
    const struct sub_core *sc = &sm->sub[slot % SUB_CORES];
    struct warp *w = &sm->warp[slot % SM_WARPS_MAX];

    if (slot >= SM_WARPS_MAX || !w->insts) /* only a damaged checkpoint names such a warp */
        return;
    sm->outside -= w->outside;
    w->outside = 0;
    /* Nothing can issue in a slot that is already accounted. */
    sm_set_ready(sm, slot, time_max(sm_local(sm, cycle), sm_local(sm, sc->accounted)), reason);
    sm_schedule(sm, sc->next);
}

/* --- the barrier --- */

static bool cluster_complete(const struct sm_env *env, const struct cluster *c)
{
    for (uint32_t r = 0; r < c->size; r++)
        if (!(c->over >> r & 1) && sm_at(env, c->sm[r])->cta[c->cta[r]].live_mask & ~c->arrived[r])
            return false;
    return true;
}

static void cluster_release(struct sm_env *env, struct cluster *c, struct counters *count)
{
    uint64_t waiting[CLUSTER_CTAS_MAX];

    memcpy(waiting, c->waiting, sizeof waiting);
    c->done = c->latest + env->design->cluster_barrier;
    c->phase++;
    c->latest = 0;
    memset(c->arrived, 0, sizeof c->arrived);
    memset(c->waiting, 0, sizeof c->waiting);
    count->cluster_barriers++;
    for (uint32_t r = 0; r < c->size; r++) {
        struct sm *sm = sm_at(env, c->sm[r]);

        for (uint64_t left = waiting[r]; left; left &= left - 1)
            cluster_go_on(sm, sm->cta[c->cta[r]].slot_of[__builtin_ctzll(left)], c->done, SLOT_BARRIER);
    }
}

void cluster_arrive(struct sm *sm, uint32_t slot, uint32_t t)
{
    struct warp *w = &sm->warp[slot];
    const struct cta *cta = &sm->cta[w->cta];
    struct cluster *c;

    if (!cta->cluster)
        return;
    c = cluster_of(sm, cta);
    c->arrived[cta->rank] |= 1ull << w->index;
    w->cluster_phase = c->phase;
    if (sm->base + t > c->latest)
        c->latest = sm->base + t;
    if (cluster_complete(sm->env, c))
        cluster_release(sm->env, c, &w->launch->count);
}

bool cluster_wait(struct sm *sm, uint32_t slot, uint32_t t, uint32_t *until)
{
    static const struct static_inst whole_cta = {.action = ACT_BARRIER, .immediate = -1};
    const struct warp *w = &sm->warp[slot];
    const struct cta *cta = &sm->cta[w->cta];
    struct cluster *c;

    if (!cta->cluster)
        return sm_barrier(sm, slot, NULL, &whole_cta, t);
    c = cluster_of(sm, cta);
    if (c->arrived[cta->rank] >> w->index & 1) {
        c->waiting[cta->rank] |= 1ull << w->index;
        cluster_wait_outside(sm, slot, t);
        return true;
    }
    /* All warps have arrived. Or the arrival of this warp is missing, because the trace begins within the launch.
     */
    *until = w->cluster_phase != c->phase ? sm_local(sm, c->done) : t;
    return false;
}

void cluster_exit(struct sm *sm, struct cta *cta, uint32_t t)
{
    struct cluster_table *table = &sm->env->clusters;
    struct cluster *c;
    uint64_t any = 0;

    if (!cta->cluster)
        return;
    c = cluster_of(sm, cta);
    if (!cta->live) {
        c->over |= (uint16_t)(1u << cta->rank);
        if (!--c->live) {
            if (table->first_free >= cta->cluster)
                table->first_free = cta->cluster - 1;
            return;
        }
    }
    for (uint32_t r = 0; r < c->size; r++)
        any |= c->waiting[r];
    if (!any || !cluster_complete(sm->env, c))
        return;
    if (sm->base + t > c->latest)
        c->latest = sm->base + t;
    cluster_release(sm->env, c, &cta->launch->count);
}

/* --- checkpoint --- */

void cluster_state(struct sm_env *env, struct state_io *io)
{
    struct cluster_table *t = &env->clusters;
    uint32_t count = state_number(io, (uint32_t)t->count);
    struct err e;

    if (!state_check(io, count <= env->design->sms * SM_CTAS_MAX) ||
        (state_loading(io) && count &&
         !state_check(io, array_reserve((void **)&t->all, &t->capacity, count, sizeof *t->all, &e) == 0)))
        return;
    t->count = count;
    t->first_free = 0;
    for (uint32_t i = 0; i < count; i++) {
        struct cluster *c = &t->all[i];

        STATE(io, *c);
        state_check(io, c->size <= CLUSTER_CTAS_MAX && c->live <= c->size);
        for (uint32_t r = 0; r < CLUSTER_CTAS_MAX; r++)
            state_check(io, c->sm[r] < env->design->sms && c->cta[r] < SM_CTAS_MAX);
        if (io->failed)
            t->count = 0;
    }
}
