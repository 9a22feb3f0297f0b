#include "simcore/sm/flight.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "simcore/mem/event_path.h"
#include "simcore/sm/places.h"

enum {
    NEED = 4 * WARP_LANES, /* lines that an access of up to 16 bytes a lane can touch, local memory too */
    NEED_WIDE = WARP_LANES * ACCESS_BYTES_MAX / 4, /* any access */
    GROUP_SLOTS = 2 * GROUPS_MAX
};

enum node_kind { NODE_FILL, NODE_RESULT, NODE_GROUP, NODE_STORE, NODE_GROUP_STORE, NODE_COPY };
struct node {
    uint32_t first_edge;  /* who waits for it */
    uint32_t latest;      /* of what it waited for; its end, when nothing is open */
    uint32_t open;        /* what it still waits for */
    uint32_t next;        /* of the free ones, or of those that have just ended */
    uint32_t serial;      /* of the warp */
    uint32_t group, line; /* groups: which; fills: place in L1 */
    struct launch *launch;
    uint8_t kind, slot, dst, dst_count, counter; /* counter: of level control; CONTROL_COUNTERS: none */
    bool predicate, results;
    struct mbarrier_news news; /* COPY: for a barrier, when it ends */
};
struct edge {
    uint32_t node, next;
};
struct waiting_store {
    struct mem_request r;
    uint32_t node;
};

enum sleep { AWAKE, SLEEP_OPERANDS, SLEEP_FENCE, SLEEP_GROUP, SLEEP_EXIT };
struct flight_warp {
    uint32_t serial;                         /* tells the warps of one slot apart */
    uint32_t from, wanted;                   /* the next instruction cannot issue before; the group it waits for */
    uint32_t memory_open;                    /* instructions that a fence waits for */
    uint32_t results_open;                   /* instructions whose results have not come */
    uint32_t load_node;                      /* the newest instruction with results */
    uint16_t group_open[GROUP_SLOTS];        /* copies of each group, by number */
    uint16_t counter_open[CONTROL_COUNTERS]; /* level control: instructions that each counter waits for */
    uint8_t sleep, reason;
    uint8_t late_open; /* a bit for each group with arrivals that wait for its end: */
    struct mbarrier_news late[GROUPS_MAX];
};

/* Numbers of nodes and edges begin at 1: 0 is none. */
struct flight {
    uint32_t nodes, edges, nodes_used, edges_used;
    uint32_t free_node, fresh_node, free_edge, fresh_edge;
    uint32_t under_way; /* requests */
    uint32_t stores_open, waiting_first, waiting_count;
    uint16_t held[SUB_CORES]; /* warps that wait for room */
    struct flight_warp warp[SM_WARPS_MAX];
    struct waiting_store *waiting; /* NEED_WIDE: the lines of one instruction */
    struct node *node;
    struct edge *edge;
};

struct flight *flight_new(const struct gpu_design *d, struct err *e)
{
    struct flight *f = mem_zalloc(1, sizeof *f, e);
    uint32_t each = d->warps * WARP_LANES > NEED_WIDE ? d->warps * WARP_LANES : NEED_WIDE;

    if (!f)
        return NULL;
    f->nodes = 2 * each; /* half of them for lines */
    f->edges = 4 * each;
    f->node = mem_zalloc((size_t)f->nodes + 1, sizeof *f->node, e);
    f->edge = f->node ? mem_zalloc((size_t)f->edges + 1, sizeof *f->edge, e) : NULL;
    f->waiting = f->edge ? mem_zalloc(NEED_WIDE, sizeof *f->waiting, e) : NULL;
    if (f->waiting)
        return f;
    flight_free(f);
    return NULL;
}

void flight_free(struct flight *f)
{
    if (!f)
        return;
    free(f->node);
    free(f->edge);
    free(f->waiting);
    free(f);
}

void flight_begin(struct sm *sm)
{
    struct flight *f = sm->flight;

    f->nodes_used = f->edges_used = f->free_node = f->fresh_node = f->free_edge = f->fresh_edge = 0;
    f->under_way = f->stores_open = f->waiting_first = f->waiting_count = 0;
    memset(f->held, 0, sizeof f->held);
}

