/* simcore/sm/issue.c: the issue loop: selects the warp that issues, and executes its instruction. */
#include "base/bits.h"
#include "simcore/observe/observer.h"
#include "simcore/sm/cluster.h"
#include "simcore/sm/dependence.h"
#include "simcore/sm/outstanding.h"
#include "simcore/sm/poll.h"
#include "simcore/sm/scheduler/select.h"

/* After this number of instructions, an SM returns to the engine, which checks progress and limits. The order of
 * events, and so the result, does not depend on it. */
enum { RUN_QUANTUM = 1 << 14, INSTS_AHEAD = 8 };

/* When the sub-core's memory queue accepts its next instruction. */
SM_INLINE uint32_t queue_free(const struct sm *sm, const struct sub_core *sc)
{
    return time_max(sc->queue_slot[sc->queue_head], sm->lsu_stalled_until);
}

/* Delays all warps that are ready at t and need the pipe. */
SM_INLINE void wait_for_pipe(struct sub_core *sc, uint8_t pipe, uint32_t t, uint32_t until)
{
    warp_slots_stall(sc, pipe, t, until);
    sc->next = time_max(warp_slots_earliest(sc), t);
}

/* The pipe, or the entry of the memory queue, that the instruction needs at t. */
static uint32_t *pipe_for(struct sm *sm, struct sub_core *sc, const struct static_inst *in, uint32_t t)
{
    uint32_t *own;

    if (in->pipe == PIPE_MEMORY) {
        own = &sc->queue_slot[sc->queue_head];
        return sm->lsu_stalled_until > *own ? &sm->lsu_stalled_until : own;
    }
    own = in->pipe_per_sm ? &sm->pipe_free[in->pipe] : &sc->pipe_free[in->pipe];

    if (in->either_pipe && *own > t && sc->pipe_free[PIPE_INT] < *own)
        return &sc->pipe_free[PIPE_INT];
    return own;
}

SM_INLINE void count_issue(struct counters *c, const struct warp_inst *wi, const struct static_inst *in)
{
    uint32_t lanes = wi->mask == UINT32_MAX ? WARP_LANES : bits_count(wi->mask);

    c->slots_issued++;
    c->lane_instructions += lanes;
    c->predicated_off += !lanes;
    c->warp_mix[in->mix]++;
    c->lane_mix[in->mix] += lanes;
    if (in->known && in->typed)
        return;
    c->unknown_instructions += !in->known;
    c->untyped_tensor += !in->typed;
}

SM_INLINE void write_results(struct sm *sm, uint32_t slot, const struct static_inst *in, uint32_t t)
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

    /* Groups end in order, so the end of a group includes the ends of earlier groups. */
    w->group[w->groups++ % GROUPS_MAX] = time_max(before, w->group_open);
    w->group_open = 0;
}

/* When all but the newest `allowed` groups have ended; 0: they have already ended. */
static uint32_t group_wait(const struct warp *w, int32_t allowed)
{
    uint32_t keep = allowed < 0 ? 0 : (uint32_t)allowed;

    if (keep >= w->groups || keep >= GROUPS_MAX)
        return 0;
    return w->group[(w->groups - 1 - keep) % GROUPS_MAX];
}

static void warp_group_product(struct warp *w, const struct static_inst *in, uint32_t done)
{
    w->tensor_done = time_max(w->tensor_done, done);
    if (in->group == GROUP_COMMITS)
        w->product[w->products++ % PRODUCTS_MAX] = w->tensor_done;
}

/* When all but the newest `allowed` groups of products have completed. If the trace does not state groups, or how
 * many may be open: when all products have. */
static uint32_t product_wait(const struct warp *w, int32_t allowed)
{
    if (!w->products || allowed < 0)
        return w->tensor_done;
    if (!allowed)
        return w->product[(w->products - 1) % PRODUCTS_MAX];
    if ((uint32_t)allowed >= w->products)
        return 0;
    if (allowed >= PRODUCTS_MAX)
        allowed = PRODUCTS_MAX - 1; /* the oldest whose time is kept */
    return w->product[(w->products - 1 - (uint32_t)allowed) % PRODUCTS_MAX];
}

