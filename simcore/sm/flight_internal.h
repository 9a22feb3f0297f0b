/* simcore/sm/flight_internal.h: what an SM has under way in event mode, between flight.c and flight_end.c. */
#ifndef VIVACE_SIMCORE_SM_FLIGHT_INTERNAL_H
#define VIVACE_SIMCORE_SM_FLIGHT_INTERNAL_H

#include "simcore/sm/flight.h"

enum { GROUP_SLOTS = 2 * GROUPS_MAX };

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
    struct waiting_store *waiting; /* the lines of one instruction */
    struct node *node;
    struct edge *edge;
};

/* Local time of the first slot of a sub-core that is not in the account yet: nothing issues before. */
static inline uint32_t first_open(const struct sm *sm, const struct sub_core *sc)
{
    return sm_local(sm, sc->accounted);
}

static inline uint32_t flight_now(const struct sm *sm)
{
    return sm_local(sm, clock_from_ps(&sm->env->clock, event_queue_now(sm->env->queue)));
}

/* flight.c: a line of a store was accepted at `now`: there is room for one that waits. */
void flight_store_done(struct sm *sm, uint32_t now);
/* Warps that wait for room (flight_hold) go on at `now` where there is some. */
void flight_let_go(struct sm *sm, uint32_t now);

#endif