void flight_begin_warp(struct sm *sm, uint32_t slot)
{
    sm->flight->warp[slot] = (struct flight_warp){.serial = sm->flight->warp[slot].serial + 1};
}

void flight_rebase(struct sm *sm, uint32_t cycles)
{
    struct flight *f = sm->flight;

    for (uint32_t i = 1; i <= f->fresh_node; i++)
        f->node[i].latest = time_back(f->node[i].latest, cycles);
    for (uint32_t i = 0; i < SM_WARPS_MAX; i++)
        f->warp[i].from = time_back(f->warp[i].from, cycles);
}

/* --- room --- */

bool flight_room(const struct sm *sm, const struct static_inst *in)
{
    const struct flight *f = sm->flight;
    uint32_t need = in->width <= 16 ? NEED : NEED_WIDE;

    return !f->waiting_count && f->nodes - f->nodes_used > need && f->edges - f->edges_used >= 2 * need &&
           event_path_room(sm->env->path, sm->index) >= need;
}

void flight_hold(struct sm *sm, uint32_t sub, uint32_t t)
{
    struct sub_core *sc = &sm->sub[sub];

    for (uint32_t i = 0; i < SUB_WARPS_MAX; i++) {
        if (sc->pipe[i] != PIPE_MEMORY || sc->ready[i] > t)
            continue;
        sc->ready[i] = SM_NEVER;
        sc->reason[i] = SLOT_QUEUE;
        sm->flight->held[sub] |= (uint16_t)(1u << i);
    }
    sc->next = time_max(places_earliest(sc), t);
}

/* Local time of the first slot of a sub-core that is not in the account yet: nothing issues before. */
static uint32_t first_open(const struct sm *sm, const struct sub_core *sc)
{
    return sm_local(sm, sc->accounted);
}

static void let_go(struct sm *sm, uint32_t now)
{
    static const struct static_inst narrow = {.width = 4};
    struct flight *f = sm->flight;

    for (uint32_t s = 0; s < SUB_CORES; s++) {
        struct sub_core *sc = &sm->sub[s];
        uint32_t t = time_max(now, first_open(sm, sc));

        if (!f->held[s] || !flight_room(sm, &narrow))
            continue;
        for (uint32_t left = f->held[s]; left; left &= left - 1)
            sc->ready[__builtin_ctz(left)] = t;
        f->held[s] = 0;
        sc->next = t < sc->next ? t : sc->next;
        sm_schedule(sm, sc->next);
    }
}

/* --- nodes --- */

static uint32_t new_node(struct flight *f)
{
    uint32_t n = f->free_node;

    if (n)
        f->free_node = f->node[n].next;
    else
        n = ++f->fresh_node;
    f->nodes_used++;
    f->node[n] = (struct node){.open = 1};
    return n;
}

/* `waits` cannot end before `of` has. */
static void wait_for(struct flight *f, uint32_t waits, uint32_t of)
{
    uint32_t e = f->free_edge;

    if (e)
        f->free_edge = f->edge[e].next;
    else
        e = ++f->fresh_edge;
    f->edges_used++;
    f->edge[e] = (struct edge){waits, f->node[of].first_edge};
    f->node[of].first_edge = e;
    f->node[waits].open++;
}

static uint8_t counter_of(const struct static_inst *in)
{
    uint32_t counter = in->control >> CONTROL_WRITE_BARRIER_SHIFT & 7;

    return in->control & CONTROL_KNOWN && counter < CONTROL_COUNTERS ? (uint8_t)counter : CONTROL_COUNTERS;
}

uint32_t flight_node(struct sm *sm, uint32_t slot, const struct static_inst *in)
{
    struct flight *f = sm->flight;
    struct flight_warp *fw = &f->warp[slot];
    const struct warp *w = &sm->warp[slot];
    uint32_t i = new_node(f);
    struct node *n = &f->node[i];

    n->slot = (uint8_t)slot;
    n->serial = fw->serial;
    n->launch = w->launch;
    n->dst = in->dst;
    n->dst_count = in->dst_count;
    n->counter = counter_of(in);
    n->predicate = in->flags & OP_WRITES_PREDICATE;
    n->kind = in->action == ACT_STORE || in->action == ACT_REDUCTION ? NODE_STORE : NODE_RESULT;
    if (in->action == ACT_ASYNC_COPY || in->action == ACT_BULK_COPY) {
        n->kind = in->mix == MIX_LOAD ? NODE_GROUP : NODE_GROUP_STORE;
        n->group = w->groups;
        fw->group_open[n->group % GROUP_SLOTS]++;
    } else {
        fw->memory_open++;
    }
    return i;
}

