/* simcore/sm/issue.c: the issue loop: which warp issues when, and what that sets in motion. */
#include "simcore/observe/observer.h"
#include "simcore/sm/cta_scheduler.h"
#include "simcore/sm/flight.h"
#include "simcore/sm/sm.h"

/* After so many instructions an SM lets the engine breathe (progress, limits); the order of events, and so the
 * result, is the same. */
enum { RUN_QUANTUM = 1 << 14 };

uint32_t sub_core_earliest(const struct sub_core *sc)
{
    int32_t t = (int32_t)SM_NEVER;

    for (uint32_t i = 0; i < SUB_WARPS_MAX; i++)
        t = (int32_t)sc->ready[i] < t ? (int32_t)sc->ready[i] : t;
    return (uint32_t)t;
}

/* The warp to issue at t among those ready; there is one. */
static uint32_t pick(const struct sub_core *sc, enum sched_policy policy, uint32_t t)
{
    int32_t best = 0;

    if (policy == SCHED_LRR) {
        for (uint32_t i = 1; i <= SUB_WARPS_MAX; i++)
            if (sc->ready[(sc->last + i) % SUB_WARPS_MAX] <= t)
                return (sc->last + i) % SUB_WARPS_MAX;
    }
    if (sc->ready[sc->last] <= t)
        return sc->last;
    for (uint32_t i = 0; i < SUB_WARPS_MAX; i++) {
        int32_t rank = (int32_t)sc->ready[i] <= (int32_t)t ? sc->rank[i] : 0;

        best = rank > best ? rank : best;
    }
    return (uint32_t)best % SUB_WARPS_MAX;
}

bool sm_leaves(const struct static_inst *in)
{
    return in->action >= ACT_LOAD && in->action <= ACT_ASYNC_COPY && in->space != SPACE_SHARED;
}

/* The pipe, or the place in the memory queue, that the instruction would take at t. */
static uint32_t *pipe_for(struct sm *sm, struct sub_core *sc, const struct static_inst *in, uint32_t t)
{
    uint32_t *own;

    if (in->pipe == PIPE_MEMORY) {
        own = &sc->queue_slot[sc->queue_head];
        return sm->stands_still > *own ? &sm->stands_still : own;
    }
    own = in->pipe_per_sm ? &sm->pipe_free[in->pipe] : &sc->pipe_free[in->pipe];

    if (in->either_pipe && *own > t && sc->pipe_free[PIPE_INT] < *own)
        return &sc->pipe_free[PIPE_INT];
    return own;
}

static void count_issue(struct counters *c, const struct warp_inst *wi, const struct static_inst *in)
{
    uint32_t lanes = (uint32_t)__builtin_popcount(wi->mask);

    c->slots_issued++;
    c->lane_instructions += lanes;
    c->predicated_off += !lanes;
    c->warp_mix[in->mix]++;
    c->lane_mix[in->mix] += lanes;
    c->unknown_instructions += !in->known;
    c->untyped_tensor += !in->typed;
}

/* Ends warp `slot` after its last instruction at t. */
static void exit_warp(struct sm *sm, uint32_t slot, uint32_t t)
{
    struct warp *w = &sm->warp[slot];
    struct sub_core *sc = &sm->sub[slot % SUB_CORES];
    struct cta *cta = &sm->cta[w->cta];
    struct launch *launch = w->launch;

    launch->count.warp_cycles += sm->base + t + 1 - w->started;
    sc->ready[slot / SUB_CORES] = SM_NEVER;
    sc->resident--;
    w->insts = NULL;
    cta->live--;
    cta->live_mask &= ~(1ull << w->index);
    if (sm->env->observer)
        observer_exit(sm->env->observer, sm, w, t, !cta->live);
    if (cta->live) {
        if (cta->waiting)
            sm_barrier_exit(sm, cta, t);
        return;
    }
    if (launch->last_cycle < sm->base + t + 1)
        launch->last_cycle = sm->base + t + 1;
    if (!--sm->resident_ctas)
        launch->count.sm_active_cycles += sm->base + t + 1 - sm->ctas_since;
    launch->count.ctas++;
    cta_scheduler_cta_done(sm->env->scheduler, sm, cta, sm->base + t);
}

static void write_results(struct sm *sm, uint32_t slot, const struct static_inst *in, uint32_t t)
{
    uint32_t *ready = sm_registers(sm, slot);

    for (uint32_t i = 0; i < in->dst_count; i++)
        ready[in->dst + i] = t << 1;
    if (in->flags & OP_WRITES_PREDICATE)
        sm->warp[slot].predicate_ready = t;
}

static void commit_group(struct warp *w)
{
    uint32_t before = w->groups ? w->group[(w->groups - 1) % GROUPS_MAX] : 0;

    /* Groups end in order, so the end of a group contains those before it. */
    w->group[w->groups++ % GROUPS_MAX] = time_max(before, w->group_open);
    w->group_open = 0;
}

