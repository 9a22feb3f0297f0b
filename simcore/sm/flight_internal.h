/* simcore/sm/flight_internal.h: event mode: declarations that the files flight*.c share. */
#ifndef VIVACE_SIMCORE_SM_FLIGHT_INTERNAL_H
#define VIVACE_SIMCORE_SM_FLIGHT_INTERNAL_H

#include "simcore/sm/flight.h"

enum { GROUP_SLOTS = 2 * GROUPS_MAX };

enum node_kind { NODE_FILL, NODE_RESULT, NODE_GROUP, NODE_STORE, NODE_GROUP_STORE, NODE_COPY };
struct node {
    uint32_t first_edge;  /* the list of nodes that wait for it */
    uint32_t latest;      /* latest end of its dependences; its own end when none is pending */
    uint32_t open;        /* number of pending dependences */
    uint32_t next;        /* next in the list of free nodes, or of nodes that have just ended */
    uint32_t serial;      /* of the warp that created it */
    uint32_t group, line; /* groups: the group number; fills: index of the line in L1 */
    struct launch *launch;
    uint16_t dst;
    uint8_t kind, slot, dst_count, counter; /* counter: for level control; CONTROL_COUNTERS: none */
    bool predicate, results;
    struct mbarrier_news news; /* COPY: the report to a barrier at its end */
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
    uint32_t serial;                  /* distinguishes successive warps of a slot */
    uint32_t from, wanted;            /* earliest issue of the next instruction; the group that it waits for */
    uint32_t memory_open;             /* instructions that a fence waits for */
    uint32_t results_open;            /* instructions with pending results */
    uint32_t load_node;               /* the newest instruction with results */
    uint16_t group_open[GROUP_SLOTS]; /* pending copies of each group, by number */
    uint16_t counter_open[CONTROL_COUNTERS]; /* level control: pending instructions of each counter */
    uint8_t sleep, reason;
    uint8_t late_open; /* a bit for each group with delayed arrivals, which wait for its end: */
    struct mbarrier_news late[GROUPS_MAX];
};

/* Indices of nodes and edges begin at 1; 0 means none. */
struct flight {
    uint32_t nodes, edges, nodes_used, edges_used;
    uint32_t free_node, fresh_node, free_edge, fresh_edge;
    uint32_t under_way; /* number of requests in flight */
    uint32_t stores_open, waiting_first, waiting_count;
    uint16_t held[SUB_CORES]; /* warps that wait for free entries */
    struct flight_warp warp[SM_WARPS_MAX];
    struct waiting_store *waiting; /* lines of one store instruction that wait */
    struct node *node;
    struct edge *edge;
};

/* Local time of the first issue slot of a sub-core that is not yet accounted. Nothing issues before it. */
static inline uint32_t first_open(const struct sm *sm, const struct sub_core *sc)
{
    return sm_local(sm, sc->accounted);
}

static inline uint32_t flight_now(const struct sm *sm)
{
    return sm_local(sm, clock_from_ps(&sm->env->clock, event_queue_now(sm->env->queue)));
}

/* In flight.c: a line of a store was accepted at `now`, so a waiting line can be sent. */
void flight_store_done(struct sm *sm, uint32_t now);
/* Wakes warps that wait for free entries (flight_hold) at `now` if there are enough. */
void flight_let_go(struct sm *sm, uint32_t now);

/* Whether a copy of group `wanted` or of an earlier group is pending. */
static inline bool groups_open(const struct flight_warp *fw, uint32_t wanted)
{
    for (uint32_t i = 0; i < GROUPS_MAX; i++)
        if (fw->group_open[(wanted - i) % GROUP_SLOTS])
            return true;
    return false;
}

/* flight_lines.c: as struct outstanding_ops (outstanding.h) says. */
uint32_t flight_store(struct access *a, enum mem_kind kind, const uint8_t lanes[], uint32_t *t);
uint32_t flight_atomic(struct access *a, const uint8_t lanes[], uint32_t start);
uint32_t flight_copy_lines(struct access *a, enum mem_kind kind, uint32_t start);

#endif