void flight_copy(struct sm *sm, uint32_t node, const struct mbarrier_news *news)
{
    struct node *n = &sm->flight->node[node];

    n->kind = NODE_COPY;
    n->news = *news;
    sm->flight->warp[n->slot].group_open[n->group % GROUP_SLOTS]--;
}

void flight_not_before(struct sm *sm, uint32_t node, uint32_t t)
{
    sm->flight->node[node].latest = time_max(sm->flight->node[node].latest, t);
}

void flight_results(struct sm *sm, uint32_t node)
{
    struct node *n = &sm->flight->node[node];
    uint32_t *ready = sm_registers(sm, n->slot);

    n->results = true;
    sm->flight->warp[n->slot].results_open += n->dst_count != 0;
    sm->flight->warp[n->slot].load_node = node;
    sm->warp[n->slot].load_done = SM_UNKNOWN;
    if (n->counter < CONTROL_COUNTERS)
        sm->flight->warp[n->slot].counter_open[n->counter]++;
    for (uint32_t i = 0; i < n->dst_count; i++)
        ready[n->dst + i] = SM_UNKNOWN << 1 | 1;
    if (n->predicate)
        sm->warp[n->slot].predicate_ready = SM_UNKNOWN;
}

/* --- requests --- */

static uint32_t local_now(const struct sm *sm)
{
    return sm_local(sm, clock_from_ps(&sm->env->clock, event_queue_now(sm->env->queue)));
}

void flight_limit(struct sm *sm, uint32_t now)
{
    if (sm->flight->under_way && now + sm->env->lookahead < sm->run_until)
        sm->run_until = now + sm->env->lookahead;
}

static void send(struct sm *sm, uint32_t node, const struct mem_request *r, uint32_t t)
{
    struct sm_env *env = sm->env;

    sm->flight->under_way++;
    flight_limit(sm, local_now(sm));
    event_path_send(env->path, r, node, clock_to_ps(&env->clock, sm->base + t));
}

void flight_ask(struct sm *sm, uint32_t node, const struct mem_request *r, uint32_t t)
{
    sm->flight->node[node].open++;
    send(sm, node, r, t);
}

void flight_join(struct sm *sm, uint32_t node, const struct l1_line *line)
{
    wait_for(sm->flight, node, line->ready - SM_UNKNOWN);
}

void flight_fill(struct sm *sm, uint32_t node, const struct mem_request *r, struct l1_line *line, uint32_t t)
{
    struct flight *f = sm->flight;
    uint32_t fill = new_node(f); /* open for the request */

    f->node[fill].kind = NODE_FILL;
    f->node[fill].line = (uint32_t)(line - sm->l1.lines);
    if (line->ready >= SM_UNKNOWN)
        wait_for(f, fill, line->ready - SM_UNKNOWN);
    else
        f->node[fill].latest = line->ready;
    line->ready = SM_UNKNOWN + fill;
    wait_for(f, node, fill);
    send(sm, fill, r, t);
}

static void send_store(struct sm *sm, uint32_t node, const struct mem_request *r, uint32_t t)
{
    sm->flight->stores_open++;
    send(sm, node, r, t + sm->env->design->l1_detect);
}

void flight_tell(struct sm *sm, uint32_t node, const struct mem_request *r, uint32_t t)
{
    struct flight *f = sm->flight;

    f->node[node].open++;
    f->node[node].launch->stores_open++;
    if (!f->waiting_count && f->stores_open < sm->env->design->lsu_stores)
        send_store(sm, node, r, t);
    else
        f->waiting[(f->waiting_first + f->waiting_count++) % NEED_WIDE] = (struct waiting_store){*r, node};
}

/* A line was accepted at `now`: there is room for one that waits. */
static void store_done(struct sm *sm, uint32_t now)
{
    struct flight *f = sm->flight;

    f->stores_open--;
    if (f->waiting_count) {
        const struct waiting_store *w = &f->waiting[f->waiting_first];

        send_store(sm, w->node, &w->r, now);
        f->waiting_first = (f->waiting_first + 1) % NEED_WIDE;
        f->waiting_count--;
    }
}