/* When all but the newest `allowed` groups are over; 0: they are. */
static uint32_t group_wait(const struct warp *w, int32_t allowed)
{
    uint32_t keep = allowed < 0 ? 0 : (uint32_t)allowed;

    if (keep >= w->groups || keep >= GROUPS_MAX)
        return 0;
    return w->group[(w->groups - 1 - keep) % GROUPS_MAX];
}

/* What an instruction with active lanes does at t. Returns when the warp may issue its next one; SM_NEVER: somebody
 * else will say. *reason: why then. */
static uint32_t act(struct sm *sm, uint32_t slot, const struct warp_inst *wi, const struct static_inst *in,
                    uint32_t t, enum slot_reason *reason)
{
    struct warp *w = &sm->warp[slot];
    uint32_t wait = 0;

    switch ((enum op_action)in->action) {
    case ACT_COMPUTE:
    case ACT_SHUFFLE: write_results(sm, slot, in, t + in->latency); break;
    case ACT_TENSOR:
        w->launch->count.tensor_cycles += in->interval;
        if (in->flags & OP_WARP_GROUP)
            w->tensor_done = time_max(w->tensor_done, t + in->latency);
        else
            write_results(sm, slot, in, t + in->latency);
        break;
    case ACT_LOAD:
    case ACT_STORE:
    case ACT_ATOMIC:
    case ACT_REDUCTION:
    case ACT_ASYNC_COPY:
    case ACT_BULK_COPY:
    case ACT_CONSTANT:
    case ACT_TEXTURE: sm_memory(sm, slot, wi, in, t); break;
    case ACT_TENSOR_MEMORY: write_results(sm, slot, in, time_max(t, w->tensor_done) + in->latency); break;
    case ACT_COMMIT: commit_group(w); break;
    case ACT_WAIT_GROUP:
        wait = group_wait(w, in->immediate);
        *reason = SLOT_SYNC;
        if (sm->flight && flight_sleep_group(sm, slot, in->immediate, t))
            return SM_NEVER;
        break;
    case ACT_WAIT_TENSOR:
        wait = w->tensor_done;
        *reason = SLOT_SYNC;
        break;
    case ACT_FENCE:
        wait = w->memory_done;
        *reason = SLOT_SYNC;
        if (sm->flight && flight_sleep_fence(sm, slot, t))
            return SM_NEVER;
        break;
    case ACT_BRANCH:
        wait = t + in->latency;
        *reason = SLOT_BRANCH;
        break;
    case ACT_BARRIER:
    case ACT_ARRIVE:
        if (w->position < w->count && sm_barrier(sm, slot, in, t))
            return SM_NEVER;
        break;
    case ACT_INVALIDATE: l1_invalidate(&sm->l1); break;
    case ACT_NOTHING: write_results(sm, slot, in, t + 1); break;
    }
    return time_max(t + 1, wait);
}

/* Issues the next instruction of `slot` at t. */
static void issue(struct sm *sm, uint32_t slot, const struct warp_inst *wi, const struct static_inst *in,
                  uint32_t t)
{
    struct sub_core *sc = &sm->sub[slot % SUB_CORES];
    struct warp *w = &sm->warp[slot];
    enum slot_reason reason = SLOT_DEPENDENCE;
    uint32_t next = t + 1;

    if (sm->env->observer)
        observer_issue(sm->env->observer, sm, slot, t);
    w->launch->count.slots_idle[sc->reason[slot / SUB_CORES]] += sm->base + t - sc->accounted;
    sc->accounted = sm->base + t + 1;
    sc->last = (uint8_t)(slot / SUB_CORES);
    sm->last_sub = slot % SUB_CORES;
    sm->env->issued++;
    count_issue(&w->launch->count, wi, in);
    w->last_mask = wi->mask ? wi->mask : w->last_mask;
    w->position++;
    sc->ready[slot / SUB_CORES] = SM_NEVER;
    if (wi->mask)
        next = act(sm, slot, wi, in, t, &reason);
    if (sm->env->design->model.dependence == DEPENDENCE_CONTROL && next != SM_NEVER && w->position < w->count)
        next = sm_control(sm, slot, wi, in, t, next);
    if (sm->env->observer)
        observer_issued(sm->env->observer, sm, slot, in, t, next);
    if (w->position == w->count)
        exit_warp(sm, slot, t);
    else if (next != SM_NEVER)
        sm_set_ready(sm, slot, next, reason);
    sc->next = time_max(sub_core_earliest(sc), t + 1);
}

/* The register file cannot serve place i before `until`; other warps may go on. */
static void put_off_reads(struct sub_core *sc, uint32_t i, uint32_t t, uint32_t until)
{
    sc->ready[i] = until;
    sc->reason[i] = SLOT_REGISTERS;
    sc->next = time_max(sub_core_earliest(sc), t);
}