/* Executes an instruction with active lanes at t. Returns when the warp may issue its next one; SM_NEVER: it sleeps
 * until it is woken. *reason: the stall reason until then. */
static uint32_t issue_execute(struct sm *sm, uint32_t slot, const struct warp_inst *wi,
                              const struct static_inst *in, uint32_t t, enum slot_reason *reason)
{
    struct warp *w = &sm->warp[slot];
    uint32_t wait = 0;

    switch ((enum op_action)in->action) {
    case ACT_COMPUTE: break; /* already handled by the caller */
    case ACT_SHUFFLE: write_results(sm, slot, in, t + in->latency); break;
    case ACT_TENSOR:
        w->launch->count.tensor_cycles += in->interval;
        if (in->flags & OP_WARP_GROUP)
            warp_group_product(w, in, t + in->latency);
        else
            write_results(sm, slot, in, t + in->latency);
        break;
    case ACT_LOAD:
    case ACT_STORE:
    case ACT_ATOMIC:
    case ACT_REDUCTION:
    case ACT_ASYNC_COPY:
    case ACT_CONSTANT:
    case ACT_TEXTURE: sm_memory(sm, slot, wi, in, t); break;
    case ACT_BULK_COPY:
        sm_memory(sm, slot, wi, in, t);
        wait = sm->bulk_began; /* the unit accepts a copy when it has begun the previous one */
        *reason = SLOT_QUEUE;
        break;
    case ACT_TENSOR_MEMORY: write_results(sm, slot, in, time_max(t, w->tensor_done) + in->latency); break;
    case ACT_COMMIT:
        commit_group(w);
        mbarrier_do(sm, slot, wi, in, t, &wait);
        break;
    case ACT_SYNCS:
        write_results(sm, slot, in, t + in->latency);
        *reason = SLOT_SYNC;
        if (mbarrier_do(sm, slot, wi, in, t, &wait))
            return SM_NEVER;
        break;
    case ACT_CLUSTER_ARRIVE: cluster_arrive(sm, slot, t); break;
    case ACT_CLUSTER_WAIT:
        *reason = SLOT_BARRIER;
        if (w->position < w->count && cluster_wait(sm, slot, t, &wait))
            return SM_NEVER;
        break;
    case ACT_WAIT_GROUP:
        wait = group_wait(w, in->immediate);
        *reason = SLOT_SYNC;
        if (sm->env->outstanding->wait_group(sm, slot, in->immediate, t))
            return SM_NEVER;
        break;
    case ACT_WAIT_TENSOR:
        wait = product_wait(w, in->immediate);
        *reason = SLOT_SYNC;
        break;
    case ACT_FENCE:
        wait = w->memory_done;
        *reason = SLOT_SYNC;
        if (sm->env->outstanding->wait_fence(sm, slot, t))
            return SM_NEVER;
        break;
    case ACT_BRANCH:
        wait = t + in->latency;
        *reason = SLOT_BRANCH;
        break;
    case ACT_BARRIER:
    case ACT_ARRIVE:
        if (w->position < w->count && sm_barrier(sm, slot, wi, in, t))
            return SM_NEVER;
        break;
    case ACT_INVALIDATE: l1_invalidate(&sm->l1); break;
    case ACT_NOTHING: write_results(sm, slot, in, t + 1); break;
    }
    return time_max(t + 1, wait);
}

/* Level banked: the instruction in warp slot i reads its operands at t. False: the register file has no free ports;
 * other warps may issue. */
static bool read_operands(struct sm *sm, struct sub_core *sc, uint32_t i, const struct static_inst *in, uint32_t t)
{
    uint32_t until;

    if (sm->env->design->model.regfile != REGFILE_BANKED)
        return true;
    until = regfile_ready(sm, sc, i, in, t);
    if (until <= t) {
        regfile_read(sm, sc, i, in, t);
        return true;
    }
    sc->ready[i] = until;
    sc->reason[i] = SLOT_REGISTERS;
    sc->next = time_max(warp_slots_earliest(sc), t);
    return false;
}

