/* sampling/time/timeline_internal.h: what timeline.c and timeline_links.c share. */
#ifndef VIVACE_SAMPLING_TIMELINE_INTERNAL_H
#define VIVACE_SAMPLING_TIMELINE_INTERNAL_H

#include "sampling/time/makespan_layout.h"
#include "sampling/time/timeline.h"

#define NONE       TIMELINE_NONE
#define SEARCH_MAX 4096 /* items that are looked at for one dependence */

/* What holds an item back: the item before on its thread, another thread; the work before on its stream, its call,
 * work on another stream; for the return of a call that waits: the call, the work; another GPU. */
enum timeline_edge_kind {
    EDGE_CPU,
    EDGE_HANDOVER,
    EDGE_STREAM,
    EDGE_CALL,
    EDGE_RELEASE,
    EDGE_WAIT,
    EDGE_RETURN,
    EDGE_PEER,
    EDGE_KINDS
};
struct timeline_edge {
    uint32_t row, from; /* places in the layout */
    enum timeline_edge_kind kind;
};

/* The k-th collectives of all GPUs. */
struct timeline_group {
    size_t first, count; /* of members */
    int64_t last;        /* start of the last one */
};

/* Rows of items: first the arrivals of collectives, then the meetings of their groups, then calls, then work, then
 * returns of calls that wait. Rows that start together stay in this order. */
struct timeline_builder {
    const struct timeline *t;
    struct layout layout;
    size_t arrivals, returns, count;
    int64_t *start;
    uint64_t *duration;
    uint32_t *lane;
    uint8_t *kind;      /* of each row: enum timeline_kind; TIMELINE_KINDS: takes no time */
    uint32_t *place;    /* of each row: its place in the layout */
    uint32_t *arrival;  /* of each work: its row of arrival; NONE */
    uint32_t *waits_on; /* of each call: the work that it waits for; NONE */
    uint32_t *done;     /* of each call: the row that ends it: its return, or its own */
    uint32_t *members;
    struct timeline_group *groups;
    size_t group_count, member_count, edge_count, edge_capacity;
    struct timeline_edge *edges; /* by place: beside layout.links */
    double usual[EDGE_KINDS];
};

static inline uint32_t call_row(const struct timeline_builder *b, size_t call)
{
    return (uint32_t)(b->arrivals + b->group_count + call);
}

static inline uint32_t work_row(const struct timeline_builder *b, size_t work)
{
    return call_row(b, b->t->call_count) + (uint32_t)work;
}

/* All GPUs of a group have arrived. */
static inline uint32_t meeting_row(const struct timeline_builder *b, size_t group)
{
    return (uint32_t)(b->arrivals + group);
}

static inline int64_t work_end(const struct timeline_work *w)
{
    return w->start_ns + (int64_t)w->duration_ns;
}

static inline int64_t call_end(const struct timeline_call *c)
{
    return c->start_ns + (int64_t)c->duration_ns;
}

/* Where work enters its stream: at its arrival, or at its start. */
static inline uint32_t entry_row(const struct timeline_builder *b, size_t work)
{
    return b->arrival[work] != NONE ? b->arrival[work] : work_row(b, work);
}

/* Fills waits_on: for each call the work that it waits for. -1 with *e: no memory. */
int timeline_link_calls(struct timeline_builder *b, struct err *e);
/* Fills groups and members: the collectives that wait for each other. -1 with *e: no memory. */
int timeline_find_groups(struct timeline_builder *b, struct err *e);
/* Fills edges, in the order of items, each once. The layout is made. -1 with *e: no memory. */
int timeline_find_edges(struct timeline_builder *b, struct err *e);
/* What the item before on its lane is to the item at this place. */
enum timeline_edge_kind timeline_lane_kind(const struct timeline_builder *b, uint32_t place);

/* Fills the times of each GPU of a run that was laid out, which begins and ends at these times. -1 with *e: no
 * memory. */
int timeline_measure_gpus(const struct timeline_builder *b, double first, double last, struct timeline_gpu *out,
                          struct err *e);

#endif