/* --- warps --- */

void flight_sleep(struct sm *sm, uint32_t slot, uint32_t from, enum slot_reason reason)
{
    struct flight_warp *fw = &sm->flight->warp[slot];

    fw->sleep = SLEEP_OPERANDS;
    fw->from = from;
    fw->reason = (uint8_t)reason;
}

bool flight_sleep_fence(struct sm *sm, uint32_t slot, uint32_t t)
{
    struct flight_warp *fw = &sm->flight->warp[slot];

    if (!fw->memory_open)
        return false;
    fw->sleep = SLEEP_FENCE;
    fw->from = t + 1;
    fw->reason = SLOT_SYNC;
    return true;
}

bool flight_sleep_exit(struct sm *sm, uint32_t slot, uint32_t t)
{
    struct flight_warp *fw = &sm->flight->warp[slot];

    if (!fw->results_open)
        return false;
    fw->sleep = SLEEP_EXIT;
    fw->from = t;
    return true;
}

/* The last result has come for a warp that has no more instructions. Others may have waited for it at a barrier. */
static void leave(struct sm *sm, uint32_t slot, uint32_t from)
{
    sm->flight->warp[slot].sleep = AWAKE;
    sm_exit(sm, slot, time_max(from, sm->warp[slot].results_done));
    for (uint32_t s = 0; s < SUB_CORES; s++)
        if (sm->sub[s].next != SM_NEVER)
            sm_schedule(sm, sm->sub[s].next);
}

/* Is a copy of group `wanted` or of one before it open? */
static bool groups_open(const struct flight_warp *fw, uint32_t wanted)
{
    for (uint32_t i = 0; i < GROUPS_MAX; i++)
        if (fw->group_open[(wanted - i) % GROUP_SLOTS])
            return true;
    return false;
}

bool flight_sleep_group(struct sm *sm, uint32_t slot, int32_t allowed, uint32_t t)
{
    struct flight_warp *fw = &sm->flight->warp[slot];
    const struct warp *w = &sm->warp[slot];
    uint32_t keep = allowed < 0 ? 0 : (uint32_t)allowed;

    if (keep >= w->groups || keep >= GROUPS_MAX || !groups_open(fw, w->groups - 1 - keep))
        return false;
    fw->sleep = SLEEP_GROUP;
    fw->wanted = w->groups - 1 - keep;
    fw->from = t + 1;
    fw->reason = SLOT_SYNC;
    return true;
}

/* Something the warp may have waited for has come. */
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
            leave(sm, slot, from);
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

/* --- ends --- */

/* Arrivals that waited for groups of the warp which are over now; all of them where it exits. */
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
    if (fw->late_open >> i & 1) /* of eight groups before: taken to be over, as waits take them */
        mbarrier_tell(sm, &fw->late[i], local_now(sm));
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
    /* Groups end in order, so the end of a group contains those before it. */
    for (uint32_t g = n->group; g < w->groups; g++)
        if (w->groups - g <= GROUPS_MAX)
            w->group[g % GROUPS_MAX] = time_max(w->group[g % GROUPS_MAX], n->latest);
}

/* Level control: a counter whose instructions are all over has a time again. */
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

    if (fw->serial != n->serial || !w->insts) /* the warp has exited without its results */
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

/* Ends the node, and those that waited for it alone. */
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
        else if (sm->l1.lines[n->line].ready == SM_UNKNOWN + i) /* still its line, and no newer fill */
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
    uint32_t now = local_now(sm);

    f->under_way--;
    if (n->kind == NODE_STORE || n->kind == NODE_GROUP_STORE) {
        n->launch->stores_open--;
        n->launch->stores_done = at > n->launch->stores_done ? at : n->launch->stores_done;
        store_done(sm, now);
    } else {
        t += env->design->l1_latency - env->design->l1_detect;
    }
    n->latest = time_max(n->latest, t);
    if (!--n->open)
        end_node(sm, token);
    if (f->held[0] | f->held[1] | f->held[2] | f->held[3])
        let_go(sm, now);
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