/* What warp i, picked at t, needs is taken until `until`: so it is for all others that need it and are ready. */
static void put_off(struct sub_core *sc, uint32_t i, uint32_t t, uint32_t until)
{
    uint8_t pipe = sc->pipe[i];

    for (uint32_t k = 0; k < SUB_WARPS_MAX; k++) {
        if (sc->pipe[k] != pipe || sc->ready[k] > t)
            continue;
        sc->ready[k] = until;
        sc->reason[k] = pipe == PIPE_MEMORY ? SLOT_QUEUE : SLOT_UNIT;
    }
    sc->next = time_max(sub_core_earliest(sc), t);
}

/* A register's time is doubled. */
static uint32_t register_back(uint32_t t, uint32_t cycles)
{
    return time_back(t >> 1, cycles) << 1 | (t & 1);
}

/* Moves local time 0 to `cycles` later. What lies before it no longer matters. */
static void rebase(struct sm *sm, uint32_t cycles)
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
    sm->stands_still = time_back(sm->stands_still, cycles);
    sm->lsu_free_256 = sm->lsu_free_256 > (uint64_t)cycles << 8 ? sm->lsu_free_256 - ((uint64_t)cycles << 8) : 0;
    for (uint32_t i = 0; i < d->lsu_stores; i++)
        sm->store_slot[i] = time_back(sm->store_slot[i], cycles);
    for (uint32_t slot = 0; slot < d->warps; slot++) {
        struct warp *w = &sm->warp[slot];

        if (!w->insts)
            continue;
        w->predicate_ready = time_back(w->predicate_ready, cycles);
        w->load_done = time_back(w->load_done, cycles);
        w->taken = time_back(w->taken, cycles);
        for (uint32_t i = 0; i < CONTROL_COUNTERS; i++)
            w->counter[i] = register_back(w->counter[i], cycles);
        w->memory_done = time_back(w->memory_done, cycles);
        w->tensor_done = time_back(w->tensor_done, cycles);
        w->group_open = time_back(w->group_open, cycles);
        for (uint32_t i = 0; i < GROUPS_MAX; i++)
            w->group[i] = time_back(w->group[i], cycles);
        for (uint32_t i = 0; i < REG_STRIDE; i++)
            sm_registers(sm, slot)[i] = register_back(sm_registers(sm, slot)[i], cycles);
    }
    l1_rebase(&sm->l1, cycles);
    if (d->model.fetch != FETCH_IDEAL)
        fetch_rebase(&sm->fetch, cycles);
    if (sm->flight)
        flight_rebase(sm, cycles);
    sm->base += cycles;
}

/* One step of sub-core sc at its time t: issues, or puts a warp off. False: the SM has to wait for global time. */
static bool step(struct sm *sm, uint32_t s, uint32_t t, uint32_t now)
{
    struct sub_core *sc = &sm->sub[s];
    uint32_t i = pick(sc, sm->env->design->scheduler, t), slot = i * SUB_CORES + s;
    struct warp *w = &sm->warp[slot];
    const struct warp_inst *wi = &w->insts[w->position];
    const struct static_inst *in = &w->launch->code.inst[wi->inst];
    bool banked = sm->env->design->model.regfile == REGFILE_BANKED;
    uint32_t until;

    if (t > now && ((wi->mask && sm_leaves(in)) || (w->position + 1 == w->count && sm->cta[w->cta].live == 1)))
        return false;
    if (sm->flight && wi->mask && in->pipe == PIPE_MEMORY && !flight_room(sm, in)) {
        flight_hold(sm, s, t);
        return true;
    }
    if (wi->mask && in->pipe != PIPE_NONE) {
        uint32_t *pipe = pipe_for(sm, sc, in, t);

        if (*pipe > t) {
            put_off(sc, i, t, *pipe);
            return true;
        }
        if (banked && (until = regfile_ready(sm, sc, i, in, t)) > t) {
            put_off_reads(sc, i, t, until);
            return true;
        }
        if (banked)
            regfile_read(sm, sc, i, in, t);
        if (in->pipe != PIPE_MEMORY)
            *pipe = t + in->interval;
    }
    issue(sm, slot, wi, in, t);
    return true;
}

void sm_run(struct sm *sm, uint64_t now_cycle)
{
    uint32_t now = sm_local(sm, now_cycle), done = 0;

    if (now >= sm->env->rebase_at) {
        rebase(sm, now - SM_REBASE_SLACK);
        now = SM_REBASE_SLACK;
    }
    sm->run_until = SM_TIME_MAX / 2;
    if (sm->flight)
        flight_limit(sm, now);
    for (;;) {
        /* Of those ready at the same time the one behind the last that issued: what they share goes round. */
        uint32_t s = (sm->last_sub + 1) % SUB_CORES, t;

        for (uint32_t i = 2; i <= SUB_CORES; i++)
            if (sm->sub[(sm->last_sub + i) % SUB_CORES].next < sm->sub[s].next)
                s = (sm->last_sub + i) % SUB_CORES;
        t = sm->sub[s].next;
        if (t == SM_NEVER || sm->env->failed)
            break;
        if (done == RUN_QUANTUM || t > sm->run_until || !step(sm, s, t, now)) {
            sm_schedule(sm, t);
            break;
        }
        done++;
    }
}
