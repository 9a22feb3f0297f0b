/* simcore/sm/flight_end.c: event mode: the effects of the end of a request. */
#include "simcore/sm/flight_internal.h"

/* --- warps --- */

/* The last result has arrived for a warp that has no more instructions. Other warps may wait for it at a barrier.
 */
static void flight_end_leave(struct sm *sm, uint32_t slot, uint32_t from)
{
    sm->flight->warp[slot].sleep = AWAKE;
    sm_exit(sm, slot, time_max(from, sm->warp[slot].results_done));
    for (uint32_t s = 0; s < SUB_CORES; s++)
        if (sm->sub[s].next != SM_NEVER)
            sm_schedule(sm, sm->sub[s].next);
}

/* Wakes the warp if the event that it waits for has occurred. */
static void wake_warp(struct sm *sm, uint32_t slot)
{
    struct flight_warp *fw = &sm->flight->warp[slot];
    const struct warp *w = &sm->warp[slot];
    const struct sub_core *sc = &sm->sub[slot % SUB_CORES];
    uint32_t from = time_max(fw->from, first_open(sm, sc));

    if (!w->insts || fw->sleep == AWAKE)
        return;
    if (fw->sleep == SLEEP_EXIT) {
        if (!fw->results_open)
            flight_end_leave(sm, slot, from);
        return;
    }
    if (fw->sleep == SLEEP_FENCE) {
        if (fw->memory_open)
            return;
        from = time_max(from, w->memory_done);
    } else if (fw->sleep == SLEEP_GROUP) {
        if (groups_open(fw, fw->wanted))
            return;
        from = time_max(from, w->group[fw->wanted % GROUPS_MAX]);
    }
    fw->sleep = AWAKE;
    sm_set_ready(sm, slot, from, (enum slot_reason)fw->reason);
    if (sc->next != SM_NEVER)
        sm_schedule(sm, sc->next);
}

/* --- ends of nodes --- */

/* Reports arrivals that waited for groups of the warp that have ended; all of them if the warp exits. */
static void tell_late(struct sm *sm, uint32_t slot, bool exits, uint32_t t)
{
    struct flight_warp *fw = &sm->flight->warp[slot];
    const struct warp *w = &sm->warp[slot];

    for (uint32_t g = w->groups - GROUPS_MAX; fw->late_open && g != w->groups; g++) {
        uint32_t i = g % GROUPS_MAX;

        if (!(fw->late_open >> i & 1) || (!exits && groups_open(fw, g)))
            continue;
        fw->late_open &= (uint8_t) ~(1u << i);
        mbarrier_tell(sm, &fw->late[i], exits ? t : time_max(t, w->group[i]));
    }
}

bool flight_arrive_late(struct sm *sm, uint32_t slot, const struct mbarrier_news *news)
{
    struct flight_warp *fw = &sm->flight->warp[slot];
    uint32_t group = sm->warp[slot].groups - 1, i = group % GROUPS_MAX;

    if (!groups_open(fw, group))
        return false;
    if (fw->late_open >> i & 1) /* a group more than eight groups ago counts as ended, as for waits */
        mbarrier_tell(sm, &fw->late[i], flight_now(sm));
    fw->late_open |= (uint8_t)(1u << i);
    fw->late[i] = *news;
    return true;
}

void flight_exit(struct sm *sm, uint32_t slot, uint32_t t)
{
    tell_late(sm, slot, true, t);
}

static void end_group(struct warp *w, struct flight_warp *fw, const struct node *n)
{
    fw->group_open[n->group % GROUP_SLOTS]--;
    if (n->group == w->groups)
        w->group_open = time_max(w->group_open, n->latest);
    /* Groups end in order, so the end of a group includes the ends of earlier groups. */
    for (uint32_t g = n->group; g < w->groups; g++)
        if (w->groups - g <= GROUPS_MAX)
            w->group[g % GROUPS_MAX] = time_max(w->group[g % GROUPS_MAX], n->latest);
}

/* Level control: sets the time of a counter whose instructions have all ended. */
static void set_counters(struct warp *w, struct flight_warp *fw, const struct node *n)
{
    if (n->counter < CONTROL_COUNTERS)
        fw->counter_open[n->counter]--;
    for (uint32_t i = 0; i < CONTROL_COUNTERS; i++)
        if (!fw->counter_open[i] && w->counter[i] >> 1 >= SM_ASLEEP)
            w->counter[i] = n->latest << 1 | 1;
}

