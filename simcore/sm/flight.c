#include "simcore/sm/flight_internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "simcore/sm/warp_slots.h"

enum {
    NEED = 4 * WARP_LANES, /* lines that an access of up to 16 bytes per lane can touch, including local memory */
    NEED_WIDE = WARP_LANES * ACCESS_BYTES_MAX / 4 /* any access */
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
           sm->env->port->ops->room(sm->env->port, sm->index) >= need;
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
    sc->next = time_max(warp_slots_earliest(sc), t);
}

void flight_let_go(struct sm *sm, uint32_t now)
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

/* `waits` cannot end before `of` has ended. */
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

void flight_limit(struct sm *sm, uint32_t now)
{
    if (sm->flight->under_way && now + sm->env->lookahead < sm->run_until)
        sm->run_until = now + sm->env->lookahead;
}

static void flight_send(struct sm *sm, uint32_t node, const struct mem_request *r, uint32_t t)
{
    struct sm_env *env = sm->env;

    sm->flight->under_way++;
    flight_limit(sm, flight_now(sm));
    env->port->ops->post(env->port, r, node, clock_to_ps(&env->clock, sm->base + t));
}

void flight_ask(struct sm *sm, uint32_t node, const struct mem_request *r, uint32_t t)
{
    sm->flight->node[node].open++;
    flight_send(sm, node, r, t);
}

void flight_join(struct sm *sm, uint32_t node, const struct l1_line *line)
{
    wait_for(sm->flight, node, line->ready - SM_UNKNOWN);
}

void flight_fill(struct sm *sm, uint32_t node, const struct mem_request *r, struct l1_line *line, uint32_t t)
{
    struct flight *f = sm->flight;
    uint32_t fill = new_node(f); /* the request keeps it open */

    f->node[fill].kind = NODE_FILL;
    f->node[fill].line = (uint32_t)(line - sm->l1.lines);
    if (line->ready >= SM_UNKNOWN)
        wait_for(f, fill, line->ready - SM_UNKNOWN);
    else
        f->node[fill].latest = line->ready;
    line->ready = SM_UNKNOWN + fill;
    wait_for(f, node, fill);
    flight_send(sm, fill, r, t);
}

static void send_store(struct sm *sm, uint32_t node, const struct mem_request *r, uint32_t t)
{
    sm->flight->stores_open++;
    flight_send(sm, node, r, t + sm->env->design->l1_detect);
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

void flight_store_done(struct sm *sm, uint32_t now)
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