/* A warp that has issued can issue `wi` at `next` at the earliest, because of `reason`. */
SM_INLINE void ready_again(struct sm *sm, uint32_t slot, const struct warp_inst *wi, uint32_t next,
                           enum slot_reason reason, bool plain)
{
    const struct warp *w = &sm->warp[slot];
    const struct static_inst *in = &w->launch->code.inst[wi->inst];
    uint32_t t;

    if (!plain) {
        sm_set_ready(sm, slot, next, reason);
        return;
    }
    enter_if_other(sm, slot, in->line, &next, &reason);
    t = scoreboard(sm, w, sm_registers(sm, slot), wi, in, next << 1);
    note_ready(sm, slot, wi, in, next, t, reason);
}

/* Issues the next instruction `wi` of warp slot i of sub-core s at t. */
SM_INLINE void issue(struct sm *sm, uint32_t s, uint32_t i, const struct warp_inst *wi,
                     const struct static_inst *in, uint32_t t, bool plain, bool watched)
{
    struct sub_core *sc = &sm->sub[s];
    uint32_t slot = i * SUB_CORES + s;
    struct warp *w = &sm->warp[slot];
    struct observer *observer = watched ? sm->env->observer : NULL;
    enum slot_reason reason = SLOT_DEPENDENCE;
    uint32_t next = t + 1;

    __builtin_prefetch(wi + INSTS_AHEAD);
    if (observer)
        observer_issue(observer, sm, slot, w, sc, wi, t);
    w->launch->count.slots_idle[sc->reason[i]] += sm->base + t - sc->accounted;
    sc->accounted = sm->base + t + 1;
    sc->last = (uint8_t)i;
    sm->last_sub = s;
    sm->env->issued++;
    count_issue(&w->launch->count, wi, in);
    w->position++;
    sc->ready[i] = SM_NEVER;
    if (wi->mask) {
        w->last_mask = wi->mask;
        if (in->action == ACT_COMPUTE) /* the most frequent case */
            write_results(sm, slot, in, t + in->latency);
        else
            next = issue_execute(sm, slot, wi, in, t, &reason);
    }
    if (!plain && sm->env->design->model.dependence == DEPENDENCE_CONTROL && next != SM_NEVER &&
        w->position < w->count)
        next = sm_control(sm, slot, wi, in, t, next);
    if (observer)
        observer_issued(observer, sm, slot, in, next);
    if (w->position + 1 == w->count)
        sm_next_window(sm, w);
    if (w->position == w->count) {
        if (plain || !sm->env->outstanding->wait_exit(sm, slot, t))
            sm_exit(sm, slot, t);
    } else if (next != SM_NEVER)
        ready_again(sm, slot, &w->insts[w->position], next, reason, plain);
    sc->next = sc->ready[i] <= t + 1 ? t + 1 : time_max(warp_slots_earliest(sc), t + 1);
}

/* Prefetches, on the host, the data that are needed first when a warp issues `wi`, which has an effect outside the
 * SM. */
SM_INLINE void leave_soon(struct sm *sm, const struct warp *w, const struct warp_inst *wi)
{
    struct sm_soon *soon = &sm->soon;

    soon->cta = &sm->cta[w->cta];
    soon->trace = soon->cta->trace;
    soon->place = cta_address_place(soon->trace, wi->address);
    soon->list = cta_address_list(soon->trace, wi->address);
}

/* The same for the warps that will probably issue when the SM continues. */
SM_INLINE void issue_soon(struct sm *sm)
{
    for (uint32_t s = 0; s < SUB_CORES; s++) {
        uint32_t slot = warp_slots_first(&sm->sub[s]) * SUB_CORES + s;

        sm->soon.slot[s] = (uint8_t)slot;
        sm->soon.inst[s] = sm->next_inst[slot];
    }
}

/* One step of sub-core s at its time t: issues an instruction or delays a warp. False: the SM must wait for global
 * time. */