static void set_results(struct sm *sm, const struct node *n)
{
    uint32_t *ready = sm_registers(sm, n->slot);
    struct flight_warp *fw = &sm->flight->warp[n->slot];
    struct warp *w = &sm->warp[n->slot];

    if (n->dst_count) {
        fw->results_open--;
        w->results_done = time_max(w->results_done, n->latest);
    }
    if (w->load_done >= SM_ASLEEP && &sm->flight->node[fw->load_node] == n)
        w->load_done = n->latest;
    set_counters(w, fw, n);
    for (uint32_t i = 0; i < n->dst_count; i++)
        ready[n->dst + i] = n->latest << 1 | 1;
    if (n->predicate)
        sm->warp[n->slot].predicate_ready = n->latest;
}

static void end_instruction(struct sm *sm, const struct node *n)
{
    struct warp *w = &sm->warp[n->slot];
    struct flight_warp *fw = &sm->flight->warp[n->slot];

    if (fw->serial != n->serial || !w->insts) /* the warp has exited without waiting for its results */
        return;
    if (n->kind == NODE_GROUP || n->kind == NODE_GROUP_STORE) {
        end_group(w, fw, n);
        tell_late(sm, n->slot, false, n->latest);
    } else {
        fw->memory_open--;
        w->memory_done = time_max(w->memory_done, n->latest);
    }
    if (n->results)
        set_results(sm, n);
    wake_warp(sm, n->slot);
}

/* Ends the node, and all nodes that waited only for it. */
static void end_node(struct sm *sm, uint32_t first)
{
    struct flight *f = sm->flight;

    f->node[first].next = 0;
    for (uint32_t i = first, last = first; i;) {
        struct node *n = &f->node[i];
        uint32_t latest = n->latest < SM_TIME_MAX ? n->latest : SM_TIME_MAX, next;

        n->latest = latest;
        if (n->kind == NODE_COPY)
            mbarrier_tell(sm, &n->news, latest);
        else if (n->kind != NODE_FILL)
            end_instruction(sm, n);
        /* the line was not replaced, and there is no newer fill */
        else if (sm->l1.lines[n->line].ready == SM_UNKNOWN + i)
            sm->l1.lines[n->line].ready = latest;
        for (uint32_t e = n->first_edge; e; e = next) {
            struct node *waits = &f->node[f->edge[e].node];

            next = f->edge[e].next;
            waits->latest = time_max(waits->latest, latest);
            if (!--waits->open) {
                f->node[last].next = f->edge[e].node;
                last = f->edge[e].node;
                f->node[last].next = 0;
            }
            f->edge[e].next = f->free_edge;
            f->free_edge = e;
            f->edges_used--;
        }
        next = n->next;
        n->next = f->free_node;
        f->free_node = i;
        f->nodes_used--;
        i = next;
    }
}

void flight_seal(struct sm *sm, uint32_t node)
{
    if (!--sm->flight->node[node].open)
        end_node(sm, node);
}

void flight_done(void *ctx, uint32_t sm_index, uint32_t token, sim_time_ps at)
{
    struct sm *sm = (struct sm *)ctx + sm_index;
    const struct sm_env *env = sm->env;
    struct flight *f = sm->flight;
    struct node *n = &f->node[token];
    uint32_t t = sm_local(sm, clock_from_ps(&env->clock, at));
    uint32_t now = flight_now(sm);

    f->under_way--;
    if (n->kind == NODE_STORE || n->kind == NODE_GROUP_STORE) {
        n->launch->stores_open--;
        n->launch->stores_done = at > n->launch->stores_done ? at : n->launch->stores_done;
        flight_store_done(sm, now);
    } else {
        t += env->design->l1_latency - env->design->l1_detect;
    }
    n->latest = time_max(n->latest, t);
    if (!--n->open)
        end_node(sm, token);
    if (f->held[0] | f->held[1] | f->held[2] | f->held[3])
        flight_let_go(sm, now);
}

uint64_t flight_waiters(const struct sm *sm, uint32_t token)
{
    const struct flight *f = sm->flight;
    uint64_t slots = 0;

    if (f->node[token].kind != NODE_FILL)
        return 1ull << f->node[token].slot;
    for (uint32_t e = f->node[token].first_edge; e; e = f->edge[e].next) {
        const struct node *n = &f->node[f->edge[e].node];

        if (n->kind != NODE_FILL)
            slots |= 1ull << n->slot;
    }
    return slots;
}