SM_INLINE bool step(struct sm *sm, uint32_t s, uint32_t t, uint32_t now, bool plain, bool watched)
{
    struct sub_core *sc = &sm->sub[s];
    uint32_t i = scheduler_select(sm->env->design->scheduler, sc, t), slot = i * SUB_CORES + s;
    const struct warp *w = &sm->warp[slot];
    const struct warp_inst *wi;
    const struct static_inst *in;

    /* Most warps that must wait are handled here without loading the warp's data. Waiting for the queue has no
     * effect outside the SM. */
    if (plain && sc->pipe[i] == PIPE_MEMORY && queue_free(sm, sc) > t) {
        wait_for_pipe(sc, PIPE_MEMORY, t, queue_free(sm, sc));
        return true;
    }
    if (t > now && sc->leaves[i]) {
        leave_soon(sm, w, &w->insts[w->position]);
        return false;
    }
    if (w->position == w->poll_at && !poll_passes(sm, slot, t))
        return true;
    wi = &w->insts[w->position];
    in = &w->launch->code.inst[wi->inst];
    if (t > now && w->position + 1 == w->count && sm->cta[w->cta].live == 1)
        return false;
    if (!plain && wi->mask && in->pipe == PIPE_MEMORY && !sm->env->outstanding->admit(sm, s, in, t))
        return true;
    if (wi->mask && in->pipe != PIPE_NONE) {
        uint32_t *pipe = pipe_for(sm, sc, in, t);

        if (*pipe > t) {
            wait_for_pipe(sc, in->pipe, t, *pipe);
            return true;
        }
        if (!plain && !read_operands(sm, sc, i, in, t))
            return true;
        if (in->pipe != PIPE_MEMORY)
            *pipe = t + in->interval;
    }
    issue(sm, s, i, wi, in, t, plain, watched);
    return true;
}

SM_INLINE uint32_t first_of(const struct sm *sm, uint32_t a, uint32_t b)
{
    return sm->sub[b].next < sm->sub[a].next ? b : a;
}

/* Selects, among the sub-cores with the earliest next action, the one after the last that issued. So shared
 * resources are used round-robin. */
SM_INLINE uint32_t next_sub(const struct sm *sm)
{
    switch (sm->last_sub) { /* four cases, so that addresses are compile-time constants */
    case 0: return first_of(sm, first_of(sm, 1, 2), first_of(sm, 3, 0));
    case 1: return first_of(sm, first_of(sm, 2, 3), first_of(sm, 0, 1));
    case 2: return first_of(sm, first_of(sm, 3, 0), first_of(sm, 1, 2));
    default: return first_of(sm, first_of(sm, 0, 1), first_of(sm, 2, 3));
    }
}

SM_INLINE void run(struct sm *sm, uint32_t now, bool plain, bool watched)
{
    for (uint32_t done = 0;; done++) {
        uint32_t s = next_sub(sm), t = sm->sub[s].next;

        if (t == SM_NEVER || sm->env->failed)
            break;
        if (done == RUN_QUANTUM || t > sm->run_until || !step(sm, s, t, now, plain, watched)) {
            issue_soon(sm);
            sm_schedule(sm, t);
            break;
        }
    }
}

/* Whether the levels are those of the default preset, for which a specialized issue loop is compiled. */
static bool is_plain(const struct sm_env *env)
{
    const struct model_levels *m = &env->design->model;

    return env->outstanding->known && m->dependence == DEPENDENCE_SCOREBOARD && m->regfile == REGFILE_IDEAL;
}

void sm_run(struct sm *sm, uint64_t now_cycle)
{
    uint32_t now = sm_local(sm, now_cycle);

    if (now >= sm->env->rebase_at) {
        sm_rebase(sm, now - SM_REBASE_SLACK);
        now = SM_REBASE_SLACK;
    }
    sm->run_until = SM_TIME_MAX / 2;
    if (sm->outside)
        sm->run_until = now + cluster_lookahead(sm->env);
    if (!is_plain(sm->env)) {
        sm->env->outstanding->limit(sm, now);
        run(sm, now, false, true);
    } else if (sm->env->observer)
        run(sm, now, true, true);
    else
        run(sm, now, true, false);
}
